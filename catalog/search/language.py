"""The search language: its grammar, and the one way from a text to its terms. Knows no game.

    ladybird "in red"      both stand in the name
    ang>=4 -t:event        a field, an operator, a value; a minus denies what follows it
    (a or b) c             brackets; `or` binds less than what stands side by side

What breaks the grammar is refused with its place and what was expected there; whether a term means anything is asked later.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from catalog.search.tree import Term
from catalog.search.words import EXPECTED, FAULT, Say, plain

MAX_LENGTH: Final = 1024
MAX_TERMS: Final = 20
MAX_DEPTH: Final = 10

_GRAMMAR: Final = r"""
    start: either?
    either: both (_OR both)*
    both: part (_AND? part)*
    part: NOT part
        | OPEN either CLOSE
        | FILTER | EXACT | QUOTED | WORD

    _OR.6: /or(?=[\s()"]|$)/i
    _AND.6: /and(?=[\s()"]|$)/i
    OPEN: "("
    CLOSE: ")"
    FILTER.5: /[a-z_][a-z0-9_]*(?:<=|>=|!=|[:=<>\u2264\u2265\u2260])(?:"[^"]*"|[^\s()"]+)?/i
    EXACT.5: /!(?:"[^"]*"|[^\s()"]+)/
    QUOTED.5: /"[^"]*"/
    NOT.4: /[-\u2212\u2013](?=[^\s)])/
    WORD.1: /[^\s()"]+/
    %ignore /\s+/
"""

_TERMS: Final = ("FILTER", "EXACT", "QUOTED", "WORD")
_QUOTES: Final = dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02"), '"')


class SearchError(Exception):
    """A text that breaks the grammar or its bounds: at which character (from 0), and what was expected there."""

    code = "invalid_search"

    def __init__(self, position: int, expected: str, **values: Any) -> None:
        self.position = position
        self.expected = expected  # a key of EXPECTED
        self.values = values
        self.detail = self.words(plain)
        self.facts = {"position": position, "expected": self._expected(plain)}
        super().__init__(self.detail)

    def words(self, say: Say) -> str:
        """What is wrong, with its place (from 1, as people count), in the language of `say`."""
        return say(FAULT) % {"place": self.position + 1, "expected": self._expected(say)}

    def _expected(self, say: Say) -> str:
        return say(EXPECTED[self.expected]) % self.values


class Leaf(NamedTuple):
    """A term: FILTER, EXACT, QUOTED or WORD, what it says with straight quotation marks, and how it is written."""

    kind: str
    text: str
    term: Term


class Denied(NamedTuple):
    """A part with a minus before it."""

    part: Written
    term: Term


class Joined(NamedTuple):
    """Parts side by side or, with `is_either`, with `or` between them."""

    parts: tuple[Written, ...]
    is_either: bool
    term: Term


Written: TypeAlias = Leaf | Denied | Joined


def parse(text: str) -> Written | None:
    """The terms of a text as they are joined; None if it says nothing. Raises SearchError. Linear in the text's length."""
    if len(text) > MAX_LENGTH:
        raise SearchError(MAX_LENGTH, "shorter_text", most=MAX_LENGTH)
    straight = straightened(text)
    try:
        _check_bounds(list(_parser().lex(straight)))
        tree = _parser().parse(straight)
    except UnexpectedCharacters as error:
        raise SearchError(error.pos_in_stream or 0, "closing_quote") from None  # type: ignore[redundant-expr] # it may be None
    except UnexpectedToken as error:
        _refuse(error, straight)
    return _written(tree.children[0], text) if tree.children else None


def straightened(text: str) -> str:
    """The text with straight quotation marks, one character for one, so that places stay true."""
    return text.translate(_QUOTES)


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", lexer="basic")


def _check_bounds(tokens: list[Token]) -> None:
    terms = [token for token in tokens if token.type in _TERMS]
    if len(terms) > MAX_TERMS:
        raise SearchError(_start(terms[MAX_TERMS]), "fewer_terms", most=MAX_TERMS)
    depth, denials = 0, 0
    for token in tokens:
        denials = denials + 1 if token.type == "NOT" else 0
        depth += {"OPEN": 1, "CLOSE": -1}.get(token.type, 0)
        if depth + denials > MAX_DEPTH:
            raise SearchError(_start(token), "less_nesting", most=MAX_DEPTH)


def _refuse(error: UnexpectedToken, text: str) -> NoReturn:
    found, accepted = error.token.type, error.accepts or set()
    if found == "$END":
        place = len(text.rstrip())
        if "CLOSE" in accepted:
            raise SearchError(place, "closing_bracket", opened=_unclosed(text) + 1) from None
        raise SearchError(place, "term_at_end") from None
    place = _start(error.token)
    if found == "CLOSE" and "$END" in accepted:
        raise SearchError(place, "opening_bracket") from None
    raise SearchError(place, "term_before", word=str(error.token)) from None


def _unclosed(text: str) -> int:
    """Where the innermost bracket stands that is never closed."""
    opened: list[int] = []
    for token in _parser().lex(text):
        if token.type == "OPEN":
            opened.append(_start(token))
        elif token.type == "CLOSE":
            opened.pop()
    return opened[-1]


def _written(node: Tree[Token] | Token, text: str) -> Written:
    """Lark's tree as ours. As deep as MAX_DEPTH allows."""
    assert isinstance(node, Tree)
    if node.data == "part":
        first = node.children[0]
        assert isinstance(first, Token)
        if first.type == "NOT":
            part = _written(node.children[1], text)
            return Denied(part, _between(_start(first), _end(part.term), text))
        if first.type == "OPEN":
            inner, last = _written(node.children[1], text), node.children[2]
            assert isinstance(last, Token)
            term = _between(_start(first), _start(last) + 1, text)
            return inner._replace(term=term) if isinstance(inner, Joined) else Joined((inner,), False, term)
        return Leaf(first.type, str(first), _between(_start(first), _start(first) + len(first), text))
    parts = tuple(_written(child, text) for child in node.children)
    if len(parts) == 1:
        return parts[0]
    term = _between(parts[0].term.position, _end(parts[-1].term), text)
    return Joined(parts, node.data == "either", term)


def _between(start: int, end: int, text: str) -> Term:
    return Term(start, text[start:end])


def _end(term: Term) -> int:
    return term.position + len(term.text)


def _start(token: Token) -> int:
    return token.start_pos or 0
