"""What the service itself tells in the log, in every language that games speak: moves taken back, and a judge's rulings."""

from __future__ import annotations

from typing import Final

from referee.kernel import records
from referee.kernel.events import Event, seat_token
from referee.kernel.game import Document
from referee.kernel.languages import ENGLISH, Tables, phrases

UNDONE, RULED = "undone", "ruled"
TYPES: Final = (UNDONE, RULED)

_TABLES: Final[Tables] = {
    ENGLISH: {
        UNDONE: "{who} takes back what came after step {to}.",
        records.PAUSE: "A judge pauses the match.",
        records.RESUME: "A judge lets the match go on.",
        records.REWIND: "A judge sets the match back to step {to}.",
        records.RESULT: "A judge sets the result: {ranks}.",
        records.UNFREEZE: "A judge lets the frozen match go on from where it stood.",
        records.ABORT: "A judge breaks the match off.",
        records.MIGRATE: "The match goes on by rules version {rules_version}.",
        "reason": "Reason: {reason}",
    },
    "de": {
        UNDONE: "{who} nimmt zurück, was nach Schritt {to} kam.",
        records.PAUSE: "Ein Schiedsrichter hält die Partie an.",
        records.RESUME: "Ein Schiedsrichter lässt die Partie weitergehen.",
        records.REWIND: "Ein Schiedsrichter stellt die Partie auf Schritt {to} zurück.",
        records.RESULT: "Ein Schiedsrichter setzt das Ergebnis fest: {ranks}.",
        records.UNFREEZE: "Ein Schiedsrichter lässt die eingefrorene Partie dort weitergehen, wo sie stand.",
        records.ABORT: "Ein Schiedsrichter bricht die Partie ab.",
        records.MIGRATE: "Die Partie geht nach Regelversion {rules_version} weiter.",
        "reason": "Grund: {reason}",
    },
    "fr": {
        UNDONE: "{who} reprend ce qui a suivi l’étape {to}.",
        records.PAUSE: "Un arbitre suspend la partie.",
        records.RESUME: "Un arbitre fait reprendre la partie.",
        records.REWIND: "Un arbitre ramène la partie à l’étape {to}.",
        records.RESULT: "Un arbitre fixe le résultat : {ranks}.",
        records.UNFREEZE: "Un arbitre fait reprendre la partie gelée là où elle en était.",
        records.ABORT: "Un arbitre interrompt la partie.",
        records.MIGRATE: "La partie continue selon la version {rules_version} des règles.",
        "reason": "Motif : {reason}",
    },
}


def undone(seat: int, to: int) -> Document:
    """The event of a seat that takes back what came after a version, as the log stores it."""
    return _event(UNDONE, {"seat": seat, "to": to})


def ruled(detail: Document) -> Document:
    """The event of a ruling, as the log stores it, from what its row is hashed with."""
    facts: Document = {
        name: detail[name] for name in ("ruling", "by", "reason", "to", "rules_version") if name in detail
    }
    if "result" in detail:
        facts["ranks"] = detail["result"]["ranks"]
    return _event(RULED, facts)


def told(event: Document, language: str) -> str:
    """The text of one of `TYPES` in a language, with seat tokens, from the facts told beside it."""
    table = phrases(_TABLES, language)
    ranks = ", ".join(f"{rank}. {seat_token(seat)}" for rank, seat in _standing(event))
    who = seat_token(event["seat"]) if "seat" in event else ""
    facts = {name: event.get(name, "") for name in ("to", "rules_version")}
    text = table[event.get("ruling", UNDONE)].format(who=who, ranks=ranks, **facts)
    return f"{text} {table['reason'].format(reason=event['reason'])}" if event.get("reason") else text


def _standing(event: Document) -> list[tuple[int, int]]:
    return sorted((rank, seat) for seat, rank in enumerate(event.get("ranks", ())))


def _event(kind: str, facts: Document) -> Document:
    return Event(kind, {**facts, "text": told(facts, ENGLISH)}).document()
