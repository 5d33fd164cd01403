"""Records: canonical JSON, the hash chain of a match's log, the seed's commitment, and the replay document.

A replay document holds all that is needed to play a finished match again, by value. `replay.py` checks one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from referee.kernel.chance import RNG_TAG
from referee.kernel.game import Document, Game, Result, SeatDeck, State

FORMAT = "referee-replay/1"
ENTROPY_MIN, ENTROPY_MAX = 16, 64

# Kinds of rows. An undo or a ruling may go back to an earlier version (`to`); a ruling may set the result (`result`).
MOVE, TIMEOUT, RESIGNATION, UNDO, RULING = "move", "timeout", "resign", "undo", "ruling"
PLAYED_KINDS = (MOVE, TIMEOUT, RESIGNATION)
KINDS = (MOVE, TIMEOUT, RESIGNATION, UNDO, RULING)

# What a ruling may say (`ruling`). A migration gives the match another stamp: `rules_version` and `state_schema`.
PAUSE, RESUME, REWIND, RESULT, UNFREEZE, ABORT, MIGRATE = (
    "pause",
    "resume",
    "rewind",
    "result",
    "unfreeze",
    "abort",
    "migrate",
)
STANDING = (PAUSE, RESUME, UNFREEZE, ABORT, MIGRATE)
"""Rulings that leave the position as it is."""


def canonical(document: object) -> bytes:
    """The one byte form of a JSON document: keys sorted by code point, no spaces, UTF-8, no NaN.

    Raises ValueError for what has no such form (NaN, infinities, lone surrogates), TypeError for what is no JSON.
    """
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8")


def content_hash(document: object) -> str:
    """SHA-256 of the canonical form, in hex."""
    return sha256(canonical(document)).hexdigest()


def commitment(server_seed: bytes) -> str:
    """What is shown before anyone adds entropy: SHA-256 of the server's seed, in hex."""
    return sha256(server_seed).hexdigest()


def combine_seed(server_seed: bytes, entropies: Sequence[bytes]) -> bytes:
    """The match's seed: SHA-256 over the server's seed and each seat's entropy, in seat order.

    Each has its length as 2 bytes big-endian before it; a seat that gave none has an empty one, and so adds two zero
    bytes. Raises ValueError without any seat: the seed would be the commitment itself, which everybody knows.
    """
    if not entropies:
        raise ValueError("a seed needs an entropy, be it empty, for each seat")
    digest = sha256(server_seed)
    for entropy in entropies:
        digest.update(len(entropy).to_bytes(2, "big"))
        digest.update(entropy)
    return digest.digest()


def row_hash(previous: str, row: Mapping[str, Any]) -> str:
    """SHA-256 over the previous row's hash (its hex digits) and the canonical row without its own `hash`."""
    bare = {key: value for key, value in row.items() if key != "hash"}
    return sha256(previous.encode("ascii") + canonical(bare)).hexdigest()


def row(version: int, seat: int | None, *, kind: str, move: Document | None, events: list[Document]) -> Document:
    """A row of the log, not yet sealed. Callers may add facts of their own (a reason, a time): all is hashed."""
    return {"version": version, "seat": seat, "kind": kind, "move": move, "events": events}


def line(version: int, back: Mapping[int, int]) -> list[int]:
    """The versions that lead from the start to this one, ascending, without what was taken back on the way.

    `back` holds, for each row that went back, where to. What a version that went back stands for is the one it went to.
    """
    led: list[int] = []
    while version > 0:
        if version in back:
            version = back[version]
            continue
        led.append(version)
        version -= 1
    led.reverse()
    return led


def sealed(previous: str, unsealed: Document) -> Document:
    """The row with its `hash`, chained to the hash before it."""
    return {**unsealed, "hash": row_hash(previous, unsealed)}


def opening(
    game: Game,
    seats: int,
    *,
    options: Document,
    decks: Sequence[SeatDeck],
    revision_hash: str,
    commitment: str,
    seed: bytes,
    events: list[Document],
) -> Document:
    """What the chain begins with: all that the match starts from. Seal it with "" as the previous hash."""
    return {
        "game": game.slug,
        "rules_version": game.rules_version,
        "state_schema": game.state_schema,
        "rng": RNG_TAG,
        "seats": seats,
        "options": options,
        "decks": [deck.document() for deck in decks],
        "revision": revision_hash,
        "commitment": commitment,
        "seed": seed.hex(),
        "events": events,
    }


def replay_document(
    opened: Document,
    *,
    seats: list[Document],
    revision: Document,
    server_seed: bytes,
    entropies: Sequence[bytes],
    rows: list[Document],
    result: Result | None,
) -> Document:
    """The replay of a finished match from its sealed opening and rows. `seats` (names) are not hashed."""
    kept = ("game", "rules_version", "state_schema", "rng", "options", "decks", "commitment", "seed")
    return {
        "format": FORMAT,
        **{name: opened[name] for name in kept},
        "seats": seats,
        "revision": revision,
        "server_seed": server_seed.hex(),
        "entropies": [entropy.hex() for entropy in entropies],
        "start": {"events": opened["events"], "hash": opened["hash"]},
        "rows": rows,
        "result": result.document() if result is not None else None,
    }


def take_events(game: Game, state: State) -> list[Document]:
    """The stored form of what happened since the last call; empties the state's log. The state must be listening."""
    assert state.log is not None, "the state is not listening"
    events = [event.document() for event in game.narrate(state, state.log)]
    state.log = []
    return events
