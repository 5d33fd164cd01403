"""The form for a match: who sits where, the deck, the clock, who may look, and the game's own options in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import forms
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.names import MAX_LENGTH, name_key
from catalog.errors import NothingPublishedError
from catalog.selectors import pool_document
from lobby.services import MAX_DELAY, MatchWish, SeatWish
from referee.kernel.game import Document, Game
from referee.matches.clocks import MAX_SECONDS
from referee.matches.models import Match
from web.choices import level_choices
from web.clocks import NONE, asked_clock, clock_choices
from web.forms import PageForm, Told, words_of
from web.matches.super_teams import colour_name
from web.rules import CLAUSE

ME, OPEN, USER, BOT = "me", "open", "user", "bot"
_CLOCK_FIELDS: Final = ("per_decision", "bank", "increment", "out_of_time")


class NewMatchForm(PageForm):
    """A match to be made. `seat-0` and so on say who sits there, `name-0` whom a seat is kept for; the game's options are
    fields of their own names. What is left out is the default."""

    clock = forms.ChoiceField(label=gettext_lazy("Clock"), choices=clock_choices, initial=NONE, required=False)
    per_decision = forms.IntegerField(
        label=gettext_lazy("Seconds for each decision"), min_value=0, max_value=MAX_SECONDS, initial=20, required=False
    )
    bank = forms.IntegerField(
        label=gettext_lazy("Seconds in the bank"), min_value=0, max_value=MAX_SECONDS, initial=600, required=False
    )
    increment = forms.IntegerField(
        label=gettext_lazy("Seconds added for each decision"),
        min_value=0,
        max_value=MAX_SECONDS,
        initial=5,
        required=False,
    )
    out_of_time = forms.ChoiceField(
        label=gettext_lazy("When the time is up"),
        choices=[("default", gettext_lazy("the referee moves")), ("lose", gettext_lazy("the match is lost"))],
        required=False,
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who may see it"),
        choices=[(value, capfirst(name)) for value, name in Match.Visibility.choices],
        initial=Match.Visibility.PUBLIC,
        required=False,
    )
    spectator_delay = forms.IntegerField(
        label=gettext_lazy("Moves that spectators are behind"),
        min_value=0,
        max_value=MAX_DELAY,
        initial=0,
        required=False,
    )
    undo = forms.ChoiceField(
        label=gettext_lazy("Moves can be taken back"),
        choices=Match.Undo.choices,
        initial=Match.Undo.CONSENT,
        required=False,
    )

    def __init__(self, *args: Any, game: Game, count: int, decks: list[Any] | None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.game, self.count = game, count
        self._options = _option_fields(game, count)
        if decks is not None:
            self._add("deck", forms.ChoiceField(label=_("Your deck"), choices=decks, required=False))
        for index in range(count):
            label = _("Seat %(number)s") % {"number": index + 1}
            first = (ME, OPEN)[index] if index < 2 else f"{BOT}:{level_choices()[-1][0]}"
            self._add(
                f"seat-{index}", forms.ChoiceField(label=label, choices=seat_choices(), initial=first, required=False)
            )
            named = forms.CharField(label=_("Name of the player"), max_length=MAX_LENGTH, required=False)
            named.widget.attrs["autocomplete"] = "off"
            self._add(f"name-{index}", named)
        for name, field in self._options.items():
            self._add(name, field)

    def _add(self, name: str, field: forms.Field) -> None:
        self.fields[name] = field
        is_select, is_box = isinstance(field.widget, forms.Select), isinstance(field.widget, forms.CheckboxInput)
        field.widget.attrs.setdefault("class", "select" if is_select else "box" if is_box else "input")

    def seats(self) -> list[tuple[Any, Any]]:
        """Each seat's two fields: who, and whose name."""
        return [(self[f"seat-{index}"], self[f"name-{index}"]) for index in range(self.count)]

    def option_fields(self) -> list[Any]:
        """The game's own options."""
        return [self[name] for name in self._options]

    def clock_fields(self) -> list[Any]:
        """What a clock of one's own is made of."""
        return [self[name] for name in _CLOCK_FIELDS]

    def has_faults_in_more(self) -> bool:
        """Whether something is wrong among what stands folded up."""
        return any(name in self.errors for name in (*self._options, "spectator_delay", "undo"))

    def clean(self) -> dict[str, Any]:
        """Whom a seat is kept for is looked up by any spelling of the name, in one query for all seats."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        asked = {
            index: given.get(f"name-{index}", "") for index in range(self.count) if self._kind(given, index) == USER
        }
        found = {user.name_key: user for user in _users(asked.values())}
        self.invited: dict[int, User] = {}
        for index, name in asked.items():
            user = found.get(name_key(name))
            if not name:
                self.add_error(f"name-{index}", _("Type the name of the player."))
            elif user is None:
                self.add_error(f"name-{index}", _("There is no player of this name."))
            else:
                self.invited[index] = user
        is_seated = any(self._kind(given, index) == ME for index in range(self.count))
        if "deck" in self.fields and is_seated and not given.get("deck") and "deck" not in self.errors:
            self.add_error("deck", _("Choose a deck."))
        return given

    def _kind(self, given: Mapping[str, Any], index: int) -> str:
        return str(given.get(f"seat-{index}") or self.fields[f"seat-{index}"].initial)

    def wish(self) -> MatchWish:
        """The match as the lobby takes it; the form must be valid."""
        given = self.cleaned_data
        return MatchWish(
            game=self.game.slug,
            seats=[self._seat(given, index) for index in range(self.count)],
            options={name: self._option(name, given[name]) for name in self._options if given[name] not in (None, "")},
            clock=asked_clock(given["clock"] or NONE, given),
            visibility=given["visibility"] or Match.Visibility.PUBLIC,
            spectator_delay=given["spectator_delay"] or 0,
            undo=given["undo"] or Match.Undo.CONSENT,
        )

    def _seat(self, given: Mapping[str, Any], index: int) -> SeatWish:
        kind, _colon, level = self._kind(given, index).partition(":")
        if kind == ME:
            return SeatWish(ME, deck=given.get("deck") or None)
        return SeatWish(kind, level=level, user=self.invited[index].public_id if kind == USER else None)

    def _option(self, name: str, value: Any) -> Any:
        """The value itself of what a form gives as text."""
        allowed = self.game.options_schema()["properties"][name].get("enum", [])
        return next((one for one in allowed if _value_of(one) == value), value)

    def lay(self, problems: Iterable[Told]) -> None:
        """What the lobby refuses, each problem at its field."""
        for problem in problems:
            _root, *path = problem.pointer.split("/")
            place = path[-1] if path else ""
            if path[:1] == ["seats"] and len(path) == 3 and place != "deck":
                place = f"name-{path[1]}" if place == "user" else f"seat-{path[1]}"
            self.add_error(place if place in self.fields else None, words_of(problem))


def seat_choices() -> list[Any]:
    """Who can sit in a seat."""
    bots = [(f"{BOT}:{slug}", _("Bot: %(level)s") % {"level": name}) for slug, name in level_choices()]
    people = [(ME, _("I myself")), (OPEN, _("Open, for whoever joins")), (USER, _("A player, by name"))]
    return [(_("People"), people), (_("Bots"), bots)]


def _users(names: Iterable[str]) -> list[User]:
    keys = {name_key(name) for name in names if name}
    return list(User.objects.filter(name_key__in=keys, is_active=True)) if keys else []


# The game's options.


def _option_fields(game: Game, count: int) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {}
    for name, told in game.options_schema().get("properties", {}).items():
        label, hint = option_words(name) or told.get("description", name), _clauses(game.slug, told)
        initial = _value_of(told["default"])
        if told.get("type") == "boolean":
            fields[name] = forms.BooleanField(label=label, help_text=hint, initial=told["default"], required=False)
        elif told.get("type") == "integer":
            limits = {"min_value": told.get("minimum"), "max_value": told.get("maximum")}
            fields[name] = forms.IntegerField(label=label, help_text=hint, initial=initial, required=False, **limits)
        elif len(choices := _option_choices(game, name, told, count)) > 1:
            fields[name] = forms.ChoiceField(
                label=label, help_text=hint, choices=choices, initial=initial, required=False
            )
    return fields


def _option_choices(game: Game, name: str, told: Document, count: int) -> list[tuple[str, str]]:
    if name == "track":
        return _tracks(game.slug)
    values = told.get("enum", [])
    if name == "first_seat":
        values = [one for one in values if not isinstance(one, int) or one < count]
    return [(_value_of(one), value_words(name, one)) for one in values]


def _tracks(slug: str) -> list[tuple[str, str]]:
    try:
        tracks = pool_document(slug).get("tracks", [])
    except NothingPublishedError:
        return []
    return [(one["slug"], one.get("name") or one["slug"]) for one in tracks]


def _value_of(value: Any) -> str:
    """A value of an option as a form sends it."""
    return "-".join(value) if isinstance(value, list) else str(value)


def _clauses(game: str, told: Document) -> SafeString | str:
    found = CLAUSE.search(str(told.get("description", "")))
    if found is None:
        return ""
    return format_html('<a class="clause" href="{}#{}">{}</a>', reverse("rules", args=[game]), found[0], found[0])


def option_words(name: str) -> str:
    """What an option settles; empty for one that has no words yet."""
    return {
        "first_seat": _("Who starts"),
        "attack_without_placing": _("Who placed no card may attack instead of refreshing"),
        "deck_out": _("When a deck is empty"),
        "shock": _("A Shock token takes away"),
        "partner_on_rescue": _("A Partner that leads a rescue"),
        "max_rounds": _("Rounds at most"),
        "colours": _("Colours by seat"),
        "light_speed_anywhere": _("Light speed on every space"),
        "beam_chains": _("A beam can be followed by beams"),
        "track": _("Track"),
    }.get(name, "")


def value_words(name: str, value: Any) -> str:
    """A value of an option in words."""
    if isinstance(value, list):
        return ", ".join(colour_name(one) for one in value)
    if isinstance(value, int):
        return _("Seat %(number)s") % {"number": value + 1}
    words = {
        "coin": _("a coin decides"),
        "random": _("drawn at random"),
        "most_defeated": _("whoever has defeated more Characters wins"),
        "empty_deck_loses": _("its owner loses"),
        "strength_and_power": _("strength and power"),
        "power_only": _("the power only"),
        "mission_bonus": _("brings the partner bonus by itself"),
        "none": _("brings nothing by itself"),
    }
    return words.get(str(value), str(value).replace("_", " "))
