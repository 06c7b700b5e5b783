"""Nobody is told what they can't know: for every seat, at every move, whatever the hidden cards are (A4)."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.chance import Chance
from games.rules.scram.moves import Act, At, Draw, Target
from games.rules.scram.state import State
from games.rules.scram.table import CardId
from tests.rules.randomplay import some_move
from tests.rules.scram.notation import SCRAM

LOOKS = {"5", "6", "7", "8", "12"}


class Unseen(str):
    """A card that fails whoever compares it, sorts it, prints it, counts with it or takes it apart."""

    def _looked_at(self, *_: object) -> NoReturn:
        raise AssertionError("something that is told to a viewer hangs on a card that is hidden from it")

    __eq__ = __ne__ = __hash__ = __lt__ = __gt__ = __le__ = __ge__ = _looked_at
    __str__ = __repr__ = __format__ = __len__ = __iter__ = __getitem__ = _looked_at
    __add__ = __contains__ = __mod__ = encode = _looked_at  # type: ignore[assignment]


class Ledger:
    """Who may know which card, kept apart from the engine: from the moves that everybody sees, and A4."""

    def __init__(self, state: State) -> None:
        self.aided = state.game.options.memory_aid
        self.known: list[set[CardId]] = [set() for _ in range(state.game.seats)]

    def note(self, before: State, move: Any, after: State) -> None:
        """Enter the move that the seat in play made."""
        if len(after.rows) > len(before.rows):
            self.known = [set() for _ in self.known]
            return
        own = self.known[before.seat]
        if not self.aided and not before.acting:
            own.clear()
        if isinstance(move, Draw) and move.source == "deck":
            own.add(before.table.deck[0])
        if isinstance(move, Act) and played_card(before) in LOOKS:
            own.update(card_of(before, target) for target in move.targets)
        for card in open_cards(before) & {*after.table.deck}:
            for known in self.known:
                known.add(card)

    def unknown(self, state: State, viewer: int | None) -> list[CardId]:
        """Return the cards that the viewer cannot know now."""
        known = self.known[viewer] if viewer is not None else set()
        table = state.table
        closed = [lying.card for campsite in table.campsites for lying in campsite if not lying.up]
        held = [table.drawn.card] if table.drawn and not table.drawn.taken else []
        return [card for card in (*closed, *held, *table.deck) if card not in known]


def played_card(state: State) -> str:
    if state.acting:
        return state.acting.card
    assert state.table.drawn
    return state.table.faces[state.table.drawn.card]


def card_of(state: State, target: Target) -> CardId:
    if isinstance(target, At):
        return state.table.campsites[target.seat][target.index].card
    return state.table.deck[target.deck]


def open_cards(state: State) -> set[CardId]:
    return {lying.card for campsite in state.table.campsites for lying in campsite if lying.up}


def rounds_played(seats: int, seed: int, aided: bool) -> Iterator[tuple[State, Ledger]]:
    """Yield every state of a game of one round at random, each with what the seats may know in it."""
    dice = random.Random(seed)
    options = SCRAM.read_options({"rounds": 1, "memory_aid": aided}, seats)
    state = SCRAM.start(options, seats, Chance(seed.to_bytes(32, "big")))
    ledger = Ledger(state)
    while not SCRAM.is_over(state):
        yield state, ledger
        move = SCRAM.read_move(some_move(dice.choice(SCRAM.choices(state, state.seat)), dice))
        after = SCRAM.step(state, state.seat, move)
        ledger.note(state, move, after)
        state = after


def knowledge(state: State, viewer: int | None) -> Any:
    """Return all that a viewer is told: the view, the choices, the texts of the moves that it may choose."""
    choices = SCRAM.choices(state, viewer) if viewer is not None else ()
    moves = [SCRAM.read_move(some_move(choice, random.Random(0))) for choice in choices]
    default = (
        [SCRAM.default_move(state, viewer)] if viewer in SCRAM.to_act(state) and viewer is not None else []
    )
    listed = [choice.as_json() for choice in choices]
    return [SCRAM.view(state, viewer), listed, [SCRAM.describe(move) for move in (*moves, *default)]]


def unseen(state: State, cards: list[CardId]) -> State:
    """Return the state in which nothing may look at these cards."""
    faces = tuple(Unseen("?") if card in cards else face for card, face in enumerate(state.table.faces))
    return replace(state, table=replace(state.table, faces=faces))


@settings(max_examples=40)
@given(st.sampled_from([3, 4, 6]), st.integers(0, 2**32), st.booleans())
def test_a4_all_that_is_told_is_the_same_for_all_orders_of_the_cards_one_cannot_know(
    seats: int, seed: int, aided: bool
) -> None:
    for state, ledger in rounds_played(seats, seed, aided):
        for viewer in (None, *range(seats)):
            hidden = ledger.unknown(state, viewer)
            assert knowledge(unseen(state, hidden), viewer) == knowledge(state, viewer)


@settings(max_examples=20)
@given(st.sampled_from([3, 4, 6]), st.integers(0, 2**32), st.booleans())
def test_a4_hidden_are_exactly_the_cards_one_cannot_know(seats: int, seed: int, aided: bool) -> None:
    for state, ledger in rounds_played(seats, seed, aided):
        for viewer in (None, *range(seats)):
            hidden = sorted(ledger.unknown(state, viewer))
            assert SCRAM.hidden(state, viewer) == tuple(state.table.faces[card] for card in hidden)


@settings(max_examples=20)
@given(st.sampled_from([3, 4, 6]), st.integers(0, 2**32), st.booleans())
def test_a4_what_one_may_know_is_in_the_view(seats: int, seed: int, aided: bool) -> None:
    for state, ledger in rounds_played(seats, seed, aided):
        for viewer in range(seats):
            view: Any = SCRAM.view(state, viewer)
            closed = {*ledger.unknown(state, None)} & ledger.known[viewer]
            shown = [entry["card"] for entry in view["seen"]]
            own = [view["drawn"]] if view["drawn"] and not view["taken"] else []
            assert sorted([*shown, *own]) == sorted(state.table.faces[card] for card in closed)


def test_the_watch_on_hidden_cards_sees_a_look() -> None:
    state = next(rounds_played(4, 1, aided=False))[0]
    watched = unseen(state, [0])
    with pytest.raises(AssertionError, match="hidden from it"):
        assert knowledge(unseen(state, [3]), 0) == knowledge(state, 0)
    assert knowledge(watched, 0) == knowledge(state, 0)
