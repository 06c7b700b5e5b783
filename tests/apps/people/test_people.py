"""Two players who are one person, and players who want to be forgotten."""

from collections.abc import Mapping
from html import unescape
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine.refusals import Illegal
from league import log
from league.apps.people.services import merge_players
from league.core import verifier
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import CorrectName, WithdrawEntry
from league.core.verbs.rounds import CloseRound, PublishRound
from league.models import (
    ClubChange,
    Competition,
    Contact,
    Entry,
    GameRating,
    Invitation,
    Player,
    Rating,
    TableSeat,
)
from league.projections import ratings
from league.queries.games import games_of_player
from league.queries.own_tables import ended_tables
from league.services import gate, tampering
from league.services.automatic import record_result
from league.services.invitations import invite, invite_players
from league.services.players import change_player, remove_player
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import finished, in_play, opened, play_all
from tests.league.test_admin_scope import logged_in
from tests.league.test_name_lists import enter
from tests.league.test_unpublished_draws import addresses
from tests.league.test_verify import checked, exported
from tests.league.walking import text_of

pytestmark = pytest.mark.usefixtures("locks_in_order")


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


@pytest.fixture
def again(cast: Cast) -> Player:
    """Paul Pike, who is in the list a second time."""
    return PlayerFactory.create(club=cast.club, name="Pike Paul")


@pytest.fixture
def over(cast: Cast) -> Competition:
    """A competition that is over, in which Paul and Petra played."""
    competition = finished(cast)
    ratings.compute_ratings(competition.pk)
    return competition


def came_back(cast: Cast, again: Player) -> Competition:
    """Return a competition that Paul left after a round, and that another player entered then."""
    competition = in_play(cast, 8)
    for number in (1, 2):
        for game in play_all(competition, number):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound)
        if number == 1:
            paul = competition.entries.get(members__player=cast.paul_plays)
            act(cast.olga, competition, WithdrawEntry, entry=str(paul.pk))
            act(cast.olga, competition, EnterPlayers, players=[again.pk])
            for verb in (DrawRound, PublishRound):
                act(cast.olga, competition, verb)
    act(cast.olga, competition, FinishCompetition)
    competition.refresh_from_db()
    return competition


def merge(cast: Cast, kept: Player, merged: Player) -> Player:
    return merge_players(by=cast.olga, kept=kept, merged=merged)


def text(answer: Any) -> str:
    return str(answer.content.decode())


class TestMerging:
    def test_lets_past_results_count_for_the_player_who_is_kept(
        self, cast: Cast, again: Player, over: Competition
    ) -> None:
        paul = cast.paul_plays
        before = GameRating.objects.filter(player=paul).count(), games_of_player(paul).count()
        merge(cast, again, paul)
        ratings.compute_ratings(over.pk)
        assert not TableSeat.objects.filter(player=paul).exists()
        assert (GameRating.objects.filter(player=again).count(), games_of_player(again).count()) == before
        rated = set(Rating.objects.values_list("player", flat=True))
        assert (again.pk in rated, paul.pk in rated) == (True, False)

    def test_is_what_a_rebuild_gives(self, cast: Cast, again: Player, over: Competition) -> None:
        merge(cast, again, cast.paul_plays)
        assert list(gate.of_competition(over.pk)) == []

    def test_gives_the_account_its_tables_and_contact(
        self, cast: Cast, again: Player, over: Competition
    ) -> None:
        Contact.objects.create(player=cast.paul_plays, email="p@cards.example", phone="1")
        Contact.objects.create(player=again, phone="2")
        seats = len(ended_tables(cast.paul))
        kept = merge(cast, again, cast.paul_plays)
        assert kept.account == cast.paul
        assert len(ended_tables(cast.paul)) == seats > 0
        assert [(each.player_id, each.email, each.phone) for each in Contact.objects.all()] == [
            (again.pk, "p@cards.example", "2")
        ]

    def test_twice_changes_nothing(self, cast: Cast, again: Player) -> None:
        for _ in range(2):
            merge(cast, cast.paul_plays, again)
        assert ClubChange.objects.filter(kind="players_merged").count() == 1

    def test_leads_from_the_old_address_to_the_new(self, cast: Cast, again: Player, olga: Client) -> None:
        merge(cast, cast.paul_plays, again)
        assert olga.get(f"/players/{again.pk}/")["Location"] == f"/players/{cast.paul_plays.pk}/"
        assert olga.get(f"/api/v1/players/{again.pk}/").json()["id"] == str(cast.paul_plays.pk)
        assert olga.get(f"/admin/league/player/{again.pk}/change/").status_code in (302, 404)
        for page in (f"/clubs/{cast.club.slug}/players/", "/admin/league/player/"):
            assert "Pike Paul" not in text(olga.get(page))

    def test_follows_a_player_who_was_merged_before(
        self, cast: Cast, again: Player, over: Competition
    ) -> None:
        third = PlayerFactory.create(club=cast.club, name="P. Pike")
        merge(cast, again, cast.paul_plays)
        merge(cast, third, again)
        assert games_of_player(third).exists()
        assert list(gate.of_competition(over.pk)) == []

    def test_of_two_in_one_round_is_refused_with_the_competition_in_the_way(
        self, cast: Cast, over: Competition, olga: Client
    ) -> None:
        Player.objects.filter(pk=cast.paul_plays.pk).update(account=None)
        with pytest.raises(Illegal, match=f"Both played in one round or one team.*{over.name}"):
            merge(cast, cast.petra_plays, cast.paul_plays)
        page = text(olga.get(f"/admin/league/player/{cast.paul_plays.pk}/merge/?other={cast.petra_plays.pk}"))
        assert page.count(f'href="/admin/league/competition/{over.pk}/change/">{over.name}</a>') == 2

    def test_of_one_who_came_back_under_another_name_keeps_both_entries(
        self, cast: Cast, again: Player, olga: Client
    ) -> None:
        competition = came_back(cast, again)
        address = f"/admin/league/player/{again.pk}/merge/?other={cast.paul_plays.pk}"
        assert "Both have an entry, which both stay" in text(olga.get(address))
        merge(cast, cast.paul_plays, again)
        entries = Entry.objects.filter(competition=competition, members__player=cast.paul_plays)
        assert [each.name for each in entries.order_by("number")] == ["Paul Pike", "Paul Pike (2)"]
        ratings.compute_ratings(competition.pk)
        assert list(gate.of_competition(competition.pk)) == []
        for path in (f"/players/{cast.paul_plays.pk}/", f"/competitions/{competition.slug}/"):
            assert olga.get(path).status_code == 200

    def test_of_two_at_one_casual_table_is_refused(self, cast: Cast, again: Player) -> None:
        cast.game("tally", players=[cast.petra_plays.pk, again.pk])
        with pytest.raises(Illegal, match="the same game"):
            merge(cast, again, cast.petra_plays)

    def test_of_one_who_still_plays_is_refused_but_goes_the_other_way_round(
        self, cast: Cast, again: Player, olga: Client
    ) -> None:
        competition = in_play(cast, 2)
        page = text(olga.get(f"/admin/league/player/{again.pk}/merge/?other={cast.paul_plays.pk}"))
        assert f"Paul Pike is in a competition that is not over: {competition.name}." in page
        assert "Merge Pike Paul into Paul Pike" in page
        assert "Merge Paul Pike into Pike Paul" not in page
        with pytest.raises(Illegal):
            merge(cast, again, cast.paul_plays)

    def test_of_two_with_accounts_is_refused(self, cast: Cast) -> None:
        with pytest.raises(Illegal, match="Both have an account"):
            merge(cast, cast.paul_plays, cast.petra_plays)

    def test_is_for_organisers_of_the_club(self, cast: Cast, again: Player) -> None:
        with pytest.raises(PermissionDenied):
            merge_players(by=cast.nora, kept=cast.paul_plays, merged=again)
        nora = logged_in(cast.nora)
        for page in ("merge", "remove"):
            assert nora.get(f"/admin/league/player/{again.pk}/{page}/").status_code == 404

    def test_on_the_desk_starts_with_similar_names(self, cast: Cast, again: Player, olga: Client) -> None:
        address = f"/admin/league/player/{again.pk}/merge/"
        page = text(olga.get(address))
        assert f'href="?other={cast.paul_plays.pk}"' in page
        done = olga.post(
            f"{address}?other={cast.paul_plays.pk}", {"keep": str(cast.paul_plays.pk)}, follow=True
        )
        assert "Pike Paul is merged: all results count for Paul Pike." in text(done)

    def test_lets_the_name_be_entered_as_the_one_who_is_kept(
        self, cast: Cast, again: Player, olga: Client
    ) -> None:
        merge(cast, cast.paul_plays, again)
        competition = opened(cast)
        assert "did you mean Paul Pike?" in enter(olga, competition, "Pike Paul")


class TestRemoving:
    def test_one_who_never_played_leaves_nothing(self, cast: Cast, again: Player, olga: Client) -> None:
        Contact.objects.create(player=again, phone="2")
        invitation = invite(
            by=cast.olga, club=cast.club, email="p@cards.example", role="player", player=again
        )
        olga.post(f"/admin/league/player/{again.pk}/remove/")
        assert not Player.objects.filter(pk=again.pk).exists()
        assert not Contact.objects.exists()
        invitation.refresh_from_db()
        assert (invitation.email, invitation.revoked_at is not None) == ("", True)

    def test_one_who_played_leaves_results_without_a_name(
        self, cast: Cast, over: Competition, olga: Client
    ) -> None:
        left = remove_player(by=cast.olga, player=cast.paul_plays)
        assert left is not None
        assert (left.name, left.account, left.active) == ("Former player 1", None, False)
        names = set(Entry.objects.values_list("name", flat=True))
        assert names >= {"Former player 1", "Petra Plum"}
        assert "Paul Pike" not in names
        for page in ("", "entries/", "rounds/"):
            assert "Paul Pike" not in text(olga.get(f"/competitions/{over.slug}/{page}")), page
        assert list(gate.of_competition(over.pk)) == []

    def test_a_second_one_has_another_name(self, cast: Cast, over: Competition) -> None:
        names = [
            left.name
            for player in (cast.paul_plays, cast.petra_plays)
            if (left := remove_player(by=cast.olga, player=player))
        ]
        assert names == ["Former player 1", "Former player 2"]

    def test_twice_changes_nothing(self, cast: Cast, over: Competition) -> None:
        left = [remove_player(by=cast.olga, player=cast.paul_plays) for _ in range(2)]
        assert left[0] == left[1]
        assert ClubChange.objects.filter(kind="player_removed").count() == 1

    def test_one_who_still_plays_is_told_and_goes_on_under_another_name(
        self, cast: Cast, olga: Client
    ) -> None:
        competition = in_play(cast, 2)
        page = text(olga.get(f"/admin/league/player/{cast.paul_plays.pk}/remove/"))
        assert "Paul Pike is in a competition that is not over" in page
        assert "The entry and the seat stay" in page
        remove_player(by=cast.olga, player=cast.paul_plays)
        assert {*competition.entries.values_list("name", "status")} == {
            ("Former player 1", "entered"),
            ("Petra Plum", "entered"),
        }

    def test_says_before_what_remains(self, cast: Cast, over: Competition, olga: Client) -> None:
        address = f"/admin/league/player/{cast.paul_plays.pk}/remove/"
        assert "still has the name" not in text(olga.get(address))
        act(cast.olga, over, CorrectName, entry=over.entries.get(number=1).pk, name="Paul Pike of Bern")
        assert "The log of 1 competition still has the name" in text(olga.get(address))

    def test_revoked_invitations_of_others_stay(self, cast: Cast, again: Player) -> None:
        invite(by=cast.olga, club=cast.club, email="r@cards.example", role="player")
        remove_player(by=cast.olga, player=again)
        assert Invitation.objects.get().is_open


def test_the_pages_need_few_queries(cast: Cast, again: Player, over: Competition, olga: Client) -> None:
    for page in (f"merge/?other={cast.paul_plays.pk}", "remove/"):
        with CaptureQueriesContext(connection) as queries:
            assert olga.get(f"/admin/league/player/{again.pk}/{page}").status_code == 200
        assert len(queries) <= 30, page


# ---- The name that somebody had ------------------------------------------------------------------

PRINTS = ("standings", "certificates")


def told(cast: Cast, competition: Competition) -> Mapping[str, str]:
    """Return the text at each public address about a competition: pages, prints, feeds, lists, log, files."""
    path = f"/competitions/{competition.slug}"
    prints = (f"{path}/print/{kind}.pdf" for kind in PRINTS)
    client = Client()
    found = {at: client.get(at) for at in (*addresses(cast, competition), *prints)}
    return {
        at: text_of(answer) if at.endswith(".pdf") else unescape(b"".join(answer).decode("latin-1"))
        for at, answer in found.items()
        if answer.status_code == 200
    }


def places_with(name: str, pages: Mapping[str, str]) -> set[str]:
    return {at for at, page in pages.items() if name in page}


def test_a_removed_player_is_named_nowhere(cast: Cast, over: Competition) -> None:
    before = places_with("Paul Pike", told(cast, over))
    pages = {f"/competitions/{over.slug}/{page}" for page in ("winners/", "cross-table/", "log/")}
    assert pages < before
    remove_player(by=cast.olga, player=cast.paul_plays)
    now = told(cast, over)
    assert places_with("Paul Pike", now) == set()
    assert pages < places_with("Former player 1", now)


def test_a_removed_player_is_named_nowhere_in_the_record_of_the_club(cast: Cast, over: Competition) -> None:
    client, paul = logged_in(cast.olga), cast.paul_plays
    invite_players(by=cast.olga, club=cast.club, players=[PlayerFactory.create(club=cast.club, name="Pike")])
    change_player(by=cast.olga, player=paul, name="Pablo Pike", account=None, active=True)
    invite(by=cast.olga, club=cast.club, email="", role="player", player=paul)
    merge(cast, paul, PlayerFactory.create(club=cast.club, name="Pike again"))
    assert "Pablo Pike" in text(client.get("/admin/league/clubchange/"))
    remove_player(by=cast.olga, player=paul)
    shown = text(client.get("/admin/league/clubchange/"))
    assert "Former player 1" in shown
    assert [name for name in ("Paul Pike", "Pablo", "Pike again") if name in shown] == []
    assert [*tampering.differences()] == []


def test_a_renamed_player_has_the_former_name_nowhere(cast: Cast, over: Competition) -> None:
    before = places_with("Paul Pike", told(cast, over))
    change_player(by=cast.olga, player=cast.paul_plays, name="Pavel Pyke", account=cast.paul, active=True)
    now = told(cast, over)
    assert places_with("Paul Pike", now) == set()
    assert places_with("Pavel Pyke", now) == before


def test_a_team_that_is_named_after_its_players_has_their_present_names(cast: Cast) -> None:
    competition = opened(cast, lineup="partners", team_size=2)
    pairs = [str(cast.paul_plays.pk), str(cast.petra_plays.pk)]
    act(cast.olga, competition, EnterPlayers, players=pairs)
    remove_player(by=cast.olga, player=cast.paul_plays)
    assert competition.entries.get().name == "Former player 1 & Petra Plum"


def test_a_player_is_named_in_no_log(cast: Cast, over: Competition) -> None:
    pairs = opened(cast, lineup="partners", team_size=2)
    both = [str(cast.paul_plays.pk), str(cast.petra_plays.pk)]
    act(cast.olga, pairs, EnterPlayers, players=both, name="Paul Pike & Petra Plum")
    assert over.entries.get(number=1).name == "Paul Pike"
    assert pairs.entries.get().name == "Paul Pike & Petra Plum"
    for competition in (over, pairs):
        assert "Pike" not in "".join(log.lines(competition))


def test_the_file_of_a_competition_has_present_names_beside_the_log(cast: Cast, over: Competition) -> None:
    change_player(by=cast.olga, player=cast.paul_plays, name="Pavel Pyke", account=cast.paul, active=True)
    lines = exported(over)
    assert "Pike" not in "\n".join(lines)
    assert "Pavel Pyke" in "\n".join(verifier.in_words(checked(lines)))
    remove_player(by=cast.olga, player=cast.paul_plays)
    assert "Pavel" not in "\n".join(exported(over))
    assert list(gate.of_competition(over.pk)) == []


def test_the_entry_of_a_merged_player_follows_the_one_who_was_kept(cast: Cast) -> None:
    competition = finished(cast)
    kept = PlayerFactory.create(club=cast.club, name="Paul Pyke")
    merge_players(by=cast.olga, kept=kept, merged=cast.paul_plays)
    change_player(by=cast.olga, player=kept, name="Pauline Pike", account=None, active=True)
    assert competition.entries.filter(name="Pauline Pike").exists()
