"""High card, edition 1: in each round every seat plays one of two cards, and the highest takes the point.

Source: made up for the tests and for docs/adding-a-game.md. Its rules are H1 to H5 of the players' page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, TypeAlias

from games.engine.base import Form, FormRow, Ruleset, numbered, replaced
from games.engine.cards import JOKER, RANKS, AnyCard, Card, hidden_from, pack, rank, with_hidden, without
from games.engine.chance import Chance, Draw, Shuffle
from games.engine.choosing import Choice, choice
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, text
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Length
from games.engine.values import replace
from games.engine.views import View

DECK: Final = tuple(card for card in pack() if card != JOKER)
HAND: Final = 2
Cards: TypeAlias = Annotated[tuple[AnyCard, ...], Length(0, len(DECK))]


@dataclass(frozen=True)
class Options:
    """What a club can choose."""

    rounds: Annotated[int, Between(1, 9), Help("How many rounds are played.")] = 3


@dataclass(frozen=True)
class Play:
    """Play a card of the hand."""

    card: Annotated[AnyCard, Help("a card that you hold")]


@dataclass(frozen=True)
class Seen(View):
    """The fields of a view."""

    played: Annotated[Cards, Help("the cards played in this round, in order")]
    hand: Annotated[Cards | None, Help("the viewer's cards, null for a spectator")]


@dataclass(frozen=True)
class State:
    """A round in play, and the points of the rounds before; ``extra`` are an arbiter's in this round."""

    rounds: int
    chance: Chance
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    extra: tuple[int, ...]
    played: tuple[Card, ...] = ()
    rows: tuple[tuple[int, ...], ...] = ()

    @property
    def over(self) -> bool:
        """Return whether the last round is finished (H5)."""
        return len(self.rows) == self.rounds

    @property
    def round(self) -> int:
        """Return the number of the round in play, at the end of the last one."""
        return min(len(self.rows) + 1, self.rounds)


def dealt(rounds: int, seats: int, chance: Chance, rows: tuple[tuple[int, ...], ...] = ()) -> State:
    """Return the state after the deal of the round that comes after these (H2)."""
    deck = chance.shuffled(f"round/{len(rows) + 1}/deal", DECK)
    hands = tuple(deck[HAND * seat : HAND * (seat + 1)] for seat in range(seats))
    return State(rounds, chance, hands, deck[HAND * seats :], (0,) * seats, rows=rows)


def scored(state: State) -> State:
    """Return the state after the round's last card: the next deal, or the end (H4, H5)."""
    worth = [RANKS.index(rank(card)) for card in state.played]
    points = (int(each == max(worth)) for each in worth)
    rows = (*state.rows, tuple(map(sum, zip(points, state.extra, strict=True))))
    if len(rows) < state.rounds:
        return dealt(state.rounds, len(state.hands), state.chance, rows)
    return replace(state, rows=rows, extra=(0,) * len(state.hands))


class HighCard(Ruleset[Options, State, Play]):
    """The rules of high card."""

    key = "high-card"
    version = 1
    title = "High card"
    summary = "Everybody plays one of two cards, and the highest takes the point."
    seats = (2, 3, 4)
    options = Options
    presets: ClassVar[Mapping[str, JsonObject]] = {"short": {"rounds": 1}}
    moves: ClassVar[Mapping[str, type]] = {"play": Play}
    draws: ClassVar[tuple[Draw, ...]] = (Shuffle("round/#/deal", DECK, hands=(HAND,)),)
    view_shape = Seen
    turn_rule = "H3"
    low_wins = False
    rule_numbers = numbered("H", 5)

    def start(self, options: Options, seats: int, chance: Chance) -> State:
        return dealt(options.rounds, seats, chance)

    def step(self, state: State, seat: int, move: Play) -> State:
        hand = state.hands[seat]
        if move.card not in hand:
            raise Illegal(text("You do not hold %(card)s.", card=move.card), "H3", ["card"])
        hands = replaced(state.hands, seat, without(hand, [move.card]))
        after = replace(state, hands=hands, played=(*state.played, move.card))
        return scored(after) if len(after.played) == len(hands) else after

    def to_act(self, state: State) -> tuple[int, ...]:
        return () if state.over else (len(state.played),)

    def choices(self, state: State, seat: int) -> tuple[Choice, ...]:
        return (choice("play", card=state.hands[seat]),) if seat in self.to_act(state) else ()

    def view(self, state: State, viewer: int | None) -> JsonObject:
        return {
            "round": state.round,
            "rounds": state.rounds,
            "scores": list(self.scores(state)),
            "sheet": list(self.sheet(state)),
            "turn": next(iter(self.to_act(state)), None),
            "phase": "over" if state.over else "play",
            "played": list(state.played),
            "hand": None if viewer is None else list(state.hands[viewer]),
        }

    def open_hands(self, state: State) -> tuple[tuple[Card, ...], ...]:
        return state.hands

    def open_deck(self, state: State) -> tuple[Card, ...]:
        return state.stock

    def default_move(self, state: State, seat: int) -> Play:
        return Play(state.hands[seat][0])

    def turn_number(self, state: State) -> int:
        return len(state.rows) * len(state.hands) + len(state.played)

    def penalise(self, state: State, seat: int, points: int) -> State:
        return replace(state, extra=replaced(state.extra, seat, state.extra[seat] + points))

    def is_over(self, state: State) -> bool:
        return state.over

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(map(sum, zip(state.extra, *state.rows, strict=True)))

    def sheet(self, state: State) -> tuple[JsonObject, ...]:
        return tuple({"round": number, "scores": list(row)} for number, row in enumerate(state.rows, 1))

    def describe(self, move: Play) -> Message:
        return text("plays %(card)s", card=move.card)

    def cards(self, state: State) -> tuple[str, ...]:
        return (*state.played, *self.hidden(state, None))

    def hidden(self, state: State, viewer: int | None) -> tuple[str, ...]:
        return hidden_from(viewer, state.hands, state.stock)

    def with_hidden(self, state: State, viewer: int | None, cards: Sequence[str]) -> State:
        hands, stock = with_hidden(viewer, state.hands, cards)
        return replace(state, hands=hands, stock=stock)

    def form(self, options: Options) -> Form:
        rows = (FormRow(number, "one card each", "") for number in range(1, options.rounds + 1))
        return Form(tuple(rows), ("The highest card takes one point, equal ones one point each (H4).",))
