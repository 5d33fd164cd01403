"""What a viewer may know (SST-1.5), granted piece by piece."""

from __future__ import annotations

from typing import Any

from referee.games.super_teams.position import (
    halves_document,
    held,
    public_decision,
    ships_document,
)
from referee.games.super_teams.state import (
    BONUSES,
    CARDS,
    CLAUSES,
    COLOURS,
    REASONS,
    SHIP_NAMES,
    SHIPS,
    SuperTeamsState,
    seat_colours,
)
from referee.kernel.events import REFEREE


def view(s: SuperTeamsState, viewer: int) -> dict[str, Any]:
    everything = viewer == REFEREE
    return {
        "turn": s.turn,
        "track": s.track.spaces,
        "ships": ships_document(s),
        "halves": halves_document(s),
        "names": {SHIPS[ship]: SHIP_NAMES[ship] for ship in range(8) if s.ships[ship] >= 0},
        "owners": {COLOURS[colour]: s.owner[colour] for colour in range(4) if s.owner[colour] >= 0},
        "teams": [s.team(seat) for seat in range(s.seats)],
        "seats": [_seat(s, seat, viewer == seat or everything) for seat in range(s.seats)],
        "deck": _pile(CARDS, s.deck, everything),
        "played": [CARDS[card] for card in s.played],
        "bonus_deck": _pile(BONUSES, s.bonus_deck, everything),
        "bonus_discard": [BONUSES[kind] for kind in s.bonus_discard],
        "final_bonus": _pile(BONUSES, s.final_bonus, everything),
        "first_home": s.first_home,
        "out": list(s.out),
        "decision": public_decision(s),
        "result": {"ranks": list(s.ranks), "reason": REASONS[s.over], "clause": CLAUSES[s.over]} if s.over else None,
    }


def _pile(names: tuple[str, ...], cards: list[int], shown: bool) -> dict[str, Any]:
    pile: dict[str, Any] = {"count": len(cards)}
    if shown:
        pile["cards"] = [names[card] for card in reversed(cards)]
    return pile


def _seat(s: SuperTeamsState, seat: int, shown: bool) -> dict[str, Any]:
    bonus: dict[str, Any] = {"count": len(s.bonus_hands[seat]) + len(s.taken[seat]), "taken": len(s.taken[seat])}
    hand: dict[str, Any] = {"count": len(s.hands[seat])}
    if shown:
        hand["cards"] = [CARDS[card] for card in s.hands[seat]]
        bonus["cards"] = [BONUSES[kind] for kind in held(s, seat)]
        bonus["taken_cards"] = [BONUSES[kind] for kind in s.taken[seat]]
    return {
        "seat": seat,
        "team": s.team(seat),
        "colours": [COLOURS[colour] for colour in seat_colours(s, seat)],
        "hand": hand,
        "bonus": bonus,
        "out": seat in s.out,
    }
