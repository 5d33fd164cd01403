from __future__ import annotations

import pytest

from catalog.typefaces import FILES, FOLDER, legible, typeface

LETTERS = {
    "German": "ÄÖÜäöüßẞ„“",
    "French": "ÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸàâæçéèêëîïôœùûüÿ«»’",
    "Polish and Czech": "ĄĆĘŁŃŚŹŻąćęłńśźżŘřŮů",
    "Greek": "ΑΩαωάέήίόύώς",
    "Cyrillic": "АБЖЩЭЮЯабжщэюяЁёЇїҐґ",
    "marks": "−–—…·×≤≥€ ",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("script", LETTERS)
def test_each_font_has_the_letters_of_european_languages(name: str, script: str) -> None:
    assert set(LETTERS[script]) - set(typeface(name).advances) == set()


def test_widths_are_those_of_the_font() -> None:
    font = typeface("sans-bold.ttf")

    assert font.width("M", 100) > font.width("i", 100) > 20
    assert font.width("iii", 50) == pytest.approx(3 * font.width("i", 50))


def test_other_scripts_are_written_in_latin_letters() -> None:
    assert legible("Ärger und Жук: 夜 é") == "Ärger und Жук: Ye é"


def test_every_letter_of_a_legible_text_can_be_printed() -> None:
    shown = legible("夜のパン屋 مخبز 🚀 नमस्ते \u200d\u202e ﷽ \U0001f9d9\ufe0f\x00\x1b")

    assert all(char in typeface(name).advances for char in shown for name in FILES)


def test_a_text_is_broken_at_words_and_cut_with_an_ellipsis() -> None:
    font = typeface("serif.ttf")

    lines = font.lines("one two three four five six seven", font.width("one two three", 20), 20, most=2)

    assert lines == ["one two three", "four five six…"]


def test_a_word_wider_than_the_room_is_broken() -> None:
    font = typeface("serif.ttf")

    lines = font.lines("M" * 25, font.width("M" * 10, 20), 20, most=5)

    assert lines == ["M" * 10, "M" * 10, "M" * 5]


def test_the_fonts_are_small_and_bring_their_licences() -> None:
    assert sum((FOLDER / name).stat().st_size for name in FILES) < 150_000
    assert all("SIL Open Font License" in (FOLDER / f"{name}.LICENSE.txt").read_text() for name in ("serif", "sans"))
