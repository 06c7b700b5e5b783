"""How pages write times, fractions, ranks, and any value of a game's view."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from django import template
from django.conf import settings
from django.contrib.humanize.templatetags import humanize
from django.template.base import Parser, Token
from django.template.defaultfilters import date
from django.template.loader import render_to_string
from django.templatetags import i18n
from django.urls import get_script_prefix, reverse
from django.utils import timezone
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.engine.messages import one_dot
from league import hooks
from league.choices import TokenScope
from league.core.standings.cross_table import CrossRow
from league.hooks import app
from league.models import Competition, Player, Round
from league.ops.scripts import address_of, inline
from league.queries.accounts import own_zone, zone_for
from league.queries.readers import nameless
from league.queries.rounds import TableShown, apart_in, filled_in
from league.queries.waiting import who_waits
from league.templatetags.cards import cards, chip
from league.words import draw_reports, values
from league.words.agreed import bye_in_words
from league.words.competitions import (
    away_until,
    how_partners_score,
    prize_for,
    timetable_line,
    when_and_where,
    winners,
)
from league.words.matches import game_now, match_at, own_match
from league.words.messages import name_at_table, shown_name, team_at_table, translated
from league.words.moves import is_card
from league.words.options import byes_allowed, format_title, opens_tables, stage_rules
from league.words.times import day_in_words, point_in_time, zone_name
from league.words.values import column as written
from league.words.values import (
    company,
    exact,
    likely,
    names_at_table,
    names_with_team,
    numbers_within,
    on_paper,
    ruleset_key,
    ruleset_title,
    sides,
    signed,
    tie_break,
    together,
    words,
)

register = template.Library()
register.filter(format_title)
register.filter(values.table_label)
register.filter(values.numbered)
register.filter(opens_tables)
register.filter(stage_rules)
register.filter(bye_in_words)
register.filter(byes_allowed)
register.filter(match_at)
register.filter(own_match)
register.filter(game_now)
register.filter(shown_name)
register.filter(name_at_table)
register.filter(team_at_table)
register.filter(how_partners_score)
register.filter(prize_for)
register.filter(timetable_line)
register.filter(when_and_where)
register.filter(who_waits)
register.filter(winners)
register.filter(away_until)
register.filter(own_zone)
register.filter(zone_for)
for _filter in (
    *(day_in_words, point_in_time, exact, likely, numbers_within, on_paper, signed, tie_break, words),
    *(company, names_at_table, names_with_team, ruleset_title, ruleset_key, sides, together, translated),
):
    register.filter(_filter)


@register.simple_tag(takes_context=True)
def of_apps(context: template.Context, place: str) -> SafeString:
    """Return what apps show at a place of a page: see `league.hooks.app.App`."""
    page: Any = context.flatten()
    found = ((each, hooks.GIVEN.get(each)) for each in app.templates_at(place))
    shown = (render_to_string(each, {**page, **given(page)} if given else page) for each, given in found)
    return mark_safe("".join(shown))


@register.filter
def own_links(text: str) -> SafeString:
    """Return an email's text as HTML, with links for the site's own addresses and for no others.

    An address that has a line is a button, named by the line before it where that is short.
    """
    address = rf"{re.escape(escape(settings.SITE_URL))}/[^\s<]*"
    # Names of people are in it: what looks like an address there is not one of ours.
    found = re.compile(rf"(?m)(?:^(?P<title>[^\n]{{1,40}}):\n)?^(?P<button>{address})$|{address}")
    return mark_safe(found.sub(_own_link, escape(text)))


_BUTTON: Final = (
    "display: inline-block; padding: .5rem 1rem; border-radius: .4rem; background: #1f6b4a; color: #fff; "
    "text-decoration: none"
)


def _own_link(found: re.Match[str]) -> str:
    if not found["button"]:
        return f'<a href="{found[0]}">{found[0]}</a>'
    title = found["title"] or escape(_("Open the page"))
    return f'<a href="{found["button"]}" style="{_BUTTON}">{title}</a>'


@register.filter
def column(rows: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    """Return one value of each row of a table."""
    return [row[name] for row in rows]


@register.simple_tag
def languages() -> Sequence[tuple[str, str]]:
    """Return the languages of pages with their codes, each by its own name."""
    return settings.LANGUAGES


@register.filter
def bot(player: Player | None) -> str:
    """Return the mark after the name of a player who is a bot, nothing after any other."""
    return bot_mark() if player and player.bot else ""


@register.filter
def opens(player: UUID | str | None, club: UUID) -> bool:
    """Return whether the page of one of a club's players opens for who reads."""
    return player is not None and str(player) not in nameless(club)


@register.filter
def player_address(player: UUID | str) -> str:
    """Return the address of a player's page; to look a pattern up for each name of a list takes long."""
    return _player_address(get_script_prefix()).replace(_NOBODY, str(player))


_NOBODY: Final = str(UUID(int=0))


@lru_cache(maxsize=5)
def _player_address(_prefix: str) -> str:
    return reverse("player", args=[_NOBODY])


@register.filter
def marked(name: str, is_bot: bool) -> str:
    """Return a name with the mark of a bot, where only plain text can be."""
    return values.marked(name, bot=is_bot)


@register.filter
def bot_entry(entry: UUID | str, bots: Collection[str]) -> str:
    """Return the mark after the name of an entry whose id is one of `bots.entries_of_bots`."""
    return bot_mark() if str(entry) in bots else ""


def bot_mark() -> SafeString:
    """Return the mark after the name of a bot."""
    return format_html(' <span class="badge">{}</span>', _("bot"))


@register.filter
def ordinal(number: int) -> str:
    """Return a rank as people say it; Django's own filter looks up ten translations for each number."""
    return _ordinal(get_language(), number)


@lru_cache(maxsize=5000)
def _ordinal(_language: str | None, number: int) -> str:
    return str(humanize.ordinal(number))


@register.filter
def moment(at: datetime) -> SafeString:
    """Return a time in the active zone, with the zone's short name."""
    return format_html('<time datetime="{}">{}</time>', at.isoformat(), point_in_time(at))


@register.filter
def zone(at: datetime) -> str:
    """Return the short name of the active zone at this time, in the reader's language."""
    return zone_name(at)


@register.filter
def scope_words(scope: str) -> str:
    """Return what a scope lets a program do."""
    return str(TokenScope(scope).label)


@register.filter
def clock(at: datetime) -> SafeString:
    """Return the time of day in the active zone."""
    local = timezone.localtime(at)
    return format_html('<time datetime="{}">{}</time>', at.isoformat(), date(local, "H:i:s"))


@register.filter
def sized(size: int, partners: bool) -> str:
    """Return the size of a table for a sentence, in teams where partners share it."""
    return draw_reports.sized(size, teams=partners)


@register.simple_tag
def draw_report(
    competition: Competition, drawn: Round, tables: Iterable[tuple[TableShown, str, str]]
) -> tuple[str, ...]:
    """Return the report on a draw in sentences; ``tables`` are those that are shown of it."""
    partners = draw_reports.have_partners(table.seats for table, *_told in tables)
    apart, filled_by = apart_in(competition, drawn), filled_in(competition, drawn)
    return draw_reports.sentences(drawn.report, teams=partners, apart=apart, filled_by=filled_by)


@register.filter
def met(row: CrossRow) -> tuple[list[int], list[int], list[int]]:
    """Return the ranks of those an entry finished ahead of, tied with, and behind, once for each meeting."""
    shares = [(share, rank) for rank, cell in enumerate(row.cells, 1) for share in cell or ()]
    return (
        [rank for share, rank in shares if share == 1],
        [rank for share, rank in shares if 0 < share < 1],
        [rank for share, rank in shares if share == 0],
    )


@register.filter
def nth(values: Any, index: Any) -> Any:
    """Return an item of a list or mapping, None where it has none."""
    if isinstance(values, Mapping):
        return values.get(index)
    return values[index] if values is not None and 0 <= index < len(values) else None


@register.filter
def alike(rows: Sequence[Any], name: str) -> list[Any]:
    """Return a number of each row, or its numbers, as texts of one column; a dash for None."""
    found = [getattr(row, name) for row in rows]
    listed = [each if isinstance(each, list | tuple) else [each] for each in found]
    numbers = (number for each in listed for number in each)
    texts = iter(written([None if each is None else str(each) for each in numbers], signed=False))
    return [[next(texts) for _ in each] if isinstance(each, list | tuple) else next(texts) for each in found]


@register.filter
def value(item: Any) -> SafeString | str:
    """Return any value of a game's view in words."""
    match item:
        case None:
            return "–"
        case bool():
            return _("yes") if item else _("no")
        case str():
            return chip(item) if is_card(item) else item
        case Mapping():
            pairs = ((words(name), value(part)) for name, part in item.items())
            return format_html_join(", ", "{}: {}", pairs)
        case Sequence() if not item:
            return _("none")
        case Sequence() if all(is_card(part) for part in item):
            return cards(item)
        case Sequence() if any(isinstance(part, Mapping | list) for part in item):
            items = format_html_join("", "<li>{}</li>", ((value(part),) for part in item))
            return format_html("<ul>{}</ul>", items)
        case Sequence():
            return format_html_join(", ", "{}", ((value(part),) for part in item))
        case _:
            return exact(item)


class _Sentence(template.Node):
    """A translated block in which no dot of a name stands beside that of the sentence."""

    def __init__(self, block: template.Node) -> None:
        self.block = block

    def render(self, context: template.Context) -> str:
        told = one_dot(self.block.render(context))
        if kept := getattr(self.block, "asvar", None):
            context[kept] = SafeString(one_dot(context[kept]))
        return told


def _sentence(parser: Parser, token: Token) -> template.Node:
    """Return what Django's tag makes, as a sentence."""
    return _Sentence(i18n.do_block_translate(parser, token))


# In the place of Django's: each template that translates loads that library.
i18n.register.tag("blocktranslate", _sentence)


# What lays out its page, which is not painted before.
_LAYS_OUT: Final = {"onescreen", "plots", "studio"}


@register.simple_tag
def inline_script(name: str) -> SafeString:
    """Return a module of `static/trefoil` as a script of the page itself, which its policy must allow."""
    return mark_safe(f"<script>{inline(name)[0]}</script>")


@register.simple_block_tag
def modules(content: str) -> str:
    """Return the tag of the modules of `static/trefoil` whose names stand between, all in one file."""
    names = content.split()
    if not names:
        return ""
    waits = mark_safe(' blocking="render"') if _LAYS_OUT & {*names} else ""
    return format_html('<script type="module" src="{}"{}></script>', address_of(names), waits)
