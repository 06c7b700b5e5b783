"""A rule is tried on the club's evenings of the last 12 months, and a series can begin with them."""

from django.test import Client
from django.urls import reverse

from games.engine.values import replace
from league.apps.people.services import merge_players
from league.apps.series import queries
from league.apps.series.core.rule import Count, Rule
from league.apps.series.models import Series
from league.apps.series.services import declare
from league.models import Competition
from tests.apps.series.test_bringing import brought
from tests.apps.series.test_desk import ADD, errors, filled_in, olga, page, send, text
from tests.apps.series.test_following import join
from tests.apps.series.year import evening, say, totals, typed, year
from tests.factories import Cast
from tests.league.playing import opened

__all__ = ["olga"]


def test_an_answer_is_tried_on_the_last_12_months_before_anything_is_written(
    olga: Client, cast: Cast
) -> None:
    for _each in range(2):
        evening(cast)
    both = [each.line.counting for each in olga.get(ADD).context["tried"].lines]
    answer = olga.post(ADD, filled_in(olga, ADD, counts="best", best=1, _try=1))
    one = [each.line.counting for each in answer.context["tried"].lines]
    assert [sum("left out" in told for told in each) for each in (both, one)] == [0, 2]
    assert not errors(answer) and not Series.objects.exists()


def test_who_is_ranked_is_tried_as_it_is_chosen(olga: Client, cast: Cast) -> None:
    evening(cast)
    join(cast, cast.paul_plays)
    paul = [str(cast.paul_plays.pk)]
    for ranked, given in (("everybody", 4), ("counted", 0), ("member", 1)):
        tried = olga.post(ADD, filled_in(olga, ADD, ranked=ranked, _try=1)).context["tried"]
        assert len([each for each in tried.lines if each.line.rank != "–"]) == given, ranked
    assert [each.line.row.person for each in tried.lines if each.line.rank != "–"] == paul
    series = year(cast, Rule(), Competition.objects.get())
    tried = send(olga, series, "rule", ranked="member", _try=1).context["tried"]
    assert [each.line.row.person for each in tried.lines if each.line.rank != "–"] == paul


def test_a_series_can_begin_with_the_evenings_on_which_it_was_tried(olga: Client, cast: Cast) -> None:
    played = evening(cast)
    olga.post(ADD, filled_in(olga, ADD, name="2027", played="on"))
    (told,) = queries.evenings_of(Series.objects.get())
    assert told.evening.competition == str(played.pk)


def test_a_rule_is_tried_on_what_was_typed_into_earlier_series_or_brought_once_each(
    olga: Client, cast: Cast
) -> None:
    paul, petra, twin = cast.people(3)
    played, others = evening(cast, 2), Rule(count=Count(brought=True))
    earlier = [year(cast, others, played), year(cast, others, played)]
    both, alone = typed((paul, "5"), (twin, "7")), typed((petra, "9"), on="2026-09-10")
    bring = brought(paul, called="Paul Pike = Player 2")
    for series, corrected in zip(earlier, (both, replace(both, totals=both.totals[:1])), strict=True):
        say(cast, series, corrected, bring)
    say(cast, earlier[0], alone, replace(alone, on="2020-01-01"))
    merge_players(by=cast.olga, kept=paul, merged=twin)
    shown = olga.get(ADD).context
    assert shown["evenings"] == 4
    sums = {each.line.row.person: each.line.row.total for each in shown["tried"].lines}
    fields = filled_in(olga, ADD, name="2027", played="on", **{"rule.count.brought": "on"})
    with_brought = olga.post(ADD, {**fields, "_try": 1}).context["tried"].lines
    olga.post(ADD, fields)
    made = Series.objects.get(name="2027")
    assert {str(pk): total for pk, total in totals(made).items()} == {
        each.line.row.person: str(each.line.row.total) for each in with_brought
    }
    assert len(queries.evenings_of(made)) == 4 and str(twin.pk) not in sums


def test_where_declared_evenings_count_it_is_said_that_nobody_has_declared_one(
    olga: Client, cast: Cast
) -> None:
    said, declares = "Nobody has declared any of these evenings", Rule(count=Count(declared=2))
    played, later = evening(cast), opened(cast, 4)
    assert said not in text(olga.get(ADD))
    tried = {"counts": "everything", "rule.count.declared": "2", "_try": 1}
    assert said in text(olga.post(ADD, filled_in(olga, ADD, **tried)))
    series = year(cast, declares, played, later)
    public = reverse("series", args=[cast.club.slug, series.slug])
    assert said in text(olga.get(page(series))) and said in text(olga.get(public))
    declare(
        by=cast.olga, series=series, evening=queries.state_of(series).evenings[1].id, player=cast.paul_plays
    )
    assert said not in text(olga.get(page(series))) and said not in text(olga.get(public))
