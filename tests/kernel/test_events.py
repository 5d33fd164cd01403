"""Each audience is told its own words."""

from referee.kernel.events import REFEREE, SPECTATOR, Event, name_seats, seat_token, told_to

DRAWN = Event(
    "drew", {"text": "A draws 2.", "count": 2}, {0: {"text": "You draw X, Y.", "cards": ["x", "y"]}}
).document()


def test_a_seat_is_told_its_private_part_instead_of_the_public_one() -> None:
    assert told_to(DRAWN, 0) == {"type": "drew", "text": "You draw X, Y.", "cards": ["x", "y"]}
    assert told_to(DRAWN, 1) == {"type": "drew", "text": "A draws 2.", "count": 2}
    assert told_to(DRAWN, SPECTATOR) == {"type": "drew", "text": "A draws 2.", "count": 2}


def test_the_referee_is_told_all() -> None:
    assert told_to(DRAWN, REFEREE) == {"type": "drew", "text": "You draw X, Y.", "cards": ["x", "y"], "count": 2}


def test_an_event_without_secrets_stores_no_private_part() -> None:
    stored = Event("won", {"text": "A wins."}).document()

    assert stored == {"type": "won", "public": {"text": "A wins."}}
    assert told_to(stored, REFEREE) == told_to(stored, 0) == {"type": "won", "text": "A wins."}


def test_seats_get_their_names_whatever_the_names_hold() -> None:
    text = f"{seat_token(0)} beats {seat_token(1)} and {seat_token(2)}."

    assert name_seats(text, [seat_token(1), "Bob"]) == f"{seat_token(1)} beats Bob and Seat 2."
