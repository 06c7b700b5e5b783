"""Guests at the door: one name twice, and letting in that was a mistake or comes too late."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.engine.refusals import Illegal
from league.admin.needs import needs_of
from league.apps.attendance import queries, services
from league.apps.attendance.models import Guest
from league.apps.attendance.taking_back import take_back
from league.core.verbs.course import CancelCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.presence import CheckInEntry
from league.core.verbs.start import StartCompetition
from league.models import Club, Competition, Entry, Player
from tests.apps.attendance.test_answers import entered
from tests.apps.attendance.test_door import door, say, waiting, walk_in
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import opened


def test_the_same_name_from_the_same_phone_waits_once(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    address = door(cast, tonight)
    first = say(client, address, "Wendy Ford")["Location"]
    assert say(client, address, "wendy  ford")["Location"] == first
    assert waiting(tonight) == ["Wendy Ford"]
    services.let_in(by=cast.olga, guest_id=Guest.objects.get().pk)
    again = say(client, address, "Wendy Ford")
    assert (again["Location"], waiting(tonight)) == (first, [])
    say(client, address, "Will Ford")
    assert waiting(tonight) == ["Will Ford"]


def test_somebody_new_with_a_name_that_the_club_has_is_made_only_when_said_so(
    cast: Cast, tonight: Competition, as_account: Callable[[Any], Client]
) -> None:
    known, olga = PlayerFactory.create(club=cast.club, name="Ann Ash"), as_account(cast.olga)
    say(Client(), door(cast, tonight), "ann ash")
    guest, page = Guest.objects.get(), f"/admin/league/competition/{tonight.pk}/coming/"
    for kind in ("", "guest"):
        asked = olga.post(page, {"let_in": f"{guest.pk}:{kind}", "name": "ann ash"}).content.decode()
        assert f'value="{guest.pk}:{known.pk}"' in asked and f'value="{guest.pk}:{kind}"' in asked
        assert Player.objects.filter(name__istartswith="ann ash").count() == 1
    olga.post(page, {"let_in": f"{guest.pk}:", "name": "ann ash", "another": "yes"})
    assert Player.objects.filter(name__istartswith="ann ash").count() == 2


def test_a_guest_let_in_by_mistake_waits_again_until_a_draw_has_had_them(
    cast: Cast, as_account: Callable[[Any], Client]
) -> None:
    tonight = opened(cast, 3, entering={"check_in": True})
    olga, page = as_account(cast.olga), f"/admin/league/competition/{tonight.pk}/coming/"
    assert "Take back: Gus Gale" in walk_in(olga, tonight, "Gus Gale")
    guest = Guest.objects.get()
    for _tap in range(2):
        olga.post(page, {"take_back": str(guest.pk)})
    assert waiting(tonight) == ["Gus Gale"]
    assert "Gus Gale" not in entered(tonight)
    assert not Player.objects.get(name="Gus Gale").active
    services.let_in(by=cast.olga, guest_id=guest.pk, player=cast.paul_plays.pk)
    for entry in Entry.objects.filter(competition=tonight, checked_in=False).exclude(status="withdrawn"):
        act(cast.olga, tonight, CheckInEntry, entry=str(entry.pk))
    for verb in (StartCompetition, DrawRound):
        act(cast.olga, tonight, verb)
    with pytest.raises(Illegal, match="Drawn already"):
        take_back(by=cast.olga, competition=tonight, guest_id=guest.pk)
    assert "Take back" not in olga.get(f"/competitions/{tonight.slug}/check-in/").content.decode()
    assert Player.objects.get(pk=cast.paul_plays.pk).active


def test_nobody_is_let_in_once_the_evening_is_over(
    cast: Cast, tonight: Competition, as_account: Callable[[Any], Client]
) -> None:
    services.answer_myself(by=cast.paul, competition=tonight, reply="guest")
    say(Client(), door(cast, tonight))
    page, olga = f"/admin/league/competition/{tonight.pk}/change/", as_account(cast.olga)
    assert "Guest of Paul Pike" in olga.get(page).content.decode() and needs_of(Club.objects.all())
    act(cast.olga, tonight, CancelCompetition)
    shown = olga.get(page).content.decode()
    assert "Guest of Paul Pike" not in shown and "Let in" not in shown
    assert not [each for each in needs_of(Club.objects.all()) if "door" in each.text]


def test_how_all_evenings_ask_is_shown_as_it_was_kept(
    cast: Cast, tonight: Competition, as_account: Callable[[Any], Client]
) -> None:
    page, olga = f"/admin/league/competition/{tonight.pk}/coming/", as_account(cast.olga)
    assert not olga.get(page).context["form"]["for_club"].value()
    sent = {"save": "1", "asks": "on", "days": "3", "most_visits": "0", "for_club": "on"}
    assert olga.post(page, sent, follow=True).context["form"]["for_club"].value()
    del sent["for_club"]
    assert not olga.post(page, {**sent, "days": "5"}, follow=True).context["form"]["for_club"].value()


def test_two_of_one_name_at_the_door_are_two(cast: Cast, tonight: Competition) -> None:
    known = PlayerFactory.create(club=cast.club, name="Ann Ash")
    address = door(cast, tonight)
    for _one in range(2):
        say(Client(), address, "Ann Ash")
    first, second = queries.waiting(tonight)
    services.let_in(by=cast.olga, guest_id=first.pk, player=known.pk)
    with pytest.raises(Illegal, match="let them in as somebody new"):
        services.let_in(by=cast.olga, guest_id=second.pk, player=known.pk)
    with pytest.raises(services.NameKnown):
        services.let_in(by=cast.olga, guest_id=second.pk)
    services.let_in(by=cast.olga, guest_id=second.pk, another=True)
    members = Entry.objects.filter(competition=tonight, name__startswith="Ann Ash").values("members__player")
    assert members.distinct().count() == 2
