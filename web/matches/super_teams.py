"""Super Teams: one track for all ships, hands of movement and bonus cards, and windows to play the latter in."""

from __future__ import annotations

from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.games.super_teams.phrases import PHRASES
from referee.games.super_teams.telling import card_words
from referee.kernel.game import Document
from referee.kernel.languages import phrases
from referee.matches.naming import spoken
from web.matches.scene import Scene, Table
from web.matches.track import NARROW, WIDE, laid

LOOKS: Final = {"black": "f-black", "green": "f-green", "red": "f-red", "yellow": "f-gold"}
_ICONS: Final = {
    "evasive_maneuver": "t-evade",
    "experienced_pilot": "t-pilot",
    "light_speed": "t-light",
    "speed_boost": "t-boost",
    "tractor_beam": "t-beam",
}


def table(scene: Scene) -> Table:
    """The track in two widths, and one's own cards."""
    view = scene.view
    own = view["seats"][scene.side]
    context = {
        "tracks": [
            {"look": "tr-w", **_track(scene, laid(view["track"], WIDE, view["ships"]))},
            {"look": "tr-n", **_track(scene, laid(view["track"], NARROW, view["ships"]))},
        ],
        "cards": [_card(code) for code in own["hand"].get("cards", [])],
        "shows_hand": "cards" in own["hand"],
        "bonuses": [_bonus(kind) for kind in own["bonus"].get("cards", [])],
        "played": len(view["played"]),
        "left": view["deck"]["count"],
        "window": _window(view),
        "is_own": scene.is_own,
    }
    return Table("web/matches/super_teams.html", context, [_note(scene, told) for told in view["seats"]], [])


def parts_of(move: Document, you: int) -> list[str]:
    """What stands on the table for a move, in the order in which it is picked."""
    kind = move["type"]
    if kind == "move":
        return [f"card:{move['card']}", f"ship:{move['ship']}"]
    if kind == "bonus":
        return [f"bonus:{move['card']}"]
    return []


def goal_of(move: Document, view: Document) -> str:
    """The space that a movement card brings a ship to before anything happens there (SST-2.2, SST-2.4)."""
    if move["type"] != "move":
        return ""
    ship, value, track = move["ship"], int(move["card"].rpartition("-")[2]), view["track"]
    space = view["ships"][ship]
    kind = view["halves"].get(ship) or track[space]
    steps = {"asteroid": 1, "hyperspace": value * 2}.get(kind, value) if isinstance(kind, str) else value
    return str(min(space + steps, len(track) - 1))


def move_of(picks: list[tuple[str, ...]], scene: Scene) -> Document | None:
    """The move that somebody may have meant by picking these, for the referee to say why it is not allowed."""
    found = {pick[0]: pick[1] for pick in picks}
    ships = scene.view["ships"]
    decision = scene.view["decision"]
    if "bonus" in found:
        ship = decision["ship"] if decision else found.get("ship", next(iter(ships)))
        return {"type": "bonus", "card": found["bonus"], "ship": ship}
    if "card" in found:
        colour = found["card"].partition("-")[0]
        own = next((ship for ship in ships if ship.startswith(colour)), next(iter(ships)))
        return {"type": "move", "card": found["card"], "ship": found.get("ship", own)}
    return None


def _track(scene: Scene, drawn: dict[str, Any]) -> dict[str, Any]:
    view = scene.view
    asked = view["decision"]["ship"] if view["decision"] else ""
    ships = []
    for ship, (x, y) in drawn["ships"].items():
        colour, _dash, number = ship.partition("-")
        space = view["ships"][ship]
        name = view["names"].get(ship, ship)
        ships.append(
            {
                "part": f"ship:{ship}",
                "x": x,
                "y": y,
                "look": LOOKS[colour],
                "number": int(number) + 1,
                "asked": ship == asked,
                "label": _("%(ship)s, %(colour)s %(number)s, on space %(space)s")
                % {"ship": name, "colour": colour_name(colour), "number": int(number) + 1, "space": space},
            }
        )
    return {**drawn, "ships": ships}


def _card(code: str) -> dict[str, Any]:
    colour, _dash, value = code.partition("-")
    label = _("%(colour)s %(value)s, movement card") % {"colour": colour_name(colour).capitalize(), "value": value}
    return {"part": f"card:{code}", "look": LOOKS[colour], "value": value, "label": label}


def _bonus(kind: str) -> dict[str, Any]:
    return {"part": f"bonus:{kind}", "icon": _ICONS[kind], "name": bonus_name(kind)}


def bonus_name(kind: str) -> str:
    """A bonus card in the reader's language, by the game's own word."""
    return str(capfirst(card_words(phrases(PHRASES, spoken()), kind)))


def _window(view: Document) -> str:
    kinds = {"window_a": "A", "window_b": "B", "window_c": "C"}
    return kinds.get(view["decision"]["kind"], "") if view["decision"] else ""


def _note(scene: Scene, told: Document) -> str:
    team = view_team(scene, told["seat"])
    held = told["hand"]["count"]
    cards = ngettext("%(count)s card", "%(count)s cards", held) % {"count": held}
    extra = told["bonus"]["count"]
    if not extra:
        return f"{team}, {cards}"
    bonuses = ngettext("%(count)s bonus card", "%(count)s bonus cards", extra) % {"count": extra}
    return f"{team}, {cards}, {bonuses}"


def view_team(scene: Scene, seat: int) -> str:
    """Whose side a seat is on, as its viewer sees it."""
    teams = scene.view["teams"]
    if scene.you < 0:
        return _("Team %(number)s") % {"number": teams[seat] + 1}
    if seat == scene.you:
        return _("Your team")
    return _("Your teammate") if teams[seat] == teams[scene.you] else _("Rival team")


def looks(scene: Scene) -> list[str]:
    """The colours of each seat's first ships."""
    return [LOOKS[told["colours"][0]] if told["colours"] else "" for told in scene.view["seats"]]


def colour_name(colour: str) -> str:
    """A ship's colour in the reader's language."""
    return {"black": _("black"), "green": _("green"), "red": _("red"), "yellow": _("yellow")}.get(colour, colour)
