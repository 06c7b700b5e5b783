"""The hall page: what a projector or a tablet shows everybody, screen by screen, without an account."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any, Final, Literal

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from games import database_time
from league.apps.hall import queries
from league.apps.hall.models import Hall
from league.choices import CompetitionStatus, RoundStatus, TableStatus
from league.core.formats import parts
from league.core.standings.plain import Plain
from league.hooks import papers
from league.models import Competition, Entry, Round, Table
from league.ops.answers import tag_of
from league.queries import versions
from league.queries.competitions import all_competitions, entrants_of, entries_of_bots, stages_of, state_of
from league.queries.pictures import brackets_of
from league.queries.readers import knows
from league.queries.rounds import taken_tables
from league.queries.standings import Standing, plain_of, separating, standings_of, tie_break_order
from league.queries.verbs import not_expected
from league.queries.waiting import who_waits
from league.requests import number_in, site_address
from league.web.standings import BracketChart, bracket_chart
from league.words.agreed import bye_in_words
from league.words.matches import match_at
from league.words.messages import translated
from league.words.plain import legend, plain_columns, points_of, rank_with_signs, title_of
from league.words.values import (
    all_marked,
    column,
    in_room,
    marked,
    names_at_table,
    names_of_side,
    partners_told,
    sides,
    table_label,
)

SECONDS: Final = 12
"""How long a page stays, unless the address says otherwise with ``?seconds=``."""
PAGE_ROWS: Final = 12
"""Rows of a page without a script; with one, as many as fit."""
PAIRS: Final = 8
COLUMNS: Final = 5
LAST_COLUMNS: Final = 3
"""How many pairs and rounds of a bracket can be read from afar; at its end these last rounds are shown."""
TIE_BREAKS: Final = 2
"""The most tie-breaks beside the points: more don't fit. Those that separate nobody are left out."""
WAITING: Final = (TableStatus.PLAYING, TableStatus.ABANDONED)


@dataclass(frozen=True)
class Line:
    """A line of a screen: a table or rank, a name or several, and what stands beside them.

    ``seat`` is shown on a phone only: from afar one looks for a table.
    """

    mark: str
    names: Sequence[str]
    note: str = ""
    seat: str = ""
    points: str = ""
    tie_breaks: Sequence[str] = ()


@dataclass(frozen=True)
class Screen:
    """A screen of the hall page; more lines than fit are shown page by page.

    One of a bracket has a ``chart`` in place of lines, and its ``place`` among those of the bracket.
    A line is set by ``style``: the name alone, the name before its table, the table before its names, or
    the rank before name, points and tie-breaks.
    """

    key: str
    title: str
    lines: Sequence[Line]
    style: Literal["plain", "names", "tables", "ranks"]
    said: str = ""
    empty: str = ""
    invites: bool = False
    chart: BracketChart | None = None
    place: str = ""


def _tag(request: HttpRequest, slug: str) -> str | None:
    """Return an ETag that changes with the competition's pages, and what the organiser shows."""
    found = versions.at_address(slug)
    if found is None:
        return None
    # Without the log's head, which an unpublished draw changes too.
    club, _head, version = found
    shown = Hall.objects.filter(competition__slug=slug).values_list("changed_at", flat=True).first()
    return tag_of(version, shown, knows(club), request.get_full_path(), site_address(request))


@require_safe
@cache_control(no_cache=True)
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the screens, which a script turns; without one, the page in ``?page=`` leads to the next."""
    competition = get_object_or_404(all_competitions(), slug=slug)
    content = _content(request, competition)
    return render(request, "hall/page.html", {**content, **_paged(request, content["screens"])})


@require_safe
@cache_control(no_cache=True)
@condition(etag_func=_tag)
def screens(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the screens alone, for the script that follows them."""
    competition = get_object_or_404(all_competitions(), slug=slug)
    return render(request, "hall/screens.html", _content(request, competition))


def _content(request: HttpRequest, competition: Competition) -> dict[str, Any]:
    hall, latest = queries.hall_of(competition), queries.last_round(competition)
    played = latest if latest and latest.status == RoundStatus.PUBLISHED else None
    found = list(_screens(competition, played))
    wanted = [key for key in request.GET.get("show", "").split(",") if key]
    # Who plays looks for a table, not for the year.
    found += _years(competition) if not played or "year" in wanted else ()
    return {
        "competition": competition,
        "club": competition.club,
        "zone": competition.club.timezone,
        "played": played,
        "latest": latest,
        "timer": queries.timer_of(hall, played),
        "now": database_time.now(),
        "announcements": list(queries.announcements_of(competition)),
        "screens": [each for each in found if not wanted or each.key in wanted],
        "invitation": _invitation(request, competition, hall),
        "seconds": min(max(number_in(request, "seconds") or SECONDS, 3), 120),
    }


def _paged(request: HttpRequest, screens: Sequence[Screen]) -> dict[str, Any]:
    """Return the page in ``?page=`` for a browser without scripts, and the address of the next one."""
    pages = [
        (screen, screen.lines[first : first + PAGE_ROWS])
        for screen in screens
        for first in range(0, max(1, len(screen.lines)), PAGE_ROWS)
    ]
    number = number_in(request, "page")
    query = request.GET.copy()
    query["page"] = str(number % len(pages) + 1 if number and pages else 1)
    at = min(max(number or 1, 1), max(1, len(pages)))
    return {
        "paged": number is not None,
        "page_screen": pages[at - 1] if number and pages else None,
        "at": at,
        "pages": len(pages),
        "next": f"?{query.urlencode()}",
    }


# ---- The screens ---------------------------------------------------------------------------------


def _screens(competition: Competition, played: Round | None) -> Iterator[Screen]:
    """Yield the screens of the present state: the check-in, or the round and the standings."""
    if competition.status in (CompetitionStatus.PREPARING, CompetitionStatus.ENTERING):
        yield _missing_people(competition) if queries.checks_in(competition) else _entries(competition)
    if played:
        yield _seats_by_name(played)
        yield _seats_by_table(played)
        yield _missing_results(played)
        yield from _waiting(played)
    yield from _brackets(competition)
    yield from _standings(competition)


def _missing_people(competition: Competition) -> Screen:
    check_in = queries.check_in_of(competition, not_expected(competition.pk, state_of(competition)))
    lines = [Line("", [_name(entry)]) for entry in check_in.missing]
    return Screen(
        "check-in",
        _("Check-in: not here yet"),
        lines,
        "plain",
        said=check_in.said,
        empty=_("Everybody is checked in.") if check_in.people else _("No entries yet."),
        invites=True,
    )


def _entries(competition: Competition) -> Screen:
    people = queries.check_in_of(competition).people
    lines = [Line("", [_name(each.entry)]) for each in people]
    said = ngettext("%(count)d entry", "%(count)d entries", len(lines)) % {"count": len(lines)}
    return Screen("entries", _("Entries"), lines, "plain", said=said, empty=_("No entries yet."))


def _seats_by_name(played: Round) -> Screen:
    lines = [
        Line(
            in_room(_whole(str(each.table)), each.table.room) if each.table else _("no table"),
            [marked(each.name, bot=each.bot)],
            _joined(each.team, _partner(each, played)),
            bye_in_words(each.bye) if each.seat is None else _("seat %(number)d") % {"number": each.seat + 1},
        )
        for each in queries.by_name(played)
    ]
    return Screen("names", _("Who sits where"), lines, "names", empty=_("No tables yet."))


def _partner(each: queries.Seated, played: Round) -> str:
    if each.table is None or each.seat is None:
        return ""
    return partners_told(each.seat, each.table.seats.all(), played.stage.competition.ruleset)


def _whole(words: str) -> str:
    return words.replace(" ", "\N{NO-BREAK SPACE}")


def _seats_by_table(played: Round) -> Screen:
    lines = [Line(str(table.number), _at(table, played), _note(table)) for table in taken_tables(played)]
    return Screen("tables", _("Tables"), lines, "tables", empty=_("No tables yet."))


def _missing_results(played: Round) -> Screen:
    tables = list(played.tables.all())
    waiting = [table for table in tables if table.status in WAITING]
    lines = [
        Line(str(table.number), _at(table, played), _joined(table.room, _so_far(table))) for table in waiting
    ]
    return Screen(
        "missing",
        _("Still playing"),
        lines,
        "tables",
        said=_still(len(waiting), len(tables)),
        empty=_("All tables have a result."),
    )


def _waiting(played: Round) -> Iterator[Screen]:
    lines = [
        Line("", [_name(each.entry)], _("since %(at)s") % {"at": date_format(localtime(each.since), "H:i")})
        for each in who_waits(played)
    ]
    if lines:
        yield Screen("waiting", _("Waiting for a table"), lines, "plain")


def _still(waiting: int, tables: int) -> str:
    """Return how many of several tables have no result yet; empty where a glance at the list says it."""
    if not waiting or tables == 1:
        return ""
    if waiting == tables:
        return _("No table has a result yet.")
    said = ngettext(
        "%(count)d of %(all)d tables is still playing.",
        "%(count)d of %(all)d tables are still playing.",
        waiting,
    )
    return said % {"count": waiting, "all": tables}


def _note(table: Table) -> str:
    return _joined(table.room, table_label(table.label), _so_far(table))


def _so_far(table: Table) -> str:
    """Return how a match stands, which of its games is played, and how much longer a table may play."""
    return _joined(match_at(table), _more_time(table))


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _more_time(table: Table) -> str:
    """Return how much longer than its round a table may play that is still playing."""
    if not table.more_minutes or table.status not in WAITING:
        return ""
    count = table.more_minutes
    return ngettext("%(count)d minute more", "%(count)d minutes more", count) % {"count": count}


def _name(entry: Entry) -> str:
    players = [member.player for member in entry.members.all()]
    return marked(entry.called, bot=bool(players) and all(player.bot for player in players))


def _at(table: Table, played: Round) -> Sequence[str]:
    found = sides(table.seats.all(), ruleset := played.stage.competition.ruleset)
    if any(len(side) > 1 for side in found):
        return [names_at_table(table.seats.all(), ruleset)]
    return [names_of_side(side) for side in found]


def _standings(competition: Competition) -> Iterator[Screen]:
    """Yield the standings of the current stage, a screen for each group."""
    stage = stages_of(competition).filter(number=competition.stage).first() if competition.stage else None
    rows = list(standings_of(stage)) if stage else []
    if stage is None or not any(row.played for row in rows):
        return
    bots, plain = entries_of_bots(competition), plain_of(competition, stage, None)
    groups: dict[int, list[Standing]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    for number, own in groups.items():
        title = _("Standings")
        if len(groups) > 1:
            part = _("Division %(number)d") if stage.has_divisions else _("Group %(number)d")
            title = _("Standings: %(part)s") % {"part": part % {"number": number}}
        told = _fitting(own, separating(own, tie_break_order(stage)), plain)
        said = " · ".join(filter(None, [*([_("Points"), *told] if told else ()), legend(own, plain)]))
        points = column([row.points for row in own], signed=False)
        lines = [
            Line(
                rank_with_signs(row, plain),
                [marked(f"{name} ({beside})" if beside else name, bot=str(row.entry_id) in bots)],
                points=points[at],
                tie_breaks=[texts[at] for texts in told.values()],
            )
            for at, row in enumerate(own)
            for name, beside in [(row.entry.called, row.beside_name)]
        ]
        yield Screen("standings", title, lines, "ranks", said=said)


def _brackets(competition: Competition) -> Iterator[Screen]:
    """Yield a bracket from the round that is played on, in screens that can be read from afar."""
    entrants = entrants_of(competition)
    names = all_marked(entrants.names, entrants.bots)
    for number, bracket in enumerate(brackets_of(competition, competition.stage, names)):
        begin = max(0, min(bracket.running, len(bracket.columns) - LAST_COLUMNS))
        found = list(parts(bracket, PAIRS, COLUMNS, begin)) if bracket.columns else []
        title = ": ".join(filter(None, [_("Bracket"), translated(bracket.title)]))
        for at, part in enumerate(found, 1):
            counted = f"{title} ({at}/{len(found)})" if len(found) > 1 else title
            yield Screen("bracket", counted, (), "plain", chart=bracket_chart(part), place=f"{number}-{at}")


def _years(competition: Competition) -> Iterator[Screen]:
    """Yield the tables of the year to which a competition counts, a screen for each."""
    for year in [each for tables in papers.YEAR_TABLES for each in tables(competition)]:
        lines = [Line(rank.rstrip("."), [name], points=total) for rank, name, *_rest, total in year.rows]
        if lines:
            yield Screen("year", year.title, lines, "ranks", said=year.columns[-1])


def _fitting(
    rows: Sequence[Standing], tie_breaks: Sequence[str], plain: Plain
) -> Mapping[str, Sequence[str]]:
    """Return the titles of the first tie-breaks with their texts, up to one of several numbers.

    That does not fit. Plain counts take the place of those that say no more.
    """
    columns = {
        title_of(name, plain): column([row.tiebreaks.get(name) for row in rows])
        for name in tie_breaks
        if name != "lot" and name not in plain.told_plainly
    }
    for count in plain_columns(plain, points_of(rows)):
        if {*tie_breaks} & {*count.decides}:
            columns = {count.title: [count.of(row.entry_id) for row in rows], **columns}
    fitting = takewhile(lambda each: not any(" " in shown for shown in each[1]), columns.items())
    return dict(islice(fitting, TIE_BREAKS))


# ---- Check-in from phones ------------------------------------------------------------------------


def _invitation(request: HttpRequest, competition: Competition, hall: Hall) -> dict[str, Any]:
    """Return where people check in from their own phones: no address where no other device reaches one."""
    site = site_address(request)
    address = site and f"{site}{reverse('check_in', args=[competition.slug])}"
    code = ""
    if hall.self_check_in and address:
        code = segno.make(address, error="m", micro=False).svg_inline(
            scale=8, border=2, dark="#000", light="#fff", omitsize=True, svgclass="code", lineclass=None
        )
    typed = address.partition("://")[2].rstrip("/")
    return {"on": hall.self_check_in, "address": address, "code": mark_safe(code), "short": typed}
