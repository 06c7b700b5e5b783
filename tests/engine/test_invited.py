"""A game that begins when everybody who is invited has accepted."""

from typing import Any

import pytest

from games.engine import chance, replay
from games.engine.refusals import Illegal, Malformed
from games.engine.replay import Actor, Opening, Position
from games.rules import find

SECRET = bytes(32)


def invited(*seats: int, entropy: bool = False) -> Position:
    opening = Opening("scoops@1", {}, ("a", "b", "c"), entropy, chance.commitment(SECRET), {}, seats)
    assert replay.read_opening(opening.as_json()) == opening
    return replay.opened(find("scoops"), opening, SECRET)


def played(position: Position, role: Any, seat: int | None, kind: str) -> Position:
    fields = {"seat": 1, "reason": "late"} if kind == "forfeit" else {}
    move = replay.read_move(position.ruleset, {"type": kind, **fields})
    return replay.played(position, Actor(role, seat), move)


def test_the_last_acceptance_deals_the_cards() -> None:
    asked = invited(1, 2)
    assert (asked.status, asked.unanswered, asked.state) == ("invited", (1, 2), None)
    one = played(asked, "seat", 2, "accept_invitation")
    assert (one.status, one.unanswered, replay.awaited(one), replay.timed(one)) == ("invited", (1,), (), ())
    begun = played(one, "seat", 1, "accept_invitation")
    assert begun.status == "active" and begun.state is not None and replay.timed(begun)
    at_once = replay.opened(
        find("scoops"),
        Opening("scoops@1", {}, ("a", "b", "c"), False, chance.commitment(SECRET), {}),
        SECRET,
    )
    assert begun.state == at_once.state


def test_with_entropy_the_seats_are_ready_after_all_have_accepted() -> None:
    begun = played(invited(1, entropy=True), "seat", 1, "accept_invitation")
    assert (begun.status, begun.state, replay.awaited(begun)) == ("active", None, (0, 1, 2))


def test_nobody_sees_a_card_or_has_a_choice_before_the_game_begins() -> None:
    asked = invited(1)
    assert replay.view(asked, 0) == replay.view(asked, None)
    assert [replay.choices(asked, seat) for seat in range(3)] == [(), (), ()]


@pytest.mark.parametrize(
    ("role", "seat", "kind"),
    [("seat", 1, "decline_invitation"), ("seat", 0, "decline_invitation"), ("clock", None, "lapse")],
)
def test_a_refusal_or_a_lapse_ends_the_game_without_a_result(role: str, seat: int | None, kind: str) -> None:
    over = played(invited(1, 2), role, seat, kind)
    assert (over.status, replay.result(over), over.unanswered) == ("abandoned", None, (1, 2))
    with pytest.raises(Illegal):
        played(over, "seat", 1, "accept_invitation")


def test_the_arbiter_begins_without_the_missing_answers() -> None:
    assert played(invited(1, 2), "arbiter", None, "begin").status == "active"


@pytest.mark.parametrize(("role", "seat", "kind"), [
    ("seat", 0, "accept_invitation"), ("seat", 1, "resign"), ("seat", 1, "ready"), ("seat", 1, "lapse"),
    ("arbiter", None, "accept_invitation"), ("arbiter", None, "forfeit"), ("clock", 1, "timeout"),
])  # fmt: skip
def test_nothing_else_happens_before_the_game_begins(role: str, seat: int | None, kind: str) -> None:
    with pytest.raises(Illegal):
        played(invited(1, 2), role, seat, kind)


@pytest.mark.parametrize("kind", ["accept_invitation", "decline_invitation"])
def test_a_game_that_has_begun_takes_no_answers(kind: str) -> None:
    with pytest.raises(Illegal):
        played(played(invited(1), "seat", 1, "accept_invitation"), "seat", 1, kind)


def test_a_seat_that_the_table_does_not_have_is_malformed() -> None:
    with pytest.raises(Malformed):
        invited(3)
