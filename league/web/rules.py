"""The rules: a list of the games, and a page for each of them."""

from collections.abc import Sequence
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import select_template
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import rules
from games.engine.base import listed
from games.engine.kinds import Builders, Field, ListOf, Record
from games.engine.replay import AnyRuleset
from games.packages import purposes_of
from games.templates import template_of
from league.words.messages import translated
from league.words.options import option_in_words, options_in_words, value_in_words


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show all games."""
    games = [(ruleset, translated(listed(ruleset.seats))) for ruleset in rules.games()]
    return render(request, "rules/index.html", {"games": games})


@require_safe
def page(request: HttpRequest, key: str) -> HttpResponse:
    """Show the newest rules of a game; 404 for an unknown game."""
    ruleset = _find(key)
    own, english = (template_of(ruleset, part) for part in (f"rules.{get_language()}", "rules"))
    template = select_template([own, english, "rules/base.html"])
    context = {
        "ruleset": ruleset,
        "rules_language": "" if template.template.name == own else "en",
        "seats": translated(listed(ruleset.seats)),
        "ruleset_options": options_of(ruleset),
        "presets": presets_of(ruleset),
        "has_purposes": purposes_of(ruleset) is not None,
    }
    return HttpResponse(template.render(context, request))


@require_safe
def purposes(request: HttpRequest, key: str) -> HttpResponse:
    """Show what chance decides in a game, and how (docs/chance.md, 7); 404 where nothing is decided by it."""
    text = purposes_of(_find(key), get_language() or "en")
    if text is None:
        raise Http404
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")


def _find(key: str) -> AnyRuleset:
    try:
        return rules.find(key)
    except KeyError:
        raise Http404 from None


def options_of(ruleset: AnyRuleset) -> list[dict[str, Any]]:
    """Return ``{"name", "title", "help", "default", "range"}`` of each option, in words."""
    return [_option(field) for field in ruleset.asked.fields]


def _option(field: Field) -> dict[str, Any]:
    return {
        "name": field.name,
        "help": translated(field.help),
        "title": translated(field.title),
        "default": option_in_words(field, field.usual),
        "range": _range(field),
    }


def _range(field: Field) -> str:
    """Return the possible values of an option, in words."""
    if field.labels:
        return "; ".join(map(translated, field.labels.values()))
    return field.shape.fold(RANGES)


def presets_of(ruleset: AnyRuleset) -> list[dict[str, Any]]:
    """Return ``{"name", "options": [(title, value)]}`` of each preset, in words."""
    return [
        {"name": name, "options": options_in_words(ruleset, chosen)}
        for name, chosen in ruleset.presets.items()
    ]


def _list_range(shape: ListOf, parts: Sequence[str]) -> str:
    limits = {"low": shape.low, "high": shape.high, "item": parts[0]}
    return _("%(low)d to %(high)d of these: %(item)s") % limits


def _record_range(shape: Record, parts: Sequence[str]) -> str:
    return "; ".join(f"{field.name}: {part}" for field, part in zip(shape.fields, parts, strict=True))


RANGES: Final[Builders[str]] = {
    "flag": lambda _shape, _parts: _("yes or no"),
    "number": lambda shape, _parts: _("%(low)d to %(high)d") % {"low": shape.low, "high": shape.high},
    "text": lambda _shape, _parts: _("text"),
    "choice": lambda shape, _parts: ", ".join(map(value_in_words, shape.values)),
    "list": _list_range,
    "rows": _list_range,
    "record": _record_range,
    "object": lambda _shape, _parts: _("text"),
    "either": lambda _shape, parts: _(" or ").join(parts),
}
"""The possible values of an option, in words, by the kind of its shape."""
