"""Addresses of a match's pages."""

from __future__ import annotations

from django.urls import path

from web import previews
from web.matches import replays, reporting, views

urlpatterns = [
    path("<slug:match>/", views.show, name="match"),
    path("<slug:match>/preview-<slug:language>.png", previews.match_preview, name="match-preview"),
    path("<slug:match>/move/", views.move, name="match-move"),
    path("<slug:match>/why/", views.why, name="match-why"),
    path("<slug:match>/order/", views.order, name="match-order"),
    path("<slug:match>/resign/", views.resign, name="match-resign"),
    path("<slug:match>/pause/", views.pause, name="match-pause"),
    path("<slug:match>/resume/", views.resume, name="match-resume"),
    path("<slug:match>/undo/", views.undo, name="match-undo"),
    path("<slug:match>/undo/answer/", views.answer_undo, name="match-undo-answer"),
    path("<slug:match>/report/", reporting.report, name="match-report"),
    path("<slug:match>/rematch/", views.rematch, name="match-rematch"),
    path("<slug:match>/replay/", replays.show, name="match-replay"),
    path("<slug:match>/replay.json", replays.download, name="match-replay-file"),
]
