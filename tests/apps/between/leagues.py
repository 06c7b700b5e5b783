"""A county league: the federation is the cast's club, four clubs enter a team of four each."""

from dataclasses import dataclass
from typing import Any, Final

from league.apps.between.services import ByClub, enter_team, let_in, line_up
from league.core.state.competition import Competition as State
from league.core.state.competition import Table
from league.core.verb import Verb
from league.core.verbs.checking import CheckResult
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.rulings import RuledSeat, SetResult
from league.core.verbs.start import StartCompetition
from league.models import Account, Club, Competition, Member, Player
from league.queries.competitions import state_of
from league.services.verbs import perform
from tests.factories import AccountFactory, Cast, ClubFactory, MemberFactory, PlayerFactory
from tests.league.acting import act
from tests.league.playing import opened

SEASON: Final = {
    "name": "Season",
    "format": "round_robin",
    "rounds": 0,
    "table_size": 2,
    "params": {"legs": 2},
    "scoring": {"by": "win", "bye": "none", "match_points": ["2", "1", "0"]},
    "tie_breaks": ["board_points", "head_to_head"],
}


@dataclass(frozen=True)
class Side:
    """A club of the league: its organiser, and its people, of whom the first has an account."""

    club: Club
    by: Account
    people: list[Player]


def side(name: str, people: int = 5) -> Side:
    club = ClubFactory.create(name=name)
    by = AccountFactory.create(username=name.lower(), email=f"{name.lower()}@club.example")
    MemberFactory.create(club=club, account=by, role=Member.Role.OWNER)
    first = AccountFactory.create(username=f"{name.lower()}-one")
    MemberFactory.create(club=club, account=first)
    words = ("One", "Two", "Three", "Four", "Five")[:people]
    players = [
        PlayerFactory.create(club=club, name=f"{name} {word}", account=first if word == "One" else None)
        for word in words
    ]
    return Side(club, by, players)


def county(cast: Cast, **announced: Any) -> Competition:
    """Return a league of teams on boards without any."""
    given = {"name": "County league", "stages": [SEASON], "lineup": "boards", "team_size": 4}
    return opened(cast, **{**given, **announced})


def entered(cast: Cast, *sides: Side) -> Competition:
    """Return a league in which clubs have entered a team each, named after them."""
    competition = county(cast)
    for each in sides:
        let_in(by=cast.olga, competition=competition, club=each.club)
        enter(each, competition)
    competition.refresh_from_db()
    return competition


def enter(each: Side, competition: Competition, name: str = "", players: list[Player] | None = None) -> None:
    enter_team(
        by=each.by,
        club=each.club,
        competition=competition,
        name=name or f"{each.club.name} team",
        players=players or each.people[:4],
    )


def lines_up(each: Side, competition: Competition, players: list[Player]) -> None:
    entry = next(entry for entry in state(competition).entries if entry.club == str(each.club.pk))
    line_up(by=each.by, club=each.club, competition=competition, entry=entry.id, players=players)


def in_play(cast: Cast, *sides: Side) -> Competition:
    """Return a league whose first round is being played."""
    competition = entered(cast, *sides)
    act(cast.olga, competition, StartCompetition)
    publish(cast, competition)
    return competition


def publish(cast: Cast, competition: Competition) -> None:
    act(cast.olga, competition, DrawRound)
    act(cast.olga, competition, PublishRound)
    competition.refresh_from_db()


def state(competition: Competition) -> State:
    return state_of(Competition.objects.get(pk=competition.pk))


def boards(each: Side, competition: Competition) -> list[Table]:
    """The boards of a club's match in the newest round, in order."""
    now = state(competition)
    mine = {entry.id for entry in now.entries if entry.club == str(each.club.pk)}
    assert now.stage
    found = [table for table in now.stage.rounds[-1].tables if not mine.isdisjoint(table.entries)]
    return sorted(found, key=lambda table: table.board)


def says(each: Side, competition: Competition, verb: Verb) -> None:
    """Carry out a verb for a club's desk."""
    perform(ByClub(each.by, each.club), competition=competition, verb=verb)


def result(table: Table, *scores: int) -> SetResult:
    return SetResult(table.id, tuple(RuledSeat(seat, score) for seat, score in enumerate(scores)))


def check(competition: Competition, table: Table) -> CheckResult:
    """The confirmation of what was entered last at a table."""
    now = state(competition).table(table.id)[2]
    return CheckResult(table.id, now.entered[0].seq)
