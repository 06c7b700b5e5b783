"""Latecomers of a competition with check-in: who plays in the next round, and what the log says about it."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Final

import pytest

from games.engine.refusals import Illegal
from league.core.course import absent_entries, coming_absences
from league.core.state.competition import Competition
from league.core.state.plan import Entering, Scoring
from league.core.state.values import Pace
from league.core.verb import Verb
from league.core.verbs.course import PauseCompetition, ResumeCompetition
from league.core.verbs.draw import DiscardDraw
from league.core.verbs.entering import AdmitEntry
from league.core.verbs.entries import ReturnEntry, WithdrawEntry
from league.core.verbs.presence import Absent, CheckedIn, CheckInEntry, CheckOutEntry, MarkAbsent, MarkPresent
from league.core.verbs.rounds import CloseRound, RoundWithdrawn, WithdrawRound
from league.core.weighing import arrived_since_draw
from tests.core import deciding as commands
from tests.core.crosstable import after, enter, entered, plan, played, points, published, results
from tests.core.ids import uid

CEM: Final = uid("Cem")
HERE: Final = "Ann > Ben"


def begun(pace: Pace = "automatic", rounds: int = 3) -> Competition:
    """A competition that has started without Cem, who has not checked in."""
    state = entered("Ann Ben Cem", plan(rounds=rounds), entering=Entering(check_in=True), pace=pace)
    state = after(state, CheckedIn(uid("Ann")), CheckedIn(uid("Ben")))
    return after(state, *commands.start(state))


def done(state: Competition, *verbs: Verb) -> Competition:
    for verb in verbs:
        state = after(state, *commands.decide(state, verb))
    return state


def drawn(state: Competition) -> set[str]:
    """Who sits in the next round."""
    state = after(state, *commands.draw(state))
    assert state.drawn_round
    return {state.entry(entry).name for table in state.drawn_round.tables for entry in table.entries}


def before_round_1(*verbs: Verb) -> Competition:
    return done(begun(), *verbs)


def while_round_1_is_played(*verbs: Verb) -> Competition:
    state = done(published(begun(), HERE), *verbs)
    return after(state, *results(state, HERE), *commands.close_round(after(state, *results(state, HERE))))


def after_round_1(*verbs: Verb) -> Competition:
    return done(played(begun(), HERE), *verbs)


def while_paused(*verbs: Verb) -> Competition:
    return while_round_1_is_played(PauseCompetition("dinner"), *verbs, ResumeCompetition())


MOMENTS: Final = (before_round_1, while_round_1_is_played, after_round_1, while_paused)
COMES: Final[Sequence[tuple[Verb, ...]]] = (
    (CheckInEntry(CEM),),
    (MarkPresent(CEM),),
    (MarkAbsent(CEM), MarkPresent(CEM)),
    (WithdrawEntry(CEM), ReturnEntry(CEM)),
    (CheckInEntry(CEM), MarkAbsent(CEM), MarkPresent(CEM)),
    (CheckInEntry(CEM), CheckOutEntry(CEM), CheckInEntry(CEM)),
)
STAYS_AWAY: Final[Sequence[tuple[Verb, ...]]] = (
    (),
    (MarkAbsent(CEM),),
    (WithdrawEntry(CEM),),
    (CheckInEntry(CEM), CheckOutEntry(CEM)),
    (CheckInEntry(CEM), MarkAbsent(CEM)),
    (MarkAbsent(CEM), CheckInEntry(CEM)),
)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("verbs", COMES)
def test_who_comes_plays_in_the_next_round(
    moment: Callable[..., Competition], verbs: tuple[Verb, ...]
) -> None:
    state = moment(*verbs)
    assert (absent_entries(state), coming_absences(state, state.entry(CEM))) == (frozenset(), ())
    assert drawn(state) == {"Ann", "Ben", "Cem"}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("verbs", STAYS_AWAY)
def test_who_stays_away_does_not_play_in_the_next_round(
    moment: Callable[..., Competition], verbs: tuple[Verb, ...]
) -> None:
    assert drawn(moment(*verbs)) == {"Ann", "Ben"}


def test_who_comes_plays_in_every_round_from_then_on() -> None:
    state = done(published(begun(), HERE), MarkPresent(CEM))
    state = after(state, *results(state, HERE))
    state = played(done(state, CloseRound()), "Ann > Ben > Cem")
    assert drawn(state) == {"Ann", "Ben", "Cem"}


def test_who_never_comes_misses_each_round_and_is_offered_to_be_marked_as_present() -> None:
    state = begun()
    for number in (1, 2):
        assert absent_entries(state) == {CEM}
        assert MarkPresent.candidates(state) == (CEM,)
        state = published(state, HERE)
        assert (absent_entries(state), MarkPresent.candidates(state)) == (frozenset({CEM}), (CEM,)), number
        state = done(after(state, *results(state, HERE)), CloseRound())
    assert points(state, "Cem") == "0"


def test_the_close_of_a_round_says_nothing_about_who_plays_next() -> None:
    state = published(begun(), HERE)
    state = after(state, *results(state, HERE))
    assert [event.type for event in commands.decide(state, CloseRound())] == ["round_closed"]


def test_who_comes_after_a_draw_plays_from_the_round_after_it() -> None:
    state = begun("manual")
    state = after(state, *commands.draw(state))
    for verb in (CheckInEntry(CEM), MarkPresent(CEM)):
        here = done(state, verb)
        assert here.drawn_round == state.drawn_round
        assert here.entry(CEM).here_from == (1, 2)
        assert absent_entries(here) == {CEM}
        assert MarkPresent.candidates(here) == ()


def test_who_was_announced_absent_from_a_later_round_still_misses_that_one() -> None:
    state = done(begun(), MarkAbsent(CEM, 2), CheckInEntry(CEM))
    assert [state.entry(CEM).plays((1, number)) for number in (1, 2, 3)] == [True, False, True]


@pytest.mark.parametrize("discards", [False, True])
@pytest.mark.parametrize("comes", [CheckInEntry(CEM), MarkPresent(CEM)])
def test_who_comes_between_a_draw_and_its_publication_is_drawn_when_it_is_drawn_again(
    comes: Verb, discards: bool
) -> None:
    state = begun("manual")
    state = done(after(state, *commands.draw(state)), comes)
    assert [each.name for each in arrived_since_draw(state)] == ["Cem"]
    if discards:
        state = done(state, DiscardDraw("Cem came"))
    state = after(state, *commands.draw(state, reason="" if discards else "Cem came"))
    assert state.drawn_round and not arrived_since_draw(state)
    assert CEM in {*state.drawn_round.byes, *chain(*(each.entries for each in state.drawn_round.tables))}


def test_who_was_announced_for_a_later_round_has_not_come_since_the_draw() -> None:
    state = done(begun("manual"), MarkPresent(CEM, 2))
    assert not arrived_since_draw(after(state, *commands.draw(state)))


def test_a_late_entry_needs_no_check_in() -> None:
    state = published(begun(), HERE)
    state = after(state, *enter(state, "Dana"), *results(state, HERE))
    assert state.entry(uid("Dana")).checked_in
    assert drawn(done(state, CloseRound())) == {"Ann", "Ben", "Dana"}


def test_who_is_admitted_from_the_waiting_list_after_the_start_needs_no_check_in() -> None:
    rules = Entering(check_in=True, places=2)
    state = entered("Ann Ben Cem", plan(), entering=rules)
    state = after(state, CheckedIn(uid("Ann")), CheckedIn(uid("Ben")))
    state = published(after(state, *commands.start(state)), HERE)
    state = done(state, WithdrawEntry(uid("Ben")))
    state = after(done(state, AdmitEntry(CEM)), *results(state, HERE))
    assert drawn(done(state, CloseRound())) == {"Ann", "Cem"}


def test_a_check_in_is_taken_back_until_a_round_has_counted_it() -> None:
    state = done(published(begun(), HERE), CheckInEntry(CEM))
    assert CheckOutEntry.candidates(state) == (CEM,)
    state = played(done(after(state, *results(state, HERE)), CloseRound()), "Ann > Ben > Cem")
    assert CheckOutEntry.candidates(state) == ()
    with pytest.raises(Illegal, match="Here for a round already"):
        done(state, CheckOutEntry(CEM))


def test_who_has_come_can_be_marked_as_present_in_a_round_that_is_drawn_once_more() -> None:
    # As a log has it that was written before a withdrawal marked them.
    state = done(published(begun("manual"), HERE), CheckInEntry(CEM))
    state = after(state, RoundWithdrawn(1, 1, "a wrong seat"))
    assert MarkPresent.candidates(state) == (CEM,)
    assert drawn(done(state, MarkPresent(CEM))) == {"Ann", "Ben", "Cem"}


def test_nobody_is_absent_from_a_round_that_does_not_exist() -> None:
    state = published(begun(rounds=1), HERE)
    assert (absent_entries(state), MarkPresent.candidates(state), MarkAbsent.candidates(state)) == (
        frozenset(),
        (),
        (),
    )


def test_who_misses_a_round_for_want_of_a_check_in_gets_the_points_of_absence() -> None:
    state = entered(
        "Ann Ben Cem",
        plan(scoring=Scoring(absent="middle")),
        entering=Entering(check_in=True),
    )
    state = after(state, CheckedIn(uid("Ann")), CheckedIn(uid("Ben")))
    state = played(after(state, *commands.start(state)), HERE)
    assert points(state, "Cem") == "3/2"


@pytest.mark.parametrize("rounds", [1, 2])
def test_an_event_names_the_round_from_which_it_counts_only_if_there_is_one(rounds: int) -> None:
    state = published(begun(rounds=rounds), HERE)
    told = 2 if rounds == 2 else None
    (withdrawn,) = commands.decide(state, WithdrawEntry(CEM))
    (returned,) = commands.decide(after(state, withdrawn), ReturnEntry(CEM))
    (checked_in,) = commands.decide(state, CheckInEntry(CEM))
    assert [vars(each)["from_round"] for each in (withdrawn, returned, checked_in)] == [told] * 3
    assert after(state, withdrawn).entry(CEM).spells == (((0, 0), (1, 2)),)


def test_an_absence_is_written_once() -> None:
    state = after(begun(), Absent(CEM, 1))
    with pytest.raises(Illegal, match="Not playing in round 1 anyway"):
        after(state, Absent(CEM, 1))
    assert commands.decide(state, MarkAbsent(CEM)) == ()


@pytest.mark.parametrize(
    ("verbs", "players"),
    [
        ((CheckInEntry(CEM),), {"Ann", "Ben", "Cem"}),
        ((CheckInEntry(CEM), CheckOutEntry(CEM)), {"Ann", "Ben"}),
        ((), {"Ann", "Ben"}),
    ],
)
def test_who_checked_in_while_a_round_was_played_is_in_its_new_draw_once_it_is_withdrawn(
    verbs: tuple[Verb, ...], players: set[str]
) -> None:
    state = done(published(begun("manual"), HERE), *verbs, WithdrawRound("wrong hall"))
    assert drawn(state) == players


@pytest.mark.parametrize("discards", [False, True])
@pytest.mark.parametrize("check_in", [False, True])
def test_who_enters_or_returns_between_a_draw_and_its_publication_is_drawn_when_it_is_drawn_again(
    check_in: bool, discards: bool
) -> None:
    state = entered("Ann Ben Cem", plan(rounds=3), entering=Entering(check_in=check_in), pace="manual")
    state = after(state, *(CheckedIn(uid(each)) for each in ("Ann", "Ben") if check_in))
    state = done(after(state, *commands.start(state)), WithdrawEntry(CEM))
    state = after(state, *commands.draw(state))
    state = done(after(state, *enter(state, "Dana")), ReturnEntry(CEM))
    assert [each.name for each in arrived_since_draw(state)] == ["Cem", "Dana"]
    if discards:
        state = done(state, DiscardDraw("Dana came"))
    state = after(state, *commands.draw(state, reason="" if discards else "Dana came"))
    assert state.drawn_round and not arrived_since_draw(state)
    drawn_now = {*state.drawn_round.byes, *chain(*(each.entries for each in state.drawn_round.tables))}
    assert {CEM, uid("Dana")} < drawn_now


def test_who_enters_while_a_round_is_played_is_in_its_new_draw_once_it_is_withdrawn() -> None:
    state = published(begun("manual"), HERE)
    state = done(after(state, *enter(state, "Dana")), WithdrawRound("wrong hall"))
    assert drawn(state) == {"Ann", "Ben", "Dana"}
