"""The compiled readers read what the shapes read, and nothing else, in the moves of every game."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.common_moves import COMMON
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset
from games.engine.shapes import Unread, reader, record
from tests.rules.folders import golden_of
from tests.toys import EVERY

PIECES = st.sampled_from(
    [None, True, False, 0, 1, -1, 3, 10**9, 1.0, "", "9C", "JK", "deck", "run", "low", "m1", "x\n", "a" * 300]
)
JSON = st.recursive(
    PIECES,
    lambda parts: (
        st.lists(parts, max_size=3)
        | st.dictionaries(
            st.sampled_from(["kind", "cards", "seat", "index", "deck", "new"]), parts, max_size=2
        )
    ),
    max_leaves=4,
)


@cache
def moves_of(ruleset: AnyRuleset) -> list[Any]:
    """Return every move of the golden games that differs from the others."""
    logs = (path.read_text("utf-8").splitlines()[1:-1] for path in golden_of(ruleset))
    written = {json.dumps(json.loads(line)["move"]) for log in logs for line in log}
    return [json.loads(text) for text in sorted(written)]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container in a JSON value with each key or index of it."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


def judged(read: Any, move: Mapping[str, Any]) -> str | None:
    """Return what is read, with the types of its parts, or None where it is refused."""
    try:
        return repr(read(move))
    except (Unread, Malformed):
        return None


@pytest.mark.parametrize("ruleset", EVERY, ids=lambda ruleset: ruleset.key)
@given(data=st.data())
def test_a_changed_move_is_read_or_refused_by_both(ruleset: AnyRuleset, data: st.DataObject) -> None:
    move = json.loads(json.dumps(data.draw(st.sampled_from(moves_of(ruleset)))))
    shape = record({**ruleset.moves, **COMMON}[move.pop("type")])
    for container, key in data.draw(
        st.lists(st.sampled_from([*places(move)]), max_size=1) if move else st.just([])
    ):
        container[key] = data.draw(JSON)
    if data.draw(st.booleans()):
        move[data.draw(st.sampled_from([field.name for field in shape.fields] + ["new"]))] = data.draw(JSON)
    assert judged(reader(shape), move) == judged(lambda value: shape.read(value, ""), move)
