"""Whatever an organiser does at once, nobody gets two emails of it."""

from typing import Any

import pytest
from django.core import mail

from league.core.verb import Verb
from league.core.verbs.course import CancelCompetition
from league.core.verbs.entries import ExpelEntry, WithdrawEntry
from league.core.verbs.presence import MarkNoShow
from league.core.verbs.results import AwardWalkover, ForfeitEntry, ReplayGame, VoidTable
from league.core.verbs.rounds import CloseRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.tables import OpenTable, ReopenTable
from league.models import Club, Competition
from league.services.notices import choose_notices
from league.services.results import record_result
from tests.factories import Cast
from tests.league.acting import act, act_own
from tests.league.playing import in_play, tables
from tests.league.test_notices import sent, who

LADDER = {"name": "Ladder", "format": "ladder", "rounds": 1, "table_size": 2}
SILENT = (ReplayGame, ReopenTable, WithdrawEntry, CancelCompetition)
"""Acts that decide no table."""


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
    Club.objects.update(quiet="")
    choose_notices(by=cast.paul, result=True)
    competition = in_play(cast, 2, stages=[LADDER])
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


class TestAChallenge:
    def test_is_told_to_the_opponent_with_competition_deadline_and_link(self, cast: Cast) -> None:
        _with_addresses(cast)
        competition = in_play(cast, 2, stages=[{**LADDER, "hours": 72}])
        sent()
        mail.outbox.clear()
        pair = [entry.pk for entry in competition.entries.order_by("number")]
        act_own(cast.paul, competition, "open-table", entries=pair)
        (told,) = sent()
        assert (who([told]), told.subject) == (["petra"], "Paul Pike challenges you: Autumn")
        assert "You sit at table 1 with Paul Pike." in told.body
        assert "The round must be finished by" in told.body
        assert f"/games/{tables(competition)[0].games.get().pk}/" in str(told.body)

    def test_of_an_organiser_is_told_to_both(self, cast: Cast) -> None:
        _with_addresses(cast)
        competition = in_play(cast, 2, stages=[{**LADDER, "hours": 72}])
        sent()
        mail.outbox.clear()
        pair = [entry.pk for entry in competition.entries.order_by("number")]
        act(cast.olga, competition, OpenTable, entries=pair)
        assert who(sent()) == ["paul", "petra"]
        assert mail.outbox[0].subject == "A table is opened for you: Autumn"


def _with_addresses(cast: Cast) -> None:
    for account in (cast.paul, cast.petra):
        account.email = f"{account.username}@cards.example"
        account.save()
    Club.objects.update(quiet="")
