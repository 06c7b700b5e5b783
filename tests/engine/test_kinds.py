"""How declared values are read: what a refusal says."""

import pytest

from games.engine.kinds import AnyOf, Flag, ListOf, OneOf, Shape, Whole
from games.engine.refusals import Malformed


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        (OneOf((None,)), "This must be null."),
        (OneOf((True, "maybe", 2)), "This must be one of true, maybe, 2."),
        (AnyOf((Whole(1, 10), OneOf((None,)))), "This must be a whole number. Or: This must be null."),
        (AnyOf((Flag(), OneOf(("auto",)))), "This must be true or false. Or: This must be auto."),
    ],
)
def test_a_refusal_names_values_as_json_writes_them(shape: Shape, sentence: str) -> None:
    with pytest.raises(Malformed) as caught:
        shape.read("no", "rounds")
    assert caught.value.errors == {"rounds": [sentence]}


def test_a_list_tells_everything_that_is_wrong_in_its_items() -> None:
    with pytest.raises(Malformed) as caught:
        ListOf(Whole(0, 9), 0, 5).read([1, "x", 2, 10], "cards")
    assert [*caught.value.errors] == ["cards.1", "cards.3"]
