"""An evening that is run again: same settings, the next day, a name that follows, and who played."""

from datetime import date, time, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format

from games.engine import shapes
from games.engine.clocks import Clock
from games.engine.refusals import Malformed
from league.apps.attendance.queries import asking_of, ends_at, token_at_door
from league.apps.attendance.services import close_door, open_door, set_asking, show_door
from league.apps.away.services import say_away
from league.apps.evenings.lines import name_after, name_without_number, next_day
from league.apps.evenings.models import Evening
from league.apps.evenings.queries import earlier_entries, former_entries, former_stand_ins
from league.apps.evenings.services import keep_preset, run_again
from league.apps.hall.queries import hall_of
from league.apps.hall.services import set_self_check_in
from league.apps.people.membership import keep_facts
from league.apps.people.queries import Facts
from league.choices import Outcome
from league.core.details import Prize
from league.core.standings import ranking
from league.core.state.rooms import Room, Rooms
from league.core.verbs.checking import SetChecking
from league.core.verbs.course import CancelCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import ExpelEntry, SubstitutePlayer, WithdrawEntry
from league.core.verbs.rooms import SetRooms
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.stages import AddSeason, AddStage, RemoveStage
from league.core.verbs.start import OpenEntries, StartCompetition
from league.models import Competition
from league.queries.competitions import details_of, prizes_of, state_of
from league.queries.orders import orders_of
from league.queries.rounds import rooms_of
from league.services.competitions import change_details
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import PLAN, finished, in_play, opened
from tests.league.test_admin_scope import logged_in
from tests.web.conftest import record_all

LAST = date(2027, 3, 4)


def told(cast: Cast, competition: Competition, **values: Any) -> Competition:
    change_details(by=cast.olga, competition=competition, values={"begins_on": LAST, **values})
    return Competition.objects.get(pk=competition.pk)


def again(cast: Cast, like: Competition, day: date = date(2027, 3, 11), **more: Any) -> Competition:
    played = [each for each in former_entries(like) if each.played]
    return run_again(by=cast.olga, like=like, name="Again", day=day, at=None, **{"entries": played, **more})


def page(competition: Competition) -> str:
    return reverse("admin:league_competition_again", args=[competition.pk])


SPECIAL: dict[str, Any] = {
    "stages": [{**PLAN, "rounds": 3, "hours": 5, "scoring": {"best": 2}, "line": "all"}],
    "pace": "automatic",
    "entering": {"places": 30, "approval": True, "check_in": True},
    "waits": {"close_round": 7, "finish": 8},
    "clock": Clock(move=60, reminder=20),
    "overdue": "forfeit",
    "entropy": "beacon",
    "aided": True,
    "open_hands": 3,
}


def test_the_next_evening_has_all_settings_of_the_last_one(cast: Cast) -> None:
    like = opened(cast, **SPECIAL)
    fresh = dict(shapes.write(state_of(again(cast, like)).opening))
    before = dict(shapes.write(state_of(like).opening))
    assert fresh.pop("root") != before.pop("root")
    assert fresh.pop("name") != before.pop("name")
    assert fresh == before


def test_results_are_checked_by_a_second_person_again(cast: Cast) -> None:
    like = opened(cast)
    assert not state_of(again(cast, like)).checking
    act(cast.olga, like, SetChecking, required=True)
    like.refresh_from_db()
    assert state_of(again(cast, like, date(2027, 3, 18))).checking


def test_who_is_coming_is_asked_again_as_before(cast: Cast) -> None:
    like = opened(cast)
    set_asking(by=cast.olga, competition=like, asks=True, enters=True, days=3, most_visits=2)
    made = asking_of(again(cast, like))
    assert (made.asks, made.enters, made.days, made.most_visits) == (True, True, 3, 2)
    assert made.pk and not made.door_salt


def test_what_was_open_at_the_door_is_open_again_by_an_address_of_its_own(cast: Cast) -> None:
    like = told(cast, opened(cast))
    open_door(by=cast.olga, competition=like)
    show_door(by=cast.olga, competition=like, shown=True)
    set_self_check_in(by=cast.olga, competition=like, on=True)
    made = again(cast, like)
    asking = asking_of(made)
    assert asking.door_is_open and asking.door_shown and hall_of(made).self_check_in
    assert asking.door_until == ends_at(made)
    assert token_at_door(asking) != token_at_door(asking_of(like))
    close_door(by=cast.olga, competition=made)
    set_self_check_in(by=cast.olga, competition=made, on=False)
    third = again(cast, made, date(2027, 3, 18))
    assert not (asking_of(third).door_is_open or hall_of(third).self_check_in)


def test_a_stage_that_was_added_is_planned_again_and_a_season_is_not(cast: Cast) -> None:
    like = in_play(cast, 8, stages=[PLAN])
    final = {**PLAN, "name": "Final", "intake": {"source": "best", "best": 4}}
    act(cast.olga, like, AddStage, stage=final)
    like.refresh_from_db()
    plans = state_of(like).plans
    assert [each.name for each in state_of(again(cast, like)).opening.stages] == [each.name for each in plans]
    kept = keep_preset(by=cast.olga, competition=like, name="With a final")
    assert len(kept.settings["stages"]) == 2
    act(cast.olga, like, RemoveStage)
    act(cast.olga, like, AddSeason, name="Season 2")
    like.refresh_from_db()
    assert len(state_of(again(cast, like, date(2027, 3, 18))).opening.stages) == 1


def test_what_repeats_is_told_again_and_nobody_has_won_its_prizes(cast: Cast) -> None:
    prizes = (Prize("wine", category="Newcomer", winner="Anna"), Prize("a cup", 1, 1))
    like = told(cast, opened(cast), place="Old hall", description="Bring a pen", prizes=prizes)
    details = details_of(again(cast, like))
    assert (details.place, details.description) == ("Old hall", "Bring a pen")
    assert details.begins_on == date(2027, 3, 11)
    assert [each.winner for each in prizes_of(details)] == ["", ""]


@pytest.mark.parametrize(
    ("name", "follows"),
    [
        ("Club night 7", "Club night 8"),
        ("Club night #99", "Club night #100"),
        ("Thursday 4 March", "Thursday 11 March"),
        ("Skat am 4. März 2027", "Skat am 11. März 2027"),
        ("Club night, March 4", "Club night, March 11"),
        ("Evening 2027-03-04", "Evening 2027-03-11"),
        ("Winter league 2027", "Winter league 2027, 11 March"),
        ("Club night", "Club night, 11 March"),
        ("x" * 100, f"{'x' * 90}, 11 March"),
    ],
)
def test_a_date_or_number_in_the_name_goes_on(name: str, follows: str) -> None:
    assert name_after(name, LAST, date(2027, 3, 11)) == follows


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("Club night #99", "Club night"),
        ("Skatabend Nr. 7", "Skatabend"),
        ("Thursday 4 March", "Thursday 11 March"),
        ("Club night", "Club night"),
    ],
)
def test_a_day_without_an_evening_has_no_number(cast: Cast, name: str, called: str) -> None:
    assert name_without_number(told(cast, opened(cast, name=name)), date(2027, 3, 11)) == called


@time_machine.travel("2027-03-05T12:00Z", tick=False)
def test_the_next_day_follows_as_the_last_evenings_did(cast: Cast) -> None:
    told(cast, opened(cast, name="One"), begins_on=date(2027, 2, 18))
    assert next_day(told(cast, opened(cast, name="Two"))) == date(2027, 3, 18)


@time_machine.travel("2027-03-24T12:00Z", tick=False)
def test_the_next_day_is_never_past_and_a_week_later_where_nothing_says_more(cast: Cast) -> None:
    assert next_day(told(cast, opened(cast))) == date(2027, 3, 25)


def test_who_came_to_no_table_is_listed_but_not_ticked(cast: Cast) -> None:
    like = finished(cast, 8)
    away = like.entries.order_by("number")[2]
    away.seats.update(outcome=Outcome.NO_SHOW)
    assert [each.entry for each in former_entries(like) if not each.played] == [away]


def test_who_left_the_club_or_was_forgotten_is_not_on_the_list(cast: Cast) -> None:
    like = opened(cast, 4)
    gone, forgotten, *stay = [entry.members.get().player for entry in like.entries.order_by("number")]
    type(gone).objects.filter(pk=gone.pk).update(active=False)
    type(gone).objects.filter(pk=forgotten.pk).update(anonymous=True)
    assert [each.players for each in former_entries(like)] == [(each.pk,) for each in stay]


def test_the_ticks_follow_the_day_that_is_chosen(cast: Cast) -> None:
    like = told(cast, opened(cast, 4))
    gone_then, gone_now, *_stay = (entry.members.get().player for entry in like.entries.order_by("number"))
    day, other = next_day(like), next_day(like) + timedelta(days=7)
    say_away(by=cast.olga, player=gone_now, since=day, until=day)
    say_away(by=cast.olga, player=gone_then, since=other, until=other)
    client, form = logged_in(cast.olga), logged_in(cast.olga).get(page(like)).context["form"]
    sent = {"name": "Again", "at": "", "entries": form.ticked, "ticked_for": day, "day": other}
    answer = client.post(page(like), sent)
    assert not Evening.objects.exists()
    form, shown = answer.context["form"], answer.content.decode()
    assert "Others are away on this day: the ticks follow it." in shown
    assert f"{gone_then.name} (away until" in shown and f"{gone_now.name} (away until" not in shown
    ticked = {str(entry.pk): entry.members.get().player for entry in like.entries.all()}
    assert {ticked[each] for each in form["entries"].value()} == {*ticked.values()} - {gone_then}
    # Whoever is ticked again after that was said is entered.
    again = {**sent, "ticked_for": form["ticked_for"].value(), "entries": [*ticked]}
    assert client.post(page(like), again).status_code == 302
    assert Evening.objects.get().competition.entries.count() == 4


def test_looking_again_counts_what_is_ticked_and_keeps_what_was_typed(cast: Cast) -> None:
    like = told(cast, opened(cast, 5, name="Thursday 4 March", stages=[{**PLAN, "format": "rounds"}]))
    client, day = logged_in(cast.olga), next_day(like)
    form = client.get(page(like)).context["form"]
    assert form["name"].value() == date_format(day, "l j F")
    other = day + timedelta(days=1)
    sent = {"name": form["name"].value(), "at": "19:45", "entries": form.ticked[1:], "ticked_for": day}
    answer = client.post(page(like), {**sent, "day": other, "look": "1"})
    form, shown = answer.context["form"], answer.content.decode()
    assert not Evening.objects.exists() and not form.errors
    assert "4 from last time are ticked. 4 entries: 1 table of 4." in " ".join(shown.split())
    assert (form["name"].value(), form["at"].value()) == (date_format(other, "l j F"), "19:45")
    sent |= {"name": "Our own", "ticked_for": other, "day": day, "look": "1"}
    assert client.post(page(like), sent).context["form"]["name"].value() == "Our own"


def test_guests_of_the_last_evening_are_offered_and_told_apart(cast: Cast) -> None:
    like = told(cast, opened(cast, 4))
    walked_in, guest, *_stay = (entry.members.get().player for entry in like.entries.order_by("number"))
    keep_facts(by=cast.olga, club=cast.club, facts={guest: Facts(periods=(("guest", None, LAST, None),))})
    form = logged_in(cast.olga).get(page(like)).context["form"]
    labels = [label for _value, label in form.fields["entries"].choices]
    assert len(form.ticked) == 4 and f"{guest.name} (guest)" in labels and walked_in.name in labels


def test_who_leaves_before_the_day_is_not_ticked_for_it(cast: Cast) -> None:
    like = told(cast, opened(cast, 4))
    leaves, *_stay = (entry.members.get().player for entry in like.entries.order_by("number"))
    last = next_day(like) - timedelta(days=1)
    keep_facts(by=cast.olga, club=cast.club, facts={leaves: Facts(left_on=last)})
    first = {day: former_entries(like, day)[0].ticked for day in (last, last + timedelta(days=1))}
    assert [*first.values()] == [True, False]
    shown = logged_in(cast.olga).get(page(like)).content.decode()
    assert f"{leaves.name} (has left by then)" in shown


def test_a_day_on_which_the_same_people_are_away_is_taken_at_once(cast: Cast) -> None:
    like = told(cast, opened(cast, 4))
    other = next_day(like) + timedelta(days=7)
    form = logged_in(cast.olga).get(page(like)).context["form"]
    sent = {"name": "Again", "at": "", "entries": form.ticked, "ticked_for": next_day(like), "day": other}
    assert logged_in(cast.olga).post(page(like), sent).status_code == 302


def test_who_withdrew_or_was_expelled_is_listed_but_not_ticked(cast: Cast) -> None:
    like = opened(cast, 4)
    first, second, *_stay = like.entries.order_by("number")
    act(cast.olga, like, WithdrawEntry, entry=first.pk)
    act(cast.olga, like, ExpelEntry, entry=second.pk, reason="Rude")
    assert [each.played for each in former_entries(like)] == [False, False, True, True]


def test_who_came_before_but_not_last_time_is_found_below_and_not_ticked(cast: Cast) -> None:
    first = told(cast, opened(cast, 5), begins_on=date(2027, 2, 18))
    gone, *stay = former_entries(first)
    second = again(cast, first, date(2027, 2, 25), entries=stay)
    last = again(cast, second, date(2027, 3, 4), entries=stay[1:])
    (missed, left_out) = earlier_entries(last)
    assert [missed.players, left_out.players] == [stay[0].players, gone.players]
    assert not missed.ticked and not left_out.ticked
    client = logged_in(cast.olga)
    form = client.get(page(last)).context["form"]
    assert form["earlier"].value() is None and len(form.fields["earlier"].choices) == 2
    sent = {name: form[name].value() for name in form.fields if form[name].value()}
    sent |= {"day": "2027-03-11", "name": "Next", "earlier": [str(left_out.entry.pk)]}
    client.post(page(last), sent)
    entered = {
        player for each in former_entries(Competition.objects.get(name="Next")) for player in each.players
    }
    assert gone.players[0] in entered and stay[0].players[0] not in entered
    assert "earlier" not in client.get(page(first)).context["form"].fields


def test_an_evening_that_was_cancelled_ticks_all_who_had_entered(cast: Cast) -> None:
    like = opened(cast, 4)
    act(cast.olga, like, CancelCompetition, reason="Snow")
    assert sum(each.played for each in former_entries(like)) == 4


def test_a_day_has_one_evening_like_another(cast: Cast) -> None:
    like = opened(cast)
    again(cast, like)
    with pytest.raises(Malformed, match="olga was faster: “Again” is set up for this day"):
        again(cast, like)
    assert Competition.objects.count() == 2


def test_the_form_is_filled_in_and_one_click_enters_who_played(cast: Cast) -> None:
    like = told(cast, opened(cast, 5, entering={"check_in": True}), begins_at=time(19, 30))
    act(cast.olga, like, OpenEntries)
    client = logged_in(cast.olga)
    form = client.get(page(like)).context["form"]
    sent = {name: form[name].value() for name in form.fields}
    answer = client.post(page(like), {**sent, "day": "2027-03-11", "name": "Next"}, follow=True)
    made = Evening.objects.get().competition
    assert answer.redirect_chain[-1][0] == reverse("admin:league_competition_change", args=[made.pk])
    assert (made.name, made.status, made.entries.count()) == ("Next", "entering", 5)
    assert details_of(made).begins_at == time(19, 30)


def test_what_is_wrong_is_told_at_its_field_and_what_was_typed_is_kept(cast: Cast) -> None:
    like, client = opened(cast, 3), logged_in(cast.olga)
    again(cast, like)
    entry = str(like.entries.order_by("number")[0].pk)
    answer = client.post(page(like), {"name": "Mine", "day": "2027-03-11", "entries": [entry]})
    form = answer.context["form"]
    assert form.errors.keys() == {"day"}
    assert (form["name"].value(), form["entries"].value()) == ("Mine", [entry])


def test_the_first_page_offers_to_run_the_last_evening_again_until_the_next_one_is_set_up(cast: Cast) -> None:
    client, place = logged_in(cast.olga), reverse("admin:index")
    told(cast, opened(cast, 4))
    assert "Run this evening again" not in client.get(place).content.decode()
    older, before = told(cast, finished(cast), begins_on=date(2027, 2, 25)), told(cast, finished(cast))
    league = told(cast, in_play(cast), ends_on=date(2027, 6, 3))
    running = told(cast, in_play(cast), begins_on=date(2027, 3, 2))
    offered = {each: page(each) in client.get(place).content.decode() for each in (older, before, league)}
    assert [*offered.values()] == [False, True, False]
    assert page(running) in client.get(place).content.decode()
    again(cast, before)
    shown = client.get(place).content.decode()
    assert page(before) not in shown and page(running) in shown


def test_two_clicks_at_once_make_one_evening(cast: Cast) -> None:
    like, client = opened(cast, 3), Client(enforce_csrf_checks=False)
    client.force_login(cast.olga)
    sent = {"csrfmiddlewaretoken": "a" * 64, "name": "Next", "day": "2027-03-11"}
    first, second = (client.post(page(like), sent) for _click in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    assert Evening.objects.count() == 1


def test_only_who_directs_the_club_runs_an_evening_again(cast: Cast) -> None:
    like = opened(cast)
    assert logged_in(cast.nora).get(page(like)).status_code == 404
    link = page(like)
    seen = [
        logged_in(who).get(f"/competitions/{like.slug}/").content.decode() for who in (cast.olga, cast.paul)
    ]
    assert [link in each for each in seen] == [True, False]


def test_who_was_replaced_in_mid_evening_is_ticked_and_not_the_stand_in(cast: Cast) -> None:
    like = in_play(cast, stages=[{**PLAN, "rounds": 2}])
    entry, stand_in = like.entries.order_by("number")[0], PlayerFactory.create(club=cast.club)
    gone = entry.members.get().player
    act(cast.olga, like, SubstitutePlayer, entry=str(entry.pk), out=str(gone.pk), into=str(stand_in.pk))
    entered = {player for each in former_entries(like) for player in each.players}
    assert gone.pk in entered
    assert stand_in.pk not in entered
    form = logged_in(cast.olga).get(page(like)).context["form"]
    names = [label for _value, label in form.fields["entries"].choices]
    assert gone.name in names and stand_in.name not in names


def test_a_stand_in_who_played_for_points_of_their_own_is_ticked_too(cast: Cast) -> None:
    like = told(cast, in_play(cast, 4))
    entry, stand_in = like.entries.order_by("number")[0], PlayerFactory.create(club=cast.club)
    gone = entry.members.get().player
    record_all(like)
    act(cast.olga, like, CloseRound)
    swap: Any = {"entry": str(entry.pk), "out": str(gone.pk), "into": str(stand_in.pk), "points": "stand_in"}
    act(cast.olga, like, SubstitutePlayer, **swap)
    assert not former_stand_ins(like)
    act(cast.olga, like, DrawRound)
    act(cast.olga, like, PublishRound)
    like, client = Competition.objects.get(pk=like.pk), logged_in(cast.olga)
    form = client.get(page(like)).context["form"]
    assert (len(form.ticked), form.initial["stood_in"]) == (4, [stand_in.pk])
    sent = {"name": "Again", "at": "", "entries": form.ticked, "day": next_day(like)}
    client.post(page(like), {**sent, "stood_in": form.initial["stood_in"]})
    entered = [
        player for each in state_of(Evening.objects.get().competition).entries for player in each.players
    ]
    assert len(entered) == 5 and {str(stand_in.pk), str(gone.pk)} <= {*entered}


@pytest.mark.parametrize("points", ["entry", "stand_in"])
def test_who_stood_in_before_the_last_evening_is_found_below_too(cast: Cast, points: str) -> None:
    first = told(cast, in_play(cast, 4), begins_on=date(2027, 2, 25))
    entry, norbert = first.entries.order_by("number")[0], PlayerFactory.create(club=cast.club)
    gone = entry.members.get().player
    record_all(first)
    act(cast.olga, first, CloseRound)
    swap: Any = {"entry": str(entry.pk), "out": str(gone.pk), "into": str(norbert.pk), "points": points}
    for verb, fields in ((SubstitutePlayer, swap), (DrawRound, {}), (PublishRound, {})):
        act(cast.olga, first, verb, **fields)
    last = again(cast, Competition.objects.get(pk=first.pk), LAST)
    client = logged_in(cast.olga)
    answer = client.get(page(last))
    form = answer.context["form"]
    assert "1 from earlier evenings who was not entered last time" in answer.content.decode()
    assert [pk for pk, _name in form.fields["earlier_stand_ins"].choices] == [norbert.pk]
    assert form["earlier_stand_ins"].value() is None
    sent = {"name": "Next", "at": "", "entries": form.ticked, "day": next_day(last)}
    client.post(page(last), {**sent, "earlier_stand_ins": [norbert.pk]})
    made = state_of(Competition.objects.get(name="Next"))
    assert len(made.entries) == 5 and str(norbert.pk) in {each.players[0] for each in made.entries}


def test_an_evening_that_was_cancelled_follows_nothing_and_is_said_for_its_day(cast: Cast) -> None:
    like, client = told(cast, finished(cast, 4)), logged_in(cast.olga)
    fell = again(cast, like)
    act(cast.olga, fell, CancelCompetition)
    told(cast, finished(cast, 4), begins_on=date(2027, 3, 12))
    assert page(like) in client.get(reverse("admin:index")).content.decode()
    said = f"An evening on {date_format(date(2027, 3, 11), 'MONTH_DAY_FORMAT')} was cancelled: Again."
    assert said in client.get(page(like)).content.decode()
    sent = {"name": "Next", "at": "", "day": date(2027, 3, 18), "look": "1"}
    assert said not in client.post(page(like), sent).content.decode()
    again(cast, Competition.objects.get(pk=fell.pk), date(2027, 3, 18))
    assert page(like) not in client.get(reverse("admin:index")).content.decode()


def test_the_first_round_can_be_seated_by_the_last_evening(cast: Cast) -> None:
    like = told(cast, finished(cast, 8))
    fresh = again(cast, like)
    act(cast.olga, fresh, StartCompetition)
    orders = orders_of(fresh.pk, state_of(Competition.objects.get(pk=fresh.pk)))
    found = {each.key: each for each in orders}
    assert found["evening"].title == f"by the last evening ({like.name})"
    act(cast.olga, fresh, DrawRound, seating="given", order="evening")
    drawn = state_of(Competition.objects.get(pk=fresh.pk)).drawn_round
    assert drawn
    order = former_places(like)
    first = [order[seat.player] for seat in drawn.tables[0].seats]
    assert max(first) <= min(order[seat.player] for seat in drawn.tables[-1].seats)


def former_places(competition: Competition) -> dict[str, int]:
    state = state_of(competition)
    players = {entry.id: entry.players[0] for entry in state.entries}
    return {players[entry]: rank for _group, entry, rank in ranking.order(state, 1).ranks()}


def test_the_evening_is_played_in_the_same_rooms(cast: Cast) -> None:
    like = opened(cast, 11, stages=[{**PLAN, "format": "rounds"}])
    act(cast.olga, like, SetRooms, rooms=[{"name": "Bar", "last": 2}], without=[13])
    told = logged_in(cast.olga).get(page(like)).content.decode()
    assert "11 entries: 1 table of 6, 1 table of 5." in told
    fresh = again(cast, Competition.objects.get(pk=like.pk), entries=())
    assert rooms_of(Competition.objects.get(pk=fresh.pk)) == Rooms((Room("Bar", 1, 2),), (13,))


def test_the_page_says_at_what_tables_those_who_are_ticked_sit(cast: Cast) -> None:
    like = opened(cast, 7, stages=[{**PLAN, "format": "rounds"}])
    client = logged_in(cast.olga)
    told = "7 entries: 1 table of 4, 1 table of 3."
    assert told in client.get(page(like)).content.decode()
    desk = reverse("admin:league_competition_change", args=[like.pk])
    assert f"The next draw: {told}" in client.get(desk).content.decode()
    act(cast.olga, like, StartCompetition)
    assert f"The next draw: {told}" in client.get(desk).content.decode()
    act(cast.olga, like, DrawRound)
    assert "The next draw:" not in client.get(desk).content.decode()
