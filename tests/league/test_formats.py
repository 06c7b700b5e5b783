"""A format says all about itself: one that two losses put out of is played, shown and printed as any."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pytest
from django.test import Client

from games.engine.chance import Chance
from games.engine.messages import text
from league.core import formats
from league.core.drawing.bracket import finishing
from league.core.drawing.draw import Draw, GroupDraw
from league.core.drawing.drawing import begun
from league.core.formats.base import Bracket, Column, Format, Match, Slot
from league.core.scoring import Reached
from league.core.state.competition import Competition as State
from league.core.state.competition import Stage, Table
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition
from league.projections.standings import compute_standings
from league.queries.competitions import state_of, step_now
from league.queries.standings import standings_of
from league.services.automatic import record_result
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened, play_all
from tests.league.test_admin_scope import logged_in
from tests.league.walking import text_of

LOST = (text("No loss"), text("One loss"), text("Out"))
PLAN = {"name": "Cup", "format": "two_losses", "rounds": 0, "table_size": 2}


class TwoLosses(Format):
    """A bracket in which one loss is not the end."""

    key = "two_losses"
    title = "Two losses"
    summary = "Who has lost twice is out; the last one left wins."
    rounds_note = "until one is left"
    rounds_asked = False
    late_entries = False
    postponable = False
    has_brackets = True

    def rounds(self, state: State, stage: Stage) -> int:
        going_on = any(len(playing) > 1 for playing in self.playing(state, stage, len(stage.rounds) + 1))
        return len(stage.rounds) + (going_on and not stage.open_round)

    def playing(self, state: State, stage: Stage, number: int) -> Sequence[Sequence[str]]:
        lost = losses(state, stage, number - 1)
        return [[one for one in field if lost[one] < 2] for field in super().playing(state, stage, number)]

    def propose(self, state: State, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing, lost = begun(state, stage, number, chance), losses(state, stage, number - 1)

        def pairs(group: int, present: Sequence[str]) -> GroupDraw:
            left = sorted((one for one in present if lost[one] < 2), key=lambda one: lost[one])
            tables = (drawing.seated(group, pair) for pair in zip(left[::2], left[1::2], strict=False))
            out = tuple(one for one in present if lost[one] == 2)
            return GroupDraw(tuple(tables), tuple(left[len(left) // 2 * 2 :]), out)

        return drawing.each_group(pairs)

    def reached(self, state: State, stage: Stage, through: int) -> dict[str, Reached]:
        lost = losses(state, stage, through)
        left = sum(lost[one] < 2 for one in stage.entries)
        return {one: Reached(1 if lost[one] < 2 else 1 + left, LOST[lost[one]]) for one in stage.entries}

    def brackets(self, state: State, stage: Stage, names: Mapping[str, str]) -> tuple[Bracket, ...]:
        return tuple(
            Bracket(tuple(columns(state, stage, names, lost)), title=LOST[lost]) for lost in range(2)
        )


def matches(stage: Stage, through: int) -> Iterator[tuple[int, Table]]:
    for each in stage.shown_rounds[:through]:
        yield from ((each.number, table) for table in each.tables if table.status == "played")


def losses(state: State, stage: Stage, through: int) -> Counter[str]:
    """How often each has lost."""
    played = (table for _number, table in matches(stage, through))
    return Counter(finishing(state, stage, stage.entries, [table])[-1] for table in played)


def columns(state: State, stage: Stage, names: Mapping[str, str], lost: int) -> Iterator[Column]:
    """The matches of those who had lost so often before, one below the other."""
    for each in stage.shown_rounds:
        before = losses(state, stage, each.number - 1)
        own = [table for _, table in matches(stage, each.number) if table in each.tables]
        shown = [table for table in own if max(before[one] for one in table.entries) == lost]
        yield Column(
            text("Round %(number)s", number=each.number),
            tuple(
                Match(tuple(Slot(names[one]) for one in table.entries), centre=1 + 3 * at)
                for at, table in enumerate(shown)
            ),
        )


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(formats.BY_KEY, TwoLosses.key, TwoLosses())


@pytest.fixture
def cup(cast: Cast) -> Competition:
    """A competition of five that ended when four had lost twice."""
    competition = opened(cast, 5, stages=[PLAN])
    act(cast.olga, competition, StartCompetition)
    competition.refresh_from_db()
    number = 0
    while step_now(state_of(competition)) == "draw":
        number += 1
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, PublishRound)
        for game in play_all(competition, number):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound)
        competition.refresh_from_db()
    act(cast.olga, competition, FinishCompetition)
    compute_standings(competition.pk)
    competition.refresh_from_db()
    return competition


def test_it_is_played_until_one_is_left(cup: Competition) -> None:
    first, *others = standings_of(cup.stages.get())
    assert first.rank == 1
    assert all(str(other.explanation).startswith("Out.") for other in others)
    assert len(others) == 4


def test_its_brackets_are_on_the_page_of_pictures_and_in_print(client: Client, cup: Competition) -> None:
    shown = client.get(f"/competitions/{cup.slug}/charts/").content.decode()
    printed = text_of(client.get(f"/competitions/{cup.slug}/print/bracket.pdf"))
    for lost in LOST[:2]:
        assert f"Bracket: {lost}" in shown
        assert lost in printed


def test_the_desk_offers_its_print(cast: Cast, cup: Competition) -> None:
    page = logged_in(cast.olga).get(f"/admin/league/competition/{cup.pk}/change/").content.decode()
    assert "/print/bracket.pdf" in page


def test_the_form_of_a_stage_says_that_it_needs_no_number_of_rounds(cast: Cast) -> None:
    form = logged_in(cast.olga).get("/admin/league/competition/add/?ruleset=tally&plan=only-two_losses")
    page = form.content.decode()
    assert '<option value="two_losses" selected>' in page
    assert "Two losses: until one is left" in page
