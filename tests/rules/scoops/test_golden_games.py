"""The golden games between them see all of Scoops: what they have seen is read off their replay."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from games.engine import replay
from games.engine.replay import Position
from games.rules.scoops.contract import GOALS, RULES, SPECIALS
from games.rules.scoops.state import IN_ORDER, Round, Row
from tests.rules.recording import replayed
from tests.rules.scoops.scenarios import LOGS, SCENARIOS

MUST_BE_SEEN: Final = {
    *(f"goal {goal.name}" for goal in GOALS),
    *(f"rule {rule.name}" for rule in RULES),
    *(f"special {special}" for special in SPECIALS),
    *(f"lay_down in {goal.name}" for goal in GOALS if goal.parts),
    *("meld in Float", "float in Float", "count for the knocker", "count for another"),
    *("deck at a turn's start", "deck in last turns", "turns used up", "scoop bonus"),
    *("over by target", "over by limit of rounds", "over by resign", "over by forfeit", "over by abandon"),
    *("first place shared", "entropy of a seat", "no entropy", "ready by the clock", "penalty"),
    *("timeout in draw", "timeout in assign", "timeout in last turns"),
    *("system in draw", "system in last turns", "forfeit by the arbiter", "forfeit by the clock"),
    *("draw from the deck", "draw from the own pile", "draw from another pile"),
    *("assign in another order", "float onto a book", "float onto a low end", "float onto a high end"),
    *("keep", "a wild card laid", "knock with sets", "knock without sets", "sets in a last turn"),
    "a count without a seat that has left",
}


def test_the_golden_games_see_every_goal_rule_special_and_end() -> None:
    seen = {sight for path in LOGS.glob("*.jsonl") for sight in sights(path)}
    assert not MUST_BE_SEEN - seen


def test_every_golden_game_has_its_scenario() -> None:
    assert {path.stem for path in LOGS.glob("*.jsonl")} == {*SCENARIOS}


def test_the_golden_games_are_of_every_number_of_seats() -> None:
    assert {last_position(path).seats for path in LOGS.glob("*.jsonl")} == {*range(2, 10)}


def last_position(path: Path) -> Position:
    *_, (_, position) = replayed(path)
    return position


def sights(path: Path) -> Iterator[str]:
    """Yield in words what a golden game has seen."""
    games = list(replayed(path))
    for (_, before), (entry, _) in pairwise(games):
        yield from of_entry(before, entry)
    entry, last = games[-1]
    yield from of_end(last, entry["move"]["type"])
    for row in last.state.rows:
        yield from of_row(row)


def of_entry(before: Position, entry: dict[str, Any]) -> Iterator[str]:
    move, role = entry["move"], entry["role"]
    kind = "timeout" if move["type"] == "timeout" else role
    if before.joining:
        yield from of_joining(move, role)
        return
    table = before.state.round
    if move["type"] == "forfeit":
        yield f"forfeit by the {role}"
    if move["type"] in before.ruleset.moves or move["type"] == "timeout":
        yield f"{kind} in {'last turns' if table.knocker is not None else table.phase}"
    yield from of_move(table, move)


def of_joining(move: dict[str, Any], role: str) -> Iterator[str]:
    if role == "clock":
        yield "ready by the clock"
    elif move["type"] == "ready":
        yield "entropy of a seat" if move.get("entropy") else "no entropy"


def of_move(table: Round, move: dict[str, Any]) -> Iterator[str]:
    match move["type"]:
        case "draw":
            source = {"deck": "the deck", table.seat: "the own pile"}.get(move["from"], "another pile")
            yield f"draw from {source}"
        case "assign" if (tuple(move["special"]), move["rule"], move["goal"]) != rolled():
            yield "assign in another order"
        case "float":
            yield f"float onto a {move['end']} end" if "end" in move else "float onto a book"
        case "discard" if table.knocker is not None and move.get("melds"):
            yield "sets in a last turn"
        case "discard" if move.get("knock"):
            yield f"knock {'with' if move.get('melds') else 'without'} sets"
        case "keep" | "penalty":
            yield move["type"]


def rolled() -> tuple[tuple[int, ...], int, int]:
    return IN_ORDER.special, IN_ORDER.rule, IN_ORDER.goal


def of_row(row: Row) -> Iterator[str]:
    yield f"goal {row.contract.goal.name}"
    yield f"rule {row.contract.rule.name}"
    yield f"special {row.contract.special}"
    yield of_ending(row)
    if any(laid.scoop and laid.seat == row.winner for laid in row.melds):
        yield "scoop bonus"
    if row.counts and None in row.counts:
        yield "a count without a seat that has left"
    if any(laid.reading.wild for laid in row.melds):
        yield "a wild card laid"


def of_ending(row: Row) -> str:
    match row.ending:
        case "count":
            return f"count for {'the knocker' if row.winner == row.knocker else 'another'}"
        case "deck":
            return "deck at a turn's start" if row.knocker is None else "deck in last turns"
        case "turns":
            return "turns used up"
        case _:
            return f"{row.ending} in {row.contract.goal.name}"


def of_end(last: Position, kind: str) -> Iterator[str]:
    result = replay.result(last)
    if result is None or len(last.teams_left) == 1:
        yield f"over by {kind}"
        return
    reached = max(last.state.totals()) >= last.options.target
    yield f"over by {'target' if reached else 'limit of rounds'}"
    if sum(placing.rank == 1 for placing in result.seats) > 1:
        yield "first place shared"
