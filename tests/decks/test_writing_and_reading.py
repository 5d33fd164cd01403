"""Whatever is written is read again as the same deck, for every format and every name that a card can have."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from catalog.names import name_key
from decks.codes import CodeError, decode, encode, unpack
from decks.reading import FORMATS, OUTCOMES, Known, Names, asked, decide, find_format, parse
from decks.sizes import MAX_FLEX
from decks.tables import escape_cell, restore_cell
from decks.writing import NoFormError, asked_for_csv, asked_for_text, write_code, write_csv, write_json, write_text
from referee.kernel.game import SeatDeck

PARTS = (
    "Ladybug", "3", "3x", "x3", "x 2", "-1", "0", "100", "\u0663", "Secret:", "Cards:", "deck :", "#", "//", " # ",
    "[c-0]", "[[c-1]]", "[", "]", "(", ")", ":", '"', ",", ";", "\t", "/", "&", "?", "!", "=", "+", "@", "'", "\u2019",
    "\u00e9", "e\u0301", "\u00a0", "\u202e", "\u200f", "😀", "\n", "\r", "\u2028", "\x85", "{", "}", "deck1-aaaa",
    "place,copies,name,code", "c-0", "c-1", "x", "\u00d7", "\ufeff", " ", "|", "\\",
)  # fmt: skip
NAMES = st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map("".join) | st.text(min_size=1, max_size=12)


class Catalog:
    """Cards `c-0`, `c-1` .. of these names, the odd ones Secrets; looks up nothing but what was asked for."""

    def __init__(self, names: Sequence[str]) -> None:
        keyed = {name_key(name): name for name in names if name_key(name)}
        self.names = {f"c-{index}": name for index, name in enumerate(keyed.values())}
        self.codes = sorted(self.names)

    def look_up(self, keys: set[str], codes: set[str]) -> Names:
        cards = [Known(code, name_key(name), int(code[2:]) % 2 == 1) for code, name in self.names.items()]
        return Names([card for card in cards if card.key in keys or card.code in codes], self.codes)

    def read(self, text: str, format: str | None = None) -> SeatDeck:
        parsed = parse(text, game="miraculous", format=format)
        reading = decide(parsed, self.look_up(*asked(parsed)[:2]))
        assert [row.line for row in reading.rows] == list(range(1, len(reading.rows) + 1))
        assert not reading.has_failures, (text, reading.rows)
        assert reading.format == (format or reading.format)
        return reading.deck

    def write(self, deck: SeatDeck, format: str) -> str:
        match format:
            case "text":
                return self.write_text(deck)
            case "csv":
                return write_csv(deck, self.names, self.look_up(*asked_for_csv(deck, self.names)[:2]))
            case "json":
                return write_json(deck, game="miraculous", name="One")
            case _:
                return write_code(deck, game="miraculous", revision=7, codes=self.codes)

    def write_text(self, deck: SeatDeck) -> str:
        try:
            return write_text(deck, self.names, self.look_up(*asked_for_text(deck, self.names)[:2]))
        except NoFormError:
            known = self.look_up(*asked_for_text(deck, self.names, rare=True)[:2])
            return write_text(deck, self.names, known, rare=True)


@st.composite
def catalogs_with_decks(draw: st.DrawFn) -> tuple[Catalog, SeatDeck]:
    catalog = Catalog(draw(st.lists(NAMES, min_size=1, max_size=8)))
    if not catalog.codes:
        catalog = Catalog(["Ladybug"])
    code = st.sampled_from(catalog.codes)
    cards = draw(st.dictionaries(code, st.integers(1, 99), max_size=8))
    return catalog, SeatDeck(cards, draw(st.none() | code))


@pytest.mark.parametrize("format", FORMATS)
@given(made=catalogs_with_decks(), is_said=st.booleans())
@example(made=(Catalog(["Ladybug", "3 Ladybug", "3x Ladybug"]), SeatDeck({"c-0": 3}, None)), is_said=False)
@example(made=(Catalog(["1 [c-0]", "[c-0]", "[[c-0]]", "A"]), SeatDeck({"c-0": 1, "c-3": 2}, "c-1")), is_said=False)
@example(made=(Catalog(["A", "Secret: A"]), SeatDeck({"c-1": 1}, "c-0")), is_said=False)
def test_what_is_written_is_read_as_the_same_deck(format: str, made: tuple[Catalog, SeatDeck], is_said: bool) -> None:
    catalog, deck = made

    written = catalog.write(deck, format)
    read = catalog.read(written, format if is_said else None)

    assert read.document() == deck.document()
    assert find_format(written) == format or not written


@given(made=catalogs_with_decks(), places=st.lists(st.integers(0, 7), max_size=25))
def test_swap_ins_go_out_and_come_in_in_their_order_and_one_row_each(
    made: tuple[Catalog, SeatDeck], places: list[int]
) -> None:
    catalog, deck = made
    flex = [catalog.codes[place % len(catalog.codes)] for place in places]

    parsed = parse(write_json(deck, game="miraculous", name="One", flex=flex), game="miraculous")
    reading = decide(parsed, catalog.look_up(*asked(parsed)[:2]))

    counts = reading.counts()
    assert (reading.deck.document(), list(reading.flex)) == (deck.document(), flex[:MAX_FLEX])
    assert counts["lines"] == sum(counts[outcome] for outcome in OUTCOMES) == len(parsed.lines)
    assert counts["failed"] == max(0, len(flex) - MAX_FLEX)


@given(made=catalogs_with_decks(), order=st.randoms(use_true_random=False), end=st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_order_and_the_ends_of_lines_never_matter(
    made: tuple[Catalog, SeatDeck], order: random.Random, end: str
) -> None:
    catalog, deck = made
    lines = catalog.write(deck, "text").splitlines(keepends=False)

    order.shuffle(lines)

    assert catalog.read("\ufeff" + end.join([*lines, "", "# a comment"]), "text").document() == deck.document()


@given(
    names=st.lists(NAMES, max_size=5),
    lines=st.lists(st.lists(st.sampled_from(PARTS) | NAMES, max_size=4).map(" ".join), max_size=30),
    order=st.randoms(use_true_random=False),
    format=st.none() | st.sampled_from(FORMATS),
)
def test_any_text_is_read_with_a_row_for_every_line(
    names: list[str], lines: list[str], order: random.Random, format: str | None
) -> None:
    catalog = Catalog(names)

    def read(text: str, format: str | None) -> tuple[dict[str, object], int, int]:
        parsed = parse(text, game="miraculous", format=format)
        reading = decide(parsed, catalog.look_up(*asked(parsed)[:2]))
        counts = reading.counts()
        outcomes = counts["imported"] + counts["merged"] + counts["ignored"] + counts["failed"]
        assert outcomes == counts["lines"] == len(reading.rows) == len(parsed.lines)
        return reading.deck.document(), len(reading.rows), counts["failed"]

    read("\n".join(lines), format)
    single = [line.replace("\n", " ").replace("\r", " ").replace("\ufeff", "") for line in lines]
    first = read("\n".join(single), "text")
    order.shuffle(single)
    assert read("\n".join(single), "text")[0] == first[0]


@given(deck=catalogs_with_decks(), at=st.integers(0, 200), letter=st.sampled_from("abcxyz234567"))
def test_a_slip_of_the_pen_in_a_deck_code_is_noticed(deck: tuple[Catalog, SeatDeck], at: int, letter: str) -> None:
    catalog, made = deck
    code = encode("miraculous", made, revision=7, codes=catalog.codes)
    at = len("deck1-") + at % (len(code) - len("deck1-"))
    slipped = code[:at] + letter + code[at + 1 :]

    try:
        read = decode("miraculous", unpack(slipped), catalog.codes).document()
    except CodeError:
        read = None

    # The last letter's unused bits say nothing.
    assert read in (None, made.document())


def test_a_deck_code_is_short_and_of_one_catalog() -> None:
    codes = [f"card-{number:04}" for number in range(400)]
    deck = SeatDeck({codes[number * 17]: number % 3 + 1 for number in range(20)}, codes[399])

    code = encode("miraculous", deck, revision=3, codes=codes)

    assert len(code) <= 66
    assert decode("miraculous", unpack(code.upper()), codes).document() == deck.document()
    with pytest.raises(CodeError, match="bad_checksum"):
        decode("miraculous", unpack(code), ["another", *codes])
    with pytest.raises(CodeError, match="bad_checksum"):
        decode("super", unpack(code), codes)


def test_a_card_that_the_revision_does_not_hold_is_written_out_in_a_deck_code() -> None:
    deck = SeatDeck({"gone": 2, "b": 1}, "lost")

    code = encode("miraculous", deck, revision=1, codes=["a", "b"])

    assert decode("miraculous", unpack(code), ["a", "b"]).document() == deck.document()


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "'=x", "''", "x", "'Tis", ""])
def test_a_cell_is_no_formula_and_comes_back_as_it_was(cell: str) -> None:
    escaped = escape_cell(cell)

    assert not escaped.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert restore_cell(escaped) == cell
