"""`replace` and `maker` make what the class makes, also where it does more than hold its fields."""

import dataclasses
from dataclasses import FrozenInstanceError, dataclass, field
from functools import cached_property
from typing import Any

import pytest

from games.engine.values import maker, replace


@dataclass(frozen=True)
class Hand:
    cards: tuple[str, ...]
    drawn: bool = False

    @cached_property
    def size(self) -> int:
        return len(self.cards)


@dataclass(frozen=True)
class Even:
    number: int
    half: int = field(init=False)

    def __post_init__(self) -> None:
        if self.number % 2:
            raise ValueError(self.number)
        object.__setattr__(self, "half", self.number // 2)


HAND = Hand(("9C", "TC"))


@pytest.mark.parametrize("changes", [{}, {"cards": ()}, {"drawn": True}, {"cards": ("JK",), "drawn": True}])
def test_the_copy_is_that_of_the_standard_library(changes: dict[str, Any]) -> None:
    copy = replace(HAND, **changes)
    assert copy == dataclasses.replace(HAND, **changes)
    assert hash(copy) == hash(dataclasses.replace(HAND, **changes))


def test_a_copy_is_frozen_like_its_original() -> None:
    with pytest.raises(FrozenInstanceError):
        replace(HAND, drawn=True).drawn = False  # type: ignore[misc]


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError):
        replace(HAND, card="9C")  # type: ignore[call-arg]


def test_what_was_computed_from_the_fields_is_computed_again() -> None:
    assert HAND.size == 2
    assert replace(HAND, cards=()).size == 0


def test_checks_of_the_class_are_made_again() -> None:
    assert replace(Even(2), number=8).half == 4
    with pytest.raises(ValueError, match="7"):
        replace(Even(2), number=7)


@pytest.mark.parametrize(
    ("cls", "fields"), [(Hand, {"cards": ("9C",), "drawn": True}), (Even, {"number": 8})]
)
def test_a_value_made_from_its_fields_is_that_of_its_class(cls: type, fields: dict[str, Any]) -> None:
    made: Any = maker(cls)({**fields})
    assert made == cls(**fields)
    assert replace(made) == made
