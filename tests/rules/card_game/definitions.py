"""Definitions and deals made at random: bounded and legal, as clubs could write them."""

import random
from typing import Any, Final

from hypothesis import assume
from hypothesis import strategies as st

from games.engine.refusals import Malformed
from games.rules.card_game.checking import check
from games.rules.card_game.definition import (
    BUILT_IN,
    Adds,
    Case,
    Check,
    Condition,
    Decides,
    Definition,
    Gathers,
    Multiplies,
    RoundsUp,
    Step,
    Term,
    Worth,
    Written,
)
from games.rules.card_game.score_card import lined, of_deal, of_seats

NUMBERS: Final = st.integers(-30, 60)
KINDS: Final = st.sampled_from(["number", "number", "choice", "tick", "player"])
WRITERS: Final = st.sampled_from(["players", "players", "players", "dealer", "winner", "scorekeepers"])


@st.composite
def written(draw: st.DrawFn, number: int, sides: int) -> Written:
    """Return something that is written in each deal."""
    kind, low = draw(KINDS), draw(NUMBERS)
    per = "deal" if kind == "player" else draw(st.sampled_from(["deal", "seat", "side" if sides else "seat"]))
    by, names = draw(WRITERS), draw(st.lists(NUMBERS, min_size=1, max_size=4))
    worth = tuple(Worth(f"value {at}", each) for at, each in enumerate(names))
    given: dict[str, Any] = {"per": per, "kind": kind, "by": by}
    given |= {"least": low, "most": low + draw(st.integers(0, 60))}
    given |= {"values": worth if kind == "choice" else ()}
    given |= {"optional": by == "scorekeepers" or draw(st.booleans())}
    return Written(f"field{number}", f"Field {number}", **given)


@st.composite
def step(draw: st.DrawFn, name: str, known: list[str]) -> Step:
    """Return a step of a formula over what is known before it."""
    of = st.sampled_from(known)
    terms = st.lists(st.builds(Term, NUMBERS, st.none() | of), max_size=3).map(tuple)
    holds = st.builds(lambda of, low, more: Condition(of, low, low + more), of, NUMBERS, st.integers(0, 40))
    cases = st.builds(Case, terms, st.lists(holds, max_size=2).map(tuple))
    among = st.sampled_from(["everybody", "others", "partners"])
    return draw(
        st.one_of(
            st.builds(Adds, st.just(name), terms),
            st.builds(Multiplies, st.just(name), st.tuples(of, of)),
            st.builds(RoundsUp, st.just(name), of, of),
            st.builds(Decides, st.just(name), st.lists(cases, min_size=1, max_size=3).map(tuple)),
            st.builds(Gathers, st.just(name), st.sampled_from(["sum", "most", "least"]), of, among),
        )
    )


@st.composite
def definitions(draw: st.DrawFn) -> Definition:
    """Return a definition that `check` lets through: steps that could grow too large are left out."""
    sides = draw(st.sampled_from([0, 0, 2, 3]))
    seats = (2 * sides,) if sides else tuple(sorted(draw(st.sets(st.integers(2, 6), min_size=1, max_size=3))))
    fields = tuple(draw(written(number, sides)) for number in range(draw(st.integers(1, 4))))
    assume(any(each.by != "scorekeepers" for each in fields))
    game: dict[str, Any] = {"title": "Made at random", "seats": seats, "sides": sides, "fields": fields}
    game |= {"deals": draw(st.integers(1, 6)), "target": draw(st.sampled_from([0, 0, 40]))}
    game |= {"may_end": draw(st.booleans()), "low_wins": draw(st.booleans())}
    game |= {"level_at_target": draw(st.sampled_from(["share", "play_on"]))}
    if not game["low_wins"]:
        game |= {"several_at_target": draw(st.sampled_from(["best", "in_turn", "play_on"]))}
    known = [*BUILT_IN, *(each.name for each in fields)]
    made, steps = Definition(**game, score=fields[0].name), list[Step]()
    for number in range(draw(st.integers(0, 5))):
        longer = [*steps, draw(step(f"step{number}", known))]
        tried = Definition(**game, steps=tuple(longer), score=longer[-1].name)
        if _is_legal(tried):
            made, steps = tried, longer
            known.append(longer[-1].name)
    if draw(st.booleans()):
        rule = Check(
            made.score, tuple(draw(st.sets(NUMBERS, min_size=1, max_size=12))), "It must be one of these."
        )
        return Definition(**game, steps=made.steps, score=made.score, checks=(rule,))
    return made


def _is_legal(game: Definition) -> bool:
    try:
        check(game)
    except Malformed:
        return False
    return True


def some_result(game: Definition, seats: int, dice: random.Random) -> dict[str, Any]:
    """Return a deal whose values are within their bounds, whether or not its checks hold."""
    result = {each.name: _value(each, seats, dice) for each in of_deal(game)}
    if of_seats(game):
        named = [
            {each.name: _value(each, seats, dice) for each in lined(game, seat)} for seat in range(seats)
        ]
        result["seats"] = [_without_none(line) for line in named]
    if game.may_end and dice.random() < 0.1:
        result["last"] = True
    return _without_none(result)


def _without_none(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _value(each: Written, seats: int, dice: random.Random) -> Any:
    if each.optional and dice.random() < 0.5:
        return None
    if each.kind == "choice":
        return dice.choice(each.values).name
    if each.kind == "number":
        return dice.choice([each.least, each.most, dice.randint(each.least, each.most)])
    return dice.randrange(seats) if each.kind == "player" else dice.random() < 0.5
