"""Verbs of a competition: what each event does, and when it is refused (docs/competitions.md)."""

from dataclasses import replace

import pytest

from games.engine.refusals import Illegal
from league.core.events import Event
from league.core.state.competition import Competition, Round
from league.core.state.plan import Entering, Intake
from league.core.state.updates import Seating
from league.core.verbs import ORGANISER_VERBS, PLAYER_VERBS
from league.core.verbs.draw import Drawn
from league.core.verbs.entering import Entered, EntriesClosed, Rejected
from league.core.verbs.entries import Returned, Substituted, Withdrawn
from league.core.verbs.move_seat import SeatsMoved
from league.core.verbs.presence import Absent, CheckedIn, Present
from league.core.verbs.results import WalkedOver
from league.core.verbs.start import EntriesOpened
from league.words import reference
from tests.core import deciding as commands
from tests.core.committed import reveal_of
from tests.core.crosstable import (
    after,
    enter,
    entered,
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
    players = [uid(f"player {name}")]
    return after(state, *commands.apply_for(state, entry=uid(name), name=name, players=players))


def refused(state: Competition, *events: Event, match: str) -> None:
    with pytest.raises(Illegal, match=match):
        after(state, *events)


# ---- Entries -------------------------------------------------------------------------------------


def test_players_enter_themselves_while_entries_are_open() -> None:
    state = after(entered(""), EntriesOpened())
    assert status(apply_for(state, "Ann"), "Ann") == "entered"
    with pytest.raises(Illegal, match="not open"):
        apply_for(after(state, EntriesClosed()), "Ann")


def test_an_applicant_needs_approval_where_the_settings_ask_for_it() -> None:
    state = apply_for(after(entered("", entering=Entering(approval=True)), EntriesOpened()), "Ann")
    assert status(state, "Ann") == "applied"
    assert status(after(state, *commands.approve(state, entry=uid("Ann"))), "Ann") == "entered"
    assert status(after(state, Rejected(uid("Ann"))), "Ann") == "rejected"


def test_entries_beyond_the_limit_join_the_waiting_list() -> None:
    state = entered("Ann Ben Cem Dana", entering=Entering(places=2))
    assert [status(state, name) for name in ("Ben", "Cem", "Dana")] == ["entered", "waiting", "waiting"]
    state = after(state, *commands.withdraw(state, entry=uid("Ann")))
    assert [status(state, name) for name in ("Ben", "Cem", "Dana")] == ["entered", "entered", "waiting"]


def test_withdrawing_from_the_waiting_list_frees_no_place() -> None:
    state = entered("Ann Ben Cem Dana", entering=Entering(places=2))
    state = after(state, *commands.withdraw(state, entry=uid("Cem")))
    assert status(state, "Dana") == "waiting"


def test_a_player_can_not_be_in_two_entries() -> None:
    state = entered("Reds:Ann,Ben", lineup="boards", team_size=2)
    with pytest.raises(Illegal, match="second entry"):
        enter(state, "Blues:Ben,Cem")


def test_a_player_can_not_be_in_two_entries_in_later_rounds() -> None:
    state = started("Ann Ben Cem Dana")
    state = after(state, *commands.withdraw(state, entry=uid("Ann"), from_round=3))
    again = Entered(uid("Anna"), "Anna", (uid("player Ann"),), from_round=2)
    refused(state, again, match="second entry")
    refused(state, replace(again, from_round=3), match="Use “Return” instead")


def test_a_player_is_not_free_before_their_substitution() -> None:
    state = started("Ann Ben Cem Dana")
    zoe = uid("player Zoe")
    state = after(state, Substituted(uid("Ann"), uid("player Ann"), zoe, from_round=3))
    refused(state, Entered(uid("Anna"), "Anna", (uid("player Ann"),), from_round=2), match="second entry")
    refused(state, Entered(uid("Zoe"), "Zoe", (zoe,), from_round=2), match="second entry")
    assert after(state, Entered(uid("Anna"), "Anna", (uid("player Ann"),), from_round=3))


def test_a_player_has_one_seat_in_a_round() -> None:
    state = started("Reds:Ann,Ben Blues:Cem,Dana", lineup="boards", team_size=2)
    reds, blues = state.entries
    tables = tuple(
        Seating(uid(f"board {board}"), ((reds.id, reds.players[0]), (blues.id, player)), board=board)
        for board, player in enumerate(blues.players, 1)
    )
    state = after(state, *commands.cut_off(state))
    refused(state, Drawn(1, 1, tables, {}, reveal_of(state)), match="one seat in a round")


@pytest.mark.parametrize(
    ("team", "sentence"),
    [
        ("Reds:Ann", "2 different players"),
        ("Reds:Ann,Ann", "2 different players"),
        ("Blues:Eva,Finn", "named"),
    ],
)
def test_an_invalid_team_is_refused(team: str, sentence: str) -> None:
    state = entered("Blues:Cem,Dana", lineup="boards", team_size=2)
    name, _, players = team.partition(":")
    ids = tuple(uid(f"player {player}") for player in players.split(","))
    refused(state, Entered(uid("new"), name, ids), match=sentence)


def test_an_entry_id_is_used_once() -> None:
    state = entered("Ann")
    refused(state, Entered(uid("Ann"), "Anna", (uid("Anna"),)), match="already")


def test_check_in_is_possible_once_and_without_a_need_for_it_only_before_the_start() -> None:
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


def test_a_late_entry_waits_for_the_round_after_a_draw() -> None:
    state = started(FOUR)
    state = after(state, *commands.draw(state))
    late = after(state, *enter(state, "Eva"))
    assert late.stages[0].drawn_round == state.stages[0].drawn_round
    assert [late.entries[-1].plays((1, number)) for number in (1, 2)] == [False, True]
    refused(state, Entered(uid("Eva"), "Eva", (uid("Eva"),)), match="can play from round 2 on")


def test_a_published_round_takes_no_late_entries() -> None:
    state = published(started(FOUR), "Ann > Ben > Cem > Dana")
    refused(state, Entered(uid("Eva"), "Eva", (uid("Eva"),), from_round=1), match="from round 2 on")


def test_a_withdrawn_entry_keeps_its_points_and_is_not_drawn_again() -> None:
    state = played(started(FOUR), "Ann > Ben > Cem > Dana")
    state = after(state, *commands.withdraw(state, entry=uid("Ann"), reason="moved away"))
    state = after(state, *commands.draw(state))
    assert seated(state) == [{"Ben", "Cem", "Dana"}]
    assert points(state, "Ann") == "3"


def test_a_withdrawal_during_a_round_leaves_the_entry_at_its_table() -> None:
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
        refused(state, Withdrawn(ann, repeated), match="Not taking part")
    state = after(state, *commands.withdraw(state, entry=ann))
    assert seated(state) == [{"Ben", "Cem", "Dana"}]


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


def test_a_withdrawn_entry_can_return() -> None:
    state = played(started(FOUR), "Ann > Ben > Cem > Dana")
    state = after(state, *commands.withdraw(state, entry=uid("Dana")))
    state = played(state, "Ann > Ben > Cem")
    refused(state, Returned(uid("Dana"), 1), match="published")
    state = after(state, Returned(uid("Dana"), 3))
    assert seated(after(state, *commands.draw(state))) == [{*FOUR.split()}]


def test_a_substitute_plays_for_the_entry_from_a_round_on() -> None:
    state = played(started(FOUR), "Ann > Ben > Cem > Dana")
    new = uid("player Zoe")
    state = after(state, *commands.substitute(state, entry=uid("Ann"), out=uid("player Ann"), into=new))
    state = after(state, *commands.draw(state))
    assert new in {seat.player for seat in table_at(state, "Ann").seats}
    assert points(state, "Ann") == "3"


def _earned(state: Competition, round_: int) -> tuple[str, str]:
    """Return who plays for Ann in a round of the first stage, and who earns the points there."""
    ann, at = state.entry(uid("Ann")), (1, round_)
    return ann.lineup(at)[0], ann.owners_at(at)[0]


def _of_round_two(state: Competition, *swaps: str) -> tuple[str, str]:
    """Return who plays for Ann in round 2 after each "out into points", and for whose points."""
    for out, into, points_of in map(str.split, swaps):
        named = {"out": uid(f"player {out}"), "into": uid(f"player {into}"), "points": points_of}
        state = after(state, *commands.substitute(state, entry=uid("Ann"), **named))
    state = played(state, "Cem > Ben > Ann > Dana")
    player, owner = _earned(state, 2)
    names = {uid(f"player {name}"): name for name in (*FOUR.split(), "Zoe", "Yve")}
    return names[player], names[owner]


@pytest.mark.parametrize(
    ("swaps", "found"),
    [
        ((), ("Ann", "Ann")),
        (("Ann Zoe entry",), ("Zoe", "Ann")),
        (("Ann Zoe stand_in",), ("Zoe", "Zoe")),
        (("Ann Zoe stand_in", "Zoe Yve entry"), ("Yve", "Ann")),
        (("Ann Zoe entry", "Zoe Yve stand_in"), ("Yve", "Yve")),
        (("Ann Zoe stand_in", "Zoe Ann entry"), ("Ann", "Ann")),
    ],
)
def test_the_club_says_whose_points_a_stand_in_earns(swaps: tuple[str, ...], found: tuple[str, str]) -> None:
    state = played(started(FOUR), "Ann > Ben > Cem > Dana")
    assert _of_round_two(state, *swaps) == found


def test_whose_points_they_are_changes_no_standings_and_no_earlier_round() -> None:
    state = played(started(FOUR), "Ann > Ben > Cem > Dana")
    stands_in = {"entry": uid("Ann"), "out": uid("player Ann"), "into": uid("player Zoe")}
    own = after(state, *commands.substitute(state, **stands_in, points="stand_in"))
    assert standings(own) == standings(after(state, *commands.substitute(state, **stands_in)))
    assert _earned(own, 1) == (uid("player Ann"), uid("player Ann"))


def test_who_replaces_a_player_before_the_first_round_earns_the_points() -> None:
    state = started(FOUR)
    named = {"entry": uid("Ann"), "out": uid("player Ann"), "into": uid("player Zoe")}
    state = played(after(state, *commands.substitute(state, **named)), "Ann > Ben > Cem > Dana")
    assert _earned(state, 1) == (uid("player Zoe"), uid("player Zoe"))


@pytest.mark.parametrize(
    ("out", "into", "sentence"), [("Ben", "Zoe", "Only a player"), ("Ann", "Ben", "second")]
)
def test_a_substitute_replaces_a_player_of_the_entry_and_plays_for_no_other(
    out: str, into: str, sentence: str
) -> None:
    change = Substituted(uid("Ann"), uid(f"player {out}"), uid(f"player {into}"))
    refused(started(FOUR), change, match=sentence)


def test_an_absent_entry_is_left_out_of_that_round_only() -> None:
    state = after(started(FOUR), Absent(uid("Dana"), 1, "at the dentist"))
    state = played(state, "Ann > Ben > Cem")
    assert seated(after(state, *commands.draw(state))) == [{*FOUR.split()}]
    refused(state, Absent(uid("Dana"), 1), match="published")


def test_an_absence_is_recorded_once() -> None:
    state = after(started(FOUR), Absent(uid("Dana"), 2))
    refused(state, Absent(uid("Dana"), 2), match="anyway")


def test_an_absence_is_cancelled_before_the_cut_off_only() -> None:
    away = after(started(FOUR), Absent(uid("Dana"), 1))
    back = after(away, *commands.present(away, entry=uid("Dana")))
    assert commands.present(back, entry=uid("Dana")) == ()
    assert seated(after(back, *commands.draw(back))) == [{*FOUR.split()}]
    refused(back, Present(uid("Dana"), 1), match="Not absent")
    refused(after(away, *commands.draw(away)), Present(uid("Dana"), 1), match="can play from round 2 on")


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


def last_round(state: Competition) -> Round:
    return state.stages[-1].rounds[-1]


def test_moving_seats_keeps_the_original_draw() -> None:
    state = started("Ann Ben Cem Dana", plan(table_size=2))
    state = after(state, *commands.draw(state))
    one, other = (table.entries[0] for table in state.stages[0].rounds[0].tables)
    moved = after(state, SeatsMoved(1, 1, ((one, other),), "they are married"))
    each = moved.stages[0].rounds[0]
    assert [table.entries[0] for table in each.tables] == [other, one]
    assert [table.entries[0] for table in each.proposed] == [one, other]
    assert each.moved == ("they are married",)


def test_an_exchange_of_seats_is_reported_as_it_is_then() -> None:
    state = played(started("Ann Ben Cem Dana", plan(table_size=2, rounds=3)), "Ann > Ben; Cem > Dana")
    state = after(state, *commands.draw(state))
    assert last_round(state).report["repeats"] == 0
    mate = {uid("Ann"): uid("Ben"), uid("Ben"): uid("Ann"), uid("Cem"): uid("Dana"), uid("Dana"): uid("Cem")}
    one, other = last_round(state).tables[0].entries
    moved = after(state, SeatsMoved(1, 2, ((other, mate[one]),), "friends"))
    assert last_round(moved).report["repeats"] == 2


def test_an_entry_with_a_bye_can_be_exchanged_with_one_at_a_table() -> None:
    state = started("Ann Ben Cem", plan(table_size=2))
    state = after(state, *commands.draw(state))
    each = state.stages[0].rounds[0]
    resting, playing = each.byes[0], each.tables[0].entries[0]
    moved = after(state, SeatsMoved(1, 1, ((playing, resting),), "has to leave early")).stages[0].rounds[0]
    assert (moved.byes[0], moved.tables[0].entries[0]) == (playing, resting)
    assert moved.tables[0].seats[0].player in state.entry(resting).players


@pytest.mark.parametrize("one", ["Ann", "Yuri"])
def test_only_entries_of_the_round_can_be_exchanged(one: str) -> None:
    state = started("Ann Ben Cem Dana", plan(table_size=2))
    state = after(state, *commands.draw(state))
    swap = ((uid(one), uid("Zoe")),)
    refused(state, SeatsMoved(1, 1, swap, "who is that?"), match="entries of the round")


def test_a_pair_that_cannot_be_exchanged_is_refused_at_its_field() -> None:
    spread = plan(table_size=2, groups=2, intake=Intake(seeding="order"))
    state = started("Ann Ben Cem Dana", spread)
    state = after(state, *commands.draw(state))
    one, other = (group[0] for group in state.stages[0].groups)
    mate = state.stages[0].groups[0][1]
    for pair, sentence in (((one, other), "name two of one group"), ((one, one), "name two entries")):
        with pytest.raises(Illegal, match=sentence) as refusal:
            after(state, SeatsMoved(1, 1, ((one, mate), pair), "wrong"))
        assert [*refusal.value.errors] == ["swaps.1"]


@pytest.mark.parametrize(
    ("tables", "byes", "sentence"),
    [
        ("Ann > Ben", "", "exactly once"),
        ("Ann > Ben > Cem > Dana", "Ann", "exactly once"),
        ("Ann > Ben; Ann > Cem", "Dana", "exactly once"),
    ],
)
def test_a_draw_must_give_every_entry_one_table_or_bye(tables: str, byes: str, sentence: str) -> None:
    with pytest.raises(Illegal, match=sentence):
        published(started(FOUR), tables, byes)


def test_a_draw_must_seat_players_of_the_entry_at_allowed_table_sizes() -> None:
    state = started("Ann Ben", seats=(2,))
    strange = Seating(uid("t"), ((uid("Ann"), uid("player Eva")), (uid("Ben"), uid("player Ben"))))
    state = after(state, *commands.cut_off(state))
    refused(state, Drawn(1, 1, (strange,), {}, reveal_of(state)), match="player of its entry")
    with pytest.raises(Illegal, match="not for 3"):
        published(started("Ann Ben Cem", seats=(2,)), "Ann > Ben > Cem")


def test_a_published_round_is_not_drawn_again() -> None:
    state = published(started(FOUR), "Ann > Ben > Cem > Dana")
    with pytest.raises(Illegal, match="being played"):
        commands.draw(state)


def test_every_table_needs_its_own_game() -> None:
    state = started(FOUR, plan(table_size=2))
    state = after(state, *commands.draw(state))
    one, other = (table.id for table in state.stages[0].rounds[0].tables)
    with pytest.raises(Illegal, match="needs a game"):
        commands.publish(state, games={one: [uid("g")]})
    with pytest.raises(Illegal, match="only one table"):
        commands.publish(state, games={one: [uid("g")], other: [uid("g")]})


def test_a_round_closes_when_all_tables_are_decided_or_void() -> None:
    state = published(started(FOUR), "Ann > Ben; Cem > Dana")
    state = after(state, result(table_at(state, "Ann"), "Ann > Ben"))
    with pytest.raises(Illegal, match="1 of the round's tables"):
        commands.close_round(state)
    state = after(state, *commands.close_round(state, void_undecided="the hall closes"))
    assert table_at(state, "Cem").status == "void"
    assert standings(state)[0] == "Ann 3"


def test_whoever_may_use_a_verb_may_write_an_event_of_it() -> None:
    for verb in {*ORGANISER_VERBS.values(), *PLAYER_VERBS.values()}:
        said = {role for each in reference.events_of(verb) for role in each.said_by}
        roles = {"player"} if verb.own is not None else set()
        roles |= {"kiosk"} if verb.at_kiosk else set()
        roles |= {"scorekeeper"} if verb.audience.startswith("scorekeepers") else set()
        elsewhere = verb.key in ("check-in-all", "complete-draw", "start")
        assert elsewhere or roles <= said, verb
