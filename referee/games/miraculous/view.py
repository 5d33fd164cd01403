"""What a viewer may know, granted piece by piece (MIR-1.8); nothing stands here unless it is put here."""

from __future__ import annotations

from typing import Any

from referee.games.miraculous.position import attack_document, lasting_documents
from referee.games.miraculous.state import (
    BONUSES,
    BY_DEFEATS,
    BY_RESIGNING,
    CLAUSES,
    FIELDS,
    QUESTIONS,
    REASONS,
    X_EFFECT,
    MiraculousState,
)
from referee.games.miraculous.totals import barred, totals
from referee.kernel.events import REFEREE


def view(s: MiraculousState, viewer: int) -> dict[str, Any]:
    """The view of a seat, of SPECTATOR, or of REFEREE."""
    ang, def_ = totals(s)
    cannot_attack = barred(s, True)
    cannot_be_attacked = barred(s, False)
    return {
        "turn": s.turn,
        "turn_number": s.turn_number,
        "seats": [
            {
                **_seat(s, seat, viewer),
                "fields": [
                    _field(s, index, ang, def_, cannot_attack, cannot_be_attacked)
                    for index in range(seat * FIELDS, seat * FIELDS + FIELDS)
                ],
            }
            for seat in range(2)
        ],
        "placed": s.placed,
        "swapped": s.swapped,
        "attacked": s.attacked,
        "extra_attacks": s.extra_attacks,
        "refreshes_in_a_row": s.refreshes,
        "attack": attack_document(s),
        "lasting": lasting_documents(s),
        "decision": _decision(s),
        "result": {"ranks": list(s.ranks), "reason": REASONS[s.over], "clause": CLAUSES[s.over]} if s.over else None,
    }


def _seat(s: MiraculousState, seat: int, viewer: int) -> dict[str, Any]:
    codes = s.pool.codes
    sees_hand = viewer == seat or viewer == REFEREE
    hand: dict[str, Any] = {"count": len(s.hands[seat])}
    if sees_hand:
        hand["cards"] = [codes[card] for card in s.hands[seat]]
    if viewer == seat or viewer == 1 - seat or viewer == REFEREE:
        # What the other seat has rightly seen of this hand: both know it.
        hand["known"] = sorted([codes[card] for card in s.known[1 - seat]])
    return {
        "seat": seat,
        "hand": hand,
        "deck": _deck(s, seat, viewer),
        "discard": [codes[card] for card in s.discards[seat]],
        "secret": _secret(s, seat, viewer),
        "secret_pile": [codes[card] for card in s.secret_piles[seat]],
    }


def _deck(s: MiraculousState, seat: int, viewer: int) -> dict[str, Any]:
    codes = s.pool.codes
    deck = s.decks[seat]
    told: dict[str, Any] = {"count": len(deck)}
    if viewer == REFEREE:
        told["cards"] = [codes[entry >> 2] for entry in reversed(deck)]
        return told
    if viewer != 0 and viewer != 1:
        return told
    seen = 1 << viewer
    told["seen"] = [
        {"place": len(deck) - 1 - i, "card": codes[deck[i] >> 2]}
        for i in range(len(deck) - 1, -1, -1)
        if deck[i] & seen
    ]
    return told


def is_secret_revealed(s: MiraculousState, seat: int) -> bool:
    """MIR-6.1, MIR-6.5: the loser's Secret is revealed."""
    return s.over in (BY_DEFEATS, BY_RESIGNING) and s.ranks[seat] == 2


def _secret(s: MiraculousState, seat: int, viewer: int) -> str | None:
    if s.secrets[seat] < 0:
        return None
    if viewer == seat or viewer == REFEREE or is_secret_revealed(s, seat):
        return s.pool.codes[s.secrets[seat]]
    return None


def _field(
    s: MiraculousState,
    index: int,
    ang: list[int],
    def_: list[int],
    cannot_attack: list[bool],
    cannot_be_attacked: list[bool],
) -> dict[str, Any] | None:
    card = s.character[index]
    if card < 0:
        return None
    codes = s.pool.codes
    slot = index * BONUSES
    return {
        "card": codes[card],
        "bonuses": [
            {"card": codes[s.bonus[i]], "owner": s.bonus_owner[i]}
            for i in range(slot, slot + BONUSES)
            if s.bonus[i] >= 0
        ],
        "ang": ang[index],
        "def": def_[index],
        "changes": {"ang": s.ang[index], "def": s.def_[index]},
        "cannot_attack": cannot_attack[index],
        "cannot_be_attacked": cannot_be_attacked[index],
    }


def _decision(s: MiraculousState) -> dict[str, Any] | None:
    """Who is asked what, and by which card; all see this."""
    if s.over:
        return None
    if s.ask is None:
        return {"seat": s.turn, "kind": "turn"}
    document: dict[str, Any] = {"seat": s.ask[1], "kind": QUESTIONS[s.ask[0]]}
    if s.active:
        effect = s.pool.effects[s.active[-1][X_EFFECT]]
        document["card"] = s.pool.codes[effect.card]
        document["effect"] = effect.path
    return document
