"""Forms from the choices of rulesets, and moves from submitted forms."""

import json
from typing import Any

import pytest

from games import rules
from games.engine import replay
from games.engine.choosing import Choice, FieldChoice, choice
from games.engine.jsontypes import Json
from games.engine.refusals import Malformed
from games.engine.replay import Actor
from league.web.moveforms import (
    MOST_OFFERS,
    UNCHOSEN,
    Chooser,
    Input,
    MoveForm,
    move_forms,
    posted_move,
    ruling_forms,
)
from tests.rules import randomplay

SCOOPS = rules.find("scoops")


@pytest.mark.parametrize("key", sorted(rules.NEWEST))
def test_every_offer_of_every_game_is_a_legal_move(key: str) -> None:
    ruleset = rules.find(key)
    for count, (position, seat, _) in enumerate(randomplay.plays(ruleset, min(ruleset.seats), seed=5)):
        for form in move_forms(Chooser(ruleset, seat, position), replay.choices(position, seat), {}):
            assert form.offers or form.inputs
            for offer in form.offers:
                move = posted_move(ruleset, {"offer": offer.move})
                replay.played(position, Actor("seat", seat), replay.read_move(ruleset, move))
        if count > 60:
            break


@pytest.mark.parametrize("key", ["scamper", "scoops", "scram"])
def test_a_list_says_each_offer_of_a_game_with_cards_as_a_command(key: str) -> None:
    ruleset, third = rules.find(key), set[str]()
    for count, (position, seat, _) in enumerate(randomplay.plays(ruleset, min(ruleset.seats), seed=5)):
        for form in move_forms(Chooser(ruleset, seat, position), replay.choices(position, seat), {}):
            third |= {str(offer.text) for offer in form.offers if offer.told}
        if count > 120:
            break
    assert third == set()


@pytest.mark.parametrize(
    ("posted", "move"),
    [
        ({"type": "keep"}, {"type": "keep"}),
        ({"type": "discard", "own-card": "10♥"}, {"type": "discard", "card": "TH"}),
        ({"type": "discard", "own-card": "9c", "own-knock": "on"},
         {"type": "discard", "card": "9C", "knock": True}),
        ({"type": "draw", "own-from": "deck"}, {"type": "draw", "from": "deck"}),
        ({"type": "draw", "own-from": "2"}, {"type": "draw", "from": 2}),
        ({"type": "draw", "pick-from": '"deck"'}, {"type": "draw", "from": "deck"}),
        ({"type": "assign", "own-special": "0 3", "own-rule": "1", "own-goal": "2"},
         {"type": "assign", "special": [0, 3], "rule": 1, "goal": 2}),
        ({"type": "float", "own-meld": "4", "own-cards": "9C, 10C jc", "own-end": "high"},
         {"type": "float", "meld": 4, "cards": ["9C", "TC", "JC"], "end": "high"}),
        ({"type": "meld", "own-groups-0-kind": "run", "own-groups-0-cards": "9C 10C JC",
          "own-groups-1-kind": "book", "own-groups-1-cards": ""},
         {"type": "meld", "groups": [{"kind": "run", "cards": ["9C", "TC", "JC"]}]}),
        ({"type": "lay_down", "own-groups-2-kind": "pair", "own-groups-2-cards": "JK JK",
          "own-discard": "2d"},
         {"type": "lay_down", "groups": [{"kind": "pair", "cards": ["JK", "JK"]}], "discard": "2D"}),
        ({"offer": "", "type": "keep"}, {"type": "keep"}),
        ({"offer": '{"type": "keep"}', "type": "draw"}, {"type": "keep"}),
        ({"type": "ready", "own-entropy": " sea "}, {"type": "ready", "entropy": "sea"}),
        ({"type": "resign"}, {"type": "resign"}),
    ],
)  # fmt: skip
def test_a_submitted_form_is_this_move(posted: dict[str, str], move: dict[str, Any]) -> None:
    assert posted_move(SCOOPS, posted) == move


@pytest.mark.parametrize(
    ("key", "posted", "move"),
    [
        ("scamper", {"type": "lay_off", "own-meld": "m1", "own-cards": "10♥"},
         {"type": "lay_off", "meld": "m1", "cards": ["TH"]}),
        ("scram", {"type": "replace", "own-cards-0-seat": "1", "own-cards-0-index": "0"},
         {"type": "replace", "cards": [{"seat": 1, "index": 0}]}),
        ("scram", {"type": "act", "pick-targets-2": '{"seat": 1, "index": 0}',
          "pick-targets-9": '{"deck": 0}'},
         {"type": "act", "targets": [{"seat": 1, "index": 0}, {"deck": 0}]}),
    ],
)  # fmt: skip
def test_typed_values_are_read_as_their_field_is_declared(
    key: str, posted: dict[str, str], move: dict[str, Any]
) -> None:
    assert posted_move(rules.find(key), posted) == move


@pytest.mark.parametrize(
    "posted",
    [
        {},
        {"type": "fly"},
        {"offer": "7"},
        {"offer": "nonsense"},
        {"offer": "[1]"},
        {"type": "draw", "pick-from-1": "nonsense"},
    ],
)
def test_a_form_without_a_move_is_malformed(posted: dict[str, str]) -> None:
    with pytest.raises(Malformed):
        posted_move(SCOOPS, posted)


@pytest.mark.parametrize("offers", [{"offers": "3"}, {"offers": "3", "offer": ""}])
@pytest.mark.parametrize(
    ("key", "sent"),
    [
        ("scoops", {"type": "discard", "own-card": "", "pick-card": ""}),
        ("scoops", {"type": "lay_down", "own-groups-0-kind": "", "own-groups-0-cards": ""}),
        ("scoops", {"type": "draw"}),
        ("scamper", {"type": "lay_off", "pick-meld": "", "own-cards": ""}),
    ],
)
def test_a_form_with_nothing_chosen_and_nothing_written_is_refused(
    key: str, sent: dict[str, str], offers: dict[str, str]
) -> None:
    with pytest.raises(Malformed, match="Choose one of these, or write your own below"):
        posted_move(rules.find(key), {**sent, **offers})


def test_a_form_without_offers_has_to_be_filled_in() -> None:
    with pytest.raises(Malformed, match="Fill in the fields"):
        posted_move(SCOOPS, {"type": "penalty", "pick-seat": ""})


@pytest.mark.parametrize("key", sorted(rules.NEWEST))
def test_no_list_of_any_game_starts_with_a_value(key: str) -> None:
    ruleset = rules.find(key)
    for count, (position, seat, _) in enumerate(randomplay.plays(ruleset, min(ruleset.seats), seed=5)):
        forms = (
            *move_forms(Chooser(ruleset, seat, position), replay.choices(position, seat), {}),
            *ruling_forms(ruleset, {0: "Paul", 1: "Petra"}, {}),
        )
        for made in forms:
            inputs = [*made.inputs, *(part for field in made.inputs for row in field.rows for part in row)]
            assert all(field.values[0] == UNCHOSEN for field in inputs if field.kind == "choice")
        if count > 60:
            break


def form(*choices: Choice, typed: dict[str, str] | None = None) -> MoveForm:
    (made,) = move_forms(Chooser(SCOOPS), choices, typed or {})
    return made


def shown(field: Input) -> tuple[str, str]:
    return field.name, field.kind


def test_a_move_without_a_choice_is_one_button() -> None:
    assert form(choice("keep")).single


def test_listed_values_are_complete() -> None:
    made = form(choice("discard", card=["9C", "JK"]))
    assert [offer.card for offer in made.offers] == ["9C", "JK"]
    assert made.inputs == ()


def test_described_values_can_be_typed() -> None:
    groups = FieldChoice(
        ([{"kind": "book", "cards": ["7C", "7D", "7H"]}],), complete=False, about="Any sets."
    )
    made = form(Choice("meld", {"groups": groups}))
    assert [offer.text for offer in made.offers] == ["lays the book 7C 7D 7H"]
    assert [shown(field) for field in made.inputs] == [("own-groups", "rows")]
    assert made.about == ("Any sets.",)


def test_too_many_moves_are_chosen_field_by_field() -> None:
    many = list(range(9))
    made = form(choice("assign", special=[[0, 1], [2, 3]], rule=many, goal=many))
    assert len(many) ** 2 * 2 > MOST_OFFERS
    assert made.offers == ()
    assert [shown(field) for field in made.inputs] == [
        ("pick-special", "choice"),
        ("pick-rule", "choice"),
        ("pick-goal", "choice"),
    ]


def test_a_list_of_places_has_a_box_for_each_one_offered_those_of_the_seat_first() -> None:
    scram = rules.find("scram")
    places: list[Json] = [
        {"seat": 1, "index": 1},
        {"seat": 0, "index": 0},
        {"deck": 0},
        {"seat": 1, "index": 0},
    ]
    offered = choice(
        "act", targets=FieldChoice(([places[0], places[1]], [places[2]], [places[3]]), complete=False)
    )
    (made,) = move_forms(Chooser(scram, 1), [offered], {"pick-targets-1": '{"seat": 1, "index": 1}'})
    assert [json.loads(place.value) for place in made.places] == [places[3], places[0], places[1], places[2]]
    assert [place.checked for place in made.places] == [False, True, False, False]
    assert made.written


def test_typed_text_is_kept_after_an_error() -> None:
    groups = FieldChoice((), complete=False)
    made = form(Choice("meld", {"groups": groups}), typed={"own-groups-1-cards": "9C 9D"})
    assert made.written
    assert made.inputs[0].rows[1][1].written == "9C 9D"


def test_an_optional_field_without_values_is_not_offered() -> None:
    made = form(Choice("ready", {"entropy": FieldChoice(complete=False, optional=True)}))
    assert [json.loads(offer.move) for offer in made.offers] == [{"type": "ready"}]


def test_the_list_has_the_usual_moves_first_and_cards_as_they_lie_in_the_hand() -> None:
    listed = [
        choice("meld", groups=FieldChoice(complete=False)),
        choice("float", meld=[1], cards=FieldChoice((["9S"], ["TC", "JC"], ["TC"]), complete=False)),
        choice("float", meld=[0], cards=FieldChoice((["QD"],), complete=False)),
        choice("discard", card=["JK", "9S", "2C"], knock=[True]),
        choice("discard", card=["JK", "9S", "2C"]),
    ]
    made = move_forms(Chooser(SCOOPS, 0), listed, {})
    assert [each.type for each in made] == ["discard", "meld", "float"]
    moves = [[[*offer.value.values()][1:] for offer in each.offers] for each in made]  # type: ignore[union-attr]
    cards = ["2C", "9S", "JK"]
    assert moves[0] == [*([card, True] for card in cards), *([card] for card in cards)]
    assert moves[2] == [[1, ["TC"]], [1, ["TC", "JC"]], [1, ["9S"]], [0, ["QD"]]]


@pytest.mark.parametrize(("held", "rows"), [(0, 4), (11, 4), (16, 5), (20, 6)])
def test_there_are_rows_for_as_many_melds_as_a_hand_can_make(held: int, rows: int) -> None:
    offered = choice("meld", melds=FieldChoice(complete=False))
    (made,) = move_forms(Chooser(rules.find("scamper"), 0, held=held), [offered], {})
    (melds,) = made.inputs
    assert len(melds.rows) == rows
