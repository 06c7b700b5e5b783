"""Score cards of any card game: a club's own definition says what is written and how it is scored.

Source: each definition names its own. The rules K1 to K6 are ours: they say what a card keeps. The ruleset of
a definition (`CardGame.of_options`) has its title, tables and moves; the one in the registry is that of just
points. Its key holds a hash of the definition; ratings and records go by that of what is played (`playing`).
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import make_dataclass
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final

from games.engine import shapes
from games.engine.base import Form, ranked
from games.engine.chain import canonical
from games.engine.chance import Chance
from games.engine.choosing import Choice, FieldChoice
from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import Message, text
from games.engine.paper import Conduct, PaperCard
from games.engine.refusals import Malformed, below
from games.engine.shapes import Help, Length
from games.engine.views import MANY, EnteredRow, PaperView, PerSeat
from games.rules.card_game import entering, score_card, sheet, telling, writers
from games.rules.card_game.checking import check, check_length
from games.rules.card_game.definition import JUST_POINTS, MOST_DEALS, MOST_SEATS, Definition, Options
from games.rules.card_game.inventing import invented_totals
from games.rules.card_game.playing import what_is_played
from games.rules.card_game.score_card import State
from games.rules.card_game.shipped import SHIPPED
from games.rules.card_game.totals import doubt

DIGITS: Final = 16
"""How many hexadecimal digits of its hash name a definition."""


class CardGame(PaperCard[Options, Any]):
    """The rules of score cards by definition; this class keeps just points."""

    key = "card-game"
    version = 1
    title = text("Just points")
    summary = text("Any game with real cards: the points of each deal are written down as they are.")
    seats = tuple(range(2, MOST_SEATS + 1))
    options = Options
    defined_by = "definition"
    presets: ClassVar[Mapping[str, JsonObject]] = {"standard": {}}
    shipped: ClassVar[Mapping[str, JsonObject]] = {
        key: {"definition": shapes.write(definition)} for key, definition in SHIPPED.items()
    }
    game: ClassVar[Definition] = JUST_POINTS
    result = score_card.result_of(JUST_POINTS)
    most_rounds = MOST_DEALS
    turn_rule = "K1"
    low_wins = False
    scores_add_up = True
    winning_rule = "K5"
    rule_numbers = ("K1", "K2", "K3", "K4", "K5", "K6")
    conduct = Conduct(order="K1", confirming="K3", correcting="K3")

    def of_options(self, options: object) -> "CardGame":
        """Return the ruleset of the game that the options define; raise `Malformed`."""
        if not isinstance(options, Mapping) or self.defined_by not in options:
            return self
        with below(f"options.{self.defined_by}"):
            game = shapes.read(Definition, options[self.defined_by])
            check(game)
        return ruleset_of(game)

    def read_options(self, data: object, seats: int) -> Options:
        """Return the options of this game, whose definition may be left out; raise `Malformed`."""
        if isinstance(data, Mapping) and self.defined_by not in data:
            data = {self.defined_by: shapes.write(self.game), **data}
        options = super().read_options(data, seats)
        if options.definition != self.game:
            raise Malformed({f"options.{self.defined_by}": [text("This is the definition of another game.")]})
        return options

    def options_told(self, options: Mapping[str, Json]) -> Mapping[str, Json]:
        return {name: value for name, value in options.items() if name != self.defined_by}

    def doubt_of_totals(self, options: Options, totals: Sequence[int]) -> Message | None:
        return doubt(options, totals)

    def game_told(self, options: Options) -> Message | None:
        deals = options.dealt(min(self.seats))
        if deals == 1:
            return None
        return text("One game of a match is a whole score card, of %(deals)s deals at most.", deals=deals)

    def invented_totals(
        self, options: Options, seats: int, strength: Sequence[int], chance: Chance
    ) -> Sequence[int] | None:
        return invented_totals(options, seats, tuple(strength), chance)

    def teams(self, seats: int) -> tuple[int, ...]:
        """Return the side of each seat (K4)."""
        return self.game.teams(seats)

    def check(self, options: Options, seats: int) -> None:
        check_length(options)

    @property
    def explained(self) -> list[Message]:
        """Return the formula in words, a sentence for each step."""
        return telling.told(self.game)

    @property
    def score_told(self) -> str:
        """Return what people call the value that is a seat’s score."""
        return telling.titles(self.game)[self.game.score]

    def form(self, options: Options) -> Form:
        return sheet.form(options)

    def rounds(self, card: State) -> int:
        """Return the most deals that the game can have (K5)."""
        return card.options.dealt(card.seats)

    def dealer(self, card: State, number: int) -> int | None:
        return (number - 1) % card.seats

    def complete(self, card: State) -> bool:
        """Return whether a deal has ended the game (K5)."""
        return score_card.course(card).end is not None

    def check_result(self, card: State, number: int, result: Any) -> None:
        score_card.check_result(card, number, result)

    def entered(self, card: State, by: int | None, number: int, result: Any) -> State:
        """Return the card with an entry for the next deal; raise `Illegal`, also for what others enter."""
        result = score_card.whole(card, result)
        entered = super().entered(card, by, number, result)
        writers.check_writer(card, by, number, result)
        return entered

    def corrected(self, card: State, by: int | None, number: int, result: Any) -> State:
        """Return the card with a corrected deal; raise `Illegal`, also for what others enter."""
        result = score_card.whole(card, result)
        corrected = super().corrected(card, by, number, result)
        writers.check_writer(card, by, number, result, card.result(number))
        return corrected

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the seats that can do something: where only the dealer enters, others wait for a deal."""
        seats = super().to_act(state)
        if not writers.restricts(self.game):
            return seats
        return tuple(seat for seat in seats if self._offers(state, seat))

    def _offers(self, card: State, by: int | None) -> tuple[Choice, ...]:
        offers = super()._offers(card, by)
        return writers.offered_to(card, by, offers) if writers.restricts(self.game) else offers

    def result_fields(self, card: State, number: int, result: Any) -> dict[str, FieldChoice]:
        return entering.result_fields(card, number, result)

    def points(self, card: State, number: int) -> tuple[int, ...]:
        return score_card.course(card).points[number - 1]

    def row(self, card: State, number: int) -> JsonObject:
        """Return what was written, penalties, and whether the game had ended before (``counts``)."""
        last = score_card.course(card).end
        return {
            "written": shapes.filled(card.result(number)),
            "penalties": list(card.penalties_in(number)),
            "counts": last is None or number <= last,
            "why": self.in_words(card.result(number)),
        }

    def ranks(self, state: State) -> tuple[int, ...]:
        """Return the rank of each seat: by totals, unless somebody comes first of several at the target."""
        ranks, first = super().ranks(state), score_card.course(state).first
        if first is None:
            return ranks
        teams = self.teams(state.seats)
        return ranked([0 if team == teams[first] else rank for rank, team in zip(ranks, teams, strict=True)])

    def in_words(self, result: Any) -> str:
        return score_card.in_words(self.game, result)


@lru_cache(maxsize=500)
def ruleset_of(game: Definition) -> CardGame:
    """Return the ruleset that plays a definition that was checked."""
    if game == JUST_POINTS:
        return CardGame()
    played = what_is_played(game)
    own: dict[str, Any] = {
        "__module__": __name__,
        "__doc__": f"The rules of {game.title}.",
        "key": key_of(shapes.write(game)),
        "game_key": CardGame.key if played == what_is_played(JUST_POINTS) else key_of(played),
        "game": game,
        "title": game.title,
        "summary": game.summary,
        "seats": game.seats,
        "result": score_card.result_of(game),
        "low_wins": game.low_wins,
        "view_shape": view_of(game),
        "shipped": {},
    }
    made: CardGame = type("OwnGame", (CardGame,), own)()
    return made


def key_of(written: JsonObject) -> str:
    """Return the key of a definition, or of what is played: that of all, and the beginning of its hash."""
    digest = hashlib.sha256(canonical(written)).hexdigest()
    return f"{CardGame.key}-{digest[:DIGITS]}"


def view_of(game: Definition) -> type:
    """Return the fields of a view: a row of the sheet holds the result as it was written."""
    written: Any = score_card.result_of(game)
    fields: list[tuple[str, Any]] = [
        ("written", Annotated[written, Help("what was written")]),
        ("penalties", Annotated[PerSeat, Help("the arbiter’s part of each seat’s score")]),
        ("counts", Annotated[bool, Help("false if the game had ended before this deal")]),
        ("why", Annotated[str, Length(0, MANY), Help("what was written, in words")]),
    ]
    row: Any = make_dataclass("Row", fields, bases=(EnteredRow,), frozen=True)
    rows = Annotated[tuple[row, ...], Length(0, MANY), Help("a row for each entered deal")]
    return make_dataclass("View", [("sheet", rows)], bases=(PaperView,), frozen=True)


CardGame.view_shape = view_of(JUST_POINTS)
