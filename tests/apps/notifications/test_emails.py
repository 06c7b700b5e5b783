"""Emails to players: sent once, outside quiet hours, and only the kinds that they have chosen."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from games.engine.refusals import Illegal
from games.models import Game
from league import hooks
from league.apps.notifications import services, tasks
from league.apps.notifications.queries import token_to_stop, wanting
from league.apps.notifications.services import choose_emails, write_reminders
from league.callers import ByAccount
from league.core.verb import Verb
from league.core.verbs.draw import DrawRound
from league.core.verbs.results import ResultRecorded, VoidTable
from league.core.verbs.rounds import CloseRound, PublishRound, WithdrawRound
from league.core.verbs.rulings import SetResult
from league.models import Account, Club, Email, Round
from league.services.automatic import record_result
from league.services.play import make_move
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, opened, play_all, tables
from tests.league.test_emails import sent, who


@pytest.fixture(autouse=True)
def _addresses(cast: Cast) -> None:
    """Paul and Petra and Olga can get mails, at any hour."""
    for account in (cast.paul, cast.petra, cast.olga):
        account.email = f"{account.username}@cards.example"
        account.save()


@pytest.fixture
def night() -> Iterator[datetime]:
    """An hour at which the club sleeps: 23:30 in Dublin, in summer."""
    Club.objects.update(quiet="22:00-07:00")
    at = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)
    with time_machine.travel(at, tick=False):
        yield at


def waiting(cast: Cast, minutes: int = 11, **clock: Any) -> Game:
    """Return a game of Paul and Petra that has waited for Paul so long."""
    players = [cast.paul_plays.pk, cast.petra_plays.pk]
    game = cast.game("tally", players=players)
    since = timezone.now() - timedelta(minutes=minutes)
    Game.objects.filter(pk=game.pk).update(since=[since, None], awaited=[0], **clock)
    game.refresh_from_db()
    return game


class TestAWithdrawnRound:
    def test_is_told_to_those_who_were_told_of_it(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        assert {message.subject for message in sent()} == {"Round 1 of Autumn"}
        act(cast.olga, competition, WithdrawRound, reason="the wrong draw")
        told = sent()[2:]
        assert {message.subject for message in told} == {"Round 1 of Autumn is withdrawn"}
        assert "Reason: the wrong draw" in told[0].body
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, PublishRound)
        assert len(sent()) == 6

    def test_is_not_told_to_those_who_have_not_heard_of_it(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        act(cast.olga, competition, WithdrawRound, reason="the wrong draw")
        assert sent() == []
        assert {*Email.objects.values_list("status", flat=True)} == {"dropped"}


class TestAPublishedRound:
    def test_is_sent_to_its_players_with_table_and_link(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        (paul,) = [message for message in sent() if message.to == ["paul@cards.example"]]
        assert paul.subject == "Round 1 of Autumn"
        assert "You sit at table 1 with Petra Plum." in paul.body
        assert f"/games/{tables(competition)[0].games.get().pk}/" in str(paul.body)
        assert who(sent()) == ["paul", "petra"]

    def test_is_sent_once(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        its_round = tables(competition)[0].round
        services._write_round(competition, its_round)
        assert len(sent()) == len(sent()) == 2

    def test_is_sent_as_text_and_html(self, cast: Cast) -> None:
        in_play(cast, 2, name="Cards & <b>Coffee</b>")
        message = sent()[0]
        html = str(message.alternatives[0][0])
        assert "Cards & <b>Coffee</b>" in message.body
        assert "Cards &amp; &lt;b&gt;Coffee&lt;/b&gt;" in html
        assert "<b>" not in html

    def test_has_the_text_of_the_club(self, cast: Cast) -> None:
        Club.objects.update(mail_note="We meet above the chandler’s.")
        in_play(cast, 2)
        assert "We meet above the chandler’s." in sent()[0].body

    def test_is_not_sent_if_the_round_is_over_by_then(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        for game in play_all(competition):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound)
        assert sent() == []
        assert {*Email.objects.values_list("status", flat=True)} == {"dropped"}

    def test_without_a_draw_sends_nothing(self, cast: Cast) -> None:
        with pytest.raises(Illegal):
            act(cast.olga, opened(cast, 2), PublishRound)
        assert not Email.objects.exists()


class TestYourTurn:
    def test_is_sent_once_per_turn_after_ten_minutes(self, cast: Cast) -> None:
        game = waiting(cast, minutes=9)
        tasks.remind()
        assert sent() == []
        Game.objects.filter(pk=game.pk).update(since=[timezone.now() - timedelta(minutes=11), None])
        for _ in range(3):
            tasks.remind()
        assert who(sent()) == ["paul"]
        assert f"/games/{game.pk}/" in str(mail.outbox[0].body)

    def test_is_sent_again_at_the_next_turn(self, cast: Cast) -> None:
        game = waiting(cast, minutes=30)
        tasks.remind()
        sent()
        Game.objects.filter(pk=game.pk).update(since=[timezone.now() - timedelta(minutes=12), None])
        tasks.remind()
        assert who(sent()) == ["paul", "paul"]

    def test_is_not_sent_to_players_who_have_moved(self, cast: Cast) -> None:
        game = waiting(cast)
        tasks.remind()
        Game.objects.filter(pk=game.pk).update(since=[None, timezone.now()], awaited=[1])
        assert sent() == []

    def test_is_not_sent_for_a_finished_game(self, cast: Cast) -> None:
        game = waiting(cast)
        tasks.remind()
        make_move(ByAccount(cast.petra), game_id=game.pk, seq=2, move={"type": "resign"})
        assert sent() == []


class TestAReminder:
    def test_is_sent_as_early_as_the_clock_says(self, cast: Cast) -> None:
        clock = {"move": 86400, "reminder": 7200}
        game = waiting(cast, minutes=21 * 60, clock=clock, deadline=timezone.now() + timedelta(hours=3))
        write_reminders()
        assert sent() == []
        since = timezone.now() - timedelta(hours=22, minutes=30)
        Game.objects.filter(pk=game.pk).update(since=[since, None], opened_at=since)
        for _ in range(2):
            write_reminders()
        assert [message.subject.partition(" by ")[0] for message in sent()] == ["Your move is due"]

    def test_is_sent_to_everyone_at_the_table_before_the_deadline(self, cast: Cast) -> None:
        for account in (cast.paul, cast.petra):
            choose_emails(by=account, round_published=False, your_turn=False)
        in_play(cast, 2)
        ends = timezone.now() + timedelta(hours=1)
        Round.objects.update(deadline=ends)
        Game.objects.update(opened_at=ends - timedelta(days=3))
        write_reminders()
        assert who(sent()) == ["paul", "petra"]
        local = ends.astimezone(cast.club.zone)
        assert mail.outbox[0].subject == f"Your table must be finished by {local:%-d %b %Y, %H:%M %Z}"

    def test_of_a_changed_deadline_is_not_sent(self, cast: Cast) -> None:
        in_play(cast, 2)
        ends = timezone.now() + timedelta(hours=1)
        Round.objects.update(deadline=ends)
        Game.objects.update(opened_at=ends - timedelta(days=3))
        write_reminders()
        Round.objects.update(deadline=ends + timedelta(days=1))
        assert [message.subject for message in sent() if "is to be played" in message.subject] == []

    def test_is_not_sent_if_the_clock_has_no_reminder(self, cast: Cast) -> None:
        waiting(cast, minutes=1430, clock={"move": 86400}, deadline=timezone.now() + timedelta(minutes=10))
        write_reminders()
        assert not Email.objects.exists()

    def test_that_comes_before_the_night_is_the_only_one_until_a_move(self, cast: Cast) -> None:
        Club.objects.update(quiet="22:00-07:00")
        evening = datetime(2026, 7, 1, 21, 0, 5, tzinfo=UTC)  # 22:00 in Dublin
        since, clock = evening - timedelta(hours=17), {"move": 86400, "reminder": 3600}
        with time_machine.travel(evening, tick=False):
            game = waiting(cast, clock=clock, deadline=since + timedelta(days=1))
            Game.objects.filter(pk=game.pk).update(since=[since, None], opened_at=since)
            tasks.remind()
            assert [each.subject.partition(" by ")[0] for each in sent()] == ["Your move is due"]
        with time_machine.travel(evening + timedelta(hours=10), tick=False):
            tasks.remind()
            assert len(sent()) == 1


class TestAResult:
    @pytest.mark.parametrize("verb", [SetResult, VoidTable])
    def test_of_a_ruling_or_a_void_with_an_open_game_is_sent_once(self, cast: Cast, verb: type[Verb]) -> None:
        choose_emails(by=cast.paul, result=True, round_published=False)
        choose_emails(by=cast.petra, round_published=False)
        competition = in_play(cast, 2)
        (table,) = tables(competition)
        fields: dict[str, Any] = {"seats": [{"seat": at, "score": at} for at in (0, 1)]}
        fields = fields if verb is SetResult else {}
        act(cast.olga, competition, verb, table=table.pk, reason="a wrong pack", **fields)
        record_result(game_id=table.games.get().pk)
        assert who(sent()) == ["paul"]

    def test_is_sent_to_players_who_have_asked_for_it(self, cast: Cast) -> None:
        choose_emails(by=cast.paul, result=True, round_published=False)
        choose_emails(by=cast.petra, round_published=False)
        competition = in_play(cast, 2)
        for game in play_all(competition):
            record_result(game_id=game)
        (message,) = sent()
        assert (message.to, message.subject) == (["paul@cards.example"], "Autumn: round 1, table 1")
        assert re.search(r"1\. P\w+ P\w+ \(1\)\n2\. P\w+ P\w+ \(0\)", str(message.body))

    def test_is_sent_with_headers_that_apps_add(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(hooks, "RESULT_HEADERS", [dict, lambda: {"X-Beside": "12 leaves"}])
        choose_emails(by=cast.paul, result=True, round_published=False)
        for game in play_all(in_play(cast, 2)):
            record_result(game_id=game)
        (message,) = (each for each in sent() if each.to == ["paul@cards.example"])
        assert message.message()["X-Beside"] == "12 leaves"
        assert "leaves" not in str(message.body)

    def test_set_by_an_organiser_is_sent_again(self, cast: Cast) -> None:
        choose_emails(by=cast.paul, result=True, round_published=False)
        competition = in_play(cast, 2)
        for game in play_all(competition):
            record_result(game_id=game)
        table = tables(competition)[0]
        seats = [{"seat": 0, "rank": 1, "score": 9}, {"seat": 1, "rank": 2, "score": 1}]
        act(cast.olga, competition, SetResult, table=table.pk, seats=seats, reason="miscount")
        to_paul = [message.body for message in sent() if message.to == ["paul@cards.example"]]
        assert len(to_paul) == 2
        assert "An organiser has set the result of your table" in to_paul[-1]

    def test_is_told_where_no_webhook_is_declared(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ResultRecorded, "announces", "")
        choose_emails(by=cast.paul, result=True, round_published=False)
        choose_emails(by=cast.petra, round_published=False)
        competition = in_play(cast, 2)
        for game in play_all(competition):
            record_result(game_id=game)
        assert who(sent()) == ["paul"]


class TestNoEmailIsSent:
    def test_to_an_account_without_address_or_access(self, cast: Cast) -> None:
        Account.objects.filter(pk=cast.paul.pk).update(email="")
        Account.objects.filter(pk=cast.petra.pk).update(is_active=False)
        in_play(cast, 2)
        assert sent() == []

    def test_after_turning_the_emails_off(self, cast: Cast) -> None:
        in_play(cast, 2)
        choose_emails(by=cast.paul, round_published=False)
        assert who(sent()) == ["petra"]

    def test_during_quiet_hours(self, cast: Cast, night: datetime) -> None:
        in_play(cast, 2)
        assert sent() == []
        morning = Email.objects.earliest("next_at").next_at
        assert morning == datetime(2026, 7, 2, 6, 0, tzinfo=UTC)

    def test_to_the_address_of_another_player(self, cast: Cast) -> None:
        in_play(cast, 2)
        for message in sent():
            others = {"paul@cards.example", "petra@cards.example", "olga@cards.example"} - {*message.to}
            whole = str(message.message())
            assert [address for address in others if address in whole] == []
            assert len(message.to) == 1


class TestUnsubscribeLink:
    def test_is_in_every_optional_email_and_works_without_a_login(self, cast: Cast, client: Any) -> None:
        in_play(cast, 2)
        message = next(each for each in sent() if each.to == ["paul@cards.example"])
        headers = message.extra_headers
        assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        path = re.sub(r"^<https?://[^/]+|>$", "", str(headers["List-Unsubscribe"]))
        assert path in message.body
        assert "is published or withdrawn, or a table is opened for me" in client.get(path).content.decode()
        assert wanting("round_published").filter(pk=cast.paul.pk).exists()
        client.post(path, {"List-Unsubscribe": "One-Click"})
        assert not wanting("round_published").filter(pk=cast.paul.pk).exists()
        assert wanting("your_turn").filter(pk=cast.paul.pk).exists()

    def test_that_was_manipulated_is_refused(self, cast: Cast, client: Any) -> None:
        token = token_to_stop(cast.paul, "your_turn")
        assert client.post(f"/account/notices/stop/{token}x/").status_code == 404
        assert wanting("your_turn").filter(pk=cast.paul.pk).exists()


def test_the_search_for_turns_has_a_bounded_number_of_queries(
    cast: Cast, django_assert_max_num_queries: Any
) -> None:
    for _ in range(20):
        waiting(cast)
    for each in (20, 20):
        with django_assert_max_num_queries(16):
            tasks.remind()
        assert Email.objects.count() == each


def test_settings_that_nobody_knows_keep_nobody_from_being_told(cast: Cast) -> None:
    Club.objects.update(timezone="odd", quiet="odd")
    in_play(cast, 2)
    tasks.remind()
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        assert who(sent()) == ["paul", "petra"]
