"""Links and codes without an account, as somebody would abuse them, and as their readers change."""

import re
from base64 import urlsafe_b64encode
from typing import Any, Final

import pytest
from django.core import mail, signing
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.crypto import salted_hmac

from games import database_time
from league.apps.attendance import emails as attendance
from league.apps.attendance.models import Answer, Guest, PartnerRequest, Reply
from league.apps.attendance.queries import token_at_door
from league.apps.attendance.services import open_door, revoke_links
from league.apps.my_evening import services
from league.apps.my_evening.models import Pass
from league.apps.notifications.models import EmailChoices
from league.apps.notifications.queries import token_to_stop
from league.apps.people.services import merge_players
from league.core.verbs.entering import EnterPlayers
from league.models import Account, Competition, Contact, Player, StoppedEmails
from league.services.emails import send_emails
from league.services.invitations import invite
from tests.apps.attendance.conftest import evening
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import opened

ADDRESS: Final = "ruth@cards.example"
ODD: Final = (
    *("", "\0", "a\0b", "x" * 100_000, "\u202egnol", "\u2066x", "\U0001f0cf" * 60),
    *("\ud7ff\ufffe", "\ufdfa" * 90, "a\u0300" * 200),
)
"""Texts that no person types into a field of a line."""


@pytest.fixture
def ruth(cast: Cast) -> Player:
    """Somebody without an account, whose address the club keeps."""
    player: Player = PlayerFactory.create(club=cast.club, name="Ruth Rye")
    Contact.objects.create(player=player, email=ADDRESS)
    return player


def links(to: str = ADDRESS) -> tuple[str, str]:
    """Return the link to answer in the last email to an address, and the one that stops its kind."""
    (message, *_older) = [each for each in reversed(mail.outbox) if each.to == [to]]
    found = re.search(r"http://[^/]+(/coming/[^/]+/[^/]+/)", str(message.body))
    assert found
    stop = message.extra_headers["List-Unsubscribe"].strip("<>")
    return found[1], re.sub(r"http://[^/]*", "", stop)


def asked(cast: Cast) -> Competition:
    found = evening(cast, days=1, by_mail=3)
    attendance.write_emails()
    send_emails()
    return found


class TestOneOfTwoRowsOfAPerson:
    def test_links_of_both_answer_and_stop_once_they_are_one(self, cast: Cast, ruth: Player) -> None:
        tonight = asked(cast)
        answer, stop = links()
        Client().post(answer, {"reply": "yes"})
        kept = PlayerFactory.create(club=cast.club, name="Ruth Ryes")
        merge_players(by=cast.olga, kept=kept, merged=ruth)
        assert Answer.objects.get(player=kept, competition=tonight).reply == Reply.YES
        assert Client().post(answer, {"reply": "no"}).status_code == 302
        assert Answer.objects.get(player=kept, competition=tonight).reply == Reply.NO
        assert Client().post(stop).status_code == 302
        assert StoppedEmails.objects.get().player == kept

    @pytest.mark.parametrize("mailed", ["kept", "merged", "both"])
    @pytest.mark.parametrize("replied", ["", "kept", "merged"])
    @pytest.mark.parametrize("gains", ["kept", "merged", "neither"])
    def test_every_link_that_was_sent_answers_for_the_person(
        self, cast: Cast, mailed: str, replied: str, gains: str
    ) -> None:
        two = {name: PlayerFactory.create(club=cast.club, name=f"Ruth {name}") for name in ("kept", "merged")}
        for name, player in two.items():
            Contact.objects.create(player=player, email=f"{name}@cards.example")
            Player.objects.filter(pk=player.pk).update(active=mailed in (name, "both"))
        if gains != "neither":
            Account.objects.filter(pk=cast.nora.pk).update(email=f"{gains}@cards.example")
            Player.objects.filter(pk=two[gains].pk).update(account=cast.nora)
        tonight = asked(cast)
        Player.objects.filter(pk__in=[each.pk for each in two.values()]).update(active=True)
        sent = [links(f"{name}@cards.example")[0] for name in two if mailed in (name, "both")]
        if replied:
            said = {"reply": Reply.UNSURE, "seq": 3, "at": database_time.now()}
            Answer.objects.update_or_create(competition=tonight, player=two[replied], defaults=said)
        kept = merge_players(by=cast.olga, kept=two["kept"], merged=two["merged"])
        found = Answer.objects.exclude(reply="").values_list("player", "reply")
        assert [*found] == ([(kept.pk, Reply.UNSURE)] if replied else [])
        for link, reply in zip(sent, (Reply.YES, Reply.NO), strict=False):
            assert Client().post(link, {"reply": reply}).status_code == 302
            assert Answer.objects.get(player=kept, competition=tonight).reply == reply
        Account.objects.filter(pk=cast.nora.pk).update(email="other@cards.example")
        Contact.objects.update(email="other@cards.example")
        assert {Client().get(link).status_code for link in sent} == {410}

    def test_an_email_that_waits_to_be_sent_is_sent_to_the_person(self, cast: Cast, ruth: Player) -> None:
        other = PlayerFactory.create(club=cast.club, name="Ruth Ryes", account=cast.nora)
        Account.objects.filter(pk=cast.nora.pk).update(email="nora@cards.example")
        evening(cast, days=1, by_mail=3)
        attendance.write_emails()
        merge_players(by=cast.olga, kept=ruth, merged=other)
        send_emails()
        answer, _stop = links("nora@cards.example")
        assert Client().post(answer, {"reply": "yes"}).status_code == 302
        assert Answer.objects.exclude(reply="").get().player == ruth
        assert [each.to for each in mail.outbox] == [["nora@cards.example"]]

    def test_revoked_links_of_both_end(self, cast: Cast, ruth: Player) -> None:
        tonight = asked(cast)
        other = PlayerFactory.create(club=cast.club, name="Ruth Ryes", account=cast.nora)
        merge_players(by=cast.olga, kept=other, merged=ruth)
        revoke_links(by=cast.olga, competition=tonight)
        assert Client().get(links()[0]).status_code == 410

    def test_a_code_that_was_sent_stays_good_with_the_account_of_the_other(
        self, cast: Cast, ruth: Player
    ) -> None:
        tonight = opened(cast, 0)
        act(cast.olga, tonight, EnterPlayers, players=[ruth.pk])
        services.send_passes(by=cast.olga, competition=tonight)
        other = PlayerFactory.create(club=cast.club, name="Ruth Ryes", account=cast.nora)
        merge_players(by=cast.olga, kept=ruth, merged=other)
        assert Pass.objects.select_related("player").get().is_good
        Account.objects.filter(pk=cast.nora.pk).update(email="other@cards.example")
        assert not Pass.objects.select_related("player").get().is_good

    def test_requests_and_guests_go_with_the_person(self, cast: Cast, ruth: Player) -> None:
        tonight = asked(cast)
        kept = PlayerFactory.create(club=cast.club, name="Ruth Ryes")
        other = cast.paul_plays
        for asker, whom in ((other, ruth), (other, kept), (ruth, other), (kept, ruth), (None, ruth)):
            PartnerRequest.objects.create(competition=tonight, asker=asker, asked=whom)
        Client().post(links()[0], {"reply": "guest", "guest": "Ann"})
        merge_players(by=cast.olga, kept=kept, merged=ruth)
        pairs = {*PartnerRequest.objects.values_list("asker", "asked")}
        assert pairs == {(other.pk, kept.pk), (kept.pk, other.pk), (None, kept.pk)}
        assert Guest.objects.get().brought_by == kept

    def test_an_answer_of_the_one_who_stays_stays(self, cast: Cast, ruth: Player) -> None:
        tonight = asked(cast)
        kept = PlayerFactory.create(club=cast.club, name="Ruth Ryes")
        Answer.objects.create(competition=tonight, player=kept, reply=Reply.NO, seq=9)
        Client().post(links()[0], {"reply": "yes"})
        merge_players(by=cast.olga, kept=kept, merged=ruth)
        assert Answer.objects.get(player=kept, competition=tonight).reply == Reply.NO


class TestAnotherAddressOfAnAccount:
    def test_ends_links_that_the_former_one_got(self, cast: Cast) -> None:
        Account.objects.filter(pk=cast.paul.pk).update(email=ADDRESS)
        asked(cast)
        answer, stop = links()
        assert Client().get(answer).status_code == 200
        Account.objects.filter(pk=cast.paul.pk).update(email="other@cards.example")
        assert Client().post(answer, {"reply": "no"}).status_code == 410
        assert Client().post(stop).status_code == 404

    def test_ends_what_its_code_opened(self, cast: Cast) -> None:
        Account.objects.filter(pk=cast.paul.pk).update(email=ADDRESS)
        tonight = opened(cast, 0)
        act(cast.olga, tonight, EnterPlayers, players=[cast.paul_plays.pk])
        services.send_passes(by=cast.olga, competition=tonight)
        held = Pass.objects.select_related("player").get()
        assert held.is_good
        Account.objects.filter(pk=cast.paul.pk).update(email="other@cards.example")
        assert not Pass.objects.select_related("player").get().is_good

    def test_ends_the_link_that_stops_a_kind_for_an_account(self, cast: Cast) -> None:
        Account.objects.filter(pk=cast.paul.pk).update(email=ADDRESS)
        cast.paul.refresh_from_db()
        link = f"/account/notices/stop/{token_to_stop(cast.paul, 'your_turn')}/"
        assert Client().get(link).status_code == 200
        Account.objects.filter(pk=cast.paul.pk).update(email="other@cards.example")
        assert Client().post(link).status_code == 404
        assert not EmailChoices.objects.exists()


class TestTwoKiosksAtOnce:
    def test_the_second_sees_what_the_first_has_made(self, cast: Cast, ruth: Player) -> None:
        tonight = opened(cast, 0)
        with CaptureQueriesContext(connection) as asked_of:
            services.make_passes_at_kiosk(competition=tonight, people=[ruth])
        asked = [each["sql"] for each in asked_of]
        locked = next(at for at, sql in enumerate(asked) if "FOR NO KEY UPDATE" in sql)
        assert locked < next(at for at, sql in enumerate(asked) if 'FROM "my_evening_pass"' in sql)


class TestOddTexts:
    @pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
    def test_are_refused_with_a_sentence_everywhere(self, cast: Cast, ruth: Player, odd: str) -> None:
        tonight = asked(cast)
        answer, stop = links()
        open_door(by=cast.olga, competition=tonight)
        asking = open_door(by=cast.olga, competition=tonight)
        door = f"/door/{tonight.pk}/{token_at_door(asking)}/"
        key = "7c2f2f6e-0f5e-4d0b-8d0e-0d2c6f6a1b11"
        forms: list[tuple[str, dict[str, Any]]] = [
            (answer, {"reply": odd}),
            (answer, {"reply": "yes", "wish": odd or "?"}),
            (answer, {"reply": "guest", "guest": odd}),
            (answer, {"request": odd, "agrees": "yes"}),
            (door, {"key": odd, "name": "Ann"}),
            (door, {"key": key, "name": odd}),
            (f"/competitions/{tonight.slug}/my-evening/push/", {"endpoint": odd or "?"}),
            (f"/competitions/{tonight.slug}/my-evening/object/", {"table": odd, "what": odd}),
            ("/account/push/", {"endpoint": odd}),
            (stop, {"again": odd}),
        ]
        codes = {
            (to.partition("?")[0][:12], *form): Client().post(to, form).status_code for to, form in forms
        }
        assert not {each: code for each, code in codes.items() if code >= 500 or code == 200}
        assert Client().post("/enter/", {"code": odd}).status_code in (200, 422)
        for name in Guest.objects.values_list("name", flat=True):
            assert "\u202e" not in name and len(name) <= 100

    @pytest.mark.parametrize("odd", ["%00", "%F0%9F%83%8F", "%E2%80%AE", "x" * 3000, "..%2f"])
    def test_in_the_place_of_a_token_open_nothing(self, cast: Cast, ruth: Player, odd: str) -> None:
        tonight = asked(cast)
        answer, stop = links()
        for link in (answer, stop, f"/door/{tonight.pk}/x/", "/emails/stop/x/", "/account/notices/stop/x/"):
            forged = re.sub(r"[^/]+/$", f"{odd}/", link)
            assert Client().get(forged).status_code in (404, 410), forged
            assert Client().post(forged, {"reply": "yes"}).status_code in (404, 410, 403), forged


class TestWhatPagesTellOthers:
    def test_no_page_of_a_link_is_kept_listed_or_named_to_other_sites(self, cast: Cast, ruth: Player) -> None:
        tonight = asked(cast)
        asking = open_door(by=cast.olga, competition=tonight)
        for link in (*links(), f"/door/{tonight.pk}/{token_at_door(asking)}/", "/enter/"):
            shown = Client().get(link)
            assert "no-store" in shown["Cache-Control"] and shown["Referrer-Policy"] == "same-origin", link
            assert 'name="robots" content="noindex"' in shown.content.decode() or link == "/enter/", link

    def test_a_look_writes_nothing(self, cast: Cast, ruth: Player) -> None:
        tonight = asked(cast)
        asking = open_door(by=cast.olga, competition=tonight)
        kept = links()
        door = f"/door/{tonight.pk}/{token_at_door(asking)}/"
        for link in (*kept, f"{kept[0]}?reply=yes", door, "/enter/", "/account/push/"):
            for look in (Client().get, Client().head):
                with CaptureQueriesContext(connection) as asked_of:
                    look(link)
                writes = [q["sql"] for q in asked_of if re.match("(INSERT|UPDATE|DELETE)", q["sql"])]
                assert writes == [], (link, writes)


class TestLinksOfTheFirstRelease:
    """Those that emails of 0.9.0 had, derived as that version did."""

    def test_still_stop_emails_of_an_account(self, cast: Cast) -> None:
        token = signing.dumps([str(cast.paul.pk), "your_turn"], salt="league.notifications.stop")
        assert Client().post(f"/account/notices/stop/{token}/").status_code == 302
        assert EmailChoices.objects.get().your_turn is False

    def test_still_open_invitations_and_calendars(self, cast: Cast) -> None:
        made = invite(by=cast.olga, club=cast.club, email=ADDRESS, role="player")
        player = cast.paul_plays
        of_calendar = (player.pk, player.account_id, player.calendar_salt)
        for page, purpose, of in (
            (f"/invitations/{made.pk}/{{}}/", "invitation", (made.pk, made.salt)),
            (f"/calendars/{player.pk}/{{}}/player.ics", "calendar", of_calendar),
        ):
            digest = salted_hmac(f"league.{purpose}", "\0".join(map(str, of)), algorithm="sha256").digest()
            token = urlsafe_b64encode(digest).decode().rstrip("=")
            assert Client().get(page.format(token)).status_code == 200, page
