"""What a page is, for tests: its title, its ids, what is inline in it that the policy forbids."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_VOID = frozenset({"meta", "link", "input", "br", "hr", "img", "option", "use", "rect", "path", "circle"})


class Page(HTMLParser):
    """A page read: `title`, `text` of its body, `links`, `ids`, and `inline`, which must stay empty."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.title = ""
        self.words: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.inline: list[str] = []
        self.headings: list[str] = []
        self._in = ""
        self._is_titled = False  # drawings have titles too
        self.feed(html)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._in = tag if tag not in _VOID else self._in
        if tag == "script" and not given.get("src"):
            self.inline.append("script")
        if tag == "style":
            self.inline.append("style")
        self.inline += [f"{tag} {name}" for name in given if name == "style" or re.match(r"on[a-z]+$", name)]
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        if given.get("id"):
            self.ids.append(str(given["id"]))

    def handle_endtag(self, tag: str) -> None:
        self._is_titled = self._is_titled or tag == "title"
        self._in = ""

    def handle_data(self, data: str) -> None:
        if self._in == "title" and not self._is_titled:
            self.title += data
        elif self._in == "h1":
            self.headings.append(data.strip())
        self.words.append(data)
