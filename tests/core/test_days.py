"""Days of rounds: who is away then is absent, or the tables are put off; and what is refused."""

from typing import Any

import pytest

from games.engine import shapes
from games.engine.refusals import Illegal, Malformed
from league.core.state.competition import Competition
from league.core.verb import Given, Verb
from league.core.verbs import ORGANISER_VERBS
from league.core.verbs.days import REASON, away_told, entries_away
from tests.core.crosstable import after, plan, started
from tests.core.deciding import NOW, decide
from tests.core.ids import uid

FOUR = "Ann Ben Cem Dana"
DAY = "2026-10-01"
PLANS = {
    "round robin": plan(format="round_robin", rounds=3, table_size=2),
    "swiss": plan(format="swiss", rounds=2, table_size=2),
    "evening": plan(rounds=2, table_size=2),
    "knockout": plan(format="knockout", rounds=0, table_size=2),
}
ANN = frozenset({uid("player Ann")})


def act(state: Competition, key: str, gone: frozenset[str] = ANN, **fields: Any) -> Competition:
    verb: Verb = shapes.read(ORGANISER_VERBS[key], fields)
    return after(state, *decide(state, verb, Given(uid("competition"), NOW, away=gone)))


def published(format_: str, choice: str, away: frozenset[str] = ANN) -> Competition:
    """Round 1 on a day when Ann is away, drawn and published."""
    state = act(started(FOUR, PLANS[format_]), "set-round-day", day=DAY, away=choice)
    return act(act(state, "draw", away), "publish", away)


def put_off(state: Competition) -> list[set[str]]:
    assert state.current_round
    names = {entry.id: entry.name for entry in state.entries}
    return [{names[each] for each in table.entries} for table in state.current_round.tables if table.to_come]


@pytest.mark.parametrize(
    ("format_", "choice", "tables", "absent"),
    [
        ("round robin", "put_off", 1, False),
        ("round robin", "absent", 0, True),
        ("round robin", "", 0, False),
        ("swiss", "put_off", 1, False),
        ("swiss", "absent", 0, True),
        ("evening", "put_off", 1, False),
        ("evening", "absent", 0, True),
        ("knockout", "", 0, False),
    ],
)
def test_what_the_day_says_follows_for_who_is_away(
    format_: str, choice: str, tables: int, absent: bool
) -> None:
    state = published(format_, choice)
    found = put_off(state)
    assert len(found) == tables and all("Ann" in each for each in found)
    assert ((1, 1) in state.entry(uid("Ann")).absences) is absent


@pytest.mark.parametrize("choice", ["put_off", "absent", ""])
def test_nothing_follows_where_nobody_is_away(choice: str) -> None:
    state = published("round robin", choice, frozenset())
    assert put_off(state) == [] and not any(entry.absences for entry in state.entries)


def test_a_table_that_is_put_off_is_not_lost_and_says_nothing_of_who_or_why() -> None:
    state = published("round robin", "put_off")
    assert state.current_round
    (table,) = [each for each in state.current_round.tables if each.to_come]
    assert table.postponement and table.postponement.reason == REASON and "Ann" not in REASON
    assert len(state.current_round.undecided) == 1 and table.games


def test_the_organiser_is_told_before_the_draw_and_before_the_publication() -> None:
    state = act(started(FOUR, PLANS["swiss"]), "set-round-day", day=DAY, away="absent")
    told = away_told(state, ANN)
    assert told and "They will be absent" in told
    assert [entry.name for entry in entries_away(state, ANN)] == ["Ann"]
    assert away_told(state, frozenset()) is None
    # Once marked as absent nobody is told twice.
    assert away_told(act(state, "draw"), ANN) is None


def test_a_draw_that_is_made_again_leaves_who_is_present_after_all() -> None:
    state = act(started(FOUR, PLANS["swiss"]), "set-round-day", day=DAY, away="absent")
    state = act(act(state, "draw"), "discard-draw", reason="Ann is here")
    assert uid("Ann") in {entry.id for entry in state.entries if entry.absences}
    again = act(act(state, "present", entry=uid("Ann")), "draw", frozenset())
    assert again.drawn_round and any(uid("Ann") in table.entries for table in again.drawn_round.tables)


def test_tables_of_a_knockout_are_not_put_off() -> None:
    with pytest.raises(Illegal, match="can't be put off"):
        act(started(FOUR, PLANS["knockout"]), "set-round-day", day=DAY, away="put_off")


def test_a_published_round_gets_no_other_day_and_a_later_one_does() -> None:
    state = published("swiss", "")
    with pytest.raises(Illegal, match="Round 1 is published"):
        act(state, "set-round-day", day="2026-10-02", round=1)
    later = act(state, "set-round-day", day="2026-10-08")
    found = later.day_of((1, 2))
    assert found and found.day == "2026-10-08"


def test_a_day_that_no_calendar_has_is_refused() -> None:
    with pytest.raises(Malformed):
        act(started(FOUR, PLANS["swiss"]), "set-round-day", day="2026-02-31")
