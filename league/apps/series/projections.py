"""The rows of evenings: what each gives its series, made anew from the logs that it follows."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import F, Model, QuerySet

from games.engine import chain
from games.engine.refusals import Refusal
from games.lines import WrongLog
from league import log as competitions
from league.apps.series import log
from league.apps.series.core import evenings
from league.apps.series.core.evenings import parts_of
from league.apps.series.core.state import Evening
from league.apps.series.core.state import Series as State
from league.apps.series.models import Series, SeriesEvening
from league.models import Competition
from league.queries import due

_FIELDS: Final = [
    field.name
    for field in SeriesEvening._meta.concrete_fields
    if field.name not in ("id", "series", "number")
]


def follow(series: Series, before: State | None, after: State) -> None:
    """Bring the rows of a series from one state to the next, in the same transaction."""
    known = {each.id: each for each in before.evenings} if before else {}
    now = {each.id: each for each in after.evenings}
    if gone := known.keys() - now.keys():
        SeriesEvening.objects.filter(series=series, number__in=gone).delete()
    _write(series, [each for each in after.evenings if known.get(each.id) != each])


@transaction.atomic
def follow_competition(competition_id: UUID) -> None:
    """Make the evenings of a competition anew, each from its log as it is then."""
    rows = SeriesEvening.objects.select_for_update(no_key=True).order_by("pk")
    for row in rows.filter(competition=competition_id):
        # Read after the lock: whoever changed the evening meanwhile has written its row before.
        series = Series.objects.get(pk=row.series_id)
        _write(series, [log.latest(series).evening(row.number)])


def _write(series: Series, changed: Sequence[Evening]) -> None:
    SeriesEvening.objects.bulk_create(
        (_row(series, each) for each in changed),
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=_FIELDS,
    )


def _row(series: Series, evening: Evening, as_of: int | None = None) -> SeriesEvening:
    """Return the row of an evening, from its competition's log as it is now or was ``as_of`` an entry."""
    row = SeriesEvening(id=uuid5(series.pk, f"evening {evening.id}"), series=series, number=evening.id)
    parts = parts_of(evening)
    if evening.competition:
        competition = Competition.objects.get(pk=evening.competition)
        row.competition, row.as_of = competition, competition.seq if as_of is None else as_of
        state = (
            competitions.latest(competition) if as_of is None else competitions.state_at(competition, as_of)
        )
        parts = parts_of(evening, state)
    row.name, row.low_wins, row.running = parts.whole.name, parts.whole.low_wins, parts.whole.running
    row.corrected, row.cancelled, row.measure = parts.corrected, parts.cancelled, parts.measure
    row.whole = evenings.as_json(parts.whole)
    row.lists = [evenings.as_json(part) for part in parts.lists]
    told = [row.name, row.low_wins, row.running, row.corrected, row.cancelled, row.measure]
    shown = [*told, row.whole, row.lists]
    row.digest = sha256(chain.canonical(shown)).hexdigest()
    return row


# ---- Made anew, and compared ---------------------------------------------------------------------


@transaction.atomic
def rebuild(series_id: UUID) -> None:
    """Delete all rows of a series and write them again from its log, the head fields too.

    Raises `games.lines.WrongLog`.
    """
    series = Series.objects.select_for_update(no_key=True).get(pk=series_id)
    state = _set_head(series)
    series.save()
    SeriesEvening.objects.filter(series=series).delete()
    follow(series, None, state)


def _set_head(series: Series) -> State:
    """Set what a series' row has of its log; return the state after that; raise `WrongLog`."""
    entries, state = log.verified(series)
    first, last = entries[0], entries[-1]
    series.opened_at, series.changed_at = (datetime.fromisoformat(each["at"]) for each in (first, last))
    series.seq, series.head, series.name, series.closed = last["seq"], last["hash"], state.name, state.closed
    return state


def to_make() -> QuerySet[SeriesEvening]:
    """Return the evenings whose competitions' logs have gone on since they were made."""
    return SeriesEvening.objects.filter(competition__seq__gt=F("as_of"))


def differences(*, stopped: bool) -> Iterator[str]:
    """Yield what is wrong with each series: in its log, or in its rows.

    Where workers have ``stopped``, evenings follow their competitions as far as they had the time.
    """
    for series in Series.objects.select_related("club").order_by("pk").iterator():
        with transaction.atomic():
            try:
                yield from (f"series {series.pk}: {wrong}" for wrong in _of_series(series, stopped))
            except (WrongLog, Refusal) as wrong:
                yield f"series {series.pk}: {wrong}"


def _of_series(series: Series, stopped: bool) -> Iterator[str]:
    kept = Series.objects.select_for_update(no_key=True).get(pk=series.pk)
    state = _set_head(series)
    yield from _unlike("it", kept, series)
    evenings_ = {each.id: each for each in state.evenings}
    rows = {row.number: row for row in SeriesEvening.objects.filter(series=series)}
    for number in sorted({*rows, *evenings_}):
        row, evening = rows.get(number), evenings_.get(number)
        if row is None:
            yield f"evening {number} is missing"
        elif evening is None:
            yield f"evening {number} is in no log"
        else:
            competition = row.competition
            late = competition and competition.changed_at < due.settled(stopped=stopped)
            if competition and (row.as_of > competition.seq or (late and row.as_of < competition.seq)):
                yield f"evening {number} is as of entry {row.as_of}, the log has {competition.seq}"
            else:
                yield from _unlike(f"evening {number}", row, _row(series, evening, row.as_of))


def _unlike(what: str, stored: Model, made: Model) -> Iterator[str]:
    for field in made._meta.concrete_fields:
        if getattr(stored, field.attname) != getattr(made, field.attname):
            yield f"{what} has another {field.name} than the logs give"
