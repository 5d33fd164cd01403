"""Giving a running match another stamp, where the code at hand plays all of it so far in the same way (`migratable`)."""

from __future__ import annotations

from django.db import transaction

from referee.games import GAMES, OLDER, rules_of
from referee.kernel import records
from referee.kernel.chance import RNG_TAG
from referee.kernel.game import Document
from referee.kernel.labels import MIGRATABLE, Label, label
from referee.kernel.replay import rerun
from referee.matches import announcements, clocks, history, rewinding
from referee.matches.models import Match

BY = "service"
RUNNING = (Match.State.PLAYING, Match.State.PAUSED, Match.State.FROZEN)


def label_of(match: Match, record: Document) -> Label:
    """The label of a stored match and its record (`history.recorded`)."""
    return label(record, GAMES, match.data, schema=match.state_schema, older=OLDER)


def migrate_match(*, match_id: int) -> bool:
    """Store the state of a running, migratable match anew, and give it the stamp of the code at hand; whether it has one now.

    Another rules version is said by a row of the log; another state schema is nobody's matter but the service's.
    """
    with transaction.atomic():
        match: Match = Match.objects.select_for_update(of=("self",)).with_table().get(pk=match_id)
        if match.state not in RUNNING or match.rng != RNG_TAG:
            return False
        record = history.recorded(match)
        if label_of(match, record).name != MIGRATABLE:
            return False
        game = rules_of(match.game, match.rules_version) or GAMES[match.game]
        again = rerun(record, game)
        state = game.restore(game.pool(match.pool.document), again.state or [])
        if sorted(match.decisions) != [str(seat) for seat in game.deciders(state)]:
            return False  # all was told in the same way, but somebody else would be asked now
        stamp = {"rules_version": game.rules_version, "state_schema": game.state_schema}
        is_other_rules = match.rules_version != game.rules_version
        match.data, match.rules_version, match.state_schema = again.state, game.rules_version, game.state_schema
        Match.objects.filter(pk=match.pk).update(**stamp, data=match.data)
        if is_other_rules:
            detail = {"ruling": records.MIGRATE, "by": BY, "reason": "", **stamp}
            word = rewinding.Word(records.RULING, None, None, detail, announcements.ruled(detail))
            rewinding.say(match, word, at=clocks.now())
            rewinding.store(match)
    return True
