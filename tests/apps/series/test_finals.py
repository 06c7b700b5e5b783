"""A final for which people qualify: who of the table is entered, and what its opening says of that."""

from datetime import date, time
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from games.engine.refusals import Malformed
from games.verifier import UNFINISHED
from league.apps.evenings.queries import not_followed
from league.apps.evenings.services import run_again
from league.apps.series import queries
from league.apps.series.core.events import EveningChanged
from league.apps.series.core.rule import Minimum, Rule
from league.apps.series.finals import models_for, open_final
from league.apps.series.models import Series
from league.apps.series.services import add_evening, choose_gathering, gather
from league.core import portable, verifier
from league.core.verbs.course import CancelCompetition
from league.models import Competition
from league.queries import verification
from league.queries.competitions import details_of, state_of
from league.services.automatic import record_result
from league.services.competitions import change_details
from tests.apps.series.year import evening, say, typed, year
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import opened, pairs_in_play, play_all
from tests.league.test_admin_scope import logged_in


@pytest.fixture
def series(cast: Cast) -> Series:
    """A year of a competition and of totals: the first two are level, and the last lacks an evening."""
    people = cast.people(6)
    found = year(cast, Rule(minimum=Minimum(played=1)), evening(cast))
    return say(cast, found, typed(*zip(people[:5], ("90", "90", "60", "50", "40"), strict=True)))


def final(cast: Cast, series: Series, **given: Any) -> Competition:
    like = queries.competitions_of(series)[0]
    given = {"name": "The final", "day": date(2026, 12, 31), **given}
    return open_final(by=cast.olga, series=series, like=like, **given)


def entered(competition: Competition) -> list[str]:
    return [player for entry in state_of(competition).entries for player in entry.players]


def ranked(series: Series) -> list[str]:
    return [row.person for row in queries.table_of(series).table.rows if row.rank]


def test_the_first_of_the_table_are_entered_in_its_order(cast: Cast, series: Series) -> None:
    before = ranked(series)
    made = final(cast, series, first=3)
    assert entered(made) == before[:3]
    assert state_of(made).opening.ruleset == state_of(queries.competitions_of(series)[0]).opening.ruleset
    evening_ = queries.state_of(Series.objects.get()).evening_of(str(made.pk))
    assert evening_ and evening_.final and evening_.on == "2026-12-31"


def test_it_is_at_the_time_and_place_of_the_evening_like_which_it_is_set_up(
    cast: Cast, series: Series
) -> None:
    usual = {"begins_on": date(2026, 9, 1), "begins_at": time(19, 30), "place": "Hall", "description": "New"}
    change_details(by=cast.olga, competition=queries.competitions_of(series)[0], values=usual)
    told = details_of(final(cast, series, first=2))
    assert (told.begins_on, told.begins_at, told.place) == (date(2026, 12, 31), time(19, 30), "Hall")
    assert told.description == ""


def test_it_has_the_settings_of_no_evening_that_was_cancelled(cast: Cast, series: Series) -> None:
    snow = opened(cast, 4, name="Snow")
    add_evening(by=cast.olga, series=series, competition=snow)
    series.refresh_from_db()
    assert snow in models_for(series)
    act(cast.olga, snow, CancelCompetition, reason="snow")
    found = models_for(series)
    assert found and snow not in found


def test_the_opening_says_how_they_were_chosen(cast: Cast, series: Series) -> None:
    how = state_of(final(cast, series, first=2)).opening.qualified
    assert how and (how.series, how.seq, how.evening, how.first) == (str(series.pk), series.seq, 2, 2)
    ranks = [row.rank for row in queries.table_of(series, until=2).table.rows]
    assert [*how.places] == ranks[:2]


def test_the_next_comes_for_who_can_not_and_all_ranked_where_no_number_is_said(
    cast: Cast, series: Series
) -> None:
    first, second, third, *_ = before = ranked(series)
    assert entered(final(cast, series, first=2, absent=[first])) == [second, third]
    assert entered(final(cast, series, name="All", first=0, counts=False)) == before


def test_its_file_is_verified_and_its_page_says_how_they_qualified(cast: Cast, series: Series) -> None:
    made = final(cast, series, first=2)
    assert verifier.check(portable.read(verification.lines(made))).code == UNFINISHED
    shown = Client().get(reverse("competition", args=[made.slug])).content.decode()
    assert "Qualified from Year after evening 2: places 1, " in shown


def test_without_ranks_and_without_the_right_nothing_is_set_up(cast: Cast) -> None:
    series = year(cast, Rule(minimum=Minimum(played=5)), evening(cast))
    with pytest.raises(Malformed, match="Nobody has a rank yet"):
        final(cast, series, first=2)
    with pytest.raises(PermissionDenied):
        open_final(
            by=cast.paul,
            series=say(cast, series),
            like=queries.competitions_of(series)[0],
            name="x",
            day=date(2026, 12, 31),
        )
    assert Competition.objects.count() == 1


def test_it_is_no_evening_to_run_again_and_one_like_it_joins_no_series(cast: Cast, series: Series) -> None:
    played, made = queries.competitions_of(series)[0], final(cast, series, first=2)
    Competition.objects.filter(club=cast.club).update(status="finished")
    assert [each.pk for each in not_followed(cast.club)] == [played.pk]
    choose_gathering(by=cast.olga, series=series, gathers=True)
    for like, joins in ((made, False), (played, True)):
        more = run_again(by=cast.olga, like=like, name="More", day=date(2027, 1, 1), at=None)
        gather(cast.club.pk)
        assert bool(queries.state_of(Series.objects.get()).evening_of(str(more.pk))) == joins


def test_one_that_was_marked_by_hand_is_no_evening_to_run_again_either(cast: Cast, series: Series) -> None:
    (played,) = queries.competitions_of(series)
    Competition.objects.filter(club=cast.club).update(status="finished")
    assert not_followed(cast.club) == [played]
    at = queries.state_of(series).evening_of(str(played.pk))
    assert at
    say(cast, series, EveningChanged(evening=at.id, final=True))
    assert not_followed(cast.club) == []


def test_of_pairs_those_enter_together_who_played_together_and_the_desk_names_the_others(
    cast: Cast,
) -> None:
    played, alone = pairs_in_play(cast), PlayerFactory.create(club=cast.club, name="Alma Alone")
    for game in play_all(played):
        record_result(game_id=game)
    together = [frozenset(entry.players) for entry in state_of(played).entries]
    series = say(cast, year(cast, Rule(), played), typed((alone, "999")))
    olga, path = logged_in(cast.olga), reverse("admin:series_series_final", args=[series.pk])
    form = {"name": "Final", "day": "2026-12-31", "like": played.pk, "first": "0", "weight": "1"}
    told = olga.post(path, form, follow=True).content.decode()
    made = state_of(Competition.objects.get(name="Final"))
    assert {frozenset(entry.players) for entry in made.entries} == {*together}
    assert "Not entered, as no partner of theirs qualified: Alma Alone." in told
    places = {row.person: row.rank for row in queries.table_of(series).table.rows}
    assert made.opening.qualified
    in_order = [places[player] for entry in made.entries for player in entry.players]
    assert [*made.opening.qualified.places] == in_order and in_order[0] == 2
    assert "No two of them" in olga.post(path, {**form, "first": "1"}).content.decode()


def test_the_desk_sets_it_up_from_the_table(cast: Cast, series: Series) -> None:
    olga, path = logged_in(cast.olga), reverse("admin:series_series_final", args=[series.pk])
    assert path in olga.get(reverse("admin:series_series_change", args=[series.pk])).content.decode()
    like = queries.competitions_of(series)[0]
    form = {
        "name": "Final",
        "day": "2026-12-31",
        "like": like.pk,
        "first": "2",
        "counts": "on",
        "weight": "2",
    }
    assert "Who can’t come" in olga.get(path).content.decode()
    answer = olga.post(path, {**form, "first": "x"})
    assert answer.status_code == 200
    answer = olga.post(path, form)
    made = Competition.objects.get(name="Final")
    assert answer["Location"] == reverse("admin:league_competition_change", args=[made.pk])
    assert entered(made) == ranked(series)[:2]
    evening_ = queries.state_of(Series.objects.get()).evening_of(str(made.pk))
    assert evening_ and evening_.final and evening_.weight == 2
