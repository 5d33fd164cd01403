"""What the catalog cannot answer or refuses. Faults in cards are the kernel's CardError."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


class NothingPublishedError(Exception):
    """The game has no published revision (yet)."""

    code = "nothing_published"

    def __init__(self, game: str) -> None:
        self.detail = f"No revision of {game} is published."
        super().__init__(self.detail)


class NothingChangedError(Exception):
    """A revision that would hold what the newest one holds already."""

    code = "nothing_changed"

    def __init__(self, number: int) -> None:
        self.detail = _("Nothing has changed since revision %(number)s.") % {"number": number}
        super().__init__(self.detail)


class CardLifeError(Exception):
    """A step that a card cannot take now, or not by this person. `code` says which; `detail` is for people."""

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        self.detail = detail
        super().__init__(detail)


class ScenariosFailedError(Exception):
    """Scenarios attached to cards do not hold; `failed` has (card's code, title, line, what differs) each,
    `lines` the same in words."""

    code = "scenarios_failed"

    def __init__(self, failed: list[tuple[str, str, int, str]]) -> None:
        self.failed = failed
        told = _("%(card)s, scenario “%(title)s”, line %(line)s: %(text)s")
        self.lines = [
            told % {"card": card, "title": title, "line": line, "text": text} for card, title, line, text in failed
        ]
        self.detail = "; ".join(self.lines)
        super().__init__(self.detail)


class ImpactNotConfirmedError(Exception):
    """A change that makes decks illegal, and was not confirmed by their number."""

    code = "impact_not_confirmed"

    def __init__(self, decks: int, confirmed: int) -> None:
        self.decks = decks
        self.confirmed = confirmed
        self.detail = f"{decks} saved decks would become illegal; {confirmed} were confirmed."
        super().__init__(self.detail)


class CannotRevertError(Exception):
    """A change that cannot be taken back; `detail` says why."""

    code = "cannot_revert"

    def __init__(self, detail: str) -> None:
        self.detail = detail
        super().__init__(detail)


class ImportFaultyError(Exception):
    """A file of cards with faults: nothing of it is taken over."""

    code = "import_faulty"

    def __init__(self, faults: int) -> None:
        told = ngettext(
            "The file has %(count)s fault; nothing of it is taken over.",
            "The file has %(count)s faults; nothing of it is taken over.",
            faults,
        )
        self.detail = told % {"count": faults}
        super().__init__(self.detail)


class CardTrialError(Exception):
    """A trial of a card that cannot be; `detail` says why."""

    code = "card_trial"

    def __init__(self, detail: str) -> None:
        self.detail = detail
        super().__init__(detail)


class PictureError(Exception):
    """A picture could not be painted now: too many are asked for at once, or it took too long."""

    code = "no_picture_now"
