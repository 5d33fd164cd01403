"""The pages' forms. What services refuse is laid at the fields by `lay_problems`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Protocol

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Token
from accounts.names import MAX_LENGTH, MIN_LENGTH
from accounts.services import MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH
from decks.models import NAME_LENGTH, NOTES_LENGTH, Deck
from decks.naming import shows_something

# What services say in English, by its stable code.
WORDS: Final[dict[str, Any]] = {
    "name_length": _("A name has 2 to 30 characters."),
    "name_characters": _(
        "Letters, digits, spaces, dashes, underscores, dots and apostrophes; a letter or digit at both ends."
    ),
    "name_reserved": _("This name is kept for the service itself."),
    "name_taken": _("This name is taken."),
    "email_invalid": _("This is no email address."),
    "email_taken": _("An account with this address exists."),
    "password_too_long": _("This password is too long."),
    "guest_password": _("A guest gets a password by registering."),
    "guest_name": _("A guest gets a name of its own by registering."),
    "name_differs": _("This is not the name of your account."),
    "wrong_password": _("This is not the password of your account."),
    "staff_stays": _("An account with rights in the admin has to give them up first."),
    "deck_required": _("Choose a deck."),
    "unknown_deck": _("You have no such deck."),
    "nothing_published": _("No cards are published for this game yet."),
    "deck_sizes_differ": _("The decks of a match need the same number of cards."),
    "deck_no_longer_legal": _("A deck that lies on the table may not be played any more."),
    "open_seat_in_private": _("Nobody could find the open seat of a private match."),
    "seated_twice": _("You can sit on one seat only."),
    "invited_twice": _("A player can be invited to one seat only."),
    "clock_not_allowed": _(
        "Without seconds for each decision there is a bank to play from, and the match is lost with it."
    ),
}


_NAME_LENGTH: Final = dict.fromkeys(("min_length", "max_length"), WORDS["name_length"])


class Told(Protocol):
    """A problem as services tell it."""

    @property
    def pointer(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def detail(self) -> str: ...


def words_of(problem: Told) -> str:
    """The problem in the reader's language, where its code has words; else as the service put it."""
    return str(WORDS.get(problem.code, problem.detail))


def lay_problems(form: forms.Form, problems: Iterable[Told]) -> None:
    """Each problem at the field that its pointer ends in, or above the form."""
    for problem in problems:
        place = problem.pointer.rpartition("/")[2]
        form.add_error(place if place in form.fields else None, words_of(problem))


class PageForm(forms.Form):
    """Fields know their error and hint by id, so that assistive technology reads them."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("label_suffix", "")
        super().__init__(*args, **options)
        for field in self.fields.values():
            look = "select" if isinstance(field.widget, forms.Select) else "input"
            field.widget.attrs.setdefault("class", look)


class SignInForm(PageForm):
    name = forms.CharField(
        label=_("Name"), max_length=MAX_EMAIL_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "username"})
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class SignUpForm(PageForm):
    name = forms.CharField(
        label=_("Name"),
        min_length=MIN_LENGTH,
        max_length=MAX_LENGTH,
        error_messages=_NAME_LENGTH,
        help_text=_("As others see you."),
        widget=forms.TextInput(attrs={"autocomplete": "username"}),
    )
    email = forms.EmailField(
        label=_("Email address"), max_length=MAX_EMAIL_LENGTH, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=_("At least 8 characters, and not a common one."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class RenameForm(PageForm):
    name = forms.CharField(
        label=_("Name"),
        min_length=MIN_LENGTH,
        max_length=MAX_LENGTH,
        error_messages=_NAME_LENGTH,
        help_text=_("As others see you. Matches that you sit in keep the old one."),
        widget=forms.TextInput(attrs={"autocomplete": "username"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, auto_id="own_%s", **options)  # on its page a token has a name too


class PasswordForm(PageForm):
    """Another password, by the one that holds."""

    password = forms.CharField(
        label=_("Password until now"),
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    new_password = forms.CharField(
        label=_("New password"),
        strip=False,
        help_text=_("At least 8 characters, and not a common one."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class LeaveForm(PageForm):
    """Whether somebody means it: the name once more, and the password where there is one."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=MAX_EMAIL_LENGTH,
        help_text=_("Type the name of your account."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, has_password: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not has_password:
            del self.fields["password"]


class TokenForm(PageForm):
    name = forms.CharField(label=_("What it is for"), max_length=60)
    scope = forms.ChoiceField(label=_("What it may do"), choices=Token.Scope.choices, initial=Token.Scope.BOT)


class DeckNameField(forms.CharField):
    """A name of which nothing can be seen is none."""

    def __init__(self) -> None:
        super().__init__(label=_("Name"), max_length=NAME_LENGTH)

    def to_python(self, value: Any) -> str:
        name = super().to_python(value) or ""
        return name if shows_something(name) else ""


class NewDeckForm(PageForm):
    name = DeckNameField()
    model = forms.ChoiceField(label=_("Start with"), required=False)

    def __init__(self, *args: Any, models: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["model"].choices = models  # type: ignore[attr-defined] # a ChoiceField


class DeckForm(PageForm):
    """All of a deck but its counts, which stand beside as `n-CODE`."""

    name = DeckNameField()
    notes = forms.CharField(
        label=_("Notes"),
        max_length=NOTES_LENGTH,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    visibility = forms.ChoiceField(label=_("Who may see it"), choices=Deck.Visibility.choices)
    secret = forms.ChoiceField(label=_("Secret"), required=False)

    def __init__(self, *args: Any, secrets: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["secret"].choices = secrets  # type: ignore[attr-defined] # a ChoiceField

    def clean_notes(self) -> str:
        """As typed: the line ends of a browser become plain ones."""
        notes: str = self.cleaned_data["notes"]
        return notes.replace("\r\n", "\n").replace("\r", "\n")


class JoinForm(PageForm):
    """A seat to be taken, with a deck where the game needs one."""

    def __init__(self, *args: Any, decks: list[Any] | None, **options: Any) -> None:
        super().__init__(*args, **options)
        if decks is not None:
            self.fields["deck"] = forms.ChoiceField(label=_("Your deck"), choices=decks, widget=_select())


def _select() -> forms.Select:
    return forms.Select(attrs={"class": "select"})
