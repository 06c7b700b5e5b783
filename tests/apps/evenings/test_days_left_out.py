"""Days on which a rhythm has no evening: one that is near, far ahead, or said as it begins."""

from datetime import date

import pytest
import time_machine
from django.urls import reverse

from games.engine.refusals import Malformed
from league.apps.evenings.lines import SHOWN
from league.apps.evenings.models import Rhythm
from league.apps.evenings.services import skip_day
from tests.apps.evenings.test_rhythm import THURSDAY, begun, held, now, prepare
from tests.factories import Cast
from tests.league.test_admin_scope import logged_in

__all__ = ["now"]


@pytest.mark.django_db
def test_a_day_that_is_left_out_is_passed_over_and_its_reason_is_in_the_calendar(
    cast: Cast, now: time_machine.Traveller
) -> None:
    rhythm = begun(cast, held(cast))
    skip_day(by=cast.olga, rhythm=rhythm, day=THURSDAY, why="Hall locked")
    assert prepare(rhythm).next_on == date(2027, 3, 18)
    written = logged_in(cast.olga).get(f"/clubs/{cast.club.slug}/calendar.ics").content.decode()
    assert "Not on this day: Thursday (Hall locked)" in written and "20270304" in written
    skip_day(by=cast.olga, rhythm=rhythm, day=THURSDAY, skip=False)
    assert Rhythm.objects.get().next_on == THURSDAY


@pytest.mark.django_db
def test_a_day_far_ahead_is_left_out_and_set_up_after_all(cast: Cast, now: time_machine.Traveller) -> None:
    rhythm, client = begun(cast, held(cast)), logged_in(cast.olga)
    page = reverse("admin:league_competition_rhythm", args=[rhythm.like.pk])
    wrong = client.post(page, {"do": "skip", "day": "2027-12-24"}).content.decode()
    assert "The days nearest to it are Thursday, 23 Dec 2027 and Thursday, 6 Jan 2028." in wrong
    assert 'value="2027-12-24"' in wrong and not rhythm.skipped.exists()
    client.post(page, {"do": "skip", "day": "2027-12-23", "why": "Christmas"})
    *_, (day, skipped, _made) = client.get(page).context["days"]
    assert day == date(2027, 12, 23) and skipped.why == "Christmas"
    client.post(page, {"do": "unskip", "day": "2027-12-23"})
    assert len(client.get(page).context["days"]) == SHOWN


@pytest.mark.django_db
def test_a_day_is_left_out_where_a_rhythm_begins(cast: Cast, now: time_machine.Traveller) -> None:
    like, client = held(cast), logged_in(cast.olga)
    page = reverse("admin:league_competition_rhythm", args=[like.pk])
    rule = {"weekday": 3, "how": "0 2", "first": "2027-03-04", "at": "19:30", "days_before": 6, "do": "begin"}
    wrong = client.post(page, {**rule, "day": "2027-03-05"}).context["form"]
    assert wrong.errors.keys() == {"day"} and not Rhythm.objects.exists()
    client.post(page, {**rule, "day": "2027-03-04", "why": "Hall locked"})
    assert Rhythm.objects.get().next_on == date(2027, 3, 18)
    assert "day" not in client.get(page).context["form"].fields


@pytest.mark.django_db
def test_an_evening_that_is_set_up_is_no_day_to_leave_out(cast: Cast, now: time_machine.Traveller) -> None:
    rhythm = prepare(begun(cast, held(cast)))
    with pytest.raises(Malformed, match="is set up for this day already"):
        skip_day(by=cast.olga, rhythm=rhythm, day=THURSDAY)
