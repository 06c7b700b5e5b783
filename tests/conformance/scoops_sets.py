"""The lines of Scoops about what is a book, a run or a pair: the rows of the rules' tests, played."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final, NamedTuple

from tests.conformance.recorder import SCENARIOS, Play, Scenario, line
from tests.conformance.scoops import having, table
from tests.rules.scoops.tables import groups
from tests.rules.scoops.test_groups import ILLEGAL, LEGAL

MOST_TO_COLLECT: Final = 8
"""Cards that a seat can hold together and still have another to discard."""


class Row(NamedTuple):
    """A group to try in Float: whether it is legal (None) or refused by a rule."""

    id: str
    rule: str
    special: str | None
    text: str
    number: str | None

    @property
    def cards(self) -> str:
        return self.text.partition(" ")[2]

    @property
    def terms(self) -> tuple[str, str]:
        return (self.rule, self.special or "-")


def rows() -> Iterator[Row]:
    """Yield the rows of the tests that a hand can hold, but for pairs, which no meld lays."""
    tried = [Row(name, *row) for name, row in ILLEGAL.items()]
    tried += [Row(name, *row, None) for name, row in LEGAL.items()]
    for row in sorted(tried, key=lambda row: (row.terms, row.number is None)):
        if "pair" not in row.text and len(row.cards.split()) <= MOST_TO_COLLECT:
            yield row


def batches() -> Iterator[list[Row]]:
    """Yield rows of the same terms whose cards one hand can hold together."""
    for _, same in groupby(rows(), key=lambda row: row.terms):
        batch: list[Row] = []
        for row in same:
            if batch and needed([*batch, row]).total() > MOST_TO_COLLECT:
                yield batch
                batch = []
            batch.append(row)
        yield batch


def needed(batch: list[Row]) -> Counter[str]:
    """Return the cards for all these rows: those that are laid, and those that are only tried."""
    laid, tried = Counter[str](), Counter[str]()
    for row in batch:
        cards = Counter(row.cards.split())
        laid, tried = (laid, tried | cards) if row.number else (laid + cards, tried)
    return laid | tried


def seats_for(cards: Counter[str]) -> int:
    """Return the smallest table with packs enough for the cards (C1)."""
    packs = max(-(-count // (2 if card == "JK" else 1)) for card, count in cards.items())
    return 3 * packs - 1


def tried(batch: list[Row]) -> Play:
    """Return a line in which one seat collects the cards for these groups and tries them all."""
    cards = needed(batch)
    play, seat = having(
        " ".join(cards.elements()), "Float", batch[0].rule, batch[0].special, seats_for(cards)
    )
    play.look()
    for row in batch:
        if row.number:
            play.refused(seat, row.number, "meld", groups=groups(row.text))
        else:
            play.seat(seat, "meld", groups=groups(row.text))
            laid = {"id": len(table(play).melds) - 1, "seat": seat, **groups(row.text)[0]}
            play.sees(None, melds=[*_melds(play)[:-1], laid])
    return play


def _melds(play: Play) -> list[Any]:
    view: Any = play.position.ruleset.view(play.state, None)
    return [*view["melds"]]


def register() -> None:
    """Register the lines of all batches."""
    for number, batch in enumerate(batches(), 1):
        _register(number, batch)


def _register(number: int, batch: list[Row]) -> None:
    def make() -> Play:
        return tried(batch)

    first = batch[0]
    make.__name__ = f"sets_{number:02}_{first.rule.lower()}"
    make.__doc__ = f"Sets in {first.rule}, {f'special {first.special}' if first.special else 'no special'}."
    shown = {part for row in batch for part in row.id.split("-") if part[0] == "C" and part[1:].isdigit()}
    SCENARIOS.append(Scenario("scoops", tuple(sorted(shown, key=lambda rule: int(rule[1:]))), make))


register()

PAIRS: Final = {
    "a_wild_card_in_a_pair": ("Banana", "7", "book 4C 4D 4H 4S + run 8C 9C TC + pair JK QS", None),
    "a_pair_of_jokers": ("Cherry", "7", "book 4C 4D 4H 4S + run 8C 9C TC + pair JK JK", None),
    "no_pair_of_two_ranks": ("Vanilla", "7", "book 4C 4D 4H 4S + run 8C 9C TC + pair QS KS", "C10"),
    "no_wild_joker_in_a_pair": ("Vanilla", "7", "book 4C 4D 4H 4S + run 8C 9C TC + pair JK QS", "C10"),
}


def _pair(name: str) -> None:
    rule, special, laid, number = PAIRS[name]

    def make() -> Play:
        cards = " ".join(part.partition(" ")[2] for part in laid.split(" + "))
        play, seat = having(cards, "Cone", rule, special, round_limit=1)
        if number:
            play.refused(seat, number, "lay_down", groups=groups(laid))
            return play
        play.seat(seat, "lay_down", groups=groups(laid))
        play.ends([int(each == seat) for each in range(2)])
        return play

    make.__name__ = name
    make.__doc__ = f"A pair in {rule} at the end of Cone: {laid.rpartition(' + ')[2]}."
    SCENARIOS.append(Scenario("scoops", ("C10", "C16"), make))


for each in PAIRS:
    _pair(each)


@line("scoops", "C10")
def a_pair_is_no_set() -> Play:
    """A pair is no set: nobody lays one in Float."""
    play, seat = having("4C 4D", "Float", "Vanilla")
    play.refused(seat, "C10", "meld", groups=groups("pair 4C 4D"))
    return play
