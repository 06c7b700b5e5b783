"""Challenges of a ladder that wait for an answer: who answers, in what time, and what it costs not to."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from games.engine.refusals import Illegal, Malformed
from games.engine.values import replace
from league.core import formats, verifier
from league.core.events import read, write
from league.core.plans import check_plan
from league.core.state.challenges import Challenge, waiting
from league.core.state.competition import Competition
from league.core.state.plan import Placing
from league.core.verb import Given, Verb
from league.core.verbs.answers import (
    AcceptChallenge,
    ChallengeLapsed,
    ChallengeRefused,
    LapseChallenges,
    RefuseChallenge,
    WithdrawChallenge,
    untimely,
)
from league.core.verbs.challenges import MakeChallenge, ReopenChallenge
from league.core.verbs.course import CancelCompetition, PauseCompetition, ResumeCompetition
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.presence import MarkAbsent
from league.core.verbs.results import VoidTable
from league.core.verbs.rounds import CloseRound, ReopenRound, WithdrawRound
from league.core.verbs.tables import OpenTable
from tests.core.crosstable import after, result
from tests.core.deciding import NOW, decide
from tests.core.formats.test_open_play import ladder, played, rungs
from tests.core.ids import uid

DAY = timedelta(days=1)
LATE = NOW + 3 * DAY
"""When the time of a challenge made at `NOW` is over: two days, up to a full hour."""


def begun(**params: Any) -> Competition:
    """A ladder of Ann, Ben, Cem and Dana in which who is challenged has two days."""
    return ladder(3, 1, **{"answer_days": 2, **params})


def act(state: Competition, verb: Verb, at: datetime = NOW, by: str = "") -> Competition:
    """The state after a verb of an organiser, or of a player."""
    given = Given(uid("competition"), at)
    if by:
        known = {player: "x" for entry in state.entries for player in entry.players}
        given = replace(given, role="player", player=uid(f"player {by}"), players=known)
    return after(state, *decide(state, verb, given))


def challenged(state: Competition, by: str, entry: str, at: datetime = NOW) -> Competition:
    return act(state, MakeChallenge(uid(by), uid(entry)), at)


def last(state: Competition) -> Challenge:
    return state.challenges[-1]


def test_the_same_two_challenge_each_other_again_after_the_days_that_are_stated() -> None:
    state = challenged(begun(again_days=7), "Dana", "Ben")
    state = act(state, RefuseChallenge(last(state).number))
    for at, left in ((NOW, 7), (NOW + 5 * DAY, 2)):
        with pytest.raises(Illegal, match=f"again in {left} days"):
            challenged(state, "Ben", "Dana", at)
    assert len(challenged(state, "Cem", "Ben").challenges) == 2
    assert last(challenged(state, "Ben", "Dana", NOW + 7 * DAY)).status == "open"


def test_a_challenge_that_was_withdrawn_keeps_nobody_from_another() -> None:
    state = challenged(begun(again_days=7), "Dana", "Ben")
    state = act(state, WithdrawChallenge(last(state).number))
    assert last(challenged(state, "Dana", "Ben")).status == "open"


def lapsed(state: Competition, at: datetime = LATE) -> Competition:
    given = Given(uid("competition"), at, "system")
    return after(state, *decide(state, LapseChallenges(), given))


class TestWhatItCosts:
    """Dana is on rung 4, Cem on 3, Ben on 2, Ann on 1."""

    CASES = {
        "nothing": ("nothing", "Dana", "Ben", "Ann Ben Cem Dana"),
        "both change rungs": ("lost", "Dana", "Ben", "Ann Dana Cem Ben"),
        "one rung": ("drop", "Dana", "Ben", "Ann Cem Ben Dana"),
        "one rung, to the challenger": ("drop", "Dana", "Cem", "Ann Ben Dana Cem"),
        "nothing to one from above": ("lost", "Ben", "Dana", "Ann Ben Cem Dana"),
        "no drop for one from above": ("drop", "Ben", "Cem", "Ann Ben Cem Dana"),
    }

    @pytest.mark.parametrize(("costs", "by", "entry", "order"), CASES.values(), ids=CASES)
    def test_to_refuse(self, costs: str, by: str, entry: str, order: str) -> None:
        state = challenged(begun(refused=costs), by, entry)
        state = act(state, RefuseChallenge(last(state).number), by=entry)
        assert (rungs(state), last(state).status) == (order.split(), "refused")

    @pytest.mark.parametrize(("costs", "by", "entry", "order"), CASES.values(), ids=CASES)
    def test_not_to_answer(self, costs: str, by: str, entry: str, order: str) -> None:
        state = lapsed(challenged(begun(lapsed=costs), by, entry))
        assert (rungs(state), last(state).status) == (order.split(), "lapsed")

    def test_free_refusals_come_first_and_a_lapse_is_never_free(self) -> None:
        state = begun(refused="drop", lapsed="drop", free_refusals=1)
        for by, order in (("Dana", "Ann Ben Cem Dana"), ("Cem", "Ann Cem Ben Dana")):
            state = challenged(state, by, "Ben")
            state = act(state, RefuseChallenge(last(state).number), by="Ben")
            assert rungs(state) == order.split()
        assert rungs(lapsed(challenged(state, "Dana", "Cem"))) == ["Ann", "Ben", "Cem", "Dana"]

    def test_who_drops_passes_by_who_has_left(self) -> None:
        state = act(begun(refused="drop"), WithdrawEntry(uid("Cem"), "Moved away"))
        state = challenged(state, "Dana", "Ben")
        assert rungs(act(state, RefuseChallenge(last(state).number)))[:3] == ["Ann", "Dana", "Ben"]

    def test_later_results_count_from_there_and_a_correction_before_it_moves_it_along(self) -> None:
        state = challenged(begun(refused="lost"), "Dana", "Ann")
        state = act(state, RefuseChallenge(last(state).number))
        assert rungs(played(state, "Ben > Dana")) == ["Ben", "Dana", "Cem", "Ann"]

    def test_the_standings_say_why(self) -> None:
        state = challenged(begun(refused="lost"), "Dana", "Ben")
        state = act(state, RefuseChallenge(last(state).number))
        stage = state.stage_numbered(1)
        words = formats.of(stage.plan).reached(state, stage, 1)[uid("Ben")].words
        assert words == "Rung 4, since a challenge in round 1 that was not accepted"

    def test_an_event_with_other_costs_is_refused(self) -> None:
        state = challenged(begun(refused="drop"), "Dana", "Ben")
        two = (last(state).number, uid("Dana"), uid("Ben"))
        for event in (ChallengeRefused(*two, "lost"), ChallengeLapsed(*two, "drop")):
            with pytest.raises(Illegal, match="costs something else"):
                after(state, event)


class TestAnAnswer:
    def test_a_table_opens_once_a_challenge_is_accepted_and_a_win_takes_the_rung(self) -> None:
        state = challenged(begun(), "Dana", "Ben")
        assert not list(state.tables())
        state = act(state, AcceptChallenge(last(state).number), by="Ben")
        ((_, _, table),) = state.tables()
        assert (table.entries, last(state).table) == ((uid("Ben"), uid("Dana")), table.id)
        won = replace(result(table, "Ben > Dana"), seats=(Placing(0, 2, 0), Placing(1, 1, 1)))
        assert rungs(after(state, won)) == ["Ann", "Dana", "Cem", "Ben"]

    def test_the_table_of_a_challenge_stands_when_rungs_have_moved_apart_since(self) -> None:
        state = challenged(begun(reach=1), "Dana", "Cem")
        state = played(state, "Cem > Ben", "Cem > Ann")
        state = act(state, AcceptChallenge(last(state).number), by="Cem")
        assert last(state).status == "accepted"

    ANSWERS = {
        "accept": (AcceptChallenge, "Ben", "Dana"),
        "refuse": (RefuseChallenge, "Ben", "Dana"),
        "withdraw": (WithdrawChallenge, "Dana", "Ben"),
    }

    @pytest.mark.parametrize(("verb", "who", "other"), ANSWERS.values(), ids=ANSWERS)
    def test_only_whose_it_is_and_once(self, verb: Any, who: str, other: str) -> None:
        state = challenged(begun(), "Dana", "Ben")
        said = verb(last(state).number)
        for stranger in (other, "Ann"):
            with pytest.raises(Illegal, match="not yours"):
                act(state, said, by=stranger)
        once = act(state, said, by=who)
        assert act(once, said, by=who) == once
        for another in {AcceptChallenge, RefuseChallenge, WithdrawChallenge} - {verb}:
            with pytest.raises(Illegal, match="not open any more"):
                act(once, another(last(once).number))

    def test_players_answer_in_time_organisers_until_the_clock_has_said_so(self) -> None:
        state = challenged(begun(), "Dana", "Ben")
        for verb in (AcceptChallenge, RefuseChallenge):
            with pytest.raises(Illegal, match="time to answer is over"):
                act(state, verb(last(state).number), LATE, by="Ben")
            assert last(act(state, verb(last(state).number), LATE)).status != "open"
        assert lapsed(state, LATE - DAY - timedelta(seconds=1)) == state
        with pytest.raises(Illegal, match="not open any more"):
            act(lapsed(state), AcceptChallenge(last(state).number), LATE)

    def test_who_is_away_does_not_accept_but_can_refuse(self) -> None:
        state = act(challenged(begun(), "Dana", "Ben"), MarkAbsent(uid("Ben")))
        with pytest.raises(Illegal, match="Missing from this round"):
            act(state, AcceptChallenge(last(state).number), by="Ben")
        assert last(act(state, RefuseChallenge(last(state).number), by="Ben")).status == "refused"


class TestWhoMayChallenge:
    REFUSED = {
        "the same again from the other side": ("Ben", "Dana", "open already"),
        "oneself": ("Ann", "Ann", "against itself"),
        "too far up": ("Dana", "Ann", "at most 2 apart"),
    }

    @pytest.mark.parametrize(("by", "entry", "why"), REFUSED.values(), ids=REFUSED)
    def test_not(self, by: str, entry: str, why: str) -> None:
        with pytest.raises(Illegal, match=why):
            challenged(challenged(begun(reach=2), "Dana", "Ben"), by, entry)

    def test_the_same_challenge_again_changes_nothing(self) -> None:
        state = challenged(begun(), "Dana", "Ben")
        assert challenged(state, "Dana", "Ben", NOW + DAY) == state

    def test_not_whom_one_plays_already_nor_a_table_while_a_challenge_is_open(self) -> None:
        state = challenged(begun(), "Dana", "Ben")
        with pytest.raises(Illegal, match="waits for an answer"):
            act(state, OpenTable((uid("Ben"), uid("Dana"))))
        state = act(state, AcceptChallenge(last(state).number))
        with pytest.raises(Illegal, match="play each other already, at table 1"):
            challenged(state, "Ben", "Dana")
        ((_, _, table),) = state.tables()
        assert last(challenged(act(state, VoidTable(table.id, "Ill")), "Dana", "Ben")).status == "open"

    def test_not_more_at_once_than_the_stage_allows(self) -> None:
        state = challenged(begun(open_challenges=1), "Dana", "Ben")
        with pytest.raises(Illegal, match="has 1 challenge open already"):
            challenged(state, "Dana", "Ann")
        assert len(waiting(challenged(state, "Ann", "Dana").challenges)) == 2
        state = act(state, WithdrawChallenge(last(state).number), by="Dana")
        assert last(challenged(state, "Dana", "Ann")).entry == uid("Ann")

    def test_players_open_no_tables_where_challenges_are_answered(self) -> None:
        with pytest.raises(Illegal, match="answers first"):
            act(begun(), OpenTable((uid("Ann"), uid("Ben"))), by="Ann")
        with pytest.raises(Illegal, match="no challenge waits"):
            challenged(ladder(), "Ann", "Ben")


class TestTheEndOfAChallenge:
    ENDS = {
        "the challenged leaves": (WithdrawEntry(uid("Ben"), "Ill"), uid("Ben")),
        "the challenger leaves": (WithdrawEntry(uid("Dana"), "Ill"), uid("Dana")),
        "the round is closed": (CloseRound(), ""),
        "the competition is cancelled": (CancelCompetition("Flood"), ""),
    }

    @pytest.mark.parametrize(("verb", "left"), ENDS.values(), ids=ENDS)
    def test_it_ends_with_what_it_is_about_and_costs_nothing(self, verb: Verb, left: str) -> None:
        state = act(challenged(begun(lapsed="lost"), "Dana", "Ben"), verb)
        assert (last(state).status, last(state).costs) == ("ended", "nothing")
        assert last(state).left == left
        assert lapsed(state) == state

    def test_it_stays_ended_when_the_round_is_reopened_and_is_gone_with_a_withdrawn_round(self) -> None:
        state = challenged(begun(), "Dana", "Ben")
        again = act(act(state, CloseRound()), ReopenRound("Too early"))
        assert last(again).status == "ended"
        assert act(state, WithdrawRound("Too early")).challenges == ()

    def test_what_would_lapse_after_the_round_ends_with_it(self) -> None:
        state = challenged(begun(lapsed="lost"), "Dana", "Ben")
        stage = state.stage_numbered(1)
        soon = replace(stage.rounds[0], deadline="2026-09-02T18:00:00Z")
        state = replace(state, stages=(replace(stage, rounds=(soon,)),))
        assert lapsed(state) == state
        with pytest.raises(Illegal, match="time for this round is over"):
            act(state, AcceptChallenge(last(state).number), NOW + DAY)

    def test_a_pause_stops_the_clock_and_who_is_challenged_has_the_whole_time_after_it(self) -> None:
        state = act(challenged(begun(lapsed="lost"), "Dana", "Ben"), PauseCompetition())
        assert lapsed(state) == state
        state = act(state, ResumeCompetition(), LATE)
        assert lapsed(state, LATE + DAY) == state
        assert last(lapsed(state, LATE + 3 * DAY)).status == "lapsed"


class TestWaitingAgain:
    def test_a_lapse_taken_back_gives_the_rung_back(self) -> None:
        state = lapsed(challenged(begun(lapsed="lost"), "Dana", "Ben"))
        state = act(state, ReopenChallenge(last(state).number, "The mail never came"), LATE)
        assert (rungs(state), last(state).status) == (["Ann", "Ben", "Cem", "Dana"], "open")
        assert last(act(state, AcceptChallenge(last(state).number), LATE + DAY, by="Ben")).table

    def test_not_once_accepted_nor_while_the_same_two_have_another(self) -> None:
        state = challenged(begun(), "Dana", "Ben")
        first = last(state).number
        state = challenged(act(state, RefuseChallenge(first)), "Ben", "Dana")
        with pytest.raises(Illegal, match="open already"):
            act(state, ReopenChallenge(first))
        state = act(state, AcceptChallenge(last(state).number))
        with pytest.raises(Illegal, match="void it instead"):
            act(state, ReopenChallenge(last(state).number))


def test_the_verifier_knows_when_an_answer_was_too_late_and_a_lapse_too_early() -> None:
    state = challenged(begun(), "Dana", "Ben")
    number, two = last(state).number, (uid("Dana"), uid("Ben"))
    refused, lapse = ChallengeRefused(number, *two), ChallengeLapsed(number, *two)
    assert untimely(refused, "player", state, LATE) == "the time to answer was over"
    assert untimely(lapse, "system", state, NOW) == "the time to answer was not over"
    in_time = (
        untimely(refused, "player", state, NOW),
        untimely(refused, "organiser", state, LATE),
        untimely(lapse, "system", state, LATE),
    )
    assert in_time == ("", "", "")


def test_the_events_come_back_from_the_log_and_verify() -> None:
    state = challenged(begun(refused="drop"), "Dana", "Ben")
    given = Given(uid("competition"), NOW)
    for verb in (AcceptChallenge(last(state).number), RefuseChallenge(last(state).number)):
        events = decide(state, verb, given)
        assert [read(write(event)) for event in events] == [*events]
        assert verifier.verdict(state, events[-1]) in (None, "given", "different")


def test_answers_need_tables_for_two() -> None:
    state = begun()
    fours = replace(state.plans[0], table_size=4)
    with pytest.raises(Malformed, match="only where tables are for two"):
        check_plan(replace(state.opening, seats=(2, 3, 4)), fours, None)


def test_the_rules_say_it_in_sentences_and_nothing_where_tables_open_at_once() -> None:
    plan = begun(refused="drop", lapsed="lost", free_refusals=2, open_challenges=1).plans[0]
    told = " ".join(formats.of(plan).rules(plan))
    for sentence in (
        "Who is challenged has 2 days to answer. A table opens once they accept.",
        "Who refuses drops one rung. The first 2 refusals of each are free.",
        "Who does not answer in time counts as beaten: both change rungs.",
        "A challenge from above costs nothing, whatever the answer.",
        "At most 1 challenge of each may wait for an answer.",
    ):
        assert sentence in told
    assert "answer" not in " ".join(formats.of(ladder().plans[0]).rules(ladder().plans[0]))


@pytest.mark.parametrize("edition", [1, 2])
def test_earlier_editions_know_no_answers(edition: int) -> None:
    with pytest.raises(Illegal, match="not known here"):
        ladder(edition, answer_days=1)
