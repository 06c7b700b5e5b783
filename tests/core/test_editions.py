"""Stages keep the editions of draw engine, format and scoring that the log named when they were announced."""

import itertools
from collections.abc import Iterable, Mapping

import pytest

from games.engine import shapes
from games.engine.chance import Chance
from games.engine.refusals import Illegal, Malformed
from games.engine.values import replace
from league.core import formats, plans, scoring
from league.core.drawing import drawing
from league.core.drawing.draw import Draw
from league.core.events import apply, read, write
from league.core.formats.rounds import Rounds
from league.core.intake import taken_in
from league.core.state.competition import Competition, Pending, Stage
from league.core.state.cut_offs import CutOff, Reveal
from league.core.state.plan import Editions, Intake, StagePlan
from league.core.verbs.cut_off import draw_lots
from league.core.verbs.stages import AddSeason, StageAdded
from league.core.verbs.start import opening_of
from tests.core import deciding as commands
from tests.core.crosstable import entered, opening, plan, played, started
from tests.core.formats.played import drawn

FIRST = Editions(draws=1, format=1, scoring=1)


class InOrder(Rounds):
    """A second edition of a format, which draws nobody."""

    edition = 2

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        return Draw(idle=stage.entries)


@pytest.fixture
def second_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    """A release whose newest edition of `rounds` is the second."""
    monkeypatch.setitem(formats.EARLIER, ("rounds", 1), formats.find("rounds"))
    monkeypatch.setitem(formats.BY_KEY, "rounds", InOrder())


def test_an_opening_names_the_newest_editions() -> None:
    written = shapes.write(opening_of(opening(plan(editions=Editions()))))
    assert written["stages"][0]["editions"] == {"draws": 5, "format": 1, "scoring": 9}  # type: ignore


@pytest.mark.usefixtures("second_edition")
def test_a_stage_keeps_its_edition_when_there_is_a_newer_one() -> None:
    state = started("Ann Ben Cem Dana", plan(editions=FIRST))
    assert isinstance(formats.of(state.plans[0]), Rounds)
    assert len(drawn(state).stages[0].rounds[0].tables) == 1


@pytest.mark.usefixtures("second_edition")
def test_a_new_stage_or_season_has_the_newest_edition() -> None:
    newest = Editions(draws=5, format=2, scoring=9)
    assert plans.with_editions(plan()).editions == newest
    state = played(started("Ann Ben Cem Dana", plan(editions=FIRST)), "Ann > Ben > Cem > Dana")
    (event,) = commands.decide(state, AddSeason(name="Spring"))
    assert isinstance(event, StageAdded)
    assert event.stage.editions == newest


UNKNOWN: Mapping[str, tuple[StagePlan, str]] = {
    "draws": (plan(editions=replace(FIRST, draws=7)), "Draw engine: there is no edition 7 in this release"),
    "format": (plan(editions=replace(FIRST, format=7)), "Rounds for everybody: there is no edition 7"),
    "scoring": (plan(editions=replace(FIRST, scoring=10)), "Scoring: there is no edition 10"),
}


@pytest.mark.parametrize("field", UNKNOWN)
def test_an_unknown_edition_is_refused_at_its_field(field: str) -> None:
    unknown, sentence = UNKNOWN[field]
    with pytest.raises(Malformed, match=sentence) as refused:
        opening_of(replace(opening(), stages=(unknown,)))
    assert [*refused.value.errors] == [f"stages.0.editions.{field}"]


LOGGED: Mapping[str, tuple[StagePlan, str]] = {
    **UNKNOWN,
    "none": (plan(editions=Editions()), "names the editions"),
    "unknown format": (plan(format="tomorrow", editions=FIRST), "no format tomorrow"),
    "unknown tie-break": (plan(tie_breaks=("tomorrow",), editions=FIRST), "no tie-break tomorrow"),
    "unreadable parameters": (plan(format="ladder", params={"reach": -1}, editions=FIRST), "params.reach"),
}


@pytest.mark.parametrize("case", LOGGED)
def test_a_log_with_something_unknown_is_refused(case: str) -> None:
    unknown, sentence = LOGGED[case]
    with pytest.raises(Illegal, match=sentence):
        read(write(replace(opening(), stages=(unknown,)))).begin()
    with pytest.raises(Illegal, match=sentence):
        apply(started("Ann Ben Cem Dana"), StageAdded(unknown))


def test_groups_and_lots_come_from_the_edition_that_the_stage_names(monkeypatch: pytest.MonkeyPatch) -> None:
    class Alphabetical(drawing.Drawing):
        """An engine that leaves nothing to chance."""

        @staticmethod
        def seeds(entries: Iterable[str], chance: Chance) -> tuple[str, ...]:
            return tuple(sorted(entries))

        lots = seeds

    monkeypatch.setitem(drawing.EDITIONS, 2, Alphabetical)
    intake, groups, lots = Intake(seeding="lots", divide="stack"), [], []
    for draws in (1, 2):
        announced = plan(groups=2, table_size=2, intake=intake, editions=Editions(draws, 1, 1))
        state = entered("Ann Ben Cem Dana", announced)
        entries = tuple(sorted(entry.id for entry in state.entries))
        groups.append(tuple(itertools.chain(*taken_in(state, 1, Chance(b""))[0])))
        pending = Pending(CutOff(0, "lots", 1, present=entries), 1, "", state)
        lots.append(draw_lots(pending, b"", Reveal(0, "", ())).entries)
    assert groups == [Chance(b"").shuffled("groups", entries), entries]
    assert lots == [Chance(b"").shuffled("lots", entries), entries]


def test_draws_and_points_come_from_the_edition_that_the_stage_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = played(started("Ann Ben Cem Dana", plan(editions=FIRST)), "Ann > Ben > Cem > Dana")
    stage = state.stages[0]
    other = replace(stage, plan=replace(stage.plan, editions=Editions(2, 1, 9)))

    class Other(drawing.Drawing):
        """Another engine."""

    monkeypatch.setitem(drawing.EDITIONS, 2, Other)
    monkeypatch.setitem(scoring.EDITIONS, 9, lambda *_: {})
    assert type(drawing.begun(state, stage, 2, Chance(b""))) is drawing.WithoutWishes
    assert type(drawing.begun(state, other, 2, Chance(b""))) is Other
    assert (len(scoring.records(state, stage)), scoring.records(state, other)) == (4, {})
