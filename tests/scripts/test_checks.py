"""The checks of logs and shuffles that a reader's browser makes, against the engine's."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from games import rules, verifier
from games.engine.replay import AnyRuleset
from games.rules import RULESETS
from league.ops.folders import TOP
from tests.rules.folders import golden_of
from tests.scripts.node import found

DEALT = [ruleset for ruleset in RULESETS if ruleset.dealt]


def test_the_vectors_of_chance_hold() -> None:
    text = (TOP / "docs/chance.md").read_text()
    block = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert block
    vectors = json.loads(block[1])
    # JavaScript's JSON holds no number of 64 bits.
    draws = [each for each in vectors["draws"] if each["draw"] != "words" and each["purpose"] != "wide"]
    code = """
      const hex = (seed) => Buffer.from(seed).toString("hex");
      return {
        draws: given.draws.map((each) => String(made.repeated(Buffer.from(given.seed, "hex"), each))),
        commitments: given.seeds.map((each) => made.commitment(each.secret)),
        seeds: given.seeds.map((each) => hex(made.gameSeed(each.secret, each.entropy))),
      };"""
    repeated = found("checks.js", code, {**vectors, "draws": draws})
    assert repeated["seeds"] == [each["seed"] for each in vectors["seeds"]]
    assert repeated["commitments"] == [each["commitment"] for each in vectors["seeds"]]
    assert repeated["draws"] == [_joined(each["gives"]) for each in draws]


def _joined(gives: Any) -> str:
    return ",".join(map(str, gives)) if isinstance(gives, list) else str(gives)


def test_names_are_sorted_by_code_point() -> None:
    value = {"\U0001f0a1": 1, "\uffee": [None, True, 'a"\\\n\u2028é'], "a": {"b": 2, "ab": -3}}
    expected = '{"a":{"ab":-3,"b":2},"\uffee":[null,true,"a\\"\\\\\\n\u2028é"],"\U0001f0a1":1}'
    assert found("checks.js", "return made.canonical(given);", value) == expected


def checked(cases: Sequence[Mapping[str, Any]]) -> Any:
    """Return what the check of each game finds, or the step and place where it is wrong."""
    code = """return given.map(({ log, draws, head, due }) => {
      try { return made.checkGame(log, draws, head, due); }
      catch (error) { return `${error.step} ${error.where}`; }
    });"""
    return found("checks.js", code, cases)


def case(log: str) -> dict[str, Any]:
    """Return a game's file with what the server says of it."""
    lines = log.splitlines()
    report = verifier.check(lines)
    return {"log": log, "draws": list(verifier.draws(lines)), "head": report.head, "due": report.purposes}


@pytest.mark.parametrize("ruleset", DEALT, ids=lambda ruleset: ruleset.key)
def test_every_shuffle_of_every_golden_game_is_the_engines(ruleset: AnyRuleset) -> None:
    games = [case(path.read_text()) for path in golden_of(ruleset)]
    for game, found_out in zip(games, checked(games), strict=True):
        assert found_out["entries"] == len(game["log"].splitlines()) - 1
        assert found_out["made"] == [
            {"purpose": draw["purpose"], "gives": json.loads(json.dumps(draw["gives"]))}
            for draw in game["draws"]
        ]


CHANGES: Mapping[str, tuple[Callable[[dict[str, Any]], dict[str, Any]], str]] = {
    "another time": (lambda good: {"log": good["log"].replace('"at": "2', '"at": "1', 1)}, "chain 1"),
    "an entry less": (lambda good: {"log": good["log"].partition("\n")[2]}, "chain 1"),
    "another head": (lambda _: {"head": "0" * 64}, "head {entries}"),
    "another seed": (lambda good: {"log": with_seed(good["log"], "ab" * 32)}, "commitment 1"),
    "another shuffle": (lambda good: {"draws": with_other(good["draws"])}, "draws {purpose}"),
    "a shuffle less": (lambda good: {"draws": good["draws"][1:]}, "draws {purpose}"),
}


def with_seed(log: str, seed: str) -> str:
    *entries, end = log.splitlines()
    return "\n".join([*entries, json.dumps({**json.loads(end), "seed": seed})])


def with_other(draws: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    return [{**draws[0], "gives": "another"}, *draws[1:]]


def test_a_changed_game_is_wrong_where_it_was_changed() -> None:
    good = [case(golden_of(ruleset)[0].read_text()) for ruleset in DEALT]
    changed = [{**each, **change(each)} for each in good for change, _ in CHANGES.values()]
    assert checked(changed) == [
        where.format(entries=len(each["log"].splitlines()) - 1, purpose=each["draws"][0]["purpose"])
        for each in good
        for _, where in CHANGES.values()
    ]


def test_no_draw_is_missing_not_even_the_last_of_its_kind() -> None:
    tied = case((golden_of(rules.find("scamper"))[0].parent / "a-tie-for-the-deal.jsonl").read_text())
    for draw in tied["draws"]:
        others = [each for each in tied["draws"] if each is not draw]
        assert checked([{**tied, "draws": others}]) == [f"draws {draw['purpose']}"]
