"""The sides of a table, the end of a deal and of the game, and the rematch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import rules
from games.engine import replay, turning_points
from games.engine.refusals import Refusal
from games.engine.replay import Position
from league.choices import TableStatus
from league.core.entering import joined
from league.core.state.entries import after_players
from league.queries.games import SeatedPlayer, rematch_of, seated
from league.queries.records import rating_after
from league.queries.standings import Place, are_current, places_in
from league.requests import account_in
from league.services.casual_games import open_rematch
from league.web.seats import SeatShown
from league.words.messages import translated
from league.words.moves import seat_name
from league.words.options import asked_in_words
from league.words.values import place

if TYPE_CHECKING:
    from games.models import Game
    from league.models import Account, ClubGame, Entry, GameRating

MOST_DEALS: Final = 12
"""Of how many deals a result tells the points; those of more are read in the score sheet."""

# ---- Endings -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SideSeat:
    """A seat of a side, and what its cards counted in the deal that ended, None where they were not."""

    seat: SeatShown
    count: int | None


@dataclass(frozen=True)
class Side:
    """Seats that win and lose together: a team, the partners of an entry, or one seat.

    ``rank`` is 1 for the best, None while the game runs and where no side has won. ``points`` are those of
    the deal that ended, None where none ended or it counts for nothing. ``name`` is that of an entry of
    partners, whose total and points are those of its best seat. ``by_deal`` are its points in each deal of a
    game that is over, by the number of the deal.
    """

    team: int
    seats: tuple[SideSeat, ...]
    points: int | None
    total: int
    rank: int | None
    name: str = ""
    by_deal: tuple[tuple[int, int], ...] = ()

    @property
    def mine(self) -> bool:
        """Return whether the reader plays for this side."""
        return any(each.seat.mine for each in self.seats)

    @property
    def after_players(self) -> str | None:
        """Return what its name says after the names of its players, None where it has one of its own."""
        return after_players(self.name, joined([each.seat.name for each in self.seats])) if self.name else ""

    @property
    def names(self) -> str:
        """Return its name, or the names of its players."""
        return self.name or ", ".join(each.seat.name for each in self.seats)


@dataclass(frozen=True)
class DealEnded:
    """A deal that has ended: its row of the score sheet, None where it counts for nothing."""

    number: int
    row: Any


def deal_ended(position: Position) -> DealEnded | None:
    """Return the deal that the last entry of a position has ended, None where it has ended none."""
    ended = turning_points.at_end_of_deal(position)
    if ended is None:
        return None
    number = replay.deal_number(ended)
    rows = position.ruleset.sheet(ended.state)
    return DealEnded(number, rows[-1] if rows and rows[-1]["round"] == number else None)


def sides_of(
    position: Position,
    seats: Sequence[SeatShown],
    deal: DealEnded | None = None,
    partners: Sequence[Entry] = (),
) -> tuple[Side, ...]:
    """Return the sides of a game, the best first once it is over, with what a deal brought them.

    ``partners`` are the entries of the seats of a table that partners share: these are the sides then.
    """
    row = deal.row if deal and deal.row else {}
    counts = row.get(position.ruleset.counted) or (None,) * len(seats)
    entries = [*dict.fromkeys(partners)]
    teams = [entries.index(entry) for entry in partners] or position.teams
    sides = _sides(teams, seats, row, counts, _deals(position), low_wins=position.ruleset.low_wins)
    return tuple(replace(side, name=entries[side.team].name) for side in sides) if entries else sides


def _deals(position: Position) -> Sequence[tuple[int, Sequence[int]]]:
    """Return the points of all seats in each deal of a game that is over, none of very many."""
    if not position.is_over or position.state is None:
        return ()
    rows: Any = position.ruleset.sheet(position.state)
    return [(row["round"], row["scores"]) for row in rows] if len(rows) <= MOST_DEALS else ()


def sides_in(
    result: Mapping[str, Any], seated: Sequence[SeatedPlayer], mine: int | None = None
) -> tuple[Side, ...]:
    """Return the sides of a finished game, the best first, from its result; ``mine`` is the reader's seat."""
    placings = {each["seat"]: each for each in result["seats"]}
    seats = [
        SeatShown(
            seat.seat,
            seat_name(seat),
            seat.player,
            placings[seat.seat]["score"],
            placings[seat.seat]["rank"],
            to_act=False,
            out="",
            mine=seat.seat == mine,
        )
        for seat in seated
    ]
    return _sides([seat.team for seat in seated], seats, {}, (None,) * len(seats))


def _sides(
    teams: Sequence[int],
    seats: Sequence[SeatShown],
    row: Mapping[str, Any],
    counts: Sequence[int | None],
    deals: Sequence[tuple[int, Sequence[int]]] = (),
    *,
    low_wins: bool = False,
) -> tuple[Side, ...]:
    best = min((seat.rank for seat in seats if seat.rank), default=None)
    sides = []
    for team in sorted({*teams}):
        members = [seat for seat in seats if teams[seat.number] == team]
        # Members of a team in the game are all level; of partners the best counts.
        first = min(members, key=lambda seat: rules.best_first(seat.rank or 0, seat.score, low_wins=low_wins))
        better = {teams[seat.number] for seat in seats if (seat.rank or 0) < (first.rank or 0)}
        sides.append(
            Side(
                team=team,
                seats=tuple(SideSeat(seat, counts[seat.number]) for seat in members),
                points=row["scores"][first.number] if row else None,
                total=first.score,
                rank=1 + len(better) if best == 1 else None,
                by_deal=tuple((number, scores[first.number]) for number, scores in deals),
            )
        )
    return tuple(sorted(sides, key=lambda side: (side.rank or 0, side.team)))


def headline(sides: Sequence[Side]) -> str:
    """Return who has won, said to the reader where a side is theirs."""
    first = [side for side in sides if side.rank == 1]
    mine = next((side for side in sides if side.mine), None)
    if not first:
        return _("Nobody wins")
    if mine is None:
        return _of_others(first)
    if mine not in first:
        return _behind(mine, sides)
    if len(first) > 1:
        return _("Your team shares first place") if len(mine.seats) > 1 else _("You share first place")
    return _("Your team won") if len(mine.seats) > 1 else _("You won")


def _behind(mine: Side, sides: Sequence[Side]) -> str:
    """Return the place of a side that has not won: among more than two, only two can win or lose."""
    team = len(mine.seats) > 1
    if len(sides) == 2 or mine.rank is None:
        return _("Your team lost") if team else _("You lost")
    told = {"place": place(mine.rank), "count": len(sides)}
    if sum(side.rank == mine.rank for side in sides) > 1:
        return (_("Your team shares %(place)s place") if team else _("You share %(place)s place")) % told
    return (_("Your team is %(place)s of %(count)d") if team else _("You are %(place)s of %(count)d")) % told


def _of_others(first: Sequence[Side]) -> str:
    names = ", ".join(side.names for side in first)
    if len(first) > 1:
        return _("%(names)s share first place") % {"names": names}
    if len(first[0].seats) > 1:
        return _("%(names)s win") % {"names": names}
    return _("%(name)s wins") % {"name": names}


@dataclass(frozen=True)
class Changed:
    """What a finished game has changed for a player: the rating, and the place in the competition now."""

    rating: GameRating | None
    place: Place | None


def changed_by(club_game: ClubGame, mine: SeatShown | None) -> Changed | None:
    """Return what a game has changed for the reader's seat, None where it is not over or not the reader's.

    The place is left out until the standings have the result of the table.
    """
    if mine is None or mine.player is None or club_game.game.status != "finished":
        return None
    table = club_game.table
    entries: list[Entry] = []
    competition = club_game.competition
    if table and competition and table.status != TableStatus.PLAYING and are_current(competition):
        its = table.seats.select_related("entry").filter(number=mine.number ^ club_game.turn)
        entries = [seat.entry for seat in its]
    places = places_in(entries) if entries else {}
    return Changed(rating_after(club_game.game, mine.player), next(iter(places.values()), None))


# ---- Rematches -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rematch:
    """A rematch that was asked for; ``who`` says by whom.

    ``answers`` is true where the reader's answer is missing, ``invited`` where anybody's is.
    """

    game: UUID
    who: str
    answers: bool
    invited: bool


def rematch_for(game: Game, account: Account | None) -> Rematch | None:
    """Return the rematch of a club's game for one of its players, None for others."""
    if account is None or not game.is_over:
        return None
    found = rematch_of(game)
    seats = seated(found.game) if found else ()
    mine = [seat.seat for seat in seats if seat.account == account.pk]
    if found is None or not mine:
        return None
    return Rematch(
        game=found.pk,
        who=asked_in_words(found, seats).who,
        answers=not set(mine).isdisjoint(found.game.unanswered),
        invited=found.game.status == "invited",
    )


@login_required
@require_POST
def rematch(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Ask for a rematch, or accept it, and show that game."""
    try:
        game, _created_now = open_rematch(by=account_in(request), game_id=game_id)
    except Refusal as refusal:
        messages.error(request, translated(refusal.sentence))
        return redirect("game", game_id)
    except ObjectDoesNotExist:
        raise Http404 from None
    return redirect("game", game.pk)
