"""What the points of evenings are is said, and points of several kinds are never put together silently."""

import re
from typing import Any

import pytest
from django.test import Client

from league.apps.series import queries
from league.apps.series.core.rule import Rule, Value
from league.apps.series.models import Series
from league.models import Competition
from tests.apps.series.test_desk import ADD, filled_in, olga, page, text  # noqa: F401
from tests.apps.series.year import EVENING, evening, say, typed, year
from tests.factories import Cast

MIXED = "The points of these evenings can’t be compared."
DIFFERENCES = "differences from the average of each table (Tally)"
SCORES = "scores of the game (Tally)"


def scored(cast: Cast, name: str, **scoring: Any) -> Competition:
    return evening(cast, name=name, stages=[{**EVENING, "scoring": {"by": "score", **scoring}}])


@pytest.fixture
def mixed(cast: Cast) -> Series:
    """A series of an evening of sums, one of differences, and one that was typed in."""
    series = year(cast, Rule(), scored(cast, "Sums", fair=False), scored(cast, "Differences", fair=True))
    return say(cast, series, typed((cast.paul_plays, "3"), (cast.petra_plays, "1")))


def public(series: Series) -> str:
    return text(Client().get(f"/clubs/{series.club.slug}/series/{series.slug}/"))


def test_the_pages_say_what_the_points_of_an_evening_are(olga: Client, cast: Cast) -> None:  # noqa: F811
    series = year(cast, Rule(), scored(cast, "Differences", fair=True))
    for shown in (public(series), text(olga.get(page(series))), text(olga.get(page(series, "rule")))):
        assert f"The points of an evening are {DIFFERENCES}. Who is ahead of the average has more" in shown
        assert MIXED not in shown


def test_sums_and_differences_together_are_warned_of_with_a_way_out(
    olga: Client,  # noqa: F811
    mixed: Series,
) -> None:
    desk = olga.get(page(mixed))
    for shown in (public(mixed), text(desk), text(olga.get(page(mixed, "rule")))):
        assert MIXED in shown and f"1 evening: {DIFFERENCES}" in shown and f"1 evening: {SCORES}" in shown
    offered = re.findall(r'href="([^"]*\?value=\w+)"', desk.content.decode())
    assert len(offered) == 2
    for address in offered:
        tried = olga.get(address)
        assert MIXED not in text(tried) and tried.context["tried"].lines


def test_the_rule_on_offer_is_written_after_a_look(olga: Client, mixed: Series) -> None:  # noqa: F811
    sent = {**filled_in(olga, page(mixed, "rule") + "?value=beaten"), "reason": "Comparable."}
    assert olga.post(page(mixed, "rule"), {"seq": mixed.seq + 1, **sent}).status_code == 302
    mixed.refresh_from_db()
    assert queries.state_of(mixed).rule.value == Value("beaten")
    assert MIXED not in public(mixed)


def test_set_up_warns_of_what_it_would_put_together(olga: Client, mixed: Series) -> None:  # noqa: F811
    assert MIXED in text(olga.get(ADD))
    sent = filled_in(olga, ADD, name="Another year", counts="everything")
    answer = olga.post(ADD, {**sent, "_value": "places"})
    assert MIXED not in text(answer) and answer.context["form"]["name"].value() == "Another year"
    assert answer.context["form"]["counts"].value() == "places"
    tried = olga.post(ADD, {**sent, "counts": "beaten", "_try": "1"})
    assert MIXED not in text(tried) and tried.context["tried"].lines


def test_places_of_any_evenings_are_put_together_without_a_word(cast: Cast) -> None:
    series = year(cast, Rule(), evening(cast, name="One"), evening(cast, name="Two"))
    assert "The points of an evening are points for places at the tables." in public(series)
