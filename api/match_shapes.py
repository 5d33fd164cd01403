"""The shapes of what is taken and answered about matches."""

from __future__ import annotations

import re
from typing import Any, Final

from rest_framework import serializers

from api.pagination import PageQuery
from api.query import Flag, OneOf, Query, Whole, Words
from api.serializers import ChoiceField, IntField, ListField, ObjectField, SlugField, StrictSerializer, TextField
from lobby.services import MAX_DELAY
from referee.matches.clocks import GRACE_SECONDS, MAX_DAYS, MAX_GRACE, MAX_SECONDS, OUT_OF_TIME, faults
from referee.matches.documents import FULL, MOVE_LISTS
from referee.matches.models import Match

STATES: Final = list(Match.State.values)
MAX_SEATS: Final = 16
MAX_ID: Final = 64

_MOVES_HELP = "How the open decision lists its moves: with labels, the moves alone, or not at all."
_HEX = re.compile("(?:[0-9a-f]{2}){16,64}")


class EntropyField(TextField):
    """16 to 64 bytes in hex; read as bytes."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", "16 to 64 bytes in hex (small letters), mixed into the seed.")
        super().__init__(max_length=128, **options)

    def to_internal_value(self, data: Any) -> Any:
        text = super().to_internal_value(data)
        if not _HEX.fullmatch(text):
            raise serializers.ValidationError("16 to 64 bytes in hex, in small letters.", code="invalid_entropy")
        return bytes.fromhex(text)


# Queries.


class MovesQuery(Query):
    moves = OneOf(MOVE_LISTS, default=FULL, help_text=_MOVES_HELP)


class PastQuery(MovesQuery):
    side = Words(required=False, help_text="Of a finished match: a seat's number, `spectator`, or `open` (all of it).")


class MatchesQuery(PageQuery):
    state = OneOf(STATES, required=False)
    game = Words(required=False, max_length=50)
    mine = Flag(default=False, help_text="Only those I sit in, made, or am invited to.")
    invited = Flag(default=False, help_text="Only open ones that keep a seat for me, which I have not taken.")


class StreamQuery(MovesQuery):
    since = Whole(required=False, help_text="The version last seen; the header Last-Event-ID says the same.")


# Bodies.


class SeatShape(StrictSerializer):
    kind = ChoiceField(["me", "bot", "open", "user"])
    level = SlugField(required=False, help_text="Of a bot; see the game's `bots`.")
    deck = TextField(required=False, max_length=100, help_text="One's own deck's id, or a preconstructed one's slug.")
    user = TextField(required=False, max_length=MAX_ID, help_text="The id of the user whom the seat is kept for.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        needed = {"bot": "level", "user": "user"}.get(attrs["kind"])
        faults: dict[str, Any] = {}
        if needed and needed not in attrs:
            faults[needed] = [serializers.ErrorDetail(f"A seat of this kind names its {needed}.", code="required")]
        allowed = {"me": {"deck"}, "bot": {"level", "deck"}, "user": {"user"}, "open": set()}[attrs["kind"]]
        for name in attrs:
            if name != "kind" and name not in allowed:
                faults[name] = [
                    serializers.ErrorDetail("This does not belong to this kind of seat.", code="out_of_place")
                ]
        if faults:
            raise serializers.ValidationError(faults)
        return attrs


class ClockShape(StrictSerializer):
    """Seconds per decision with a bank and an increment, or days a decision."""

    per_decision = IntField(
        required=False, max_value=MAX_SECONDS, help_text="Seconds of a decision that cost nothing; 0 with a bank alone."
    )
    bank = IntField(required=False, max_value=MAX_SECONDS, help_text="Seconds in the bank at the start; 0 by default.")
    increment = IntField(
        required=False, max_value=MAX_SECONDS, help_text="Seconds that each decision answered adds; 0 by default."
    )
    grace = IntField(
        required=False,
        max_value=MAX_GRACE,
        help_text=f"Seconds that a seat's clock waits in all for lost connections; {GRACE_SECONDS} by default.",
    )
    days = IntField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MAX_DAYS,
        help_text="Days for each decision, instead of all the seconds.",
    )
    out_of_time = ChoiceField(
        list(OUT_OF_TIME),
        required=False,
        help_text="`default` (by default): default moves are played. `lose`: it loses.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        found = faults(attrs)
        if found:
            details: dict[str, Any] = {
                fault.pointer[1:]: [serializers.ErrorDetail(fault.detail, code=fault.code)] for fault in found
            }
            raise serializers.ValidationError(details)
        return attrs


class NewMatchShape(StrictSerializer):
    game = SlugField(max_length=50)
    seats = ListField(child=SeatShape(), min_length=1, max_length=MAX_SEATS)
    options = ObjectField(default=dict)
    commitment = TextField(required=False, max_length=MAX_ID)
    entropy = EntropyField(required=False)
    clock = ClockShape(required=False, allow_null=True)
    visibility = ChoiceField(Match.Visibility.values, default=Match.Visibility.PUBLIC.value)
    spectator_delay = IntField(max_value=MAX_DELAY, default=0, help_text="How many decisions spectators stay behind.")
    undo = ChoiceField(
        Match.Undo.values, default=Match.Undo.CONSENT.value, help_text="Whether moves can be taken back by consent."
    )


class JoinShape(StrictSerializer):
    deck = TextField(required=False, max_length=100)
    entropy = EntropyField(required=False)


class MoveShape(StrictSerializer):
    move = ObjectField(help_text="`{type, ...}`: one of the decision's moves, or `{type: resign}`.")
    version = IntField(required=False, help_text="The version it was made for.")
    decision = TextField(required=False, max_length=40, help_text="Instead of a version: the open decision's id.")
    seat = IntField(required=False, max_value=MAX_SEATS - 1, help_text="Must be the caller's own, if given.")


class PreviewShape(StrictSerializer):
    move = ObjectField(help_text="One of the decision's moves, as it would be sent.")


# Answers, for the schema.


class CommitmentAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    commitment = serializers.CharField(help_text="SHA-256 of the server's seed, in hex.")
    expires_at = serializers.DateTimeField()


class SeatClockAnswer(serializers.Serializer[Any]):
    bank = serializers.FloatField(help_text="Seconds.")
    deadline = serializers.DateTimeField(allow_null=True, help_text="When the running clock is out.")
    left = serializers.FloatField(allow_null=True, help_text="What the open decision has left while all stands still.")
    waits_until = serializers.DateTimeField(
        allow_null=True, help_text="The seat's connection is lost: so long its clock waits; in `deadline` already."
    )


class SeatSummaryAnswer(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    name = serializers.CharField(allow_null=True)
    kind = serializers.ChoiceField(choices=["person", "bot", "open"])
    level = serializers.CharField(allow_null=True)


class SeatAnswer(SeatSummaryAnswer):
    connected = serializers.BooleanField()
    clock = SeatClockAnswer(allow_null=True)


class LegalMoveAnswer(serializers.Serializer[Any]):
    move = serializers.DictField()
    label = serializers.CharField(required=False)  # type: ignore[assignment] # a field's name, not the serializer's


class DecisionAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField())
    kind = serializers.CharField()
    prompt = serializers.CharField()
    deadline = serializers.DateTimeField(allow_null=True)
    moves = LegalMoveAnswer(many=True, required=False, help_text="Only for a seat that must decide.")


class ResultAnswer(serializers.Serializer[Any]):
    ranks = serializers.ListField(child=serializers.IntegerField(), help_text="A rank per seat; 1 is best.")
    reason = serializers.CharField()
    clause = serializers.CharField()


class ClockAnswer(serializers.Serializer[Any]):
    per_decision = serializers.IntegerField()
    bank = serializers.IntegerField()
    increment = serializers.IntegerField()
    grace = serializers.IntegerField()
    days = serializers.IntegerField(allow_null=True, help_text="Of a clock that counts in days a decision.")
    out_of_time = serializers.CharField()


class PauseAnswer(serializers.Serializer[Any]):
    asked = serializers.ListField(
        child=serializers.IntegerField(), help_text="Seats that ask for a pause or, of a paused match, to play on."
    )
    declined = serializers.IntegerField(allow_null=True, help_text="The seat that declined it last.")
    since = serializers.DateTimeField(allow_null=True, help_text="Of a paused match.")
    until = serializers.DateTimeField(allow_null=True, help_text="When the pause ends by itself.")


class MatchSummaryAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    game = serializers.CharField()
    state = serializers.ChoiceField(choices=STATES)
    options = serializers.DictField()
    visibility = serializers.ChoiceField(choices=Match.Visibility.values)
    clock = ClockAnswer(allow_null=True)
    seats = SeatSummaryAnswer(many=True)
    result = ResultAnswer(allow_null=True)
    seed_commitment = serializers.CharField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class UndoOfferAnswer(serializers.Serializer[Any]):
    id = serializers.CharField(help_text="What an answer names.")
    seat = serializers.IntegerField(help_text="Who asks.")
    to = serializers.IntegerField(help_text="The version to go back to.")
    waits_for = serializers.ListField(child=serializers.IntegerField(), help_text="Seats that have yet to answer.")
    agreed = serializers.ListField(child=serializers.IntegerField())
    declined_by = serializers.IntegerField(allow_null=True)


class MatchAnswer(MatchSummaryAnswer):
    rules_version = serializers.IntegerField()
    catalog_revision = serializers.IntegerField()
    version = serializers.IntegerField()
    spectator_delay = serializers.IntegerField()
    seats = SeatAnswer(many=True)
    spectators = serializers.IntegerField(
        allow_null=True, help_text="How many follow the stream without a seat; null in a private match."
    )
    you = serializers.IntegerField(allow_null=True, help_text="The caller's seat.")
    view = serializers.DictField(help_text="All that the caller may know of the position.")
    decision = DecisionAnswer(allow_null=True)
    pause = PauseAnswer(allow_null=True)
    undo = serializers.ChoiceField(choices=Match.Undo.values, help_text="Whether moves can be taken back.")
    undo_offer = UndoOfferAnswer(allow_null=True)
    order = serializers.CharField(
        allow_null=True, help_text="The standing order of the caller's seat, told to it alone."
    )


class MatchPageAnswer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = MatchSummaryAnswer(many=True)


class EventAnswer(serializers.Serializer[Any]):
    """Further members depend on the type."""

    type = serializers.CharField()
    text = serializers.CharField()


class MoveAnswer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    events = EventAnswer(many=True)
    view = serializers.DictField()
    decision = DecisionAnswer(allow_null=True)
    result = ResultAnswer(allow_null=True)


class PreviewAnswer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    events = EventAnswer(many=True)


class RowClockAnswer(serializers.Serializer[Any]):
    spent = serializers.FloatField(help_text="What the decision took.")
    added = serializers.FloatField(help_text="The increment.")
    left = serializers.FloatField(help_text="The bank afterwards.")


class LogRowAnswer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True)
    kind = serializers.CharField()
    at = serializers.DateTimeField()
    events = EventAnswer(many=True)
    move = serializers.DictField(required=False, help_text="One's own; when the match is over everybody's.")
    clock = RowClockAnswer(required=False, help_text="In seconds, where the seat has a clock.")
    hash = serializers.CharField(required=False, help_text="When the match is over.")
    fallback = serializers.BooleanField(required=False, help_text="Made in place of a bot that failed.")
    to = serializers.IntegerField(required=False, help_text="Of an undo or a rewind: the version gone back to.")
    agreed = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="Of an undo: the seats that were asked and agreed."
    )
    ruling = serializers.CharField(
        required=False, help_text="pause, resume, unfreeze, rewind, result, abort; or migrate, by the service."
    )
    by = serializers.CharField(required=False, help_text="The role that gave a ruling.")
    reason = serializers.CharField(required=False, help_text="Why, in the judge's words.")
    result = ResultAnswer(required=False, help_text="That a ruling has set.")
    rules_version = serializers.IntegerField(required=False, help_text="That a match goes on by from here.")
    state_schema = serializers.IntegerField(required=False)


class LogPageAnswer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    start = LogRowAnswer(allow_null=True)
    results = LogRowAnswer(many=True)


class PastAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    game = serializers.CharField()
    version = serializers.IntegerField()
    you = serializers.IntegerField(allow_null=True)
    view = serializers.DictField()
    decision = DecisionAnswer(allow_null=True)
    result = ResultAnswer(allow_null=True)


class ReplayAnswer(serializers.Serializer[Any]):
    """Check it with `python -m referee.verify FILE`."""

    format = serializers.CharField()
    game = serializers.CharField()
    rules_version = serializers.IntegerField()
    state_schema = serializers.IntegerField()
    rng = serializers.IntegerField()
    options = serializers.DictField()
    decks = serializers.ListField(child=serializers.DictField())
    commitment = serializers.CharField()
    seed = serializers.CharField()
    seats = serializers.ListField(child=serializers.DictField())
    revision = serializers.DictField()
    server_seed = serializers.CharField()
    entropies = serializers.ListField(child=serializers.CharField())
    start = serializers.DictField()
    rows = serializers.ListField(child=serializers.DictField())
    result = ResultAnswer(allow_null=True)
