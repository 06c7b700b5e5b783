"""Evenings that a rule can't count together: their pages say so, and nothing else stops."""

import pytest
from django.test import Client

from games.engine.refusals import Malformed
from league.apps.series import queries
from league.apps.series.core import events as e
from league.apps.series.core.rule import NEWEST, Rule, Value
from league.apps.series.models import SeriesEvening
from league.hooks import papers
from league.models import Competition
from league.queries.competitions import state_of
from league.queries.orders import order_of
from tests.apps.series.year import evening, say, totals, typed, year
from tests.factories import Cast, PlayerFactory


@pytest.fixture
def mixed(cast: Cast) -> Competition:
    """A competition of a series that has evenings on which low scores win, and others."""
    first, second = evening(cast, name="First"), evening(cast, name="Second")
    series = year(cast, Rule(), first, second)
    SeriesEvening.objects.filter(series=series, competition=second).update(low_wins=True)
    return first


@pytest.mark.parametrize("page", ["", "chart/"])
def test_the_pages_of_the_series_say_why_there_is_no_table(
    client: Client, cast: Cast, mixed: Competition, page: str
) -> None:
    answer = client.get(f"/clubs/{cast.club.slug}/series/year/{page}")
    assert answer.status_code == 409
    assert "Low scores win on some evenings" in answer.content.decode()


def test_draws_and_sheets_go_on_without_the_table(mixed: Competition) -> None:
    assert order_of(mixed.pk, state_of(mixed), "series")[0] == ()
    assert [table for each in papers.YEAR_TABLES for table in each(mixed)] == []


def test_who_shares_places_has_the_mean_of_their_points_below_zero_too(cast: Cast) -> None:
    people = PlayerFactory.create_batch(4, club=cast.club)
    series = year(cast, Rule(value=Value(by="places", places=("3", "1", "-1", "-3"))))
    say(cast, series, typed(*zip(people, ("30", "20", "5", "5"), strict=True)))
    assert [*totals(series).values()] == ["3", "1", "-2", "-2"]


def test_fewer_than_have_a_total_can_not_have_played(cast: Cast) -> None:
    two = ((cast.paul_plays, "3"), (cast.petra_plays, "1"))
    series = say(cast, year(cast), typed(*two))
    for wrong in (typed(*two, field=1), e.EveningChanged(2, field=1)):
        with pytest.raises(Malformed, match="2 have a total"):
            say(cast, series, wrong)
    say(cast, series, e.EveningChanged(2, field=2))


def test_a_rule_is_written_in_the_newest_edition(cast: Cast) -> None:
    series = year(cast)
    assert queries.state_of(series).rule.edition == NEWEST
    say(cast, series, e.RuleChanged(reason="fairer", rule=Rule(divide="mean")))
    assert queries.state_of(series).rule == Rule(divide="mean", edition=NEWEST)
