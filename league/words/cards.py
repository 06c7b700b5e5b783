"""Names of playing cards."""

import re
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.engine.cards import CARD_PATTERN, JOKER

SUITS: Final = {
    "C": pgettext_lazy("of a card", "clubs"),
    "D": gettext_lazy("diamonds"),
    "H": gettext_lazy("hearts"),
    "S": gettext_lazy("spades"),
}
RANKS: Final = {
    "T": ("10", gettext_lazy("ten")),
    "J": ("J", gettext_lazy("jack")),
    "Q": ("Q", gettext_lazy("queen")),
    "K": ("K", gettext_lazy("king")),
    "A": ("A", gettext_lazy("ace")),
}
RED: Final = "DH"
_CARD: Final = re.compile(CARD_PATTERN)


def is_card(value: object) -> bool:
    """Return whether a value is the code of a playing card."""
    return isinstance(value, str) and _CARD.fullmatch(value) is not None


def name_of(code: str) -> str:
    """Return a card's name, such as "9 of clubs" or "joker"."""
    if code == JOKER:
        return _("joker")
    rank = RANKS[code[0]][1] if code[0] in RANKS else code[0]
    return _("%(rank)s of %(suit)s") % {"rank": rank, "suit": SUITS[code[1]]}


def figure(rank: str) -> str:
    """Return a rank as printed on cards: "T" as "10", "K" as "K"."""
    return RANKS[rank][0] if rank in RANKS else rank


def rank_name(rank: str) -> str:
    """Return the name of a rank: "T" as "10", "A" as "ace"."""
    return str(RANKS[rank][1]) if rank in RANKS and rank != "T" else figure(rank)
