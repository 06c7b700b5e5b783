"""A game that is over in one answer, from which scripts show the table after each of its moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from csp.constants import NONE
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import get_template, render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from games.engine import chain, replay
from games.engine.refusals import NotReplayable
from games.engine.turning_points import TurningPoint, turning_points
from league.files.file import File, as_answer
from league.ops.answers import KeptContents, tag_of, tagged
from league.queries import verification
from league.queries.accounts import zone_for
from league.queries.games import all_games, draws_of, ruling_of, seated, with_rulings
from league.queries.seen import SeenGame, after_each_entry
from league.requests import spectator_or_account
from league.web import gametable
from league.web.endings import deal_ended, sides_of
from league.web.gametable import TableRequest, TableShown
from league.web.holders import table_of
from league.web.seats import seats_of
from league.words.moves import how_written, seat_name, shown

if TYPE_CHECKING:
    from games.models import Game
    from games.models.moves import Move
    from league.models import Account, ClubGame

_ANSWERS: Final = KeptContents[bytes](8)
"""Answers by their tags."""


def _finished(game_id: UUID) -> ClubGame:
    """Return a club's game that is over, which everybody may see; raise Http404 for any other."""
    try:
        return with_rulings(all_games().select_related("club")).get(pk=game_id, game__status="finished")
    except ObjectDoesNotExist:
        raise Http404 from None


@require_safe
@cache_control(private=True, no_cache=True)
def frames(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Send the table after each move of a finished game as JSON, with moves, scores and turning points.

    A practice game is sent to whoever played it.
    """
    club_game = table_of(request, game_id)
    if club_game.game.status != "finished":
        raise Http404
    return _frames(request, club_game, spectator_or_account(request))


@require_safe
@never_cache
def log(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Send the log of a visitor's own game, as the API sends those of clubs' games to everybody."""
    text = "".join(f"{line}\n" for line in verification.game_lines(_own(request, game_id)))
    return as_answer(File(text.encode(), f"{game_id}.jsonl"))


@require_safe
@never_cache
def draws(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Send every shuffle and roll of a visitor's own game once it is over; none before."""
    try:
        return JsonResponse({"draws": draws_of(_own(request, game_id))})
    except NotReplayable:
        raise Http404 from None


def _own(request: HttpRequest, game_id: UUID) -> Game:
    game = table_of(request, game_id).game
    if not game.practice:
        raise Http404
    return game


@require_safe
@cache_control(private=True, no_cache=True)
def embedded_frames(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Send the same to the embedded player, which asks for no cookie: it is the same for everybody."""
    return _frames(request, _finished(game_id), None)


def _frames(request: HttpRequest, club_game: ClubGame, account: Account | None) -> HttpResponse:
    zone = zone_for(account, club_game.club)
    tag = _tag(club_game, zone)
    return tagged(request, tag, lambda: _made(club_game, tag, zone))


@require_safe
@cache_control(no_cache=True)
def embedded(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Show a finished game to whoever reads a website that its club lets embed games; asks for no cookie."""
    club_game = _finished(game_id)
    try:
        table = gametable.table(club_game, TableRequest(at_in(request, club_game.game)), account=None)
    except NotReplayable:
        raise Http404 from None
    answer = render(request, "embed/game.html", {"table": table, "zone": club_game.club.timezone})
    sites = club_game.club.embed_on
    answer._csp_replace = {"frame-ancestors": sites or [NONE]}  # type: ignore[attr-defined]
    answer.xframe_options_exempt = bool(sites)
    return answer


def snippet(request: HttpRequest, table: TableShown) -> str:
    """Return the HTML with which other sites embed a finished game; empty where its club lets none."""
    if not table.club_game.club.embed_on or table.game.status != "finished":
        return ""
    address = request.build_absolute_uri(reverse("embedded", args=[table.game.pk]))
    return render_to_string("embed/snippet.html", {"table": table, "address": address}).strip()


def at_in(request: HttpRequest, game: Game) -> int:
    """Return the move in ``?at=``, by default the last one; raise Http404 for one that there is not."""
    text = request.GET.get("at", "")
    if not text:
        return game.seq
    if not is_number(text) or not 0 < int(text) <= game.seq:
        raise Http404
    return int(text)


def is_number(text: str) -> bool:
    """Return whether a text of the query is a number that a log could have."""
    return text.isascii() and text.isdigit() and len(text) < 10


def _tag(club_game: ClubGame, zone: str) -> str:
    """Return an ETag that changes with what is shown: log, result, club, names, zone, language, release."""
    ruling = [(seat.pk, seat.rank, seat.score) for seat in ruling_of(club_game)]
    names = [(seat_name(seat), seat.player and seat.player.pk) for seat in seated(club_game.game)]
    of_club = (club_game.club.name, club_game.club.slug)
    return tag_of(club_game.game.head, ruling, names, of_club, zone)


def _made(club_game: ClubGame, tag: str, zone: str) -> HttpResponse:
    try:
        with timezone.override(zone):
            content = _ANSWERS.get(tag, lambda: chain.canonical(_content(club_game)))
    except NotReplayable:
        raise Http404 from None
    return HttpResponse(content, content_type="application/json")


@dataclass
class _Lines:
    """Lines of HTML, each kept once: most of a table is the same after the next move."""

    numbers: dict[str, int] = field(default_factory=dict)

    def of(self, html: str) -> list[int]:
        """Return the numbers of the lines of some HTML."""
        lines = (line.strip() for line in html.split("\n"))
        return [self.numbers.setdefault(line, len(self.numbers)) for line in lines if line]


def _content(club_game: ClubGame) -> Mapping[str, Any]:
    """Return the answer; lists hold an item for each entry, or ``[seq, item]`` where it changes.

    ``tables`` and ``sheets`` are lists of numbers of ``lines``.
    """
    entries, tables = [], []
    for entry, seen in after_each_entry(club_game):
        entries.append(entry)
        tables.append(_table(seen, entries))
    lines, scores = _Lines(), [[seat.score for seat in table.seats] for table in tables]
    names = tables[0].names
    sheets = [lines.of(html) for html in _sheets(tables)]
    low_wins, teams = tables[0].ruleset.low_wins, tables[0].ruleset.teams(len(names))
    return {
        "tables": [lines.of(_html("games/replayed.html", table)) for table in tables],
        "sheets": _changes(sheets),
        "lines": list(lines.numbers),
        "moves": [
            _html("games/move.html", tables[0], shown=each) for each in shown(club_game.game, entries, names)
        ],
        "rounds": _changes([table.view["round"] for table in tables]),
        "deals": _deals(tables),
        "scores": _changes(scores),
        "names": [names[seat] for seat in sorted(names)],
        "points": [
            [point.seq, _in_words(point, names, teams)] for point in turning_points(scores, low_wins=low_wins)
        ],
    }


def _table(after: SeenGame, entries: Sequence[Move]) -> TableShown:
    """Return the table after the last of the entries, with all cards open.

    After one that ends a deal it is the end of that deal: the next begins with the move after it.
    """
    seen, deal = after.at_end_of_deal, deal_ended(after.position)
    position, seats = seen.position, seats_of(seen)
    return TableShown(
        club_game=seen.club_game,
        position=position,
        at=len(entries),
        seats=seats,
        mine=None,
        view=replay.full_view(position),
        forms=(),
        grids=(),
        may_resign=False,
        entries=(),
        whole=False,
        seed=None,
        check=None,
        rulings=(),
        sent="",
        how={} if position.ruleset.dealt else how_written(entries),
        written={},
        past=len(entries) < seen.game.seq,
        sides=sides_of(position, seats, deal),
        deal=deal,
    )


def _html(template: str, table: TableShown, **more: Any) -> str:
    context = {"table": table, "view": table.view, "studio": True, **more}
    return get_template(template).render(context)


def _sheets(tables: Sequence[TableShown]) -> Iterator[str]:
    """Yield the score sheet after each entry, made again only where it changes."""
    html, before = "", None
    for table in tables:
        now = (table.view["sheet"], table.view["penalties_given"], table.how)
        if now != before:
            html, before = _html("games/sheet.html", table), now
        yield html


def _changes(values: Sequence[Any]) -> list[list[Any]]:
    """Return ``[seq, value]`` of the first value, and of each that is another than the one before."""
    later = [[seq, new] for seq, (old, new) in enumerate(pairwise(values), 2) if old != new]
    return [[1, values[0]], *later]


def _deals(tables: Sequence[TableShown]) -> list[int]:
    """Return the entries with the first table of each deal; one that ends a deal shows its end."""
    dealt = [(table.at, _deal(table)) for table in tables if not table.position.joining]
    return [at for at, _number in dealt[:1]] + [at for (_, old), (at, new) in pairwise(dealt) if old != new]


def _deal(table: TableShown) -> tuple[int, int]:
    """Return what tells a table's deal from the others of its game: how many ended before, and its number."""
    position = table.position
    return sum(seq < table.at for seq, _number in position.ends), replay.deal_number(position)


def _in_words(point: TurningPoint, names: Mapping[int, str], teams: Sequence[int]) -> str:
    """Return what happened at a turning point, in a sentence."""
    if not point.leaders:
        sentence = ngettext(
            "%(name)s gains %(points)d point on %(other)s.",
            "%(name)s gains %(points)d points on %(other)s.",
            point.points,
        )
        gained = {"points": point.points, "name": names[point.gainer], "other": names[point.loser]}
        return sentence % gained
    leading = ", ".join(names[seat] for seat in point.leaders)
    if len(point.leaders) == 1:
        return _("%(name)s takes the lead.") % {"name": leading}
    if len({teams[seat] for seat in point.leaders}) == 1:
        return _("%(names)s take the lead.") % {"names": leading}
    return _("%(names)s share the lead.") % {"names": leading}
