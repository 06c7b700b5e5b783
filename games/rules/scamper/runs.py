"""What is wrong with the cards of a run that is none (S13)."""

from collections import Counter
from collections.abc import Sequence
from itertools import product

from games.engine.cards import Card, rank, suit
from games.engine.melds import SMALLEST
from games.engine.messages import Message, both, plural, text
from games.rules.scamper.moves import Group
from games.rules.scamper.options import Options


def what_is_wrong(group: Group, options: Options) -> Message | None:
    """Return which cards of a run are of another suit, or how many are missing between them.

    None where it is neither, so that the rule itself has to do.
    """
    naturals = [card for card in group.cards if card not in options.wild]
    if len(group.cards) < SMALLEST or len(naturals) < 2:
        return None
    return _other_suit(naturals) or _missing(naturals, len(group.cards) - len(naturals), options)


def _other_suit(naturals: Sequence[Card]) -> Message | None:
    ((most, _), *_) = Counter(map(suit, naturals)).most_common()
    odd = [str(card) for card in naturals if suit(card) != most]
    others = [str(card) for card in naturals if suit(card) == most]
    if not odd:
        return None
    return plural(
        "%(odd)s is not of the suit of %(others)s.",
        "%(odd)s are not of the suit of %(others)s.",
        len(odd),
        odd=both(odd),
        others=both(others),
    )


def _missing(naturals: Sequence[Card], wild: int, options: Options) -> Message | None:
    low, high, gap = _closest(naturals, options.run_order.ranks)
    if gap <= wild:
        return None
    missing = plural("%(count)s card is missing", "%(count)s cards are missing", gap)
    wilds = plural("there is %(count)s wild card", "there are %(count)s wild cards", wild)
    return text(
        "Between %(low)s and %(high)s %(missing)s; %(wilds)s.",
        low=low,
        high=high,
        missing=missing,
        wilds=wilds,
    )


def _closest(naturals: Sequence[Card], ranks: str) -> tuple[Card, Card, int]:
    """Return the lowest and the highest card where they lie closest, and how many are missing."""
    places = [[place for place, each in enumerate(ranks) if each == rank(card)] for card in naturals]
    spread = min(product(*places), key=lambda taken: max(taken) - min(taken))
    low, high = min(spread), max(spread)
    return (
        naturals[spread.index(low)],
        naturals[spread.index(high)],
        high - low + 1 - len(set(spread)),
    )
