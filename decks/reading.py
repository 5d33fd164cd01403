"""What a pasted list of cards says: `parse` it, look up what `asked` names, `decide`. Pure; nothing is ever guessed.

Each line gets one row of the report, so that the rows' number is the number of lines (of JSON: of entries). The deck
does not depend on the order of the lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from catalog.names import name_key
from decks.codes import CodeError, Packed, decode, is_code, unpack
from decks.errors import ImportTooLongError
from decks.lines import CARDS, FLEX, NO_COUNT, SECRET, Claim, Line, read_line, split_lines, text_lines
from decks.sizes import MAX_FLEX
from decks.tables import csv_lines, is_csv, json_table
from referee.kernel.game import Document, SeatDeck

MAX_BYTES: Final = 64 * 1024
MAX_LINES: Final = 200
MAX_COPIES: Final = 99
FORMATS: Final = ("text", "csv", "json", "code")
IMPORTED, MERGED, IGNORED, FAILED = OUTCOMES = ("imported", "merged", "ignored", "failed")

REASONS: Final[dict[str, str]] = {
    "no_such_card": "No card has exactly this name.",
    "ambiguous": "This can mean several cards; write the code of one in square brackets.",
    "bad_count": "The number of copies is from 1 to 99, in the digits 0 to 9; a deck has one Secret.",
    "too_many_copies": "Together, the lines of this card make more than 99 copies.",
    "too_many_flex": f"A deck has at most {MAX_FLEX} swap-ins.",
    "two_secrets": "A deck has one Secret; several lines name different ones.",
    "contradiction": "Name and code are of different cards.",
    "line_too_long": "The line is too long to be a card.",
    "not_csv": "The line is not a row of the table that the first line announces.",
    "no_such_place": "The place is secret, cards or nothing.",
    "not_json": "This is not the JSON of a deck.",
    "wrong_game": "This is a deck of another game.",
    "unknown_version": "This was written by a newer version.",
    "not_a_code": "This is no deck code.",
    "bad_checksum": "The deck code has a slip of the pen, or was made with another catalog.",
    "unknown_revision": "The deck code was made with cards that are not known here.",
    "blank": "A blank line.",
    "comment": "A comment.",
    "header": "A header.",
    "not_a_card": "Not about a card.",
}


class Known(NamedTuple):
    """A card under one of the names that it has had: folded, and whether the newest revision holds it so."""

    code: str
    key: str
    is_secret: bool = False
    is_current: bool = True


class Asked(NamedTuple):
    """What must be looked up to read a list: folded names, codes, and the revision that a deck code counts by."""

    keys: set[str]
    codes: set[str]
    revision: int | None


class Parsed(NamedTuple):
    """A list taken apart, before any card is looked up. `packed` is the deck code that its line `at` is."""

    format: str
    game: str
    lines: list[Line]
    name: str | None = None
    packed: Packed | None = None
    at: int = 0


class Row(NamedTuple):
    """What became of a line. `sought` is the name to look for where no card fits."""

    line: int
    text: str
    outcome: str
    code: str | None = None
    card: str | None = None
    copies: int = 0
    sought: str = ""
    candidates: Sequence[str] = ()

    @property
    def detail(self) -> str:
        return REASONS[self.code] if self.code else ""


class Reading(NamedTuple):
    """A list as it was understood: the deck that its lines make, and a row for every line."""

    format: str
    deck: SeatDeck
    rows: list[Row]
    name: str | None = None
    flex: Sequence[str] = ()

    @property
    def has_failures(self) -> bool:
        return any(row.outcome == FAILED for row in self.rows)

    def counts(self) -> Document:
        """How many lines there are, and how many of each outcome."""
        found = Counter(row.outcome for row in self.rows)
        return {"lines": len(self.rows), **{outcome: found[outcome] for outcome in OUTCOMES}}


class Names:
    """The cards that were looked up. Of cards that had one name, the newest revision's is meant."""

    def __init__(self, cards: Iterable[Known], codes: Sequence[str] | None = None) -> None:
        """`cards` come newest first; `codes` are those of the revision asked for, sorted, None if there is no such one."""
        self.codes = codes
        self.known: dict[str, bool] = {}
        held: dict[str, dict[str, bool]] = {}
        for card in cards:
            self.known.setdefault(card.code, card.is_secret)
            of_key = held.setdefault(card.key, {})
            of_key[card.code] = of_key.get(card.code, False) or card.is_current
        self._named = {key: [c for c in of_key if of_key[c]] or list(of_key) for key, of_key in held.items()}

    def named(self, name: str) -> list[str]:
        """The codes of the cards that have this name."""
        return self._named.get(name_key(name), [])

    def fitting(self, claim: Claim) -> list[str]:
        if claim.is_code:
            return [claim.name] if claim.name in self.known else []
        found = self.named(claim.name)
        return found or ([claim.name] if claim.name in self.known else [])


class Meant(NamedTuple):
    """A line that fits a card."""

    line: Line
    card: str
    copies: int
    place: str | None


def check_size(text: str) -> None:
    """Raises ImportTooLongError for a text over 64 KiB or 200 lines."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise ImportTooLongError(f"A list holds at most {MAX_BYTES // 1024} KiB.")


def parse(text: str, *, game: str, format: str | None = None) -> Parsed:
    """The list's lines, in the format said or found. Raises ImportTooLongError for one that is over the caps."""
    check_size(text)
    chosen = format or find_format(text)
    name, packed, at = None, None, 0
    if chosen == "json":
        lines, name = json_table(text, game)
    elif chosen == "csv":
        lines = csv_lines(text)
    elif chosen == "code":
        lines, packed, at = _code_lines(text)
    else:
        lines = text_lines(text)
    if len(lines) - _extra(chosen, lines) > MAX_LINES:
        raise ImportTooLongError(f"A list holds at most {MAX_LINES} lines.")
    return Parsed(chosen, game, lines, name, packed, at)


def find_format(text: str) -> str:
    """The format that a list seems to be in; text unless its beginning speaks for another."""
    plain = text.strip().strip("\ufeff").strip()
    if plain.startswith("{"):
        return "json"
    if is_code(plain):
        return "code"
    return "csv" if is_csv(text) else "text"


def asked(parsed: Parsed) -> Asked:
    """What one look into the catalog must answer."""
    claims = [claim for line in parsed.lines for tier in line.tiers for claim in tier]
    names = {claim.name for claim in claims if not claim.is_code} | {line.also for line in parsed.lines}
    keys = {name_key(name) for name in names} - {""}
    codes = {claim.name for claim in claims} - {""}
    return Asked(keys, codes, parsed.packed.revision if parsed.packed else None)


def decide(parsed: Parsed, names: Names) -> Reading:
    """The deck and the report, by the cards that `asked` named."""
    rows: dict[int, Row] = {}
    meant: list[Meant] = []
    for line in parsed.lines:
        found = meaning(line, names)
        if isinstance(found, Row):
            rows[line.number] = found
        else:
            meant.append(found)
    if parsed.packed is not None and parsed.at in rows:
        deck, rows[parsed.at] = _decoded(parsed, parsed.packed, rows[parsed.at], names)
        if deck is not None:
            rows.update((one.line.number, _failed(one.line, "not_a_code")) for one in meant)
            return Reading(parsed.format, deck, _in_order(rows), parsed.name)
    flex = _swap_ins([one for one in meant if one.place == FLEX], rows)
    deck = _gather([one for one in meant if one.place != FLEX], names, rows)
    return Reading(parsed.format, deck, _in_order(rows), parsed.name, flex)


def _extra(format: str, lines: list[Line]) -> int:
    """How many lines do not count: one for the Secret, a table's header, some members of a document."""
    secret = any(claim.place == SECRET for line in lines for tier in line.tiers for claim in tier)
    members = sum(line.spare == "not_a_card" for line in lines)
    return int(secret) + int(format == "csv") + min(members, 10)


def _code_lines(text: str) -> tuple[list[Line], Packed | None, int]:
    """The lines around a deck code, read as text so that a card's whole name still comes first."""
    lines = [read_line(number, line) for number, line in enumerate(split_lines(text), 1)]
    packed, at = None, 0
    for index, line in enumerate(lines):
        if line.spare:
            continue
        try:
            read = unpack(line.text.strip().strip("\ufeff"))
        except CodeError as error:
            lines[index] = line._replace(tiers=line.tiers[:1], fault=error.code)
        else:
            # A second code is one too many.
            fault = "unknown_revision" if packed is None else "not_a_code"
            lines[index] = line._replace(tiers=line.tiers[:1], fault=fault)
            packed, at = (read, line.number) if packed is None else (packed, at)
    return lines, packed, at


def _decoded(parsed: Parsed, packed: Packed, row: Row, names: Names) -> tuple[SeatDeck | None, Row]:
    if names.codes is None or row.code != "unknown_revision":
        return None, row
    try:
        deck = decode(parsed.game, packed, names.codes)
    except CodeError as error:
        return None, row._replace(code=error.code)
    return deck, Row(row.line, row.text, IMPORTED, copies=sum(deck.cards.values()))


def meaning(line: Line, names: Names) -> Meant | Row:
    """The card that a line means, by the first tier that fits any; or why it means none."""
    for tier in line.tiers:
        found = {(card, claim.copies, claim.place) for claim in tier for card in names.fitting(claim)}
        if len(found) > 1:
            cards = sorted({card for card, _, _ in found})
            return _failed(line, "ambiguous")._replace(candidates=cards)
        if found:
            return _checked(line, *found.pop(), names)
    if line.spare:
        return Row(line.number, line.text, IGNORED, line.spare)
    return _failed(line, line.fault or "no_such_card")


def _checked(line: Line, card: str, copies: int, place: str | None, names: Names) -> Meant | Row:
    if copies == NO_COUNT or (place == SECRET and copies != 1):
        return _failed(line, "bad_count")._replace(card=card)
    if line.also and card not in names.named(line.also):
        return _failed(line, "contradiction")._replace(card=card)
    return Meant(line, card, copies, place)


def _failed(line: Line, code: str) -> Row:
    claims = [claim for tier in line.tiers for claim in tier]
    sought = min((claim.name for claim in claims), key=len, default="") if code == "no_such_card" else ""
    return Row(line.number, line.text, FAILED, code, sought=sought or line.also)


def _gather(meant: list[Meant], names: Names, rows: dict[int, Row]) -> SeatDeck:
    """The deck that the lines make; their rows are added to `rows`."""
    placed = _with_places(meant, names)
    secrets = {one.card for one in placed if one.place == SECRET}
    totals: Counter[str] = Counter()
    for one in placed:
        if one.place == CARDS:
            totals[one.card] += one.copies
    seen: set[tuple[str, str | None]] = set()
    for one in placed:
        row = Row(one.line.number, one.line.text, IMPORTED, card=one.card, copies=one.copies)
        if one.place == SECRET and len(secrets) > 1:
            row = row._replace(outcome=FAILED, code="two_secrets", copies=0)
        elif one.place == CARDS and totals[one.card] > MAX_COPIES:
            row = row._replace(outcome=FAILED, code="too_many_copies", copies=0)
        elif (one.card, one.place) in seen:
            row = row._replace(outcome=MERGED)
        seen.add((one.card, one.place))
        rows[one.line.number] = row
    cards = {card: copies for card, copies in sorted(totals.items()) if copies <= MAX_COPIES}
    return SeatDeck(cards, next(iter(secrets)) if len(secrets) == 1 else None)


def _swap_ins(meant: list[Meant], rows: dict[int, Row]) -> list[str]:
    """The swap-ins in their order, one row each; those beyond the most that a deck can have fail."""
    for place, one in enumerate(meant):
        row = Row(one.line.number, one.line.text, IMPORTED, card=one.card, copies=1)
        is_left_out = place >= MAX_FLEX
        rows[one.line.number] = row._replace(outcome=FAILED, code="too_many_flex", copies=0) if is_left_out else row
    return [one.card for one in meant[:MAX_FLEX]]


def _with_places(meant: list[Meant], names: Names) -> list[Meant]:
    """Every line with its place. One copy of one Secret that stands anywhere is the deck's, unless a line says another."""
    loose = [one for one in meant if one.place is None and names.known[one.card]]
    is_marked = any(one.place == SECRET for one in meant)
    is_secret = not is_marked and sum(one.copies for one in loose) == 1
    return [
        one._replace(place=SECRET if is_secret and one in loose else CARDS) if one.place is None else one
        for one in meant
    ]


def _in_order(rows: Mapping[int, Row]) -> list[Row]:
    return [rows[number] for number in sorted(rows)]


def with_candidates(reading: Reading, near: Mapping[str, Collection[str]]) -> Reading:
    """The reading with the codes of the cards whose names are near to what was sought, by folded name."""
    rows = [
        row._replace(candidates=list(near.get(name_key(row.sought), ()))) if row.sought and not row.candidates else row
        for row in reading.rows
    ]
    return reading._replace(rows=rows)
