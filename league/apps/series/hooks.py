"""Where series take part: they follow competitions and people, and their logs are signed and checked."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.messages import all_of, filled
from games.engine.refusals import Illegal
from league import hooks
from league.apps.series import declaring, following, log, projections, queries, services
from league.apps.series.core import telling
from league.apps.series.core.parts import Part
from league.apps.series.core.ranking import Row
from league.apps.series.core.rule import ABSOLUTE, MOST_PARTS
from league.apps.series.core.verifier import KIND
from league.apps.series.models import HandedIn, Series, SeriesEvening
from league.apps.series.readers import Shown
from league.hooks import papers, upkeep
from league.models import Club, Competition, Player
from league.queries.competitions import state_of
from league.services import queue
from league.words import reference
from league.words.messages import translated

_SELDOM: Final = timedelta(hours=1)


@hooks.standings_computed.connect
def follow(competition: Competition) -> None:
    """Make the evenings of a competition anew when its standings are."""
    projections.follow_competition(competition.pk)


@hooks.evening_opened.connect
def gather(competition: Competition, _like: Competition) -> None:
    """Add a competition to the series of those that it is like."""
    services.gather(competition.club_id)


@hooks.competition_moved.connect
def move(competition: Competition, before: Mapping[str, Any]) -> None:
    """Move its evenings to its new day."""
    services.follow_day(competition, queries.day_if(competition, before["begins_on"]))


@hooks.people_known.connect
def follow_known(club: Club) -> None:
    """Let those count whom the club knows as what its series follow."""
    following.follow_people(club)


@upkeep.swept.connect
def sweep() -> None:
    """Queue following what days and evenings change of what clubs know, from time to time."""
    if queue.is_due("series that follow people", _SELDOM):
        queue.after_commit("follow_known", app=__package__)


@hooks.players_merged.connect
def merge(kept: Player, _merged: Player) -> None:
    """Note who is whom."""
    services.follow_merged(kept)


@hooks.player_forgotten.connect
def forget(player: Player) -> None:
    """Forget what somebody handed in."""
    HandedIn.objects.filter(Q(player=player) | Q(player__merged_into=player)).delete()


def _rebuild(ids: Sequence[UUID]) -> int:
    for series in ids:
        projections.rebuild(series)
    return 0


def _no_arguments(_parser: ArgumentParser) -> None:
    pass


def _differences(options: Mapping[str, Any]) -> Iterator[str]:
    return projections.differences(stopped=options.get("stopped", False))


def _series(series_id: UUID, after: int | None) -> Series:
    """Return a series that has an evening of such a number, if one is given; raises Series.DoesNotExist."""
    series = queries.all_series().get(pk=series_id)
    if after is not None and not 0 < after <= len(queries.state_of(series).evenings):
        raise Series.DoesNotExist
    return series


def _rows(series_id: UUID, after: int | None) -> papers.Rows:
    """Return the table as a list: a row for each person, with what each evening is worth to them."""
    series = _series(series_id, after)
    counted = queries.table_of(series, until=after)
    told = "; ".join(queries.corrections_of(series, after).values())
    rows = (
        (*_bare(line.row, line.name), " ".join(line.why), told, *_values(counted, line.row))
        for line in Shown(counted).lines()
    )
    name = f"{series.slug}-after-{after}" if after else f"{series.slug}-table"
    return papers.Rows(name, tuple(rows), series.club.zone, tuple(map(_heading, counted.parts)))


def _heading(part: Part) -> str:
    """Return the number and name of an evening or a list, and how often it counts."""
    number = f"{part.evening}.{part.list}" if part.list else str(part.evening)
    weight = f" ×{part.weight}" if part.weight > 1 else ""
    return f"{number}: {part.name or part.on.isoformat()}{weight}"


def _values(counted: queries.Counted, row: Row) -> Iterator[Fraction | None]:
    """Yield what each part is worth to a person, None where they have nothing of it."""
    values = {cell.part: cell.value for cell in row.cells}
    yield from (values.get(part.key) for part in counted.parts)


def _bare(row: Row, name: str) -> tuple[object, ...]:
    return row.rank, name, row.total, row.played, row.bonus, row.person


def _tables(competition: Competition) -> Sequence[papers.YearTable]:
    """Return the tables of the series for which a competition counts, as far as they can be counted."""
    found = []
    for series in queries.series_with(competition):
        with suppress(Illegal):
            table = _printed(series)
            title = ", ".join(filter(None, [table.title, _last_evening(series)]))
            found.append(replace(table, title=title))
    return found


def _stand_ins(competition: Competition) -> Iterator[str]:
    """Yield of each open series that ranks whole evenings where that puts who has a part of this one."""
    if not any(stage.shown_rounds for stage in state_of(competition).stages):
        return
    evenings = SeriesEvening.objects.filter(competition=competition, series__closed=False)
    for each in evenings.select_related("series").order_by("-series__opened_at", "series"):
        rule = queries.state_of(each.series).rule
        if rule.unit == "evening" and rule.value.by not in ABSOLUTE:
            told = _LOW_PART if each.low_wins else _PART
            yield filled(str(told), {"name": each.series.name})


_PART: Final = gettext_lazy(
    "“%(name)s” counts places: if the stand-in’s points are their own, both are placed there by what they "
    "played themselves, against the whole evening of all others, mostly near the bottom."
)
_LOW_PART: Final = gettext_lazy(
    "“%(name)s” counts places: if the stand-in’s points are their own, both are placed there by what they "
    "played themselves, against the whole evening of all others, mostly near the top, as low scores win."
)


def _sheet(series_id: UUID, after: int | None) -> papers.Sheet:
    """Return the table to be printed alone; raises Series.DoesNotExist."""
    series = _series(series_id, after)
    club = series.club
    told = _("final") if series.closed and after is None else _last_evening(series, after)
    return papers.Sheet(series.slug, club.name, told, _printed(series, after), club.paper)


def _last_evening(series: Series, after: int | None = None) -> str:
    """Return after which evening a table is, empty before the first."""
    numbers = [each.shown for each in queries.evenings_of(series)[:after] if each.counts]
    return _("after evening %(number)d") % {"number": max(numbers)} if any(numbers) else ""


def _printed(series: Series, after: int | None = None) -> papers.YearTable:
    counted = queries.table_of(series, until=after, reaching=False)
    lines = Shown(counted).lines()
    told = [
        (f"{line.rank}." if line.row.rank else line.rank, line.name, line.counted, line.total)
        for line in lines
    ]
    fuller = (_("Counting (left out)"), *(line.values for line in lines))
    title = series.name
    if corrected := queries.corrections_of(series, after):
        title = _("%(name)s (corrected: %(evenings)s)") % {
            "name": series.name,
            "evenings": translated(all_of([*corrected.values()])),
        }
    return papers.YearTable(title, ("", _("Name"), _("Counting"), _("Total")), tuple(told), fuller)


hooks.EVENING_NAMES.append(queries.typed_in_names)
papers.LISTED.append(
    papers.Listed(
        "series/<uuid:id>/table.csv",
        "series-table-csv",
        "The table of a series, best first; those without a rank are last. After these columns comes one for "
        "each evening or list, with what it is worth to each person, counted or left out.",
        ("rank", "name", "total", "played", "bonus", "player", "explanation", "corrected"),
        _rows,
        (telling.AFTER_MEANS, MOST_PARTS),
    )
)


def _own_places(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the lines of the reader in the series of their clubs that go on, at most `MOST_PLACES`."""
    players = Player.objects.filter(account=page["user"], merged_into=None)
    mine = {player.club_id: str(player.pk) for player in players.order_by("pk")}
    found = []
    for series in queries.all_series().filter(club__in=[*mine], closed=False).order_by("-opened_at", "pk"):
        shown = Shown(queries.table_of(series))
        rows = [row for row in shown.counted.table.rows if row.person == mine[series.club_id]]
        found += [(series, shown.line(row)) for row in rows]
    return {"places": found[:MOST_PLACES]}


MOST_PLACES: Final = 4
hooks.GIVEN["series/at_my_home.html"] = _own_places
hooks.GIVEN["series/at_club.html"] = lambda page: {"all_series": queries.series_of(page["club"])}
hooks.GIVEN["series/at_competition.html"] = lambda page: {
    "counted_in": ()
    if page["competition"].status == Competition.Status.CANCELLED
    else queries.series_with(page["competition"]).select_related("club"),
    "qualified": state_of(page["competition"]).opening.qualified,
    **declaring.own(page),
}
# What the sheet of an evening shows changes with all evenings of its series.
hooks.VERSIONS.append(
    "SELECT CASE WHEN count(*) > 0 THEN md5(string_agg(year.head || evening.digest, ',' ORDER BY evening.id))"
    " || (SELECT md5(string_agg(name, ',' ORDER BY id)) FROM league_player"
    " WHERE club_id = competition.club_id) END"
    " FROM league_seriesevening AS own JOIN league_series AS year ON year.id = own.series_id"
    " JOIN league_seriesevening AS evening ON evening.series_id = year.id"
    " WHERE own.competition_id = competition.id"
)
hooks.FINALS.append(queries.finals_among)
hooks.ORDERS.append(queries.orders_of)
hooks.PLANNED_ORDERS.append(queries.planned_orders)
papers.YEAR_TABLES.append(_tables)
hooks.STAND_INS.append(_stand_ins)
papers.PRINTED["series-table"] = _sheet
hooks.COUNTED_AS.append(queries.counting)
hooks.NAMED.append(services.is_named)
hooks.PLAYED.append(queries.played_in)
upkeep.REBUILT[KIND] = upkeep.Rebuilt(Series, _rebuild)
upkeep.CHECKS.append(upkeep.Check(_no_arguments, _differences, lambda _ids: iter(()), lambda: iter(())))
upkeep.WORK.append(
    upkeep.Work(
        f"{__package__}.tasks.make_evenings", projections.to_make, "competition__changed_at", "competition"
    )
)
upkeep.LOGS.append(
    upkeep.EntryLog(KIND, KIND, Series.objects.all, log.all_rows, "series", queries.competitions_of)
)
reference.TABLES["series_clubs"] = lambda: reference.table(
    ("preset", "club", "rule", "from"), telling.clubs()
)
reference.TABLES["series_rule"] = lambda: reference.table(
    ("switch", "choices", "unless chosen", "what it says"), telling.switches()
)
