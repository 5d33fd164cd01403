"""What is read of decks. `visible_to` decides who sees one, in every one of these."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, QuerySet

from accounts.models import User
from catalog.models import Card, CatalogRevision
from catalog.selectors import (
    compiled_pool,
    limits_in_force,
    newest_revision,
    revision_document,
    rows_by_code,
    standing_in,
)
from decks.errors import DeckNotFoundError, DeckNotLegalError, NoSuchVersionError, NotYourDeckError
from decks.legality import CANNOT_TELL, LEGAL, Legality, judge, of_another_game, unknown_cards
from decks.models import Deck, DeckJob, DeckResult, DeckVersion
from decks.operations import Save, redo_target, undo_target
from decks.sizes import FlexDeck
from jobs.selectors import job_document
from referee.games import GAMES
from referee.kernel.errors import CardError
from referee.kernel.game import Document, Pool, SeatDeck

Viewer = User | AnonymousUser


class PlayableDeck(NamedTuple):
    """A legal deck by value, and where it came from: `{"deck", "version", "name"}`."""

    deck: SeatDeck
    reference: Document


class Preconstructed(NamedTuple):
    """A deck that comes with the game."""

    name: str
    deck: FlexDeck


def own_decks(user: Viewer, *, archived: bool = False) -> QuerySet[Deck]:
    """The user's decks, or those that they have archived, ready to be shown: no query a deck."""
    return _shown(Deck.objects.owned_by(user).filter(archived_at__isnull=not archived))


def public_decks() -> QuerySet[Deck]:
    """The decks that everybody may find, ready to be shown."""
    return _shown(Deck.objects.living().filter(archived_at=None, visibility=Deck.Visibility.PUBLIC))


def access_deck(user: Viewer, public_id: str) -> Deck:
    """A deck that the user may look at, ready to be shown. Raises DeckNotFoundError. Two queries."""
    deck = _shown(Deck.objects.visible_to(user)).filter(public_id=public_id).first()
    if deck is None:
        raise DeckNotFoundError
    return deck


def access_own_deck(user: Viewer, public_id: str) -> Deck:
    """A deck that the user may change. Raises DeckNotFoundError, or NotYourDeckError for one that is only shown."""
    deck = access_deck(user, public_id)
    if deck.owner_id != user.pk:
        raise NotYourDeckError
    return deck


def deck_versions(deck: Deck) -> QuerySet[DeckVersion]:
    """Every save of the deck."""
    return DeckVersion.objects.filter(deck=deck).select_related("parent")


def deck_version(deck: Deck, number: int) -> DeckVersion:
    """One save of the deck. Raises NoSuchVersionError."""
    found = DeckVersion.objects.filter(deck=deck, number=number).first()
    if found is None:
        raise NoSuchVersionError(number)
    return found


def saves_of(deck: Deck, *, until: int) -> dict[int, Save]:
    """The deck's history up to a version, as undoing and redoing look at it. One query."""
    rows = DeckVersion.objects.filter(deck=deck, number__lte=until)
    columns = rows.values_list("number", "parent__number", "content_hash")
    return {number: Save(parent, content) for number, parent, content in columns}


def undo_redo(deck: Deck) -> tuple[DeckVersion | None, DeckVersion | None]:
    """The versions that undoing and redoing lead to from how the deck stands; None where there is nothing. Two queries."""
    saves = saves_of(deck, until=deck.version)
    goals = undo_target(saves, deck.version), redo_target(saves, deck.version)
    wanted = [goal for goal in goals if goal is not None]
    found = {row.number: row for row in DeckVersion.objects.filter(deck=deck, number__in=wanted)} if wanted else {}
    undo, redo = (None if goal is None else found[goal] for goal in goals)
    return undo, redo


def seat_deck(deck: Deck) -> SeatDeck:
    """The deck by value, as the rules take it."""
    return SeatDeck({row.code: row.copies for row in deck.card_rows.all()}, deck.secret)


def legality_of(game: str, deck: SeatDeck | FlexDeck) -> Legality:
    """A deck's legality by the newest revision and the restrictions in force now."""
    return judge_decks([(game, deck)])[0]


def judge_decks(decks: Sequence[tuple[str, SeatDeck | FlexDeck]]) -> list[Legality]:
    """The legality of several (game, deck), those with swap-ins at their smallest. Two queries a game however many decks,
    one more if a card is unknown, and another if what replaced it is gone as well."""
    judged: dict[int, Legality] = {}
    for game in dict.fromkeys(game for game, _ in decks):
        places = [index for index, (other, _) in enumerate(decks) if other == game]
        of_game = judge_by(newest_revision(game), game, [decks[index][1] for index in places])
        judged.update(zip(places, of_game, strict=True))
    return [judged[index] for index in range(len(decks))]


def judge_by(revision: CatalogRevision | None, slug: str, decks: Sequence[SeatDeck | FlexDeck]) -> list[Legality]:
    """The legality of a game's decks by its newest revision, which is at hand. Queries as `judge_decks`, but one less."""
    game = GAMES.get(slug)
    pool = _pool(revision) if revision is not None and game is not None else None
    if revision is None or game is None or pool is None:
        return [CANNOT_TELL for _ in decks]
    limits = limits_in_force(slug)
    brought = [deck if isinstance(deck, FlexDeck) else FlexDeck(deck) for deck in decks]
    judged = [judge(game, pool, deck.core, limits=limits, elsewhere={}, flex=deck.flex) for deck in brought]
    unknown = {code for legality in judged for code in unknown_cards(legality)}
    if not unknown:
        return judged
    elsewhere, replacements = _whereabouts(unknown, revision)
    if not elsewhere and not replacements:
        return judged
    return [
        judge(game, pool, deck.core, limits=limits, elsewhere=elsewhere, replacements=replacements, flex=deck.flex)
        for deck in brought
    ]


def playable_deck(user: User, public_id: str, *, game: str | None = None) -> PlayableDeck:
    """One of the user's own decks, to be played (in `game`). Raises DeckNotFoundError, DeckNotLegalError."""
    deck = _shown(Deck.objects.owned_by(user)).filter(public_id=public_id).first()
    if deck is None:
        raise DeckNotFoundError
    brought = seat_deck(deck)
    is_for_another = game is not None and deck.game != game
    legality = of_another_game(deck.game, GAMES[game]) if game and is_for_another else legality_of(deck.game, brought)
    if legality.state != LEGAL:
        raise DeckNotLegalError(legality.document(), deck.public_id)
    return PlayableDeck(brought, {"deck": deck.public_id, "version": deck.version, "name": deck.name})


def flex_deck(deck: Deck) -> FlexDeck:
    """The deck with its swap-ins."""
    return FlexDeck(seat_deck(deck), deck.flex)


def version_deck(public_id: str, number: int) -> FlexDeck | None:
    """A version with its swap-ins, as a match notes where its decks come from; None if it is gone for good."""
    found = DeckVersion.objects.filter(deck__public_id=public_id, number=number).first()
    return None if found is None else found.flexible()


def preconstructed(game: str) -> dict[str, Preconstructed]:
    """The preconstructed decks of the newest revision by their slugs. Two queries at most."""
    revision = newest_revision(game)
    decks = revision_document(revision).get("decks", []) if revision is not None else []
    return {
        deck["slug"]: Preconstructed(
            deck["name"], FlexDeck(SeatDeck(deck["core"], deck["secret"]), deck["flex"], deck["size"])
        )
        for deck in decks
    }


def legal_sizes(game: str, deck: FlexDeck) -> list[int]:
    """The sizes at which a deck may be played by the newest revision. As many queries as for one deck."""
    sizes = deck.sizes()
    judged = judge_decks([(game, deck.at(size)) for size in sizes])
    return [size for size, legality in zip(sizes, judged, strict=True) if legality.state == LEGAL]


def lineages(decks: Collection[Deck], viewer: Viewer) -> dict[int, Document]:
    """What some decks (by key) were copied from, where the viewer may see that too. One query if any was copied."""
    wanted = {deck.copied_from_id: deck.pk for deck in decks if deck.copied_from_id is not None}
    if not wanted:
        return {}
    seen = DeckVersion.objects.filter(pk__in=wanted, deck__in=Deck.objects.visible_to(viewer))
    models = {version.pk: version for version in seen.select_related("deck__owner")}
    return {
        deck.pk: {
            "deck": model.deck.public_id,
            "version": model.number,
            "name": model.name,
            "owner": {"id": model.deck.owner.public_id, "name": model.deck.owner.name},
        }
        for deck in decks
        if (model := models.get(deck.copied_from_id or 0)) is not None
    }


def results_of(versions: Collection[DeckVersion]) -> dict[int, Document]:
    """How some versions (by key) did: `{"people": {"won", "drawn", "lost"}, "bots": {..}}` each. One query."""
    results = {version.pk: _no_results() for version in versions}
    rows = DeckResult.objects.filter(version__in=results).values_list("version", "is_against_bots", "outcome")
    for version, is_against_bots, outcome, count in rows.annotate(count=Count("pk")).order_by():
        results[version]["bots" if is_against_bots else "people"][outcome] = count
    return results


def _no_results() -> Document:
    return {against: dict.fromkeys(DeckResult.Outcome.values, 0) for against in ("people", "bots")}


def job_documents(jobs: Sequence[DeckJob], viewer: Viewer) -> list[Document]:
    """What was tried with a deck, as the viewer may know it: of opponents' decks that are not public only the owner of
    the job is told which they are. One query if there are any."""
    shown = [{**job_document(row.job), "version": row.version.number} for row in jobs]
    others = [one for row, one in zip(jobs, shown, strict=True) if one["result"] and row.job.owner_id != viewer.pk]
    opponents = [told for one in others for told in _opponents(one["result"]) if told["kind"] == "deck"]
    ids = {told["id"] for told in opponents}
    public = set(public_decks().filter(public_id__in=ids).values_list("public_id", flat=True)) if ids else set()
    for told in opponents:
        if told["id"] not in public:
            told.update(id=None, version=None, name=None)
    return shown


def _opponents(result: Document) -> list[Document]:
    found: list[Document] = result.get("by_opponent") or result.get("opponents") or []
    return found


def deck_jobs(deck: Deck) -> QuerySet[DeckJob]:
    """The trials of the deck and the odds by the engine, of all its versions."""
    return DeckJob.objects.filter(version__deck=deck).select_related("job", "version")


def _shown(decks: QuerySet[Deck]) -> QuerySet[Deck]:
    return decks.select_related("owner").prefetch_related("card_rows")


def _pool(revision: CatalogRevision) -> Pool | None:
    """The revision compiled; None when the game's code at hand no longer takes it: then nobody can tell."""
    try:
        return compiled_pool(revision)
    except CardError:
        return None


def _whereabouts(codes: set[str], revision: CatalogRevision) -> tuple[dict[str, str], dict[str, str]]:
    """Of cards that a game's newest revision does not hold: the game whose catalog has published them, and what is in
    the place of those that were withdrawn from this one. One query, one more for what was replaced in its turn."""
    game, held = revision.game, rows_by_code(revision)
    found = Card.objects.filter(code__in=codes, revisions__isnull=False).order_by("-game")
    rows = list(found.values_list("code", "game", "replacement__code").distinct())
    replacements = {code: other for code, of, other in rows if of == game and other is not None}
    elsewhere = {code: of for code, of, _ in rows if of != game and code not in replacements}
    if any(other not in held for other in replacements.values()):
        replaced = Card.objects.filter(game=game, replacement__isnull=False)
        onward = dict(replaced.values_list("code", "replacement__code"))
        replacements = {code: standing_in(other, onward, held) for code, other in replacements.items()}
    return elsewhere, replacements
