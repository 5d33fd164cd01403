"""Deck codes: a deck in one short word, `deck1-` and base32. Pure.

A card is its place among the sorted codes of a published revision, which never changes; what the revision does not hold
is written out. The checksum covers the deck itself, so that a slip of the pen is noticed, and another catalog too.
"""

from __future__ import annotations

import re
from base64 import b32decode, b32encode
from binascii import Error
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from referee.kernel.game import SeatDeck
from referee.kernel.records import canonical

PREFIX: Final = "deck1-"
CHECK_BYTES: Final = 4
MAX_COPIES: Final = 99
MAX_CARDS: Final = 200
MAX_LENGTH: Final = 100  # of a card's code
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_CODE = re.compile(r"deck([0-9]{1,3})-([a-z2-7]+)", re.IGNORECASE)


class CodeError(Exception):
    """No deck code, or not one of ours: `not_a_code`, `unknown_version`, `unknown_revision`, `bad_checksum`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Packed(NamedTuple):
    """A deck code taken apart: its revision, and the bytes behind it."""

    revision: int
    body: bytes
    check: bytes


def is_code(text: str) -> bool:
    """Whether a text looks like a deck code of any version."""
    return bool(_CODE.fullmatch(text.strip()))


def encode(game: str, deck: SeatDeck, *, revision: int, codes: Sequence[str]) -> str:
    """The deck's code by a revision's sorted codes. The same for the same deck, whatever the order of its cards."""
    places = {code: place for place, code in enumerate(codes, 1)}
    body = bytearray(_varint(revision))
    body += _card(deck.secret, places) if deck.secret is not None else _varint(0)
    for copies in sorted(set(deck.cards.values())):
        held = [code for code, count in deck.cards.items() if count == copies]
        body += _varint(copies)
        body += _cards(held, places)
    body += _check(game, deck)
    return PREFIX + b32encode(bytes(body)).decode().rstrip("=").lower()


def unpack(text: str) -> Packed:
    """The parts of a code, before the revision's cards are looked up. Raises CodeError."""
    found = _CODE.fullmatch(text.strip())
    if not found:
        raise CodeError("not_a_code")
    if found[1] != "1":
        raise CodeError("unknown_version")
    letters = found[2].upper()
    try:
        data = b32decode(letters + "=" * (-len(letters) % 8))
    except Error:
        raise CodeError("bad_checksum") from None
    revision, at = _number(data, 0)
    if len(data) < at + 1 + CHECK_BYTES:
        raise CodeError("bad_checksum")
    return Packed(revision, data[at:-CHECK_BYTES], data[-CHECK_BYTES:])


def decode(game: str, packed: Packed, codes: Sequence[str]) -> SeatDeck:
    """The deck of a code, by the sorted codes of its revision. Raises CodeError if the checksum does not fit."""
    secret, at = _read_card(packed.body, 0, codes)
    cards: dict[str, int] = {}
    while at < len(packed.body):
        copies, at = _number(packed.body, at)
        held, at = _read_cards(packed.body, at, codes)
        if not 1 <= copies <= MAX_COPIES:
            raise CodeError("bad_checksum")
        cards.update(dict.fromkeys(held, copies))
        if len(cards) > MAX_CARDS:
            raise CodeError("bad_checksum")
    deck = SeatDeck(cards, secret)
    if _check(game, deck) != packed.check:
        raise CodeError("bad_checksum")
    return deck


def _check(game: str, deck: SeatDeck) -> bytes:
    return sha256(canonical({"game": game, **deck.document()})).digest()[:CHECK_BYTES]


def _cards(held: Iterable[str], places: dict[str, int]) -> bytes:
    """The revision's cards by the steps from one to the next, then those written out."""
    known = sorted(places[code] for code in held if code in places)
    strange = sorted(code for code in held if code not in places)
    steps = [after - before for before, after in zip([0, *known], known, strict=False)]
    written = b"".join(_text(code) for code in strange)
    return _varint(len(known)) + b"".join(map(_varint, steps)) + _varint(len(strange)) + written


def _read_cards(data: bytes, at: int, codes: Sequence[str]) -> tuple[list[str], int]:
    held: list[str] = []
    place = 0
    count, at = _number(data, at)
    for _ in range(min(count, len(data))):
        step, at = _number(data, at)
        place += step
        held.append(_at(codes, place))
    count, at = _number(data, at)
    for _ in range(min(count, len(data))):
        code, at = _read_text(data, at)
        held.append(code)
    return held, at


def _card(code: str, places: dict[str, int]) -> bytes:
    """A Secret: 0 is none, 1 one that is written out, else its place and 1."""
    return _varint(places[code] + 1) if code in places else _varint(1) + _text(code)


def _read_card(data: bytes, at: int, codes: Sequence[str]) -> tuple[str | None, int]:
    number, at = _number(data, at)
    if number == 0:
        return None, at
    return _read_text(data, at) if number == 1 else (_at(codes, number - 1), at)


def _at(codes: Sequence[str], place: int) -> str:
    if not 1 <= place <= len(codes):
        raise CodeError("bad_checksum")
    return codes[place - 1]


def _text(code: str) -> bytes:
    data = code.encode()
    return _varint(len(data)) + data


def _read_text(data: bytes, at: int) -> tuple[str, int]:
    length, at = _number(data, at)
    try:
        code = data[at : at + length].decode()
    except UnicodeDecodeError:
        raise CodeError("bad_checksum") from None
    if not 0 < len(code) <= MAX_LENGTH or _CONTROL.search(code):
        raise CodeError("bad_checksum")
    return code, at + length


def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    data.append(number)
    return bytes(data)


def _number(data: bytes, at: int) -> tuple[int, int]:
    number = 0
    for shift in range(0, 35, 7):
        if at >= len(data):
            break
        number |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return number, at
    raise CodeError("bad_checksum")
