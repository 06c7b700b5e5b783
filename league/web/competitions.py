"""The pages of a competition: standings, rounds, entries and log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from league.choices import RoundStatus
from league.core.course import last_round
from league.core.lines import RULE
from league.files.file import File, as_answer
from league.ops.answers import KeptContents, tag_of, tagged
from league.queries import permissions, versions
from league.queries.competitions import (
    Entrants,
    all_competitions,
    details_of,
    entrants_of,
    entries_of,
    entries_of_bots,
    picture_of,
    stages_of,
    state_of,
)
from league.queries.events import byes_then, decisions_about, events_found, events_of, former_names, named_at
from league.queries.names import found
from league.queries.pictures import brackets_of, places_of, races_of, ways_of
from league.queries.prizes import awards_of
from league.queries.readers import hidden_words, knows
from league.queries.rounds import (
    TableShown,
    counted_rounds_of,
    has_results,
    how_drawn,
    read_byes,
    rounds_of,
    rounds_with_byes,
    rulings_of,
    table_count,
    tables_shown,
)
from league.queries.stand_ins import stand_ins
from league.queries.standings import (
    Standing,
    cross_tables_of,
    final_order,
    marks_of,
    moves_into,
    plain_of,
    public_seq,
    standings_of,
)
from league.queries.wall import tables_on_wall, watched_at
from league.requests import language_in, number_in, site_address, spectator_or_account
from league.web import my_entry
from league.web.lists import ListTools, choice, get_page, text
from league.web.standings import BracketChart, bracket_chart, ranked, ways_chart
from league.words.competitions import arrangements, share_text
from league.words.desks import entered_by
from league.words.event_text import event_lines, events_by_title, rulings_told, wanted
from league.words.options import options_of, scoring_in_words
from league.words.values import (
    all_marked,
    legend_of_lots,
)

if TYPE_CHECKING:
    from league.models import Competition, Round, Stage

EVENTS_SHOWN = 50
ENTRIES_SHOWN = 100
STANDINGS_SHOWN = 100
TABLES_SHOWN = 24
TABLES_BELOW = 12
"""The most tables of the last round beside the standings."""
PAGES_KEPT = 50
ROUNDS_SHOWN = 10
PODIUM = 3
MOST_ACROSS = 40
"""The most entries for which the cross table has a column each."""


_PAGES: Final = KeptContents[bytes](PAGES_KEPT)
"""Pages as they are sent to everybody without a log-in, by their tags."""
View: TypeAlias = "Callable[[HttpRequest, str], HttpResponse]"


def _tagged(*reads: str, moves: bool = False) -> Callable[[View], View]:
    """Return a decorator of a view that does not send a page again, nor make it again for who has no cookies.

    The page knows of its query only the numbers that it ``reads``: nothing else can have it made again. With
    ``moves`` it changes with each move at one of the tables, too, and with how many watch it.
    """

    def decorated(view: View) -> View:
        @wraps(view)
        def answered(request: HttpRequest, slug: str) -> HttpResponse:
            sent = request.GET, request.META["QUERY_STRING"]
            asked = _query_read(request, slug, reads)
            request.GET, request.META["QUERY_STRING"] = asked, asked.urlencode()  # type: ignore[assignment]
            try:
                tag = _tag(request, slug, moves=moves)
                make = partial(_made, view, request, slug, tag)
                return tagged(request, tag, make) if tag else make()
            finally:  # the log has the address as it was sent
                request.GET, request.META["QUERY_STRING"] = sent

        return answered

    return decorated


def _query_read(request: HttpRequest, slug: str, reads: Sequence[str]) -> QueryDict:
    """Return what a page reads of the query, each number written in one way; raises Http404."""
    numbers = {name: number_in(request, name) for name in reads}
    if numbers.get("page"):  # beyond the last one it is the same page
        most = entries_of(_competition(slug)).count()
        numbers["page"] = min(numbers["page"] or 1, most or 1)
    asked = QueryDict(mutable=True)
    asked.update({name: str(number) for name, number in numbers.items() if number is not None})
    if language := language_in(request):
        asked["lang"] = language[:2]
    return asked


def _made(view: View, request: HttpRequest, slug: str, tag: str | None) -> HttpResponse:
    if request.COOKIES or tag is None:
        return view(request, slug)
    return HttpResponse(_PAGES.get(tag, lambda: view(request, slug).content))


def _tag(request: HttpRequest, slug: str, *, moves: bool) -> str | None:
    """Return an ETag that changes with the competition, the reader and the release."""
    found = versions.at_address(slug)
    if found is None or len(messages.get_messages(request)):
        return None
    club, head, version = found
    account = spectator_or_account(request)
    # No log says which player an account belongs to, which role it has, or that a deadline has passed.
    reader = (
        (
            account.pk,
            permissions.player_in(club, account),
            permissions.is_organiser(club, account) and head,
            versions.past_deadline(slug),
        )
        if account
        else ()
    )
    played = (versions.version_of_games(slug), watched_at(slug)) if moves else ()
    return tag_of(version, played, reader, knows(club), request.build_absolute_uri())


@require_safe
@cache_control(no_cache=True)
@_tagged("stage", "round", "page")
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings of a stage, now or after the round in ``?round=``, and the last round.

    Before any result of the stage, the round that is played comes first.
    """
    competition = _competition(slug)
    state = state_of(competition)
    stages = list(stages_of(competition))
    entrants = entrants_of(competition)
    rounds = list(counted_rounds_of(competition))
    latest = rounds[0] if rounds else None
    below = _tables(competition, rounds[:1], stages, entrants, TABLES_BELOW)
    stage = _stage(request, competition, stages)
    after = number_in(request, "round")
    begun = stage and stage.number <= competition.stage
    plain = plain_of(competition, stage, after) if stage and begun else None
    standings = standings_of(stage, after=after, names=entrants.names, plain=plain) if stage else ()
    shown = get_page(request, standings, STANDINGS_SHOWN)
    rows = list(shown)
    if after is not None and not rows:
        raise Http404
    address = reverse("api:standings-json", args=[competition.pk])
    named = {"stage": stage.number if stage else None, "round": after}
    asked = {name: number for name, number in named.items() if number}
    context = {
        **ranked(competition, stage, entrants, rows, plain),
        **_latest(competition, latest, rows),
        "stages": stages,
        "stage": stage,
        "after": after,
        "rounds_of_stage": [each for each in reversed(rounds) if each.stage == stage and has_results(each)],
        "page": shown,
        "brackets": () if after or shown.number > 1 else _brackets(competition, stage, entrants),
        "tables": below.get(latest.pk, ()) if latest else (),
        "final_order": final_order(competition),
        "moves": moves_into(stage) if stage else (),
        "promotion_rule": RULE,
        "entries_open": state.entries_open,
        "why_cancelled": state.reason if state.status == "cancelled" else "",
        "own": my_entry.panel(request, competition),
        "scorings": [(each, scoring_in_words(each, state.opening)) for each in stages],
        "prizes": awards_of(competition),
        "options": options_of(competition),
        "arranged": arrangements(state.opening, state.plans),
        "partners": state.opening.lineup == "partners",
        "tools": ListTools((), "standings", competition.pk, address, asked),
    }
    head = competition.seq if _directs(request, competition) else public_seq(competition, competition.seq)
    frame = {"bots": entrants.bots, "head": head}
    return _render(request, "competitions/page.html", competition, {**context, **frame})


def _latest(competition: Competition, latest: Round | None, rows: Sequence[Standing]) -> dict[str, Any]:
    """Return the last round, whether it comes before the standings, and how many tables are left out."""
    if latest is None:
        return {}
    read_byes(latest)
    byes_then(competition, [latest])
    count = table_count(latest)
    played = latest.status == RoundStatus.PUBLISHED
    return {
        "latest": latest,
        "round_first": played and not any(row.played for row in rows),
        "more_tables": count if count > TABLES_BELOW else 0,
    }


@require_safe
@cache_control(no_cache=True)
@_tagged("stage")
def cross_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the results of all entries against each other; with many entries, their opponents."""
    competition = _competition(slug)
    stages = list(stages_of(competition))
    stage = _stage(request, competition, stages)
    tables = cross_tables_of(competition, stage.number) if stage else ()
    context = {
        "stages": stages,
        "stage": stage,
        "tables": list(enumerate(tables, 1)),
        "wide": max(map(len, tables), default=0) > MOST_ACROSS,
        "gone": marks_of(competition),
    }
    return _render(request, "competitions/cross_table.html", competition, context)


@require_safe
@cache_control(no_cache=True)
@_tagged("stage")
def charts(request: HttpRequest, slug: str) -> HttpResponse:
    """Show pictures of a stage: its bracket, the race of points, and the ways through all stages."""
    competition = _competition(slug)
    stages = list(stages_of(competition))
    stage = _stage(request, competition, stages)
    ways = ways_of(competition, stages)
    context = {
        "stages": stages,
        "stage": stage,
        "brackets": _brackets(competition, stage, entrants_of(competition)),
        "races": races_of(stage) if stage else (),
        "ways": ways_chart(ways) if ways else None,
    }
    return _render(request, "competitions/charts.html", competition, context)


def _brackets(competition: Competition, stage: Stage | None, entrants: Entrants) -> Sequence[BracketChart]:
    names = all_marked(entrants.names, entrants.bots)
    return [bracket_chart(each) for each in brackets_of(competition, stage.number, names)] if stage else ()


@require_safe
@cache_control(no_cache=True)
@_tagged("page", moves=True)
def wall(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables of the round that is being played, or was last, with their scores so far."""
    competition = _competition(slug)
    latest = rounds_of(competition).prefetch_related(None).first()
    page = get_page(request, range(latest.tables.count() if latest else 0), TABLES_SHOWN)
    tables = tables_on_wall(latest, page.start_index() - 1, TABLES_SHOWN) if latest and page else ()
    context = {"latest": latest, "page": page, "tables": tables}
    return _render(request, "competitions/wall.html", competition, context)


@require_safe
@cache_control(no_cache=True)
@_tagged()
def winners(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who won a finished competition: the podium, prizes, all places, and a text to share."""
    competition = _competition(slug)
    places = places_of(competition)
    if not places:
        raise Http404
    account = spectator_or_account(request)
    player = permissions.player_in(competition.club_id, account) if account else None
    site = site_address(request)
    address = f"{site}{request.path}" if site else ""
    honoured = [each for each in places if not each.gone]
    podium = [(number, list(inside)) for number, inside in groupby(honoured, key=lambda each: each.place)]
    context = {
        "podium": [(number, inside) for number, inside in podium if number <= PODIUM],
        "places": places,
        "marks": marks_of(competition),
        "legend": legend_of_lots(each.by_lot for each in places),
        "prizes": awards_of(competition),
        "own": [each for each in honoured if player and str(player.pk) in each.own_of],
        "reachable": bool(site),
        "share": share_text(competition, [each for each in honoured if each.place <= PODIUM], address),
    }
    return _render(request, "competitions/winners.html", competition, context)


@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the published rounds with their tables, the latest first; or only that of ``?stage=&round=``."""
    competition = _competition(slug)
    wanted = {"stage__number": number_in(request, "stage"), "number": number_in(request, "round")}
    only = {name: number for name, number in wanted.items() if number is not None}
    page = get_page(request, rounds_with_byes(competition).filter(**only), ROUNDS_SHOWN)
    byes_then(competition, page)
    how = how_drawn(competition, page)
    entrants = entrants_of(competition)
    tables = _tables(competition, list(page), list(stages_of(competition)), entrants)
    shown = [
        (each, tables[each.pk], how.get((each.stage.number, each.number)), how.get((each.stage.number, 0)))
        for each in page
    ]
    context = {
        "rounds": shown,
        "page": page,
        "only": bool(only),
        "bots": entrants.bots,
        "tools": ListTools((), "results", competition.pk, reverse("api:tables", args=[competition.pk])),
    }
    return _render(request, "competitions/rounds.html", competition, context)


@require_safe
@cache_control(public=True, max_age=31_536_000, immutable=True)
def picture(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """Send the competition's picture; its address changes with it."""
    data = picture_of(_competition(slug), digest)
    if data is None:
        raise Http404
    return as_answer(File(data, f"{slug}.jpg"))


@require_safe
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the entries."""
    competition = _competition(slug)
    name = text(request, "name", _("Name"))
    searched = found(entries_of(competition), name.value)
    page = get_page(request, searched.rows, ENTRIES_SHOWN)
    json = reverse("api:entries", args=[competition.pk])
    context = {
        "entries": page,
        "page": page,
        "tools": ListTools((name,), "entries", competition.pk, json, meant=searched.meant),
        "last_round": last_round(state_of(competition)) or 0,
        "marks": marks_of(competition),
        "stood_in": stand_ins(competition),
    }
    return _render(request, "competitions/entries.html", competition, context)


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the log in words, the latest event first."""
    competition = _competition(slug)
    directs = _directs(request, competition)
    term = text(request, "q", _("Search, such as walkover, round 2 or a name"))
    kind = choice(request, "kind", _("What"), events_by_title())
    # Words of hidden names must find nothing, or a search spells them out.
    whole = knows(competition.club_id) or not hidden_words(competition.club_id)
    events = events_found(events_of(competition, withheld=directs), wanted(term.value), whole=whole)
    page = get_page(request, events.filter(event__type=kind.value) if kind.value else events, EVENTS_SHOWN)
    tools = ListTools((term, kind), "events", competition.pk, reverse("api:events", args=[competition.pk]))
    with timezone.override(competition.club.zone):
        lines = event_lines(list(page))
    context = {"page": page, "events": lines, "tools": tools}
    return _render(request, "competitions/log.html", competition, context)


def _competition(slug: str) -> Competition:
    return get_object_or_404(all_competitions(), slug=slug)


def _render(
    request: HttpRequest, template: str, competition: Competition, context: dict[str, Any]
) -> HttpResponse:
    """Return a page of a competition; ``context`` may have the bots already."""
    frame = {
        "competition": competition,
        "club": competition.club,
        "details": details_of(competition),
        "zone": competition.club.timezone,
        "directs": _directs(request, competition),
    }
    if "bots" not in context:
        frame["bots"] = entries_of_bots(competition)
    return render(request, template, {**frame, **context})


def _directs(request: HttpRequest, competition: Competition) -> bool:
    account = spectator_or_account(request)
    return account is not None and permissions.is_organiser(competition.club_id, account)


def _tables(
    competition: Competition,
    rounds: Sequence[Round],
    stages: Sequence[Stage],
    entrants: Entrants,
    most: int | None = None,
) -> Mapping[UUID, list[tuple[TableShown, str, str]]]:
    """Return the tables of rounds, ``most`` of each, by their ids, with rulings and who entered them."""
    former = former_names([competition.pk], entrants.teams)
    found = tables_shown(rounds, most, former)
    ruled = {table.id for tables in found.values() for table in tables if table.ruled}
    told: Mapping[str, str] = {}
    by_desks: Mapping[str, str] = {}
    if ruled:
        seqs = {table: seq for table, seq in rulings_of(competition).items() if table in ruled}
        named = named_at({each: found[each.pk] for each in rounds}, stages, entrants.names, former)
        sentences = rulings_told(list(seqs.values()), decisions_about(competition, ruled), named)
        told = {table: sentences[seq] for table, seq in seqs.items() if seq in sentences}
        by_desks = entered_by(state_of(competition), seqs)
    return {
        each: [(table, told.get(table.id, ""), by_desks.get(table.id, "")) for table in tables]
        for each, tables in found.items()
    }


def _stage(request: HttpRequest, competition: Competition, stages: list[Stage]) -> Stage | None:
    """Return the stage in ``?stage=``, by default the last one begun; 404 for one that has not begun."""
    number = number_in(request, "stage") or competition.stage
    if number == 0:
        return None
    begun = {stage.number: stage for stage in stages if stage.number <= competition.stage}
    if number not in begun:
        raise Http404
    return begun[number]
