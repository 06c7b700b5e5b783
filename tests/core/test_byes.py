"""Byes on request and credit for late entries: who can have one, and what they earn and count as."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import pytest

from games.engine.refusals import Illegal, Malformed
from league.core import plans, scoring
from league.core.standings import ranking
from league.core.standings.outlook import outlook
from league.core.state.competition import Competition
from league.core.state.plan import Scoring, StagePlan
from league.core.verb import Verb
from league.core.verbs.byes import ByeRequested, RequestBye
from league.core.verbs.draw import DiscardDraw
from league.core.verbs.presence import Absent, MarkAbsent, MarkPresent
from league.core.verbs.rounds import WithdrawRound
from tests.core import deciding as commands
from tests.core.crosstable import (
    after,
    enter,
    entered,
    opening,
    plan,
    played,
    points,
    published,
    row_of,
    seated,
    started,
)
from tests.core.ids import uid

ANN: Final = uid("Ann")
WINS: Final = Scoring(by="win")
CHESS: Final = {"format": "swiss", "table_size": 2, "rounds": 4, "scoring": WINS}


def chess(**changes: Any) -> StagePlan:
    """Four rounds of duels, a point for a win, with byes on request."""
    return plan(**{**CHESS, "requested_byes": 2, **changes})


def done(state: Competition, *verbs: Verb) -> Competition:
    for verb in verbs:
        state = after(state, *commands.decide(state, verb))
    return state


def ask(number: int | None = None, who: str = "Ann") -> RequestBye:
    return RequestBye(uid(who), number)


def lines(state: Competition, who: str) -> Sequence[tuple[int, str, str]]:
    """The rounds of an entry: number, kind and points."""
    record = scoring.records(state, state.stages[-1])[uid(who)]
    return [(line.round, line.kind, str(line.points)) for line in record.lines]


def notes(state: Competition, who: str) -> Sequence[str]:
    return [str(note) for note in row_of(state, who).notes]


# ---- Who can have one ----------------------------------------------------------------------------

FOUR: Final = "Ann Ben Cem Dana"
PAIRS: Final = "Cem > Dana; Eve > Finn"


@pytest.mark.parametrize(
    ("state", "verbs", "why"),
    [
        (started(FOUR, plan()), [ask()], "Nobody can ask for a bye in this stage."),
        (started(FOUR, chess()), [ask(1), ask(2), ask(3)], "Asked for 2 byes already"),
        (started(FOUR, chess(requested_byes=1)), [ask(1), ask(2)], "Asked for 1 bye already"),
        (started(FOUR, chess()), [ask(4)], "in the last round."),
        (started(FOUR, chess(requested_not_last=2)), [ask(3)], "in the last 2 rounds."),
        (started(FOUR, chess()), [ask(5)], "Not playing in round 5 anyway"),
        (played(started(FOUR, chess()), "Ann > Ben; Cem > Dana"), [ask(1)], "Round 1 is published"),
        (entered(FOUR, chess()), [ask(4)], "in the last round."),
    ],
)
def test_a_bye_is_refused_beyond_what_the_stage_allows(
    state: Competition, verbs: Sequence[Verb], why: str
) -> None:
    state = done(state, *verbs[:-1])
    with pytest.raises(Illegal, match=why):
        done(state, verbs[-1])


def test_all_rounds_but_the_last_are_free_before_the_start() -> None:
    state = done(entered(FOUR, chess()), ask(3))
    state = done(after(state, *commands.start(state)), ask(1))
    assert state.entry(ANN).requested == ((1, 3), (1, 1))


def test_a_stage_can_allow_a_bye_in_the_last_round() -> None:
    state = done(started(FOUR, chess(requested_not_last=0)), ask(4))
    assert state.entry(ANN).requested == ((1, 4),)


def test_after_the_cut_off_nobody_asks_for_a_bye_in_the_round_nor_takes_one_back() -> None:
    state = done(started(FOUR, chess()), ask())
    state = after(state, *commands.draw(state))
    with pytest.raises(Illegal, match="Round 1 is drawn already"):
        done(state, ask(1, "Ben"))
    with pytest.raises(Illegal, match="Round 1 is drawn"):
        done(state, MarkPresent(ANN, 1))
    assert done(state, ask(None, "Ben")).entry(uid("Ben")).requested == ((1, 2),)


def test_a_draw_that_is_thrown_away_lets_people_ask_again() -> None:
    state = started(FOUR, chess())
    state = done(after(state, *commands.draw(state)), DiscardDraw("too early"), ask(1))
    assert state.entry(ANN).requested == ((1, 1),)


def test_asking_twice_for_a_round_changes_nothing() -> None:
    state = done(started(FOUR, chess()), ask())
    assert commands.decide(state, ask()) == commands.decide(state, ask(1)) == ()
    with pytest.raises(Illegal):
        after(state, ByeRequested(ANN, 1))


def test_a_bye_that_is_taken_back_can_be_had_in_another_round() -> None:
    state = done(started(FOUR, chess(requested_byes=1)), ask(1), MarkPresent(ANN, 1), ask(2))
    assert (state.entry(ANN).requested, state.entry(ANN).absences) == (((1, 2),), ((1, 2),))


def test_an_announced_absence_becomes_a_bye_but_a_bye_no_absence() -> None:
    state = done(started(FOUR, chess()), MarkAbsent(ANN, 1), ask(1))
    assert (state.entry(ANN).requested, state.entry(ANN).absences) == (((1, 1),), ((1, 1),))
    with pytest.raises(Illegal):
        after(state, Absent(ANN, 1))


def test_a_withdrawn_round_gives_the_bye_back_to_be_changed() -> None:
    state = published(done(started(FOUR, chess()), ask()), "Ben > Cem", "Dana")
    state = done(state, WithdrawRound("wrong room"), MarkPresent(ANN))
    assert state.entry(ANN).requested == ()


def test_who_waits_for_a_place_asks_for_no_bye() -> None:
    assert RequestBye.candidates(started(FOUR, chess())) == tuple(map(uid, FOUR.split()))
    gone = done(started(FOUR, chess()), *[ask(number) for number in (1, 2)])
    assert ANN not in RequestBye.candidates(gone)


@pytest.mark.parametrize("key", ["round_robin", "knockout", "double_elimination", "open_play", "ladder"])
@pytest.mark.parametrize("field", ["requested_byes", "late_rounds"])
def test_formats_that_pair_by_a_schedule_or_a_bracket_refuse_the_option(key: str, field: str) -> None:
    rounds = 1 if key in ("open_play", "ladder") else 0
    announced = opening(plan(format=key, table_size=2, rounds=rounds, **{field: 1}))
    with pytest.raises(Malformed) as refused:
        plans.check_plans(announced)
    assert f"stages.0.{field}" in refused.value.errors


@pytest.mark.parametrize("key", ["rounds", "swiss"])
def test_rounds_and_swiss_take_the_option(key: str) -> None:
    plans.check_plans(opening(plan(format=key, requested_byes=1, late_rounds=1)))


# ---- What they earn ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "size", "policy", "worth"),
    [
        ("win", 2, "middle", "1/2"),
        ("win", 2, "win", "1"),
        ("win", 2, "last", "0"),
        ("place", 4, "middle", "3/2"),
        ("place", 4, "last", "0"),
        ("win", 4, "middle", "1/4"),
    ],
)
def test_a_bye_on_request_earns_what_its_policy_says(by: Any, size: int, policy: Any, worth: str) -> None:
    rounds = Scoring(by=by, requested=policy)
    state = started(
        "Ann Ben Cem Dana Eve", plan(format="swiss", table_size=size, scoring=rounds, requested_byes=1)
    )
    tables = "Ben > Cem; Dana > Eve" if size == 2 else "Ben > Cem > Dana > Eve"
    state = played(done(state, ask()), tables)
    assert lines(state, "Ann") == [(1, "requested", worth)]
    assert str(scoring.fixed_points(scoring.rate_of(state, state.stages[0]), policy)) == worth


@pytest.mark.parametrize(
    ("policy", "worth"), [("average", "10"), ("middle", "7"), ("win", "9"), ("last", "5")]
)
def test_where_scores_are_added_a_bye_earns_by_the_results_of_the_round(policy: Any, worth: str) -> None:
    rounds = Scoring(by="score", fair=False, requested=policy)
    state = started("Ann Ben Cem", plan(format="rounds", table_size=3, scoring=rounds, requested_byes=1))
    state = done(played(state, "Ann 10 > Ben 3 > Cem 1"), ask())
    state = played(state, "Ben 9 > Cem 5")
    assert lines(state, "Ann")[-1] == (2, "requested", worth)
    assert scoring.fixed_points(scoring.rate_of(state, state.stages[0]), policy) is None


def test_a_bye_worth_nothing_at_all_is_no_round_of_the_entry() -> None:
    nothing = Scoring(by="win", requested="none")
    state = played(done(started(FOUR, chess(scoring=nothing)), ask()), "Ben > Cem", byes="Dana")
    assert lines(state, "Ann") == []


def test_an_absence_stays_an_absence() -> None:
    state = done(started("Ann Ben Cem Dana", chess()), ask(), MarkAbsent(uid("Dana")))
    state = played(state, "Ben > Cem")
    assert (lines(state, "Ann"), lines(state, "Dana")) == ([(1, "requested", "1/2")], [(1, "absent", "0")])


def test_the_draw_leaves_byes_on_request_out_and_follows_their_points() -> None:
    state = done(started("Ann Ben Cem Dana Eve Finn", chess()), ask(), ask(None, "Ben"))
    state = after(state, *commands.cut_off(state))
    assert state.pending and not {ANN, uid("Ben")} & {*state.pending.cut_off.present}
    state = played(done(started("Ann Ben Cem Dana Eve Finn", chess()), ask(), ask(None, "Ben")), PAIRS)
    state = after(state, *commands.draw(state))
    # Who has half a point meets the other one.
    assert {"Ann", "Ben"} in seated(state)


# ---- Late entries --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("most", "after_rounds", "credit"),
    [
        (0, 2, []),
        (1, 2, ["1/2"]),
        (2, 2, ["1/2", "1/2"]),
        (9, 2, ["1/2", "1/2"]),
        (2, 1, ["1/2"]),
        (2, 0, []),
    ],
)
def test_a_late_entry_is_credited_with_the_first_rounds_it_missed(
    most: int, after_rounds: int, credit: Sequence[str]
) -> None:
    rounds = ("Ann > Ben; Cem > Dana", "Ann > Cem; Ben > Dana")[:after_rounds]
    state = played(started(FOUR, chess(late_rounds=most)), *rounds)
    state = after(state, *enter(state, "Zoe"))
    assert [worth for _, kind, worth in lines(state, "Zoe") if kind == "late"] == credit
    assert points(state, "Zoe") == str(sum(map(Fraction, credit)))


def test_a_late_entry_keeps_its_credit_and_plays_on() -> None:
    last = chess(late_rounds=2, scoring=Scoring(by="win", late="last"))
    state = played(started(FOUR, last), "Ann > Ben; Cem > Dana")
    state = after(state, *enter(state, "Zoe"))
    state = played(state, "Zoe > Ann; Ben > Cem", byes="Dana")
    assert lines(state, "Zoe") == [(1, "late", "0"), (2, "played", "1")]


def test_who_was_entered_and_absent_or_left_and_came_back_is_no_late_entry() -> None:
    state = done(started(FOUR, chess(late_rounds=2)), MarkAbsent(ANN))
    state = played(state, "Ben > Cem", byes="Dana")
    assert lines(state, "Ann") == [(1, "absent", "0")]


# ---- How they are told, and tie-breaks -----------------------------------------------------------


def test_standings_say_byes_on_request_and_late_entries() -> None:
    state = played(done(started(FOUR, chess(late_rounds=2)), ask(1), ask(2)), "Ben > Cem", byes="Dana")
    state = played(state, "Dana > Cem", byes="Ben")
    state = after(state, *enter(state, "Zoe"))
    assert notes(state, "Ann") == ["Rounds 1 and 2: bye on request (1/2 + 1/2)."]
    assert notes(state, "Zoe") == ["Late entry (1/2 + 1/2)."]


def test_a_bye_on_request_counts_in_buchholz_as_a_round_missed_by_choice() -> None:
    """FIDE Handbook C.07, 16.4: an opponent with the own points, at most a draw in every round."""
    buchholz = chess(tie_breaks=("opponents_points", "opponents_points_cut"), rounds=3)
    state = started(FOUR, buchholz)
    state = done(played(state, "Ann > Ben; Cem > Dana"), ask())
    state = played(state, "Cem > Ben", byes="Dana")
    state = played(state, "Ann > Cem; Ben > Dana")
    row = row_of(state, "Ann")
    # Ben 1, a stand-in with min(5/2, 3/2), Cem 2; without the lowest the missed round goes first.
    assert (row.points, row.tiebreaks) == (
        Fraction(5, 2),
        {"opponents_points": "9/2", "opponents_points_cut": "3"},
    )


def test_outlooks_stay_bounds_with_byes_on_request() -> None:
    state = played(done(started(FOUR, chess(rounds=3)), ask(2)), "Ann > Ben; Cem > Dana")
    bounds = outlook(state, 1)
    state = played(state, "Ben > Cem", byes="Dana")
    state = played(state, "Dana > Ann; Cem > Ben")
    assert bounds
    for row in ranking.standings(state, 1):
        assert bounds[row.entry].best <= row.rank <= bounds[row.entry].worst
