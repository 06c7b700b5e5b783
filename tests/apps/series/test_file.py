"""A series' file: verified with nothing but Python, and whatever was forged in it is named."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pgtrigger
import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.engine import chain
from games.verifier import GOOD, UNFINISHED, WRONG
from league import verify
from league.apps.series import queries
from league.apps.series.core import events as e
from league.apps.series.core import verifier
from league.apps.series.core.rule import Rule, Value
from league.apps.series.core.state import TypedTotal
from league.apps.series.models import Series, SeriesEvent
from league.apps.signed_log.check import differences
from league.apps.signed_log.models import LogLeaf
from league.apps.signed_log.queries import contradicted, proof_of
from league.apps.signed_log.signing import enter_and_sign
from league.core.portable import WrongFile
from league.models import Competition
from tests.apps.series.year import evening, say, totals, typed, year
from tests.apps.signed_log.test_signed_log import key_file
from tests.core.ids import uid
from tests.factories import Cast
from tests.league.playing import in_play
from tests.recorded import FILES

__all__ = ["key_file"]
Lines = list[str]


@pytest.fixture
def lines(cast: Cast) -> Lines:
    """The file of a closed series of two competitions and totals."""
    series = year(cast, Rule(), evening(cast, 3), evening(cast, 4), ranked="counted")
    people = tuple(str(player.pk) for player in cast.people(2))
    counted = e.Counted(players=people, since="2026-01-01")
    say(cast, series, counted, typed((cast.paul_plays, "100"), (cast.petra_plays, "1/2")), e.Closed())
    return [*queries.lines(series)]


def rechained(lines: Lines, change: Callable[[Any], object], *, hashes: bool = True) -> Lines:
    """Return the file with the series' entries changed, and all hashes made anew."""
    start = next(at for at, line in enumerate(lines) if line.startswith('{"seq"'))
    end = next(at for at, line in enumerate(lines) if '"competition":' in line and "trefoil" in line)
    entries = [json.loads(line) for line in lines[start:end]]
    change(entries)
    head = chain.ORIGIN
    for seq, entry in enumerate(entries, 1):
        kept = entry.pop("hash")
        entry["seq"] = seq if hashes else entry["seq"]
        head = chain.link(head, entry)
        entry["hash"] = head if hashes else kept
    return numbered([*lines[:start], *map(json.dumps, entries), *lines[end:-1]])


def numbered(lines: Lines) -> Lines:
    return [*lines, json.dumps({"lines": len(lines)})]


def verdict(lines: Lines, file: Path) -> int:
    file.write_text("\n".join(lines))
    return verify.main([str(file)])


def test_a_file_gives_the_table_that_the_site_shows(cast: Cast, lines: Lines, tmp_path: Path) -> None:
    report = verifier.check(verifier.read(lines))
    assert {row.person: str(row.total) for row in report.table.rows} == {
        str(person): total for person, total in totals(Series.objects.get()).items()
    }
    assert verdict(lines, tmp_path / "file") == GOOD


def of_recorded(*names: str) -> Lines:
    """Return the file of a series of recorded leagues, made without database or server."""
    files = [(FILES / f"{name}.jsonl").read_text(encoding="utf-8").split("\n") for name in names]
    opened = e.Opened("Recorded", Rule(value=Value(by="beaten")))
    added = [
        e.EveningAdded(json.loads(file[0])["competition"], f"2026-11-{at:02}")
        for at, file in enumerate(files, 1)
    ]
    log, head = list[str](), chain.ORIGIN
    for seq, event in enumerate((opened, *added, e.Closed()), 1):
        at = f"2026-12-01T00:00:{seq:02}.000000Z"
        entry: dict[str, Any] = {
            "seq": seq,
            "role": "organiser",
            "account": uid("olga"),
            "event": e.write(event),
            "at": at,
        }
        head = chain.link(head, entry)
        log.append(json.dumps({**entry, "hash": head}))
    header = verifier.Header(uid("series"), "recorded", "Recorded")
    return [*verifier.written(header, {}, log, [[line for line in file if line] for file in files])]


def test_the_verifier_needs_nothing_but_python_and_says_what_it_takes_as_given(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("\n".join(of_recorded("partners-01", "swiss-01")), encoding="utf-8")
    command = [sys.executable, "-I", "-S", "-c"]
    code = f"import sys; sys.path.insert(0, {str(settings.BASE_DIR)!r}); from league import verify; "
    said = subprocess.run(
        [*command, f"{code}sys.exit(verify.main([{str(tmp_path / 'file')!r}]))"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == GOOD, said.stderr
    assert "Recorded: 2 evenings, 2 played, 4 entries" in said.stdout
    assert "   1. Player " in said.stdout and "\nverified\n" in said.stdout
    assert "taken as given, since nothing else says it: who is ranked" in said.stdout


def file_of(*happened: e.Event, players: Sequence[str] = ()) -> Lines:
    """Return the file of a series without competitions, made without database or server."""
    log, head = list[str](), chain.ORIGIN
    for seq, event in enumerate((e.Opened("Typed in"), *happened), 1):
        entry: dict[str, Any] = {"seq": seq, "role": "organiser", "account": uid("olga")}
        entry |= {"event": e.write(event), "at": "2026-12-01T00:00:00.000000Z"}
        head = chain.link(head, entry)
        log.append(json.dumps({**entry, "hash": head}))
    header = verifier.Header(uid("series"), "typed-in", "Club")
    return [*verifier.written(header, dict.fromkeys(players, "Somebody"), log, [])]


def test_totals_that_add_up_to_thousands_of_digits_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann = uid("ann")
    fine = [
        e.EveningTypedIn("2026-11-01", "Fine", (TypedTotal(ann, f"1/{999_999_999 - at}"),))
        for at in range(600)
    ]
    assert verdict(file_of(*fine, players=[ann]), tmp_path / "file") == WRONG
    assert "too fine to be added" in capsys.readouterr().err


def test_a_file_is_unfinished_while_the_series_or_an_evening_goes_on(cast: Cast, tmp_path: Path) -> None:
    series = year(cast, Rule(), in_play(cast, 4))
    assert verdict([*queries.lines(series)], tmp_path / "file") == UNFINISHED


def other_total(entries: list[Any]) -> None:
    next(each for each in entries if each["event"]["type"] == "evening_typed_in")["event"]["totals"][0][
        "points"
    ] = "200"


def another_rule(entries: list[Any]) -> None:
    entries[0]["event"]["rule"] = {"count": {"best": 1}}


def nobody_counted(entries: list[Any]) -> None:
    counted = next(each for each in entries if each["event"]["type"] == "counted")
    counted["event"]["players"] = counted["event"]["players"][:1]


@pytest.mark.parametrize("change", [other_total, another_rule, nobody_counted])
def test_an_entry_that_was_changed_does_not_fit_its_hash(
    lines: Lines, change: Callable[[Any], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verdict(rechained(lines, change, hashes=False), tmp_path / "file") == WRONG
    assert "its hash does not fit" in capsys.readouterr().err


def refused(lines: Lines) -> str:
    with pytest.raises(WrongFile) as wrong:
        verifier.check(verifier.read(lines))
    return str(wrong.value)


def without_a_competition(lines: Lines) -> Lines:
    start = [at for at, line in enumerate(lines) if line.startswith('{"trefoil"')][-1]
    return numbered(lines[:start])


def test_an_evening_that_was_left_out_is_missed(lines: Lines) -> None:
    assert "must hold the competitions of the series' evenings" in refused(without_a_competition(lines))


def test_a_competition_of_no_evening_is_refused(lines: Lines) -> None:
    def remove(entries: list[Any]) -> None:
        entries.pop(1)

    assert "must hold the competitions of the series' evenings" in refused(rechained(lines, remove))


def test_a_forged_competition_is_refused_with_its_id(lines: Lines) -> None:
    at = next(at for at, line in enumerate(lines) if '"result_recorded"' in line)
    entry = json.loads(lines[at])
    entry["event"]["seats"][0]["score"] += 1
    competition = str(Competition.objects.order_by("opened_at")[0].pk)
    assert refused([*lines[:at], json.dumps(entry), *lines[at + 1 :]]).startswith(
        f"competition {competition}: "
    )


def by_a_player(entries: list[Any]) -> None:
    entries[0]["role"] = "player"


def by_nobody(entries: list[Any]) -> None:
    entries[0]["account"] = None


def spelt_otherwise(entries: list[Any]) -> None:
    entries[1]["event"]["weight"] = 1


def of_nothing(entries: list[Any]) -> None:
    entries[1]["event"] = {"type": "evening_removed", "evening": 9, "reason": "none"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (by_a_player, "its role may not write such an event"),
        (by_nobody, "it names an account just where the server did not write it"),
        (spelt_otherwise, "its event is not in canonical form"),
        (of_nothing, "The series has no such evening."),
    ],
)
def test_an_entry_that_nobody_could_write_is_refused(
    lines: Lines, change: Callable[[Any], None], why: str
) -> None:
    assert why in refused(rechained(lines, change))


def test_names_must_be_those_of_the_log(lines: Lines) -> None:
    at = next(at for at, line in enumerate(lines) if line.startswith('{"player"'))
    assert "must name the players" in refused(numbered([*lines[:at], *lines[at + 1 : -1]]))


@pytest.mark.parametrize("cut", [1, 2, 20])
def test_a_file_that_was_cut_is_refused(lines: Lines, cut: int) -> None:
    assert "lines were added or are missing" in refused(lines[:-cut])


# ---- The signed log ------------------------------------------------------------------------------


def test_all_entries_of_a_series_are_in_the_signed_log(
    cast: Cast, lines: Lines, key_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    enter_and_sign()
    series = Series.objects.get()
    proof = Client().get(reverse("api:series-proof", args=[series.pk])).content.decode()
    assert proof.startswith(str(proof_of(verifier.KIND, series.pk, series.seq)))
    (tmp_path / "file").write_text("\n".join(lines))
    (tmp_path / "proof").write_text(proof)
    assert LogLeaf.objects.filter(kind="series", subject=series.pk).count() == series.seq
    assert verify.main([str(tmp_path / "file"), "--head", str(tmp_path / "proof")]) == GOOD
    said = capsys.readouterr().out
    assert f"entry {series.seq} " in said
    for competition in Competition.objects.all():
        assert f": competition {competition.pk}, entry {competition.seq} of {competition.seq}\n" in said


def rewritten(lines: Lines) -> Lines:
    """Return the file with the last entry of its last competition at another time, and a hash for that."""
    at = next(at for at in range(len(lines) - 1, 0, -1) if '"finished"' in lines[at])
    entry, before = json.loads(lines[at]), json.loads(lines[at - 1])
    del entry["hash"]
    entry["at"] = "2037" + entry["at"][4:]
    forged = {**entry, "hash": chain.link(before["hash"], entry)}
    return [*lines[:at], json.dumps(forged), *lines[at + 1 :]]


def test_a_competition_that_was_rewritten_is_not_the_one_in_the_signed_log(
    lines: Lines, key_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    enter_and_sign()
    proof = Client().get(reverse("api:series-proof", args=[Series.objects.get().pk])).content.decode()
    (tmp_path / "proof").write_text(proof)
    assert verdict(rewritten(lines), tmp_path / "file") == GOOD
    assert "give the proof with --head" in capsys.readouterr().out
    assert verify.main([str(tmp_path / "file"), "--head", str(tmp_path / "proof")]) == WRONG
    assert "the proof leads to another root" in capsys.readouterr().err


def test_a_proof_that_leaves_out_a_competition_is_refused(
    lines: Lines, key_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    enter_and_sign()
    (tmp_path / "file").write_text("\n".join(lines))
    series = Series.objects.get()
    (tmp_path / "proof").write_text(str(proof_of(verifier.KIND, series.pk, series.seq)))
    assert verify.main([str(tmp_path / "file"), "--head", str(tmp_path / "proof")]) == WRONG
    assert "it has no proof for competition " in capsys.readouterr().err


def test_a_proof_of_a_competition_that_is_not_in_the_file_is_refused(
    cast: Cast, lines: Lines, key_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = evening(cast, 4)
    enter_and_sign()
    proof = Client().get(reverse("api:series-proof", args=[Series.objects.get().pk])).content.decode()
    (tmp_path / "proof").write_text(proof + str(proof_of("competition", other.pk, other.seq)))
    (tmp_path / "file").write_text("\n".join(lines))
    assert verify.main([str(tmp_path / "file"), "--head", str(tmp_path / "proof")]) == WRONG
    assert f"proof for the competition {other.pk}, which is not in the file" in capsys.readouterr().err


def test_a_series_that_was_rewritten_is_named_and_publishes_nothing_more(
    cast: Cast, lines: Lines, key_file: Path
) -> None:
    enter_and_sign()
    series = Series.objects.get()
    with pgtrigger.ignore("series.SeriesEvent:series_event_update_refused"):
        SeriesEvent.objects.filter(seq=series.seq).update(hash="00" * 32)
    say(cast, series, e.Reopened(reason="forged"))
    enter_and_sign()
    assert contradicted() == [f"series {series.pk}"]
    found = [*differences({})]
    assert any(each.startswith(f"series {series.pk}: entry {series.seq - 1} is not") for each in found)
