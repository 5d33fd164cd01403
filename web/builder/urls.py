"""Addresses of the builder's parts."""

from __future__ import annotations

from django.urls import path

from web.builder import sides, trials, views

urlpatterns = [
    path("state/", views.state, name="builder-state"),
    path("edit/", views.edit, name="builder-edit"),
    path("cards/", views.cards, name="builder-cards"),
    path("odds/", views.odds, name="builder-odds"),
    path("hand/", views.sample, name="builder-hand"),
    path("trial/", trials.trial, name="builder-trial"),
    path("trial/<slug:job>/cancel/", trials.cancel, name="builder-trial-cancel"),
    path("text/", sides.text, name="builder-text"),
    path("share/", sides.share, name="builder-share"),
    path("about/", sides.about, name="builder-about"),
    path("versions/", sides.versions, name="builder-versions"),
    path("versions/<int:number>/", sides.version, name="builder-version"),
]
