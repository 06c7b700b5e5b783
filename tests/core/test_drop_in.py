"""Drop-in: tables open by themselves for those who wait, longest first, then for who met the least."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from games.engine.refusals import Illegal, Malformed
from games.engine.values import replace
from league.core.events import Event
from league.core.open_tables import WaitingSeated, table_opened
from league.core.plans import check_plan
from league.core.standings import ranking
from league.core.state.competition import Competition, Round, Table
from league.core.state.cut_offs import NO_WISHES, Wish, Wishes, WishKind
from league.core.state.plan import Editions, Placing, Scoring
from league.core.state.rooms import Room, Rooms
from league.core.verb import Given, Verb
from league.core.verbs.presence import MarkAbsent, MarkPresent
from league.core.verbs.results import RecordResult, ResultRecorded, VoidTable
from league.core.verbs.rooms import SetRooms
from league.core.verbs.rounds import PublishRound
from league.core.verbs.tables import OpenTable, ReopenTable, SeatWaiting
from league.core.verbs.wishes import FixTable, SetWish
from league.core.verifier import verified
from tests.core import deciding as commands
from tests.core.crosstable import HEAD, after, enter, entered, name_of, opening, plan, points
from tests.core.deciding import NOW, decide
from tests.core.ids import uid

EIGHT = "Ann Ben Cem Dana Eva Finn Gus Hana"


class Evening:
    """A drop-in evening, with the events of its log."""

    def __init__(
        self,
        names: str,
        size: int = 4,
        waiting: int = 0,
        rooms: Rooms | None = None,
        wishes: Sequence[Verb] = (),
        of_people: Wishes = NO_WISHES,
        **changes: Any,
    ) -> None:
        self.of_people = of_people
        params = {"waiting": waiting} if waiting else {}
        stage = plan(format="drop_in", rounds=1, table_size=size, params=params, **changes)
        opened = opening(stage, seats=(3, 4, 5) if size > 2 else (2,))
        self.state: Competition = opened.begin()
        self.log: list[Event] = [opened]
        for name in names.split():
            self._add(enter(self.state, name))
        if rooms:
            self.act(SetRooms(rooms.rooms, rooms.without))
        for wish in wishes:
            self.act(wish)
        self._add(commands.start(self.state))
        self._add(commands.draw(self.state))
        self.act(PublishRound())

    def _add(self, events: commands.Events) -> list[Event]:
        self.log += events
        self.state = after(self.state, *events)
        return [*events]

    def act(self, verb: Verb) -> list[Event]:
        return self._add(decide(self.state, verb, Given(uid("competition"), NOW, wishes=self.of_people)))

    def here(self, name: str) -> list[Event]:
        return self.act(MarkPresent(uid(name)))

    def gone(self, name: str) -> list[Event]:
        return self.act(MarkAbsent(uid(name), 1))

    def over(self, winner: str) -> list[Event]:
        """Let the table end that somebody wins."""
        table = next(each for each in self.playing() if uid(winner) in each.entries)
        ranks = [1 if entry == uid(winner) else 2 for entry in table.entries]
        placings = tuple(Placing(seat, rank, 2 - rank) for seat, rank in enumerate(ranks))
        recorded = ResultRecorded(table.id, table.games[0].id, HEAD, "finished", placings)
        return self.act(RecordResult(**vars(recorded)))

    def enters(self, name: str) -> list[Event]:
        return self._add(enter(self.state, name))

    def playing(self) -> list[Table]:
        return [table for _, _, table in self.state.tables() if table.status == "playing"]

    def tables(self) -> list[set[str]]:
        """Return who plays at each table now."""
        return [{name_of(self.state, entry) for entry in table.entries} for table in self.playing()]

    def shown(self) -> Round:
        assert self.state.current_round is not None
        return self.state.current_round

    def numbers(self) -> list[int]:
        """Return the numbers of the tables that are played now, in the order in which they opened."""
        return [number for number, table in self.shown().numbered if table.status == "playing"]

    def waiting(self) -> list[str]:
        played = self.state.current_round
        assert played is not None and played.queue is not None
        return [name_of(self.state, entry) for entry, _since in played.queue]


def test_all_who_are_here_are_seated_by_lot_as_far_as_they_fill_tables() -> None:
    evening = Evening(f"{EIGHT} Ida Jan")
    assert [len(each) for each in evening.tables()] == [4, 4]
    seated = set[str]().union(*evening.tables())
    assert sorted([*evening.waiting(), *seated]) == sorted(f"{EIGHT} Ida Jan".split())
    assert evening.waiting() != ["Ida", "Jan"]


def test_who_comes_and_who_is_free_waits_until_they_fill_a_table() -> None:
    evening = Evening("Ann Ben Cem Dana")
    for name in ("Eva", "Finn", "Gus"):
        evening.enters(name)
        evening.here(name)
    assert evening.waiting() == ["Eva", "Finn", "Gus"] and len(evening.tables()) == 1
    said = evening.over("Ann")
    assert [type(each) for each in said[1:]] == [WaitingSeated]
    (now,) = evening.tables()
    assert {"Eva", "Finn", "Gus"} < now
    assert len(evening.waiting()) == 3


def test_who_waits_longest_has_a_seat_with_those_who_met_the_least() -> None:
    evening = Evening(EIGHT, waiting=8)
    one, other = evening.tables()
    first, second = sorted(one)[0], sorted(other)[0]
    evening.over(first)
    assert {*evening.waiting()} == one and evening.tables() == [other]
    evening.over(second)
    mixed = evening.tables()
    # The second table plays nowhere now, so that nobody else will be free: two of each sit together.
    assert [len(each & one) for each in mixed] == [2, 2]
    assert evening.waiting() == []


def test_who_has_not_played_yet_comes_after_who_lost() -> None:
    evening = Evening("Ann Ben Cem Dana Eva", scoring=Scoring(average=3), tie_breaks=("score_difference",))
    (left,) = evening.waiting()
    loser = next(name_of(evening.state, each) for each in evening.playing()[0].entries)
    evening.here(left)
    evening.over(next(each for each in ["Ann", "Ben", "Cem", "Dana", "Eva"] if each not in (left, loser)))
    rows = ranking.standings(evening.state, 1)
    assert (rows[-1].entry, rows[-1].reached) == (uid(left), "Has not played yet")
    assert rows[-2].points <= rows[0].points and rows[-2].rank < rows[-1].rank


def test_tables_of_one_group_do_not_seat_who_waits_in_another() -> None:
    names = " ".join(f"P{number}" for number in range(24))
    evening = Evening(names, waiting=7, groups=2)
    assert [len(each) for each in evening.tables()] == [4] * 6
    groups = {each: table.group for table in evening.playing() for each in table.entries}
    one, other = ([each for each in evening.playing() if each.group == group] for group in (1, 2))
    evening.over(name_of(evening.state, other[0].entries[0]))
    assert len(evening.waiting()) == 4
    for table in one[:2]:
        evening.over(name_of(evening.state, table.entries[0]))
    assert len([table for table in evening.playing() if table.group == 1]) == 3
    assert {groups[uid(name)] for name in evening.waiting()} == {2}


def test_as_soon_as_they_fill_a_table_where_nobody_plays() -> None:
    evening = Evening("Ann Ben Cem", waiting=8)
    assert evening.tables() == []
    evening.enters("Dana")
    assert evening.tables() == [{"Ann", "Ben", "Cem", "Dana"}]


def test_a_break_gives_up_the_place_in_the_queue() -> None:
    evening = Evening("Ann Ben Cem Dana Eva Finn", size=4)
    first, second = evening.waiting()
    evening.gone(first)
    assert evening.waiting() == [second]
    evening.here(first)
    assert evening.waiting() == [second, first]


def test_an_organiser_seats_all_who_wait_at_smaller_tables() -> None:
    evening = Evening("Ann Ben Cem Dana Eva Finn Gus", size=4)
    waiting = {*evening.waiting()}
    assert len(waiting) == 3
    evening.act(SeatWaiting())
    assert evening.tables()[0] == waiting or evening.tables()[1] == waiting
    with pytest.raises(Illegal, match="Too few wait"):
        evening.act(SeatWaiting())


def test_a_void_table_frees_its_players_and_does_not_count_as_met() -> None:
    evening = Evening("Ann Ben Cem Dana")
    (table,) = evening.playing()
    said = evening.act(VoidTable(table.id, "fire alarm"))
    assert isinstance(said[-1], WaitingSeated)
    assert evening.tables() == [{"Ann", "Ben", "Cem", "Dana"}]


def test_no_table_opens_after_the_time_of_the_evening_or_while_it_is_paused() -> None:
    evening = Evening("Ann Ben Cem")
    assert evening.state.current_round is not None
    late = replace(evening.state.current_round, deadline=(NOW - timedelta(minutes=1)).isoformat())
    stage = evening.state.stage
    assert stage is not None
    closed = replace(evening.state, stages=(replace(stage, rounds=(late,)),))
    assert not any(isinstance(each, WaitingSeated) for each in enter(closed, "Dana"))
    paused = replace(evening.state, status="paused")
    assert not any(isinstance(each, WaitingSeated) for each in enter(paused, "Dana"))


def test_players_open_no_tables_themselves() -> None:
    evening = Evening("Ann Ben Cem")
    given = Given(uid("competition"), NOW, role="player", player=uid("player Ann"))
    assert not OpenTable.open_to_player(evening.state, given, evening.state.entry(uid("Ann")))


def test_the_average_of_a_table_counts_with_a_minimum() -> None:
    evening = Evening("Ann Ben", size=2, scoring=Scoring(by="win", average=2))
    evening.over("Ann")
    assert (points(evening.state, "Ann"), points(evening.state, "Ben")) == ("1/2", "0")
    evening.over("Ann")
    evening.over("Ben")
    assert (points(evening.state, "Ann"), points(evening.state, "Ben")) == ("2/3", "1/3")


@pytest.mark.parametrize(
    ("format_", "scoring", "low_wins"),
    [
        pytest.param("rounds", Scoring(average=3), False, id="drawn-rounds"),
        pytest.param("drop_in", Scoring(by="score", fair=False, average=3), True, id="fewest-points-win"),
    ],
)
def test_an_average_is_refused_where_it_would_mislead(format_: str, scoring: Scoring, low_wins: bool) -> None:
    opened = replace(entered("Ann").opening, low_wins=low_wins)
    with pytest.raises(Malformed) as refused:
        check_plan(opened, plan(format=format_, scoring=scoring), None)
    assert [*refused.value.errors] == ["scoring.average"]


def test_a_log_in_which_somebody_else_was_seated_is_refused() -> None:
    evening = Evening("Ann Ben Cem Dana Eva")
    evening.over("Ann")
    *before, seated = evening.log
    assert isinstance(seated, WaitingSeated) and verified(evening.log)
    state = verified(before)
    waiting = next(name for name in evening.waiting())
    other = table_opened(
        state,
        table=seated.table,
        entries=[uid(waiting), *(entry for entry, _ in seated.seats[1:])],
        games=seated.games,
    )
    lie = WaitingSeated(**vars(other))
    with pytest.raises(Illegal, match="not those who wait longest"):
        after(state, lie)


class TestTheNumberOfATable:
    """In the hall a table keeps its number while it is played; the next one there has it again."""

    def test_is_the_smallest_one_that_is_free(self) -> None:
        evening = Evening(f"{EIGHT} Ida Jan Kim Lea")
        assert evening.numbers() == [1, 2, 3]
        second = evening.playing()[1]
        evening.over(name_of(evening.state, second.entries[0]))
        assert evening.numbers() == [1, 3, 2]
        assert evening.shown().number_of(evening.state.table(second.id)[2]) == 2

    def test_is_one_of_the_rooms_without_those_left_out(self) -> None:
        evening = Evening(
            f"{EIGHT} Ida Jan Kim Lea", rooms=Rooms((Room("Bar", 3, 4), Room("Hall", 7, 9)), (4,))
        )
        assert evening.numbers() == [3, 7, 8]
        assert evening.shown().rooms.room_of(7) == "Hall"

    def test_is_another_one_for_a_table_that_goes_on_after_its_number_was_given_away(self) -> None:
        evening = Evening("Ann Ben Cem Dana")
        (table,) = evening.playing()
        for verb in (VoidTable(table.id, "fire alarm"), ReopenTable(table.id, "false alarm")):
            evening.act(verb)
        assert evening.numbers() == [2, 1]


# ---- Wishes --------------------------------------------------------------------------------------


def wish(names: str, kind: WishKind = "apart", *, always: bool = True) -> SetWish:
    return SetWish(tuple(map(uid, names.split())), kind, always)


def breaks(tables: Sequence[set[str]], each: SetWish) -> bool:
    """Whether a table has two who are kept apart, or one of those who sit together without the others."""
    here = [sum(uid(name) in each.entries for name in table) for table in tables]
    if each.wish == "together":
        return any(number not in (0, len(each.entries)) for number in here)
    return max(here, default=0) > 1


HALF = "Ann Ben Cem Dana"


@pytest.mark.parametrize(
    ("names", "wishes", "tables"),
    [
        pytest.param(EIGHT, [wish("Ann Ben")], 2, id="apart"),
        pytest.param(EIGHT, [wish("Ann Ben"), wish("Cem Dana"), wish("Eva Finn")], 2, id="three-pairs-apart"),
        pytest.param(EIGHT, [wish("Ann Ben Cem")], 1, id="three-apart-at-two-tables"),
        pytest.param(f"{EIGHT} Ida", [wish("Ann Ben Cem")], 2, id="three-apart-and-one-waits"),
        pytest.param(EIGHT, [wish("Ann Ben", always=False)], 2, id="apart-if-possible"),
        pytest.param(EIGHT, [wish("Ann Ben", "together")], 2, id="together"),
        pytest.param(EIGHT, [wish(HALF, "together")], 2, id="a-table-together"),
        pytest.param(EIGHT, [wish("Ann Ben", "together", always=False)], 2, id="together-if-possible"),
        pytest.param(EIGHT, [wish("Ann Ben", "together"), wish("Ben Cem")], 2, id="both"),
        pytest.param(EIGHT, [wish("Ann Ben", "apart_first")], 2, id="not-in-the-only-round"),
        pytest.param(HALF, [wish("Ann Ben")], 0, id="nobody-else-is-here"),
    ],
)
def test_as_many_tables_open_as_keep_wishes(names: str, wishes: list[SetWish], tables: int) -> None:
    evening = Evening(names, wishes=wishes)
    assert len(evening.tables()) == tables
    assert not any(breaks(evening.tables(), each) for each in wishes)
    assert verified(evening.log) == evening.state


def test_who_can_sit_with_nobody_who_waits_lets_others_sit_down() -> None:
    evening = Evening(HALF, wishes=[wish("Ann Ben")])
    assert evening.tables() == [] and {*evening.waiting()} == {*HALF.split()}
    longest = next(name for name in evening.waiting() if name in ("Ann", "Ben"))
    evening.enters("Eva")
    assert evening.tables() == [{*HALF.split(), "Eva"} - {"Ann", "Ben"} | {longest}]


def test_a_wish_that_holds_if_possible_gives_way_where_nobody_else_waits() -> None:
    evening = Evening(HALF, wishes=[wish("Ann Ben", always=False), wish("Ann Cem", always=False)])
    assert evening.tables() == [{*HALF.split()}]


def test_who_sits_together_waits_for_the_other_who_still_plays() -> None:
    evening = Evening("Ann Ben Cem Dana Eva Finn Gus", wishes=())
    (playing,) = evening.tables()
    one, other = sorted(playing)[0], evening.waiting()[0]
    evening.act(wish(f"{one} {other}", "together"))
    for name in ("Hana", "Ida"):
        evening.enters(name)
    assert other in evening.waiting() and len(evening.tables()) == 2
    evening.over(one)
    assert any({one, other} <= table for table in evening.tables())


def test_an_organiser_seats_who_waits_as_far_as_wishes_allow() -> None:
    evening = Evening(HALF, wishes=[wish("Ann Ben")])
    evening.act(SeatWaiting())
    assert [len(table) for table in evening.tables()] == [3] and not breaks(evening.tables(), wish("Ann Ben"))
    evening = Evening("Ann Ben Cem", wishes=[wish("Ann Ben")])
    with pytest.raises(Illegal, match="No table for those who wait keeps their wishes"):
        evening.act(SeatWaiting())


def test_what_the_clubs_people_wish_is_in_the_log_for_who_is_here() -> None:
    pair = Wish((uid("player Ann"), uid("player Ben")), "apart")
    evening = Evening(EIGHT, of_people=Wishes((pair, Wish((uid("player Ann"), uid("elsewhere")), "apart"))))
    seated = [each for each in evening.log if isinstance(each, WaitingSeated)]
    (found,) = {each.wishes for each in seated}
    assert [each.entries for each in found.between] == [(uid("Ann"), uid("Ben"))]
    assert not breaks(evening.tables(), wish("Ann Ben")) and verified(evening.log) == evening.state


@pytest.mark.parametrize("wishes", [NO_WISHES, Wishes((Wish((uid("Cem"), uid("Dana")), "apart"),))])
def test_a_log_that_leaves_out_a_wish_is_refused(wishes: Wishes) -> None:
    evening = Evening(EIGHT, wishes=[wish("Ann Ben")])
    *before, seated = evening.log
    assert isinstance(seated, WaitingSeated)
    with pytest.raises(Illegal, match="not the wishes of those who are here"):
        after(verified(before), replace(seated, wishes=wishes))


def test_an_evening_announced_before_heeds_no_wishes() -> None:
    evening = Evening(HALF, editions=Editions(5, 1, 8))
    assert not SetWish.offered(evening.state, SetWish.buttons[0])
    evening = Evening(HALF, wishes=[wish("Ann Ben")], editions=Editions(5, 1, 8))
    assert evening.tables() == [{*HALF.split()}]


class TestAFixedTable:
    def test_is_that_of_who_has_it_as_soon_as_it_is_free(self) -> None:
        evening = Evening(EIGHT, wishes=[FixTable(uid("Ann"), 7)])
        numbers = dict(zip(evening.numbers(), evening.tables(), strict=True))
        assert "Ann" in numbers[7] and 1 in numbers

    def test_stays_free_for_who_waits(self) -> None:
        evening = Evening("Ann Ben Cem Dana Eva")
        (left,) = evening.waiting()
        evening.act(FixTable(uid(left), 1))
        for name in ("Finn", "Gus"):
            evening.enters(name)
        evening.over(name_of(evening.state, evening.playing()[0].entries[0]))
        assert len(evening.tables()) == 1
        numbers = dict(zip(evening.numbers(), evening.tables(), strict=True))
        assert left in numbers[1]

    def test_is_one_of_the_rooms(self) -> None:
        rooms = Rooms((Room("Bar", 3, 4), Room("Hall", 7, 9)), (4,))
        evening = Evening(EIGHT, rooms=rooms, wishes=[FixTable(uid("Ann"), 8), FixTable(uid("Ben"), 4)])
        numbers = dict(zip(evening.numbers(), evening.tables(), strict=True))
        assert "Ann" in numbers[8] and {*numbers} <= {3, 7, 8, 9}


@pytest.mark.parametrize("seed", range(8))
def test_an_evening_at_random(seed: int) -> None:
    """Nobody sits at two tables, nobody waits while a table's worth waits, wishes hold, the log verifies."""
    random, names = Random(seed), f"{EIGHT} Ida Jan Kim Lea Max"
    pairs = [" ".join(random.sample(names.split(), 2)) for _ in range(6)] if seed >= 4 else []
    wishes = [wish(pair, always=at < 3) for at, pair in enumerate(pairs)]
    evening = Evening(names, waiting=random.choice([0, 6, 8]), wishes=wishes)
    away: set[str] = set()
    for _ in range(60):
        free = evening.waiting()
        kind = random.random()
        if kind < 0.6 and evening.tables():
            evening.over(random.choice(sorted(random.choice(evening.tables()))))
        elif kind < 0.8 and free:
            away.add(name := random.choice(free))
            evening.gone(name)
        elif away:
            away.discard(name := random.choice(sorted(away)))
            evening.here(name)
        seated = Counter(name for table in evening.tables() for name in table)
        assert not seated or max(seated.values()) == 1
        assert not {*seated} & {*evening.waiting()}
        assert len(evening.waiting()) < (8 if evening.tables() else 4) or wishes
        assert not any(each.always and breaks(evening.tables(), each) for each in wishes)
        assert len({*evening.numbers()}) == len(evening.numbers()) and max(evening.numbers(), default=0) <= 3
    assert verified(evening.log) == evening.state
