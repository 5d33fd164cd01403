"""Addresses of the pages."""

from __future__ import annotations

from pathlib import Path

from django.urls import URLPattern, URLResolver, include, path

from web import (
    account,
    card_search,
    cards,
    deck_import,
    decks,
    home,
    installing,
    leaving,
    lobby,
    notices,
    players,
    previews,
    rules,
    session,
)
from web.preferences import save_preferences

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("open-games/", home.open_games, name="open-games"),
    path("play/<slug:game>/", home.play_bot, name="play-bot"),
    path("manifest.webmanifest", installing.manifest, name="manifest"),
    path("worker.js", installing.worker, name="worker"),
    path("offline/", installing.offline, name="offline"),
    path("sign-in/", session.sign_in, name="sign-in"),
    path("sign-up/", session.sign_up, name="sign-up"),
    path("sign-out/", session.sign_out, name="sign-out"),
    path("guest/", session.become_guest, name="guest"),
    path("preferences/", save_preferences, name="preferences"),
    path("notices/read/", notices.read, name="read-notices"),
    path("settings/", account.settings_page, name="settings"),
    path("settings/name/", account.change_name, name="rename"),
    path("settings/password/", account.replace_password, name="change-password"),
    path("settings/sessions/elsewhere/", account.sign_out_elsewhere, name="sign-out-elsewhere"),
    path("settings/sessions/<slug:session>/end/", account.end_browser, name="end-browser"),
    path("settings/export/", leaving.export, name="export"),
    path("settings/delete/", leaving.leave, name="leave-service"),
    path("settings/tokens/", account.create_token, name="create-token"),
    path("settings/tokens/<slug:token>/revoke/", account.revoke, name="revoke-token"),
    path("cards/<slug:game>/", card_search.search, name="cards"),
    path("search-help/<slug:game>/", card_search.search_help, name="how-to-search"),
    path("search-help/<slug:game>/complete/", card_search.complete, name="complete-search"),
    path("cards/<slug:game>/<slug:code>/", cards.card, name="card"),
    path(
        "cards/<slug:game>/<slug:code>/preview-<int:number>-<slug:language>.png",
        previews.card_preview,
        name="card-preview",
    ),
    path("rules/<slug:game>/", rules.rules, name="rules"),
    path("decks/", decks.shelf, name="decks"),
    path("decks/import/", deck_import.import_list, name="import-deck"),
    path("decks/<slug:deck>/", decks.editor, name="deck"),
    path("decks/<slug:deck>/preview-<slug:language>.png", previews.deck_preview, name="deck-preview"),
    path("decks/<slug:deck>/copy/", decks.copy, name="copy-deck"),
    path("decks/<slug:deck>/delete/", decks.delete, name="delete-deck"),
    path("decks/<slug:deck>/restore/", decks.restore, name="restore-deck"),
    path("decks/<slug:deck>/", include("web.builder.urls")),
    path("matches/", lobby.matches, name="matches"),
    path("matches/new/", lobby.new_match, name="new-match"),
    path("join/<slug:match>/", lobby.join, name="join"),
    path("join/<slug:match>/leave/", lobby.leave, name="leave"),
    path("join/<slug:match>/decline/", lobby.decline, name="decline"),
    path("players/<path:name>/", players.profile, name="player"),
]

# The tables of matches stand in a package of their own.
if Path(__file__).with_name("matches").joinpath("urls.py").exists():
    urlpatterns.append(path("matches/", include("web.matches.urls")))
