"""What pages write in one way only: times, fractions, places, and any value of a view."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, Final

from django import template
from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import rules
from league import draw_reports
from league.cross_table import CrossRow
from league.templatetags.cards import cards, chip, is_card

register = template.Library()

_FRACTION: Final = re.compile(r"-?\b\d+/\d+\b")
_VULGAR: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 5): "⅕",
    Fraction(1, 6): "⅙",
    Fraction(5, 6): "⅚",
    Fraction(1, 8): "⅛",
}


@register.filter
def moment(at: datetime) -> SafeString:
    """Return a time in the zone of the page's club, with the zone's short name."""
    local = timezone.localtime(at)
    return format_html('<time datetime="{}">{}</time>', at.isoformat(), date(local, "j M Y, H:i T"))


@register.filter
def clock(at: datetime) -> SafeString:
    """Return the time of day in the zone of the page's club."""
    local = timezone.localtime(at)
    return format_html('<time datetime="{}">{}</time>', at.isoformat(), date(local, "H:i:s"))


@register.filter
def exact(value: object) -> str:
    """Return an exact fraction as people write it: "7/2" as "3½", "13/7" as "1 6/7"; words as they are."""
    try:
        number = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return str(value)
    whole, rest = divmod(abs(number), 1)
    sign = "−" if number < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    part = _VULGAR.get(rest, f" {rest}" if whole else str(rest))
    return f"{sign}{whole or ''}{part}"


@register.filter
def signed(number: int) -> str:
    """Return a whole number with its sign: 12 as "+12", -3 as "−3"."""
    return f"−{-number}" if number < 0 else f"+{number}"


@register.filter
def exact_within(sentence: str) -> str:
    """Return a sentence with the fractions in it as people write them."""
    return _FRACTION.sub(lambda found: exact(found[0]), sentence)


@register.filter
def words(name: str) -> str:
    """Return a name of the code for people: "head_to_head" as "Head to head"."""
    plain = name.replace("_", " ").replace("-", " ")
    return plain[:1].upper() + plain[1:]


@register.filter
def draw_report(figures: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the report on a draw in sentences."""
    return draw_reports.sentences(figures)


@register.filter
def met(row: CrossRow) -> tuple[list[int], list[int], list[int]]:
    """Return the ranks of those whom an entry finished ahead of, level with, and behind, each meeting one."""
    shares = [(share, rank) for rank, cell in enumerate(row.cells, 1) for share in cell or ()]
    return (
        [rank for share, rank in shares if share == 1],
        [rank for share, rank in shares if 0 < share < 1],
        [rank for share, rank in shares if share == 0],
    )


@register.filter
def ruleset_title(name: str) -> str:
    """Return the title of a ruleset's name or key, or the name itself where it is known no more."""
    try:
        return rules.find(name).title
    except KeyError:
        return name


@register.filter
def ruleset_key(name: str) -> str:
    """Return the key of a ruleset's name: "scoops@1" as "scoops"."""
    return name.partition("@")[0]


@register.filter
def nth(values: Any, index: Any) -> Any:
    """Return the item of a list or mapping, None where there is none."""
    if isinstance(values, Mapping):
        return values.get(index)
    return values[index] if values is not None and 0 <= index < len(values) else None


@register.filter
def value(told: Any) -> SafeString | str:
    """Return any value of a ruleset's view so that a person can read it."""
    match told:
        case None:
            return "–"
        case bool():
            return _("yes") if told else _("no")
        case str():
            return chip(told) if is_card(told) else told
        case Mapping():
            pairs = ((words(name), value(part)) for name, part in told.items())
            return format_html_join(", ", "{}: {}", pairs)
        case Sequence() if not told:
            return _("none")
        case Sequence() if all(is_card(part) for part in told):
            return cards(told)
        case Sequence() if any(isinstance(part, Mapping | list) for part in told):
            items = format_html_join("", "<li>{}</li>", ((value(part),) for part in told))
            return format_html("<ul>{}</ul>", items)
        case Sequence():
            return format_html_join(", ", "{}", ((value(part),) for part in told))
        case _:
            return str(told)
