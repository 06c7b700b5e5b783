"""The checks of logs and shuffles that a reader's browser makes, against the engine's."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import pytest

from games import rules, verifier
from games.engine import chance, replay, shapes
from games.engine.chance import Chance, NotedChance
from games.engine.replay import AnyRuleset
from games.engine.turning_points import at_end_of_deal
from games.lines import read
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
    code = """
    const done = (steps) => { let at; do at = steps.next(); while (!at.done); return at.value; };
    return given.map(({ log, draws, head, due, shown }) => {
      try {
        const game = done(made.checkGame(log, draws, head, due));
        return { ...game, ...done(made.checkHands(game, shown)), log: null };
      } catch (error) { return `${error.step} ${error.where}`; }
    });"""
    return found("checks.js", code, [{**each, "seed": None} for each in cases])


def case(text: str) -> dict[str, Any]:
    """Return a game's file with what the server says of it, and what its replay shows of each deal."""
    log, noted = read(text.splitlines()), dict[str, Any]()
    assert log.end is not None
    opening = replay.read_opening(log.entries[0].move)
    position = verifier.replayed(opening, (), log.end["seed"], lambda seed: NotedChance(seed, noted))
    seed = chance.game_seed(position.secret, [text or "" for text in position.texts])
    shown, last = [], None
    for seq, actor, _account, move, _ in log.entries:
        if seq > 1:
            position = replay.played(position, actor, replay.read_move(position.ruleset, move))
        deal = None if position.joining else sum(ended < seq for ended, _ in position.ends)
        if deal != last:
            at = at_end_of_deal(position) or position
            shown.append({"seq": seq, "hands": at.ruleset.open_hands(at.state)})
        last = deal
    told = {"head": log.head, "due": list(noted), "draws": list(noted.values())}
    return {"log": text, "seed": seed, "shown": shown, **told}


@pytest.mark.parametrize("ruleset", DEALT, ids=lambda ruleset: ruleset.key)
def test_every_shuffle_of_every_golden_game_is_the_engines(ruleset: AnyRuleset) -> None:
    games = [case(path.read_text()) for path in golden_of(ruleset)]
    for game, found_out in zip(games, checked(games), strict=True):
        assert found_out["entries"] == len(game["log"].splitlines()) - 1
        assert found_out["deals"] == len(game["shown"]) > 0
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
    "another list and what it gives": (lambda good: {"draws": stacked(good)}, "draws {deal}"),
    "another bound": (
        lambda good: {"draws": [{**good["draws"][0], "bound": 99}, *good["draws"][1:]]},
        "draws {purpose}",
    ),
    "a purpose of no draw": (
        lambda good: {"draws": [*good["draws"], {**good["draws"][0], "purpose": "more"}]},
        "draws more",
    ),
    "two hands exchanged": (lambda good: {"shown": exchanged(good["shown"])}, "hands {deal}"),
    "a card exchanged": (lambda good: {"shown": exchanged(good["shown"], 1)}, "hands {deal}"),
    "a deal less": (lambda good: {"shown": []}, "hands {deal}"),
    "a deal more": (lambda good: {"shown": [*good["shown"], good["shown"][-1]]}, "hands round"),
}


def with_seed(log: str, seed: str) -> str:
    *entries, end = log.splitlines()
    return "\n".join([*entries, json.dumps({**json.loads(end), "seed": seed})])


def with_other(draws: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    return [{**draws[0], "gives": "another"}, *draws[1:]]


def stacked(good: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the draws with a first deal that gives sorted cards: its list is so ordered that it does."""
    deal = next(draw for draw in good["draws"] if draw["purpose"] == "round/1/deal")
    sources = Chance(good["seed"]).shuffled(deal["purpose"], range(len(deal["items"])))
    wanted = sorted(deal["items"])
    items = [card for _, card in sorted(zip(sources, wanted, strict=True))]
    return [{**deal, "items": items, "gives": wanted} if draw is deal else draw for draw in good["draws"]]


def exchanged(shown: Sequence[Mapping[str, Any]], cards: int = 99) -> Sequence[Mapping[str, Any]]:
    """Return what is shown of the deals with the first cards of the first two hands exchanged."""
    (one, other, *more), later = shown[0]["hands"], shown[1:]
    hands = [(*other[:cards], *one[cards:]), (*one[:cards], *other[cards:]), *more]
    return [{**shown[0], "hands": hands}, *later]


def test_a_changed_game_is_wrong_where_it_was_changed() -> None:
    good = [case(golden_of(ruleset)[0].read_text()) for ruleset in DEALT]
    changed = [{**each, **change(each)} for each in good for change, _ in CHANGES.values()]
    assert checked(changed) == [
        where.format(
            entries=len(each["log"].splitlines()) - 1,
            purpose=each["draws"][0]["purpose"],
            deal="round/1/deal",
        )
        for each in good
        for _, where in CHANGES.values()
    ]


def test_no_draw_is_missing_not_even_the_last_of_its_kind() -> None:
    tied = case((golden_of(rules.find("scamper"))[0].parent / "a-tie-for-the-deal.jsonl").read_text())
    for draw in tied["draws"]:
        others = [each for each in tied["draws"] if each is not draw]
        assert checked([{**tied, "draws": others}]) == [f"draws {draw['purpose']}"]


def openings(ruleset: AnyRuleset) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Yield what the opening says, and what is drawn in the first deal, at all seats and several options."""
    names = {field.name: field for field in shapes.record(ruleset.options).fields}
    packs, wild = (values if name in names else (None,) for name, values in VARIED.items())
    for seats, *chosen in product(ruleset.seats, packs, wild):
        given = {name: value for name, value in zip(VARIED, chosen, strict=True) if name in names}
        options, noted = ruleset.read_options(given, seats), dict[str, Any]()
        ruleset.start(options, seats, NotedChance(b"seed", noted))
        opening = {
            "ruleset": ruleset.name,
            "options": ruleset.write_options(options),
            "seats": [None] * seats,
        }
        yield opening, [{k: v for k, v in draw.items() if k != "gives"} for draw in noted.values()]


VARIED: Mapping[str, Sequence[Any]] = {"packs": (None, 5), "wild_cards": ("jokers", "none")}


@pytest.mark.parametrize("ruleset", DEALT, ids=lambda ruleset: ruleset.key)
def test_the_list_before_a_shuffle_follows_from_rules_options_and_seats(ruleset: AnyRuleset) -> None:
    cases = list(openings(ruleset))
    code = "return given.map(([opening, draws]) => draws.map((each) => made.drawFor(opening, each.purpose)));"
    assert found("dealing.js", code, cases) == [draws for _, draws in cases]
