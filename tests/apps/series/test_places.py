"""Places in a series: of stand-ins with own points, and of who is level but for a lot."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.values import replace
from league.apps.series import queries
from league.apps.series.core.events import Closed, RuleChanged
from league.apps.series.core.rule import NEWEST, Count, Rule, Value
from league.apps.series.readers import Shown
from league.core.standings import ranking
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import SubstitutePlayer
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition
from league.queries.competitions import state_of
from league.services.automatic import record_result
from tests.apps.series.test_desk import olga
from tests.apps.series.test_series import computed, wrong
from tests.apps.series.year import EVENING, evening, say, totals, tried, typed, year
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import in_play, opened, play, play_all, tables

__all__ = ["olga"]


def test_a_place_is_given_once_where_a_stand_in_has_points_of_their_own(cast: Cast) -> None:
    competition = in_play(cast, 4, stages=[{**EVENING, "rounds": 3}])
    stand_in, entry = PlayerFactory.create(club=cast.club), competition.entries.order_by("number")[0]
    for round_ in (1, 2, 3):
        for game in play_all(competition, round_):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound)
        if round_ == 1:
            who: Any = {"out": cast.paul_plays.pk, "into": stand_in.pk}
            act(cast.olga, competition, SubstitutePlayer, entry=entry.pk, **who, points="stand_in")
        for verb in (DrawRound, PublishRound) if round_ < 3 else ():
            act(cast.olga, competition, verb)
    now = Competition.objects.get(pk=competition.pk)
    (part,) = tried(Rule(), now).parts
    ranks = {share.person: share.rank for share in part.shares}
    places = {entry: place for place, entry in ranking.final_places(state_of(now))}
    assert (len(ranks), part.field) == (5, 4)
    assert ranks[str(stand_in.pk)] == places[str(entry.pk)]
    assert ranks[str(cast.paul_plays.pk)] == 4
    computed(now)
    shown = Client().get(reverse("competition", args=[now.slug])).content.decode()
    row = shown[shown.index(f'id="row-{entry.pk}"') :].split("</tr>")[0]
    assert str(cast.paul_plays.pk) in row and str(stand_in.pk) not in row
    (part,) = tried(Rule(edition=NEWEST), now).parts
    others = [each for each in part.shares if not each.own]
    for own in (each for each in part.shares if each.own):
        assert own.rank == 1 + sum(each.points > own.points for each in others)
    assert {each.person for each in part.shares if each.own} == {str(cast.paul_plays.pk), str(stand_in.pk)}
    assert {each.person: each.rank for each in others} == {each.person: ranks[each.person] for each in others}


@pytest.mark.parametrize(
    ("rule", "warns"),
    [
        (Rule(value=Value("beaten")), True),
        (Rule(value=Value("places", ("2", "1"))), True),
        (Rule(unit="list", value=Value("beaten")), False),
        (Rule(), False),
    ],
)
def test_the_form_of_a_stand_in_warns_where_a_part_of_an_evening_is_placed_among_whole_ones(
    olga: Client, cast: Cast, rule: Rule, warns: bool
) -> None:
    competition = opened(cast, 4, stages=[EVENING])
    series = year(cast, rule, competition)
    warning = (
        "by what they played themselves, against the whole evening of all others, mostly near the bottom"
    )
    assert warning not in helped(olga, competition)  # a stand-in would still play all of it
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    assert (warning in helped(olga, competition)) == warns
    say(cast, series, Closed())
    assert warning not in helped(olga, competition)


def helped(client: Client, competition: Competition) -> str:
    """Return what the form of a stand-in says of whose the points are."""
    form = client.get(reverse("admin:league_competition_act", args=[competition.pk, "substitute"]))
    return str(form.context["form"].fields["points"].help_text)


def test_who_is_level_but_for_a_lot_shares_what_the_places_earn_since_the_third_edition(cast: Cast) -> None:
    competition = in_play(cast, 4, stages=[EVENING])
    game = tables(competition)[0].games.get().game
    play(game, 7, 7, 3, 1)
    record_result(game_id=game.pk)
    for verb in (CloseRound, FinishCompetition):
        act(cast.olga, competition, verb)
    competition.refresh_from_db()
    assert state_of(competition).stages[0].lots
    rule = Rule(value=Value("places", ("4", "3", "2", "1")))
    assert totals_by(competition, replace(rule, edition=2)) == ["4", "3", "2", "1"]
    assert totals_by(competition, replace(rule, edition=NEWEST)) == ["7/2", "7/2", "2", "1"]
    series = year(cast, rule, competition)
    assert [*totals(series).values()] == ["7/2", "7/2", "2", "1"] and not wrong(series)


def totals_by(competition: Competition, rule: Rule) -> list[str]:
    return [str(row.total) for row in tried(rule, competition).table.rows]


def test_who_shares_a_rank_stands_by_name(client: Client, cast: Cast) -> None:
    names = ["Clara", "David", "Grace", "Member 2", "Member 10", "Zoë"]
    level = [PlayerFactory.create(club=cast.club, name=name) for name in reversed(names)]
    series = say(cast, year(cast), typed((cast.paul_plays, "9"), *((each, "5") for each in level)))
    address = reverse("series", args=[cast.club.slug, series.slug])
    assert re.findall(r'<th scope="row">\s*<a[^>]*>([^<]*)', client.get(address).content.decode())[:7] == [
        "Paul Pike",
        *names,
    ]
    shown = Shown(queries.table_of(series))
    assert [line.name for line in shown.lines()] == ["Paul Pike", *names]
    five = say(cast, year(cast, slug="five"), typed(*((each, "5") for each in level[1:])))
    told = client.get(reverse("series_person", args=[cast.club.slug, five.slug, level[1].pk]))
    assert "Level with Clara, David, Grace and Member 2: they share the rank." in told.content.decode()
    leaders = client.get(reverse("series_feed", args=[cast.club.slug, series.slug])).content.decode()
    assert "1. Paul Pike 9; 2. Clara 5; 2. David 5" in leaders


def test_the_api_says_as_a_place_what_would_help_where_places_make_values(client: Client, cast: Cast) -> None:
    series = year(cast, Rule(count=Count(best=2)), evening(cast), evening(cast))
    address = f"/api/v1/series/{series.pk}/table/"
    helped = [row["reach"] for row in client.get(address).json()["rows"] if row["reach"]]
    assert helped and all((each["evening_place"], each["evening_field"]) == (None, None) for each in helped)
    say(cast, series, RuleChanged(reason="fair", rule=Rule(value=Value("beaten"), divide="mean")))
    rows = client.get(address).json()["rows"]
    told = {row["explanation"]: row["reach"] for row in rows if row["reach"]}
    assert any(each["evening_place"] for each in told.values())
    for sentences, each in told.items():
        said = f"In a field of {each['evening_field']} that is place {each['evening_place']}"
        assert (said in sentences) == bool(each["evening_place"])
