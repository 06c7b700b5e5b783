"""Kiosks: a link that one device opens, for one competition and a time, and what may be done there."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils import timezone

from games.engine.refusals import Illegal, Malformed
from league.apps.hall.holders import COOKIE, AtKiosk, kiosk_in
from league.apps.hall.models import Kiosk
from league.apps.hall.queries import kiosk_of, link_to
from league.apps.hall.services import LONGEST, make_kiosk, renew_kiosk, revoke_kiosk
from league.core.verb import Verb
from league.core.verbs.presence import CheckInEntry
from league.core.verbs.start import StartCompetition
from league.models import Club, ClubChange, Competition, TableSeat
from league.services.verbs import perform
from tests.factories import Cast
from tests.games.test_database_time import HOUR, Ahead, database, host_ahead
from tests.league.playing import opened, pairs_in_play
from tests.league.test_admin_scope import logged_in
from tests.league.test_one_clock import DAYS, MINUTE

__all__ = ["host_ahead"]


@pytest.fixture
def competition(cast: Cast) -> Competition:
    """A competition with a check-in, and four entries."""
    return opened(cast, 4, entering={"check_in": True})


@pytest.fixture
def kiosk(cast: Cast, competition: Competition) -> Kiosk:
    return make_kiosk(by=cast.olga, competition=competition, name="Door")


def device(kiosk: Kiosk) -> Client:
    """Return a device that opened the kiosk's link."""
    client = Client()
    assert client.post(link_to(kiosk))["Location"] == f"/competitions/{kiosk.competition.slug}/kiosk/"
    return client


def asking(client: Client) -> HttpRequest:
    """Return a request of a device."""
    factory = RequestFactory()
    factory.cookies = client.cookies
    return factory.get("/")


class TestALink:
    def test_makes_the_device_that_opens_it_a_kiosk(self, kiosk: Kiosk) -> None:
        tablet = device(kiosk)
        assert kiosk_in(asking(tablet), kiosk.competition) == kiosk
        kiosk.refresh_from_db()
        assert kiosk.opened_at and kiosk.seen_at
        assert tablet.cookies[COOKIE]["httponly"] and tablet.cookies[COOKIE]["samesite"] == "Lax"

    def test_changes_nothing_until_somebody_confirms(self, kiosk: Kiosk, client: Client) -> None:
        answer = client.get(link_to(kiosk))
        assert "Use this device as a kiosk" in answer.content.decode()
        kiosk.refresh_from_db()
        assert kiosk.opened_at is None and COOKIE not in client.cookies

    def test_works_once(self, kiosk: Kiosk, client: Client) -> None:
        link = link_to(kiosk)
        device(kiosk)
        assert client.post(link).status_code == 410
        assert COOKIE not in client.cookies

    def test_logs_the_organiser_out(self, cast: Cast, kiosk: Kiosk, client: Client) -> None:
        client.force_login(cast.olga)
        assert "You will be logged out" in client.get(link_to(kiosk)).content.decode()
        client.post(link_to(kiosk))
        assert "_auth_user_id" not in client.session

    @pytest.mark.parametrize("guess", ["x", "A" * 43])
    def test_can_not_be_guessed(self, kiosk: Kiosk, client: Client, guess: str) -> None:
        assert client.post(f"/kiosks/{kiosk.pk}/{guess}/").status_code == 410

    def test_expires(self, cast: Cast, competition: Competition, client: Client) -> None:
        kiosk = make_kiosk(by=cast.olga, competition=competition, name="Door")
        Kiosk.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert client.post(link_to(kiosk)).status_code == 410


class TestADevice:
    def test_is_a_kiosk_of_one_competition(self, cast: Cast, kiosk: Kiosk) -> None:
        other = opened(cast, 4, name="Other")
        assert kiosk_in(asking(device(kiosk)), other) is None

    @pytest.mark.parametrize(
        "end",
        [
            lambda cast, kiosk: revoke_kiosk(by=cast.olga, kiosk=kiosk),
            lambda cast, kiosk: renew_kiosk(by=cast.olga, kiosk=kiosk),
            lambda cast, kiosk: Kiosk.objects.update(expires_at=timezone.now()),
        ],
        ids=["revoked", "replaced by another device", "expired"],
    )
    def test_is_none_any_more(self, cast: Cast, kiosk: Kiosk, end: Callable[[Cast, Kiosk], Any]) -> None:
        tablet = device(kiosk)
        end(cast, kiosk)
        assert kiosk_in(asking(tablet), kiosk.competition) is None

    @pytest.mark.parametrize("forged", ["", "x", "WyJhIiwiYiJd:x:y"])
    def test_has_a_signed_cookie(self, kiosk: Kiosk, forged: str) -> None:
        assert kiosk_of(forged, kiosk.competition) is None


class TestAnOrganiser:
    def test_alone_makes_and_revokes_kiosks(self, cast: Cast, kiosk: Kiosk) -> None:
        for account in (cast.paul, cast.nora):
            with pytest.raises(PermissionDenied):
                make_kiosk(by=account, competition=kiosk.competition, name="Mine")
            with pytest.raises(PermissionDenied):
                revoke_kiosk(by=account, kiosk=kiosk)
            with pytest.raises(PermissionDenied):
                renew_kiosk(by=account, kiosk=kiosk)

    def test_is_on_record(self, cast: Cast, kiosk: Kiosk) -> None:
        revoke_kiosk(by=cast.olga, kiosk=kiosk)
        revoke_kiosk(by=cast.olga, kiosk=kiosk)
        kinds = ClubChange.objects.filter(subject__contains="Door").values_list("kind", "account__username")
        assert sorted(kinds) == [("kiosk_made", "olga"), ("kiosk_revoked", "olga")]

    @pytest.mark.parametrize("ahead", [-timedelta(minutes=1), LONGEST + timedelta(hours=1)])
    def test_makes_kiosks_for_a_time(self, cast: Cast, competition: Competition, ahead: timedelta) -> None:
        with pytest.raises(Malformed) as refused:
            make_kiosk(by=cast.olga, competition=competition, name="Door", expires_at=timezone.now() + ahead)
        assert {*refused.value.errors} == {"expires_at"}

    def test_can_not_renew_what_is_revoked(self, cast: Cast, kiosk: Kiosk) -> None:
        revoke_kiosk(by=cast.olga, kiosk=kiosk)
        with pytest.raises(Illegal):
            renew_kiosk(by=cast.olga, kiosk=kiosk)


class TestAtAKiosk:
    def test_entries_check_in_without_an_account(self, kiosk: Kiosk) -> None:
        first = kiosk.competition.entries.first()
        assert first is not None
        verb = CheckInEntry(str(first.pk))
        assert perform(AtKiosk(kiosk), competition=kiosk.competition, verb=verb).created
        assert not perform(AtKiosk(kiosk), competition=kiosk.competition, verb=verb).created
        first.refresh_from_db()
        assert first.checked_in
        last = kiosk.competition.events.latest("seq")
        assert (last.role, last.account) == ("kiosk", None)

    def test_nothing_else_is_done(self, cast: Cast, kiosk: Kiosk) -> None:
        start: Verb = StartCompetition()
        with pytest.raises(PermissionDenied):
            perform(AtKiosk(kiosk), competition=kiosk.competition, verb=start)
        revoked = revoke_kiosk(by=cast.olga, kiosk=kiosk)
        first = kiosk.competition.entries.first()
        assert first is not None
        with pytest.raises(PermissionDenied):
            perform(AtKiosk(revoked), competition=kiosk.competition, verb=CheckInEntry(str(first.pk)))


class TestTheLog:
    def test_says_that_an_entry_was_checked_in_at_a_kiosk(
        self, kiosk: Kiosk, competition: Competition
    ) -> None:
        verb = CheckInEntry(str(competition.entries.all()[0].pk))
        perform(AtKiosk(kiosk), competition=competition, verb=verb)
        written = competition.events.latest("seq")
        assert (written.role, written.account) == ("kiosk", None)

    def test_gets_nothing_from_a_kiosk_of_another_competition(
        self, cast: Cast, competition: Competition
    ) -> None:
        verb = CheckInEntry(str(competition.entries.all()[0].pk))
        other = make_kiosk(by=cast.olga, competition=opened(cast), name="Door")
        with pytest.raises(PermissionDenied):
            perform(AtKiosk(other), competition=competition, verb=verb)


@pytest.mark.parametrize("wrong", [-DAYS, DAYS])
def test_a_kiosk_ends_by_the_clock_of_the_database(
    cast: Cast, competition: Competition, host_ahead: Ahead, wrong: timedelta
) -> None:
    good, ended = (make_kiosk(by=cast.olga, competition=competition, name=name) for name in ("A", "B"))
    good.expires_at, ended.expires_at = database() + MINUTE, database() - MINUTE
    host_ahead(wrong)
    assert (good.is_open, ended.is_open) == (True, False)
    made = make_kiosk(by=cast.olga, competition=competition, name="C")
    assert abs(made.expires_at - database() - 12 * HOUR) < MINUTE


def test_the_names_of_a_side_stand_together(cast: Cast) -> None:
    competition = pairs_in_play(cast, ruleset="scamper-scorecard")
    names = [seat.player.name for seat in TableSeat.objects.order_by("number")]
    sides = " against ".join(f"{names[seat]} & {names[seat + 2]}" for seat in (0, 1))
    kiosk = device(make_kiosk(by=cast.olga, competition=competition, name="Door"))
    for page in ("kiosk", "hall"):
        html = kiosk.get(f"/competitions/{competition.slug}/{page}/").content.decode()
        assert sides in " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split()), page
    said = kiosk.get(f"/games/{competition.games.get().pk}/kiosk/").content.decode()
    found = sorted(names, key=lambda name: said.index(name, said.index("<h1")))
    assert found == [names[seat] for seat in (0, 2, 1, 3)]


class TestOnTheDesk:
    """Organisers make kiosks on the desk, see which are in use, and revoke them."""

    LIST = "/admin/hall/kiosk/"

    def test_a_kiosk_is_made_with_a_link_for_one_device(self, cast: Cast, competition: Competition) -> None:
        olga = logged_in(cast.olga)
        Club.objects.update(timezone="UTC")  # where no hour is put back, and so comes twice
        until = timezone.now() + timedelta(hours=5)
        sent = {
            "competition": str(competition.pk),
            "name": "Door",
            "expires_at": until.strftime("%Y-%m-%dT%H:%M"),
        }
        page = olga.post(f"{self.LIST}add/", sent, follow=True).content.decode()
        kiosk = Kiosk.objects.get()
        assert f"http://testserver{link_to(kiosk)}" in page
        assert kiosk.expires_at == until.replace(second=0, microsecond=0)
        device(kiosk)
        page = olga.get(f"{self.LIST}{kiosk.pk}/change/").content.decode()
        assert "In use on a device" in page and "/kiosks/" not in page

    @pytest.mark.parametrize(("until", "asked"), [("2027-03-28", "forward"), ("2027-10-31", "back")])
    def test_an_end_that_clocks_do_not_show_once_is_asked_about(
        self, cast: Cast, competition: Competition, until: str, asked: str
    ) -> None:
        sent = {"competition": str(competition.pk), "name": "Door", "expires_at": f"{until}T01:30"}
        page = logged_in(cast.olga).post(f"{self.LIST}add/", sent).content.decode()
        assert f"go {asked}. Choose 00:59 or 02:00." in page
        assert f'value="{until}T01:30"' in page and not Kiosk.objects.exists()

    def test_a_kiosk_is_renewed_and_revoked(self, cast: Cast, kiosk: Kiosk) -> None:
        olga, tablet = logged_in(cast.olga), device(kiosk)
        olga.post(f"{self.LIST}{kiosk.pk}/renew/")
        assert kiosk_in(asking(tablet), kiosk.competition) is None
        asked = olga.post(f"{self.LIST}{kiosk.pk}/revoke/").content.decode()
        assert "only another kiosk" in asked and "revoked" not in olga.get(self.LIST).content.decode()
        olga.post(f"{self.LIST}{kiosk.pk}/revoke/", {"sure": "1"})
        assert "revoked" in olga.get(self.LIST).content.decode()

    def test_only_own_competitions_that_are_not_over_can_be_chosen(
        self, cast: Cast, competition: Competition
    ) -> None:
        page = logged_in(cast.nora).get(f"{self.LIST}add/").content.decode()
        assert "Autumn" not in page
        sent = {"competition": str(competition.pk), "name": "Door"}
        logged_in(cast.nora).post(f"{self.LIST}add/", sent)
        assert not Kiosk.objects.exists()
