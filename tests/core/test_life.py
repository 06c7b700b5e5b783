"""The life of a competition: what each event does, and when it is refused (docs/competitions.md)."""

from dataclasses import replace
from typing import Any

import pytest

from games.engine.refusals import Illegal
from league.core.events import Event
from league.core.state.competition import Competition
from league.core.state.plan import Entering, Placing
from league.core.state.seating import Seating
from league.core.verbs.absent import Absent
from league.core.verbs.adjust import Adjusted
from league.core.verbs.cancel import Cancelled
from league.core.verbs.check_in import CheckedIn
from league.core.verbs.close_entries import EntriesClosed
from league.core.verbs.draw import Drawn
from league.core.verbs.enter import Entered
from league.core.verbs.finish import Finished
from league.core.verbs.move_seat import SeatsMoved
from league.core.verbs.no_show import NoShow
from league.core.verbs.open import EntriesOpened
from league.core.verbs.pause import Paused
from league.core.verbs.present import Present
from league.core.verbs.reject import Rejected
from league.core.verbs.replay import Replayed
from league.core.verbs.result import ResultRecorded
from league.core.verbs.resume import Resumed
from league.core.verbs.return_entry import Returned
from league.core.verbs.rule import Ruled
from league.core.verbs.start import Started
from league.core.verbs.start_stage import StageStarted
from league.core.verbs.substitute import Substituted
from league.core.verbs.void import Voided
from league.core.verbs.walk_over import WalkedOver
from league.core.verbs.withdraw import Withdrawn
from tests.core import deciding as commands
from tests.core.crosstable import (
    after,
    enter,
    entered,
    placings,
    plan,
    played,
    points,
    published,
    result,
    seated,
    standings,
    started,
    table_at,
)
from tests.core.ids import uid

FOUR = "Ann Ben Cem Dana"


def status(state: Competition, name: str) -> str:
    return state.entry(uid(name)).status


def apply_for(state: Competition, name: str) -> Competition:
    return after(
        state, *commands.apply_for(state, entry=uid(name), name=name, players=[uid(f"player {name}")])
    )


def refused(state: Competition, *events: Event, match: str) -> None:
    with pytest.raises(Illegal, match=match):
        after(state, *events)


# ---- Entries -------------------------------------------------------------------------------------


def test_players_enter_themselves_while_entries_are_open() -> None:
    state = after(entered(""), EntriesOpened())
    assert status(apply_for(state, "Ann"), "Ann") == "entered"
    with pytest.raises(Illegal, match="not open"):
        apply_for(after(state, EntriesClosed()), "Ann")


def test_an_applicant_waits_for_an_organiser_where_that_is_asked() -> None:
    state = apply_for(after(entered("", entering=Entering(approval=True)), EntriesOpened()), "Ann")
    assert status(state, "Ann") == "applied"
    assert status(after(state, *commands.approve(state, entry=uid("Ann"))), "Ann") == "entered"
    assert status(after(state, Rejected(uid("Ann"))), "Ann") == "rejected"


def test_beyond_the_places_there_is_a_waiting_list() -> None:
    state = entered("Ann Ben Cem", entering=Entering(places=2))
    assert [status(state, name) for name in ("Ann", "Ben", "Cem")] == ["entered", "entered", "waiting"]
    state = after(state, *commands.withdraw(state, entry=uid("Ann")))
    assert [status(state, name) for name in ("Ann", "Ben", "Cem")] == ["withdrawn", "entered", "entered"]


def test_who_only_waited_makes_no_room_by_leaving() -> None:
    state = entered("Ann Ben Cem Dana", entering=Entering(places=2))
    state = after(state, *commands.withdraw(state, entry=uid("Cem")))
    assert status(state, "Dana") == "waiting"


def test_nobody_plays_for_two_entries() -> None:
    state = entered("Reds:Ann,Ben", lineup="boards", team_size=2)
    with pytest.raises(Illegal, match="second entry"):
        enter(state, "Blues:Ben,Cem")


def test_nobody_plays_for_two_entries_in_rounds_to_come() -> None:
    state = started("Ann Ben Cem Dana")
    state = after(state, *commands.withdraw(state, entry=uid("Ann"), from_round=3))
    again = Entered(uid("Anna"), "Anna", (uid("player Ann"),), from_round=2)
    refused(state, again, match="second entry")
    late = after(state, replace(again, from_round=3))
    assert late.entry(uid("Anna")).takes_part((1, 3))


def test_who_will_be_substituted_plays_for_nobody_else_before() -> None:
    state = started("Ann Ben Cem Dana")
    zoe = uid("player Zoe")
    state = after(state, Substituted(uid("Ann"), uid("player Ann"), zoe, from_round=3))
    refused(state, Entered(uid("Anna"), "Anna", (uid("player Ann"),), from_round=2), match="second entry")
    refused(state, Entered(uid("Zoe"), "Zoe", (zoe,), from_round=2), match="second entry")
    assert after(state, Entered(uid("Anna"), "Anna", (uid("player Ann"),), from_round=3))


def test_a_player_sits_once_in_a_round() -> None:
    state = started("Reds:Ann,Ben Blues:Cem,Dana", lineup="boards", team_size=2)
    reds, blues = state.entries
    tables = tuple(
        Seating(uid(f"board {board}"), ((reds.id, reds.players[0]), (blues.id, player)), board=board)
        for board, player in enumerate(blues.players, 1)
    )
    refused(state, Drawn(1, 1, tables, {}), match="one seat in a round")


@pytest.mark.parametrize(
    ("team", "sentence"),
    [
        ("Reds:Ann", "2 different players"),
        ("Reds:Ann,Ann", "2 different players"),
        ("Blues:Eva,Finn", "named"),
    ],
)
def test_an_entry_is_a_team_of_its_own(team: str, sentence: str) -> None:
    state = entered("Blues:Cem,Dana", lineup="boards", team_size=2)
    name, _, players = team.partition(":")
    ids = tuple(uid(f"player {player}") for player in players.split(","))
    refused(state, Entered(uid("new"), name, ids), match=sentence)


def test_an_entry_is_made_once() -> None:
    state = entered("Ann")
    refused(state, Entered(uid("Ann"), "Anna", (uid("Anna"),)), match="already")


def test_check_in_is_once_and_before_the_start() -> None:
    state = after(entered("Ann Ben"), CheckedIn(uid("Ann")))
    refused(state, CheckedIn(uid("Ann")), match="already")
    refused(started("Ann Ben"), CheckedIn(uid("Ann")), match="started")


# ---- Coming, going, staying away -----------------------------------------------------------------


def test_a_late_entry_plays_from_its_round_on() -> None:
    state = played(started(FOUR), "Ann > Ben > Cem > Dana")
    state = after(state, *enter(state, "Eva"))
    assert points(state, "Eva") == "0"
    state = played(state, "Eva > Ann > Ben > Cem > Dana")
    assert points(state, "Eva") == "3"


def test_a_late_entry_lets_an_unpublished_draw_fall_away() -> None:
    state = started(FOUR)
    state = after(state, *commands.draw(state))
    state = after(state, *enter(state, "Eva"))
    assert commands.next_step(state) == "draw"


def test_nobody_enters_a_round_that_is_published() -> None:
    state = published(started(FOUR), "Ann > Ben > Cem > Dana")
    refused(state, Entered(uid("Eva"), "Eva", (uid("Eva"),), from_round=1), match="from round 2 on")


def test_who_withdraws_keeps_what_was_won_and_is_drawn_no_more() -> None:
    state = played(started(FOUR), "Ann > Ben > Cem > Dana")
    state = after(state, *commands.withdraw(state, entry=uid("Ann"), reason="moved away"))
    state = after(state, *commands.draw(state))
    assert seated(state) == [{"Ben", "Cem", "Dana"}]
    assert points(state, "Ann") == "3"


def test_who_withdraws_during_a_round_still_sits_at_the_table() -> None:
    state = published(started(FOUR), "Ann > Ben; Cem > Dana")
    state = after(state, *commands.withdraw(state, entry=uid("Ann")))
    state = after(state, WalkedOver(table_at(state, "Ann").id, (uid("Ben"),)))
    assert (points(state, "Ann"), points(state, "Ben")) == ("0", "3")


def test_a_second_withdrawal_brings_the_first_forward_and_never_puts_it_off() -> None:
    state = started(FOUR)
    ann = uid("Ann")
    state = after(state, *commands.withdraw(state, entry=ann, from_round=9))
    state = after(state, *commands.draw(state))
    earlier = commands.withdraw(state, entry=ann, from_round=2)
    assert [event.from_round for event in earlier if isinstance(event, Withdrawn)] == [2]
    state = after(state, *earlier)
    assert state.stage and state.stage.drawn_round
    assert [state.entry(ann).takes_part((1, number)) for number in (1, 2)] == [True, False]
    for repeated in (2, 9):
        assert commands.withdraw(state, entry=ann, from_round=repeated) == ()
        refused(state, Withdrawn(ann, repeated), match="does not take part")
    state = after(state, *commands.withdraw(state, entry=ann))
    assert state.stage and not state.stage.drawn_round


def test_a_repeated_withdrawal_writes_nothing_after_its_round_is_published() -> None:
    state = started(FOUR)
    state = after(state, *commands.withdraw(state, entry=uid("Ann"), from_round=1))
    state = published(state, "Ben > Cem > Dana")
    assert commands.withdraw(state, entry=uid("Ann"), from_round=1) == ()
    assert commands.withdraw(state, entry=uid("Ann")) == ()


def test_a_withdrawal_between_two_periods_leaves_the_earlier_period_as_it_was() -> None:
    state = started(FOUR)
    ann = uid("Ann")
    state = after(state, Withdrawn(ann, 2), Returned(ann, 5), Withdrawn(ann, 4))
    assert [state.entry(ann).takes_part((1, number)) for number in (1, 2, 3, 5)] == [
        True,
        False,
        False,
        False,
    ]


def test_who_has_withdrawn_may_come_back() -> None:
    state = played(started(FOUR), "Ann > Ben > Cem > Dana")
    state = after(state, *commands.withdraw(state, entry=uid("Dana")))
    state = played(state, "Ann > Ben > Cem")
    refused(state, Returned(uid("Dana"), 1), match="published")
    state = after(state, Returned(uid("Dana"), 3))
    assert seated(after(state, *commands.draw(state))) == [{*FOUR.split()}]


def test_a_substitute_sits_for_the_entry_from_a_round_on() -> None:
    state = played(started(FOUR), "Ann > Ben > Cem > Dana")
    new = uid("player Zoe")
    state = after(state, *commands.substitute(state, entry=uid("Ann"), out=uid("player Ann"), into=new))
    state = after(state, *commands.draw(state))
    assert new in {seat.player for seat in table_at(state, "Ann").seats}
    assert points(state, "Ann") == "3"


@pytest.mark.parametrize(
    ("out", "into", "sentence"), [("Ben", "Zoe", "Only a player"), ("Ann", "Ben", "second")]
)
def test_a_substitute_takes_the_place_of_a_player_and_is_free(out: str, into: str, sentence: str) -> None:
    change = Substituted(uid("Ann"), uid(f"player {out}"), uid(f"player {into}"))
    refused(started(FOUR), change, match=sentence)


def test_who_is_absent_is_not_drawn_that_round_and_only_that_round() -> None:
    state = after(started(FOUR), Absent(uid("Dana"), 1, "at the dentist"))
    state = played(state, "Ann > Ben > Cem")
    assert seated(after(state, *commands.draw(state))) == [{*FOUR.split()}]
    refused(state, Absent(uid("Dana"), 1), match="published")


def test_an_absence_is_told_once() -> None:
    state = after(started(FOUR), Absent(uid("Dana"), 2))
    refused(state, Absent(uid("Dana"), 2), match="anyway")


def test_an_absence_is_taken_back_and_the_draw_without_falls_away() -> None:
    state = after(started(FOUR), Absent(uid("Dana"), 1))
    state = after(state, *commands.draw(state))
    state = after(state, *commands.present(state, entry=uid("Dana")))
    assert commands.present(state, entry=uid("Dana")) == ()
    assert seated(after(state, *commands.draw(state))) == [{*FOUR.split()}]
    refused(state, Present(uid("Dana"), 1), match="not absent")


# ---- Rounds --------------------------------------------------------------------------------------


def test_a_round_is_drawn_reviewed_published_played_and_closed() -> None:
    state = started(FOUR)
    steps = [commands.next_step(state)]
    state = after(state, *commands.draw(state))
    steps.append(commands.next_step(state))
    [table] = state.stages[0].rounds[0].tables
    state = after(state, *commands.publish(state, games={table.id: [uid("game")]}))
    steps.append(commands.next_step(state))
    state = after(state, result(table_at(state, "Ann"), "A > B > C > D"))
    steps.append(commands.next_step(state))
    state = after(state, *commands.close_round(state))
    assert [*steps, commands.next_step(state)] == ["draw", "publish", "play", "close_round", "draw"]


def test_seats_are_moved_and_what_was_drawn_is_kept() -> None:
    state = started("Ann Ben Cem Dana", plan(table_size=2))
    state = after(state, *commands.draw(state))
    one, other = (table.entries[0] for table in state.stages[0].rounds[0].tables)
    moved = after(state, SeatsMoved(1, 1, ((one, other),), "they are married"))
    each = moved.stages[0].rounds[0]
    assert [table.entries[0] for table in each.tables] == [other, one]
    assert [table.entries[0] for table in each.proposed] == [one, other]
    assert each.moved == ("they are married",)


def test_who_has_a_bye_changes_places_with_somebody_at_a_table() -> None:
    state = started("Ann Ben Cem", plan(table_size=2))
    state = after(state, *commands.draw(state))
    each = state.stages[0].rounds[0]
    resting, playing = each.byes[0], each.tables[0].entries[0]
    moved = after(state, SeatsMoved(1, 1, ((playing, resting),), "has to leave early")).stages[0].rounds[0]
    assert (moved.byes[0], moved.tables[0].entries[0]) == (playing, resting)
    assert moved.tables[0].seats[0].player in state.entry(resting).players


@pytest.mark.parametrize("one", ["Ann", "Yuri"])
def test_only_entries_of_the_round_change_places(one: str) -> None:
    state = started("Ann Ben Cem Dana", plan(table_size=2))
    state = after(state, *commands.draw(state))
    swap = ((uid(one), uid("Zoe")),)
    refused(state, SeatsMoved(1, 1, swap, "who is that?"), match="entries of the round")


@pytest.mark.parametrize(
    ("tables", "byes", "sentence"),
    [
        ("Ann > Ben", "", "exactly once"),
        ("Ann > Ben > Cem > Dana", "Ann", "exactly once"),
        ("Ann > Ben; Ann > Cem", "Dana", "exactly once"),
    ],
)
def test_a_draw_gives_everybody_one_place(tables: str, byes: str, sentence: str) -> None:
    with pytest.raises(Illegal, match=sentence):
        published(started(FOUR), tables, byes)


def test_a_draw_seats_only_players_of_the_entry_at_tables_the_game_allows() -> None:
    state = started("Ann Ben", seats=(2,))
    strange = Seating(uid("t"), ((uid("Ann"), uid("player Eva")), (uid("Ben"), uid("player Ben"))))
    refused(state, Drawn(1, 1, (strange,), {}), match="player of its entry")
    with pytest.raises(Illegal, match="not for 3"):
        published(started("Ann Ben Cem", seats=(2,)), "Ann > Ben > Cem")


def test_a_published_round_is_not_drawn_again() -> None:
    state = published(started(FOUR), "Ann > Ben > Cem > Dana")
    with pytest.raises(Illegal, match="being played"):
        commands.draw(state)


def test_every_table_needs_a_game_of_its_own() -> None:
    state = started(FOUR, plan(table_size=2))
    state = after(state, *commands.draw(state))
    one, other = (table.id for table in state.stages[0].rounds[0].tables)
    with pytest.raises(Illegal, match="needs a game"):
        commands.publish(state, games={one: [uid("g")]})
    with pytest.raises(Illegal, match="only one table"):
        commands.publish(state, games={one: [uid("g")], other: [uid("g")]})


def test_a_round_closes_when_all_is_decided_or_the_rest_is_void() -> None:
    state = published(started(FOUR), "Ann > Ben; Cem > Dana")
    state = after(state, result(table_at(state, "Ann"), "Ann > Ben"))
    with pytest.raises(Illegal, match="1 of the round's tables"):
        commands.close_round(state)
    state = after(state, *commands.close_round(state, void_undecided="the hall closes"))
    assert table_at(state, "Cem").status == "void"
    assert standings(state)[0] == "Ann 3"


# ---- Tables --------------------------------------------------------------------------------------


@pytest.fixture
def at_table() -> Competition:
    return published(started("Ann Ben"), "Ann > Ben")


def test_a_result_is_recorded_once(at_table: Competition) -> None:
    recorded = result(table_at(at_table, "Ann"), "Ann > Ben")
    state = after(at_table, recorded)
    assert commands.record_result(state, result=recorded) == ()
    refused(state, recorded, match="recorded already")


@pytest.mark.parametrize("text", ["Ann > Ben > Cem", "Ann"])
def test_a_result_names_every_seat(at_table: Competition, text: str) -> None:
    refused(at_table, result(table_at(at_table, "Ann"), text), match="each seat")


@pytest.mark.parametrize("ranks", [(3, 3), (1, 3), (2, 3)])
def test_ranks_count_from_one_and_leave_no_gap(at_table: Competition, ranks: tuple[int, int]) -> None:
    wrong = tuple(Placing(seat, rank, 0) for seat, rank in enumerate(ranks))
    refused(at_table, Ruled(table_at(at_table, "Ann").id, wrong, "so be it"), match="count from 1")


def test_an_abandoned_game_waits_for_an_organiser(at_table: Competition) -> None:
    table = table_at(at_table, "Ann")
    over = ResultRecorded(table.id, table.games[0].id, "0" * 64, "abandoned", ())
    state = after(at_table, over)
    assert commands.next_step(state) == "rule"
    assert commands.next_step(after(state, Voided(table.id, "no time"))) == "close_round"
    assert commands.next_step(after(state, Ruled(table.id, placings("Ann > Ben"), "clear"))) == "close_round"
    again = after(state, Replayed(table.id, table.games[0].id, uid("again")))
    assert commands.next_step(again) == "play"


def test_an_outcome_is_for_somebody_who_sits_there(at_table: Competition) -> None:
    refused(at_table, NoShow(table_at(at_table, "Ann").id, uid("Cem")), match="no seat")
    refused(at_table, WalkedOver(table_at(at_table, "Ann").id, (uid("Cem"),)), match="of the table")


def test_a_ruling_may_be_replaced_and_a_void_table_revived(at_table: Competition) -> None:
    table = table_at(at_table, "Ann").id
    other_way = (Placing(0, 2, 0), Placing(1, 1, 1))
    state = after(at_table, Voided(table, "a wrong pack"), Ruled(table, other_way, "found it"))
    assert standings(state)[0] == "Ben 3"
    assert standings(after(state, Ruled(table, placings("Ann > Ben"), "no, the other")))[0] == "Ann 3"


def test_a_table_is_void_once(at_table: Competition) -> None:
    table = table_at(at_table, "Ann").id
    refused(after(at_table, Voided(table, "why")), Voided(table, "why"), match="already")
    refused(at_table, Voided(uid("elsewhere"), "why"), match="no such table")


def test_nothing_is_said_of_a_table_before_its_round_is_published() -> None:
    state = started("Ann Ben")
    state = after(state, *commands.draw(state))
    refused(state, Voided(table_at(state, "Ann").id, "why"), match="not published")


# ---- The whole -----------------------------------------------------------------------------------


def test_a_pause_stops_rounds_but_not_games(at_table: Competition) -> None:
    state = after(at_table, Paused("dinner"), result(table_at(at_table, "Ann"), "Ann > Ben"))
    assert commands.next_step(state) == "none"
    with pytest.raises(Illegal, match="not running"):
        commands.close_round(state)
    assert commands.next_step(after(state, Resumed())) == "close_round"


@pytest.mark.parametrize("last", [Cancelled("snow"), Finished()])
def test_nothing_follows_the_end(last: Any) -> None:
    state = after(played(started("Ann Ben"), "Ann > Ben"), last)
    refused(state, Adjusted(uid("Ann"), "1", "too late"), match="over")
    assert commands.next_step(state) == "none"


def test_a_competition_does_not_finish_in_mid_round(at_table: Competition) -> None:
    refused(at_table, Finished(), match="still open")


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Paused(), "Only a running"),
        (Resumed(), "not paused"),
        (Finished(), "Only a running"),
        (StageStarted(1, ((uid("Ann"),),)), "not running"),
    ],
)
def test_nothing_runs_before_the_start(event: Event, sentence: str) -> None:
    refused(entered("Ann Ben"), event, match=sentence)


def test_one_entry_is_no_competition() -> None:
    refused(entered("Ann"), Started(), match="too few")


def test_what_happened_before_the_start_does_not_happen_after_it() -> None:
    for event in (EntriesOpened(), EntriesClosed(), Started()):
        refused(started("Ann Ben"), event, match="has started")
