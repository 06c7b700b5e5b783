"""Seeds of a stage of all entries: by ratings, by a series, by hand; what the log has of them."""

from collections.abc import Mapping
from typing import Any

import pytest

from games.engine.refusals import Illegal
from league.core import formats
from league.core.events import read, write
from league.core.state.competition import Competition
from league.core.state.plan import Intake
from league.core.verb import Given
from league.core.verbs.seeds import Seeded, SetSeed, SetSeeds
from league.core.verbs.stages import StartStage
from league.core.verbs.start import StartCompetition, TakeBackStart
from tests.core import deciding as commands
from tests.core.crosstable import after, entered, name_of, plan, played
from tests.core.deciding import NOW, decide
from tests.core.ids import uid

FIVE = "Ann Ben Cem Dana Eva"
RATINGS = {uid("Cem"): 1500, uid("Eva"): 1620, uid("Ann"): 1500}


def cup(seeding: Any = "rating", **changes: Any) -> Competition:
    knockout = plan(format="knockout", rounds=0, table_size=2, intake=Intake(seeding=seeding), **changes)
    return entered(FIVE, knockout)


def knowing(values: Mapping[str, int]) -> Given:
    return Given(uid("competition"), NOW, seeds=values)


def begun(state: Competition, values: Mapping[str, int]) -> Competition:
    return after(state, *decide(state, StartCompetition(), knowing(values)))


def seeds(state: Competition) -> list[str]:
    assert state.stage
    return [name_of(state, entry) for entry in state.stage.groups[0]]


def test_a_stage_that_says_so_is_seeded_by_ratings_when_it_starts() -> None:
    state = begun(cup(), RATINGS)
    assert seeds(state) == ["Eva", "Ann", "Cem", "Ben", "Dana"]
    assert (state.seeds.by, state.seeds.values) == ("rating", (1620, 1500, 1500))


@pytest.mark.parametrize("seeding", ["series", "series/year"])
def test_of_a_series_the_first_place_is_the_best(seeding: str) -> None:
    places = {uid("Cem"): 2, uid("Eva"): 7, uid("Dana"): 1}
    assert seeds(begun(cup(seeding), places)) == ["Dana", "Cem", "Eva", "Ann", "Ben"]


def test_without_an_order_entries_are_seeded_as_entered() -> None:
    assert seeds(begun(cup(), {})) == FIVE.split()
    assert seeds(begun(cup("order"), RATINGS)) == FIVE.split()


def test_seeds_by_hand_stay_at_the_start() -> None:
    state = cup()
    state = after(state, *decide(state, SetSeeds("rating"), knowing(RATINGS)))
    state = after(state, *decide(state, SetSeed(uid("Dana"), 2)))
    assert seeds(begun(state, RATINGS)) == ["Eva", "Dana", "Ann", "Cem", "Ben"]


@pytest.mark.parametrize(
    ("second", "by_hand", "seeded"),
    [
        ("series", False, "Ben Cem Ann Dana Eva"),
        ("order", False, FIVE),
        ("series", True, "Ben Cem Ann Dana Eva"),
        ("order", True, FIVE),
    ],
)
def test_seeds_are_those_of_one_stage(second: Any, by_hand: bool, seeded: str) -> None:
    rounds = plan(format="rounds", rounds=1, table_size=5, intake=Intake(seeding="rating"))
    cup = plan(format="knockout", rounds=0, table_size=2, intake=Intake(seeding=second))
    state = entered(FIVE, rounds, cup)
    if by_hand:
        state = after(state, *decide(state, SetSeed(uid("Dana"), 1)))
    state = played(begun(state, RATINGS), "Ann > Ben > Cem > Dana > Eva")
    places = knowing({uid("Ben"): 1, uid("Cem"): 2} if second == "series" else {})
    assert seeds(after(state, *decide(state, StartStage(), places))) == seeded.split()


@pytest.mark.parametrize(
    ("by", "order", "values"),
    [
        pytest.param("entered", "Eva Dana Cem Ben Ann", (), id="not-the-order-of-entering"),
        pytest.param("rating", "Cem Ann Ben Dana Eva", (1500, 1500), id="level-ones-not-as-entered"),
        pytest.param("rating", "Ann Eva Dana Cem Ben", (1500,), id="those-without-not-as-entered"),
        pytest.param("rating", "Ann Cem", (1500, 1500), id="some-left-out"),
        pytest.param("series", "Ann Ben Cem Dana Eva", (2, 1), id="the-worse-place-first"),
        pytest.param("hand", "Ann Ben Cem Dana Eva", (1,), id="by-hand-with-values"),
    ],
)
def test_seeds_that_do_not_follow_are_refused(by: Any, order: str, values: tuple[int, ...]) -> None:
    with pytest.raises(Illegal):
        after(cup(), Seeded(by, tuple(map(uid, order.split())), values))


def test_who_enters_later_is_the_last_seed_but_not_where_seeds_are_made_again() -> None:
    state = cup("order")
    state = after(state, *decide(state, SetSeed(uid("Eva"), 1)))
    late = after(state, *commands.enter(state, entry=uid("Finn"), name="Finn", players=[uid("player Finn")]))
    assert seeds(begun(late, {}))[-1] == "Finn"
    rated = begun(cup(), RATINGS)
    again = after(rated, *decide(rated, TakeBackStart("a mistake")))
    assert seeds(begun(again, {uid("Ben"): 1700}))[0] == "Ben"


def test_the_log_alone_gives_the_same_seeds() -> None:
    state = cup()
    events = decide(state, StartCompetition(), knowing(RATINGS))
    (made,) = (event for event in events if isinstance(event, Seeded))
    assert read(write(made)) == made
    assert seeds(after(state, *map(read, map(write, events)))) == ["Eva", "Ann", "Cem", "Ben", "Dana"]


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (Seeded("rating", (uid("Ann"), uid("Ben")), (1, 2)), "do not follow"),
        (Seeded("series", (uid("Ann"), uid("Ben")), (2, 1)), "do not follow"),
        (Seeded("series", (uid("Ann"),), (1, 2)), "do not follow"),
        (Seeded("hand", (uid("Ann"),), (1,)), "no values"),
        (Seeded("hand", (uid("Ann"), uid("Ann"))), "each entry once"),
        (Seeded("hand", (uid("Nobody"),)), "no such entry"),
    ],
)
def test_seeds_that_cannot_be_are_refused(event: Seeded, why: str) -> None:
    with pytest.raises(Illegal, match=why):
        after(cup(), event)


def test_an_organiser_reads_the_seeds_before_changing_them() -> None:
    state = after(cup("order"), *decide(cup("order"), SetSeed(uid("Eva"), 2)))
    (told,) = SetSeed.cautions(state)
    assert str(told.sentence) == "Seeds now: Ann, Eva, Ben, Cem, Dana."


def test_a_stage_that_lots_seed_has_no_other_seeds() -> None:
    state = cup("lots")
    for verb in (SetSeeds("entered"), SetSeed(uid("Ann"), 1)):
        with pytest.raises(Illegal, match="not seeded by an order"):
            decide(state, verb)
        assert not any(verb.offered(state, button) for button in verb.buttons)


def test_an_order_that_there_is_not_is_refused() -> None:
    with pytest.raises(Illegal, match="no such order yet"):
        decide(cup(), SetSeeds("series"))


@pytest.mark.parametrize(
    ("seeding", "told"),
    [
        ("order", "The first rungs are as entered."),
        ("rating", "The first rungs are by the ratings."),
        ("series", "The first rungs are by the year’s table."),
        ("series/year", "The first rungs are by the year’s table."),
    ],
)
def test_a_ladder_says_by_what_its_first_rungs_are(seeding: Any, told: str) -> None:
    stage = plan(format="ladder", intake=Intake(seeding=seeding), params={"reach": 2})
    assert told in map(str, formats.of(stage).rules(stage))
