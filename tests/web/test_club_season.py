"""The page of a club's season: its competitions, who won, what is next, and records."""

from datetime import date
from typing import Any

from django.test import Client

from league.core.verbs.course import FinishCompetition
from league.core.verbs.rounds import CloseRound
from league.models import Competition, Details, Player
from league.projections import ratings as rating_lists
from league.projections.standings import compute_standings
from league.queries.pictures import honoured_in, places_of
from league.queries.seasons import told_of
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import finished, in_play, opened
from tests.web.test_my_entry import LADDER
from tests.web.test_public import text


def test_a_season_has_the_competitions_of_its_year(
    client: Client, cast: Cast, django_assert_max_num_queries: Any
) -> None:
    won = finished(cast, name="Winter")
    coming = opened(cast, name="Spring")
    Details.objects.create(competition=coming, begins_on=date(2999, 5, 3), place="The pier")
    compute_standings(won.pk)
    best = places_of(won)[:3]
    (told,) = told_of([won])
    assert [(each.place, each.name, each.bot) for each in told.podium] == [
        (each.place, each.name, False) for each in best
    ]
    rating_lists.compute_ratings(won.pk)
    Player.objects.filter(pk__in=best[0].own_of).update(bot=True)
    address = f"/clubs/{cast.club.slug}/seasons/"
    assert f"{address}2999/" in text(client, f"/clubs/{cast.club.slug}/")
    with django_assert_max_num_queries(15):
        page = text(client, f"{address}{won.opened_at.year}/")
    assert "Spring" not in page and f"{best[0].name} (bot)" in page
    assert f"/competitions/{won.slug}/?stage=1" in page and "Most games" in page
    link = f'<a href="/players/{best[0].own_of[0]}/">{best[0].name}'
    assert link in page
    assert link in text(client, f"/clubs/{cast.club.slug}/")
    assert link in text(client, f"/competitions/{won.slug}/winners/")
    assert 'name="description"' in text(client, f"/clubs/{cast.club.slug}/ratings/")
    cast.club.players.update(audience="club")
    assert "Most games" not in text(client, f"{address}{won.opened_at.year}/")
    page = text(client, f"{address}2999/")
    assert page.index("Next event") < page.index("Fri 3 May 2999 · The pier") and "Winter" not in page


def test_a_season_names_no_winners_of_what_nobody_played(client: Client, cast: Cast) -> None:
    competition = in_play(cast, 3, name="Idle", stages=[LADDER])
    act(cast.olga, competition, CloseRound)
    act(cast.olga, competition, FinishCompetition)
    compute_standings(competition.pk)
    competition.refresh_from_db()
    (told,) = told_of([competition])
    assert competition.status == "finished" and told.podium == () == honoured_in(competition)


def test_a_year_without_competitions_has_no_page(client: Client, played: Competition) -> None:
    assert client.get(f"/clubs/{played.club.slug}/seasons/1999/").status_code == 404
