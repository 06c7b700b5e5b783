"""Results that somebody else checks, posted results, and objections until a stated time."""

from datetime import timedelta
from typing import Any

import pytest

from games.engine.refusals import Illegal, Malformed
from games.engine.values import replace
from league.core.state.competition import Competition
from league.core.verb import Given
from league.core.verbs.checking import CheckResult, ScoreOf, SetChecking, unchecked
from league.core.verbs.course import FinishCompetition
from league.core.verbs.entries import SubstitutePlayer, WithdrawEntry
from league.core.verbs.objections import DecideObjection, Object, PostResults, cautions, undecided
from league.core.verbs.results import AwardWalkover
from league.core.verbs.rounds import WithdrawRound
from league.core.verbs.rulings import RuledSeat, SetResult
from league.core.verbs.tables import ReopenTable
from tests.core.crosstable import after, plan, published, started, table_at
from tests.core.deciding import NOW, decide
from tests.core.ids import uid

UNTIL = NOW + timedelta(minutes=30)


def act(state: Competition, verb: Any, now: Any = NOW, **more: Any) -> Competition:
    return after(state, *decide(state, verb, Given(uid("competition"), now, **more)))


def playing(*, checking: bool = True) -> Competition:
    state = published(started("Ann Ben Cem Dana", plan(table_size=2)), "Ann > Ben; Cem > Dana")
    return act(state, SetChecking(required=True)) if checking else state


def table(state: Competition) -> str:
    return table_at(state, "Ann", "Ben").id


def typed(state: Competition, one: int = 12, other: int = 7) -> Competition:
    seats = (RuledSeat(0, one), RuledSeat(1, other))
    return act(state, SetResult(table=table(state), seats=seats, reason="sheet"))


def waiting(state: Competition) -> list[int]:
    return [result.seq for _table, result in unchecked(state)]


def check(state: Competition, result: int = 0, **more: Any) -> CheckResult:
    return CheckResult(table=table(state), result=result or waiting(state)[0], **more)


class TestAResultThatOnePersonEntered:
    def test_needs_nobody_else_unless_the_competition_says_so(self) -> None:
        assert waiting(typed(playing(checking=False))) == []
        assert len(waiting(act(typed(playing(checking=False)), SetChecking(required=True)))) == 1

    def test_is_checked_by_somebody_else_once(self) -> None:
        state = typed(playing())
        verb = check(state)
        checked = act(state, verb)
        assert waiting(checked) == []
        assert act(checked, verb) == checked

    def test_is_not_checked_by_who_entered_it(self) -> None:
        state = typed(playing())
        with pytest.raises(Illegal, match="somebody else"):
            act(state, check(state), wrote=frozenset(waiting(state)))

    def test_that_was_set_again_meanwhile_is_not_checked_by_what_was_seen(self) -> None:
        state = typed(playing())
        seen = check(state)
        with pytest.raises(Illegal, match="changed meanwhile"):
            act(typed(state, 11), seen)

    def test_waits_again_once_it_is_corrected(self) -> None:
        state = typed(playing())
        assert len(waiting(typed(act(state, check(state)), 11))) == 1

    def test_that_is_typed_blind_shows_each_difference(self) -> None:
        state = typed(playing())
        with pytest.raises(Malformed) as refused:
            act(state, check(state, seats=(ScoreOf(0, 12), ScoreOf(1, 8))))
        assert [*refused.value.errors] == ["seats.1.score"]
        assert waiting(act(state, check(state, seats=(ScoreOf(0, 12), ScoreOf(1, 7))))) == []

    def test_counts_at_once_and_is_a_caution_at_the_end(self) -> None:
        state = typed(playing())
        assert state.table(table(state))[2].decided
        assert "1 result is not checked." in [str(each.sentence) for each in cautions(state)]
        assert {each.sentence for each in cautions(state)} <= {
            each.sentence for each in FinishCompetition.cautions(state)
        }


def posted() -> Competition:
    return act(typed(playing(checking=False)), PostResults(until=UNTIL.isoformat()))


def again(hours: int) -> PostResults:
    return PostResults(until=(UNTIL + timedelta(hours=hours)).isoformat())


def typed_other(state: Competition) -> Competition:
    other = table_at(state, "Cem", "Dana").id
    return act(state, SetResult(table=other, seats=(RuledSeat(0, 1), RuledSeat(1, 2)), reason="sheet"))


def objection(state: Competition, entry: str = "Ben", what: str = "I had 9") -> Object:
    return Object(table=table(state), what=what, entry=uid(entry))


class TestAnObjection:
    def test_is_made_until_the_second_before_the_time(self) -> None:
        state = posted()
        last = UNTIL - timedelta(seconds=1)
        assert [each.what for each in act(state, objection(state), last).objections] == ["I had 9"]
        with pytest.raises(Illegal, match="time for objections is over"):
            act(state, objection(state), UNTIL)

    def test_is_not_made_twice(self) -> None:
        state = posted()
        once = act(state, objection(state))
        assert act(once, objection(once)) == once
        with pytest.raises(Illegal, match="already"):
            act(once, objection(once, what="and more"))

    def test_in_the_same_words_is_another_one_once_the_first_is_decided(self) -> None:
        state = act(posted(), objection(posted()))
        number = undecided(state)[0].number
        decided = act(state, DecideObjection(objection=number, decision="dismissed", reason="no"))
        assert len(undecided(act(decided, objection(decided)))) == 1

    def test_of_somebody_else_who_played_is_another_one(self) -> None:
        state = act(posted(), objection(posted()))
        assert len(act(state, objection(state, "Cem", "saw it")).objections) == 2

    def test_needs_results_that_are_posted(self) -> None:
        state = typed(playing(checking=False))
        with pytest.raises(Illegal, match="over"):
            act(state, objection(state))

    def test_to_a_table_that_has_no_result_yet_is_refused(self) -> None:
        state = posted()
        other = Object(table=table_at(state, "Cem", "Dana").id, what="x", entry=uid("Cem"))
        with pytest.raises(Illegal, match="not posted"):
            act(state, other)

    def test_to_what_was_final_before_is_refused_after_the_next_posting(self) -> None:
        state = act(typed_other(posted()), again(1), UNTIL)
        with pytest.raises(Illegal, match="not posted"):
            act(state, objection(state), UNTIL)

    def test_to_a_result_that_was_changed_after_it_was_final_is_made_once_it_is_posted(self) -> None:
        state = act(typed(posted(), 11), again(1), UNTIL)
        assert len(act(state, objection(state), UNTIL).objections) == 1

    def test_to_a_result_that_is_corrected_in_time_is_made_without_another_posting(self) -> None:
        state = typed(posted(), 11)
        assert len(act(state, objection(state)).objections) == 1

    def test_has_more_time_where_results_are_posted_again_before_it_is_over(self) -> None:
        state = act(posted(), again(1))
        assert len(act(state, objection(state), UNTIL).objections) == 1

    def test_is_dismissed_with_a_sentence(self) -> None:
        state = act(posted(), objection(posted()))
        number = undecided(state)[0].number
        done = act(state, DecideObjection(objection=number, decision="dismissed", reason="the sheet says 7"))
        assert (undecided(done), done.objections[0].reason) == ((), "the sheet says 7")

    def test_is_granted_only_once_the_result_is_another(self) -> None:
        state = act(posted(), objection(posted()))
        verb = DecideObjection(objection=undecided(state)[0].number, decision="corrected", reason="9 it is")
        with pytest.raises(Illegal, match="Correct the result"):
            act(state, verb)
        with pytest.raises(Illegal, match="still the same"):
            act(typed(state), verb)
        assert undecided(act(typed(state, 12, 9), verb)) == ()

    def decided(self) -> tuple[Competition, DecideObjection]:
        state = act(posted(), objection(posted()))
        verb = DecideObjection(objection=undecided(state)[0].number, decision="dismissed", reason="no")
        return act(state, verb), verb

    def test_is_decided_once_more_by_who_names_the_decision(self) -> None:
        state, first = self.decided()
        other = replace(first, reason="the sheet says 7")
        with pytest.raises(Illegal, match="decided meanwhile"):
            act(state, other)
        with pytest.raises(Illegal, match="no such decision"):
            act(state, replace(other, instead_of=1))
        again = act(state, replace(other, instead_of=state.objections[0].decided))
        assert again.objections[0].reason == "the sheet says 7"

    def test_stays_as_decided_where_an_earlier_decision_is_sent_again(self) -> None:
        state, first = self.decided()
        second = replace(first, reason="the sheet says 7", instead_of=state.objections[0].decided)
        later = act(state, second)
        assert act(act(later, first), second) == later

    def test_to_a_walkover_is_made_by_who_was_at_the_table(self) -> None:
        state = playing(checking=False)
        walked = act(state, AwardWalkover(table=table(state), entries=(uid("Ann"),)))
        state = act(walked, PostResults(until=UNTIL.isoformat()))
        assert len(act(state, objection(state)).objections) == 1

    def test_to_a_walkover_that_was_reversed_after_it_was_final_is_made_once_it_is_posted(self) -> None:
        state = playing(checking=False)
        state = act(state, AwardWalkover(table=table(state), entries=(uid("Ann"),)))
        state = act(state, PostResults(until=UNTIL.isoformat()))
        state = act(state, AwardWalkover(table=table(state), entries=(uid("Ben"),)), UNTIL)
        state = act(state, again(1), UNTIL)
        assert len(act(state, objection(state, "Ann"), UNTIL).objections) == 1

    def test_is_open_to_who_was_substituted_and_to_who_came(self) -> None:
        state = posted()
        out, into = state.entry(uid("Ben")).players[0], uid("Finn")
        state = act(state, SubstitutePlayer(entry=uid("Ben"), out=out, into=into), players={into: "Finn"})
        for player in (out, into):
            entry = Object.entry_of(state, player)
            assert entry and entry.id == uid("Ben")
            assert Object.open_to_player(state, Given(uid("competition"), NOW, player=player), None)
        assert Object.entry_of(state, uid("somebody")) is None

    def test_is_open_to_who_has_withdrawn_since(self) -> None:
        state = posted()
        gone = act(state, WithdrawEntry(entry=uid("Ben")))
        given = Given(uid("competition"), NOW, player=state.entry(uid("Ben")).players[0])
        assert Object.open_to_player(gone, given, None)


class TestAPosting:
    def test_is_not_cut_short_while_its_time_runs(self) -> None:
        with pytest.raises(Malformed) as refused:
            act(posted(), PostResults(until=(UNTIL - timedelta(minutes=1)).isoformat()))
        assert "extended" in str(refused.value.errors["until"][0])
        assert act(posted(), again(0)).posting is not None

    def test_of_nothing_that_is_not_final_is_refused(self) -> None:
        with pytest.raises(Illegal, match="no results to post"):
            act(posted(), again(1), UNTIL)
        with pytest.raises(Illegal, match="no results to post"):
            act(playing(), again(1))

    def test_offers_players_the_objection_until_its_time(self) -> None:
        state = posted()
        ann = state.entry(uid("Ann"))
        given = [Given(uid("competition"), now, player=ann.players[0]) for now in (NOW, UNTIL)]
        offered = [Object.open_to_player(state, each, ann) for each in given]
        assert offered == [True, False]


def test_a_time_that_has_passed_is_refused() -> None:
    with pytest.raises(Malformed):
        act(typed(playing()), PostResults(until=NOW.isoformat()))


class TestAnObjectionToATableOfAWithdrawnRound:
    def withdrawn(self) -> Competition:
        state = act(posted(), objection(posted()))
        reopened = act(state, ReopenTable(table=table(state), reason="not theirs"))
        return act(reopened, WithdrawRound(reason="a mistake"))

    def test_waits_for_nobody(self) -> None:
        state = self.withdrawn()
        assert (undecided(state), len(state.objections)) == ((), 1)

    @pytest.mark.parametrize("decision", ["corrected", "dismissed"])
    def test_can_be_decided(self, decision: Any) -> None:
        state = self.withdrawn()
        verb = DecideObjection(objection=state.objections[0].number, decision=decision, reason="played anew")
        assert act(state, verb).objections[0].decision == decision
