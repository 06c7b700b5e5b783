"""An entry that an organiser expels, whose results stay or are annulled, and one that never came."""

from itertools import chain

import pytest

from league.core.standings import ranking
from league.core.standings.outlook import outlook
from league.core.state.competition import Competition
from league.core.state.plan import Editions
from league.core.verbs.entries import ExpelEntry, ReturnEntry, WithdrawEntry
from tests.core import deciding as commands
from tests.core.crosstable import after, plan, played, published, standings, started, table_at
from tests.core.ids import uid


def expelled(*, annul: bool) -> Competition:
    """Ann is expelled while she plays Cem, after she has beaten Ben."""
    state = played(started("Ann Ben Cem Dana", plan(table_size=2)), "Ann > Ben; Cem > Dana")
    state = published(state, "Ann > Cem; Ben > Dana")
    return after(state, *commands.decide(state, ExpelEntry(uid("Ann"), "cheated", annul)))


@pytest.mark.parametrize(
    ("annul", "rows"),
    [(False, ["Cem 1", "Ben 0", "Dana 0", "Ann 1"]), (True, ["Cem 1", "Ben 0", "Dana 0", "Ann 0"])],
)
def test_the_results_of_an_expelled_entry_stay_unless_all_are_annulled_and_it_is_last_at_once(
    annul: bool, rows: list[str]
) -> None:
    state = expelled(annul=annul)
    assert standings(state)[0] == rows[0] and standings(state)[-1] == rows[-1]
    assert sorted(standings(state)) == sorted(rows)
    (*_, last), looks = ranking.standings(state, 1), outlook(state, 1)
    assert (last.rank, str(last.explanation)) == (4, "Expelled." if annul else "Expelled. 1 point.")
    assert looks and (looks[uid("Ann")].best, looks[uid("Ben")].worst) == (4, 3)


def test_an_expelled_entry_forfeits_its_table_and_is_drawn_no_more() -> None:
    state = expelled(annul=False)
    assert state.entry(uid("Ann")).status == "withdrawn"
    assert dict(table_at(state, "Ann", "Cem").outcomes) == {uid("Ann"): "forfeit"}
    assert uid("Ann") not in chain(*state.field(state.stages[0], 3))


def test_standings_after_an_earlier_round_put_last_who_was_expelled_by_then() -> None:
    state = played(started("Ann Ben Cem Dana", plan(table_size=2, rounds=5)), "Ann > Ben; Cem > Dana")
    before = standings(state)
    state = played(state, "Ann > Cem; Ben > Dana")
    state = after(state, *commands.decide(state, ExpelEntry(uid("Ann"), "cheated")))
    state = played(state, "Cem > Ben", byes="Dana")
    assert (standings(state, through=1), standings(state, through=2)[-1]) == (before, "Ann 2")
    state = after(state, *commands.decide(state, ReturnEntry(uid("Ann"))))
    assert standings(state, through=2)[-1] == "Ann 2" != standings(state)[-1]


@pytest.mark.parametrize(("scoring", "last"), [(5, False), (6, True)])
def test_who_left_and_came_to_no_table_is_last_from_then_on(scoring: int, last: bool) -> None:
    state = started("Cem Ann Ben Dana Eva", plan(table_size=2, editions=Editions(1, 1, scoring)))
    state = after(state, *commands.decide(state, WithdrawEntry(uid("Cem"))))
    state = played(state, "Ann > Ben; Dana > Eva")
    looks = outlook(state, 1)
    assert looks and (looks[uid("Cem")].best, looks[uid("Ben")].worst) == ((5, 4) if last else (3, 5))
    state = played(state, "Ben > Ann; Eva > Dana")
    told = "Did not play."
    for through in (1, 2):
        row = ranking.standings(state, 1, through)[-1]
        assert ((row.rank, row.entry, str(row.explanation)) == (5, uid("Cem"), told)) == last
    state = after(state, *commands.decide(state, ReturnEntry(uid("Cem"))))
    assert str(ranking.standings(state, 1)[-1].explanation) != told


def test_who_leaves_from_a_later_round_on_may_still_play() -> None:
    state = started("Ann Ben Cem Dana", plan(table_size=2))
    state = after(state, *commands.decide(state, WithdrawEntry(uid("Ann"), from_round=2)))
    assert not any("Did not play" in str(row.explanation) for row in ranking.standings(state, 1))
