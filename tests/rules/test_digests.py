"""A golden game that has changed is noticed: it needs a new edition."""

import json
from pathlib import Path

from tests.rules.digests import computed, differences, digests, recorded
from tests.rules.folders import golden_of
from tests.toys import TOYS


def test_the_golden_games_are_those_that_were_recorded() -> None:
    assert not (found := differences(recorded(), computed())), "\n".join(("", *found))


def test_every_difference_is_named() -> None:
    before, now = {"a@1 x": "1", "a@1 y": "2"}, {"a@1 x": "3", "a@1 z": "4"}
    assert differences(before, now) == [
        "a@1 x has changed: what alters a recorded game is a new edition.",
        "a@1 y is gone: golden games of a released edition stay.",
        "a@1 z is new: run python -m tests.rules.digests.",
    ]


def test_another_result_or_another_entry_gives_another_digest(tmp_path: Path) -> None:
    log = golden_of(TOYS[0])[0]
    *entries, last, end = log.read_text("utf-8").splitlines()
    other_end = json.dumps({**json.loads(end), "result": None})
    other_last = json.dumps({**json.loads(last), "hash": "0" * 64})
    found = {digests(log)}
    for number, lines in enumerate(([*entries, last, other_end], [*entries, other_last, end])):
        changed = tmp_path / f"{number}.jsonl"
        changed.write_text("\n".join(lines), "utf-8")
        found.add(digests(changed))
    assert len(found) == 3
