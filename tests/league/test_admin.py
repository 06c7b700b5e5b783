"""An organiser's work at the desk, from making players to the last round."""

from typing import Any

import pytest
from django.test import Client

from games import log as games
from games.engine.replay import Actor
from league import services
from league.admin.declared import fields_of, json_of
from league.models import Account, Club, Competition, Entry, Event, Member, Player, Round, Table
from tests import factories
from tests.factories import Cast
from tests.league.playing import in_play, opened, play_all
from tests.league.test_admin_scope import logged_in


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def told(answer: Any) -> str:
    return str(answer.content.decode())


def kinds(competition: Competition) -> list[str]:
    return [event.event["type"] for event in competition.events.order_by("seq")]


class TestPlayers:
    def test_are_made(self, olga: Client, cast: Cast) -> None:
        fields = {"club": cast.club.pk, "name": "Zoë Ábel", "account": "", "active": "on"}
        assert olga.post("/admin/league/player/add/", fields).status_code == 302
        assert Player.objects.get(name="Zoë Ábel").search_name == "zoe abel"

    def test_are_changed_and_sent_to_rest(self, olga: Client, cast: Cast) -> None:
        address = f"/admin/league/player/{cast.paul_plays.pk}/change/"
        assert olga.post(address, {"name": "Paul Perch", "account": cast.paul.pk}).status_code == 302
        cast.paul_plays.refresh_from_db()
        assert (cast.paul_plays.name, cast.paul_plays.active) == ("Paul Perch", False)
        assert cast.paul_plays.search_name == "paul perch"

    def test_are_found_whatever_their_accents(self, olga: Client, cast: Cast) -> None:
        factories.PlayerFactory.create(club=cast.club, name="Zoë Ábel")
        page = told(olga.get("/admin/league/player/?q=ABEL"))
        assert "Zoë Ábel" in page
        assert "Paul Pike" not in page

    @pytest.mark.parametrize("name", ["", "x" * 101, "a\u0085b"])
    def test_have_a_name_that_can_be_printed(self, olga: Client, cast: Cast, name: str) -> None:
        fields = {"club": cast.club.pk, "name": name, "account": "", "active": "on"}
        assert olga.post("/admin/league/player/add/", fields).status_code == 200
        assert Player.objects.filter(club=cast.club).count() == 2

    def test_belong_to_clubs_that_one_directs(self, olga: Client, cast: Cast) -> None:
        elsewhere = Club.objects.exclude(pk=cast.club.pk).get()
        fields = {"club": elsewhere.pk, "name": "Spy", "account": "", "active": "on"}
        assert olga.post("/admin/league/player/add/", fields).status_code == 200
        assert not Player.objects.filter(name="Spy").exists()

    def test_have_accounts_of_members_only(self, olga: Client, cast: Cast) -> None:
        fields = {"club": cast.club.pk, "name": "Nora N", "account": cast.nora.pk, "active": "on"}
        assert olga.post("/admin/league/player/add/", fields).status_code == 200
        assert not Player.objects.filter(name="Nora N").exists()

    def test_share_no_account(self, olga: Client, cast: Cast) -> None:
        fields = {"club": cast.club.pk, "name": "Second", "account": cast.paul.pk, "active": "on"}
        assert "another player of the club already" in told(olga.post("/admin/league/player/add/", fields))


class TestMembers:
    def test_are_named_by_their_account(self, olga: Client, cast: Cast) -> None:
        fields = {"club": cast.club.pk, "username": "nora", "role": "scorekeeper"}
        assert olga.post("/admin/league/member/add/", fields).status_code == 302
        assert Member.objects.get(club=cast.club, account=cast.nora).role == "scorekeeper"

    def test_are_known_accounts(self, olga: Client, cast: Cast) -> None:
        fields = {"club": cast.club.pk, "username": "nobody", "role": "player"}
        assert "There is no account of this name." in told(olga.post("/admin/league/member/add/", fields))

    def test_are_never_without_an_owner(self, olga: Client, cast: Cast) -> None:
        owner = Member.objects.get(club=cast.club, account=cast.olga)
        address = f"/admin/league/member/{owner.pk}"
        for answer in (
            olga.post(f"{address}/change/", {"role": "player"}, follow=True),
            olga.post(f"{address}/delete/", {"post": "yes"}, follow=True),
        ):
            assert "A club has at least one owner" in told(answer)
        owner.refresh_from_db()
        assert owner.role == Member.Role.OWNER

    def test_are_made_organisers_by_owners_only(self, cast: Cast) -> None:
        otto = factories.AccountFactory.create(username="otto")
        factories.MemberFactory.create(club=cast.club, account=otto, role=Member.Role.ORGANISER)
        fields = {"club": cast.club.pk, "username": "nora", "role": "owner"}
        page = told(logged_in(otto).post("/admin/league/member/add/", fields, follow=True))
        assert "Only an owner of the club may do this." in page
        assert not Member.objects.filter(club=cast.club, account=cast.nora).exists()


class TestClubs:
    def test_are_renamed_but_keep_their_address(self, olga: Client, cast: Cast) -> None:
        fields = {"name": "Harbour Cards & Co", "timezone": "Europe/Oslo", "slug": "other"}
        olga.post(f"/admin/league/club/{cast.club.pk}/change/", fields)
        club = Club.objects.get(pk=cast.club.pk)
        assert (club.name, club.timezone, club.slug) == ("Harbour Cards & Co", "Europe/Oslo", cast.club.slug)

    def test_keep_a_zone_that_exists(self, olga: Client, cast: Cast) -> None:
        fields = {"name": "Harbour Cards", "timezone": "Moon/Base"}
        page = told(olga.post(f"/admin/league/club/{cast.club.pk}/change/", fields))
        assert "There is no such time zone." in page

    def test_are_made_by_owners_of_the_platform(self, olga: Client, cast: Cast) -> None:
        root = Account.objects.create_superuser("root")
        fields = {"name": "Hillside", "slug": "hillside", "timezone": "UTC"}
        assert olga.post("/admin/league/club/add/", fields).status_code == 403
        assert logged_in(root).post("/admin/league/club/add/", fields).status_code == 302
        assert Member.objects.get(club__slug="hillside").account == root


def act(client: Client, competition: Competition, verb: str, query: str = "", **fields: Any) -> Any:
    return client.post(f"/admin/league/competition/{competition.pk}/do/{verb}/{query}", fields, follow=True)


class TestRunning:
    def test_goes_from_entries_to_the_end_by_buttons(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, stages=[{"name": "L", "format": "rounds", "rounds": 1, "table_size": 4}])
        act(olga, competition, "enter", players=[player.pk for player in cast.people(8)])
        assert Entry.objects.filter(competition=competition).count() == 8
        for verb in ("start", "draw", "draw", "publish"):
            assert "Done" in told(act(olga, competition, verb))
        for game in play_all(competition):
            services.record_result(game_id=game)
        for verb in ("close_round", "finish"):
            assert "Done" in told(act(olga, competition, verb))
        competition.refresh_from_db()
        assert competition.status == Competition.Status.FINISHED

    def test_asks_before_it_does_anything(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 4)
        page = told(olga.get(f"/admin/league/competition/{competition.pk}/do/start/"))
        assert "can’t be undone" in page
        assert kinds(competition)[-1] == "entered"

    def test_shows_the_next_step_as_a_button(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 4)
        services.start(by=cast.olga, competition=competition)
        page = told(olga.get(f"/admin/league/competition/{competition.pk}/change/"))
        assert 'tf-button primary" href="/admin/league/competition/' in page
        assert "Draw the round" in page
        assert "Publish the round" not in page

    def test_says_why_something_cannot_be_done(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 1)
        page = act(olga, competition, "start")
        assert next(iter(page.context["messages"])).level_tag == "error"
        assert "started" not in kinds(competition)

    def test_enters_nobody_twice(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 2)
        page = olga.get(f"/admin/league/competition/{competition.pk}/do/enter/")
        offered = page.context["form"].fields["players"].queryset
        assert cast.paul_plays not in offered

    def test_withdraws_an_entry_with_its_reason(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 4)
        entry = competition.entries.all()[0]
        act(olga, competition, "withdraw", entry=entry.pk, reason="moved away")
        assert Event.objects.filter(event__reason="moved away").count() == 1

    def test_withdraws_no_entry_of_another_competition(self, olga: Client, cast: Cast) -> None:
        competition, other = opened(cast, 4), opened(cast, 4, name="Other")
        act(olga, competition, "withdraw", entry=other.entries.all()[0].pk, reason="x")
        assert not Event.objects.filter(event__type="withdrawn").exists()

    def test_adjusts_by_fractions(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast)
        entry = competition.entries.all()[0]
        page = act(olga, competition, "adjust", entry=entry.pk, points="half", reason="x")
        assert [*page.context["form"].errors] == ["points"]
        act(olga, competition, "adjust", entry=entry.pk, points="-1/2", reason="late")
        assert competition.events.get(event__type="adjusted").event["points"] == "-1/2"

    def test_voids_a_table(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast)
        table = Table.objects.filter(round__stage__competition=competition)[0]
        act(olga, competition, "void", table=table.pk, reason="wrong pack")
        table.refresh_from_db()
        assert (table.status, table.void_reason) == ("void", "wrong pack")

    def test_rules_on_a_table(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        table = Table.objects.get(round__stage__competition=competition)
        places = {f"rank.{seat}": seat + 1 for seat in range(4)}
        scores = {f"score.{seat}": 10 - seat for seat in range(4)}
        act(olga, competition, "rule", f"?table={table.pk}", **places, **scores, reason="score sheet found")
        assert [(seat.rank, seat.score) for seat in table.seats.order_by("number")] == [
            (1, 10),
            (2, 9),
            (3, 8),
            (4, 7),
        ]

    @pytest.mark.parametrize("query", ["", "?table=x", "?table=00000000-0000-0000-0000-000000000000"])
    def test_rules_on_no_table_that_is_not_there(self, olga: Client, cast: Cast, query: str) -> None:
        assert act(olga, in_play(cast, 4), "rule", query, reason="x").status_code == 404

    def test_tells_an_abandoned_table_from_one_that_plays(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        game = competition.games.all()[0].game
        move = {"type": "abandon", "reason": "fire alarm"}
        games.append(game_id=game.pk, seq=2, actor=Actor("arbiter"), move=move, account=None)
        services.record_result(game_id=game.pk)
        page = told(olga.get("/admin/"))
        assert "A game was abandoned" in page

    def test_shows_a_draw_before_it_is_published(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 8)
        act(olga, competition, "start")
        act(olga, competition, "draw")
        page = told(olga.get(f"/admin/league/competition/{competition.pk}/change/"))
        assert Round.objects.get().status == "drawn"
        assert "How good the draw is" in page


class TestGames:
    def test_tell_their_log_in_words_with_the_verified_mark(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        (game,) = play_all(competition)
        page = told(olga.get(f"/admin/games/game/{game}/change/"))
        assert "Paul Pike says" in page
        assert "✓ verified" in page


def test_what_is_declared_comes_back_as_it_was() -> None:
    from games import rules
    from games.engine import shapes

    for ruleset in rules.NEWEST.values():
        record = shapes.record(ruleset.options)
        fields = fields_of(record, "", {})
        cleaned = {name: field.clean(field.initial) for name, field in fields.items()}
        assert shapes.read(ruleset.options, json_of(record, "", cleaned)) == ruleset.options()
