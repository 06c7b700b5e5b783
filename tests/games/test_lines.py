"""A game's lines read in one pass are what the definition reads, and nothing else is taken."""

import json
import random
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import lines, rules
from games.engine import chain, replay
from games.engine.replay import Actor
from games.lines import Log, WrongLog
from tests.rules.folders import HERE
from tests.rules.randomplay import some_move
from tests.rules.recording import Recorder

GOLDEN = sorted(HERE.glob("*/logs/*.jsonl"))
SOME = [
    HERE / "scamper" / "logs" / "two-leave.jsonl",
    HERE / "scoops_scorecard" / "logs" / "a-club-night.jsonl",
]
LONGEST = 300
PIECES = [
    *'019-+.eé٣ \t\r\v\0"\\{}[],:\ud800',
    *("", "\\ud800", "null", "true", "1.5", "seat", "arbiter", '"at": "', '"type": "x", '),
]


def as_recorded(path: Path) -> list[str]:
    """Return a golden log's lines, in which each move begins with its type."""
    return path.read_text("utf-8").splitlines()


def as_exported(path: Path) -> list[str]:
    """Return them as the server writes them."""
    return exported(as_recorded(path))


def exported(log: Sequence[str]) -> list[str]:
    """Return lines as they come from columns of jsonb, which orders names by their length."""
    read = [json.loads(line) for line in log]
    return [
        json.dumps(
            {**line, "move": _ordered(line["move"])} if "move" in line else _ordered(line), ensure_ascii=False
        )
        for line in read
    ]


def _ordered(value: Any) -> Any:
    if isinstance(value, list):
        return [_ordered(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: _ordered(value[name]) for name in sorted(value, key=lambda name: (len(name), name))}


def numbered(log: Sequence[str]) -> list[tuple[int, str]]:
    return [*enumerate(log, 1)]


def linked(log: Sequence[str]) -> list[str]:
    """Return the lines with hashes that fit them, as a forger would write them; the others as they are."""
    head, fitting = chain.ORIGIN, []
    for line in log:
        before, separator, _ = line.rpartition(', "hash": "')
        try:
            entry = json.loads(before + "}")
            head = sha256(bytes.fromhex(head) + _canonical(entry)).hexdigest()
        except ValueError:
            separator = ""
        fitting.append(f'{before}{separator}{head}"}}' if separator else line)
    return fitting


def _canonical(entry: Any) -> bytes:
    return json.dumps(entry, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


@pytest.mark.parametrize("form", [as_recorded, as_exported])
def test_every_golden_log_is_read_in_one_pass(form: Any) -> None:
    for path in GOLDEN:
        log = numbered(form(path))
        assert lines.framed(log) == lines.defined(log), path


@pytest.mark.parametrize("key", [ruleset.key for ruleset in rules.RULESETS if ruleset.dealt])
def test_a_random_game_is_read_in_one_pass_and_replayed_as_the_definition_does(key: str) -> None:
    dice = random.Random(key)
    game = Recorder(key, dice.choice(rules.find(key).seats), secret=dice.randbytes(32))
    while game.position.status == "active" and len(game.entries) < LONGEST:
        seat = dice.choice(replay.to_act(game.position))
        game.seat(seat, some_move(dice.choice(replay.choices(game.position, seat)), dice))
    for log in ([*game.lines()], exported([*game.lines()])):
        in_one_pass = lines.framed(numbered(log))
        assert in_one_pass is not None
        assert in_one_pass == lines.defined(numbered(log))
    moves = ((Actor(entry["role"], entry["seat"]), entry["move"]) for entry in game.entries[1:])
    opened = replay.opened(game.ruleset, game.opening, game.secret)
    assert replay.folded(opened, moves) == game.position


def test_a_log_of_a_running_game_is_read_in_one_pass_too() -> None:
    log = numbered(as_recorded(SOME[0])[:-1])
    read = lines.framed(log)
    assert read == lines.defined(log)
    assert read and read.end is None


@given(st.data())
def test_what_is_changed_anywhere_is_judged_by_the_definition(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from([as_recorded, as_exported]))
    log = form(data.draw(st.sampled_from(SOME)))[:6] + form(SOME[0])[-1:]
    changed = data.draw(st.integers(0, len(log) - 1))
    line = log[changed]
    start = data.draw(st.integers(0, len(line)))
    stop = start + data.draw(st.integers(0, 3))
    piece = data.draw(st.sampled_from([*PIECES, line[start:stop] * 2, log[changed - 1][start:stop]]))
    log[changed] = line[:start] + piece + line[stop:]
    if data.draw(st.booleans()):
        log = linked(log)
    in_one_pass = lines.framed(numbered(log))
    if in_one_pass is not None:
        assert in_one_pass == lines.defined(numbered(log))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"seat": null', '"seat": true'),
        ('"seq": 1', '"seq": 01'),
        ('"seq": 1', '"seq": 2'),
        ('"account": null', '"account": "\\u0007"'),
        ('"account": null', f'"account": "{"a" * 65}"'),
        ("-01-01T", "-02-30T"),
        ("T19:", "T24:"),
        ('"entropy": false', '"entropy": 0.0'),
        ('"clock": {}', '"clock": {}, "clock": {}'),
        ('"clock": {}', '"clock": {"\\ud800": 1}'),
        ('"clock": {}}', '"clock": {}}, "move": {}'),
    ],
)
def test_a_forged_first_line_is_refused_as_the_definition_refuses_it(old: str, new: str) -> None:
    first, *rest = as_recorded(SOME[0])
    assert old in first
    forged = numbered(linked([first.replace(old, new, 1), *rest]))
    try:
        expected: Log | str = lines.defined(forged)
    except WrongLog as wrong:
        expected = str(wrong)
    assert lines.framed(forged) == (expected if isinstance(expected, Log) else None)
    if isinstance(expected, str):
        with pytest.raises(WrongLog) as caught:
            lines.read(line for _, line in forged)
        assert str(caught.value) == expected


def test_a_log_whose_time_goes_back_is_refused() -> None:
    first, second, *_rest = as_recorded(SOME[0])
    late = first.replace('"at": "20', '"at": "21', 1)
    with pytest.raises(WrongLog, match="entry 2 is wrong: it is earlier than the entry before"):
        lines.read(linked([late, second]))
