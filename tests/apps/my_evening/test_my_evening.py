"""A person's own evening: what its page shows, who is let in, and what nobody gets from it."""

import json
import re
from collections.abc import Iterator
from datetime import time, timedelta
from io import BytesIO
from typing import Any, Final

import pytest
import time_machine
from django.contrib.messages import get_messages
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pypdf import PdfReader

from games import database_time, log, rules
from games.engine.refusals import Illegal
from league.apps.hall import services as hall
from league.apps.hall.queries import link_to
from league.apps.my_evening import queries, services
from league.apps.my_evening.models import Pass
from league.core.verb import Verb
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import SubstitutePlayer, WithdrawEntry
from league.core.verbs.objections import PostResults
from league.core.verbs.presence import CheckInEntry
from league.core.verbs.rounds import CloseRound
from league.models import Account, Competition, Contact, Email, Player, TableSeat
from league.projections.standings import compute_standings
from league.services.competitions import change_details
from league.services.emails import send_emails
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import finished, in_play, opened, tables
from tests.league.test_admin_scope import logged_in
from tests.rules.high_card_on_paper.scenarios import lines
from tests.toys import TOYS
from tests.web.conftest import record_all

ROUND: Final[dict[str, Any]] = {"type": "round", "round": 1, "lines": lines(1, 0, 0, 0)}
CONFIRM: Final[dict[str, Any]] = {"type": "confirm", "round": 1}


@pytest.fixture(autouse=True)
def _on_paper() -> Iterator[None]:
    with rules.registered(*TOYS):
        yield


@pytest.fixture
def competition(cast: Cast) -> Competition:
    return in_play(cast, 8, ruleset="high-card-on-paper", options={"rounds": 1})


@pytest.fixture
def seats(competition: Competition) -> list[TableSeat]:
    """The seats of the first table."""
    return list(tables(competition)[0].seats.select_related("player").order_by("number"))


def code(cast: Cast, competition: Competition, player: Player) -> str:
    made = services.make_passes(by=cast.olga, competition=competition, people=[player])
    return queries.code_of(made[player.pk])


def opened_by(typed: str) -> Client:
    """A browser in which a code was typed."""
    client = Client()
    answer = client.post("/enter/", {"code": queries.shown(typed).lower()})
    assert answer.status_code == 302, answer.content.decode()
    return client


def evening(client: Client, competition: Competition) -> str:
    answer = client.get(f"/competitions/{competition.slug}/my-evening/")
    return str(answer.content.decode()) if answer.status_code == 200 else str(answer["Location"])


class TestThePage:
    def test_shows_seat_timer_and_announcements(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        hall.start_timer(by=cast.olga, competition=competition, minutes=30)
        hall.announce(by=cast.olga, competition=competition, words="Soup is ready")
        shown = evening(opened_by(code(cast, competition, seats[2].player)), competition)
        assert f"Table {seats[2].table.number}, seat 3" in shown
        assert "until " in shown and "Soup is ready" in shown
        assert all(each.player.name in shown for each in seats)

    def test_shows_no_message_to_another_table(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        own, other = tables(competition)
        for table in (own, other):
            words = f"Cards for {table.number}"
            hall.announce(by=cast.olga, competition=competition, words=words, to="table", table=table.pk)
        shown = evening(opened_by(code(cast, competition, seats[0].player)), competition)
        assert f"Cards for {own.number}" in shown and f"Cards for {other.number}" not in shown

    def test_shows_results_and_rank_once_there_are_any(self, cast: Cast) -> None:
        competition = in_play(cast, 8)
        record_all(competition)
        seat = tables(competition)[0].seats.get(number=0)
        shown = evening(opened_by(code(cast, competition, seat.player)), competition)
        assert "My results" in shown and "Rank " in shown

    def test_shows_no_round_that_is_drawn_and_not_published(self, cast: Cast) -> None:
        competition = in_play(cast, 8)
        record_all(competition)
        act(cast.olga, competition, CloseRound)
        act(cast.olga, competition, DrawRound)
        compute_standings(competition.pk)
        seat = tables(competition)[0].seats.get(number=0)
        browser = opened_by(code(cast, competition, seat.player))
        drawn = browser.get(f"/competitions/{competition.slug}/my-evening/")
        assert "Round 1 is over" in drawn.content.decode()
        act(cast.olga, competition, DrawRound, reason="once more")
        again = browser.get(f"/competitions/{competition.slug}/my-evening/")
        assert drawn["ETag"] == again["ETag"]

    def test_is_not_made_again_while_nothing_changes(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        browser = opened_by(code(cast, competition, seats[0].player))
        address = f"/competitions/{competition.slug}/my-evening/"
        tag = browser.get(address)["ETag"]
        with CaptureQueriesContext(connection) as asked:
            assert browser.get(address, headers={"if-none-match": tag}).status_code == 304
        assert len(asked) <= 6, [each["sql"] for each in asked]
        hall.announce(by=cast.olga, competition=competition, words="Soup is ready")
        assert browser.get(address, headers={"if-none-match": tag}).status_code == 200

    def test_asks_little_of_the_database(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        browser = opened_by(code(cast, competition, seats[0].player))
        with CaptureQueriesContext(connection) as asked:
            evening(browser, competition)
        assert len(asked) <= 24, [each["sql"] for each in asked]

    def test_has_a_way_back_from_every_page_that_it_leads_to(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        phone = opened_by(code(cast, competition, seats[0].player))
        address = f"/competitions/{competition.slug}/my-evening/"
        links = {*re.findall(r'href="(/[^"#?]*)', evening(phone, competition))}
        pages = {each: phone.get(each) for each in links if not each.startswith(("/static/", "/api/"))}
        shown = {each: answer.content.decode() for each, answer in pages.items() if answer.status_code == 200}
        here = {each for each, text in shown.items() if "</html>" in text}
        assert {f"/competitions/{competition.slug}/", "/"} <= here
        back = f'href="{address}">Back to my evening'
        assert [each for each in here if back not in shown[each]] == []
        assert back in phone.get("/enter/").content.decode()
        assert back not in evening(phone, competition)
        assert "Back to my evening" not in Client().get(f"/competitions/{competition.slug}/").content.decode()

    def test_is_an_accounts_own_without_a_code(self, cast: Cast) -> None:
        competition = opened(cast, 0)
        assert cast.paul_plays.name in evening(logged_in(cast.paul), competition)
        assert evening(logged_in(cast.nora), competition) == "/enter/"

    def test_is_linked_on_the_competition_s_page_for_who_has_entered_with_an_account(
        self, cast: Cast, competition: Competition
    ) -> None:
        link, page = f"/competitions/{competition.slug}/my-evening/", f"/competitions/{competition.slug}/"
        assert link in logged_in(cast.paul).get(page).content.decode()
        assert link not in logged_in(cast.nora).get(page).content.decode()


class TestWhoIsLetIn:
    def test_a_link_asks_once_more_and_a_look_at_it_changes_nothing(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        typed, browser = code(cast, competition, seats[0].player), Client()
        assert browser.get("/enter/").status_code == 200
        assert evening(browser, competition) == "/enter/"
        assert typed not in opened_by(typed).session.values()
        assert Pass.objects.get().opened_at

    def test_a_forged_code_is_refused_and_after_many_told_to_stop(
        self, cast: Cast, competition: Competition
    ) -> None:
        tried = range(hall.MOST_OF_CLIENT + 1)
        answers = [Client().post("/enter/", {"code": "K7QD-2M9X-4F3B"}) for _ in tried]
        assert (answers[0].status_code, answers[-1].status_code) == (422, 429)

    def test_a_revoked_code_opens_nothing_and_closes_what_it_opened(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        typed = code(cast, competition, seats[0].player)
        browser = opened_by(typed)
        services.revoke(by=cast.olga, competition=competition, people=[seats[0].player_id])
        assert evening(browser, competition) == "/enter/"
        assert Client().post("/enter/", {"code": typed}).status_code == 422
        assert code(cast, competition, seats[0].player) != typed

    def test_a_code_ends_with_the_evening(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        typed = code(cast, competition, seats[0].player)
        browser = opened_by(typed)
        later = database_time.now() + queries.GOOD_FOR + timedelta(minutes=1)
        with time_machine.travel(later, tick=False):
            assert evening(browser, competition) == "/enter/"
            assert Client().post("/enter/", {"code": typed}).status_code == 422

    def test_the_code_of_one_evening_opens_no_other(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        other = in_play(cast, 4, name="Other")
        assert evening(opened_by(code(cast, competition, seats[0].player)), other) == "/enter/"

    def test_closing_it_forgets_it_on_the_device(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        browser = opened_by(code(cast, competition, seats[0].player))
        browser.post(f"/competitions/{competition.slug}/my-evening/leave/")
        assert evening(browser, competition) == "/enter/"

    def test_a_code_is_stored_nowhere(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        typed = code(cast, competition, seats[0].player)
        stored = Pass.objects.values().get()
        assert typed not in json.dumps(stored, default=str)


class TestScores:
    def test_are_entered_at_the_own_table_and_confirmed_by_another(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        game = seats[0].table.games.get().game
        for seat, move, seq in ((seats[1], ROUND, 2), (seats[2], CONFIRM, 3)):
            browser = opened_by(code(cast, competition, seat.player))
            assert sent(browser, game.pk, move, seq).status_code == 302
        entries = log.entries(game, after=1)
        written = [(each.role, each.seat, each.account) for each in entries]
        assert written == [("code", 1, None), ("code", 2, None)]

    def test_of_another_table_are_out_of_reach(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        other = tables(competition)[1].games.get().game
        browser = opened_by(code(cast, competition, seats[0].player))
        assert sent(browser, other.pk, ROUND, 2).status_code == 422
        assert len(log.entries(other)) == 1

    def test_are_not_entered_with_a_revoked_code(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        game = seats[0].table.games.get().game
        browser = opened_by(code(cast, competition, seats[0].player))
        services.revoke(by=cast.olga, competition=competition)
        sent(browser, game.pk, ROUND, 2)
        assert len(log.entries(game)) == 1

    def test_hidden_cards_stay_hidden(self, cast: Cast) -> None:
        competition = in_play(cast, 4, ruleset="scamper")
        seat = tables(competition)[0].seats.get(number=0)
        game = tables(competition)[0].games.get().game
        browser = opened_by(code(cast, competition, seat.player))
        page = browser.get(f"/games/{game.pk}/").content.decode()
        assert "Your hand" not in page


def sent(client: Client, game: Any, move: dict[str, Any], seq: int) -> Any:
    return client.post(f"/games/{game}/play/", {"seq": seq, "type": move["type"], "offer": json.dumps(move)})


class TestHandingThemOut:
    def test_an_email_brings_the_address_once_to_each_account(self, cast: Cast) -> None:
        competition = opened(cast, 2)
        Account.objects.filter(pk=cast.paul.pk).update(email="paul@cards.example")
        act_entered(cast, competition)
        for _ in range(2):
            services.send_passes(by=cast.olga, competition=competition)
        send_emails()
        (message,) = mail.outbox
        held = Pass.objects.get(player=cast.paul_plays)
        assert f"/enter/#{queries.code_of(held)}" in str(message.body)
        assert queries.code_of(held) not in json.dumps([*Email.objects.values_list("about", flat=True)])

    @pytest.fixture
    def mailed(self, cast: Cast) -> Competition:
        """An evening of Paul, to whose account the link is to be sent."""
        competition = opened(cast, 2)
        Account.objects.filter(pk=cast.paul.pk).update(email="paul@cards.example")
        act_entered(cast, competition)
        return competition

    def test_an_address_that_was_sent_ends_when_the_person_has_another_account(
        self, cast: Cast, mailed: Competition
    ) -> None:
        services.send_passes(by=cast.olga, competition=mailed)
        typed = queries.code_of(Pass.objects.get())
        browser = opened_by(typed)
        Player.objects.filter(account=cast.paul).update(account=cast.nora)
        assert evening(browser, mailed) == "/enter/"
        assert Client().post("/enter/", {"code": typed}).status_code == 422
        assert code(cast, mailed, cast.paul_plays) != typed

    @pytest.mark.parametrize("account", [True, False])
    def test_an_address_that_was_sent_without_an_account_ends_with_the_one_it_went_to(
        self, cast: Cast, mailed: Competition, *, account: bool
    ) -> None:
        Player.objects.filter(account=cast.paul).update(account=None)
        Contact.objects.create(player=cast.paul_plays, email="wrong@cards.example")
        services.send_passes(by=cast.olga, competition=mailed)
        browser = opened_by(queries.code_of(Pass.objects.get()))
        Contact.objects.update(phone="0123")
        assert evening(browser, mailed) != "/enter/"
        if account:
            Player.objects.filter(pk=cast.paul_plays.pk).update(account=cast.nora)
        else:
            Contact.objects.update(email="right@cards.example")
        assert evening(browser, mailed) == "/enter/"
        assert "wrong@cards.example" not in str([*Pass.objects.values()])

    def test_an_address_on_a_slip_stays_good_when_the_person_gets_an_account(
        self, cast: Cast, mailed: Competition
    ) -> None:
        typed = code(cast, mailed, cast.paul_plays)
        Player.objects.filter(account=cast.paul).update(account=cast.nora)
        assert evening(opened_by(typed), mailed) != "/enter/"

    def test_an_email_that_waits_is_dropped_once_its_account_is_not_the_persons(
        self, cast: Cast, mailed: Competition
    ) -> None:
        services.send_passes(by=cast.olga, competition=mailed)
        Player.objects.filter(account=cast.paul).update(account=None)
        send_emails()
        assert mail.outbox == []

    def test_an_email_goes_to_the_address_that_the_club_keeps_of_who_has_no_account(self, cast: Cast) -> None:
        competition = opened(cast, 2)
        Player.objects.filter(club=cast.club).update(account=None)
        for entry in competition.entries.all():
            player = entry.members.get().player
            Contact.objects.create(player=player, email=f"{player.pk}@cards.example")
        gone = Player.objects.filter(contact__isnull=False).earliest("pk")
        assert services.send_passes(by=cast.olga, competition=competition) == 2
        Player.objects.filter(pk=gone.pk).update(active=False)
        send_emails()
        (message,) = mail.outbox
        held = Pass.objects.exclude(player=gone).get()
        assert message.to == [f"{held.player_id}@cards.example"]
        assert queries.shown(queries.code_of(held)) in str(message.body)

    def test_slips_have_a_name_and_a_code_each(self, cast: Cast, competition: Competition) -> None:
        answer = desk(cast, competition, do="print")
        assert "no-store" in answer["Cache-Control"]
        page = PdfReader(BytesIO(answer.getvalue())).pages[0].extract_text()
        held = Pass.objects.select_related("player")
        assert held.count() == 8
        assert all(each.player.name in page and queries.shown(queries.code_of(each)) in page for each in held)

    def test_a_code_is_good_for_the_evening_at_its_new_time(self, cast: Cast) -> None:
        held, today = opened(cast, 4), database_time.now().date()
        begins = {"begins_on": today + timedelta(days=3), "begins_at": time(19)}
        change_details(by=cast.olga, competition=held, values=begins)
        first, other = Player.objects.filter(entered__entry__competition=held)[:2]
        typed = code(cast, held, first)
        later = {"begins_on": today + timedelta(days=40), "ends_on": today + timedelta(days=41)}
        change_details(by=cast.olga, competition=held, values=later)
        assert queries.good_until(Competition.objects.get()) == Pass.objects.get().expires_at
        with time_machine.travel(database_time.now() + timedelta(days=41), tick=False):
            assert "my-evening" in opened_by(typed).get(f"/competitions/{held.slug}/").content.decode()
            services.revoke(by=cast.olga, competition=held)
            code(cast, held, other)

    def test_codes_are_good_and_made_while_objections_are_taken(self, cast: Cast) -> None:
        held = finished(cast, 4)
        first, other = Player.objects.filter(entered__entry__competition=held)[:2]
        with pytest.raises(Illegal):
            code(cast, held, first)
        start = database_time.now()
        act(cast.olga, held, PostResults, until=start + timedelta(hours=1))
        typed = code(cast, held, first)
        act(cast.olga, held, PostResults, until=start + timedelta(days=3))
        with time_machine.travel(start + timedelta(days=2), tick=False):
            assert "What is wrong" in evening(opened_by(typed), held)
            code(cast, held, other)
        with time_machine.travel(start + timedelta(days=4), tick=False), pytest.raises(Illegal):
            code(cast, held, other)

    def test_slips_wait_for_an_address_that_phones_reach(
        self, cast: Cast, competition: Competition, settings: Any
    ) -> None:
        settings.SITE_URL, settings.ALLOWED_HOSTS = "http://127.0.0.1:8000", ["127.0.0.1"]
        client, here = logged_in(cast.olga), {"host": "127.0.0.1"}
        address = f"/admin/league/competition/{competition.pk}/evenings/"
        asked = client.post(address, {"do": "print"}, headers=here)
        assert "At which address do phones reach this site?" in asked.content.decode()
        assert not Pass.objects.exists()
        form = {"do": "print", "address": "http://192.168.1.20"}
        pdf = client.post(address, form, headers=here).getvalue()
        assert "192.168.1.20/enter/" in PdfReader(BytesIO(pdf)).pages[0].extract_text()

    def test_the_desk_shows_and_ends_the_code_of_one_person(
        self, cast: Cast, competition: Competition, seats: list[TableSeat]
    ) -> None:
        player = str(seats[0].player_id)
        shown = desk(cast, competition, do="show", player=player).content.decode()
        assert queries.shown(queries.code_of(Pass.objects.get())) in shown
        desk(cast, competition, do="end", player=player, sure="1")
        assert not queries.passes_of(competition)

    def test_the_desk_asks_before_it_ends_all_codes(self, cast: Cast, seats: list[TableSeat]) -> None:
        competition = seats[0].table.round.stage.competition
        desk(cast, competition, do="show", player=str(seats[0].player_id))
        assert "Everybody needs a new one." in desk(cast, competition, do="end-all").content.decode()
        assert queries.passes_of(competition)
        desk(cast, competition, do="end-all", sure="1")
        assert not queries.passes_of(competition)

    @pytest.mark.parametrize("left", [WithdrawEntry, SubstitutePlayer])
    def test_the_desk_ends_the_code_of_who_was_replaced_or_withdrawn(
        self, cast: Cast, left: type[Verb]
    ) -> None:
        competition = opened(cast, 4)
        entry = competition.entries.get(number=1)
        player = entry.members.get().player
        typed = code(cast, competition, player)
        stays = code(cast, competition, competition.entries.get(number=2).members.get().player)
        other = PlayerFactory.create(club=cast.club, name="Una New")
        more: Any = {} if left is WithdrawEntry else {"out": str(player.pk), "into": str(other.pk)}
        act(cast.olga, competition, left, entry=str(entry.pk), **more)
        page = logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/evenings/")
        assert f'End the code<span class="tf-spoken"> ({player.name})' in page.content.decode()
        desk(cast, competition, do="end", player=str(player.pk), sure="1")
        answers = [Client().post("/enter/", {"code": each}).status_code for each in (typed, stays)]
        assert answers == [422, 302]

    @pytest.mark.parametrize("player", ["", "9a6c4146-a4b2-4e3c-b1a1-cf681b665edf", "nobody"])
    def test_the_desk_says_so_where_there_is_no_code_to_end(
        self, cast: Cast, competition: Competition, player: str
    ) -> None:
        told = desk(cast, competition, do="end", player=player, sure="1")
        (message,) = get_messages(told.wsgi_request)
        assert str(message) == "There is no code to end."

    def test_is_no_matter_of_players(self, cast: Cast, competition: Competition) -> None:
        address = f"/admin/league/competition/{competition.pk}/evenings/"
        assert logged_in(cast.paul).post(address, {"do": "print"}).status_code in (302, 403, 404)
        with pytest.raises(PermissionDenied):
            services.make_passes(by=cast.paul, competition=competition, people=[cast.paul_plays])
        assert not Pass.objects.exists()

    def test_a_kiosk_shows_a_code_once_after_check_in(self, cast: Cast) -> None:
        competition = opened(cast, 2, entering={"check_in": True})
        entry = competition.entries.get(number=1)
        kiosk = Client()
        kiosk.post(link_to(hall.make_kiosk(by=cast.olga, competition=competition, name="Door")))
        address = f"/competitions/{competition.slug}/my-evening/code/{entry.pk}/"
        assert kiosk.post(address).status_code == 404
        act(cast.olga, competition, CheckInEntry, entry=str(entry.pk))
        answers = [client.post(address).content.decode() for client in (kiosk, kiosk)]
        typed = queries.shown(queries.code_of(Pass.objects.get()))
        assert typed in answers[0] and typed not in answers[1]
        assert "testserver/enter/" in answers[0]
        assert Client().post(address).status_code == 403


def act_entered(cast: Cast, competition: Competition) -> None:
    act(cast.olga, competition, EnterPlayers, players=[cast.paul_plays.pk])


def desk(cast: Cast, competition: Competition, **form: str) -> Any:
    return logged_in(cast.olga).post(f"/admin/league/competition/{competition.pk}/evenings/", form)
