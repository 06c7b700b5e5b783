"""How long the body of a request may be, and what must fit into it."""

import json
from io import BytesIO
from re import _parser as parser
from types import SimpleNamespace
from typing import Any, Final

import pytest

from api import bodies
from api.errors import TooLarge
from api.requests import StrictJSONParser
from api.views.base import Operation
from games.engine import shapes
from games.engine.kinds import Builders
from games.rules import RULESETS
from tests.api.web import ROOT, assert_problem, bearer, say
from tests.factories import Cast

JSON: Final = "application/json"
ESCAPED: Final = 12
"""The bytes of a character outside the basic plane as JSON escapes it."""


def text_bytes(shape: Any, _: object) -> int:
    longest: int = parser.parse(shape.matching.pattern).getwidth()[1] if shape.matching else shape.high
    return 2 + longest * ESCAPED


BYTES: Final[Builders[int]] = {
    "flag": lambda _shape, _: 5,
    "number": lambda shape, _: max(len(str(shape.low)), len(str(shape.high))),
    "text": text_bytes,
    "choice": lambda shape, _: max(len(json.dumps(value)) for value in shape.values),
    "list": lambda shape, parts: 2 + shape.high * (parts[0] + 2),
    "rows": lambda shape, parts: 2 + shape.high * (parts[0] + 2),
    "record": lambda shape, parts: (
        2 + sum(len(f.name) + 6 + n for f, n in zip(shape.fields, parts, strict=True))
    ),
    "either": lambda _, parts: max(parts),
}
"""How many bytes the JSON of a value takes at most, as Python writes it."""


def test_the_longest_entries_on_a_score_card_fit_into_a_batch() -> None:
    entries = {(each.name, kind): each.moves[kind] for each in RULESETS for kind in each.entry_moves}
    longest = max(
        shapes.record(cls).fold(BYTES) + len(json.dumps({"type": kind})) for (_, kind), cls in entries.items()
    )
    assert bodies.MOST_MOVES * longest < bodies.MOST_OF_MOVES
    assert longest < bodies.MOST_OF_A_MOVE


@pytest.mark.parametrize(("below", "body", "most"), [
    ("moves/", {"seq": 2, "move": say(5)}, bodies.MOST_OF_A_MOVE),
    ("moves/batch/", {"seq": 2, "moves": [say(5)]}, bodies.MOST_OF_MOVES),
])  # fmt: skip
def test_a_body_may_be_so_long_and_no_longer(cast: Cast, below: str, body: Any, most: int) -> None:
    path, paul = f"{ROOT}/games/{cast.game('tally').pk}/{below}", bearer(cast.paul)
    written = json.dumps(body)
    shown = assert_problem(paul.generic("POST", path, written.ljust(most + 1), JSON), 413, "too_large")
    assert str(most) in shown["detail"]
    assert paul.generic("POST", path, written.ljust(most), JSON).status_code == 201


def test_a_body_is_refused_by_its_declared_length_before_it_is_read(cast: Cast) -> None:
    path, declared = f"{ROOT}/games/{cast.game('tally').pk}/accept/", bodies.MOST_OF_A_MOVE + 1
    answer = bearer(cast.paul).generic("POST", path, "{}", JSON, CONTENT_LENGTH=declared)
    assert_problem(answer, 413, "too_large")


def test_no_more_of_a_body_is_read_than_fits() -> None:
    view = SimpleNamespace(operation=Operation(body=bodies.Nothing))
    endless = BytesIO(b" " * 10 * bodies.MOST_OF_A_MOVE)
    with pytest.raises(TooLarge):
        StrictJSONParser().parse(endless, JSON, {"view": view})
    assert endless.tell() == bodies.MOST_OF_A_MOVE + 1
