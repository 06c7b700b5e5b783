"""Sizes and rooms in a log can't be changed afterwards: the stand-alone verifier names draw or event."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from games.verifier import WRONG
from league.core import portable, verifier
from league.core.portable import File, WrongFile
from tests.recorded import FILES
from tests.recorded.test_who import chained

Events = list[dict[str, Any]]


def changed(name: str, change: Callable[[Events], object]) -> File:
    """Return a recorded league with events changed, and all hashes made anew."""
    file = portable.read((FILES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
    log = [json.loads(line) for line in file.log]
    change([entry["event"] for entry in log])
    return File(file.header, file.players, chained(log), file.games)


def first(events: Events, kind: str, **having: Any) -> dict[str, Any]:
    return next(each for each in events if each["type"] == kind and having.items() <= each.items())


def other_sizes(events: Events) -> None:
    next(each for each in events if each.get("sizes"))["sizes"] = [[5, 3, 3]]


def sizes_as_planned(events: Events) -> None:
    next(each for each in events if each.get("sizes"))["sizes"] = [[4, 4, 3]]


def sizes_for_more(events: Events) -> None:
    next(each for each in events if each.get("sizes"))["sizes"] = [[6, 6]]


def no_sizes(events: Events) -> None:
    del next(each for each in events if each.get("sizes"))["sizes"]


def other_rooms(events: Events) -> None:
    # Entry 6 sits at table 5, which is the second then.
    first(events, "rooms_set")["rooms"] = [{"name": "Hall", "first": 4, "last": 7}]


def rooms_that_overlap(events: Events) -> None:
    first(events, "rooms_set")["rooms"] = [
        {"name": "Bar", "last": 5},
        {"name": "Hall", "first": 5, "last": 7},
    ]


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("sizes-01", other_sizes, "The draw is not the one"),
        ("sizes-01", sizes_as_planned, "The cut-off does not match"),
        ("sizes-01", sizes_for_more, "These tables have 12 seats"),
        ("sizes-01", no_sizes, "The draw is not the one"),
        ("rooms-01", other_rooms, "The draw is not the one"),
        ("rooms-01", rooms_that_overlap, "no table can be in two"),
    ],
)
def test_changed_sizes_and_rooms_are_found(name: str, change: Callable[[Events], object], told: str) -> None:
    assert re.search(told, verdict(changed(name, change)))


def verdict(file: File) -> str:
    """Return what the verifier says of a file that it does not verify."""
    try:
        report = verifier.check(file)
    except WrongFile as wrong:
        return str(wrong)
    assert report.code == WRONG
    return "\n".join(verifier.differences(report))
