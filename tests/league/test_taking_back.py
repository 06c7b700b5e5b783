"""Mistakes put right, through the services: what becomes of games, rows, emails and files."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client

from games import log as games
from games import rules
from games.engine import shapes
from games.engine.refusals import Illegal
from games.engine.replay import Actor
from games.models import Game
from league.callers import ByAccount, ByClock, Caller
from league.core import portable, verifier
from league.core.verbs import ORGANISER_VERBS
from league.core.verbs.course import FinishCompetition, ReopenCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.presence import MarkNoShow
from league.core.verbs.rounds import CloseRound, PublishRound, ReopenRound, WithdrawRound
from league.core.verbs.rulings import SetResult, TakeBackOutcome
from league.core.verbs.tables import ReopenTable
from league.models import ClubGame, Competition, Round, Stage, Table
from league.projections.ratings import compute_ratings
from league.projections.standings import compute_standings
from league.queries import verification
from league.queries.verbs import given_to, preview
from league.services.play import make_move
from tests.api.web import get
from tests.factories import Cast, MemberFactory
from tests.league.acting import act
from tests.league.playing import finished, in_play, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, page_text
from tests.league.test_projections import dumped
from tests.rules.high_card_on_paper.scenarios import lines
from tests.toys import TOYS

WHY = "the wrong draw"


def withdrawn(cast: Cast, players: int = 4) -> Competition:
    competition = in_play(cast, players)
    act(cast.olga, competition, WithdrawRound, reason=WHY)
    return competition


class TestAWithdrawnRound:
    def test_frees_its_number_and_ends_its_games(self, cast: Cast) -> None:
        competition = withdrawn(cast)
        assert not Round.objects.exists()
        assert [game.status for game in Game.objects.all()] == ["abandoned"]
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, PublishRound)
        assert [(each.number, each.status) for each in Round.objects.all()] == [(1, "published")]
        assert ClubGame.objects.filter(table=None, competition=competition).count() == 1

    def test_is_refused_once_a_game_has_begun(self, cast: Cast) -> None:
        competition = in_play(cast, 8)
        game = tables(competition)[1].games.get().game
        play = {"type": "say", "number": 1}
        games.append(game_id=game.pk, seq=2, actor=Actor("seat", 0), move=play, account=None)
        with pytest.raises(Illegal, match="has begun; what was played there would be lost"):
            act(cast.olga, competition, WithdrawRound, reason=WHY)
        game.refresh_from_db()
        assert (game.status, Round.objects.get().status) == ("active", "published")

    def test_is_rebuilt_and_verified_like_any_other(self, cast: Cast) -> None:
        competition = withdrawn(cast)
        compute_standings(competition.pk)
        compute_ratings(competition.pk)
        before = dumped()
        call_command("rebuild")
        assert dumped() == before
        competition.refresh_from_db()
        report = verifier.check(portable.read(verification.lines(competition)))
        assert report.games == 1

    def test_sent_twice_leaves_the_next_round_alone(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        seq = competition.seq + 1
        act(cast.olga, competition, WithdrawRound, reason=WHY, seq=seq)
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, PublishRound)
        again = act(cast.olga, competition, WithdrawRound, reason=WHY, seq=seq)
        assert not again.created
        assert Game.objects.filter(status="active").count() == 1


def test_a_no_show_taken_back_ends_the_game_that_the_entry_left(cast: Cast) -> None:
    competition = in_play(cast, 4)
    (table,) = tables(competition)
    entry = table.seats.all()[0].entry_id
    act(cast.olga, competition, MarkNoShow, table=table.pk, entry=entry)
    act(cast.olga, competition, TakeBackOutcome, table=table.pk, entry=entry, reason=WHY)
    assert Game.objects.get().status == "abandoned"


def test_a_corrected_competition_says_so_everywhere(cast: Cast) -> None:
    competition = finished(cast, 4)
    (table,) = tables(competition)
    act(cast.olga, competition, ReopenCompetition, reason=WHY)
    assert not Stage.objects.get().corrected
    seats = [{"seat": seat, "rank": seat + 1, "score": 9 - seat} for seat in range(4)]
    act(cast.olga, competition, SetResult, table=table.pk, seats=seats, reason=WHY)
    act(cast.olga, competition, FinishCompetition)
    compute_standings(competition.pk)
    base = f"/competitions/{competition.pk}"
    assert get(f"{base}/stages/")["results"][0]["corrected"]
    assert {row["corrected"] for row in get(f"{base}/standings/")["results"]} == {True}
    assert "have been corrected since" in Client().get(f"/competitions/{competition.slug}/").content.decode()
    csv = Client().get(f"/api/v1{base}/standings.csv").content.decode().splitlines()
    assert ",corrected,next_group,next_why,by_lot," in csv[0]


def test_a_round_closed_by_mistake_is_played_on(cast: Cast) -> None:
    competition = in_play(cast, 4)
    act(cast.olga, competition, CloseRound, void_undecided=WHY)
    (table,) = tables(competition)
    act(cast.olga, competition, ReopenRound, reason=WHY)
    act(cast.olga, competition, ReopenTable, table=table.pk, reason=WHY)
    table.refresh_from_db()
    assert (table.status, Round.objects.get().status) == ("playing", "published")


# ---- What was played is not thrown away -----------------------------------------------------------

ROUND: Final[dict[str, Any]] = {"type": "round", "round": 1, "lines": lines(1, 0, 0, 0)}
PENALTY: Final[dict[str, Any]] = {"type": "penalty", "seat": 0, "points": 1, "reason": "late"}


@pytest.fixture
def on_paper(cast: Cast) -> Iterator[tuple[Competition, Table]]:
    """A competition with score cards whose round is published, and its table."""
    with rules.registered(*TOYS):
        competition = in_play(cast, 4, ruleset="high-card-on-paper", options={"rounds": 2})
        yield competition, tables(competition)[0]


def game_of(table: Table) -> Game:
    return table.games.get().game


def by_staff(cast: Cast, table: Table, role: str = "organiser", move: dict[str, Any] = ROUND) -> None:
    keeper = MemberFactory.create(club=cast.club, role=role).account
    make_move(ByAccount(keeper), game_id=game_of(table).pk, seq=2, move=move)


@dataclass(frozen=True)
class Without(Caller):
    """Somebody without an account, in a role that apps let in."""

    role: Literal["code", "kiosk"]

    def actor(self, game_id: UUID, kind: object) -> Actor:
        return Actor(self.role, 0)


def without_account(_cast: Cast, table: Table, role: Literal["code", "kiosk"]) -> None:
    make_move(Without(role), game_id=game_of(table).pk, seq=2, move=ROUND)


def by_the_clock(cast: Cast, table: Table) -> None:
    forfeit = {"type": "forfeit", "seat": 0, "reason": "out of time"}
    make_move(ByClock(0), game_id=game_of(table).pk, seq=2, move=forfeit)


ENTRIES: Final = [
    by_staff,
    partial(by_staff, role="scorekeeper"),
    partial(by_staff, move=PENALTY),
    lambda cast, table: make_move(ByAccount(cast.paul), game_id=game_of(table).pk, seq=2, move=ROUND),
    partial(without_account, role="code"),
    partial(without_account, role="kiosk"),
    by_the_clock,
]
NAMES: Final = ["organiser", "scorekeeper", "penalty", "player", "code", "kiosk", "clock"]


@pytest.mark.parametrize("entered", ENTRIES, ids=NAMES)
def test_a_round_is_not_withdrawn_once_anybody_has_made_an_entry(
    cast: Cast, on_paper: tuple[Competition, Table], entered: Any
) -> None:
    competition, table = on_paper
    entered(cast, table)
    with pytest.raises(Illegal, match="table 1 has begun; what was played there would be lost"):
        act(cast.olga, competition, WithdrawRound, reason=WHY)
    assert game_of(table).status == "active"


def test_a_round_is_not_withdrawn_when_somebody_makes_an_entry_at_that_moment(
    cast: Cast, on_paper: tuple[Competition, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    competition, table = on_paper

    def moved_meanwhile(*asked: Any) -> Any:
        given = given_to(*asked)
        by_staff(cast, table)
        return given

    monkeypatch.setattr("league.callers.given_to", moved_meanwhile)
    with pytest.raises(Illegal, match="what was played there would be lost"), transaction.atomic():
        act(cast.olga, competition, WithdrawRound, reason=WHY)
    assert Round.objects.get().status == "published"


def test_a_round_whose_only_game_was_abandoned_unplayed_is_withdrawn(
    cast: Cast, on_paper: tuple[Competition, Table]
) -> None:
    competition, table = on_paper
    by_staff(cast, table, move={"type": "abandon", "reason": "wrong table"})
    act(cast.olga, competition, WithdrawRound, reason=WHY)
    assert not Round.objects.exists()


ENDING: Final[dict[str, Any]] = {
    "cancel": {},
    "close-round": {"void_undecided": WHY},
    "void": {},
    "replay": {},
    "rule": {"seats": [{"seat": seat, "score": seat} for seat in range(4)]},
}


@pytest.mark.parametrize("key", ENDING)
def test_a_preview_of_whatever_ends_games_names_those_that_have_begun(
    cast: Cast, on_paper: tuple[Competition, Table], key: str
) -> None:
    competition, table = on_paper
    given = ENDING[key] | ({} if key in ("cancel", "close-round") else {"table": str(table.pk)})
    given |= {} if key == "close-round" else {"reason": WHY}
    verb = shapes.read(ORGANISER_VERBS[key], given)
    assert not preview(by=cast.olga, competition=competition, verbs=[verb]).lost
    by_staff(cast, table)
    (sentence,) = preview(by=cast.olga, competition=competition, verbs=[verb]).lost
    assert sentence == "Round 1: The game at table 1 has begun; what was played there would be lost."


@pytest.mark.parametrize("key", ["cancel", "close-early", "void", "replay", "rule", "withdraw-round"])
def test_the_page_of_whatever_ends_games_names_those_that_have_begun(
    cast: Cast, on_paper: tuple[Competition, Table], key: str
) -> None:
    competition, table = on_paper
    about = f"?table={table.pk}" if key in ("void", "replay", "rule") else ""
    by_staff(cast, table)
    page = page_text(ask(logged_in(cast.olga), competition, key, about))
    assert "what was played there would be lost" in page
