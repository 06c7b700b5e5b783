"""Check-in, the start, and rounds that nobody could play."""

import pytest

from games.engine.refusals import Illegal
from league.core.course import absent_entries, wait
from league.core.state.plan import Entering
from league.core.state.values import Pace
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import Withdrawn
from league.core.verbs.presence import Absent, CheckedIn, CheckInAllEntries, NoShow
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.core.verbs.tables import Postponed
from tests.core import deciding as commands
from tests.core.crosstable import after, entered, plan, played, published, results, started, table_at
from tests.core.ids import uid


def test_entries_that_have_not_checked_in_miss_the_first_round() -> None:
    state = entered("Ann Ben Cem", entering=Entering(check_in=True))
    state = after(state, CheckedIn(uid("Ann")), CheckedIn(uid("Ben")))
    state = after(state, *commands.start(state))
    assert absent_entries(state) == {uid("Cem")}


def test_who_is_absent_and_not_checked_in_holds_up_no_start() -> None:
    state = entered("Ann Ben Cem", entering=Entering(check_in=True))
    state = after(state, CheckedIn(uid("Ann")), CheckedIn(uid("Ben")), Absent(uid("Cem"), 1, "ill"))
    assert absent_entries(after(state, *commands.start(state))) == {uid("Cem")}


@pytest.mark.parametrize(("here", "count"), [("", "0 of 3"), ("Ann", "1 of 3")])
def test_a_start_that_would_leave_round_1_empty_is_refused(here: str, count: str) -> None:
    state = entered("Ann Ben Cem", entering=Entering(check_in=True))
    state = after(state, *(CheckedIn(uid(name)) for name in here.split()))
    with pytest.raises(Illegal, match=f"{count} would play in round 1; a table needs at least 2"):
        commands.start(state)
    assert [each.remedy for each in StartCompetition.cautions(state) if each.stops] == ["check-in-all"]


def test_a_start_with_all_entries_absent_is_refused() -> None:
    state = after(entered("Ann Ben"), *(Absent(uid(name), 1, "") for name in ("Ann", "Ben")))
    with pytest.raises(Illegal, match="0 of 2 would play in round 1"):
        commands.start(state)
    assert [each.remedy for each in StartCompetition.cautions(state) if each.stops] == ["present"]


def test_a_start_with_too_few_entries_for_a_table_is_refused() -> None:
    with pytest.raises(Illegal, match="A table needs at least 3 entries, and there are 2"):
        commands.start(entered("Ann Ben", seats=(3, 4)))


def test_open_play_starts_with_nobody_present_yet() -> None:
    state = after(
        entered("Ann Ben", plan(format="open_play")), *(Absent(uid(name), 1, "") for name in ("Ann", "Ben"))
    )
    assert after(state, *commands.start(state)).started


def test_all_entries_check_in_at_once() -> None:
    state = entered("Ann Ben Cem", entering=Entering(check_in=True))
    state = after(state, CheckedIn(uid("Ben")))
    state = after(state, *commands.decide(state, CheckInAllEntries()))
    assert all(entry.checked_in for entry in state.entries)
    assert commands.decide(state, CheckInAllEntries()) == ()


def test_all_entries_check_in_only_where_there_is_a_check_in() -> None:
    with pytest.raises(Illegal, match="no check-in"):
        commands.decide(entered("Ann Ben"), CheckInAllEntries())


@pytest.mark.parametrize("left", ["", "Cem"])
@pytest.mark.parametrize("pace", ["manual", "automatic"])
def test_a_round_without_tables_is_not_drawn(left: str, pace: Pace) -> None:
    state = started("Ann Ben Cem", pace=pace)
    assert wait(state, "draw") == (0 if pace == "automatic" else None)
    missing = {"Ann", "Ben", "Cem"} - {left}
    state = after(state, *(Absent(uid(name), 1, "") for name in sorted(missing)))
    with pytest.raises(Illegal, match="Too few entries are present to play round 1"):
        commands.draw(state)
    assert [(each.remedy, each.stops) for each in DrawRound.cautions(state)] == [("present", True)]
    assert wait(state, "draw") is None


def test_whoever_missed_the_last_round_is_named_before_the_next_draw() -> None:
    state = published(started("Ann Ben Cem Dan Eva Fay"), "Ann Ben Cem; Dan Eva Fay")
    for table, away in (("Ann", "Ben"), ("Dan", "Fay")):
        state = after(state, NoShow(table_at(state, table).id, uid(away)))
    state = after(state, *results(state, "Ann > Cem > Ben; Dan > Eva > Fay"))
    state = after(state, *commands.close_round(state), Withdrawn(uid("Fay")))
    assert [(each.sentence, each.remedy) for each in DrawRound.cautions(state)] == [
        ("Ben did not come to the last round, and take part in the next. Still away?", "absent")
    ]
    state = after(state, Absent(uid("Ben"), 2, ""))
    assert [each.remedy for each in DrawRound.cautions(state)] == ["present"]


def test_a_draw_that_everybody_has_left_is_not_published() -> None:
    state = started("Ann Ben")
    state = after(state, *commands.draw(state))
    state = after(state, *(Absent(uid(name), 1, "") for name in ("Ann", "Ben")))
    with pytest.raises(Illegal, match="Nobody would play in this round"):
        commands.decide(state, PublishRound())


def test_a_start_tells_who_would_miss_the_first_round() -> None:
    state = entered("Ann Ben Cem", entering=Entering(check_in=True))
    cautions = StartCompetition.cautions(after(state, CheckedIn(uid("Ann")), CheckedIn(uid("Ben"))))
    assert [(str(each.sentence), each.remedy) for each in cautions] == [
        ("2 entries play in round 1.", ""),
        ("2 of 3 checked in: 1 entry would miss round 1.", "check-in-all"),
    ]


@pytest.mark.parametrize(
    ("names", "form", "size", "told"),
    [
        ("A B C D E", "rounds", 2, ["4 entries play in round 1.", "1 sits out (a bye)."]),
        ("A B C D E F G H I J K", "knockout", 2, ["6 entries play in round 1.", "5 sit out (byes)."]),
        ("A B C D", "rounds", 2, ["4 entries play in round 1."]),
    ],
)
def test_a_start_counts_byes_apart_from_who_plays(names: str, form: str, size: int, told: list[str]) -> None:
    first = plan(format=form, rounds=0 if form == "knockout" else 1, table_size=size)
    cautions = StartCompetition.cautions(entered(names, first))
    assert [str(each.sentence) for each in cautions][: len(told)] == told
    assert sum("sit" in str(each.sentence) for each in cautions) == len(told) - 1


def test_a_finish_tells_what_would_not_be_played() -> None:
    state = played(started("Ann Ben", plan(rounds=2)), "Ann > Ben")
    assert [(str(each.sentence), each.remedy) for each in FinishCompetition.cautions(state)] == [
        ("Rounds played: 1 of 2.", "draw"),
    ]


def test_a_finish_waits_for_tables_that_are_put_off() -> None:
    state = published(started("Ann Ben Cem Dana", plan(rounds=2, table_size=2)), "Ann Ben; Cem Dana")
    table = state.stages[0].rounds[0].tables[0].id
    state = after(state, Postponed(table, "a train is late"))
    stops = [str(each.sentence) for each in FinishCompetition.cautions(state) if each.stops]
    assert stops == ["1 table is put off. Wait for its result, set it, or void the table."]


def test_what_is_done_already_changes_nothing() -> None:
    state = started("Ann Ben Cem Dan")
    assert commands.decide(state, StartCompetition()) == ()
    state = after(state, *commands.decide(state, DrawRound()))
    assert commands.decide(state, DrawRound()) == ()
    state = after(state, *commands.decide(state, PublishRound("2026-09-09T18:00:00Z")))
    for done in (StartCompetition(), PublishRound(), PublishRound("2026-09-09T20:00:00+02:00")):
        assert commands.decide(state, done) == ()
    with pytest.raises(Illegal, match="No round waits to be published"):
        commands.decide(state, PublishRound("2026-09-09T19:00:00Z"))
