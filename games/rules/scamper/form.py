"""The printed score sheet of a table with real cards: contracts, wild limits, values and adjustments."""

from collections.abc import Sequence

from games.engine.base import Form, FormRow
from games.engine.messages import Message, all_of, text
from games.rules.scamper.judging import wild_limit
from games.rules.scamper.options import Contract, WildCards

VALUES = text(
    "Left in hand: joker 50 · two and ace 20 · king to eight 10 · seven to three 5. Melds do not count."
)
ADJUSTMENTS = text("● deals. Wrong meld +50 · wrong challenge +20 · advice +20.")
ADVANCED = text(
    "● deals. Exact deal −20 · misdeal +20 · wrong meld +50, too many wild cards +20 · wrong challenge +20 · "
    "Scamper not declared +20 · advice +20."
)


def form(
    played: Sequence[Contract], wild: WildCards, bonus: int, first_dealer: int = 0, *, advanced: bool = True
) -> Form:
    """Return a row for each round, with its contract (S4) and wild limits (S17), and the first bonus (S6)."""
    rows = [
        FormRow(number, contract.in_words(), text("no wild cards") if wild == "none" else hint(contract))
        for number, contract in enumerate(played, 1)
    ]
    first = text("First dealer: %(points)s in deal 1.", points=format(bonus, "+").replace("-", "−"))
    return Form(tuple(rows), (VALUES, ADVANCED if advanced else ADJUSTMENTS, first), first_dealer)


def hint(contract: Contract) -> Message:
    """Return how many cards of each meld may be wild (S17): ``"wild, at most: 1 in a set"``."""
    limits = [*_in_sets(sorted({*contract.sets})), *_in_runs(sorted({*contract.runs}))]
    return text("wild, at most: %(limits)s", limits=all_of(limits))


def _in_sets(sizes: Sequence[int]) -> list[Message]:
    if len(sizes) == 1:
        return [text("%(wild)s in a set", wild=wild_limit(sizes[0]))]
    return [text("%(wild)s in a set of %(size)s", wild=wild_limit(size), size=size) for size in sizes]


def _in_runs(sizes: Sequence[int]) -> list[Message]:
    if len(sizes) == 1:
        return [text("%(wild)s in a run", wild=wild_limit(sizes[0]))]
    return [text("%(wild)s in a run of %(size)s", wild=wild_limit(size), size=size) for size in sizes]
