"""Who has withdrawn returns: a second entry of the same players in a stage is refused."""

from dataclasses import replace

import pytest

from games.engine.refusals import Illegal
from league.core.verbs.entering import Entered
from league.core.verbs.entries import Returned
from tests.core import deciding as commands
from tests.core.crosstable import after, enter, entered, started
from tests.core.ids import uid

FOUR = "Ann Ben Cem Dana"


def test_a_withdrawn_player_returns_and_can_enter_anew_only_where_the_entry_has_no_part() -> None:
    before = after(entered(FOUR), *commands.withdraw(entered(FOUR), entry=uid("Ann")))
    again = Entered(uid("Anna"), "Anna", (uid("player Ann"),))
    assert after(before, again).entry(uid("Anna")).live
    state = started(FOUR)
    state = after(state, *commands.withdraw(state, entry=uid("Ann")))
    with pytest.raises(Illegal, match="Withdrawn already: Ann"):
        after(state, again)
    assert after(state, Returned(uid("Ann"), 1)).entry(uid("Ann")).live
    assert after(state, replace(again, next_stage=True)).entry(uid("Anna")).live


def test_what_is_entered_already_with_all_that_is_said_changes_nothing_again() -> None:
    state = entered("Reds:Ann,Ben", lineup="boards", team_size=2)
    assert enter(state, "Reds:Ann,Ben") == ()
    for other in ("Blues:Ann,Ben", "Reds:Ben,Ann"):
        with pytest.raises(Illegal):
            enter(state, other)
