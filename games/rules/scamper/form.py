"""The printed score sheet of a table with real cards: contracts, wild limits, values and adjustments."""

from collections import Counter
from collections.abc import Iterator, Sequence

from games.engine.base import Form, FormRow
from games.rules.scamper.options import Contract, Options

VALUES = (
    "Left in hand: joker 50 · deuce and ace 20 · king to eight 10 · seven to three 5. Melds do not count."
)
ADJUSTMENTS = (
    "● deals. Exact deal −20 · misdeal +20 · wrong meld +50, too many wild cards +20 · wrong challenge +20 · "
    "Scamper not declared +20 · advice +20."
)


def form(options: Options) -> Form:
    """Return a row for each round that is played: its contract (S4) and wild limits (S17)."""
    rows = [
        FormRow(number, task(contract), hint(contract) if options.wild else "no wild cards")
        for number, contract in enumerate(options.played, 1)
    ]
    bonus = f"First dealer: {options.first_dealer_bonus:+} in round 1 (S6)."
    return Form(tuple(rows), (VALUES, ADJUSTMENTS, bonus))


def task(contract: Contract) -> str:
    """Return a contract in words: ``"2 sets of 3, 1 run of 4"``."""
    return ", ".join((*_counted("set", contract.sets), *_counted("run", contract.runs)))


def _counted(kind: str, sizes: Sequence[int]) -> Iterator[str]:
    for size, count in sorted(Counter(sizes).items()):
        yield f"{count} {kind}{'s' if count > 1 else ''} of {size}"


def hint(contract: Contract) -> str:
    """Return how many cards of each meld may be wild (S17): ``"wild: 1 in a set, 2 in a run of 5"``."""
    limits = [*_limits("set", contract.sets), *_limits("run", contract.runs)]
    return f"wild, at most: {', '.join(limits)}"


def _limits(kind: str, sizes: Sequence[int]) -> Iterator[str]:
    several = len({*sizes}) > 1
    for size in sorted({*sizes}):
        yield f"{(size - 1) // 2} in a {kind}{f' of {size}' if several else ''}"
