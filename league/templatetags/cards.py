"""Cards, dice and moves as HTML: signs for the eye, words for the ear."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.cards import CARD_PATTERN, JOKER, Card, order

register = template.Library()

SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUITS: Final = {
    "C": gettext_lazy("clubs"),
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
_SPOKEN: Final = re.compile(rf"\b(?P<card>{CARD_PATTERN})\b|\bseat (?P<seat>\d+)\b")
_FACE: Final = (
    '<span class="card{}" data-code="{}" role="img" aria-label="{}">{}<span class="pip">{}</span></span>'
)

# Where the dots of a die lie, in its view box of 24 by 24.
_DOTS: Final = {
    1: ((12, 12),),
    2: ((6, 6), (18, 18)),
    3: ((6, 6), (12, 12), (18, 18)),
    4: ((6, 6), (18, 6), (6, 18), (18, 18)),
    5: ((6, 6), (18, 6), (12, 12), (6, 18), (18, 18)),
    6: ((6, 5), (18, 5), (6, 12), (18, 12), (6, 19), (18, 19)),
}


def is_card(value: object) -> bool:
    """Return whether a value is the code of a playing card."""
    return isinstance(value, str) and _CARD.fullmatch(value) is not None


def name_of(code: str) -> str:
    """Return a card's name in words: "nine of clubs" as "9 of clubs", "joker"."""
    if code == JOKER:
        return _("joker")
    rank = RANKS[code[0]][1] if code[0] in RANKS else code[0]
    return _("%(rank)s of %(suit)s") % {"rank": rank, "suit": SUITS[code[1]]}


@register.filter
def card(code: object) -> SafeString:
    """Return a card face up; one that is no playing card shows its own text."""
    if code == JOKER:
        return format_html(_FACE, " joker", JOKER, name_of(JOKER), "", "★")
    if not isinstance(code, str) or not is_card(code):
        return format_html('<span class="card">{}</span>', code)
    red = " red" if code[1] in RED else ""
    return format_html(_FACE, red, code, name_of(code), _figure(code[0]), SIGNS[code[1]])


def _figure(rank: str) -> str:
    return RANKS[rank][0] if rank in RANKS else rank


@register.filter
def in_order(codes: Iterable[Card]) -> list[Card]:
    """Return cards sorted as a player holds them: by suit, then by rank, aces high."""
    return sorted(codes, key=order)


@register.filter
def cards(codes: Iterable[object]) -> SafeString:
    """Return a list of cards face up."""
    items = format_html_join("", "<li>{}</li>", ((card(code),) for code in codes))
    return format_html('<ul class="cards">{}</ul>', items)


@register.simple_tag
def card_back(label: str) -> SafeString:
    """Return a card face down, which the label describes."""
    return format_html('<span class="card back" role="img" aria-label="{}"></span>', label)


@register.simple_tag
def no_card(label: str) -> SafeString:
    """Return the place of a card where there is none."""
    return format_html('<span class="card none" role="img" aria-label="{}">–</span>', label)


@register.filter
def chip(code: str) -> SafeString:
    """Return a card within a line of text."""
    if code == JOKER:
        return format_html('<span class="chip" role="img" aria-label="{}">★</span>', name_of(JOKER))
    red = " red" if code[1] in RED else ""
    shown = f"{_figure(code[0])}{SIGNS[code[1]]}"
    return format_html('<span class="chip{}" role="img" aria-label="{}">{}</span>', red, name_of(code), shown)


@register.filter
def spoken(text: str, names: Mapping[int, str]) -> SafeString:
    """Return a move's description with its cards as chips and its seats by the names of who sits there."""
    parts: list[tuple[object]] = []
    last = 0
    for found in _SPOKEN.finditer(text):
        parts += [(text[last : found.start()],), (_shown(found, names),)]
        last = found.end()
    return format_html_join("", "{}", [*parts, (text[last:],)])


def _shown(found: re.Match[str], names: Mapping[int, str]) -> str:
    if code := found["card"]:
        return chip(code)
    return names.get(int(found["seat"]), found[0])


@register.filter
def rank_name(rank: str) -> str:
    """Return a rank in words for a person: "T" as "10", "A" as "ace"."""
    return str(RANKS[rank][1]) if rank in RANKS and rank != "T" else _figure(rank)


@register.filter
def die(pips: int) -> SafeString:
    """Return the face of a die."""
    dots = format_html_join("", '<circle cx="{}" cy="{}" r="2.4"/>', _DOTS[pips])
    return format_html(
        '<svg class="die" viewBox="0 0 24 24" role="img" aria-label="{}">'
        '<rect x="1" y="1" width="22" height="22" rx="5"/>{}</svg>',
        _("die showing %(pips)d") % {"pips": pips},
        dots,
    )
