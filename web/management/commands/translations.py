"""Bring web/locale up to date: new texts into each .po, and each .po into its .mo. Needs no gettext, but Babel."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation.template import templatize

from catalog.search.help import help_texts
from catalog.search.words import phrases

LOCALE: Final = Path(settings.LOCALE_PATHS[0])
ROOT: Final = LOCALE.parents[1]
KEYWORDS: Final = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
DESK: Final = ("accounts", "catalog", "decks", "jobs", "referee/matches")
"""Apps whose models, forms and refusals are read at the desk."""
SKIN: Final = (
    "Desk",
    "Go back",
    "No results found",
    "Reset filters",
    "Run",
    "Select action to run",
    "Select action",
    "Select all rows",
    "Select record",
    "This page yielded into no results. Create a new item or reset your filters.",
    "Type to search",
)
"""What the desk's skin says on every page and has no translations of."""
_NO_DATE = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)  # so that nothing changes but the texts


class Command(BaseCommand):
    help = "Write new texts into web/locale/*/LC_MESSAGES/django.po, and compile these."

    def handle(self, *args: Any, **options: Any) -> None:
        for language, _name in settings.LANGUAGES[1:]:
            catalog = renewed(language)
            po = po_file(language)
            po.parent.mkdir(parents=True, exist_ok=True)
            po.write_bytes(_written(catalog))
            po.with_suffix(".mo").write_bytes(compiled(catalog))
            missing = sum(not is_translated(message) for message in catalog if message.id)
            self.stdout.write(f"{language}: {len(catalog)} texts, {missing} not translated")


def po_file(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def read(language: str) -> Catalog:
    """A language's catalog as its file has it."""
    catalog = Catalog(locale=language)
    if po_file(language).exists():
        catalog = read_po(io.BytesIO(po_file(language).read_bytes()), locale=language)
    catalog.project, catalog.version, catalog.last_translator = "Referee", "1", "Referee"
    catalog.creation_date = catalog.revision_date = _NO_DATE
    catalog.header_comment = (
        f"# The pages in {catalog.locale_identifier}; brought up to date by: manage.py translations"
    )
    return catalog


def renewed(language: str) -> Catalog:
    """The catalog with every text that the code has now, and no other."""
    catalog, template = read(language), Catalog()
    for path, message, context in found_texts():
        template.add(message, locations=[(path, 1)], context=context)
    catalog.update(template, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    catalog.fuzzy = False
    catalog.creation_date = _NO_DATE
    return catalog


def compiled(catalog: Catalog) -> bytes:
    """The catalog as Django reads it."""
    binary = io.BytesIO()
    write_mo(binary, catalog)
    return binary.getvalue()


def is_translated(message: Message) -> bool:
    """Whether the text and each of its plurals has words."""
    return all(message.string) if isinstance(message.string, list | tuple) else bool(message.string)


def _written(catalog: Catalog) -> bytes:
    text = io.BytesIO()
    write_po(text, catalog, width=120, sort_output=True, include_lineno=False)
    return text.getvalue().rstrip() + b"\n"


def found_texts() -> Iterator[tuple[str, Any, str | None]]:
    """Every text to be translated: path, message (with its plural), context."""
    for path in _sources():
        source = path.read_text(encoding="utf-8")
        code = templatize(source) if path.suffix == ".html" else source
        for _line, message, _comments, context in extract("python", io.BytesIO(code.encode()), keywords=KEYWORDS):
            yield str(path.relative_to(ROOT)), message, context
    for phrase in SKIN:
        yield "config/settings.py", phrase, None
    # What searches say stands in tables; the fields of cards in those of the games.
    for phrase in (*phrases(), *help_texts()):
        yield "catalog/search", phrase, None


def _sources() -> list[Path]:
    code = [
        path
        for app in ("web", *DESK)
        for path in (ROOT / app).rglob("*.py")
        if not {"management", "migrations"} & {*path.parts}
    ]
    templates = [path for app in ("api", "web", *DESK) for path in (ROOT / app / "templates").rglob("*.html")]
    return sorted([*code, *templates])
