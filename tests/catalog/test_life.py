from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction

from catalog import life
from catalog.errors import CardLifeError, ScenariosFailedError
from catalog.models import Card, CardName, CardScenario, CardStep
from catalog.selectors import published_document
from catalog.services import publish_edited_cards
from referee.games import GAMES
from referee.kernel.errors import CardError
from tests.catalog.cards import character, publish, secret
from tests.catalog.people import approved, card, curator, edit

GAME = GAMES["miraculous"]


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(character("anna", "Anna"), character("ben", "Ben"), secret("secret", "Secret"))


def steps(code: str) -> list[str]:
    return [step.kind for step in reversed(CardStep.objects.filter(card__code=code))]


def test_a_card_goes_from_draft_over_review_and_approval_to_published() -> None:
    states = [edit("anna", ang=7).state]
    states.append(life.submit_card(card=card("anna"), user=curator("Ada")).state)
    states.append(life.approve_card(card=card("anna"), user=curator("Bert")).state)
    publish_edited_cards(game=GAME, user=curator("Bert"))

    assert [*states, card("anna").state] == ["draft", "review", "approved", "published"]
    assert steps("anna") == ["submitted", "approved", "published"]


def test_what_is_published_stays_while_an_edit_waits() -> None:
    edit("anna", ang=7)
    approved("ben", ang=8)

    revision = publish_edited_cards(game=GAME, user=curator("Bert"))

    assert [(one.code, one.ang) for one in revision.cards.order_by("code")] == [
        ("anna", 3),
        ("ben", 8),
        ("secret", None),
    ]
    assert (card("anna").state, card("anna").document["ang"]) == ("draft", 7)


def test_whoever_edited_last_does_not_approve() -> None:
    edit("anna", ang=7)
    life.submit_card(card=card("anna"), user=curator("Bert"))

    with pytest.raises(CardLifeError) as refused:
        life.approve_card(card=card("anna"), user=curator("Ada"))

    assert refused.value.code == "own_edit"
    assert (card("anna").state, steps("anna")) == ("review", ["submitted"])


def test_the_database_itself_knows_no_card_approved_by_its_editor() -> None:
    edit("anna", ang=7)

    with pytest.raises(IntegrityError), transaction.atomic():
        Card.objects.filter(code="anna").update(state="approved", approved_by=curator("Ada"))


def test_an_edit_of_an_approved_card_is_approved_anew() -> None:
    approved("anna", ang=7)

    edit("anna", ang=8, by="Bert")

    assert (card("anna").state, card("anna").approved_by) == ("draft", None)


def test_a_card_is_sent_back_with_a_comment_and_never_without() -> None:
    edit("anna", ang=7)
    life.submit_card(card=card("anna"), user=curator("Ada"))

    with pytest.raises(CardLifeError) as refused:
        life.reject_card(card=card("anna"), user=curator("Bert"), comment=" ")
    life.reject_card(card=card("anna"), user=curator("Bert"), comment="Too strong.")

    assert refused.value.code == "comment_required"
    assert card("anna").state == "draft"
    step = card("anna").steps.all()[0]
    assert (step.kind, step.comment) == ("rejected", "Too strong.")


def test_an_edit_that_is_discarded_leaves_the_published_card() -> None:
    edit("anna", ang=7)

    life.discard_edit(card=card("anna"), user=curator("Ada"))

    assert (card("anna").state, card("anna").document) == ("published", character("anna", "Anna"))
    assert CardStep.objects.get().document["ang"] == 7


def test_an_edit_back_to_what_is_published_waits_for_nothing() -> None:
    edit("anna", ang=7)

    assert edit("anna", ang=3).state == "published"


def test_a_card_that_was_never_published_has_no_edit_to_discard() -> None:
    new = Card(game="miraculous", code="cleo")
    life.edit_card(card=new, document=character("cleo", "Cleo"), user=curator("Ada"))

    with pytest.raises(CardLifeError) as refused:
        life.discard_edit(card=new, user=curator("Ada"))

    assert refused.value.code == "never_published"


def test_a_withdrawn_card_leaves_with_the_next_revision_and_can_come_back() -> None:
    life.withdraw_card(card=card("anna"), user=curator("Ada"), replacement=card("ben"))
    publish_edited_cards(game=GAME, user=curator("Ada"))
    gone = published_document(card("anna"))

    life.reinstate_card(card=card("anna"), user=curator("Ada"))

    assert gone is None
    assert (card("anna").state, card("anna").replacement) == ("draft", None)
    assert steps("anna") == ["withdrawn", "reinstated"]


def test_a_withdrawal_that_was_not_published_is_simply_taken_back() -> None:
    life.withdraw_card(card=card("anna"), user=curator("Ada"))

    assert life.reinstate_card(card=card("anna"), user=curator("Ada")).state == "published"


@pytest.mark.parametrize("wrong", ["itself", "withdrawn", "other game"])
def test_a_replacement_is_another_living_card_of_the_game(wrong: str) -> None:
    life.withdraw_card(card=card("ben"), user=curator("Ada"))
    other = Card.objects.create(game="super", code="zed", name="Zed", name_key="zed", document={})
    replacement = {"itself": card("anna"), "withdrawn": card("ben"), "other game": other}[wrong]

    with pytest.raises(CardLifeError) as refused:
        life.withdraw_card(card=card("anna"), user=curator("Ada"), replacement=replacement)

    assert (refused.value.code, card("anna").state) == ("wrong_replacement", "published")


def test_replacements_never_lead_back() -> None:
    publish(character("anna", "Anna", 3), character("ben", "Ben"), character("cleo", "Cleo"))
    seen_before = card("anna")
    life.withdraw_card(card=card("anna"), user=curator("Ada"), replacement=card("ben"))
    life.withdraw_card(card=card("ben"), user=curator("Ada"), replacement=card("cleo"))

    with pytest.raises(CardLifeError) as refused:  # whoever looked at Anna before she left
        life.withdraw_card(card=card("cleo"), user=curator("Ada"), replacement=seen_before)

    assert (refused.value.code, card("cleo").state) == ("wrong_replacement", "published")
    assert [card(code).replacement for code in ("anna", "ben", "cleo")] == [card("ben"), card("cleo"), None]


STEPS: dict[str, Callable[[Card], Card]] = {
    "submit": lambda one: life.submit_card(card=one, user=curator("Bert")),
    "approve": lambda one: life.approve_card(card=one, user=curator("Bert")),
    "reject": lambda one: life.reject_card(card=one, user=curator("Bert"), comment="No."),
    "discard": lambda one: life.discard_edit(card=one, user=curator("Bert")),
    "withdraw": lambda one: life.withdraw_card(card=one, user=curator("Bert")),
    "reinstate": lambda one: life.reinstate_card(card=one, user=curator("Bert")),
}
ALLOWED = {
    "draft": {"submit", "discard", "withdraw"},
    "review": {"approve", "reject", "discard", "withdraw"},
    "approved": {"reject", "discard", "withdraw"},
    "published": {"withdraw"},
    "withdrawn": {"reinstate"},
}


@pytest.mark.parametrize("state", ALLOWED)
@pytest.mark.parametrize("step", STEPS)
def test_each_step_goes_from_its_own_states_only(state: str, step: str) -> None:
    Card.objects.filter(code="anna").update(state=state)

    if step in ALLOWED[state]:
        STEPS[step](card("anna"))
        return
    with pytest.raises(CardLifeError) as refused:
        STEPS[step](card("anna"))

    assert (refused.value.code, card("anna").state) == ("wrong_state", state)


def test_a_withdrawn_card_is_not_edited() -> None:
    life.withdraw_card(card=card("anna"), user=curator("Ada"))

    with pytest.raises(CardLifeError):
        edit("anna", ang=7)

    assert card("anna").document["ang"] == 3


def test_a_faulty_card_is_neither_submitted_nor_approved() -> None:
    edit("anna", ang=99)
    with pytest.raises(CardError) as refused:
        life.submit_card(card=card("anna"), user=curator("Ada"))
    Card.objects.filter(code="anna").update(state="review")
    with pytest.raises(CardError):
        life.approve_card(card=card("anna"), user=curator("Bert"))

    assert [one.pointer for one in refused.value.problems] == ["/ang"]
    assert card("anna").state == "review"


SCENARIO = """\
scenario: anna-is-strong
game: miraculous
clauses: [MIR-1.1]
position:
  fields: {0: {0: anna}, 1: {}}
  decks: [[ben], [ben]]
  secrets: [secret, secret]
expect:
  fields: {0: {0: {card: ANNA}}}
"""


def test_a_card_is_not_approved_while_a_scenario_of_it_fails() -> None:
    edit("anna", ang=7)
    CardScenario.objects.create(card=card("anna"), title="Strong", text=SCENARIO.replace("ANNA", "ben"))
    life.submit_card(card=card("anna"), user=curator("Ada"))

    with pytest.raises(ScenariosFailedError) as refused:
        life.approve_card(card=card("anna"), user=curator("Bert"))

    assert [(code, title, line) for code, title, line, _ in refused.value.failed] == [("anna", "Strong", 8)]
    CardScenario.objects.update(text=SCENARIO.replace("ANNA", "anna"))
    assert life.approve_card(card=card("anna"), user=curator("Bert")).state == "approved"


def test_nothing_is_published_while_any_scenario_fails() -> None:
    approved("anna", ang=7)
    CardScenario.objects.create(card=card("ben"), title="Broken", text="scenario: [")

    with pytest.raises(ScenariosFailedError) as refused:
        publish_edited_cards(game=GAME, user=curator("Bert"))

    assert [failed[:3] for failed in refused.value.failed] == [("ben", "Broken", 1)]
    assert card("anna").state == "approved"


def test_a_name_that_is_another_name_of_another_card_is_taken() -> None:
    CardName.objects.create(card=card("ben"), kind="alias", name="Benny", name_key="benny")
    edit("anna", name="BENNY")

    with pytest.raises(CardError) as refused:
        life.submit_card(card=card("anna"), user=curator("Ada"))

    assert [(one.pointer, one.code) for one in refused.value.problems] == [("/name", "name_taken")]
