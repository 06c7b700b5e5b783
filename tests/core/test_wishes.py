"""Wishes for draws: kept apart, kept together, a fixed table, tables filled by an order."""

from collections.abc import Iterable
from functools import partial
from itertools import combinations
from typing import Any

import pytest

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.drawing.wishes import numbered
from league.core.events import apply, read, write
from league.core.state.competition import Competition, Round
from league.core.state.cut_offs import FixedTable, Wish, Wishes
from league.core.state.plan import Intake
from league.core.verb import Given
from league.core.verbs.draw import DrawRound
from league.core.verbs.move_seat import MoveSeat
from league.core.verbs.start import StartCompetition
from league.core.verbs.wishes import FixTable, SetWish
from league.core.verifier import verdict
from tests.core import deciding as commands
from tests.core.committed import committed
from tests.core.crosstable import after, entered, name_of, plan, played, started
from tests.core.deciding import NOW, decide
from tests.core.formats.played import competition, drawn, finished_round, last_round, played_out, stage_of
from tests.core.ids import uid

DUELS = {"format": "swiss", "table_size": 2}
ALL_MEET = {"format": "round_robin", "table_size": 2, "rounds": 0}


def wished(
    state: Competition, names: str, wish: str, *, always: bool = True, also: bool = False
) -> Competition:
    verb = SetWish(tuple(map(uid, names.split())), wish, always, also)  # type: ignore[arg-type]
    return after(state, *decide(state, verb))


def fixed(state: Competition, name: str, table: int) -> Competition:
    return after(state, *decide(state, FixTable(uid(name), table)))


def given(*between: Wish, tables: Iterable[FixedTable] = (), order: Any = ()) -> Given:
    """What a club's people wish."""
    return Given(uid("competition"), NOW, wishes=Wishes(between, tuple(tables)), order=order)


def meet(each: Round, names: str) -> bool:
    """Whether any two of them sit at one table."""
    here = [len({*map(uid, names.split())}.intersection(table.entries)) for table in each.tables]
    return max(here) > 1


def at(state: Competition, name: str) -> int:
    """The number of the table at which an entry sits in the last round."""
    tables = enumerate(last_round(state).tables, 1)
    return next(number for number, table in tables if uid(name) in table.entries)


def cautions(state: Competition) -> list[str]:
    verb = DrawRound if state.stage else StartCompetition
    return [each.sentence for each in verb.cautions(state)]


# ---- Never a wish broken that holds always -------------------------------------------------------


@pytest.mark.parametrize("count", [11, 12, 17])
@pytest.mark.parametrize("changes", [{}, {"format": "swiss"}, DUELS], ids=["rounds", "swiss", "duels"])
def test_no_draw_breaks_a_wish_that_holds_always(count: int, changes: dict[str, Any]) -> None:
    state = competition(count, plan(**changes), seed=count)
    state = wished(wished(state, "P0 P1 P2", "apart"), "P3 P4", "apart_last")
    if not changes.get("table_size"):
        state = wished(state, "P5 P6", "together")
    state = played_out(state)
    for each in stage_of(state).rounds:
        assert not meet(each, "P0 P1 P2")
        tables = [{*table.entries} & {uid("P5"), uid("P6")} for table in each.tables]
        assert changes.get("table_size") or max(map(len, tables)) in (0, 2)
    assert not meet(last_round(state), "P3 P4")


@pytest.mark.parametrize("clubs", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_two_who_do_not_meet_first_and_last_may_meet_between(seed: int, clubs: bool) -> None:
    state, people = competition(4, plan(table_size=2), seed=seed), (uid("player P0"), uid("player P1"))
    wishes = [] if clubs else ["apart_first", "apart_last"]
    for kind in wishes:
        state = wished(state, "P0 P1", kind, also=True)
    of_club = given(*(Wish(people, kind) for kind in ("apart_first", "apart_last") if clubs))
    met = []
    for _ in range(3):
        cut_off, draw = decide(state, DrawRound(), of_club)
        assert [each.wish for each in cut_off.wishes.between] == ["apart_first", "apart_last"]  # type: ignore[attr-defined]
        state = after(state, cut_off, draw)
        met.append(meet(last_round(state), "P0 P1"))
        state = finished_round(state)
    assert met == [False, True, False]


@pytest.mark.parametrize("clubs", [False, True])
def test_who_would_sit_together_but_not_in_the_first_round_does_from_the_second_on(clubs: bool) -> None:
    state, people = competition(8, plan()), (uid("player P0"), uid("player P1"))
    wishes = [Wish(people, "together", always=False), Wish(people, "apart_first")] if clubs else []
    if not clubs:
        state = wished(hopeful(state, "P0 P1"), "P0 P1", "apart_first", also=True)
    for number in range(1, 4):
        missed = [each for each in cautions(state) if "can’t keep: P0 and P1 at one" in each]
        assert clubs or bool(missed) == (number == 1)
        state = after(state, *decide(state, DrawRound(), given(*wishes)))
        assert meet(last_round(state), "P0 P1") == (number > 1)
        state = finished_round(state)


def test_a_bye_is_given_to_whom_the_wishes_need() -> None:
    state = wished(wished(competition(3, plan(**DUELS)), "P0 P1", "apart"), "P0 P2", "apart_last")
    assert {uid("P0"), uid("P1")}.intersection(last_round(drawn(state)).byes)


def test_wishes_stay_with_the_fewest_repeats() -> None:
    state = played_out(wished(competition(12, plan(table_size=3, rounds=4)), "P0 P1", "apart"))
    assert [each.report["repeats"] for each in stage_of(state).rounds] == [0] * 4


def test_without_wishes_a_draw_is_that_of_the_edition_before() -> None:
    newest = started(" ".join(f"P{n}" for n in range(11)), plan())
    before = replace(plan().editions, draws=2, format=1, scoring=6)
    older = started(" ".join(f"P{n}" for n in range(11)), plan(editions=before))
    with_cut_off = replace(older, seq=newest.seq)
    tables = [
        [table.entries for table in last_round(drawn(state)).tables] for state in (newest, with_cut_off)
    ]
    assert tables[0] == tables[1]


# ---- If possible: the bottom bears it ------------------------------------------------------------


def test_what_is_unavoidable_happens_at_the_bottom() -> None:
    state = started("Ann Ben Cem Dana Eve Finn", plan(**DUELS))
    state = played(state, "Ann > Ben; Cem > Dana; Eve > Finn")
    # Everybody is to be kept from everybody of another half: one clash at least, and Finn bears it.
    for pair in combinations(["Ann", "Cem", "Eve", "Finn"], 2):
        state = wished(state, " ".join(pair), "apart", always=False)
    clash = next(table for table in last_round(drawn(state)).tables if _clashes(table.entries))
    assert uid("Finn") in clash.entries
    assert last_round(drawn(state)).report["wishes"] == [5, 1]


def _clashes(entries: Iterable[str]) -> bool:
    return len({*map(uid, ["Ann", "Cem", "Eve", "Finn"])}.intersection(entries)) > 1


# ---- Refused -------------------------------------------------------------------------------------


def test_two_wishes_that_contradict_each_other_are_refused_by_name() -> None:
    state = wished(started("Ann Ben Cem Dana"), "Ann Ben", "together")
    state = wished(state, "Ben Cem", "together")
    with pytest.raises(Illegal, match=r"Ann and Ben always at one table; Ann and Cem never at one table\."):
        wished(state, "Ann Cem", "apart")
    with pytest.raises(Illegal, match="contradict"):
        decide(state, DrawRound(), given(Wish((uid("player Cem"), uid("player Ann")), "apart")))


@pytest.mark.parametrize(
    ("first", "second", "is_refused"),
    [
        (("apart", True), ("together", False), True),
        (("apart", False), ("together", False), True),
        (("apart_first", True), ("together", True), True),
        (("apart_first", False), ("together", True), True),
        (("apart_first", True), ("together", False), False),
        (("apart_first", True), ("apart_last", True), False),
        (("apart", False), ("apart_first", True), False),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_wishes_about_the_same_count_together_where_they_make_sense(
    first: tuple[str, bool], second: tuple[str, bool], is_refused: bool, turned: bool
) -> None:
    one, other = (second, first) if turned else (first, second)
    state = wished(started("Ann Ben Cem Dana Eve Finn"), "Ann Ben", one[0], always=one[1])
    if is_refused:
        with pytest.raises(Illegal, match="These two contradict each other: Ann and Ben "):
            wished(state, "Ann Ben", other[0], always=other[1], also=True)
    else:
        state = wished(state, "Ben Ann", other[0], always=other[1], also=True)
        assert [(each.wish, each.always) for each in state.wishes.between] == [one, other]
    assert len(wished(state, "Ann Ben", other[0], always=other[1]).wishes.between) == 1
    assert not wished(state, "Ann Ben", "none", also=True).wishes.between


def test_what_no_seating_keeps_is_refused_before_anything_is_written() -> None:
    state = wished(started("Ann Ben Cem Dana"), "Ann Ben", "apart")
    with pytest.raises(Illegal, match="With 1 table no seating keeps this wish: Ann and Ben never"):
        decide(state, DrawRound())
    state = wished(started("Ann Ben Cem Dana Eve Finn", plan(table_size=3)), "Ann Ben", "apart")
    state = wished(wished(state, "Ben Cem", "apart"), "Ann Cem", "apart")
    with pytest.raises(Illegal, match=r"Ann and Ben never at one table, .* and Ann and Cem never"):
        decide(state, DrawRound())
    assert any("No seating keeps these wishes" in each for each in cautions(state))


def test_a_draw_that_waits_for_the_beacon_is_refused_at_its_cut_off() -> None:
    in_order = plan(intake=Intake(seeding="order"))
    state = wished(started("Ann Ben Cem Dana", in_order, entropy="beacon"), "Ann Ben", "apart")
    with pytest.raises(Illegal, match="With 1 table no seating keeps this wish"):
        decide(state, DrawRound())


def test_a_round_robin_gives_numbers_by_wishes() -> None:
    state = competition(8, plan(**ALL_MEET))
    state = wished(wished(state, "P0 P1", "apart_first"), "P2 P3", "apart_last")
    state = played_out(wished(state, "P4 P5", "apart_first"))
    first, *_, last = stage_of(state).rounds
    assert not (meet(first, "P0 P1") or meet(first, "P4 P5") or meet(last, "P2 P3"))
    assert sum(meet(each, "P0 P1") for each in stage_of(state).rounds) == 1


def test_in_a_round_robin_in_which_all_meet_nobody_is_kept_apart() -> None:
    state = competition(6, plan(**ALL_MEET))
    with pytest.raises(Illegal, match=r"In this round robin all meet\. This wish can’t hold always"):
        wished(state, "P0 P1", "apart")
    assert len(played_out(wished(state, "P0 P1", "apart", always=False)).stages[0].rounds) == 5


def test_in_a_shorter_round_robin_those_who_never_meet_can_be_kept_apart() -> None:
    state = played_out(wished(competition(8, plan(**ALL_MEET | {"rounds": 4})), "P0 P1 P2", "apart"))
    assert not any(meet(each, "P0 P1 P2") for each in stage_of(state).rounds)


def test_a_knockout_promises_nothing() -> None:
    cup = plan(format="knockout", rounds=0, table_size=3)
    state = competition(9, cup)
    with pytest.raises(Illegal, match="In a knockout results decide who meets"):
        wished(state, "P0 P1", "apart")
    state = drawn(wished(state, "P0 P1 P2", "apart", always=False))
    assert not meet(last_round(state), "P0 P1 P2")
    assert any("In a knockout" in each for each in cautions(after(entered_with(cup))))


def entered_with(cup: Any) -> Competition:
    return wished(entered("Ann Ben Cem Dana", cup), "Ann Ben", "apart", always=False)


def test_in_open_play_wishes_do_not_count() -> None:
    state = competition(4, plan(format="open_play", rounds=1, table_size=2))
    pending = commands.decide(state, DrawRound(), given(Wish((uid("player P0"), uid("player P1")), "apart")))
    assert "wishes" not in write(pending[0])
    assert not SetWish.offered(state, SetWish.buttons[0])


def test_groups_by_lot_part_those_who_never_meet() -> None:
    for seed in range(6):
        state = entered("A B C D E F G H", plan(**ALL_MEET, groups=2), root=committed(seed))
        state = wished(wished(state, "A B", "apart"), "C D", "together")
        state = after(state, *commands.start(state))
        of = {entry: number for number, group in enumerate(stage_of(state).groups) for entry in group}
        assert of[uid("A")] != of[uid("B")]
        assert of[uid("C")] == of[uid("D")]


# ---- Fixed tables --------------------------------------------------------------------------------


FORMATS = {
    "rounds": {},
    "swiss": DUELS,
    "round robin": ALL_MEET,
    "knockout": {"format": "knockout", "rounds": 0, "table_size": 2},
}


@pytest.mark.parametrize("changes", FORMATS.values(), ids=FORMATS)
def test_who_has_a_fixed_table_sits_there_in_every_round(changes: dict[str, Any]) -> None:
    state = fixed(competition(10, plan(**changes)), "P4", 2)
    for _ in range(3):
        state = drawn(state)
        seated = {entry for table in last_round(state).tables for entry in table.entries}
        assert uid("P4") not in seated or len(last_round(state).tables) < 2 or at(state, "P4") == 2
        state = finished_round(state)


def test_a_fixed_table_moves_numbers_and_nobody_else() -> None:
    tables = last_round(drawn(competition(10, plan()))).tables
    (moved,) = tables[2].entries[:1]
    assert numbered([*tables], [FixedTable(moved, 1)]) == (tables[2], tables[0], tables[1])


def test_of_two_fixed_tables_at_one_the_lower_counts_and_the_report_says_so() -> None:
    state = competition(2, plan(table_size=2, rounds=1), lineup="single")
    state = drawn(fixed(fixed(state, "P0", 2), "P1", 1))
    assert last_round(state).report["tables"] == [1, 1]
    tables = [*last_round(drawn(competition(4, plan(table_size=2)))).tables]
    one, other = tables[1].entries
    assert numbered(tables, [FixedTable(one, 2), FixedTable(other, 1)]) == (tables[1], tables[0])


def test_a_table_is_fixed_for_one_entry_until_it_is_free_again() -> None:
    state = fixed(started("Ann Ben Cem Dana"), "Ann", 1)
    with pytest.raises(Illegal, match="Table 1 is Ann’s"):
        fixed(state, "Ben", 1)
    assert fixed(fixed(state, "Ann", 0), "Ben", 1).wishes.table_of(uid("Ben")) == 1


def test_who_has_a_fixed_table_keeps_it_when_seats_are_exchanged() -> None:
    state = drawn(fixed(competition(8, plan()), "P0", 2))
    there = next(table for table in last_round(state).tables if uid("P0") not in table.entries)
    swap = ((uid("P0"), there.entries[0]),)
    state = after(state, *decide(state, MoveSeat(1, 1, swap, "Draught")))
    assert at(state, "P0") == 2


# ---- In the log ----------------------------------------------------------------------------------


def test_a_clubs_wishes_are_in_the_cut_off_and_a_tampered_one_is_found() -> None:
    state = competition(9, plan(table_size=3))
    wish = Wish((uid("player P0"), uid("player P1"), uid("elsewhere")), "apart")
    cut_off, draw = decide(state, DrawRound(), given(wish, tables=[FixedTable(uid("player P2"), 3)]))
    assert write(cut_off)["wishes"] == {
        "between": [{"entries": [uid("P0"), uid("P1")], "wish": "apart"}],
        "tables": [{"entry": uid("P2"), "table": 3}],
    }
    assert verdict(apply(state, cut_off), draw) == "given"
    tampered = read({**write(cut_off), "wishes": {}})
    assert verdict(apply(state, tampered), draw) == "different"


def test_a_cut_off_has_the_wishes_of_the_competition() -> None:
    state = wished(competition(8, plan()), "P0 P1", "apart")
    cut_off, _ = decide(state, DrawRound())
    with pytest.raises(Illegal, match="cut-off does not match"):
        apply(state, read({**write(cut_off), "wishes": {}}))


def test_a_competitions_wish_counts_before_the_clubs_about_the_same_entries() -> None:
    state = wished(competition(4, plan(rounds=1)), "P0 P1", "apart", always=False)
    cut_off, _ = decide(state, DrawRound(), given(Wish((uid("player P1"), uid("player P0")), "apart")))
    assert [each.always for each in cut_off.wishes.between] == [False]  # type: ignore[attr-defined]


def test_stages_announced_before_know_no_wishes() -> None:
    state = competition(8, plan(editions=replace(plan().editions, draws=2, format=1, scoring=6)))
    cut_off, _ = decide(state, DrawRound(), given(Wish((uid("player P0"), uid("player P1")), "apart")))
    assert "wishes" not in write(cut_off)
    assert not SetWish.offered(state, SetWish.buttons[0])


def test_before_a_draw_the_organiser_is_told_what_is_public() -> None:
    state = wished(started("Ann Ben Cem Dana Eve Finn Gil Hal"), "Ann Ben", "apart")
    assert "Everybody will be able to read in the log: Ann and Ben never at one table." in cautions(state)
    told = cautions(fixed(state, "Ann", 9))
    assert "Ann can’t sit at table 9: there are 2." in told
    assert any("Ann and Ben never at one table and Ann always at table 9." in each for each in told)


def test_before_a_drop_in_evening_the_organiser_is_told_what_is_public() -> None:
    state = wished(entered("Ann Ben Cem Dana", plan(format="drop_in", rounds=1)), "Ann Ben", "apart")
    state = fixed(wished(state, "Cem Dana", "together", always=False), "Ann", 9)
    told = "Ann and Ben never at one table, Cem and Dana at one table if possible and Ann always at table 9."
    assert cautions(state)[1:] == [f"Everybody will be able to read in the log: {told}"]


def together(state: Competition, *given_: Wish, **verb: Any) -> list[set[str]]:
    """Who sits together in the cut-off of the next draw."""
    cut_off, _ = decide(state, DrawRound(**verb), given(*given_))
    wishes = cut_off.wishes.between  # type: ignore[attr-defined]
    assert all(each.always for each in wishes if each.wish == "together")
    return [{*map(partial(name_of, state), each.entries)} for each in wishes if each.wish == "together"]


def hopeful(state: Competition, *pairs: str) -> Competition:
    for pair in pairs:
        state = wished(state, pair, "together", always=False)
    return state


def test_who_would_sit_together_does_where_the_draw_can_keep_it() -> None:
    state = hopeful(wished(competition(8, plan()), "P0 P1", "apart"), "P0 P2", "P1 P2", "P6 P7")
    assert together(state) == [{"P0", "P2"}, {"P6", "P7"}]
    state = after(state, *decide(state, DrawRound()))
    assert meet(last_round(state), "P0 P2") and meet(last_round(state), "P6 P7")
    assert not meet(last_round(state), "P1 P2")


def test_a_hope_refuses_no_draw() -> None:
    state = hopeful(competition(8, plan(table_size=2)), "P0 P1 P2", "P0 P1", "P1 P2")
    assert together(state) == [{"P0", "P1"}]


def test_a_hope_heeds_the_sizes_that_are_chosen_for_the_round() -> None:
    state = hopeful(competition(12, plan()), "P0 P1 P2 P3")
    assert together(state) == [{"P0", "P1", "P2", "P3"}]
    assert together(state, sizes=((3, 3, 3, 3),)) == []


def test_a_cut_off_has_each_hope_that_can_be_kept() -> None:
    state = hopeful(competition(8, plan()), "P0 P1")
    cut_off, _ = decide(state, DrawRound())
    with pytest.raises(Illegal, match="cut-off does not match"):
        apply(state, read({**write(cut_off), "wishes": {}}))


def test_a_clubs_hope_gives_way_to_a_wish_of_the_competition() -> None:
    state = wished(competition(8, plan()), "P0 P1", "apart")
    hopes = [
        Wish((uid(f"player {one}"), uid("player P2")), "together", always=False) for one in ("P0", "P1", "P3")
    ]
    assert together(state, *hopes) == [{"P0", "P2"}, {"P2", "P3"}]


@pytest.mark.parametrize("changes", [ALL_MEET, {"format": "knockout", "rounds": 0, "table_size": 4}])
def test_where_a_format_promises_nothing_a_hope_is_none(changes: dict[str, Any]) -> None:
    state = hopeful(competition(8, plan(**changes)), "P0 P1")
    assert together(state) == []
    assert any("can’t keep: P0 and P1 at one table if possible." in each for each in cautions(state))


def test_groups_by_lot_put_those_together_who_would_like_to() -> None:
    for seed in range(5):
        state = entered("A B C D E F G H", plan(**ALL_MEET, groups=2), root=committed(seed))
        state = hopeful(wished(state, "A B", "apart"), "A C", "B C", "C D")
        state = after(state, *commands.start(state))
        assert any({uid("A"), uid("C"), uid("D")} <= {*group} for group in stage_of(state).groups)


def test_before_a_draw_the_organiser_is_told_which_hopes_count() -> None:
    state = hopeful(
        wished(started("Ann Ben Cem Dana Eve Finn Gil Hal"), "Ann Ben", "apart"), "Ann Cem", "Ben Cem"
    )
    told = cautions(state)
    assert any(
        "will be able to read in the log" in each and "Ann and Cem at one table if possible" in each
        for each in told
    )
    assert "The next draw can’t keep: Ben and Cem at one table if possible." in told
