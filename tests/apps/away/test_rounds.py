"""Rounds with a day: the desk names who is away then, and their tables are put off at the publication."""

from datetime import timedelta

import pytest
from django.test import Client

from games import database_time
from league.apps.away.services import say_away
from league.core.verbs.days import FORMER_REASON, SetRoundDay
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Round, Table
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in

LEAGUE = {"name": "League", "format": "round_robin", "rounds": 3, "table_size": 2}


@pytest.fixture
def started(cast: Cast) -> Competition:
    """A round robin of four whose first round is in a week, when Paul is away."""
    day = database_time.now().date() + timedelta(days=7)
    competition = opened(cast, 4, stages=[LEAGUE])
    act(cast.olga, competition, StartCompetition)
    act(cast.olga, competition, SetRoundDay, day=f"{day}", away="put_off")
    say_away(by=cast.paul, player=cast.paul_plays, since=day - timedelta(days=1), until=day)
    return competition


def page(client: Client, competition: Competition, verb: str) -> str:
    return client.get(f"/admin/league/competition/{competition.pk}/do/{verb}/").content.decode()


def test_who_is_away_is_named_before_and_the_table_is_put_off(cast: Cast, started: Competition) -> None:
    olga = logged_in(cast.olga)
    told = "Away on the day of the round: Paul Pike. Their tables are put off."
    assert told in page(olga, started, "draw")
    act(cast.olga, started, DrawRound)
    assert told in page(olga, started, "publish")
    act(cast.olga, started, PublishRound)
    tables = Table.objects.filter(round__stage__competition=started)
    (put_off,) = tables.exclude(postponed_reason="")
    assert put_off.seats.filter(player=cast.paul_plays).exists() and put_off.status == "postponed"
    assert Round.objects.get().day is not None
    shown = olga.get(f"/competitions/{started.slug}/").content.decode()
    assert "Put off by the organisers." in shown and "On " in shown
    assert str(FORMER_REASON) not in shown


def test_the_log_says_neither_who_is_away_nor_until_when(cast: Cast, started: Competition) -> None:
    act(cast.olga, started, DrawRound)
    act(cast.olga, started, PublishRound)
    kinds = [each.event["type"] for each in started.events.order_by("seq")]
    assert kinds[-1] == "postponed" and "round_day_set" in kinds
    (event,) = [each.event for each in started.events.all() if each.event["type"] == "postponed"]
    assert "Paul" not in str(event) and str(cast.paul_plays.pk) not in str(event)
    assert "away" not in str(event)


def test_who_comes_back_before_the_publication_plays(cast: Cast, started: Competition) -> None:
    act(cast.olga, started, DrawRound)
    for each in cast.paul_plays.days_away.all():
        each.delete()
    act(cast.olga, started, PublishRound)
    assert not Table.objects.exclude(postponed_reason="").exists()


def test_a_competition_of_one_day_names_who_is_away_without_a_day_of_the_round(cast: Cast) -> None:
    day = database_time.now().date() + timedelta(days=7)
    competition = opened(cast, 4, details={"begins_on": day})
    act(cast.olga, competition, StartCompetition)
    say_away(by=cast.paul, player=cast.paul_plays, since=day, until=day)
    told = page(logged_in(cast.olga), competition, "draw")
    assert "Away on the day of the round: Paul Pike." in told and "Mark as absent" in told
