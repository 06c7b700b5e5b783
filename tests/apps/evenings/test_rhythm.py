"""A rhythm sets up the next evening some days before, once, whoever is killed or comes twice."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, time
from itertools import islice
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.core import mail
from django.db import connection
from django.urls import reverse

from games.engine.values import replace
from league.apps.attendance.services import answer_myself, set_asking
from league.apps.away.services import say_away
from league.apps.evenings.desk import RhythmForm
from league.apps.evenings.lines import (
    days_of,
    line_of,
    next_days,
    next_name,
    repeated,
    rhythm_of,
    rhythms_due,
)
from league.apps.evenings.models import LAST, WEEKLY, Evening, Rhythm
from league.apps.evenings.services import begin_rhythm, prepare_evening, run_again, stop_rhythm
from league.apps.notifications.services import choose_emails
from league.apps.series.core.rule import Rule
from league.apps.series.models import Series, SeriesEvening
from league.core.verbs.course import CancelCompetition
from league.core.verbs.entering import EnterPlayers
from league.hooks.upkeep import WORK
from league.models import Account, Club, Competition, Contact, Email, Member, StoppedEmails
from league.queries.competitions import details_of, state_of
from league.queries.verbs import come, ticked
from league.services.competitions import change_details
from league.services.emails import send_emails
from tests.apps.series.year import say, typed, year
from tests.factories import Cast, PlayerFactory
from tests.killed import killed
from tests.league.acting import act
from tests.league.playing import finished, opened, pairs_in_play
from tests.league.test_admin_scope import logged_in

pytestmark = pytest.mark.usefixtures("locks_in_order")

THURSDAY = date(2027, 3, 4)
EVERY_SECOND: dict[str, Any] = {"weekday": 3, "nth": WEEKLY, "weeks": 2}


@pytest.fixture
def now() -> Iterator[time_machine.Traveller]:
    with time_machine.travel("2027-03-01T12:00Z", tick=False) as traveller:
        yield traveller


def held(cast: Cast) -> Competition:
    Club.objects.update(timezone="Europe/Berlin")
    made = opened(cast, 3, name="Thursday 7")
    values = {"begins_on": date(2027, 2, 18), "begins_at": time(19, 30), "place": "Old hall"}
    change_details(by=cast.olga, competition=made, values=values)
    return Competition.objects.get()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("earlier", "how"),
    [
        ([], "0 1"),
        ([date(2027, 2, 4)], "0 2"),
        ([date(2027, 1, 21), date(2027, 2, 4)], "0 2"),
        ([date(2027, 1, 28), date(2027, 2, 4)], "0 1"),
        ([date(2027, 2, 16)], "0 1"),
    ],
)
def test_how_often_is_guessed_from_the_days_of_the_line(
    cast: Cast, earlier: Sequence[date], how: str
) -> None:
    like = held(cast)
    for number, day in enumerate(earlier, 1):
        made = opened(cast, 3, name=f"Thursday {number}")
        change_details(by=cast.olga, competition=made, values={"begins_on": day})
    form = RhythmForm(None, like=like, rhythm=None, line=line_of(like))
    assert form["how"].value() == how


def begun(cast: Cast, like: Competition, **rule: Any) -> Rhythm:
    given = {**EVERY_SECOND, "first": THURSDAY, "at": time(19, 30), "days_before": 6, **rule}
    rhythm = begin_rhythm(by=cast.olga, like=like, **given)
    return Rhythm.objects.get(pk=rhythm.pk)


def prepare(rhythm: Rhythm) -> Rhythm:
    prepare_evening(rhythm_id=rhythm.pk)
    return Rhythm.objects.get(pk=rhythm.pk)


@pytest.mark.parametrize(
    ("rule", "days"),
    [
        (EVERY_SECOND, ["03-04", "03-18", "04-01"]),
        ({"weekday": 1, "nth": 1, "weeks": 1}, ["04-06", "05-04", "06-01"]),
        ({"weekday": 4, "nth": LAST, "weeks": 1}, ["03-26", "04-30", "05-28"]),
    ],
    ids=["every second Thursday", "first Tuesday", "last Friday"],
)
def test_the_days_follow_the_rule(rule: dict[str, Any], days: list[str]) -> None:
    found = islice(days_of(Rhythm(first=THURSDAY, **rule), THURSDAY), 3)
    assert [f"{each:%m-%d}" for each in found] == days


@pytest.mark.django_db
def test_the_clock_on_the_wall_counts_across_a_change_of_summer_time(
    cast: Cast, now: time_machine.Traveller
) -> None:
    rhythm = begun(cast, held(cast), first=date(2027, 3, 29), weekday=0)
    assert (rhythm.next_on, rhythm.due) == (date(2027, 3, 29), datetime(2027, 3, 23, 18, 30, tzinfo=UTC))
    later = begun(cast, Competition.objects.get(), first=date(2027, 4, 5), weekday=0)
    assert later.due == datetime(2027, 3, 30, 17, 30, tzinfo=UTC)


@pytest.mark.django_db
def test_who_came_last_time_is_ticked_on_an_evening_of_a_rhythm(
    cast: Cast, now: time_machine.Traveller
) -> None:
    like = finished(cast, 4)
    change_details(by=cast.olga, competition=like, values={"begins_on": date(2027, 2, 18)})
    came = {*like.entries.values_list("members__player", flat=True)}
    PlayerFactory.create(club=cast.club)
    prepare(begun(cast, like, days_before=20))
    made = Evening.objects.get().competition
    assert ticked(made) == came and come(made) == frozenset()
    away = cast.petra_plays
    say_away(by=cast.petra, player=away, since=date(2027, 3, 1), until=date(2027, 3, 9))
    assert ticked(made) == came - {away.pk}
    set_asking(by=cast.olga, competition=made, asks=True)
    answer_myself(by=cast.paul, competition=made, reply="yes")
    assert ticked(made) == {cast.paul_plays.pk}
    set_asking(by=cast.olga, competition=made, asks=False)
    act(cast.olga, made, EnterPlayers, players=[cast.paul_plays.pk])
    assert ticked(made) == {cast.paul_plays.pk}


@pytest.mark.django_db
def test_the_pairs_of_last_time_are_filled_in_on_an_evening_of_a_rhythm(
    cast: Cast, now: time_machine.Traveller
) -> None:
    like = pairs_in_play(cast)
    change_details(by=cast.olga, competition=like, values={"begins_on": date(2027, 2, 18)})
    came = [{*each.players} for each in state_of(like).entries]
    prepare(begun(cast, like, days_before=20))
    made = Evening.objects.get().competition
    address = f"/admin/league/competition/{made.pk}/do/enter-names/"
    client = logged_in(cast.olga)
    form = client.get(address).context["form"]
    assert len(form["names"].value().splitlines()) == 2
    client.post(address, {"names": form["names"].value()})
    assert [{*each.players} for each in state_of(Competition.objects.get(pk=made.pk)).entries] == came
    assert not client.get(address).context["form"]["names"].value()


@pytest.mark.django_db
def test_an_evening_is_set_up_when_it_is_due_and_not_before(cast: Cast, now: time_machine.Traveller) -> None:
    like = held(cast)
    rhythm = begun(cast, like, first=date(2027, 3, 18))
    assert prepare(rhythm).next_on == date(2027, 3, 18)
    assert not rhythms_due().exists()
    now.move_to("2027-03-12T18:31Z")
    assert list(rhythms_due()) == [rhythm]
    after, made = prepare(rhythm), Evening.objects.get().competition
    assert (made.name, made.status, details_of(made).begins_at) == ("Thursday 8", "entering", time(19, 30))
    assert details_of(made).begins_on == date(2027, 3, 18)
    assert (after.like, after.next_on) == (made, date(2027, 4, 1))
    assert made.entries.count() == 0


@pytest.mark.django_db
def test_the_sweep_finds_it_and_the_next_one_follows_the_one_before(
    cast: Cast, now: time_machine.Traveller
) -> None:
    rhythm = begun(cast, held(cast))
    (work,) = [each for each in WORK if each.name == "prepare_evening"]
    for day in ("2027-03-01T12:00Z", "2027-03-12T19:00Z", "2027-03-26T19:00Z"):
        now.move_to(day)
        for pk in work():
            prepare_evening(rhythm_id=pk)
    assert [each.competition.name for each in rhythm.evenings.all()] == [
        "Thursday 8",
        "Thursday 9",
        "Thursday 10",
    ]


@pytest.mark.django_db
def test_members_are_told_once_and_who_stopped_it_is_not(cast: Cast, now: time_machine.Traveller) -> None:
    for account in (cast.olga, cast.paul, cast.petra, cast.nora):
        Account.objects.filter(pk=account.pk).update(email=f"{account.username}@club.example")
    choose_emails(by=cast.petra, next_evening=False)
    for name in ("ann", "bert"):
        player = PlayerFactory.create(club=cast.club, name=name)
        Contact.objects.create(player=player, email=f"{name}@home.example")
    StoppedEmails.objects.create(player=player, kind="next_evening")
    rhythm = begun(cast, held(cast))
    for _again in range(2):
        prepare(rhythm)
        send_emails()
    assert sorted(each.to for each in mail.outbox) == [["ann@home.example"], ["paul@club.example"]]
    told = {each.to[0]: (each.subject, each.body) for each in mail.outbox}
    assert told["paul@club.example"][0] == "You can enter: Thursday 8"
    assert told["ann@home.example"][0] == "The next evening: Thursday 8"
    assert "tell the organisers" in told["ann@home.example"][1]
    assert "Enter, and" not in told["ann@home.example"][1]
    assert all("List-Unsubscribe" in each.extra_headers for each in mail.outbox)


@pytest.mark.django_db
def test_a_rhythm_that_is_stopped_sets_up_nothing(cast: Cast, now: time_machine.Traveller) -> None:
    rhythm = begun(cast, held(cast))
    stop_rhythm(by=cast.olga, rhythm=rhythm)
    prepare(rhythm)
    assert not Evening.objects.exists() and not rhythms_due().exists()


@pytest.mark.django_db
def test_days_that_passed_while_no_worker_ran_are_not_made_up(
    cast: Cast, now: time_machine.Traveller
) -> None:
    rhythm = begun(cast, held(cast))
    now.move_to("2027-05-01T12:00Z")
    assert prepare(rhythm).next_on == date(2027, 5, 13)
    assert not Evening.objects.exists()


@pytest.mark.django_db
def test_where_its_organiser_has_left_it_waits_and_says_so(cast: Cast, now: time_machine.Traveller) -> None:
    rhythm = begun(cast, held(cast))
    Member.objects.filter(account=cast.olga).update(role="player")
    after = prepare(rhythm)
    assert (after.due, Evening.objects.exists()) == (None, False)
    assert after.trouble
    Member.objects.filter(account=cast.olga).update(role="owner")
    page = logged_in(cast.olga).get("/admin/").content.decode()
    assert "The next evening was not set up" in page
    assert begun(cast, rhythm.like).trouble == ""


@pytest.mark.django_db
def test_an_evening_that_an_organiser_set_up_for_the_day_is_the_one(
    cast: Cast, now: time_machine.Traveller
) -> None:
    rhythm = begun(cast, held(cast), first=date(2027, 3, 5), weekday=4)
    mine = opened(cast, name="Mine")
    Evening.objects.create(competition=mine, like=rhythm.like, day=date(2027, 3, 5))
    now.move_to("2027-03-04T12:00Z")
    change_details(by=cast.olga, competition=mine, values={"begins_on": date(2027, 3, 5)})
    after = prepare(rhythm)
    assert (after.next_on, Competition.objects.count()) == (date(2027, 3, 19), 2)
    assert repeated(after, line_of(mine)) == mine


def by_hand(cast: Cast, like: Competition, day: date, name: str, **values: Any) -> Competition:
    made = run_again(by=cast.olga, like=like, name=name, day=day, at=None)
    change_details(by=cast.olga, competition=made, values=values)
    return Competition.objects.get(pk=made.pk)


@pytest.mark.django_db
def test_the_number_of_a_name_goes_on_after_evenings_that_were_set_up_by_hand(
    cast: Cast, now: time_machine.Traveller
) -> None:
    like = held(cast)
    eighth = by_hand(cast, like, date(2027, 3, 11), "Thursday 8", place="New hall")
    rhythm = begun(cast, like, first=date(2027, 3, 18), days_before=60)
    made = prepare(rhythm).like
    assert (made.name, details_of(made).place) == ("Thursday 9", "New hall")
    assert next_name(like, date(2027, 4, 1)) == "Thursday 10"
    assert rhythm_of(eighth) == rhythm


@pytest.mark.django_db
def test_an_evening_set_up_by_hand_between_two_of_a_rhythm_is_the_one_before_the_next(
    cast: Cast, now: time_machine.Traveller
) -> None:
    rhythm = begun(cast, held(cast), first=date(2027, 3, 18), days_before=60)
    by_hand(cast, rhythm.like, date(2027, 3, 16), "Cup", place="New hall")
    by_hand(cast, rhythm.like, date(2027, 3, 25), "Later", place="Elsewhere")
    assert details_of(prepare(rhythm).like).place == "New hall"


@pytest.mark.django_db
def test_an_evening_that_was_cancelled_is_not_the_one_before_the_next(
    cast: Cast, now: time_machine.Traveller
) -> None:
    rhythm = begun(cast, like := held(cast))
    by_hand = run_again(by=cast.olga, like=like, name="Thursday 8", day=date(2027, 2, 25), at=None)
    assert repeated(rhythm, line_of(like)) == by_hand
    act(cast.olga, by_hand, CancelCompetition)
    assert repeated(rhythm, line_of(like)) == like


def test_a_day_on_which_there_is_an_evening_by_hand_is_passed_over_at_once(
    cast: Cast, now: time_machine.Traveller
) -> None:
    rhythm = begun(cast, held(cast), first=date(2027, 3, 18), days_before=60)
    by_hand(cast, rhythm.like, date(2027, 3, 18), "Cup")
    assert prepare(rhythm).evenings.get().day == date(2027, 4, 1)
    again = opened(cast, name="Thursday 30")
    change_details(by=cast.olga, competition=again, values={"begins_on": date(2027, 4, 15)})
    assert prepare(rhythm).evenings.count() == 1
    assert Rhythm.objects.get().next_on == date(2027, 4, 29)


@pytest.mark.django_db
def test_an_organiser_chooses_which_evening_is_repeated_and_reads_it(
    cast: Cast, now: time_machine.Traveller
) -> None:
    like, client = held(cast), logged_in(cast.olga)
    page = reverse("admin:league_competition_rhythm", args=[like.pk])
    by_hand(cast, like, date(2027, 3, 11), "Thursday 8", place="New hall")
    assert [each for each, _told in client.get(page).context["form"].fields["like"].choices[1:]] == [
        str(each.pk) for each in Competition.objects.order_by("-stored_details__begins_on")
    ]
    rule = {
        "weekday": 3,
        "how": "0 1",
        "first": "2027-03-18",
        "at": "19:30",
        "days_before": 60,
        "do": "begin",
    }
    client.post(page, {**rule, "like": str(like.pk)})
    shown = client.get(page)
    assert "Thursday 9" in shown.content.decode() and shown.context["form"]["like"].value() == str(like.pk)
    for _evening in range(2):
        prepare(Rhythm.objects.get())
    made = Competition.objects.filter(evening__rhythm__isnull=False).order_by("stored_details__begins_on")
    assert [(each.name, details_of(each).place) for each in made] == [
        ("Thursday 9", "Old hall"),
        ("Thursday 10", "Old hall"),
    ]
    client.post(page, {**rule, "like": ""})
    assert not Rhythm.objects.get().stays


@pytest.mark.django_db
def test_a_reason_that_is_too_long_is_refused_with_a_sentence(
    cast: Cast, now: time_machine.Traveller
) -> None:
    rhythm, client = begun(cast, held(cast)), logged_in(cast.olga)
    page = reverse("admin:league_competition_rhythm", args=[rhythm.like.pk])
    answer = client.post(page, {"do": "skip", "day": "2027-03-18", "why": "x" * 201})
    assert "200" in answer.content.decode() and not rhythm.skipped.exists()
    client.post(page, {"do": "skip", "day": "2027-03-19", "why": "No such evening"})
    assert not rhythm.skipped.exists()


@pytest.mark.django_db
def test_trouble_is_over_when_a_rhythm_is_stopped_or_its_evening_set_up(
    cast: Cast, now: time_machine.Traveller
) -> None:
    rhythm = begun(cast, held(cast), days_before=60)
    Member.objects.filter(account=cast.olga).update(role="player")
    assert prepare(rhythm).trouble
    Member.objects.filter(account=cast.olga).update(role="owner")
    by_hand(cast, rhythm.like, date(2027, 3, 18), "Cup")
    assert prepare(rhythm).trouble == ""
    Rhythm.objects.update(trouble="Why")
    stop_rhythm(by=cast.olga, rhythm=rhythm)
    assert Rhythm.objects.get().trouble == ""


def _in_own_connection(pk: UUID) -> None:
    try:
        prepare_evening(rhythm_id=pk)
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_set_up_one_evening(cast: Cast) -> None:
    rhythm = begun(cast, held(cast), first=date(2027, 3, 4), days_before=0)
    Rhythm.objects.update(due=datetime(2026, 1, 1, tzinfo=UTC))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(_in_own_connection, [rhythm.pk] * 2))
    assert Evening.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "at", ["INSERT INTO .evenings_evening", "UPDATE .evenings_rhythm", "INSERT INTO .league_notice"]
)
def test_wherever_it_is_killed_the_next_try_does_all_of_it_once(cast: Cast, at: str) -> None:
    Account.objects.filter(pk=cast.paul.pk).update(email="paul@club.example")
    rhythm = begun(cast, held(cast), first=date(2027, 3, 4))
    Rhythm.objects.update(due=datetime(2026, 1, 1, tzinfo=UTC))
    assert killed(_prepare, rhythm.pk, at=at)
    assert not Evening.objects.exists() and not Email.objects.filter(kind="next_evening").exists()
    prepare(rhythm)
    assert Evening.objects.count() == Email.objects.filter(kind="next_evening").count() == 1


def _prepare(pk: UUID) -> None:
    prepare_evening(rhythm_id=pk)


@pytest.mark.django_db
def test_the_desk_begins_skips_and_stops_it(cast: Cast, now: time_machine.Traveller) -> None:
    like, client = held(cast), logged_in(cast.olga)
    page = reverse("admin:league_competition_rhythm", args=[like.pk])
    form = client.get(page).context["form"]
    assert (form["weekday"].value(), form["first"].value()) == (3, THURSDAY)
    rule = {"weekday": 3, "how": "0 2", "first": "2027-03-04", "at": "19:30", "days_before": 6}
    client.post(page, {**rule, "do": "begin"})
    client.post(page, {"do": "skip", "day": "2027-03-18", "why": "Christmas"})
    shown = client.get(page)
    assert [f"{day:%m-%d}" for day, skipped, _made in shown.context["days"] if not skipped][:2] == [
        "03-04",
        "04-01",
    ]
    assert "Christmas" in shown.content.decode()
    client.post(page, {"do": "stop", "sure": "1"})
    assert Rhythm.objects.get().stopped


@pytest.mark.django_db
def test_what_is_wrong_is_told_and_what_was_typed_stays(cast: Cast, now: time_machine.Traveller) -> None:
    like, client = held(cast), logged_in(cast.olga)
    page = reverse("admin:league_competition_rhythm", args=[like.pk])
    rule = {"weekday": 9, "how": "0 2", "first": "soon", "days_before": 600, "do": "begin"}
    form = client.post(page, rule).context["form"]
    assert form.errors.keys() == {"weekday", "first", "days_before"}
    assert form["first"].value() == "soon" and not Rhythm.objects.exists()


@pytest.mark.django_db
def test_the_next_days_say_what_is_set_up(cast: Cast, now: time_machine.Traveller) -> None:
    rhythm = prepare(begun(cast, held(cast)))
    first, *rest = next_days(rhythm, line_of(rhythm.like))
    assert first[0] == THURSDAY and first[2] == rhythm.like
    assert all(made is None for _day, _skipped, made in rest)


@pytest.mark.django_db
def test_what_lies_ahead_is_said_to_lie_ahead_also_when_it_is_due(
    cast: Cast, now: time_machine.Traveller
) -> None:
    like, client = held(cast), logged_in(cast.olga)
    page = reverse("admin:league_competition_rhythm", args=[like.pk])
    begun(cast, like, days_before=2)
    shown = client.get(page).content.decode()
    assert "Thursday 8 will be set up for" in shown and "That happens by itself: " in shown
    begun(cast, like, days_before=30)
    assert "That happens by itself in the next minutes." in client.get(page).content.decode()


@pytest.mark.django_db
def test_numbers_go_on_after_evenings_that_were_typed_into_a_series(
    cast: Cast, now: time_machine.Traveller
) -> None:
    like = held(cast)
    for name, on in (("Thursday 8", "2027-02-04"), ("Thursday 9", "2027-02-11"), ("Other 40", "2027-02-12")):
        say(
            cast,
            Series.objects.first() or year(cast),
            replace(typed((cast.paul_plays, "3"), on=on), name=name),
        )
    assert next_name(like, THURSDAY) == "Thursday 10"


def test_what_is_set_up_like_one_evening_joins_a_series_that_has_another_of_the_rhythm(
    cast: Cast, now: time_machine.Traveller
) -> None:
    like = held(cast)
    rhythm = prepare(begun(cast, like, always=like))
    series = year(cast, Rule(), Evening.objects.get().competition)
    now.move_to("2027-03-13T12:00Z")
    prepare(rhythm)
    assert SeriesEvening.objects.filter(series=series).count() == Evening.objects.count() == 2
