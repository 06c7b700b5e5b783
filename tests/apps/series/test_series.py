"""Series: what organisers do with them, and what becomes of them when evenings and people change."""

from collections.abc import Callable
from functools import partial
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pgtrigger
import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from games.engine.refusals import Illegal, Stale
from league import log as competitions
from league.apps.people.services import merge_players
from league.apps.series import log, projections, queries, services
from league.apps.series.core import events as e
from league.apps.series.core.rule import Count, Rule, Value
from league.apps.series.models import Series, SeriesEvening, SeriesEvent
from league.core.state.cut_offs import Source
from league.core.verbs.adjustments import AdjustPoints
from league.core.verbs.course import CancelCompetition, FinishCompetition, ReopenCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import SubstitutePlayer
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.hooks import papers, upkeep
from league.models import Competition, Player
from league.services.automatic import compute_standings, record_result
from league.services.players import remove_player
from tests.apps.series.year import EVENING, evening, say, totals, tried, typed, year
from tests.factories import Cast, PlayerFactory
from tests.games.test_log import at_once
from tests.league.acting import act, calling
from tests.league.playing import in_play, opened, pairs_in_play, play_all

BEATEN = Rule(value=Value(by="beaten"))


def computed(competition: Competition) -> None:
    """Do what a worker does after a change."""
    compute_standings(competition_id=competition.pk)


def wrong(series: Series) -> list[str]:
    """Return what `verify_logs` says of all series."""
    return [*projections.differences(stopped=False)]


# ---- Evenings ------------------------------------------------------------------------------------


def test_the_points_of_two_evenings_are_added(cast: Cast) -> None:
    one, other = evening(cast), evening(cast)
    series = year(cast, Rule(), one, other)
    scores = [seat.points for each in (one, other) for seat in _shares(series, each)]
    assert sum(map(int, totals(series).values())) == sum(scores)
    assert [told.number for told in queries.evenings_of(series)] == [1, 2]


def _shares(series: Series, competition: Competition) -> Any:
    counted = queries.table_of(series)
    found = counted.state.evening_of(str(competition.pk))
    assert found
    return next(part.shares for part in counted.parts if part.key == str(found.id))


def test_an_evening_follows_its_competition(cast: Cast) -> None:
    competition = in_play(cast, 4, stages=[EVENING])
    series = year(cast, Rule(), competition)
    assert set(totals(series).values()) == {"0"} or not totals(series)
    for game in play_all(competition):
        record_result(game_id=game)
    computed(competition)
    assert len(set(totals(series).values())) == 4
    (told,) = queries.evenings_of(series)
    assert told.row.running and not wrong(series)


def test_a_correction_after_the_end_flows_through_and_is_marked(cast: Cast) -> None:
    competition = evening(cast)
    series = year(cast, Rule(), competition)
    before, version = totals(series), queries.version_of(series)
    act(cast.olga, competition, ReopenCompetition, reason="miscounted")
    entry = competition.entries.get(members__player=[*before][-1])
    act(cast.olga, competition, AdjustPoints, entry=entry.pk, points="10", reason="miscounted")
    act(cast.olga, competition, FinishCompetition)
    computed(competition)
    assert next(iter(totals(series))) == [*before][-1]
    assert queries.evenings_of(series)[0].row.corrected
    assert queries.version_of(series) != version
    (year_table,) = [each for tables in papers.YEAR_TABLES for each in tables(competition)]
    assert year_table.title == f"{series.name} (corrected: {competition.name}), after evening 1"


def test_a_cancelled_evening_counts_nothing_until_it_is_reopened(cast: Cast) -> None:
    competition = in_play(cast, 4, stages=[EVENING])
    for game in play_all(competition):
        record_result(game_id=game)
    competition.refresh_from_db()
    series = year(cast, Rule(), competition)
    before = totals(series)
    act(cast.olga, competition, CancelCompetition, reason="snow")
    computed(competition)
    assert not totals(series) and queries.evenings_of(series)[0].row.cancelled
    act(cast.olga, competition, ReopenCompetition, reason="thaw")
    computed(competition)
    assert totals(series) == before


def test_an_evening_that_is_removed_counts_no_more_and_can_be_added_again(cast: Cast) -> None:
    one, other = evening(cast), evening(cast, 8)
    series = year(cast, Rule(), one, other)
    before = totals(series)
    say(cast, series, e.EveningRemoved(evening=2, reason="not of the year"))
    assert len(queries.evenings_of(series)) == 1 and totals(series) != before
    services.add_evening(by=cast.olga, series=series, competition=one)
    assert totals(series) == before and not wrong(series)


def test_partners_of_an_evening_each_have_the_points_of_the_pair(cast: Cast) -> None:
    competition = pairs_in_play(cast)
    for game in play_all(competition):
        record_result(game_id=game)
    series = year(cast, Rule(), competition)
    by_entry = [
        {totals(series)[member.player_id] for member in entry.members.all()}
        for entry in competition.entries.all()
    ]
    assert [len(points) for points in by_entry] == [1, 1] and by_entry[0] != by_entry[1]


@pytest.mark.parametrize(("points", "paul", "other"), [("stand_in", 1, 1), ("entry", 2, 0)])
def test_a_stand_in_plays_for_whom_the_organiser_said(cast: Cast, points: str, paul: int, other: int) -> None:
    competition = in_play(cast, 4, stages=[{**EVENING, "rounds": 2}])
    for game in play_all(competition):
        record_result(game_id=game)
    stand_in, entry = PlayerFactory.create(club=cast.club), competition.entries.order_by("number")[0]
    who: Any = {"out": cast.paul_plays.pk, "into": stand_in.pk}
    act(cast.olga, competition, SubstitutePlayer, entry=entry.pk, **who, points=points)
    for verb in (CloseRound, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    for game in play_all(competition, 2):
        record_result(game_id=game)
    counted = queries.table_of(year(cast, Rule(unit="list"), competition))
    lists = [UUID(share.person) for part in counted.parts for share in part.shares]
    assert (lists.count(cast.paul_plays.pk), lists.count(stand_in.pk)) == (paul, other)


def test_lists_count_by_themselves_where_the_rule_says_so(cast: Cast) -> None:
    competition = evening(cast, 4, stages=[{**EVENING, "rounds": 3}])
    series = year(cast, Rule(unit="list", lists=(1, 3)), competition)
    keys = [part.key for part in queries.table_of(series).parts]
    assert keys == ["2.1", "2.2", "2.3"]
    row = queries.table_of(series).table.rows[0]
    assert [cell.part for cell in row.cells] == ["2.1", "2.3"]


def test_the_table_after_an_evening_leaves_out_the_later_ones(cast: Cast) -> None:
    series = year(cast)
    people = cast.people(2)
    say(cast, series, typed((people[0], "5"), (people[1], "3"), on="2026-09-10"))
    say(cast, series, typed((people[0], "1"), (people[1], "9"), on="2026-09-03"))
    assert list(totals(series).values()) == ["12", "6"]
    assert list(totals(series, until=1).values()) == ["9", "1"]


def test_a_rule_can_be_tried_on_what_was_played(cast: Cast) -> None:
    competitions = [evening(cast), evening(cast)]
    table = tried(Rule(count=Count(best=1)), *competitions)
    assert len(table.parts) == 2 and len(table.people) == 6
    assert not Series.objects.exists()


def test_scores_of_which_the_lowest_wins_are_not_added_to_others(cast: Cast) -> None:
    series = year(cast)
    people = cast.people(2)
    say(cast, series, typed((people[0], "5"), (people[1], "3")))
    with pytest.raises(Illegal, match="Low scores win on some evenings"):
        say(cast, series, typed((people[0], "5"), low_wins=True, on="2026-09-10"))
    assert SeriesEvent.objects.filter(series=series).count() == 2
    say(cast, series, e.RuleChanged(reason="two games", rule=BEATEN))
    say(cast, series, typed((people[0], "5"), (people[1], "3"), low_wins=True, on="2026-09-10"))


# ---- People --------------------------------------------------------------------------------------


def test_only_those_are_ranked_whom_the_club_counts_and_from_when_it_does(cast: Cast) -> None:
    series, (paul, petra, guest) = year(cast, ranked="counted"), cast.people(3)
    say(cast, series, typed((paul, "5"), (petra, "3"), (guest, "9")))
    say(cast, series, typed((paul, "5"), (petra, "3"), (guest, "9"), on="2026-10-01"))
    assert not totals(series)
    say(cast, series, e.Counted(players=(str(paul.pk), str(petra.pk)), since="2026-09-01"))
    say(cast, series, e.Counted(players=(str(petra.pk),), since="2026-09-01", until="2026-09-30"))
    assert totals(series) == {paul.pk: "10", petra.pk: "3"}
    say(cast, series, e.CountTakenBack(players=(str(petra.pk),), since="2026-09-01"))
    assert totals(series) == {paul.pk: "10"}


def test_players_declare_their_own_evenings_until_they_begin(cast: Cast) -> None:
    competition = opened(cast, 4, stages=[EVENING])
    series = year(cast, Rule(count=Count(declared=2)), competition)
    services.declare(by=cast.paul, series=series, evening=2)
    series.refresh_from_db()
    assert queries.state_of(series).declared == ((str(cast.paul_plays.pk), 2),)
    with pytest.raises(PermissionDenied):
        services.declare(by=cast.paul, series=series, evening=2, player=cast.petra_plays)
    competition.status = Competition.Status.RUNNING
    competition.save()
    with pytest.raises(Illegal, match="has begun"):
        services.declare(by=cast.petra, series=series, evening=2)


def test_a_player_declares_at_most_as_many_evenings_as_count_and_takes_one_back(cast: Cast) -> None:
    series = year(cast, Rule(count=Count(declared=1)), *(opened(cast, 4, stages=[EVENING]) for _ in "ab"))
    services.declare(by=cast.paul, series=series, evening=2)
    with pytest.raises(Illegal, match="as many evenings as count"):
        services.declare(by=cast.paul, series=series, evening=3)
    services.declare(by=cast.paul, series=series, evening=2, taken_back=True)
    services.declare(by=cast.paul, series=series, evening=3)
    series.refresh_from_db()
    assert queries.state_of(series).declared == ((str(cast.paul_plays.pk), 3),)
    assert not wrong(series)


def test_who_was_two_players_is_one_row_once_they_are_merged(cast: Cast) -> None:
    series, (paul, _, twin) = year(cast), cast.people(3)
    say(cast, series, typed((paul, "5")))
    say(cast, series, typed((twin, "7"), on="2026-09-10"))
    merge_players(by=cast.olga, kept=paul, merged=twin)
    assert totals(series) == {paul.pk: "12"}
    assert SeriesEvent.objects.latest("seq").event == {
        "type": "merged",
        "player": str(twin.pk),
        "into": str(paul.pk),
    }
    assert not wrong(series)


def test_an_evening_of_somebody_who_was_merged_before_counts_for_who_they_are(cast: Cast) -> None:
    competition, (paul, petra, twin) = evening(cast, 3), cast.people(3)
    players = list(competition.entries.values_list("members__player", flat=True))
    twin = Player.objects.exclude(pk__in=(paul.pk, petra.pk)).filter(pk__in=players).get()
    kept = PlayerFactory.create(club=cast.club)
    merge_players(by=cast.olga, kept=kept, merged=twin)
    series = year(cast, Rule(), competition)
    assert kept.pk in totals(series) and twin.pk not in totals(series)


def test_a_forgotten_person_stays_in_the_table_under_a_name_that_says_nothing(cast: Cast) -> None:
    series, (_, _, gone) = year(cast), cast.people(3)
    say(cast, series, typed((gone, "5")))
    assert remove_player(by=cast.olga, player=gone)
    people = queries.table_of(series).people
    assert queries.names_of(people) == {str(gone.pk): "Former player 1"}


def test_nothing_names_what_is_not_the_club_s(cast: Cast) -> None:
    series, stranger = year(cast), PlayerFactory.create()
    with pytest.raises(Illegal, match="no such player"):
        say(cast, series, typed((stranger, "5")))
    other = e.EveningAdded(competition=str(uuid4()), on="2026-09-03")
    with pytest.raises(Illegal, match="no such competition"):
        say(cast, series, other)
    with pytest.raises(Illegal, match="by hand"):
        say(cast, series, e.Merged(player=str(uuid4()), into=str(uuid4())))


@pytest.mark.parametrize("who", ["paul", "nora"])
def test_only_organisers_direct_a_series(cast: Cast, who: str) -> None:
    series = year(cast)
    with pytest.raises(PermissionDenied):
        services.perform(by=getattr(cast, who), series=series, event=e.Closed())
    with pytest.raises(PermissionDenied):
        services.perform(by=calling(cast.olga, "play:move"), series=series, event=e.Closed())


# ---- The log -------------------------------------------------------------------------------------


def test_two_series_of_a_name_have_addresses_of_their_own(cast: Cast) -> None:
    assert [year(cast).slug, year(cast).slug] == ["year", "year-2"]


def test_the_same_call_again_is_answered_as_before_and_another_is_stale(cast: Cast) -> None:
    series = year(cast)
    for _ in range(2):
        say(cast, series, e.Renamed(name="Other"), seq=2)
    assert series.seq == 2
    with pytest.raises(Stale, match="The series has changed meanwhile"):
        say(cast, series, e.Renamed(name="Third"), seq=2)
    with pytest.raises(Stale):
        say(cast, series, e.Renamed(name="Third"), seq=9)


def test_what_changes_nothing_writes_nothing(cast: Cast) -> None:
    assert say(cast, year(cast), e.Renamed(name="Year")).seq == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_writers_at_one_number_one_wins(cast: Cast) -> None:
    series = year(cast)
    calls = [partial(say, cast, series, e.Renamed(name=name), seq=2) for name in ("One", "Two", "Three")]
    answers = at_once(calls)
    assert sorted(isinstance(each, Stale) for each in answers) == [False, True, True]
    assert SeriesEvent.objects.filter(series=series).count() == 2 and not wrong(series)


@pytest.mark.django_db(transaction=True)
def test_writers_without_a_number_wait_for_each_other(cast: Cast) -> None:
    series, people = year(cast), cast.people(4)
    at_once(
        [
            partial(say, cast, series, typed((each, "1"), on=f"2026-09-0{n}"))
            for n, each in enumerate(people, 1)
        ]
    )
    assert len(totals(series)) == 4 and series.seq == 5 and not wrong(series)


@pytest.mark.parametrize("statement", ["UPDATE {} SET seq = 7", "DELETE FROM {}", "TRUNCATE {}"])
def test_the_database_refuses_to_change_the_log(cast: Cast, statement: str) -> None:
    year(cast)
    connection.check_constraints()
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        connection.cursor().execute(statement.format("league_seriesevent"))


def test_an_append_whose_rows_cannot_be_written_leaves_nothing(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = year(cast)
    monkeypatch.setattr(projections, "follow", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        say(cast, series, typed((cast.paul_plays, "1")))
    assert not SeriesEvening.objects.exists() and SeriesEvent.objects.count() == 1


# ---- Rows and logs -------------------------------------------------------------------------------


def test_an_evening_that_no_task_followed_is_found_by_the_sweep(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    competition = in_play(cast, 4, stages=[EVENING])
    series = year(cast, Rule(), competition)
    for game in play_all(competition):
        record_result(game_id=game)
    work = next(each for each in upkeep.WORK if each.name == "make_evenings")
    assert work() == [competition.pk]
    projections.follow_competition(competition.pk)
    assert work() == [] and len(set(totals(series).values())) == 4


def rows_of(series: Series) -> list[Any]:
    return [
        *Series.objects.filter(pk=series.pk).values(),
        *SeriesEvening.objects.filter(series=series).values(),
    ]


def test_rebuilt_rows_equal_those_that_followed(cast: Cast) -> None:
    series = year(cast, Rule(), evening(cast), evening(cast, 8))
    say(cast, series, typed((cast.paul_plays, "5")))
    before = rows_of(series)
    SeriesEvening.objects.filter(series=series).update(whole={}, name="?")
    Series.objects.filter(pk=series.pk).update(name="?", head="?", seq=1)
    projections.rebuild(series.pk)
    assert rows_of(series) == before


def test_the_commands_rebuild_and_verify_series(cast: Cast, own_folder: Any) -> None:
    competition = evening(cast)
    series = year(cast, Rule(), competition)
    computed(competition)
    SeriesEvening.objects.update(name="?")
    call_command("rebuild", processes=1, stdout=StringIO())
    assert not wrong(series)


def changed_rows(series: Series) -> None:
    SeriesEvening.objects.update(whole={**SeriesEvening.objects.get().whole, "field": 9})


def changed_name(series: Series) -> None:
    Series.objects.update(name="Other")


def added_row(series: Series) -> None:
    SeriesEvening.objects.filter(series=series).update(number=7)


def changed_log(series: Series) -> None:
    with pgtrigger.ignore("series.SeriesEvent:series_event_update_refused"):
        SeriesEvent.objects.filter(seq=1).update(event={"type": "opened", "name": "Another"})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (changed_rows, ["evening 2 has another whole than the logs give"]),
        (changed_name, ["it has another name than the logs give"]),
        (added_row, ["evening 2 is missing", "evening 7 is in no log"]),
        (changed_log, ["entry 1 is wrong: its hash does not fit what it says and what came before"]),
    ],
    ids=["rows", "name", "evenings", "log"],
)
def test_whatever_was_changed_past_the_service_is_named(
    cast: Cast, change: Callable[[Series], None], told: list[str]
) -> None:
    series = year(cast, Rule(), evening(cast))
    assert not wrong(series)
    change(series)
    assert wrong(series) == [f"series {series.pk}: {each}" for each in told]


def test_a_table_of_many_evenings_is_read_with_few_queries(
    cast: Cast, django_assert_num_queries: Any
) -> None:
    series, people = year(cast), cast.people(6)
    for day in range(1, 13):
        say(
            cast,
            series,
            typed(*((each, str(day * n)) for n, each in enumerate(people)), on=f"2026-09-{day:02}"),
        )
    log._LATEST.cache_clear()
    queries._LATEST.cache_clear()
    with django_assert_num_queries(4):
        assert len(queries.names_of(queries.table_of(series).people)) == 6
    with django_assert_num_queries(1):
        queries.table_of(series)


# ---- The table as an order of entries ------------------------------------------------------------


def test_each_series_for_which_a_competition_counts_can_fill_its_tables(cast: Cast) -> None:
    before, fresh = evening(cast, 8), opened(cast, 8, stages=[EVENING])
    for name in ("Year", "Cup"):
        year(cast, Rule(), before, fresh, name=name)
    act(cast.olga, fresh, StartCompetition)
    state = competitions.latest(Competition.objects.get(pk=fresh.pk))
    offered = {each.key: each.title for each in queries.orders_of(fresh.pk, state)}
    assert offered == {
        "series/cup": "by the year’s table (Cup)",
        "series/year": "by the year’s table (Year)",
    }
    act(cast.olga, fresh, DrawRound, seating="given", order="series/year")
    drawn = competitions.latest(Competition.objects.get(pk=fresh.pk)).drawn_round
    assert drawn and drawn.origins[-1].cut_off.by == Source("series", "Year")


@pytest.mark.parametrize(
    ("planned", "name"), [("series", "Cup"), ("series/cup", "Cup"), ("series/year", "Year")]
)
def test_the_plan_of_an_evening_names_the_series_that_seats_its_first_round(
    cast: Cast, planned: str, name: str
) -> None:
    seated = {**EVENING, "params": {"first_by": planned}}
    before, fresh = evening(cast, 8), opened(cast, 8, stages=[seated])
    for each in ("Year", "Cup"):
        year(cast, Rule(), before, fresh, name=each)
    act(cast.olga, fresh, StartCompetition)
    act(cast.olga, fresh, DrawRound)
    drawn = competitions.latest(Competition.objects.get(pk=fresh.pk)).drawn_round
    assert drawn and drawn.origins[-1].cut_off.by == Source("series", name)
