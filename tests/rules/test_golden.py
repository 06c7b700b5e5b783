"""Golden games: recorded logs that every later version must replay to the same end."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import pytest

from games import rules, verifier
from games.engine import shapes
from games.engine.jsontypes import Json
from games.engine.kinds import Field, Flag, OneOf
from games.engine.replay import AnyRuleset
from games.engine.shapes import Between
from tests.rules.folders import HERE, folder_for, golden_of
from tests.toys import EVERY, TOYS

pytestmark = pytest.mark.usefixtures("toys")

EACH = pytest.mark.parametrize("ruleset", EVERY, ids=lambda ruleset: ruleset.key)
GOLDEN = [(ruleset, path) for ruleset in EVERY for path in golden_of(ruleset)]


@pytest.mark.parametrize(
    ("ruleset", "path"), GOLDEN, ids=[f"{ruleset.key}/{path.stem}" for ruleset, path in GOLDEN]
)
def test_a_golden_game_replays_to_its_recorded_end(ruleset: AnyRuleset, path: Path) -> None:
    report = verifier.check(path.read_text(encoding="utf-8").split("\n"))
    assert report.replayed
    assert rules.find(report.ruleset).package == ruleset.package


def test_no_golden_game_is_left_out() -> None:
    assert {path for _, path in GOLDEN} == {*HERE.glob("*/logs/*.jsonl")}


def openings(ruleset: AnyRuleset) -> list[Any]:
    """Return the first move of each of the ruleset's golden games."""
    texts = (path.read_text(encoding="utf-8") for path in golden_of(ruleset))
    return [json.loads(text.split("\n")[0])["move"] for text in texts]


@EACH
def test_the_golden_games_play_every_option_both_as_usual_and_otherwise(ruleset: AnyRuleset) -> None:
    lacking = [
        sentence
        for field in shapes.record(ruleset.options).fields
        for sentence in never_played(
            ruleset, field, [each["options"].get(field.name, usual(field)) for each in openings(ruleset)]
        )
    ]
    assert not lacking, "\n".join(("", *lacking))


def usual(field: Field) -> Json:
    """Return the default of an option, which games that are older than the option were played with."""
    return cast("Json", json.loads(json.dumps(field.shape.write(field.default))))


def never_played(ruleset: AnyRuleset, field: Field, played: Sequence[Json]) -> Iterator[str]:
    """Yield a sentence for each value of an option that should be played and is not."""
    wanted = [usual(field), *(value for value in values_of(field.shape) if repr(value) != repr(usual(field)))]
    for value in wanted:
        if repr(value) not in map(repr, played):
            yield f"No golden log plays {field.name} as {json.dumps(value)}: {add_one(ruleset)}"
    if len(wanted) == 1 and all(value == usual(field) for value in played):
        yield f"No golden log plays {field.name} other than {json.dumps(usual(field))}: {add_one(ruleset)}"


def add_one(ruleset: AnyRuleset) -> str:
    return f"add one to tests/rules/{folder_for(ruleset).name}/logs/."


def values_of(shape: object) -> list[Json]:
    """Return all values of an option that has but a few."""
    values: tuple[Json, ...] = (True, False) if isinstance(shape, Flag) else ()
    return [*(shape.values if isinstance(shape, OneOf) else values)]


def tables_never_played(ruleset: AnyRuleset, played: Collection[int]) -> Iterator[str]:
    """Yield a sentence where the smallest or largest table is not played, and for one that is not allowed."""
    for size in sorted({min(ruleset.seats), max(ruleset.seats)} - {*played}):
        yield f"No golden log has {size} seats: {add_one(ruleset)}"
    for size in sorted({*played} - {*ruleset.seats}):
        yield f"A golden log of {ruleset.name} has {size} seats, which the ruleset does not allow."


@EACH
def test_the_golden_games_play_the_smallest_and_the_largest_table(ruleset: AnyRuleset) -> None:
    lacking = [*tables_never_played(ruleset, {len(opening["seats"]) for opening in openings(ruleset)})]
    assert not lacking, "\n".join(("", *lacking))


@dataclass(frozen=True)
class Choosable:
    """Options of each kind that is checked."""

    aces: Literal["high", "low"] = "high"
    jokers: bool = False
    rounds: Annotated[int, Between(1, 9)] = 3


def test_what_no_golden_log_plays_is_asked_for_with_its_place() -> None:
    aces, jokers, rounds = shapes.record(Choosable).fields
    toy, place = TOYS[0], "add one to tests/rules/high_card/logs/."
    assert [*never_played(toy, aces, ["high"])] == [f'No golden log plays aces as "low": {place}']
    assert [*never_played(toy, jokers, [True])] == [f"No golden log plays jokers as false: {place}"]
    assert [*never_played(toy, rounds, [3])] == [f"No golden log plays rounds other than 3: {place}"]
    assert [*never_played(toy, rounds, [1, 3])] == []
    assert [*tables_never_played(toy, {2, 5})] == [
        f"No golden log has 4 seats: {place}",
        "A golden log of high-card@1 has 5 seats, which the ruleset does not allow.",
    ]
