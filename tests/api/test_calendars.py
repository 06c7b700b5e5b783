"""Calendars, read with a library as calendar apps do."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
import time_machine
import vobject
from icalendar import Calendar

from games import database_time
from league.core.verbs.draw import DrawRound
from league.core.verbs.results import VoidTable
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Details, Table
from league.services.automatic import record_result
from league.services.competitions import change_details
from tests.api.web import EVERYBODY, NOBODY, ROOT, assert_problem
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, opened, play_all, tables

DEADLINE = datetime(2030, 5, 1, 18, 0, tzinfo=UTC)


def calendar(path: str) -> Any:
    answer = EVERYBODY.get(f"{ROOT}{path}calendar.ics")
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"].startswith("text/calendar")
    return Calendar.from_ical(answer.content)


def summaries(found: Any) -> list[str]:
    return [str(event["SUMMARY"]) for event in found.events]


@pytest.fixture
def competition(cast: Cast) -> Competition:
    """A competition whose first round must be played by a deadline."""
    competition = opened(cast, 8, name="Autumn; or fall")
    for verb in (StartCompetition, DrawRound):
        act(cast.olga, competition, verb)
    act(cast.olga, competition, PublishRound, deadline=DEADLINE)
    return competition


def test_the_calendar_of_a_competition_has_its_tables_and_deadlines(competition: Competition) -> None:
    found = calendar(f"/competitions/{competition.pk}/")
    assert summaries(found) == [
        *(f"Autumn; or fall: round 1, table {number}" for number in (1, 2)),
        "Autumn; or fall: round 1 must be finished",
    ]
    table, *_, deadline = found.events
    assert (table.end, deadline.start) == (DEADLINE, DEADLINE)
    assert str(table["URL"]).startswith("http://testserver/games/")


def test_the_calendar_of_a_player_has_only_their_own_tables(competition: Competition, cast: Cast) -> None:
    found = calendar(f"/players/{cast.paul_plays.pk}/")
    (table, _deadline) = found.events
    assert "Paul Pike" in str(table["DESCRIPTION"])
    assert str(table["UID"]) == str(Table.objects.get(seats__player=cast.paul_plays).pk)


def test_a_finished_table_ends_with_its_game_and_a_void_table_is_cancelled(
    competition: Competition, cast: Cast
) -> None:
    for game in play_all(competition):
        record_result(game_id=game)
    act(cast.olga, competition, VoidTable, table=tables(competition)[0].pk, reason="no light")
    ended = calendar(f"/competitions/{competition.pk}/").events[:2]
    assert {str(event["STATUS"]) for event in ended} == {"CANCELLED", "CONFIRMED"}
    assert all(event.end - event.start <= timedelta(minutes=1) for event in ended)


def test_an_unpublished_round_is_not_in_calendars(cast: Cast) -> None:
    competition = opened(cast, 8)
    for verb in (StartCompetition, DrawRound):
        act(cast.olga, competition, verb)
    assert summaries(calendar(f"/competitions/{competition.pk}/")) == []
    assert summaries(calendar(f"/players/{cast.paul_plays.pk}/")) == []


def test_a_calendar_does_not_change_without_new_events(competition: Competition) -> None:
    path = f"{ROOT}/competitions/{competition.pk}/calendar.ics"
    assert EVERYBODY.get(path).content == EVERYBODY.get(path).content


@pytest.mark.parametrize("players", [4, 24])
def test_the_number_of_queries_does_not_depend_on_the_number_of_tables(
    cast: Cast, players: int, django_assert_max_num_queries: Any
) -> None:
    competition = in_play(cast, players)
    with django_assert_max_num_queries(6):
        calendar(f"/competitions/{competition.pk}/")


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["competitions", "players"])
def test_the_calendar_of_an_unknown_competition_or_player_is_not_found(kind: str) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}/{kind}/{NOBODY}/calendar.ics"), 404, "not_found")


def test_a_calendar_is_in_the_language_that_its_address_names(competition: Competition, cast: Cast) -> None:
    for path in (f"/competitions/{competition.pk}/", f"/players/{cast.paul_plays.pk}/"):
        german = EVERYBODY.get(f"{ROOT}{path}calendar.ics?lang=de", headers={"Accept-Language": "en"})
        assert german["Content-Language"] == "de"
        assert any("Runde 1 muss" in told for told in summaries(Calendar.from_ical(german.content)))
        english = EVERYBODY.get(f"{ROOT}{path}calendar.ics", headers={"Accept-Language": "de"})
        assert english["Content-Language"] == "en-gb" and b"Runde" not in english.content
    assert_problem(EVERYBODY.get(f"{ROOT}{path}calendar.ics?lang=tlh"), 400, "malformed")


@pytest.mark.parametrize("day", [date(9999, 12, 31), date(1, 1, 1)])
def test_a_day_at_the_end_of_time_breaks_no_calendar(cast: Cast, competition: Competition, day: date) -> None:
    Details.objects.create(competition=competition, begins_on=day, begins_at=time(19, 30))
    assert "Autumn; or fall" in summaries(calendar(f"/competitions/{competition.pk}/"))
    of_club = EVERYBODY.get(f"/clubs/{cast.club.slug}/calendar.ics")
    assert "Autumn; or fall" in summaries(Calendar.from_ical(of_club.content))
    assert EVERYBODY.get(f"/competitions/{competition.slug}/").status_code == 200


def test_an_evening_is_told_in_utc_and_ends(cast: Cast, competition: Competition) -> None:
    change_details(
        by=cast.olga,
        competition=competition,
        values={"begins_on": date(2026, 7, 3), "begins_at": time(19, 30)},
    )
    evening = calendar(f"/competitions/{competition.pk}/").events[0]
    assert evening["DTSTART"].to_ical() == b"20260703T183000Z"
    assert evening.end - evening.start == timedelta(hours=4)


def test_an_events_number_grows_with_each_change(cast: Cast, competition: Competition) -> None:
    path, told = f"/competitions/{competition.pk}/", {"begins_on": date(2026, 7, 3)}
    numbers = []
    for hours in (1, 2):
        with time_machine.travel(database_time.now() + timedelta(hours=hours), tick=False):
            change_details(by=cast.olga, competition=competition, values={**told, "place": f"Hall {hours}"})
            event = calendar(path).events[0]
            numbers.append((event["SEQUENCE"], event["LAST-MODIFIED"].dt))
    assert numbers == sorted(set(numbers)) and len(numbers) == 2


def test_another_librarys_parser_finds_every_event_whole(competition: Competition, cast: Cast) -> None:
    change_details(by=cast.olga, competition=competition, values={"begins_on": date(2026, 7, 3)})
    for path in (f"/competitions/{competition.pk}/", f"/players/{cast.paul_plays.pk}/"):
        read = vobject.readOne(EVERYBODY.get(f"{ROOT}{path}calendar.ics").content.decode())
        assert read.validate(raiseException=True)
        assert all(event.dtend.value > event.dtstart.value for event in read.vevent_list)
        assert {"uid", "dtstamp", "sequence", "last-modified"} <= {*read.vevent_list[0].contents}
