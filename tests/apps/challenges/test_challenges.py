"""Who is told of a challenge: emails, the page that their link opens, my evening, and a page."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.utils import timezone
from django.utils.timezone import localtime

from games import database_time
from league import log, tasks
from league.apps.challenges.queries import token_of
from league.apps.my_evening.queries import code_of
from league.apps.my_evening.services import make_passes
from league.apps.notifications import push
from league.core.verbs.challenges import MakeChallenge
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.rounds import CloseRound
from league.models import Club, Competition, Contact, Player
from league.queries.own_tables import opened_for
from league.queries.verbs import own_part
from league.services import emails
from league.words.times import point_in_time
from tests.factories import Cast
from tests.league.acting import act, act_own
from tests.league.playing import in_play, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_challenges import STAGE, challenged, ladder
from tests.league.test_desk_verbs import ask, kinds, page_text
from tests.league.test_entries import pair
from tests.web.conftest import _nothing_remembered

__all__ = ["_nothing_remembered"]


def written() -> list[Any]:
    """Send the emails that are due; return those of now."""
    mail.outbox.clear()
    with time_machine.travel(database_time.now() + timedelta(seconds=1), tick=False):
        emails.send_emails()
    return [*mail.outbox]


def addressed(*players: Player) -> None:
    """Give players' accounts an address."""
    for player in players:
        assert player.account
        player.account.email = f"{player.account.username}@cards.example"
        player.account.save()


def link_in(message: Any) -> str:
    (found,) = re.findall(r"https?://[^/\s]+(/challenge/\S+)", str(message.body))
    return str(found)


@pytest.fixture
def asked(cast: Cast) -> tuple[Competition, str]:
    """A ladder on which Petra challenges Paul, who has an address, and the path of the link in his email."""
    addressed(cast.paul_plays, cast.petra_plays)
    competition, _number = challenged(cast)
    (message,) = written()
    assert message.subject == "Challenge: Petra Plum against Paul Pike, " + competition.name
    assert message.to == ["paul@cards.example"] and "drops one rung" in str(message.body)
    return competition, link_in(message)


def test_the_email_ends_with_the_text_of_the_club(cast: Cast) -> None:
    Club.objects.update(mail_note="We meet above the chandler’s.")
    addressed(cast.paul_plays)
    challenged(cast)
    (message,) = written()
    assert "We meet above the chandler’s." in str(message.body)


class TestTheLink:
    def test_asks_and_writes_only_when_it_is_sent(
        self, asked: tuple[Competition, str], client: Client
    ) -> None:
        competition, link = asked
        page = page_text(client.get(link))
        assert "Challenge: Petra Plum against Paul Pike" in page and 'value="accept"' in page
        assert tables(competition) == []
        for _ in range(2):
            done = page_text(client.post(link, {"answer": "accept"}, follow=True))
            assert "The challenge: accepted." in done and "/games/" in done
        assert len(tables(competition)) == 1
        event = competition.events.get(event__type="challenge_accepted")
        assert (event.role, event.account) == ("player", None)

    def test_refuses_and_the_challenger_is_told(self, asked: tuple[Competition, str], client: Client) -> None:
        _competition, link = asked
        client.post(link, {"answer": "refuse"})
        (message,) = written()
        assert message.to == ["petra@cards.example"]
        assert message.subject.startswith("The challenge of Petra Plum to Paul Pike is refused")
        assert "It costs Paul Pike one rung." in str(message.body)
        assert client.post(link, {"answer": "accept"}).status_code == 422

    def test_of_an_accepted_one_the_challenger_is_told_as_of_a_table(
        self, asked: tuple[Competition, str], cast: Cast
    ) -> None:
        competition, _link = asked
        act_own(cast.paul, competition, "accept-challenge", challenge=competition.seq)
        (message,) = written()
        assert message.to == ["petra@cards.example"]
        assert message.subject == f"The challenge is accepted: {competition.name}"
        assert [asks for _own, _game, asks in opened_for([cast.petra.pk])] == [False]

    def test_is_good_for_its_reader_alone(
        self, asked: tuple[Competition, str], cast: Cast, client: Client
    ) -> None:
        competition, link = asked
        assert client.get(f"{link[:-2]}x/").status_code == 404
        of_petra = token_of(competition, competition.seq, cast.petra_plays)
        other = f"/challenge/{competition.pk}/{competition.seq}/{cast.petra_plays.pk}/{of_petra}/"
        assert client.post(other, {"answer": "accept"}).status_code == 422
        cast.paul.email = "else@cards.example"
        cast.paul.save()
        assert client.post(link, {"answer": "accept"}).status_code == 404
        assert kinds(competition)[-1] == "challenged"

    def test_reaches_who_has_no_account_at_the_address_that_the_club_keeps(
        self, cast: Cast, client: Client
    ) -> None:
        competition = ladder(cast)
        Player.objects.filter(pk=cast.paul_plays.pk).update(account=None)
        Contact.objects.create(player=cast.paul_plays, email="paul@home.example")
        challenged(cast, competition)
        (message,) = written()
        assert message.to == ["paul@home.example"]
        client.post(link_in(message), {"answer": "accept"})
        assert len(tables(competition)) == 1


def test_an_email_of_a_challenge_that_was_answered_meanwhile_is_not_sent(cast: Cast) -> None:
    addressed(cast.paul_plays)
    competition, number = challenged(cast)
    act_own(cast.petra, competition, "withdraw-challenge", challenge=number)
    assert [message.subject.split(":")[0] for message in written()] == [
        "The challenge of Petra Plum to Paul Pike is withdrawn"
    ]


def test_both_are_told_of_a_lapse(cast: Cast) -> None:
    addressed(cast.paul_plays, cast.petra_plays)
    competition, _ = challenged(cast)
    written()
    with time_machine.travel(database_time.now() + timedelta(days=4), tick=False):
        tasks.lapse_challenges(str(competition.pk))
        told = written()
    assert {to for message in told for to in message.to} == {"paul@cards.example", "petra@cards.example"}
    assert all("It counts as lost: both change rungs." in str(message.body) for message in told)


def test_the_browser_of_who_is_challenged_is_told(asked: tuple[Competition, str], cast: Cast) -> None:
    news = push.last_news(cast.paul)
    assert news and news[1] == "challenge"
    assert push.last_news(cast.petra) is None


def test_my_evening_asks_without_an_account_and_answers(cast: Cast, client: Client) -> None:
    competition, number = challenged(cast)
    made = make_passes(by=cast.olga, competition=competition, people=[cast.paul_plays, cast.petra_plays])
    client.post("/enter/", {"code": code_of(made[cast.paul_plays.pk])})
    address = f"/competitions/{competition.slug}/my-evening/"
    assert "Challenge: Petra Plum against Paul Pike, to be answered by" in page_text(client.get(address))
    other = Client()
    other.post("/enter/", {"code": code_of(made[cast.petra_plays.pk])})
    other.post(f"{address}challenge/", {"challenge": number, "answer": "accept"})
    assert tables(competition) == []
    sent = client.post(f"{address}challenge/", {"challenge": number, "answer": "accept"}, follow=True)
    assert "Your answer is written down." in page_text(sent) and "Table 1, seat 1" in page_text(sent)


def test_my_evening_refuses_an_answer_to_no_challenge(cast: Cast, client: Client) -> None:
    competition, _number = challenged(cast)
    made = make_passes(by=cast.olga, competition=competition, people=[cast.paul_plays])
    client.post("/enter/", {"code": code_of(made[cast.paul_plays.pk])})
    address = f"/competitions/{competition.slug}/my-evening/challenge/"
    for number, told in (("9" * 5000, "Enter a whole number."), ("77", "There is no such challenge.")):
        sent = client.post(address, {"challenge": number, "answer": "accept"}, follow=True)
        assert told in page_text(sent)


def test_the_page_of_the_competition_shows_open_challenges(cast: Cast) -> None:
    competition, number = challenged(cast)
    address, paul = f"/competitions/{competition.slug}/", logged_in(cast.paul)
    until = log.latest(competition).challenges[0].until
    told = "<strong>Petra Plum</strong> against <strong>Paul Pike</strong>"
    (listed,) = re.findall(rf"{told}(.*?)</li>", page_text(paul.get(address)))
    assert "to be answered by" in listed and f'datetime="{until[:16]}' in listed
    act_own(cast.petra, competition, "withdraw-challenge", challenge=number)
    page = page_text(paul.get(address))
    assert "Open challenges" not in page and "Challenge: Petra Plum against Paul Pike (withdrawn)" in page


class TestTheEndOfItsRound:
    @pytest.fixture
    def asked(self, cast: Cast) -> Competition:
        """A ladder on which Petra challenges Paul, both of whom have an address and were told."""
        addressed(cast.paul_plays, cast.petra_plays)
        competition, _number = challenged(cast)
        written()
        return competition

    @pytest.mark.parametrize("verb", ["close-round", "cancel", "withdraw-round"])
    def test_is_asked_with_the_open_challenges_that_end(
        self, asked: Competition, cast: Cast, verb: str
    ) -> None:
        page = page_text(ask(logged_in(cast.olga), asked, verb))
        assert "1 open challenge ends, and costs nothing: Petra Plum – Paul Pike." in page

    @pytest.mark.parametrize("verb", ["withdraw", "expel"])
    def test_is_named_before_one_of_the_two_leaves(self, asked: Competition, cast: Cast, verb: str) -> None:
        olga, paul = logged_in(cast.olga), pair(asked, 1)[0]
        told = "Open challenges of who leaves end, and cost nothing. Open are: Petra Plum – Paul Pike."
        assert told in page_text(ask(olga, asked, verb))
        page = f"/admin/league/competition/{asked.pk}/do/{verb}/"
        sent = {"_preview": "1", "entries": [paul], "entry": paul, "reason": "Ill"}
        ends = "1 open challenge ends, and costs nothing: Petra Plum – Paul Pike."
        assert ends in page_text(olga.post(page, sent))
        other = pair(asked, 3)[0]
        assert ends not in page_text(olga.post(page, {**sent, "entries": [other], "entry": other}))

    def test_is_named_to_a_player_before_they_leave(self, asked: Competition, cast: Cast) -> None:
        page = page_text(logged_in(cast.petra).get(f"/competitions/{asked.slug}/"))
        assert "1 open challenge ends, and costs nothing: Petra Plum – Paul Pike." in page

    def test_that_is_not_asked_about_others(self, asked: Competition, cast: Cast) -> None:
        olga = logged_in(cast.olga)
        assert "open challenge ends" not in page_text(ask(olga, asked, "pause"))
        act_own(cast.paul, asked, "refuse-challenge", challenge=asked.seq)
        assert "open challenge ends" not in page_text(ask(olga, asked, "close-round"))

    def test_is_told_to_both_and_on_the_page(self, asked: Competition, cast: Cast) -> None:
        act(cast.olga, asked, CloseRound)
        told = written()
        assert {to for message in told for to in message.to} == {"paul@cards.example", "petra@cards.example"}
        for message in told:
            assert message.subject == f"The challenge of Petra Plum to Paul Pike has ended: {asked.name}"
            assert "Its round is over. Nobody’s rung changes." in message.body
        page = page_text(Client().get(f"/competitions/{asked.slug}/"))
        assert "Challenge: Petra Plum against Paul Pike (ended with its round)" in page

    def test_is_told_of_each_of_several(self, asked: Competition, cast: Cast) -> None:
        by, entry = pair(asked, 3, 2)
        act(cast.olga, asked, MakeChallenge, entry=by, opponent=entry)
        written()
        act(cast.olga, asked, CloseRound)
        subjects = {message.subject.split(":")[0] for message in written()}
        assert len(subjects) == 2 and all("has ended" in each for each in subjects)

    def test_names_who_has_left(self, asked: Competition, cast: Cast) -> None:
        act(cast.olga, asked, WithdrawEntry, entry=pair(asked, 1)[0], reason="Ill")
        assert any(
            "No longer taking part: Paul Pike. Nobody’s rung changes." in message.body
            for message in written()
        )
        page = page_text(logged_in(cast.petra).get(f"/competitions/{asked.slug}/"))
        assert "Challenge: Petra Plum against Paul Pike (ended with the withdrawal of Paul Pike)" in page


class TestARoundThatEndsBeforeTheTimeToAnswer:
    @pytest.fixture
    def asked(self, cast: Cast) -> tuple[Competition, str]:
        """A ladder whose round lasts two days, on which Petra challenges Paul; when the round ends."""
        addressed(cast.paul_plays)
        competition, _number = challenged(cast, in_play(cast, 4, stages=[{**STAGE, "hours": 48}]))
        current = log.latest(competition).current_round
        assert current and current.deadline
        return competition, current.deadline

    def test_is_told_wherever_the_challenge_is(
        self, asked: tuple[Competition, str], cast: Cast, client: Client
    ) -> None:
        competition, ends = asked
        address = f"/competitions/{competition.slug}/"
        (message,) = written()
        with timezone.override(cast.club.timezone):
            by = point_in_time(localtime(datetime.fromisoformat(ends)))
        assert by in message.body
        assert ends[:16] in page_text(client.get(link_in(message)))
        (listed,) = re.findall(r"<strong>Petra Plum</strong> against.*?</li>", page_text(client.get(address)))
        assert ends[:16] in listed
        evening = page_text(logged_in(cast.paul).get(f"{address}my-evening/"))
        assert f"Challenge: Petra Plum against Paul Pike, to be answered by {by}" in evening

    def test_ends_the_time_for_answers(self, asked: tuple[Competition, str], cast: Cast) -> None:
        competition, ends = asked
        assert "accept-challenge" in own_part(cast.paul, competition).may
        with time_machine.travel(datetime.fromisoformat(ends), tick=False):
            assert "accept-challenge" not in own_part(cast.paul, competition).may
            assert "withdraw-challenge" in own_part(cast.petra, competition).may
