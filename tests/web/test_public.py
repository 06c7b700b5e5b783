"""The public pages."""

import re
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
from django.contrib.humanize.templatetags.humanize import ordinal
from django.test import Client

from league.core.verbs.course import CancelCompetition, FinishCompetition
from league.core.verbs.deadlines import SetDeadline
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import ReturnEntry, WithdrawEntry
from league.core.verbs.rounds import CloseRound, PublishRound, WithdrawRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.stages import StartStage
from league.core.verbs.start import StartCompetition
from league.models import Competition, Rating, Table
from league.projections import ratings as rating_lists
from league.projections.standings import compute_standings
from league.services.automatic import record_result
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import PLAN, finished, in_play, opened, play_all, stands
from tests.web.conftest import Outline, Visit, record_all


@pytest.fixture
def rated(played: Competition) -> Competition:
    """The competition that is played, its results rated."""
    rating_lists.compute_ratings(played.pk)
    return played


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def ruled_round(response: dict[str, Any]) -> None:
    """Draw, publish and close a round of which an organiser decides every table."""
    act(verb=DrawRound, **response)
    act(verb=PublishRound, **response)
    for table in Table.objects.filter(round__stage__competition=response["competition"], status="playing"):
        seats = [{"seat": at, "rank": at + 1, "score": 9 - at} for at in range(table.seats.count())]
        act(verb=SetResult, table=table.pk, seats=seats, reason="real cards", **response)
    act(verb=CloseRound, **response)


def last_first(competition: Competition) -> list[str]:
    """Return the names of a competition's stages by rank, of the last stage first."""
    begun = competition.stages.filter(number__lte=competition.stage).order_by("-number")
    rows = [row for stage in begun for row in stands(competition, stage.number)]
    return [*dict.fromkeys(row.entry.name for row in rows)]


class TestSetResults:
    """A table whose result an organiser set shows it wherever its game is shown."""

    @pytest.fixture
    def ruled(self, cast: Cast) -> Table:
        competition = opened(cast, 0, stages=[{**PLAN, "table_size": 2}])
        for player in (cast.paul_plays, cast.petra_plays):
            act(cast.olga, competition, EnterPlayers, players=[player.pk])
        for verb in (StartCompetition, DrawRound, PublishRound):
            act(cast.olga, competition, verb)
        table = Table.objects.get(round__stage__competition=competition)
        (mine,) = table.seats.filter(player=cast.paul_plays)
        seats = [{"seat": seat, "score": 6 + (seat == mine.number)} for seat in range(2)]
        act(cast.olga, competition, SetResult, table=table.pk, seats=seats, reason="real cards")
        return table

    def test_on_the_page_of_the_game_with_a_link(self, client: Client, ruled: Table) -> None:
        page = client.get(f"/games/{ruled.games.get().pk}/").content.decode()
        assert "The result was set by hand." in page
        assert "has no result" not in page
        (address,) = re.findall(r'href="([^"]*#table-[^"]*)"', page)
        there = client.get(unescape(address)).content.decode()
        assert f'id="table-{ruled.pk}"' in there
        assert "All rounds" in there and "real cards" in there

    def test_on_the_page_of_the_player(self, client: Client, cast: Cast, ruled: Table) -> None:
        page = client.get(f"/players/{cast.paul_plays.pk}/").content.decode()
        assert re.search(r'<td class="number">1</td><td class="number">[67]</td>', page)
        assert "set by hand" in page
        assert "abandoned" not in page

    def test_on_the_page_of_the_account(self, as_account: Visit, cast: Cast, ruled: Table) -> None:
        page = as_account(cast.petra).get("/account/").content.decode()
        assert "The result was set by hand: 2nd." in page


class TestHome:
    def test_shows_clubs_and_running_competitions(self, client: Client, cast: Cast) -> None:
        in_play(cast, name="Autumn")
        response = text(client, "/")
        assert "Harbour Cards" in response
        assert "Autumn" in response
        assert "8 entries" in response

    def test_shows_no_finished_competitions(self, client: Client, cast: Cast) -> None:
        act(cast.olga, opened(cast, name="Autumn"), CancelCompetition, reason="nobody came")
        assert "Autumn" not in text(client, "/")


class TestClub:
    def test_shows_its_competitions_and_casual_games(self, client: Client, cast: Cast) -> None:
        opened(cast, name="Autumn")
        game = cast.game("scoops")
        response = text(client, f"/clubs/{cast.club.slug}/")
        assert "Autumn" in response
        assert f"/games/{game.pk}/" in response

    def test_shows_active_players_only(self, client: Client, cast: Cast) -> None:
        PlayerFactory.create(club=cast.club, name="Gone Long", active=False)
        response = text(client, f"/clubs/{cast.club.slug}/")
        assert "Paul Pike" in response
        assert "Gone Long" not in response


class TestPlayer:
    def test_shows_games_with_rank_and_score(self, client: Client, played: Competition, cast: Cast) -> None:
        response = text(client, f"/players/{cast.paul_plays.pk}/")
        seat = cast.paul_plays.seats.get()
        assert f'<td class="number">{seat.rank}</td><td class="number">{seat.score}</td>' in response
        assert "Autumn" in response

    def test_shows_ratings_as_a_chart_and_a_table_and_all_opponents(
        self, client: Client, rated: Competition, cast: Cast
    ) -> None:
        response = text(client, f"/players/{cast.paul_plays.pk}/")
        rating = Rating.objects.get(player=cast.paul_plays)
        low, high = (rating.points + sign * rating.uncertainty for sign in (-1, 1))
        assert f'{rating.points}</strong> <span class="soft">between {low} and {high}' in response
        assert "The rating after the last game" in response
        assert f'data-y="{rating.points}" data-spread="{rating.uncertainty}"' in response
        assert response.count('<td class="number">1</td>') >= 3

    def test_without_a_result_has_no_ratings_and_opponents(self, client: Client, cast: Cast) -> None:
        response = text(client, f"/players/{cast.petra_plays.pk}/")
        assert "Ratings" not in response
        assert "Head to head" not in response


class TestRatings:
    def test_are_sorted_by_the_cautious_estimate(
        self, client: Client, rated: Competition, cast: Cast
    ) -> None:
        response = text(client, f"/clubs/{cast.club.slug}/ratings/")
        names = [row.player.name for row in Rating.objects.order_by("-sure_points", "player__search_name")]
        assert [response.index(f">{name}<") for name in names] == sorted(
            response.index(f">{name}<") for name in names
        )
        assert "Ratings at Tally" in response
        assert f"/clubs/{cast.club.slug}/ratings/?game=tally" in text(client, f"/clubs/{cast.club.slug}/")

    def test_are_empty_before_the_first_result(self, client: Client, cast: Cast) -> None:
        assert "No ratings yet" in text(client, f"/clubs/{cast.club.slug}/ratings/")

    def test_of_an_unknown_game_are_not_found(self, client: Client, cast: Cast) -> None:
        assert client.get(f"/clubs/{cast.club.slug}/ratings/?game=chess").status_code == 404


class TestStandings:
    def test_are_empty_before_the_first_round(self, client: Client, cast: Cast) -> None:
        response = text(client, f"/competitions/{opened(cast, 4).slug}/")
        assert "hasn’t started" in response

    def test_explain_every_rank(self, client: Client, played: Competition) -> None:
        response = text(client, f"/competitions/{played.slug}/")
        rows = stands(played)
        assert len(rows) == 8
        assert all(row.entry.name in response for row in rows)
        assert response.count('<p class="why">') >= 8
        assert "equal players" not in response.split('<details class="small columns">')[0]

    def test_of_several_stages_have_one_final_order(self, client: Client, cast: Cast) -> None:
        best = {**PLAN, "name": "Final", "rounds": 1, "intake": {"source": "best", "best": 4}}
        competition = opened(cast, 8, stages=[{**PLAN, "rounds": 1}, best])
        by_olga: dict[str, Any] = {"by": cast.olga, "competition": competition}
        for begin in (StartCompetition, StartStage):
            act(verb=begin, **by_olga)
            ruled_round(by_olga)
        act(verb=FinishCompetition, **by_olga)
        compute_standings(competition.pk)
        page = text(client, f"/competitions/{competition.slug}/")
        response = page.partition("Final ranking over all stages")[2]
        places = [response.index(f"<li>{name}</li>") for name in last_first(competition)]
        assert places == sorted(places)

    def test_name_who_came_back_after_the_stage_had_begun(self, client: Client, cast: Cast) -> None:
        ladder = {**PLAN, "name": "Ladder", "format": "ladder", "table_size": 2, "rounds": 1}
        ladder |= {"intake": {"source": "best", "best": 4}}
        competition = opened(cast, 5, stages=[{**PLAN, "rounds": 1}, ladder])
        by_olga: dict[str, Any] = {"by": cast.olga, "competition": competition}
        act(verb=StartCompetition, **by_olga)
        ruled_round(by_olga)
        back = competition.entries.first()
        assert back
        act(verb=WithdrawEntry, entry=back.pk, **by_olga)
        for verb in (StartStage, DrawRound, PublishRound):
            act(verb=verb, **by_olga)
        act(verb=ReturnEntry, entry=back.pk, **by_olga)
        page = text(client, f"/competitions/{competition.slug}/")
        assert f"<strong>{back.name}</strong> Came after the stage had begun." in page

    def test_of_one_stage_have_no_separate_final_order(self, client: Client, cast: Cast) -> None:
        competition = finished(cast)
        assert "Final ranking over all stages" not in text(client, f"/competitions/{competition.slug}/")

    def test_show_possible_ranks_and_the_last_event_included(
        self, client: Client, played: Competition
    ) -> None:
        response = text(client, f"/competitions/{played.slug}/")
        first, *_ = stands(played)
        assert first.best_rank == 1 < (first.worst_rank or 0)
        assert f"1st–{first.worst_rank}th" in response
        assert f"up to event {played.seq}." in response
        assert "Possible ranks" not in text(client, f"/competitions/{played.slug}/?stage=1&round=1")

    def test_can_be_shown_after_a_round(self, client: Client, played: Competition) -> None:
        assert "after round 1" in text(client, f"/competitions/{played.slug}/?stage=1&round=1")

    @pytest.mark.parametrize(
        "query", ["stage=2", "round=7", "stage=x", "round=-1", "round=²", "stage=1&round=9"]
    )
    def test_of_an_unknown_competition_are_not_found(
        self, client: Client, played: Competition, query: str
    ) -> None:
        assert client.get(f"/competitions/{played.slug}/?{query}").status_code == 404

    def test_hide_a_round_that_is_only_drawn(self, client: Client, cast: Cast) -> None:
        competition = opened(cast, 8)
        act(cast.olga, competition, StartCompetition)
        act(cast.olga, competition, DrawRound)
        assert "Table 1" not in text(client, f"/competitions/{competition.slug}/")
        assert "No rounds published" in text(client, f"/competitions/{competition.slug}/rounds/")

    def test_tell_nobody_else_that_a_round_is_drawn(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast)
        for game in play_all(competition):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound)
        act(cast.olga, competition, DrawRound)
        compute_standings(competition.pk)
        competition.refresh_from_db()
        seen = competition.seq - 1
        page = client.get(f"/competitions/{competition.slug}/").content.decode()
        assert f"stream/?after={seen}-{seen}" in page and "A newer result" not in page
        client.force_login(cast.olga)
        page = client.get(f"/competitions/{competition.slug}/").content.decode()
        assert f"stream/?after={competition.seq}-{seen}" in page and "A newer result" not in page


class TestTheHomePage:
    def test_has_the_first_of_many_current_competitions_and_a_link_to_all(
        self, client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number in range(3):
            opened(cast, name=f"Cup {number}")
        assert '<a href="/competitions/">' not in text(client, "/")
        for name in ("RUNNING_SHOWN", "COMPETITIONS_SHOWN"):
            monkeypatch.setattr(f"league.web.clubs.{name}", 2)
        pages = ("/", "/competitions/", "/competitions/?page=2")
        shown = [text(client, page).count("/competitions/cup-") for page in pages]
        assert shown == [2, 2, 1] and '<a href="/competitions/">' in text(client, "/")

    def test_lists_what_finished_and_finds_clubs(self, client: Client, cast: Cast) -> None:
        competition = finished(cast)
        home = text(client, "/")
        assert competition.name in home and "Finished lately" in home
        assert f'href="/competitions/{competition.slug}/winners/"' in home
        found = text(client, f"/?club={cast.club.name[:4].upper()}")
        assert f"/clubs/{cast.club.slug}/" in found
        assert "No club has this in its name." in text(client, "/?club=zzz")


class TestThePageOfAPlayer:
    def test_says_the_place_in_each_competition(
        self, client: Client, cast: Cast, played: Competition
    ) -> None:
        entry = played.entries.get(members__player=cast.paul_plays)
        (row,) = (row for row in stands(played) if row.entry_id == entry.pk)
        assert f"{ordinal(row.rank)} of 8</strong>" in text(client, f"/players/{cast.paul_plays.pk}/")

    def test_calls_the_game_of_a_withdrawn_round_so(self, client: Client, cast: Cast) -> None:
        act(cast.olga, in_play(cast), WithdrawRound, reason="wrong hall")
        response = text(client, f"/players/{cast.paul_plays.pk}/")
        assert "round withdrawn" in response and "abandoned" not in response.lower()


class TestStandingsTag:
    def test_answers_304_until_the_next_result(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast)
        address = f"/competitions/{competition.slug}/"
        tag = client.get(address)["ETag"]
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
        record_result(game_id=play_all(competition)[0])
        compute_standings(competition.pk)
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 200

    def test_is_different_for_each_reader(
        self, client: Client, as_account: Visit, cast: Cast, played: Competition
    ) -> None:
        address = f"/competitions/{played.slug}/"
        assert client.get(address)["ETag"] != as_account(cast.paul).get(address)["ETag"]

    def test_is_different_for_each_stage_and_round(self, client: Client, played: Competition) -> None:
        address = f"/competitions/{played.slug}/"
        assert client.get(address)["ETag"] != client.get(f"{address}?stage=1&round=1")["ETag"]


class TestCrossTable:
    def test_is_empty_before_the_first_round(self, client: Client, cast: Cast) -> None:
        assert "hasn’t started" in text(client, f"/competitions/{opened(cast, 4).slug}/cross-table/")

    def test_has_a_row_and_a_column_for_each_entry(self, client: Client, played: Competition) -> None:
        response = text(client, f"/competitions/{played.slug}/cross-table/")
        assert response.count('class="middle self"') == 8
        assert (
            response.count('<td class="middle">1</td>') == response.count('<td class="middle">0</td>') == 12
        )

    def test_of_many_entries_shows_the_ranks_of_opponents(
        self, client: Client, played: Competition, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("league.web.competitions.MOST_ACROSS", 7)
        response = text(client, f"/competitions/{played.slug}/cross-table/")
        assert "Ahead of" in response
        assert 'class="middle self"' not in response

    def test_is_cached_until_the_next_event(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast)
        address = f"/competitions/{competition.slug}/cross-table/"
        tag = client.get(address)["ETag"]
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
        record_result(game_id=play_all(competition)[0])
        assert '<td class="middle">1</td>' in text(client, address)

    @pytest.mark.parametrize("query", ["stage=2", "stage=x"])
    def test_of_an_unknown_competition_is_not_found(
        self, client: Client, played: Competition, query: str
    ) -> None:
        assert client.get(f"/competitions/{played.slug}/cross-table/?{query}").status_code == 404


class TestCompetition:
    def test_shows_its_rounds_with_links_to_their_games(self, client: Client, played: Competition) -> None:
        response = text(client, f"/competitions/{played.slug}/rounds/")
        assert all(f"/games/{place.pk}/" in response for place in played.games.all())

    def test_shows_its_entries(self, client: Client, played: Competition) -> None:
        response = text(client, f"/competitions/{played.slug}/entries/")
        assert all(entry.name in response for entry in played.entries.all())

    def test_shows_its_log_in_words_with_the_last_event_first(
        self, client: Client, played: Competition
    ) -> None:
        response = text(client, f"/competitions/{played.slug}/log/")
        assert response.index("Round 1, table 2 has finished: ") < response.index("Entered: Paul Pike.")

    def test_names_the_stage_of_each_round_where_there_are_several(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast, stages=[PLAN, {**PLAN, "name": "Final"}])
        record_all(competition)
        response = text(client, f"/competitions/{competition.slug}/log/")
        assert "League, round 1, table 2 has finished: " in response
        assert "Round 1 of League is published." in response

    def test_shows_the_report_on_a_draw(self, client: Client, played: Competition) -> None:
        response = text(client, f"/competitions/{played.slug}/rounds/")
        assert "<li>2 tables of 4.</li>" in response
        assert "Nobody meets the same opponent again." in response

    def test_shows_deadlines_in_the_zone_of_the_club(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast, 2)
        given: dict[str, Any] = {"by": cast.olga, "competition": competition}
        act(verb=SetDeadline, deadline=datetime(2099, 6, 1, 18, tzinfo=UTC), **given)
        act(verb=SetDeadline, deadline=None, reason="snow", **given)
        response = text(client, f"/competitions/{competition.slug}/log/")
        assert "The deadline of round 1 is changed: none → 1 Jun 2099, 19:00 IST." in response
        assert "The deadline of round 1 is changed: 1 Jun 2099, 19:00 IST → none (snow)." in response

    def test_shows_reasons_unchanged(self, client: Client, cast: Cast) -> None:
        competition = opened(cast, 4)
        act(cast.olga, competition, CancelCompetition, reason="storm <b>warning</b>")
        response = text(client, f"/competitions/{competition.slug}/log/")
        assert "The competition is cancelled (storm &lt;b&gt;warning&lt;/b&gt;)." in response
        page = text(client, f"/competitions/{competition.slug}/")
        assert "Cancelled: storm &lt;b&gt;warning&lt;/b&gt;" in page


def test_times_are_in_the_zone_of_the_club(client: Client, cast: Cast) -> None:
    cast.club.timezone = "Pacific/Auckland"
    cast.club.save()
    competition = opened(cast)
    response = text(client, f"/competitions/{competition.slug}/log/")
    assert f"{competition.opened_at.astimezone(cast.club.zone):%H:%M} NZ" in response


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "/nowhere/",
        "/clubs/nowhere/",
        "/competitions/nowhere/",
        "/competitions/nowhere/log/",
        "/games/00000000-0000-0000-0000-000000000000/",
        "/players/00000000-0000-0000-0000-000000000000/",
        "/rules/nowhere/",
    ],
)
def test_an_unknown_address_has_a_helpful_page(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert "Page not found" in answer.content.decode()


def test_robots_txt_excludes_private_pages(client: Client) -> None:
    assert "Disallow: /account/" in client.get("/robots.txt").content.decode()


def test_the_favicon_is_the_trefoil(client: Client) -> None:
    assert client.get("/favicon.ico")["Location"].endswith("trefoil.svg")


class TestEveryPage:
    @pytest.fixture
    def addresses(self, cast: Cast, rated: Competition, played: Competition) -> list[str]:
        slug = played.slug
        parts = ["", "live/", "cross-table/", "charts/", "rounds/", "entries/", "log/"]
        return [
            "/",
            f"/clubs/{cast.club.slug}/",
            *(f"/competitions/{slug}/{part}" for part in parts),
            f"/games/{cast.game('scoops').pk}/",
            f"/games/{played.games.all()[0].pk}/",
            f"/players/{cast.paul_plays.pk}/",
            f"/clubs/{cast.club.slug}/ratings/",
            f"/clubs/{cast.club.slug}/seasons/{played.opened_at.year}/",
            "/rules/",
            "/rules/scoops/",
            "/account/login/",
            "/nowhere/",
        ]

    def test_has_one_heading_of_its_own_a_language_and_a_main_part(
        self, client: Client, addresses: list[str]
    ) -> None:
        for address in addresses:
            outline = Outline(client.get(address).content.decode())
            assert len(outline.all("h1")) == 1, address
            assert len(outline.all("main")) == 1, address
            assert outline.all("html")[0]["lang"] == "en-gb", address

    def test_names_every_field_and_repeats_no_id(self, client: Client, addresses: list[str]) -> None:
        for address in addresses:
            outline = Outline(client.get(address).content.decode())
            ids = [each["id"] for _, each in outline.tags if "id" in each]
            assert len(ids) == len({*ids}), address
            labelled = {each.get("for") for each in outline.all("label")}
            shown = [each for each in outline.all("input", "select") if each.get("type") != "hidden"]
            assert all(each.get("id") in labelled for each in shown), address

    def test_has_no_inline_script_or_style(self, client: Client, addresses: list[str]) -> None:
        for address in addresses:
            answer = client.get(address)
            outline = Outline(answer.content.decode())
            policy = answer["Content-Security-Policy"]
            inline = [script for script in outline.all("script") if "src" not in script]
            assert len(inline) == policy.count("'sha256-"), address
            assert not outline.all("style"), address
            assert not any("style" in each or "onclick" in each for _, each in outline.tags), address
            assert "unsafe" not in policy, address

    def test_is_in_no_frame_of_another_site(self, client: Client, cast: Cast, addresses: list[str]) -> None:
        cast.club.embed_on = ["https://club.example"]
        cast.club.save()
        for address in (*addresses, "/admin/login/", "/api/v1/", "/api/v1/docs/"):
            answer = client.get(address)
            assert "frame-ancestors 'none'" in answer["Content-Security-Policy"], address
            assert answer["X-Frame-Options"] == "DENY", address

    def test_has_a_bounded_number_of_queries(
        self, client: Client, addresses: list[str], django_assert_max_num_queries: object
    ) -> None:
        for address in addresses:
            with django_assert_max_num_queries(22):  # type: ignore[operator]
                client.get(address)
