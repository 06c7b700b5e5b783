"""Open play and the ladder: tables at any time, the best results count, results redistribute rungs."""

import re
from typing import Any

import pytest

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core import formats, verifier
from league.core.standings import ranking
from league.core.state.competition import Competition
from league.core.state.plan import Editions, Intake, Scoring
from league.core.verbs.course import FinishCompetition
from league.core.verbs.entries import ReturnEntry
from league.core.verbs.presence import MarkAbsent, MarkPresent
from league.core.verbs.results import AwardWalkover, Voided
from league.core.verbs.rulings import RuledSeat, SetResult
from tests.core import deciding as commands
from tests.core.crosstable import after, enter, name_of, plan, points, result, row_of, started, table_at
from tests.core.formats.played import drawn
from tests.core.ids import uid

FOUR = "Ann Ben Cem Dana"


def opened(**changes: object) -> Competition:
    usual: dict[str, object] = {"format": "open_play", "rounds": 1, "table_size": 2}
    state = drawn(started(FOUR, plan(**{**usual, **changes})))
    return after(state, *commands.publish(state, games={}))


def ladder(edition: int = 3, rounds: int = 1, **params: object) -> Competition:
    editions = Editions(draws=1, format=edition, scoring=3)
    return opened(
        format="ladder", rounds=rounds, intake=Intake(seeding="order"), params=params, editions=editions
    )


def played(state: Competition, *texts: str) -> Competition:
    """The state after tables were opened and played in this order."""
    for text in texts:
        state, table = at_new_table(state, text)
        state = after(state, result(state.table(table)[2], text))
    return state


def at_new_table(state: Competition, text: str) -> tuple[Competition, str]:
    """The state with a table opened for the names in a text, and its id."""
    entries = [uid(word) for word in text.split() if word.isalpha()]
    number = sum(1 for _ in state.tables())
    table, game = uid(f"table {number}"), uid(f"game {number}")
    opening = commands.open_table(state, table=table, entries=entries, games=[game])
    return after(state, *opening), table


def rungs(state: Competition) -> list[str]:
    return [name_of(state, row.entry) for row in ranking.standings(state, 1)]


def test_results_of_tables_opened_by_players_count() -> None:
    state = played(opened(), "Ann > Ben", "Ann > Cem", "Dana > Ann")
    assert [points(state, name) for name in FOUR.split()] == ["2", "0", "0", "1"]


def test_only_the_best_tables_count() -> None:
    state = played(opened(scoring=Scoring(best=2)), "Ann > Ben", "Ben > Ann", "Ann > Cem", "Ann > Dana")
    assert points(state, "Ann") == "2"


def test_an_open_round_waits_for_an_organiser() -> None:
    state = played(opened(), "Ann > Ben")
    assert commands.next_step(state) == "play"
    assert commands.next_step(after(state, *commands.close_round(state))) == "finish"


def test_a_table_can_not_be_opened_where_tables_are_drawn() -> None:
    state = drawn(started(FOUR, plan()))
    with pytest.raises(Illegal, match="drawn"):
        commands.open_table(state, table=uid("t"), entries=[uid("Ann"), uid("Ben")], games=[uid("g")])


@pytest.mark.parametrize("partners", [{}, {"lineup": "partners", "team_size": 2}])
def test_nobody_opens_a_table_without_opponents(partners: dict[str, Any]) -> None:
    names = "Ann:A,B Ben:C,D" if partners else FOUR
    state = drawn(started(names, plan(format="open_play", rounds=1, table_size=2), **partners))
    state = after(state, *commands.publish(state, games={}))
    with pytest.raises(Illegal, match="at least two entries"):
        commands.open_table(state, table=uid("t"), entries=[uid("Ann")], games=[uid("g")])


def test_only_entries_of_the_competition_get_seats() -> None:
    with pytest.raises(Illegal, match="no such entry"):
        commands.open_table(opened(), table=uid("t"), entries=[uid("Ann"), uid("Zoe")], games=[uid("g")])


def test_beating_a_higher_entry_takes_its_rung() -> None:
    state = played(ladder(), "Cem > Ann")
    assert rungs(state) == ["Cem", "Ben", "Ann", "Dana"]
    assert row_of(state, "Cem").explanation.startswith("Rung 1, ")


def test_beating_a_lower_entry_changes_nothing() -> None:
    assert rungs(played(ladder(), "Ann > Cem")) == FOUR.split()


def test_results_change_the_ladder_in_the_order_in_which_they_were_recorded() -> None:
    assert rungs(played(ladder(), "Dana > Cem", "Dana > Ben", "Dana > Ann")) == ["Dana", "Ann", "Ben", "Cem"]


def test_results_count_by_the_end_of_the_table_and_not_by_its_opening() -> None:
    state, first = at_new_table(ladder(), "Cem > Ann")
    state, second = at_new_table(state, "Dana > Cem")
    state = after(state, result(state.table(second)[2], "Dana > Cem"))
    state = after(state, result(state.table(first)[2], "Cem > Ann"))
    assert rungs(state) == ["Cem", "Ben", "Dana", "Ann"]


def test_a_bigger_table_redistributes_the_rungs_of_its_entries() -> None:
    state = played(opened(format="ladder", table_size=3, intake=Intake(seeding="order")), "Dana > Ann > Cem")
    assert rungs(state) == ["Dana", "Ben", "Ann", "Cem"]


def test_a_void_table_does_not_change_the_ladder() -> None:
    state = played(ladder(), "Cem > Ann")
    assert rungs(after(state, Voided(table_at(state, "Cem").id, "a wrong pack"))) == FOUR.split()


def test_a_challenge_beyond_the_reach_is_refused() -> None:
    with pytest.raises(Illegal, match="at most 2 apart"):
        played(ladder(reach=2), "Dana > Ann")
    assert rungs(played(ladder(reach=2), "Cem > Ann"))[0] == "Cem"


def test_a_late_entry_starts_on_the_lowest_rung() -> None:
    state = ladder()
    state = after(state, *commands.enter(state, entry=uid("Eva"), name="Eva", players=[uid("player Eva")]))
    assert rungs(state)[-1] == "Eva"


@pytest.mark.parametrize(("reach", "said"), [(0, "given"), (3, "given"), (2, "different")])
def test_the_verifier_reports_a_challenge_beyond_the_reach(reach: int, said: str) -> None:
    entries = [uid("Dana"), uid("Ann")]
    (event,) = commands.open_table(ladder(), table=uid("t"), entries=entries, games=[uid("g")])
    assert verifier.verdict(ladder(reach=reach), event) == said


def test_who_enters_an_open_ended_round_plays_in_it_at_once() -> None:
    state = ladder()
    state = played(after(state, *enter(state, "Eva")), "Eva > Dana")
    assert rungs(state) == ["Ann", "Ben", "Cem", "Eva", "Dana"]


def test_who_withdraws_leaves_the_ladder_at_once_and_can_not_be_challenged() -> None:
    state = ladder()
    state = after(state, *commands.withdraw(state, entry=uid("Ben")))
    assert rungs(state) == ["Ann", "Cem", "Dana", "Ben"]
    assert row_of(state, "Cem").explanation.startswith("Rung 2, ")
    assert not row_of(state, "Ben").explanation.startswith("Rung")
    with pytest.raises(Illegal, match="must play in the round"):
        played(state, "Dana > Ben")


def test_who_returns_to_an_open_ended_round_plays_in_it() -> None:
    state = ladder()
    state = after(state, *commands.withdraw(state, entry=uid("Ben")))
    state = after(state, *commands.decide(state, ReturnEntry(uid("Ben"))))
    assert rungs(played(state, "Ben > Ann")) == ["Ben", "Ann", "Cem", "Dana"]


def test_an_absence_counts_at_once_in_an_open_ended_round_and_until_it_is_undone() -> None:
    state = ladder()
    away = after(state, *commands.decide(state, MarkAbsent(uid("Ben"))))
    with pytest.raises(Illegal, match="must play in the round"):
        played(away, "Cem > Ben")
    back = after(away, *commands.decide(away, MarkPresent(uid("Ben"))))
    assert rungs(played(back, "Cem > Ben"))[1:3] == ["Cem", "Ben"]


def test_an_absence_after_results_adds_none_in_an_open_ended_round() -> None:
    state = played(opened(scoring=Scoring(absent="middle")), "Ann > Ben")
    state = after(state, *commands.decide(state, MarkAbsent(uid("Ann"))))
    assert points(state, "Ann") == "1"


def test_a_substitute_plays_at_once_in_an_open_ended_round() -> None:
    state = ladder()
    fay = uid("player Fay")
    state = after(state, *commands.substitute(state, entry=uid("Ann"), out=uid("player Ann"), into=fay))
    state, table = at_new_table(state, "Ben > Ann")
    assert [seat.player for seat in state.table(table)[2].seats] == [uid("player Ben"), fay]


def corrected(state: Competition, text: str) -> Competition:
    """The state after the result of the table of these names is set by hand."""
    names = [word for word in text.split() if word.isalpha()]
    placed = [(rank, uid(name)) for rank, name in enumerate(names, 1)]
    table = next(each for _, _, each in state.tables() if {*each.entries} == {entry for _, entry in placed})
    ranks = {entry: rank for rank, entry in placed}
    seats = tuple(
        RuledSeat(seat, 100 - 10 * ranks[each.entry], ranks[each.entry])
        for seat, each in enumerate(table.seats)
    )
    return after(state, *commands.decide(state, SetResult(table.id, seats, "Wrong card")))


def test_a_correction_that_changes_nobody_who_won_moves_no_rung() -> None:
    state = played(ladder(), "Cem > Ann", "Dana > Cem", "Ben > Dana")
    assert rungs(corrected(state, "Cem > Ann")) == rungs(state)


def test_a_correction_replays_the_rungs_from_the_place_of_its_table() -> None:
    state = played(ladder(), "Cem > Ann", "Dana > Cem")
    assert rungs(corrected(state, "Ann > Cem")) == rungs(played(ladder(), "Ann > Cem", "Dana > Cem"))
    assert rungs(corrected(corrected(state, "Ann > Cem"), "Cem > Ann")) == rungs(state)


def test_a_table_that_is_void_and_then_counts_again_keeps_its_place() -> None:
    state = played(ladder(), "Cem > Ann", "Dana > Cem")
    void = after(state, Voided(table_at(state, "Ann").id, "a wrong pack"))
    assert rungs(corrected(void, "Cem > Ann")) == rungs(state)


def test_a_correction_counts_as_played_last_in_the_second_edition() -> None:
    state = played(ladder(edition=2), "Cem > Ann", "Dana > Cem")
    assert rungs(corrected(state, "Cem > Ann"))[0] == "Cem"


@pytest.mark.parametrize(
    ("left", "text", "order"),
    [("Dana", "Dana > Ann", "Ann Ben Cem Dana"), ("Ann", "Ann > Dana", "Ben Cem Dana Ann")],
)
def test_a_win_of_who_has_left_moves_nobody(left: str, text: str, order: str) -> None:
    state, table = at_new_table(ladder(), text)
    state = after(state, *commands.withdraw(state, entry=uid(left)))
    state = after(state, result(state.table(table)[2], text))
    assert rungs(state) == order.split()


def test_who_wins_against_one_who_has_left_takes_the_rung() -> None:
    state, table = at_new_table(ladder(), "Dana > Ann")
    state = after(state, *commands.withdraw(state, entry=uid("Ann")))
    state = after(state, result(state.table(table)[2], "Dana > Ann"))
    assert rungs(state) == ["Dana", "Ben", "Cem", "Ann"]


def test_an_explanation_says_what_decided_a_rung() -> None:
    state = played(ladder(), "Cem > Ann")
    assert [str(row.explanation) for row in ranking.standings(state, 1)][:2] == [
        "Rung 1, since round 1, table 1. 1 point.",
        "Rung 2, in the order of entry.",
    ]
    by_lot = opened(format="ladder")
    assert str(ranking.standings(by_lot, 1)[0].explanation) == "Rung 1, by lot."


def stepped(state: Competition, step: str) -> Competition:
    """The state after `-Ann` left, `+Ann` came back, `*Eva` entered, `Ann ? Ben` began, `Ann ! Ben` ended.

    `= Ann Ben` gives Ann a walkover.
    """
    sign, *names = re.findall(r"\w+|\S", step)
    if sign == "-":
        return after(state, *commands.withdraw(state, entry=uid(names[0])))
    if sign == "+":
        return after(state, *commands.decide(state, ReturnEntry(uid(names[0]))))
    if sign == "=":
        state, table = at_new_table(state, step)
        return after(state, *commands.decide(state, AwardWalkover(table, (uid(names[0]),))))
    if sign == "*":
        return after(state, *enter(state, names[0]))
    if names[0] == "?":
        return at_new_table(state, step)[0]
    if names[0] == "!":
        return after(state, result(table_at(state, sign, names[1]), step.replace("!", ">")))
    return played(state, step)


def told(state: Competition) -> list[str]:
    """Who is on the ladder, with why; `E` is the order of entry, `T` round 1 and its table."""
    rows = [(row, str(row.explanation).partition(".")[0]) for row in ranking.standings(state, 1)]
    why = [(name_of(state, row.entry), why.partition(", ")[2]) for row, why in rows if ", " in why]
    told = [f"{name} {reason}" for name, reason in why]
    return [each.replace("in the order of entry", "E").replace("since round 1, table ", "T") for each in told]


LEFT, CAME = "1 above has left", "1 has come in above"


@pytest.mark.parametrize(
    ("steps", "rungs_told"),
    [
        # Who left before a table is not counted at it, who left after it is; below, nobody is moved.
        ("-Ben|Cem > Ann", ["Cem T1", "Ann T1", f"Dana up from rung 4 (E): {LEFT}"]),
        (
            "Cem > Ann|-Ben",
            ["Cem T1", f"Ann up from rung 3 (T1): {LEFT}", f"Dana up from rung 4 (E): {LEFT}"],
        ),
        ("Dana > Cem|-Cem", ["Ann E", "Ben E", "Dana T1"]),
        ("-Dana|Cem > Ann", ["Cem T1", "Ben E", "Ann T1"]),
        ("Cem > Ann|-Ben|Dana > Ann", ["Cem T1", "Dana T2", "Ann T2"]),
        # Who returns in the round has the rung of before.
        ("-Ann|+Ann|Cem > Ben", ["Ann E", "Cem T1", "Ben T1", "Dana E"]),
        (
            "Cem > Ann|-Ann|Dana > Ben|+Ann",
            ["Cem T1", "Dana T2", "Ann T1", f"Ben down from rung 3 (T2): {CAME}"],
        ),
        (
            "-Ben|-Ann|+Ben",
            [
                f"Ben up from rung 2 (E): {LEFT}",
                f"Cem up from rung 3 (E): {LEFT}",
                f"Dana up from rung 4 (E): {LEFT}",
            ],
        ),
        ("-Ben|Cem > Ann|+Ben", ["Cem T1", "Ben E", f"Ann down from rung 2 (T1): {CAME}", "Dana E"]),
        # Who enters counts those who leave from then on.
        ("-Dana|*Eva", ["Ann E", "Ben E", "Cem E", "Eva entered at the bottom"]),
        ("*Eva|-Dana", ["Ann E", "Ben E", "Cem E", f"Eva up from rung 5 (entered at the bottom): {LEFT}"]),
        # Tables that still ran when one of them left.
        ("Dana ? Ann|-Ann|Dana ! Ann", ["Dana T1", "Ben E", "Cem E"]),
        (
            "Dana ? Ann|-Ann|Cem > Ben|Dana ! Ann",
            ["Dana T1", f"Cem down from rung 1 (T2): {CAME}", f"Ben down from rung 2 (T2): {CAME}"],
        ),
        (
            "Cem ? Ben|-Ben|Cem ! Ben",
            ["Ann E", f"Cem up from rung 3 (E): {LEFT}", f"Dana up from rung 4 (E): {LEFT}"],
        ),
        # Who was beaten after leaving, and came back in the round.
        ("Dana ? Cem|-Cem|Dana ! Cem|+Cem", ["Ann E", "Ben E", "Dana T1", "Cem T1"]),
        (
            "-Ann|-Ben",
            ["Cem up from rung 3 (E): 2 above have left", "Dana up from rung 4 (E): 2 above have left"],
        ),
    ],
)
def test_a_rung_is_told_as_it_was_won_whoever_left_before_or_after(steps: str, rungs_told: list[str]) -> None:
    state = ladder()
    for step in steps.split("|"):
        state = stepped(state, step)
    assert told(state) == rungs_told


def over(scoring: int, *steps: str) -> list[str]:
    """The final order of a ladder after these steps, each with why."""
    editions = Editions(draws=1, format=3, scoring=scoring)
    state = opened(format="ladder", intake=Intake(seeding="order"), editions=editions)
    for step in steps:
        state = stepped(state, step)
    state = after(state, *commands.close_round(state))
    state = after(state, *commands.decide(state, FinishCompetition()))
    assert ranking.final_order(state) == tuple(row.entry for row in ranking.standings(state, 1))
    rows = [(name_of(state, row.entry), str(row.explanation)) for row in ranking.standings(state, 1)]
    return [f"{name}: {why.partition('.')[0]}" for name, why in rows]


def test_the_rung_is_the_rank_of_who_was_never_challenged() -> None:
    order = "in the order of entry"
    first = [f"Ann: Rung 1, {order}", f"Ben: Rung 2, {order}"]
    last = ["Dana: Rung 3, since round 1, table 1", "Cem: Rung 4, since round 1, table 1"]
    assert over(6, "Dana > Cem") == [*first, *last]
    assert over(5, "Dana > Cem") == [*last, "Ann: Did not play", "Ben: Did not play"]


def test_a_walkover_wins_a_rung_as_a_game_does() -> None:
    order = "in the order of entry"
    middle = [f"Ben: Rung 2, {order}", f"Cem: Rung 3, {order}"]
    won = "since round 1, table 1"
    assert over(6, "= Dana Ann") == [f"Dana: Rung 1, {won}", *middle, f"Ann: Rung 4, {won}"]
    assert [each[:12] for each in over(5, "= Dana Ann")][:2] == ["Dana: Rung 4", "Ann: Did not"]


def test_those_who_both_came_to_a_walkover_keep_their_rungs() -> None:
    state = played(opened(format="ladder", intake=Intake(seeding="order")), "Dana > Ann")
    state, table = at_new_table(state, "Ann Dana")
    state = after(state, *commands.decide(state, AwardWalkover(table, (uid("Ann"), uid("Dana")))))
    assert rungs(state) == ["Dana", "Ben", "Cem", "Ann"]


def test_a_stage_with_tables_of_two_opens_no_bigger_one() -> None:
    with pytest.raises(Illegal, match=r"^This stage has only tables of two\.$"):
        at_new_table(ladder(), "Ann Ben Cem")
    assert at_new_table(opened(table_size=3), "Ann Ben Cem")


def test_who_left_a_ladder_without_a_table_did_not_play() -> None:
    told = over(6, "Dana > Cem", "-Ann")
    assert [each.partition(",")[0] for each in told] == [
        "Ben: Rung 1",
        "Dana: Rung 2",
        "Cem: Rung 3",
        "Ann: Did not play",
    ]


def test_those_who_left_a_ladder_are_in_the_order_of_their_rungs_and_of_no_lots() -> None:
    steps = "Cem > Ann", "Dana > Ben", "-Ben", "-Ann"
    assert over(6, *steps)[2:] == ["Ann: Left the ladder", "Ben: Left the ladder"]
    editions = Editions(draws=1, format=3, scoring=6)
    state = opened(format="ladder", intake=Intake(seeding="order"), editions=editions)
    for step in steps:
        state = stepped(state, step)
    assert str(row_of(state, "Ben").explanation) == "Left the ladder."


def second_round(state: Competition) -> Competition:
    state = after(state, *commands.close_round(state))
    state = drawn(state)
    return after(state, *commands.publish(state, games={}))


def back_in_the_second_round() -> Competition:
    """Ann lost a table after she had left in the first round, and is back; Eva came later."""
    state, table = at_new_table(ladder(rounds=2), "Cem > Ann")
    state = after(state, *commands.withdraw(state, entry=uid("Ann")))
    state = second_round(after(state, result(state.table(table)[2], "Cem > Ann")))
    state = after(state, *commands.decide(state, ReturnEntry(uid("Ann"))))
    return after(state, *enter(state, "Eva"))


def test_who_returned_to_a_ladder_has_its_rung_since_then() -> None:
    assert str(row_of(back_in_the_second_round(), "Ann").explanation).startswith(
        "Rung 3, returned in round 2."
    )


def test_standings_after_an_earlier_round_have_only_those_who_had_come() -> None:
    state = back_in_the_second_round()
    assert [name_of(state, row.entry) for row in ranking.standings(state, 1, 1)] == [
        "Cem",
        "Ben",
        "Dana",
        "Ann",
    ]
    assert "Eva" in rungs(state)


def test_tables_are_counted_as_played_in_an_open_ended_round() -> None:
    state = played(opened(), "Ann > Ben", "Ann > Cem", "Ann > Ben")
    assert [row_of(state, name).played for name in FOUR.split()] == [3, 2, 1, 0]


def test_a_ladder_of_the_first_edition_keeps_the_rung_of_who_withdrew() -> None:
    state = ladder(edition=1)
    state = after(state, *commands.withdraw(state, entry=uid("Ben")))
    assert rungs(state) == FOUR.split()


def test_a_ladder_says_how_it_is_played() -> None:
    (plan_,) = ladder(reach=2).plans
    told = " ".join(map(str, formats.of(plan_).rules(replace(plan_, hours=72))))
    assert told == (
        "The winner of a table takes its highest rung, the next ones those below. Challenge whom you like "
        "up to 2 rungs away. The first rungs are as entered. Who enters late begins at the bottom; who "
        "withdraws leaves the ladder, and has the old rung again on coming back in the same stage, unless "
        "results since then gave another. A round lasts 3 days."
    )
    newest = replace(plan_, editions=Editions())
    assert "A walkover counts as won." in map(str, formats.of(newest).rules(newest))


@pytest.mark.parametrize(("reach", "names"), [(0, "Ann Cem Dana"), (1, "Ann Cem"), (2, "Ann Cem Dana")])
def test_opponents_of_a_ladder_are_those_within_reach(reach: int, names: str) -> None:
    state = ladder(reach=reach)
    found = formats.of(state.plans[0]).opponents(state, state.stages[0], uid("Ben"))
    assert [name_of(state, entry) for entry in found] == names.split()
