"""The points of each round on the sheet of an evening: a column for each, and what their signs mean."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _

from games.engine.messages import filled
from league.core import scoring
from league.core.agreed import WORTH
from league.core.records import Record, total
from league.core.state import competition as s
from league.models import Stage
from league.queries.competitions import state_of
from league.words.messages import translated
from league.words.values import column

_MOST_ROUNDS: Final = 12
"""The most rounds of which each has a column."""
_NOT_PLAYED: Final = "°"
"""Marks points of a round that the entry did not play."""
_BESIDES: Final = "+/−"


@dataclass(frozen=True)
class RoundPoints:
    """The titles of columns, what they show of each entry, by id, and what explains their signs."""

    titles: tuple[str, ...] = ()
    shown: Mapping[str, tuple[str, ...]] | None = None
    notes: tuple[str, ...] = ()

    def of(self, entry: object) -> tuple[str, ...]:
        """Return what the columns show of an entry."""
        return (self.shown or {}).get(str(entry), ("",) * len(self.titles))


def points_of_rounds(stage: Stage) -> RoundPoints:
    """Return a column for each published round, and one for points besides; together they are the total.

    None where there are too many rounds, or where the total is an average or only that of the best ones.
    """
    state = state_of(stage.competition)
    its = state.stages[stage.number - 1]
    numbers = [each.number for each in its.shown_rounds if not each.play_off]
    if len(numbers) > _MOST_ROUNDS or its.plan.scoring.best or its.plan.scoring.average:
        return RoundPoints()
    records = scoring.records(state, its)
    columns = [_of_round(records.values(), number) for number in numbers]
    titles = [_("R%(number)d") % {"number": number} for number in numbers]
    besides = [_besides(record) for record in records.values()]
    if any(besides):
        columns.append(column([*map(str, besides)]))
        titles.append(_BESIDES)
    rows = zip(*columns, strict=True) if columns else [()] * len(records)
    return RoundPoints(
        tuple(titles), dict(zip(records, rows, strict=True)), _notes(its, records, besides=any(besides))
    )


def _of_round(records: Iterable[Record], number: int) -> list[str]:
    """Return what each entry has of a round as it counts now; a dash where it has nothing of it."""
    lines = [[line for line in record.lines if line.round == number] for record in records]
    texts = column(
        [str(total([line.points for line in own])) if own else None for own in lines], signed=False
    )
    return [
        f"{told}{_NOT_PLAYED}" if any(line.kind != "played" for line in own) else told
        for told, own in zip(texts, lines, strict=True)
    ]


def _besides(record: Record) -> Fraction:
    return total([record.carried, *(each.points for each in record.adjustments)])


def _notes(stage: s.Stage, records: Mapping[str, Record], *, besides: bool) -> tuple[str, ...]:
    kinds = {line.kind for record in records.values() for line in record.lines} - {"played"}
    notes = []
    if "bye" in kinds:
        told = {"sign": _NOT_PLAYED, "worth": translated(WORTH[stage.plan.scoring.bye])}
        notes.append(filled(_("%(sign)s not played; a bye earns %(worth)s"), told))
    elif kinds:
        notes.append(filled(_("%(sign)s not played"), {"sign": _NOT_PLAYED}))
    if besides:
        notes.append(filled(_("%(sign)s brought along, or given by an organiser"), {"sign": _BESIDES}))
    return tuple(notes)
