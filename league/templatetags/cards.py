"""Cards, dice and moves as HTML, with labels for screen readers."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import unescape
from typing import Any, Final

from django import template
from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.engine.cards import CARD_PATTERN, JOKER, SIGNS, Card, order
from league.words.messages import translated
from league.words.moves import RED, figure, is_card, name_of, rank_name

register = template.Library()
register.filter(rank_name)

_SEAT: Final = "\x02{}\x03"
"""Marks a seat in a text until its name is put in; other texts never have these characters."""
_SPOKEN: Final = re.compile(
    rf"\b(?P<card>{CARD_PATTERN})\b|\x02(?P<seat>\d+)\x03|(?<![\w-])(?P<minus>-)(?=\d)"
)
_FACE: Final = (
    '<span class="card{}" data-code="{}" role="img" aria-label="{}">'
    '<span class="{}">{}</span><span class="pip">{}</span></span>'
)

# The dots of a die, in a view box of 24 by 24.
_DOTS: Final = {
    1: ((12, 12),),
    2: ((6, 6), (18, 18)),
    3: ((6, 6), (12, 12), (18, 18)),
    4: ((6, 6), (18, 6), (6, 18), (18, 18)),
    5: ((6, 6), (18, 6), (12, 12), (6, 18), (18, 18)),
    6: ((6, 5), (18, 5), (6, 12), (18, 12), (6, 19), (18, 19)),
}


@register.filter
def card(code: object) -> SafeString:
    """Return a card face up; an unknown card shows its text."""
    if isinstance(code, str) and (code == JOKER or is_card(code)):
        return _face(get_language(), code)
    return format_html('<span class="card">{}</span>', code)


@lru_cache(maxsize=1000)
def _face(language: str, code: str) -> SafeString:
    """Return a known card in the active language: a replay shows tens of thousands of them."""
    if code == JOKER:
        return format_html(_FACE, " joker", JOKER, name_of(JOKER), "word", _("Joker"), "★")
    red = " red" if code[1] in RED else ""
    return format_html(_FACE, red, code, name_of(code), "rank", figure(code[0]), SIGNS[code[1]])


@register.filter
def in_order(codes: Iterable[Card]) -> list[Card]:
    """Return cards sorted by suit, then by rank, aces high."""
    return sorted(codes, key=order)


@register.filter
def cards(codes: Iterable[object]) -> SafeString:
    """Return a list of cards face up."""
    return _faces(get_language(), tuple(codes))


@lru_cache(maxsize=5000)
def _faces(_language: str, codes: tuple[object, ...]) -> SafeString:
    """Return a list of cards in the active language: most hands and melds are as they were before a move."""
    items = format_html_join("", "<li>{}</li>", ((card(code),) for code in codes))
    return format_html('<ul class="cards">{}</ul>', items)


@register.simple_tag
def card_back(label: str) -> SafeString:
    """Return a card face down with a label."""
    return format_html('<span class="card back" role="img" aria-label="{}"></span>', label)


@register.simple_tag
def no_card(label: str) -> SafeString:
    """Return an empty place for a card with a label."""
    return format_html('<span class="card none" role="img" aria-label="{}">–</span>', label)


@register.simple_tag
def seen_card(seen: Iterable[Mapping[str, object]], **target: int) -> object:
    """Return the card that a seat has seen at a target, None where it has not.

    ``seen`` lists ``{"target", "card"}``; entries with more, of other seats, are left out.
    """
    return next((each["card"] for each in seen if each == {"target": target, "card": each["card"]}), None)


@register.filter
def chip(code: str) -> SafeString:
    """Return a card within a line of text."""
    return _chip(get_language(), code)


@lru_cache(maxsize=1000)
def _chip(_language: str, code: str) -> SafeString:
    if code == JOKER:
        return format_html(
            '<span class="chip" role="img" aria-label="{}">{}</span>', name_of(JOKER), _("Joker")
        )
    red = " red" if code[1] in RED else ""
    shown = f"{figure(code[0])}{SIGNS[code[1]]}"
    return format_html('<span class="chip{}" role="img" aria-label="{}">{}</span>', red, name_of(code), shown)


@register.filter
def spoken(message: str, names: Mapping[int, str]) -> SafeString:
    """Return a message in the active language, with cards as chips and seats as players' names.

    Numbers below zero have a minus sign, as everywhere on the pages.
    """
    text = translated(message, lambda seat: _SEAT.format(seat) if seat in names else None)
    parts: list[tuple[object]] = []
    last = 0
    for match in _SPOKEN.finditer(text):
        parts += [(text[last : match.start()],), (_replacement(match, names),)]
        last = match.end()
    return format_html_join("", "{}", [*parts, (text[last:],)])


def plain(message: str, names: Mapping[int, str]) -> str:
    """Return `spoken` as plain text, with the figures and signs of cards."""
    return unescape(strip_tags(spoken(message, names)))


@register.simple_tag(takes_context=True)
def legend(context: Mapping[str, Any], kind: str, name: object = "") -> SafeString | str:
    """Return what a thing of the shown table is, such as ``{% legend "meld" meld.id %}``."""
    table = context["table"]
    found = table.legends.get(f"{kind}:{name}" if name != "" else kind)
    return spoken(found, table.names) if found else ""


def _replacement(match: re.Match[str], names: Mapping[int, str]) -> str:
    if code := match["card"]:
        return chip(code)
    return "−" if match["minus"] else names[int(match["seat"])]


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
