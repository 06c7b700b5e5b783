"""Evenings that players declare beforehand, on the evening's pages."""

import pytest
from django.test import Client
from django.urls import reverse

from league.apps.series.core.rule import Count, Rule
from league.models import Competition
from tests.apps.series.test_pages import text_of
from tests.apps.series.year import EVENING, year
from tests.factories import Cast
from tests.league.playing import opened


@pytest.mark.parametrize("page", ["my_evening", "competition"])
def test_a_player_declares_an_evening_on_its_page_and_takes_that_back(
    client: Client, cast: Cast, page: str
) -> None:
    competition = opened(cast, 4, stages=[EVENING])
    series = year(cast, Rule(count=Count(declared=2)), competition)
    address = reverse(page, args=[competition.slug])
    assert "counts for me" not in text_of(client.get(address, follow=True))
    client.force_login(cast.paul)
    sent = {"series": str(series.pk), **({"evening": "1"} if page == "my_evening" else {})}
    declares = reverse("declare_evening", args=[competition.slug])
    told = text_of(client.get(address))
    assert "You can declare 2 more evenings. This evening counts for me" in told
    told = text_of(client.post(declares, sent, follow=True))
    assert "You have declared that this evening counts for you. You can declare 1 more evening." in told
    assert "This evening counts for me" in text_of(client.post(declares, {**sent, "back": "1"}, follow=True))
    Competition.objects.update(status=Competition.Status.RUNNING)
    assert "has begun" in text_of(client.post(declares, sent, follow=True))
    assert "This evening counts for me" not in text_of(client.get(address))


def test_nothing_is_declared_where_no_rule_asks_or_who_is_not_ranked(client: Client, cast: Cast) -> None:
    competition = opened(cast, 4, stages=[EVENING])
    year(cast, Rule(), competition)
    year(cast, Rule(count=Count(declared=2)), competition, ranked="counted")
    client.force_login(cast.paul)
    told = text_of(client.get(reverse("competition", args=[competition.slug])))
    assert "This evening counts for me" not in told
