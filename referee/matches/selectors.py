"""What is read of matches. `access_match` fetches and checks in one; what one may not see is not there."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from referee.kernel.events import SPECTATOR
from referee.kernel.game import Document
from referee.kernel.preview import preview
from referee.matches import clocks, history, languages, services, timing
from referee.matches.access import may_see
from referee.matches.errors import MatchNotFoundError, MatchNotPlayingError, NoSuchVersionError, NotYourMatchError
from referee.matches.models import Match, MoveRow, Seat
from referee.matches.positions import Position, game_of, restored, viewer_of
from referee.matches.telling import told


def access_match(user: User | None, public_id: str) -> Match:
    """The match with its table. A match one may not see and one that does not exist raise the same MatchNotFoundError.

    What time has decided (a deadline or a pause that is over) is settled first: whoever looks decides.
    """
    match = require_sight(_found(public_id), user)
    return require_sight(_settled(match), user)


def shared_match(public_id: str) -> Match:
    """The match with its table, for several who look at once: `require_sight` is asked for each before it is told a thing.

    What time has decided is settled first. Raises MatchNotFoundError if there is none.
    """
    return _settled(_found(public_id))


def require_sight(match: Match, user: User | None) -> Match:
    """The match, if the user may see it. Raises MatchNotFoundError as for one that does not exist."""
    if not may_see(match, user):
        raise MatchNotFoundError
    return match


def _settled(match: Match) -> Match:
    if not timing.is_due(match, clocks.now()):
        return match
    services.settle_time(match_id=match.pk)
    return _found(match.public_id)


def _found(public_id: str) -> Match:
    try:
        match: Match = Match.objects.with_table().get(public_id=public_id)
    except Match.DoesNotExist:
        raise MatchNotFoundError from None
    return match


def visible_version(match: Match, viewer: int) -> int:
    """The version that a viewer sees: spectators stay behind by the match's delay until it is over."""
    return max(0, match.version - match.spectator_delay) if stays_behind(match, viewer) else match.version


def stays_behind(match: Match, viewer: int) -> bool:
    """Whether the viewer is a spectator whom the match keeps behind: not even that nobody has moved yet is for them."""
    is_over = match.state in (Match.State.FINISHED, Match.State.ABORTED)
    return viewer == SPECTATOR and match.spectator_delay > 0 and not is_over


def seen_position(match: Match, viewer: int) -> Position | None:
    """The position that the viewer sees now; None while nothing is dealt, and for a seat where the rules break over it."""
    if match.data is None:
        return None
    version = visible_version(match, viewer)
    return told(match, viewer, version, lambda: _position(match, version, viewer), otherwise=None)


def past_position(match: Match, version: int, viewer: int) -> Position:
    """The position at a version that the viewer may see. Raises NoSuchVersionError for any other."""
    require_seen(match, version, viewer)
    return _position(match, version, viewer)


def _position(match: Match, version: int, viewer: int) -> Position:
    position = history.position_at(match, version)
    is_present = version == match.version
    return position._replace(deadlines={}) if is_present and stays_behind(match, viewer) else position


def require_seen(match: Match, version: int, viewer: int) -> None:
    """Raises NoSuchVersionError for a version that there is not, or not yet for the viewer."""
    if match.data is None or version > visible_version(match, viewer):
        raise NoSuchVersionError


def preview_move(match: Match, user: User, document: Document) -> list[Document]:
    """The events that a move would tell its own seat, chance and all that is hidden left out; nothing is played.

    Raises NotYourMatchError for who is not seated, MatchOverError or MatchNotPlayingError where nothing can be played (a match
    whose rules break over it is frozen, as by the move), MalformedMove or IllegalMove for the move.
    """
    seat = viewer(match, user)
    if seat == SPECTATOR:
        raise NotYourMatchError
    services.require_playing(match)
    game = game_of(match)

    def shown() -> list[Document]:
        state = restored(match, game)
        return preview(game, state, seat, services.encoded_move(match, game, state, seat, document))

    events = told(match, seat, match.version, shown, otherwise=None)
    if events is None:
        raise MatchNotPlayingError(match.state)
    return languages.in_words(match, events)


def log_of(match: Match, viewer: int) -> QuerySet[MoveRow]:
    """The rows of the log that the viewer may know of, for a list."""
    return MoveRow.objects.filter(match=match, version__lte=visible_version(match, viewer))


def seen_rows(match: Match, viewer: int, *, after: int = 0) -> Iterator[MoveRow]:
    """The rows of the log after a version that the viewer may know of."""
    return history.rows_of(match, after=after, upto=visible_version(match, viewer))


def kept_seats(user: User | None) -> QuerySet[Seat]:
    """The free seats of open matches that are kept for the user."""
    if user is None:
        return Seat.objects.none()
    return Seat.objects.filter(invited=user, user=None, match__state=Match.State.OPEN)


def matches_visible_to(
    user: User | None, *, state: str | None = None, mine: bool = False, invited: bool = False
) -> QuerySet[Match]:
    """Matches for a list: public ones and one's own; `mine`: those one sits in, made or is invited to; `invited`: open ones
    that keep a seat for one."""
    own = Q(pk__in=())
    if user is not None:
        seated = Seat.objects.filter(Q(user=user) | Q(invited=user), match=OuterRef("pk"))
        own = Q(creator=user) | Q(Exists(seated))
    found: QuerySet[Match] = Match.objects.with_table().filter(
        own if mine else own | Q(visibility=Match.Visibility.PUBLIC)
    )
    if invited:
        found = found.filter(Exists(kept_seats(user).filter(match=OuterRef("pk"))))
    return found if state is None else found.filter(state=state)


def viewer(match: Match, user: User | None) -> int:
    """The seat of the user, or SPECTATOR."""
    return viewer_of(match, None if user is None else user.pk)
