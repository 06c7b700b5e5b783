"""Reads of competitions between clubs: who takes part, the matches of a club's teams, who plays."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Case, Q, QuerySet, When

from games.engine.messages import text
from league.apps.between.models import Lent, Partner
from league.choices import TokenScope
from league.core import formats, scoring
from league.core.records import Rate, total
from league.core.state.competition import Competition as State
from league.core.state.competition import Entry, Result, Round, Stage, Table
from league.core.team_matches import TeamMatch, team_matches
from league.core.verbs.checking import unchecked_at
from league.models import Account, Club, Competition, EntryPlayer, Player
from league.queries import permissions
from league.queries.clubs import OVER, players_of
from league.queries.competitions import state_of

_MOST_LEAGUES: Final = 50
"""The latest competitions whose matches a calendar has."""


def partners_of(competition: Competition) -> QuerySet[Partner]:
    """Return the clubs that take part in a competition, by name."""
    return Partner.objects.filter(competition=competition).select_related("club")


def parts_of(clubs: Iterable[Club]) -> QuerySet[Partner]:
    """Return in which competitions clubs take part, those that go on first, the newest of them first."""
    found = Partner.objects.filter(club__in=[*clubs]).select_related("club", "competition__club")
    over = Case(When(competition__status__in=OVER, then=1), default=0)
    return found.order_by(over, "-competition__opened_at", "club__name", "pk")


def require_desk(by: Account, competition: UUID, club: UUID, *scopes: str) -> None:
    """Raise PermissionDenied unless an account directs a club that takes part, and calls with one of them."""
    by.require_scope(*scopes or (TokenScope.CLUB_ORGANISE,))
    if permissions.role_in(club, by) not in permissions.DIRECTORS:
        raise PermissionDenied(permissions.ORGANISERS_ONLY)
    if not Partner.objects.filter(competition=competition, club=club).exists():
        raise PermissionDenied(text("The club takes no part in this competition."))


def people_of(club: Club) -> QuerySet[Player]:
    """Return whom a club can line up, by name: its active people, no programs and nobody of another club."""
    of_others = Lent.objects.values("player")
    return players_of(club, active=True).filter(bot=False, anonymous=False).exclude(pk__in=of_others)


def at_home(club: Club, players: Iterable[str]) -> Mapping[str, Player]:
    """Return who of a club plays under each of some ids in a competition, its own or another club's."""
    ids = [UUID(player) for player in players]
    own = {str(each.pk): each for each in Player.objects.filter(club=club, pk__in=ids)}
    lent = Lent.objects.filter(player__in=ids, home__club=club).select_related("home")
    return {**own, **{str(each.player_id): each.home for each in lent if each.home}}


# ---- Matches -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Board:
    """A board of a match: its number, the table, home's and away's player and score, who must confirm it.

    ``waiting`` is its result while nobody has confirmed it. ``scores`` are None without a result.
    """

    number: int
    table: Table
    players: tuple[str, str]
    scores: tuple[int, int] | None
    points: tuple[Fraction, Fraction] | None
    waiting: Result | None

    @property
    def home_seat(self) -> int:
        """Return the seat of the team at home."""
        return next(at for at, seat in enumerate(self.table.seats) if seat.player == self.players[0])


@dataclass(frozen=True)
class Shown:
    """A match of two teams as pages show it, the team at home first; ``points`` are those so far."""

    stage: int
    round: int
    teams: tuple[str, str]
    points: tuple[Fraction, Fraction]
    decided: bool
    boards: tuple[Board, ...]


def matches_in(state: State, *, club: str | None = None) -> list[Shown]:
    """Return the matches of the published rounds, the newest first; with a club those of its teams alone."""
    if state.opening.lineup != "boards":
        return []
    mine = {entry.id for entry in state.entries if club is None or entry.club == club}
    return [
        _shown(state, stage, each, match)
        for stage in reversed(state.stages)
        for each in reversed(stage.shown_rounds)
        for match in team_matches(each.tables)
        if not mine.isdisjoint(match.teams)
    ]


def _shown(state: State, stage: Stage, each: Round, match: TeamMatch) -> Shown:
    rate = scoring.rate_of(state, stage).of_boards
    boards = tuple(_boards(state, each, match, rate))
    home, away = (total([board.points[at] for board in boards if board.points]) for at in range(2))
    return Shown(stage.number, each.number, match.teams, (home, away), match.decided, boards)


def _boards(state: State, each: Round, match: TeamMatch, rate: Rate) -> Iterator[Board]:
    for table in match.boards:
        seats = {seat.entry: number for number, seat in enumerate(table.seats)}
        home, away = (seats[team] for team in match.teams)
        result = next(iter(table.results), None)
        scores = points = None
        if result:
            scores = result.placings[home].score, result.placings[away].score
        if table.decided and table.void is None:
            points = _earned(each, table, match.teams, rate)
        players = table.seats[home].player, table.seats[away].player
        waiting = next(iter(unchecked_at(state, table)), None)
        yield Board(table.board, table, players, scores, points, waiting)


def _earned(each: Round, table: Table, teams: tuple[str, str], rate: Rate) -> tuple[Fraction, Fraction]:
    """Return what a decided board earned each team."""
    lines = scoring.board_lines(each, table, rate)
    home, away = (total([line.points for line in lines if line.entry == team]) for team in teams)
    return home, away


def entered_by(state: State, board: Board, club: Club) -> bool:
    """Return whether a club entered the result of a board that waits: then only the other confirms it."""
    side = board.waiting.side if board.waiting else ""
    return bool(side) and state.entry(side).club == str(club.pk)


def told(competition: Competition, state: State, club: Club | None = None) -> list[dict[str, Any]]:
    """Return the matches of a competition as pages show them, with names for who reads.

    Those of the teams of a ``club`` alone with one, whose own people are called as at home.
    """
    shown = matches_in(state, club=str(club.pk) if club else None)
    ids = {player for match in shown for board in match.boards for player in board.players}
    called = {str(each.pk): each.called for each in Player.objects.filter(pk__in=[*ids])}
    if club:
        called |= {player: home.name for player, home in at_home(club, ids).items()}
    return [
        {
            "stage": match.stage,
            "round": match.round,
            "home": state.entry(match.teams[0]),
            "away": state.entry(match.teams[1]),
            "points": match.points,
            "decided": match.decided,
            "begun": any(board.points for board in match.boards),
            "boards": [
                {"board": board, "home": called[board.players[0]], "away": called[board.players[1]]}
                for board in match.boards
            ],
        }
        for match in shown
    ]


@dataclass(frozen=True)
class Fixture:
    """A match of a round, and on which day it is played where that is known."""

    stage: int
    round: int
    day: date | None
    home: Entry
    away: Entry

    @property
    def of(self) -> frozenset[str]:
        """Return the ids of the teams, their clubs and their players."""
        sides = (self.home, self.away)
        return frozenset(known for side in sides for known in (side.id, side.club, *side.players))


def fixtures(state: State, club: Club | None = None) -> Sequence[Fixture]:
    """Return the matches of the rounds to come in their order; with a ``club`` those of its teams alone."""
    stage = state.stage
    if state.opening.lineup != "boards" or stage is None or state.over:
        return ()
    found = (
        _fixture(state, (stage.number, number), table)
        for number, table in formats.of(stage.plan).tables_ahead(state, stage)
        if len(table) == 2
    )
    return [each for each in found if club is None or str(club.pk) in each.of]


def _fixture(state: State, at: tuple[int, int], pair: Sequence[str]) -> Fixture:
    day = next((date.fromisoformat(each.day) for each in state.days if each.at == at), None)
    home, away = map(state.entry, pair)
    return Fixture(*at, day, home, away)


def matches_on_days(of: Competition | Club | Player) -> Iterator[tuple[Competition, date, Fixture]]:
    """Yield the matches with a day of a competition, or of all running ones of a club or a player.

    Those of published rounds are among them, and all those of the competitions of a federation.
    """
    ids = [of.pk, *Lent.objects.filter(home=of.pk).values_list("player", flat=True)]
    own = {*map(str, ids)}
    for competition in _leagues_of(of, ids):
        state, whole = state_of(competition), of in (competition, competition.club)
        published = (
            _fixture(state, (stage.number, each.number), match.teams)
            for stage in state.stages
            for each in stage.shown_rounds
            for match in team_matches(each.tables)
            if state.opening.lineup == "boards"
        )
        for match in (*published, *fixtures(state)):
            if match.day and (whole or not own.isdisjoint(match.of)):
                yield competition, match.day, match


def _leagues_of(of: Competition | Club | Player, own: Sequence[UUID]) -> Iterable[Competition]:
    """Return the competition itself, or the running ones of a club with several or a player, the latest."""
    if isinstance(of, Competition):
        return [of]
    if isinstance(of, Club):
        parts = Partner.objects.filter(Q(club=of) | Q(competition__club=of))
        asked = Q(pk__in=parts.values("competition"))
    else:
        asked = Q(pk__in=EntryPlayer.objects.filter(player__in=own).values("entry__competition"))
    running = Competition.objects.filter(asked).exclude(status__in=OVER)
    return running.select_related("club").order_by("-opened_at", "pk")[:_MOST_LEAGUES]


def teams_of(state: State, club: UUID) -> Sequence[Entry]:
    """Return the entries of a club that take part or wait, in the order of entry."""
    return [entry for entry in state.entries if entry.club == str(club) and entry.live]
