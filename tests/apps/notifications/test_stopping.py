"""Every email of a club to its players has a link that stops its kind for good, without an account, too."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
import time_machine
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import database_time
from games.engine.refusals import Malformed
from league.apps.attendance import emails as attendance
from league.apps.my_evening.models import Pass
from league.apps.my_evening.services import send_passes
from league.apps.notifications.services import write_next_evening, write_notice
from league.apps.people import duties
from league.core.verbs.answers import RefuseChallenge
from league.core.verbs.challenges import MakeChallenge
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.rounds import PublishRound
from league.core.verbs.settings import ChangeSettings
from league.core.verbs.start import StartCompetition
from league.hooks import Notice
from league.models import (
    Account,
    Competition,
    Contact,
    Invitation,
    Member,
    Player,
    StoppedEmails,
    StoppedInvitations,
)
from league.services.emails import send_emails, stop_all_emails, stop_emails, write_for
from league.services.invitations import invite, invite_players, send_invitation_again
from league.words.emails import STOPPABLE, stopped_of
from tests.apps.attendance.conftest import evening
from tests.factories import Cast, ClubFactory, PlayerFactory
from tests.league.acting import act, enter
from tests.league.playing import opened
from tests.league.test_entries import pair
from tests.league.test_unpublished_draws import LADDER

ADDRESS: Final = "ruth@cards.example"


def as_account(account: Account) -> Client:
    client = Client()
    client.force_login(account)
    return client


@pytest.fixture(autouse=True)
def awake(cast: Cast) -> None:
    """Let the club have no quiet hours, in which its emails wait until the morning."""
    cast.club.quiet = ""
    cast.club.save(update_fields=["quiet"])


@pytest.fixture
def ruth(cast: Cast) -> Player:
    """Somebody without an account, whose address the club keeps."""
    player: Player = PlayerFactory.create(club=cast.club, name="Ruth Rye")
    Contact.objects.create(player=player, email=ADDRESS)
    return player


def tomorrow(cast: Cast, ruth: Player, **more: Any) -> Competition:
    """Return an evening of tomorrow that Ruth has entered."""
    found = evening(cast, days=1, **more)
    act(cast.olga, found, EnterPlayers, players=[ruth.pk])
    return found


def notice(cast: Cast, ruth: Player) -> None:
    found = tomorrow(cast, ruth)
    write_notice(Notice(uuid4(), found, "Bring a pen", [ruth.pk], wakes=True))


def changed(cast: Cast, ruth: Player) -> None:
    act(cast.olga, tomorrow(cast, ruth), ChangeSettings, settings={"name": f"Spring {uuid4()}"})


def coming(cast: Cast, ruth: Player) -> None:
    evening(cast, days=1, by_mail=3)
    attendance.write_emails()


def next_evening(cast: Cast, _ruth: Player) -> None:
    write_next_evening(evening(cast, days=1, asks=False))


def my_evening(cast: Cast, ruth: Player) -> None:
    send_passes(by=cast.olga, competition=tomorrow(cast, ruth))


def duty(cast: Cast, ruth: Player) -> None:
    Player.objects.filter(pk=ruth.pk).update(account=cast.nora)
    Account.objects.filter(pk=cast.nora.pk).update(email=ADDRESS)
    kept = duties.keep_duty(by=cast.olga, club=cast.club, duty=None, name=f"Key {uuid4()}", people=[ruth])
    duties.give_duties(by=cast.olga, competition=tomorrow(cast, ruth), chosen={kept: ruth})
    duties.remind_of_duties()


def handed_over(cast: Cast, ruth: Player) -> None:
    Player.objects.filter(pk=ruth.pk).update(account=cast.nora)
    Account.objects.filter(pk=cast.nora.pk).update(email=ADDRESS)
    game = cast.game("tally", {"rounds": 2})
    about = {"game": str(game.pk), "reason": "ill"}
    write_for([cast.nora], kind="handed_over", club=cast.club, key=str(uuid4()), about=about)


def challenge(cast: Cast, ruth: Player) -> None:
    challenged(cast, ruth, cast.petra_plays)


def challenge_answer(cast: Cast, ruth: Player) -> None:
    found = challenged(cast, cast.petra_plays, ruth)
    act(cast.olga, found, RefuseChallenge, challenge=found.seq)


def challenged(cast: Cast, *rungs: Player) -> Competition:
    """A ladder on whose first rung somebody is challenged from the second one."""
    found = opened(cast, stages=[{**LADDER, "params": {"answer_days": 3}}])
    enter(cast.olga, found, rungs, StartCompetition(), DrawRound(), PublishRound())
    one, two = pair(found, 1, 2)
    act(cast.olga, found, MakeChallenge, entry=two, opponent=one)
    found.refresh_from_db()
    return found


def invitation(cast: Cast, _ruth: Player) -> None:
    invite(by=cast.olga, club=cast.club, email=ADDRESS, role="player")


KINDS: Final[dict[str, Callable[[Cast, Player], None]]] = {
    each.__name__: each
    for each in (
        *(notice, changed, coming, next_evening),
        *(my_evening, duty, handed_over, challenge, challenge_answer),
    )
}


def sent(write: Callable[[Cast, Player], None], cast: Cast, ruth: Player) -> list[Any]:
    mail.outbox.clear()
    write(cast, ruth)
    send_emails()
    return [each for each in mail.outbox if each.to == [ADDRESS]]


def test_who_has_no_account_answers_by_a_link_where_the_next_evening_asks(cast: Cast, ruth: Player) -> None:
    write_next_evening(evening(cast, days=9, by_mail=3))
    send_emails()
    (told,) = (each.body for each in mail.outbox if each.to == [ADDRESS])
    (found,) = re.findall(r"http\S+/coming/\S+", str(told)) or [told]
    shown = Client().get(urlsplit(found).path)
    assert shown.status_code == 200 and "Ruth Rye" in shown.content.decode()


def link_in(message: Any) -> str:
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = message.extra_headers["List-Unsubscribe"].strip("<>")
    assert f"Stop emails of this kind: {link}" in message.body
    return re.sub(r"http://[^/]*", "", link)


def test_each_kind_has_a_title() -> None:
    assert STOPPABLE.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_a_link_stops_its_kind_for_good_and_no_other(cast: Cast, ruth: Player, kind: str) -> None:
    (message,) = sent(KINDS[kind], cast, ruth)
    link, phone = link_in(message), Client(enforce_csrf_checks=True)
    assert phone.get(link).status_code == 200
    assert not StoppedEmails.objects.exists()
    with time_machine.travel(database_time.now() + timedelta(days=40), tick=False):
        assert phone.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 302
    assert "no more emails of this kind" in phone.get(link).content.decode()
    assert sent(KINDS[kind], cast, ruth) == []
    other = notice if kind == "changed" else changed
    assert len(sent(other, cast, ruth)) == 1 or kind in ("duty", "handed_over")


def test_who_stopped_a_kind_can_have_it_again(cast: Cast, ruth: Player) -> None:
    link = link_in(sent(coming, cast, ruth)[0])
    for form in ({}, {"again": "1"}):
        Client().post(link, form)
    assert len(sent(coming, cast, ruth)) == 1


@pytest.mark.parametrize("change", ["token", "kind", "address"])
def test_a_wrong_or_a_former_link_stops_nothing(cast: Cast, ruth: Player, change: str) -> None:
    link = link_in(sent(coming, cast, ruth)[0])
    if change == "address":
        Contact.objects.update(email="other@cards.example")
    else:
        link = link.replace("/coming/", "/notice/") if change == "kind" else link[:-9] + "AAAAAAAA/"
    assert Client().post(link).status_code == 404
    assert not StoppedEmails.objects.exists()


def test_who_stopped_it_gets_no_code_that_an_organiser_could_think_sent(cast: Cast, ruth: Player) -> None:
    Client().post(link_in(sent(my_evening, cast, ruth)[0]))
    found = tomorrow(cast, ruth)
    assert send_passes(by=cast.olga, competition=found) == 0
    assert not Pass.objects.filter(competition=found).exists()


def test_all_emails_of_a_club_are_stopped_at_once_and_one_kind_comes_again(cast: Cast, ruth: Player) -> None:
    link, phone = link_in(sent(coming, cast, ruth)[0]), Client()
    assert "Stop all emails of Harbour Cards" in phone.get(link).content.decode()
    phone.post(link, {"all": "1"})
    assert {*StoppedEmails.objects.values_list("kind", flat=True)} == {*STOPPABLE}
    assert [sent(each, cast, ruth) for each in (coming, notice, changed, my_evening)] == [[], [], [], []]
    with pytest.raises(Malformed):
        invitation(cast, ruth)
    phone.post(link, {"again": "1"})
    assert [bool(sent(each, cast, ruth)) for each in (coming, notice)] == [True, False]


def test_who_stopped_all_emails_of_a_club_has_all_again_on_the_same_page(cast: Cast, ruth: Player) -> None:
    link, phone = link_in(sent(coming, cast, ruth)[0]), Client()
    assert "Keep this email" in phone.get(link).content.decode()
    phone.post(link, {"all": "1"})
    assert "Send me all emails of Harbour Cards again" in phone.get(link).content.decode()
    phone.post(link, {"all": "again"})
    assert not StoppedEmails.objects.exists() and not StoppedInvitations.objects.exists()
    assert "Send me all" not in phone.get(link).content.decode()
    assert len(sent(invitation, cast, ruth)) == 1


def test_one_kind_that_comes_again_does_not_hide_that_others_are_stopped(cast: Cast, ruth: Player) -> None:
    link, phone = link_in(sent(coming, cast, ruth)[0]), Client()
    for form in ({"all": "1"}, {"again": "1"}):
        phone.post(link, form)
    shown = phone.get(link).content.decode()
    assert "Send me all emails of Harbour Cards again" in shown and "your evening" in shown
    assert "whether you are coming" not in shown.partition("stopped, too")[2]


class TestTheAccountsPage:
    def test_names_what_was_stopped_before_there_was_an_account_and_sends_it_again(
        self, cast: Cast, ruth: Player
    ) -> None:
        link, nora = link_in(sent(coming, cast, ruth)[0]), as_account(cast.nora)
        Client().post(link, {"all": "1"})
        assert "Harbour Cards sends you none" not in nora.get("/account/notices/").content.decode()
        Player.objects.filter(pk=ruth.pk).update(account=cast.nora)
        Account.objects.filter(pk=cast.nora.pk).update(email=ADDRESS)
        shown = nora.get("/account/notices/").content.decode()
        told = shown.partition("Harbour Cards sends you none")[2].partition("</form>")[0]
        for title in ("message of an organiser", "your evening", "invitations to the club"):
            assert title in told
        assert nora.post("/account/notices/again/", {"club": cast.club.pk}).status_code == 302
        assert not StoppedEmails.objects.exists() and not StoppedInvitations.objects.exists()

    def test_sends_nothing_again_to_others(self, cast: Cast, ruth: Player) -> None:
        Client().post(link_in(sent(coming, cast, ruth)[0]))
        stops = StoppedEmails.objects.count()
        for club, status in ((cast.club.pk, 302), (uuid4(), 404), ("x", 404)):
            answer = as_account(cast.paul).post("/account/notices/again/", {"club": club})
            assert answer.status_code == status
        assert StoppedEmails.objects.count() == stops

    def test_asks_two_queries_more_for_each_club(self, cast: Cast) -> None:
        Account.objects.filter(pk=cast.nora.pk).update(email=ADDRESS)
        cast.nora.refresh_from_db()
        asked = []
        for _club in range(2):
            player = PlayerFactory.create(club=ClubFactory.create(), account=cast.nora)
            stop_all_emails(player=player)
            with CaptureQueriesContext(connection) as queries:
                assert player.club in dict(stopped_of(cast.nora))
            asked.append(len(queries))
        assert asked == [4, 6]

    def test_of_who_has_stopped_nothing_says_nothing(self, cast: Cast) -> None:
        assert "sends you none" not in as_account(cast.paul).get("/account/notices/").content.decode()


def test_who_has_an_account_chooses_there(cast: Cast, ruth: Player) -> None:
    link, phone = link_in(sent(duty, cast, ruth)[0]), Client()
    assert "Stop all emails" not in phone.get(link).content.decode()
    phone.post(link, {"all": "1"})
    assert StoppedEmails.objects.get().kind == "duty"
    stop_emails(player=ruth, kind="coming", stop=True)
    shown = phone.get(link).content.decode()
    assert "stopped, too" not in shown and "Send me all emails" not in shown
    phone.post(link, {"all": "again"})
    assert StoppedEmails.objects.get().kind == "coming"


class TestInvitations:
    def test_a_link_stops_those_to_the_address_for_good(self, cast: Cast, ruth: Player) -> None:
        (message,) = sent(invitation, cast, ruth)
        link, phone = link_in(message), Client(enforce_csrf_checks=True)
        assert ADDRESS not in link and "ruth" not in phone.get(link).content.decode()
        assert not StoppedInvitations.objects.exists()
        Invitation.objects.update(revoked_at=database_time.now())
        for _time in range(2):
            assert phone.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 302
        assert "no more emails of this kind" in phone.get(link).content.decode()
        for address in (ADDRESS, ADDRESS.upper()):
            with pytest.raises(Malformed, match="has stopped invitations"):
                invite(by=cast.olga, club=cast.club, email=address, role="player")
        phone.post(link, {"again": "1"})
        assert len(sent(invitation, cast, ruth)) == 1

    def test_one_that_waits_or_is_sent_again_is_not_sent(self, cast: Cast, ruth: Player) -> None:
        link = link_in(sent(invitation, cast, ruth)[0])
        made = Invitation.objects.get()
        send_invitation_again(by=cast.olga, invitation=made)
        Client().post(link)
        mail.outbox.clear()
        send_emails()
        assert mail.outbox == []
        with pytest.raises(Malformed, match="has stopped invitations"):
            send_invitation_again(by=cast.olga, invitation=made)

    def test_a_player_is_invited_by_the_link_alone(self, cast: Cast, ruth: Player) -> None:
        Client().post(link_in(sent(invitation, cast, ruth)[0]))
        Invitation.objects.all().delete()
        (made,) = invite_players(by=cast.olga, club=cast.club, players=[ruth])
        assert (made.player, made.email) == (ruth, "")

    def test_other_clubs_and_addresses_are_not_stopped(self, cast: Cast, ruth: Player) -> None:
        Client().post(link_in(sent(invitation, cast, ruth)[0]))
        assert invite(by=cast.olga, club=cast.club, email="other@cards.example", role="player")
        other = ClubFactory.create()
        Member.objects.create(club=other, account=cast.olga, role=Member.Role.OWNER)
        assert invite(by=cast.olga, club=other, email=ADDRESS, role="player")

    @pytest.mark.parametrize("token", ["x", "WyJhIiwiYiJd:1:2", "x" * 4000])
    def test_a_forged_link_stops_nothing(self, cast: Cast, token: str) -> None:
        assert Client().post(f"/emails/stop/{token}/").status_code == 404
        assert not StoppedInvitations.objects.exists()
