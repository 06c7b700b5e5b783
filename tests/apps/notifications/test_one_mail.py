"""Whatever an organiser does at once, nobody gets two emails of it."""

from typing import Any

import pytest
from django.core import mail

from league.apps.notifications.services import choose_emails
from league.core.verb import Verb
from league.core.verbs.course import CancelCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import ExpelEntry, ReturnEntry, WithdrawEntry
from league.core.verbs.presence import MarkNoShow
from league.core.verbs.results import AwardWalkover, ForfeitEntry, ReplayGame, VoidTable
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.tables import OpenTable, ReopenTable
from league.models import Competition
from league.queries.events import events_of
from league.services.automatic import record_result
from league.words.event_text import event_lines
from tests.factories import Cast
from tests.league.acting import act, act_own
from tests.league.playing import PLAN, in_play, moved, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_emails import sent, who

LADDER = {"name": "Ladder", "format": "ladder", "rounds": 1, "table_size": 2}
SILENT = (ReplayGame, ReopenTable, WithdrawEntry)
"""Acts that decide no table and cancel nothing."""


def record_all_over(competition: Competition) -> None:
    """Record the results of all games that are over, as the worker does."""
    for place in competition.games.exclude(game__status="active"):
        record_result(game_id=place.pk)


@pytest.mark.parametrize(
    ("verb", "fields"),
    [
        (SetResult, {"table": 0, "seats": [{"seat": at, "score": at} for at in (0, 1)]}),
        (VoidTable, {"table": 0}),
        (MarkNoShow, {"table": 1, "entry": 1}),
        (ForfeitEntry, {"table": 1, "entry": 1}),
        (AwardWalkover, {"table": 1, "entries": 0}),
        (ReplayGame, {"table": 0}),
        (ReopenTable, {"table": 2}),
        (CloseRound, {"void_undecided": "late"}),
        (ExpelEntry, {"entry": 1}),
        (ExpelEntry, {"entry": 1, "annul": True}),
        (WithdrawEntry, {"entry": 1}),
        (CancelCompetition, {}),
    ],
)
def test_one_act_is_one_mail_to_each_person(cast: Cast, verb: type[Verb], fields: dict[str, Any]) -> None:
    """Paul plays Petra at three tables, two of them undecided, and hears once of whatever is done."""
    cast.paul.email = "paul@cards.example"
    cast.paul.save()
    choose_emails(by=cast.paul, result=True)
    competition = in_play(cast, 2, stages=[{**LADDER, "intake": {"seeding": "order"}}])
    pair = [entry.pk for entry in competition.entries.order_by("number")]
    for key in "abc":
        act(cast.olga, competition, OpenTable, entries=pair, key=key)
    at = [table.pk for table in tables(competition)]
    act(cast.olga, competition, VoidTable, table=at[2], reason="a wrong pack")
    record_all_over(competition)
    sent()
    mail.outbox.clear()
    named: dict[str, Any] = {"table": at, "entry": pair, "entries": [[pair[0]]]}
    given = {name: named[name][value] if name in named else value for name, value in fields.items()}
    given |= {} if verb is CloseRound else {"reason": "x"}
    act(cast.olga, competition, verb, **given)
    record_all_over(competition)
    told = sent()
    assert who(told) == ["paul"] * (verb not in SILENT)
    assert verb is not CloseRound or told[0].subject == "Autumn: 2 tables"


@pytest.mark.parametrize("ruleset", ["tally", "scoops-scorecard"])
def test_who_resigned_is_said_wherever_the_result_is(cast: Cast, ruleset: str) -> None:
    cast.paul.email = "paul@cards.example"
    cast.paul.save()
    choose_emails(by=cast.paul, result=True)
    competition = in_play(cast, 2, ruleset=ruleset, stages=[{**PLAN, "table_size": 2}])
    (table,) = tables(competition)
    paul = table.seats.get(player=cast.paul_plays)
    moved(table.games.get().game, paul.number, {"type": "resign"})
    record_all_over(competition)
    competition.refresh_from_db()
    said = event_lines([*events_of(competition).filter(event__type="result_recorded")])[0].sentence
    assert "2nd (0, resigned)" in said and said.count("resigned") == 1
    assert "2. Paul Pike (0): resigned" in sent()[-1].body
    client, api = logged_in(cast.olga), f"/api/v1/competitions/{competition.pk}"
    seats = client.get(f"{api}/tables/").json()["results"][0]["seats"]
    assert [each["outcome"] for each in seats if each["outcome"]] == ["resigned"]
    for page in ("rounds/", "live/", "results.csv"):
        address = f"{api}/{page}" if "." in page else f"/competitions/{competition.slug}/{page}"
        assert client.get(address).content.decode().count("resigned") == 1, page
    assert tables(competition)[0].status_in_words() == "played"


def test_the_same_result_with_another_reason_is_in_the_log_and_no_mail(cast: Cast) -> None:
    _with_addresses(cast)
    choose_emails(by=cast.paul, result=True)
    competition, seats = in_play(cast, 2), [{"seat": at, "score": at} for at in (0, 1)]
    sent()
    mail.outbox.clear()
    for reason in ("", "both agree", "both agree"):
        act(cast.olga, competition, SetResult, table=tables(competition)[0].pk, seats=seats, reason=reason)
    record_all_over(competition)
    assert who(sent()).count("paul") == 1
    rulings = [each for each in events_of(competition, withheld=True) if each.event["type"] == "ruled"]
    (again, _first) = event_lines(rulings)
    assert "the result is set: " in again.sentence and again.sentence.endswith("(both agree).")


class TestAChallenge:
    def test_is_told_to_the_opponent_with_competition_deadline_and_link(self, cast: Cast) -> None:
        _with_addresses(cast)
        competition = in_play(cast, 2, stages=[{**LADDER, "hours": 72}])
        sent()
        mail.outbox.clear()
        pair = [entry.pk for entry in competition.entries.order_by("number")]
        act_own(cast.paul, competition, "open-table", entries=pair)
        (told,) = sent()
        assert (who([told]), told.subject) == (["petra"], "A challenge by Paul Pike: Autumn")
        assert "You sit at table 1 with Paul Pike." in told.body
        assert "The round must be finished by" in told.body
        assert f"/games/{tables(competition)[0].games.get().pk}/" in str(told.body)

    def test_counts_as_waiting_only_for_whom_its_game_awaits(self, cast: Cast) -> None:
        competition = in_play(cast, 2, stages=[{**LADDER, "hours": 72}])
        pair = [competition.entries.get(name=name).pk for name in ("Paul Pike", "Petra Plum")]
        act_own(cast.paul, competition, "open-table", entries=pair)
        page = logged_in(cast.petra).get("/tables/mine/").content.decode()
        assert tables(competition)[0].games.get().game.awaited == [0]
        assert 'data-waiting="0"' in page and "You are challenged" in page and "Paul Pike is to move" in page

    def test_of_an_organiser_is_told_to_both(self, cast: Cast) -> None:
        _with_addresses(cast)
        competition = in_play(cast, 2, stages=[{**LADDER, "hours": 72}])
        sent()
        mail.outbox.clear()
        pair = [entry.pk for entry in competition.entries.order_by("number")]
        act(cast.olga, competition, OpenTable, entries=pair)
        assert who(sent()) == ["paul", "petra"]
        assert mail.outbox[0].subject == "A table is opened for you: Autumn"

    def test_that_sends_no_email_is_said_to_who_challenges_and_on_the_desk(self, cast: Cast) -> None:
        _with_addresses(cast)
        cast.petra.email = ""
        cast.petra.save()
        competition = in_play(cast, 2, stages=[LADDER])
        petra, paul = competition.entries.get(name="Petra Plum"), logged_in(cast.paul)
        given = {"open-table-key": "k", "open-table-with1": str(petra.pk)}
        page = paul.post(f"/competitions/{competition.slug}/me/open-table/", given, follow=True)
        assert "The table is open. Petra Plum gets no email about it" in page.content.decode()
        desk = logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/change/")
        assert "No email about it: Petra Plum" in desk.content.decode()

    def test_is_known_to_a_challenger_without_an_address_who_can_not_challenge_twice(
        self, cast: Cast
    ) -> None:
        _with_addresses(cast)
        cast.paul.email = ""
        cast.paul.save()
        competition = in_play(cast, 2, stages=[LADDER])
        petra, paul = competition.entries.get(name="Petra Plum"), logged_in(cast.paul)
        given = {"open-table-key": "k", "open-table-with1": str(petra.pk)}
        page = paul.post(f"/competitions/{competition.slug}/me/open-table/", given, follow=True)
        assert "gets no email" not in page.content.decode()
        assert f'<option value="{petra.pk}">' not in page.content.decode()
        desk = logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/change/")
        assert "No email about it" not in desk.content.decode()

    def test_that_is_mailed_is_not_said_to_be_unknown(self, cast: Cast) -> None:
        _with_addresses(cast)
        competition = in_play(cast, 2, stages=[LADDER])
        petra, paul = competition.entries.get(name="Petra Plum"), logged_in(cast.paul)
        given = {"open-table-key": "k", "open-table-with1": str(petra.pk)}
        page = paul.post(f"/competitions/{competition.slug}/me/open-table/", given, follow=True)
        assert "gets no email" not in page.content.decode()
        desk = logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/change/")
        assert "No email about it" not in desk.content.decode()


class TestARung:
    """Paul, Petra and a third are on rungs 1, 2 and 3; Paul and Petra want to hear of results."""

    def test_that_an_organiser_changes_is_told_to_whoever_holds_it(self, cast: Cast) -> None:
        competition = _three_on_a_ladder(cast)
        paul = competition.entries.get(name="Paul Pike")
        act(cast.olga, competition, WithdrawEntry, entry=paul.pk)
        gone, told = sorted(sent(), key=lambda each: each.to)
        assert (who([told]), told.subject) == (["petra"], "Autumn: your rung is now 1")
        assert "After an organiser’s decision your rung is 1 (2 before)." in told.body
        assert (who([gone]), gone.subject) == (["paul"], "Autumn: Withdrawn: Paul Pike.")
        assert "Withdrawn: Paul Pike." in told.body and "your rung" not in gone.body

    def test_that_a_return_moves_or_brings_is_told_with_the_cause_in_a_later_round_too(
        self, cast: Cast
    ) -> None:
        competition = _three_on_a_ladder(cast, rounds=2)
        paul = competition.entries.get(name="Paul Pike")
        act(cast.olga, competition, WithdrawEntry, entry=paul.pk)
        for verb in (CloseRound, DrawRound, PublishRound):
            act(cast.olga, competition, verb)
        _forget()
        act(cast.olga, competition, ReturnEntry, entry=paul.pk)
        told = sorted(sent(), key=lambda each: each.to)
        assert [mail.subject for mail in told] == [f"Autumn: your rung is now {rung}" for rung in (1, 2)]
        assert all("Playing again, with the rung that" in mail.body for mail in told)
        assert "your rung is 2 (1 before)" in told[1].body and "before" not in told[0].body

    def test_that_an_earlier_table_changes_is_told_in_the_mail_of_that_table(self, cast: Cast) -> None:
        competition = _three_on_a_ladder(cast)
        paul, petra, third = (entry.pk for entry in competition.entries.order_by("number"))
        for key, pair in enumerate(([paul, third], [petra, third])):
            act(cast.olga, competition, OpenTable, entries=pair, key=str(key))
            at = tables(competition)[-1].pk
            won = [{"seat": seat, "score": int(seat != key)} for seat in (0, 1)]
            act(cast.olga, competition, SetResult, table=at, seats=won, reason="x")
        _forget()
        act(cast.olga, competition, VoidTable, table=tables(competition)[0].pk, reason="a wrong pack")
        by_name = {who([told])[0]: told for told in sent()}
        assert by_name["petra"].subject == "Autumn: your rung is now 2"
        assert "your rung is 1 (3 before)" in by_name["paul"].body
        assert "Your table does not count." in by_name["paul"].body
        assert len(by_name) == len(sent())

    def test_that_players_change_by_a_game_or_by_leaving_is_no_news_of_its_own(self, cast: Cast) -> None:
        competition = _three_on_a_ladder(cast)
        act_own(cast.paul, competition, "withdraw")
        assert sent() == []


def _three_on_a_ladder(cast: Cast, rounds: int = 1) -> Competition:
    _with_addresses(cast)
    for account in (cast.paul, cast.petra):
        choose_emails(by=account, result=True)
    competition = in_play(cast, 3, stages=[{**LADDER, "rounds": rounds, "intake": {"seeding": "order"}}])
    _forget()
    return competition


def _forget() -> None:
    sent()
    mail.outbox.clear()


def _with_addresses(cast: Cast) -> None:
    for account in (cast.paul, cast.petra):
        account.email = f"{account.username}@cards.example"
        account.save()
