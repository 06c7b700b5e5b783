"""Every move can be made on the page without scripts, and no two of its options read the same."""

import json
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

import pytest
from django.test import Client

from games import log
from games.engine import replay
from games.models import Game
from games.rules.scram.acting import open_targets
from games.rules.scram.actions import ACTIONS
from games.rules.scram.cards import FACES
from tests.factories import Cast, playing
from tests.rules.scram.dealing import deal
from tests.rules.scram.notation import named
from tests.web.forms import Form, forms_of

TOP_OF_DECK: Final = 21
CAMPSITES: Final = ("7 7 1 2 3", "4 5 6 8 9", "7 1 2 3 4", "5 6 8 9 10")
"""What lies before each camper, the first three face down."""
FACE_DOWN: Final = {f"{seat}.{index}" for seat in range(4) for index in range(3)}
EVERYWHERE: Final = {f"{seat}.{index}" for seat in range(4) for index in range(5)}


@dataclass
class Player:
    """Paul at his table in a browser without scripts."""

    client: Client
    game: Game

    def forms(self) -> dict[str, Form]:
        return forms_of(self.client.get(f"/games/{self.game.pk}/"))

    def send(self, kind: str, *ticked: str, **filled: str) -> Any:
        """Send a form with these places ticked and fields filled in."""
        form = self.forms()[kind]
        assert all(value in form.options[name] for name, value in filled.items() if name in form.options)
        ticks = {name: value for value, name in form.boxes.items() if named_json(value) in ticked}
        assert len(ticks) == len(ticked)
        return self.client.post(f"/games/{self.game.pk}/play/", {**form.sent, **ticks, **filled})

    def last(self) -> dict[str, Any]:
        """Return the last move of the log."""
        entry = log.entries(self.game)[-1]
        return {**entry.move}


def named_json(value: str) -> str:
    """Return the place that a box sends, such as ``0.1`` or ``deck.0``."""
    parsed: Any = json.loads(value)
    return named(parsed)


def at_table(cast: Cast, monkeypatch: pytest.MonkeyPatch, drawn: str) -> Player:
    """Return Paul in a game of four that he begins, with this card on top of the deck."""
    laid = " ".join(CAMPSITES).split()
    deal(monkeypatch, {**dict(enumerate(laid)), TOP_OF_DECK: drawn})
    players = [player.pk for player in cast.people(4)]
    for number in count():
        game = log.open_game(
            ruleset="scram",
            options={},
            players=players,
            account=None,
            accounts=playing(players),
            secret=number.to_bytes(32, "big"),
        )
        if replay.to_act(log.latest(game)) == (0,):
            break
    cast.club.games.create(game=game)
    client = Client()
    client.force_login(cast.paul)
    return Player(client, game)


def having_drawn(cast: Cast, monkeypatch: pytest.MonkeyPatch, drawn: str) -> Player:
    """Return Paul after he drew this card from the deck, with the form."""
    player = at_table(cast, monkeypatch, drawn)
    assert player.send("draw", offer='{"type": "draw", "from": "deck"}').status_code == 302
    return player


LEFT: Final = '"left"'
RIGHT: Final = '"right"'
MOVES = [
    pytest.param("5", [("act", "1.0", {})], {"targets": ["1.0"]}, id="A0-one-look"),
    pytest.param("6", [("act", "deck.0 deck.1", {})], {"targets": ["deck.0", "deck.1"]}, id="A0-at-the-deck"),
    pytest.param(
        "8", [("act", "0.0 3.2 2.1", {})], {"targets": ["0.0", "2.1", "3.2"]}, id="A0-several-looks"
    ),
    pytest.param("7", [("act", "3.0", {}), ("act", "0.1", {})], {"targets": ["0.1"]}, id="A2-one-by-one"),
    pytest.param("10", [("act", "3.0 1.2", {})], {"targets": ["1.2", "3.0"]}, id="A0-turned-up"),
    pytest.param("11", [("act", "1.3 2.4", {})], {"targets": ["1.3", "2.4"]}, id="A0-an-exchange"),
    pytest.param("11", [("act", "3.4 deck.0", {})], {"targets": ["3.4", "deck.0"]}, id="A0-with-the-deck"),
    pytest.param("12", [("act", "0.4 deck.1", {})], {"targets": ["0.4", "deck.1"]}, id="A0-two-looks"),
    pytest.param(
        "12",
        [
            ("act", "1.0", {}),
            ("act", "0.4", {}),
            ("exchange", "", {"offer": '{"type": "exchange", "do": true}'}),
        ],
        {"do": True},
        id="A0-looked-at-and-exchanged",
    ),
    pytest.param(
        "9",
        [("act-2", "", {"pick-cards": "[1, 3]", "pick-end": RIGHT})],
        {"seat": 2, "cards": [1, 3], "end": "right"},
        id="A0-cleared",
    ),
    pytest.param(
        "13",
        [("act", "", {"offer": '{"type": "act", "seat": 3, "end": "left"}'})],
        {"seat": 3, "end": "left"},
        id="A0-placed",
    ),
    pytest.param("4", [("replace", "0.3", {})], {"cards": ["0.3"]}, id="B10-one-card"),
    pytest.param(
        "4",
        [("replace", "2.0 0.1 0.0", {"pick-end": LEFT, "own-slot": "1"})],
        {"cards": ["0.0", "0.1", "2.0"], "slot": 1, "end": "left"},
        id="B11-a-set-and-a-slot",
    ),
    pytest.param(
        "4",
        [("replace", "0.1 0.2 0.3 0.4", {"pick-end": RIGHT, "pick-extra_ends": '["left", "right"]'})],
        {"cards": ["0.1", "0.2", "0.3", "0.4"], "end": "right", "extra_ends": ["left", "right"]},
        id="B12-no-match-and-every-end",
    ),
    pytest.param("4", [("discard", "", {})], {}, id="B13-discarded"),
]


@pytest.mark.parametrize(("drawn", "sent", "expected"), MOVES)
def test_a_move_is_made_with_the_form(
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
    drawn: str,
    sent: list[tuple[str, str, dict[str, str]]],
    expected: dict[str, Any],
) -> None:
    player = having_drawn(cast, monkeypatch, drawn)
    for kind, ticked, filled in sent:
        answer = player.send(kind, *ticked.split(), **filled)
        assert answer.status_code == 302, answer.content.decode()
    made = player.last()
    assert made.pop("type") == sent[-1][0].partition("-")[0]
    for name in ("targets", "cards"):
        if name in made and isinstance(made[name][0], dict):
            made[name] = [named(place) for place in made[name]]
    assert made == expected


@pytest.mark.parametrize(
    ("drawn", "places"),
    [
        pytest.param("5", FACE_DOWN | {"deck.0"}, id="A0-5"),
        pytest.param("8", FACE_DOWN | {f"deck.{depth}" for depth in range(4)}, id="A0-8"),
        pytest.param("10", FACE_DOWN, id="A0-10"),
        pytest.param("11", EVERYWHERE | {"deck.0"}, id="A0-11"),
        pytest.param("12", EVERYWHERE | {"deck.0", "deck.1"}, id="A0-12"),
    ],
)
def test_every_target_can_be_ticked(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, drawn: str, places: set[str]
) -> None:
    player = having_drawn(cast, monkeypatch, drawn)
    assert {named_json(value) for value in player.forms()["act"].boxes} == places
    assert len(open_targets(log.latest(player.game).state.table, ACTIONS[drawn], ())) == len(places)


def test_b10_every_card_of_the_team_can_be_ticked_ones_own_first(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes = having_drawn(cast, monkeypatch, "4").forms()["replace"].boxes
    assert [*map(named_json, boxes)] == [f"{seat}.{index}" for seat in (0, 2) for index in range(5)]


def test_b12_every_order_of_ends_can_be_picked(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    options = having_drawn(cast, monkeypatch, "4").forms()["replace"].options
    assert len({*options["pick-extra_ends"]}) == 1 + 2 + 4 + 8
    assert options["pick-end"] == ["", LEFT, RIGHT]


def test_a0_every_pair_of_a_campsite_can_be_cleared(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    forms = having_drawn(cast, monkeypatch, "9").forms()
    assert {kind for kind in forms if kind.startswith("act-")} == {f"act-{seat}" for seat in range(4)}
    assert len({*forms["act-3"].options["pick-cards"]}) == 10


@pytest.mark.parametrize("drawn", [*FACES])
def test_b9_no_two_options_of_a_form_read_the_same(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, drawn: str
) -> None:
    forms = having_drawn(cast, monkeypatch, drawn).forms()
    assert "replace" in forms
    for form in forms.values():
        assert len({*form.words}) == len(form.words), form.words


def test_a1_a_refused_form_keeps_what_was_ticked(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = having_drawn(cast, monkeypatch, "6").send("act", "0.1", "deck.1")
    assert answer.status_code == 422
    assert "Choose all cards of the 6 in campsites, or all in the deck." in answer.content.decode()
    form = forms_of(answer)["act"]
    assert {value for value, name in form.boxes.items() if name in form.sent} == {
        '{"seat": 0, "index": 1}',
        '{"deck": 1}',
    }


def test_b12_a_refused_replacement_keeps_what_was_filled_in(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = having_drawn(cast, monkeypatch, "6").send("replace", "0.1", "0.2", **{"own-slot": "2"})
    assert answer.status_code == 422
    assert "Say at which end the new card goes" in answer.content.decode()
    form = forms_of(answer)["replace"]
    assert (form.sent["own-slot"], [*form.sent.values()].count('{"seat": 0, "index": 1}')) == ("2", 1)
