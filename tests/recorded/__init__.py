"""Leagues recorded with each edition of draw engine, formats and scoring, which every release must verify."""

import contextlib
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from games.engine import shapes
from league import verify
from league.core import portable
from league.core.events import fold, read
from league.core.standings import ranking
from league.core.state.plan import StagePlan

FILES: Final = Path(__file__).parent / "files"


def opening_of(file: Path) -> dict[str, Any]:
    """Return the event that opened a file's competition."""
    lines = file.read_text(encoding="utf-8").splitlines()
    opening = next(line for line in lines if line.startswith('{"seq": 1,'))
    event: dict[str, Any] = json.loads(opening)["event"]
    return event


def plans_of(file: Path) -> Iterator[StagePlan]:
    """Yield the plans of the stages that a file's competition was opened with."""
    for plan in opening_of(file)["stages"]:
        yield shapes.read(StagePlan, plan)


def verified(file: Path) -> str:
    """Let ``python -m league.verify`` verify a file; return its standings, a row a line.

    Raises AssertionError where the file is wrong. Rows have no sentences, which a release may change.
    """
    with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(printed):
        code = verify.main([str(file)])
    assert code == 0, printed.getvalue()
    return standings(file)


def standings(file: Path, **editions: int) -> str:
    """Return the standings of a file, a row a line, with these ``editions`` in place of those it names."""
    return "".join(f"{row}\n" for row in _rows(file, editions))


def _rows(file: Path, editions: Mapping[str, int]) -> Iterator[str]:
    with file.open(encoding="utf-8") as lines:
        events = [json.loads(line)["event"] for line in portable.read(lines).log]
    for plan in events[0]["stages"]:
        plan["editions"] |= editions
    state = fold(map(read, events))
    names = {entry.id: entry.name for entry in state.entries}
    for stage in state.stages:
        for row in ranking.standings(state, stage.number):
            values = [row.group, row.rank, names[row.entry], row.points, row.decided_by, dict(row.tiebreaks)]
            yield f"stage {stage.number}: {' '.join(map(str, values))}"
