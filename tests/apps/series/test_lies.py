"""Who lies by files is told so in a sentence: by the server that reads them, and by the verifier."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from games.engine import chain
from games.engine.refusals import Illegal, Malformed
from games.engine.values import replace
from games.verifier import UNFINISHED, WRONG
from league import verify
from league.apps.series import bringing, projections, queries
from league.apps.series.core import events as e
from league.apps.series.core.beside import opening_of
from league.apps.series.core.rule import Count, Rule
from league.apps.series.models import Series, SeriesEvent
from league.core import portable
from league.models import Competition
from league.queries import verification
from tests.apps.series.year import evening, say, typed, year
from tests.factories import Cast
from tests.recorded import FILES

FILE = FILES / "swiss-01.jsonl"
OTHERS = Rule(count=Count(brought=True))
Lines = list[str]


def lines_of(file: Path = FILE) -> Lines:
    return [line for line in file.read_text(encoding="utf-8").split("\n") if line]


def headed(lines: Lines, **header: Any) -> Lines:
    """Return a file with another first line."""
    return [json.dumps({**json.loads(lines[0]), **header}, ensure_ascii=False), *lines[1:]]


def with_details(lines: Lines, **told: Any) -> Lines:
    """Return a file whose competition tells something."""
    return counted([lines[0], json.dumps({"details": told}), *lines[1:-1]])


def counted(lines: Lines) -> Lines:
    return [*lines, json.dumps({"lines": len(lines)})]


def bytes_of(lines: Lines) -> bytes:
    return "\n".join(lines).encode()


def brought(cast: Cast, lines: Sequence[str]) -> e.EveningBrought:
    """Return the event with which Paul brings a file as the second player of it."""
    file, report = bringing.read("\n".join(lines).encode())
    people = bringing.matched(file, [cast.paul_plays], bringing.lines_in("Paul Pike = Player 2"))
    return bringing.brought(file, report, people)


# ---- To the server ----


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (bytes_of(headed(lines_of(), club="  ")), "does not name its club"),
        (bytes_of(lines_of()).decode().encode("utf-16"), "not text"),
        (b"\x1f\x8b\x08\x00" + b"\x00" * 100, "not text"),
        (b"\x00" * 1000, "not a competition's file"),
        (bytes_of([*lines_of()[:20], *lines_of()[40:]]), "lines were added or are missing"),
        (bytes_of(counted([*lines_of()[:20], *lines_of()[40:-1]])), "is wrong"),
        (bytes_of(counted([*lines_of()[:20], "[" * 100_000])), "nested too deeply"),
        (bytes_of(headed(lines_of())).replace(b'"trefoil": 1', b'"trefoil": ' + b"9" * 5000), "too long"),
        (bytes_of(headed(lines_of())).replace(b'"trefoil": 1', b'"trefoil": 1, "trefoil": 1'), "twice"),
    ],
    ids=["club", "utf-16", "gzip", "nul", "cut", "counted", "deep", "digits", "double"],
)
def test_a_file_that_lies_is_refused_with_a_sentence(data: bytes, said: str) -> None:
    with pytest.raises(Malformed) as refused:
        bringing.read(data)
    assert said in str(refused.value.errors["file"])


@pytest.mark.parametrize("day", ["2031-01-01", "2026-09-01"])
def test_an_evening_is_not_moved_to_another_time_of_the_year(cast: Cast, day: str) -> None:
    with pytest.raises(Malformed) as refused:
        brought(cast, with_details(lines_of(), begins_on=day))
    assert day in str(refused.value.errors["file"])
    assert brought(cast, with_details(lines_of(), begins_on="2026-10-30")).on == "2026-10-30"


def test_points_that_can_not_be_written_are_refused(cast: Cast) -> None:
    with pytest.raises(Malformed) as refused:
        brought(cast, adjusted(lines_of(), 700))
    assert "too long to be written" in str(refused.value.errors["file"])


def adjusted(lines: Lines, times: int) -> Lines:
    """Return the file with points of an entry adjusted so often in the last round, all by other fractions."""
    start = next(at for at, line in enumerate(lines) if line.startswith('{"seq"'))
    end = next(at for at, line in enumerate(lines) if line.startswith('{"game"'))
    entries = [json.loads(line) for line in lines[start:end]]
    at = max(at for at, each in enumerate(entries) if each["event"]["type"] == "round_closed")
    entry = next(each["event"]["entry"] for each in entries if each["event"]["type"] == "entered")
    for number in range(times):
        event = {"type": "adjusted", "entry": entry, "points": f"1/{999_999_999 - number}", "reason": "x"}
        entries.insert(at, {**entries[at], "event": event, "role": "organiser"})
    head = chain.ORIGIN
    for seq, each in enumerate(entries, 1):
        del each["hash"]
        each["seq"] = seq
        head = each["hash"] = chain.link(head, each)
    return counted([*lines[:start], *map(json.dumps, entries), *lines[end:-1]])


def test_an_evening_is_brought_once_whatever_id_its_file_says(cast: Cast) -> None:
    series = say(cast, year(cast, OTHERS), brought(cast, lines_of()))
    with pytest.raises(Illegal, match="already"):
        say(cast, series, brought(cast, headed(lines_of(), competition=str(uuid4()))))


@pytest.mark.parametrize("first", ["before", "after"])
def test_an_evening_is_brought_once_though_it_was_corrected_meanwhile(cast: Cast, first: str) -> None:
    after = brought(cast, lines_of())
    head = json.loads(lines_of()[40])["hash"]
    before = replace(after, brought=replace(after.brought, competition=str(uuid4()), head=head))
    one, other = (before, after) if first == "before" else (after, before)
    series = say(cast, year(cast, OTHERS), one)
    with pytest.raises(Illegal, match="already"):
        say(cast, series, other)


def test_an_evening_of_the_club_is_not_brought_as_another_clubs(cast: Cast) -> None:
    series, own = year(cast, OTHERS), evening(cast)
    lines = headed([*verification.lines(own)], competition=str(uuid4()))
    with pytest.raises(Malformed) as refused:
        bringing.refuse_own(series, opening_of(portable.read(lines)))
    assert "a competition of the club" in str(refused.value.errors)
    bringing.refuse_own(series, opening_of(portable.read(lines_of())))


def test_an_event_whose_rows_can_not_be_written_is_not_written_either(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = year(cast)
    monkeypatch.setattr(projections, "follow", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        say(cast, series, typed((cast.paul_plays, "1")))
    assert SeriesEvent.objects.count() == Series.objects.get().seq == 1


# ---- To the verifier ----


@pytest.fixture
def series(cast: Cast) -> Series:
    """A year of an evening of the club's own, and one that Paul brought."""
    return say(cast, year(cast, OTHERS, evening(cast)), brought(cast, lines_of()))


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Return what the verifier says of a series' file with these contents beside it."""

    def verdict(series: Series, *beside: bytes) -> tuple[int, str]:
        (tmp_path / "file").write_text("\n".join(queries.lines(series)), encoding="utf-8")
        given = [str(tmp_path / "file")]
        for number, content in enumerate(beside):
            (tmp_path / str(number)).write_bytes(content)
            given += ["--beside", str(tmp_path / str(number))]
        code = verify.main(given)
        said = capsys.readouterr()
        return code, said.err or said.out

    return verdict


def test_a_file_beside_that_lies_is_named_in_a_sentence(series: Series, check: Any) -> None:
    own = [*verification.lines(Competition.objects.get())]
    lies = {
        b"": "file 1 beside: line 1: this is not a competition's file",
        b"\x00" * 9: "file 1 beside: line 1: this is not a competition's file",
        b"\xff\xfe": "is not text in UTF-8",
        bytes_of(counted([*lines_of()[:20], "[" * 100_000])): "nested too deeply",
        bytes_of([*lines_of()[:20], *lines_of()[40:]]): "file 1 beside: line 289: lines were added",
        bytes_of(counted([*lines_of()[:20], *lines_of()[40:-1]])): ", the file beside: the competition's log",
        bytes_of(headed(lines_of(), competition=str(uuid4()))): "no evening was brought from the file",
        bytes_of(headed(own, competition=str(uuid4()))): "file 1 beside: this competition is given twice",
        bytes_of([*queries.lines(series)]): "file 1 beside: line 1: it must have competition",
    }
    assert [
        (lie[:9], check(series, lie)) for lie, said in lies.items() if said not in check(series, lie)[1]
    ] == []
    assert {check(series, lie)[0] for lie in lies} == {WRONG}


def test_one_file_is_not_given_twice(series: Series, check: Any) -> None:
    file, other = bytes_of(lines_of()), bytes_of(headed(lines_of(), competition=str(uuid4())))
    for given in ((file, file), (file, other)):
        assert check(series, *given) == (WRONG, "file 2 beside: this competition is given twice\n")


def test_a_day_on_which_it_was_not_played_is_named(cast: Cast, check: Any) -> None:
    event = replace(brought(cast, lines_of()), on="2027-03-01")
    code, said = check(say(cast, year(cast, OTHERS), event), bytes_of(lines_of()))
    assert code == WRONG and "its log was not written at the time of 2027-03-01" in said


def test_a_club_that_renames_itself_and_people_verifies_as_before(series: Series, check: Any) -> None:
    renamed = [re.sub('^({"player".*"name": ")Player 2', r"\1Somebody", line) for line in lines_of()]
    assert len({*renamed} - {*lines_of()}) == 1
    code, said = check(series, bytes_of(headed(renamed, club="Renamed")))
    assert code == UNFINISHED and "brought from another club: verified with its file" in said
