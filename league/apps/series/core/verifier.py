"""What ``python -m league.verify FILE`` checks of a series' file, which needs nothing but Python.

The file (docs/log.md) has the series' log and the whole file of each competition that is an evening of it.
Each of them is verified, and the table of the series is computed from them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.refusals import Illegal, Malformed
from games.lines import WrongLog, check_frame, checked_chain, is_id, parsed
from games.transparency.proofs import Logged
from games.verifier import GOOD, UNFINISHED, WRONG
from league.apps.series.core import events, ranking
from league.apps.series.core.beside import beside_it, opening_of
from league.apps.series.core.evenings import in_order, parts_of
from league.apps.series.core.parts import Part
from league.apps.series.core.ranking import Row, Table
from league.apps.series.core.state import Series
from league.core import portable
from league.core import verifier as competitions
from league.core.portable import WrongFile

ENTRY_FIELDS: Final = {"seq", "role", "account", "event", "at", "hash"}
ROLES: Final = ("organiser", "player", "system")
KIND: Final = "series"
"""How the signed log calls such logs."""
FORMAT: Final = 1
_BEGINS: Final = '{"trefoil":'
TAKEN_AS_GIVEN: Final = (
    "taken as given, since nothing else says it: who is ranked and from when, who won prizes or other "
    "tables, who declared what, which players are one person, and totals that were typed in"
)
COMPARED: Final = "verified with its file; who of it is whom here is taken as given"
NOT_COMPARED: Final = "taken as given; give its file with --beside FILE"
UNCHECKED: Final = "unchecked, since no file says it: whose accounts these are, and who was an organiser"

# ---- The log -------------------------------------------------------------------------------------


def folded(entries: Sequence[Mapping[str, Any]]) -> Series:
    """Return the state after all entries of a series' log; raise `WrongLog` at the first that is wrong.

    Each must be linked to the one before and be in canonical form, and its event must be possible, and one of
    those that its role may write.
    """
    checked_chain(entries, _check_entry)
    state: Series | None = None
    for entry in entries:
        event = _event(entry)
        if entry["role"] not in event.said_by:
            raise WrongLog(entry["seq"], "its role may not write such an event")
        if (entry["account"] is None) != (entry["role"] == "system"):
            raise WrongLog(entry["seq"], "it names an account just where the server did not write it")
        try:
            state = event.begin() if state is None else events.apply(state, event)
        except Illegal as refusal:
            raise WrongLog(entry["seq"], refusal.sentence) from None
    assert state is not None
    return state


def _check_entry(seq: int, entry: Mapping[str, Any]) -> None:
    check_frame(seq, entry, ENTRY_FIELDS, ROLES)


def _event(entry: Mapping[str, Any]) -> events.Event:
    try:
        event = events.read(entry["event"])
    except Malformed as refusal:
        raise WrongLog(entry["seq"], refusal.sentence) from None
    if events.write(event) != entry["event"]:
        raise WrongLog(entry["seq"], "its event is not in canonical form")
    return event


# ---- The file ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Header:
    """The first line: the series' id, and its address and its club's name on the server that wrote it."""

    series: str
    address: str
    club: str


def is_file(line: str) -> bool:
    """Return whether a line is the first of a series' file."""
    return line.startswith(f'{_BEGINS} {FORMAT}, "series":')


def written(
    header: Header, players: Mapping[str, str], log: Iterable[str], competitions: Iterable[Iterable[str]]
) -> Iterator[str]:
    """Yield a file's lines: header, players, the log, the file of each competition, and their number."""
    count = 0
    for line in _written(header, players, log, competitions):
        count += 1
        yield line
    yield _line({"lines": count})


def _written(
    header: Header, players: Mapping[str, str], log: Iterable[str], competitions: Iterable[Iterable[str]]
) -> Iterator[str]:
    yield _line({"trefoil": FORMAT, **vars(header)})
    for player in sorted(players):
        yield _line({"player": player, "name": players[player]})
    yield from log
    for lines in competitions:
        yield from lines


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True)
class File:
    """The parts of a file: players' names by id, the lines of the log, and those of competitions' files."""

    header: Header
    players: Mapping[str, str]
    log: Sequence[str]
    competitions: Sequence[Sequence[str]]

    @property
    def id(self) -> str:
        """Return the id of the series."""
        return self.header.series


def read(lines: Iterable[str]) -> File:
    """Return the parts of a file; raise `WrongFile` for a line that is not allowed where it is."""
    filled = [line for line in (line.rstrip("\r\n") for line in lines) if line]
    header = _object(1, filled[0])
    if {*header} != {"trefoil", "series", "address", "club"} or not is_id(header["series"]):
        raise WrongFile("line 1: this is not a series' file")
    if _object(len(filled), filled[-1]) != {"lines": len(filled) - 1}:
        raise WrongFile(f"line {len(filled)}: lines were added or are missing")
    players: dict[str, str] = {}
    log: list[str] = []
    files: list[list[str]] = []
    for number, line in enumerate(filled[1:-1], 2):
        if line.startswith(_BEGINS):
            files.append([line])
        elif files:
            files[-1].append(line)
        elif line.startswith('{"player":') and not log:
            player, name = portable.named(number, line, players)
            players[player] = name
        else:
            log.append(line)
    return File(Header(header["series"], header["address"], header["club"]), players, log, files)


def _object(number: int, line: str) -> Mapping[str, Any]:
    try:
        return parsed(None, line)
    except WrongLog as wrong:
        raise WrongFile(f"line {number}: {wrong.reason}") from None


# ---- The checks ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Report:
    """What a file leads to: the state, names of people, the reports on competitions, and the table.

    ``brought`` has for each evening of another club whether its file was beside. ``logs`` are those of the
    competitions, each of which the signed log must have too.
    """

    state: Series
    head: str
    names: Mapping[str, str]
    evenings: Sequence[competitions.Report]
    logs: Sequence[Logged]
    parts: Sequence[Part]
    table: Table
    brought: Mapping[int, bool]

    @property
    def beacons(self) -> Mapping[int, str]:
        """Return the signatures of the beacon's rounds that draws used."""
        return {number: each for report in self.evenings for number, each in report.beacons.items()}

    @property
    def code(self) -> int:
        """Return the exit code."""
        codes = {report.code for report in self.evenings}
        if WRONG in codes:
            return WRONG
        return UNFINISHED if UNFINISHED in codes or not self.state.closed else GOOD


def check(file: File, beside: Iterable[Sequence[str]] = ()) -> Report:
    """Return the report on a series' file; raise `WrongFile` where it is wrong.

    ``beside`` are the lines of other clubs' files, from which evenings of it were brought.
    """
    try:
        entries = [parsed(number, line) for number, line in enumerate(file.log, 1)]
        state = folded(entries)
    except WrongLog as wrong:
        raise WrongFile(f"the series' log: {wrong}") from None
    happened = [*map(_event, entries)]
    if not played(happened) <= {*file.players} <= named(happened):
        raise WrongFile(
            "the file must name the players who played by the series' log, and no others but of it"
        )
    reports, names, logs = dict[str, competitions.Report](), dict(file.players), list[Logged]()
    files = [*map(portable.read, file.competitions)]
    for its in files:
        try:
            report = competitions.check(its)
        except WrongFile as wrong:
            raise WrongFile(f"competition {its.header.competition}: {wrong}") from None
        if its.header.competition in reports:
            raise WrongFile(f"the file has competition {its.header.competition} twice")
        reports[its.header.competition] = report
        logs.append(_logged(its, report))
        names |= its.players
    if {*reports} != {evening.competition for evening in state.evenings if evening.competition}:
        raise WrongFile("the file must hold the competitions of the series' evenings and no others")
    found = {
        each.id: parts_of(each, reports[each.competition].state if each.competition else None)
        for each in state.evenings
    }
    parts = in_order(state, found)
    try:
        table = counted(state, parts)
    except Illegal as refusal:
        raise WrongFile(f"the series: {refusal.sentence}") from None
    brought = beside_it(state, beside, [opening_of(its) for its in files])
    return Report(state, entries[-1]["hash"], names, [*reports.values()], logs, parts, table, brought)


def _logged(its: portable.File, report: competitions.Report) -> Logged:
    pk = its.header.competition
    return Logged("competition", its.log, report.state.over, pk, f"competition {pk}")


def counted(state: Series, parts: Sequence[Part]) -> Table:
    """Return the table of a series from its parts."""
    return ranking.table(
        state.rule, parts, state.facts(share.person for part in parts for share in part.shares)
    )


def named(happened: Iterable[events.Event]) -> set[str]:
    """Return the players whom events name."""
    return {player for event in happened for player in event.people()}


def played(happened: Iterable[events.Event]) -> set[str]:
    """Return the players of whom events say that they played."""
    return {player for event in happened for player in event.played()}


# ---- In words ------------------------------------------------------------------------------------


def in_words(report: Report) -> Iterator[str]:
    """Yield the report as lines of text: the checks, the table, the verdict."""
    state = report.state
    played = len({part.evening for part in report.parts})
    yield (
        f"{state.name}: {len(state.evenings)} evenings, {played} played, {state.seq} entries, "
        f"head {report.head}"
    )
    yield f"competitions verified with all their games: {len(report.evenings)}"
    for each in report.evenings:
        yield from (f"{each.state.opening.name}: {line}" for line in competitions.differences(each))
    numbers = {each.id: number for number, each in enumerate(state.evenings, 1)}
    for evening, compared in report.brought.items():
        told = COMPARED if compared else NOT_COMPARED
        yield f"evening {numbers[evening]}, brought from another club: {told}"
    yield TAKEN_AS_GIVEN
    yield UNCHECKED
    yield ""
    yield from (_row(row, report.names) for row in report.table.rows)
    yield from ("", VERDICTS[report.code])


def _row(row: Row, names: Mapping[str, str]) -> str:
    rank = f"{row.rank:>4}." if row.rank else "    –"
    why = "; ".join(map(str, row.lacks))
    return f"{rank} {names[row.person]}  {row.total}{f'  ({why})' if why else ''}"


VERDICTS: Final = {
    GOOD: "verified",
    WRONG: "not verified: see above",
    UNFINISHED: "correct so far, but the series or one of its evenings is not over",
}
