"""A randomly changed file is refused or verified, and what is verified is imported or refused in words.

For longer: `FILE_EXAMPLES=5000 python3 manage.py test --hypothesis-profile=random` with this file.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from games import verifier as games
from games.engine import chain, shapes
from games.engine.kinds import Shape
from games.engine.refusals import Refusal
from games.verifier import GOOD
from league.apps.exchange.services import import_competition, start_import
from league.core import portable, verifier
from league.core.events import apply, fold, read, write
from league.core.portable import WrongFile
from league.core.state.plan import StagePlan
from league.core.verbs import EVENTS
from league.models import Job
from league.services import gate, jobs
from tests.core.ids import uid
from tests.factories import Cast
from tests.league.playing import finished
from tests.league.test_projections import dumped, wiped
from tests.league.test_verify import exported
from tests.recorded import FILES
from tests.recorded.test_who import forgeries, league
from tests.rules.folders import HERE

RECORDED = [FILES / f"{name}-01.jsonl" for name in ("accounts", "left_ladder", "voided", "cup_at_tables")]
GOLDEN = [path for path in sorted(HERE.glob("sc*/logs/*.jsonl")) if path.stat().st_size < 5000]
TEXTS = (
    *("", "x", "é", "\x00", "\ud800", "a\u202eb", "a\nb", "x" * 501, "player", "kiosk", "system", "arbiter"),
    *("0" * 64, "ab" * 48, "-999999999/999999999", "1/999999937", "chess@1", "scram@1", "swiss", "ladder"),
    *("2026-02-30T10:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "2027-01-31T18:00:00Z"),
    *("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "Europe/Dublin"),
)
STRANGE: tuple[Any, ...] = (
    *(*TEXTS, -1, 0, 1, 100, 2**31, 2**63, 10**12, 10**30, None, True, 1.5, [], {}, [[]], {"a": 1}),
)
TORN = ("NaN", "1e999", "[" * 600, "9" * 5000, "\x00", ', "seq": 1', "\ufeff", "\u2028")
OPENING, PLAN = (
    {field.name: field.shape for field in shapes.record(each).fields}
    for each in (EVENTS["opened"], StagePlan)
)


# ---- Changes -------------------------------------------------------------------------------------


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container in a JSON value with each key or index of it."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


def with_another_part(chosen: Random, lines: list[Any]) -> list[Any]:
    """Let one part of a line be something else, or what a part of this name is in another line."""
    at, key = chosen.choice([*places(chosen.choice([lines[:12], lines]))])
    same = [part[name] for part, name in places(lines) if name == key]
    at[key] = chosen.choice([*chosen.choices(STRANGE, k=4), chosen.choice(same), at[key] and at[key] * 2])
    return lines


def with_another_text(chosen: Random, lines: list[Any]) -> list[Any]:
    """Let a text be another one of the file, or a strange one, wherever it is."""
    known = sorted({at[key] for at, key in places(lines) if isinstance(at[key], str)})
    was, new = json.dumps(chosen.choice(known)), chosen.choice([chosen.choice(known), chosen.choice(STRANGE)])
    return [*json.loads(json.dumps(lines).replace(was, json.dumps(new)))] if isinstance(new, str) else lines


def with_moved_lines(chosen: Random, lines: list[Any]) -> list[Any]:
    """Remove, repeat or move a few lines."""
    start, to = chosen.randrange(len(lines)), chosen.randrange(len(lines))
    few, rest = lines[start : start + 2], lines[:start] + lines[start + 2 :]
    return chosen.choice([rest, lines[:to] + few + lines[to:], rest[:to] + few + rest[to:]])


def at_another_time(chosen: Random, lines: list[Any]) -> list[Any]:
    days = timedelta(days=chosen.choice([-40_000, -1, 1, 400, 20_000]))
    for line in lines[chosen.choice([0, 0, len(lines) // 2]) :]:
        with suppress(TypeError, KeyError, ValueError, OverflowError):
            line["at"] = chain.stamp(datetime.fromisoformat(line["at"]) + days)
    return lines


def cancelled(chosen: Random, lines: list[Any]) -> list[Any]:
    """Open the competition otherwise, let random events follow a part of its log, and end it."""
    log = [line for line in lines if "event" in line]
    log = log[: chosen.randrange(1, len(log))]
    for part, fields in [(log[0]["event"], OPENING), *((plan, PLAN) for plan in log[0]["event"]["stages"])]:
        name = chosen.choice(sorted({*fields} - {"stages", "root"}))
        part |= {name: made(chosen, fields[name], {})} if chosen.random() < 0.3 else {}
    state = fold(read(line["event"]) for line in log)
    own = {"account": uid("olga"), "role": "organiser"}
    for _ in range(chosen.randrange(60)):
        ids = {
            "entry": [entry.id for entry in state.entries],
            "player": [player for entry in state.entries for player in entry.players],
            "table": [table.id for _, _, table in state.tables()],
        }
        kind = chosen.choice(sorted(EVENTS))
        with suppress(Refusal):
            event = read({"type": kind, **made(chosen, shapes.record(EVENTS[kind]), ids)})
            state = apply(state, event)
            log.append({**log[-1], **own, "event": write(event)})
    if not state.over:
        log.append({**log[-1], **own, "event": {"type": "cancelled", "reason": "snow"}})
    return [*_parts(lines, log)]


def _parts(lines: list[Any], log: Sequence[Any]) -> Iterator[Any]:
    """Yield the lines of the file with another log, and the players and games that this one has."""
    events = [read(line["event"]) for line in log]
    here = {*verifier.players_of(events), *(at[key] for at, key in places([*log]) if key == "game")}
    names = [line for line in lines if "player" in line]
    yield from (line for line in (lines[0], *names) if line.get("player", "") in {"", *here})
    yield from log
    for line in lines[max(at for at, line in enumerate(lines) if "event" in line) + 1 : -1]:
        if {*line} == {"game"}:
            game = line["game"]
        if game in here:
            yield line
    yield lines[-1]


def made(chosen: Random, shape: Shape, ids: Mapping[str, Sequence[str]]) -> Any:
    """Return a value of a shape, as a rule with ids of what there is."""
    match shape.kind:
        case "number":
            return chosen.choice([vars(shape)["low"], vars(shape)["low"] + 1, vars(shape)["high"]])
        case "choice":
            return chosen.choice(vars(shape)["values"])
        case "list" | "rows":
            few = min(vars(shape)["high"], vars(shape)["low"] + chosen.randrange(3))
            return [made(chosen, shape.parts[0], ids) for _ in range(few)]
        case "record":
            fields = [field for field in vars(shape)["fields"] if field.required or chosen.random() < 0.5]
            return {field.name: made(chosen, field.shape, ids) for field in fields}
        case "either":
            return made(chosen, chosen.choice(shape.parts), ids)
        case "text":
            return _text(chosen, shape, ids)
        case "object":
            return chosen.choice([{}, {"reach": -1}, {"move": 60}])
    return chosen.random() < 0.5


def _text(chosen: Random, shape: Any, ids: Mapping[str, Sequence[str]]) -> str:
    known = ids.get(shape.reference.what, ()) if shape.reference else ()
    if shape.matching:
        fitting = [*filter(shape.matching.fullmatch, TEXTS)] or [shape.matching.example]
    else:
        fitting = [text for text in TEXTS if shape.low <= len(text) <= shape.high] or ["x" * shape.low]
    return str(chosen.choice([*known] or fitting))


CHANGES = (with_another_part, with_another_part, with_another_text, with_moved_lines, at_another_time)


def changed(chosen: Random, file: Sequence[str]) -> list[str]:
    """Return a file with one to three changes, its entries counted and its hashes made anew."""
    lines = [json.loads(line) for line in file]
    if "trefoil" in lines[0] and chosen.random() < 0.4:
        with suppress(Refusal):
            lines = cancelled(chosen, lines)
    for _ in range(chosen.randrange(4)):
        with suppress(AttributeError, IndexError, KeyError, TypeError, OverflowError):
            lines = chosen.choice(CHANGES)(chosen, lines)
    written = [json.dumps(line) for line in relinked(lines, counted=chosen.random() < 0.9)]
    if written and chosen.random() < 0.05:
        at = chosen.randrange(len(written))
        torn = chosen.randrange(len(written[at]))
        written[at] = written[at][:torn] + chosen.choice(TORN) + written[at][torn:]
    return written


def relinked(lines: list[Any], *, counted: bool) -> list[Any]:
    """Return the lines with hashes that fit, the games first: the competition's log names their heads."""
    chains, heads = [list[Any]()], dict[str, str]()
    for line in lines:
        if isinstance(line, dict) and "hash" in line:
            chains[-1].append(line)
        elif isinstance(line, dict) and {*line} == {"game"}:
            chains.append([])
    for entries in reversed(chains):
        head = chain.ORIGIN
        for seq, entry in enumerate(entries, 1):
            was = json.dumps(entry.pop("hash"))
            entry |= {"seq": seq} if counted else {}
            if isinstance(event := entry.get("event"), dict) and "head" in event:
                event["head"] = heads.get(json.dumps(event["head"]), event["head"])
            with suppress(ValueError):
                head = chain.link(head, entry)
            entry["hash"] = heads[was] = head
    if counted and lines and isinstance(lines[-1], dict) and "lines" in lines[-1]:
        lines[-1] = {"lines": len(lines) - 1}
    return lines


# ---- What comes of them --------------------------------------------------------------------------


def is_verified(lines: Sequence[str]) -> bool:
    """Return whether a verifier calls a file verified; raise what neither verifier may raise."""
    with suppress(WrongFile, games.WrongLog):
        if lines and portable.is_export(lines[0]):
            report = verifier.check(portable.read(lines))
            assert [*verifier.in_words(report)]
            return report.code == GOOD
        return games.check([line for line in lines if not line.startswith('{"player"')]).replayed
    return False


def imported(cast: Cast, lines: Sequence[str]) -> Job:
    """Return the job that a worker did with a file that an organiser sent."""
    data = "\n".join(lines).encode(errors="surrogatepass")
    job = start_import(by=cast.olga, club=cast.club, data=data)
    jobs.run(job.pk)
    job.refresh_from_db()
    return job


def wrong_rows(job: Job) -> Iterator[str]:
    """Yield what `verify_logs` says of what was imported."""
    if competition := job.result.get("competition"):
        yield from gate.of_competition(UUID(competition))
    if game := job.result.get("game"):
        yield from gate.of_game(UUID(game))


@pytest.fixture
def files(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the files to be changed; the server knows nothing of them."""
    monkeypatch.setattr("league.services.jobs._BEAT_SECONDS", 600)
    competition = exported(finished(cast, 4))
    wiped(players=True)
    golden = [with_names(path.read_text("utf-8").splitlines()) for path in GOLDEN]
    return [competition, *(path.read_text("utf-8").splitlines() for path in RECORDED), *golden]


def with_names(game: list[str]) -> list[str]:
    """Return the file of a game that names its players."""
    seats = filter(None, json.loads(game[0])["move"]["seats"])
    return [*(json.dumps({"player": seat, "name": f"Player {seat[:4]}"}) for seat in seats), *game]


def outcome(cast: Cast, lines: Sequence[str], *, always: bool) -> tuple[bool, str]:
    """Return whether a file is verified, and the status of its import if it was to be tried."""
    verified = is_verified(lines)
    if not (verified or always):
        return False, ""
    with transaction.atomic():
        before, job = dumped(), imported(cast, lines)
        if job.status == Job.Status.DONE:
            assert verified and [*wrong_rows(job)] == []
        else:
            assert job.error and "The server made a mistake" not in job.error
            assert dumped() == before
        transaction.set_rollback(True)
    return verified, job.status


def test_a_random_file_is_refused_or_imported(cast: Cast, files: list[list[str]]) -> None:
    outcomes = set()

    @settings(max_examples=int(os.environ.get("FILE_EXAMPLES", "50")))
    @given(seed=st.integers(0, 2**32))
    def one(seed: int) -> None:
        chosen = Random(seed)
        lines = changed(chosen, chosen.choice([files[0], chosen.choice(files)]))
        outcomes.add(outcome(cast, lines, always=chosen.random() < 0.2))

    one()
    assert {(True, "done"), (False, "failed"), (False, "")} <= outcomes


def test_a_forged_role_or_account_is_imported_only_where_it_is_verified(cast: Cast) -> None:
    outcomes = set()
    for _game, _entry, file in forgeries(league(), 60):
        lines = list(portable.written(file.header, file.players, file.log, file.games))
        with transaction.atomic():
            try:
                verified = verifier.check(file).code == GOOD
                outcomes.add((verified, import_competition(club=cast.club, lines=lines).created))
            except (WrongFile, Refusal):
                with pytest.raises(Refusal):
                    import_competition(club=cast.club, lines=lines)
            transaction.set_rollback(True)
    assert outcomes == {(True, True)}
