"""The standings of a stage, as the page of a competition shows them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, repeat
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from league.core.standings.tie_breaks import BY_KEY
from league.queries.standings import public_seq, separating, standings_as_of, tie_break_order
from league.templatetags.trefoil import ordinal
from league.words.messages import translated
from league.words.values import against_average, column, legend_of_lots, numbers_within, short, tie_break

if TYPE_CHECKING:
    from league.models import Competition, Stage
    from league.queries.competitions import Entrants
    from league.queries.standings import Standing

    Cell: TypeAlias = tuple[str, str, str, str, str]
    """The title of a tie-break, the classes of its cell, its value, what the column shows, and in words."""
    Line: TypeAlias = tuple[Standing, str, str | None, str, Sequence[Cell]]
    """A row with its entry's id and player, none of a team, its possible ranks, and its cells."""

COLUMNS: Final = 5
"""Those of all standings: rank, entry, arrow, points, rounds played."""


def ranked(
    competition: Competition, stage: Stage | None, entrants: Entrants, rows: Sequence[Standing]
) -> dict[str, Any]:
    """Return what the template of standings shows of rows of a stage."""
    tie_breaks = _tie_breaks(stage)
    near = next(iter(separating(rows, [name for name, _about in tie_breaks])), "")
    undecided = any(row.best_rank != row.worst_rank for row in rows)
    duels = bool(stage and stage.plan.get("table_size") == 2)
    as_of = standings_as_of(competition, rows)
    return {
        "groups": _lines(rows, entrants, [key for key, _about in tie_breaks], near=near, duels=duels),
        "width": COLUMNS + undecided + len(tie_breaks),
        "undecided": undecided,
        "tie_breaks": tie_breaks,
        "near": near,
        "legend": legend_of_lots(row.by_lot for row in rows),
        "as_of": as_of,
        "behind": as_of < public_seq(competition, competition.seq),
    }


def _lines(
    rows: Sequence[Standing], entrants: Entrants, keys: Sequence[str], *, near: str, duels: bool
) -> list[tuple[int, list[Line]]]:
    """Return the number of each group with its rows.

    The column of the tie-break ``near`` is shown on a phone, too; ``duels``: all tables are tables of two.
    """
    columns = [column([row.tiebreaks.get(key) for row in rows]) for key in keys]
    texts = zip(*columns, strict=True) if columns else repeat(())
    titles = [(key, tie_break(key), "" if key == near else " roomy value") for key in keys]

    def cell(row: Standing, key: str, title: str, kind: str, shown: str) -> Cell:
        decided = " decided" if key == row.decided_by else ""
        kinds = f"{'several' if ' ' in shown else 'nowrap'}{kind}{decided}"
        value = row.tiebreaks.get(key)
        if value is None:
            return title, kinds, "", shown, "–"
        told = against_average(value) if key == "wins" and not duels else short(value)
        return title, kinds, numbers_within(value), shown, told

    lines = [
        (
            row,
            str(row.entry_id),
            entrants.players.get(str(row.entry_id)),
            _possible(row),
            [cell(row, *each, text) for each, text in zip(titles, shown, strict=True)],
        )
        for row, shown in zip(rows, texts, strict=False)
    ]
    return [(group, list(inside)) for group, inside in groupby(lines, key=lambda each: each[0].group)]


def _possible(row: Standing) -> str:
    best, worst = ordinal(row.best_rank or row.rank), ordinal(row.worst_rank or row.rank)
    return best if best == worst else f"{best}–{worst}"


def _tie_breaks(stage: Stage | None) -> list[tuple[str, str]]:
    """Return the tie-breaks that the table shows, each with what its value is; a lot means nothing."""
    shown = [name for name in tie_break_order(stage) if name != "lot"] if stage else []
    return [(name, translated(BY_KEY[name].summary)) for name in shown]
