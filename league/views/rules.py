"""The pages of the rules: a list of games, and a page of each."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import select_template
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import rules
from games.engine import shapes
from games.engine.base import listed
from games.engine.kinds import AnyOf, Field, Flag, ListOf, OneOf, Record, Shape, Whole
from games.engine.replay import AnyRuleset


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show every game that can be played here."""
    games = [(ruleset, listed(ruleset.seats)) for ruleset in rules.NEWEST.values()]
    return render(request, "rules/index.html", {"games": games})


@require_safe
def page(request: HttpRequest, key: str) -> HttpResponse:
    """Show the rules of one game in its newest edition; 404 for a game that isn't here."""
    try:
        ruleset = rules.find(key)
    except KeyError:
        raise Http404 from None
    template = select_template([f"rules/{ruleset.key}.html", "rules/base.html"])
    context = {
        "ruleset": ruleset,
        "seats": listed(ruleset.seats),
        "ruleset_options": options_of(ruleset),
        "presets": presets_of(ruleset),
        "has_sheets": ruleset.form(ruleset.read_options({}, ruleset.seats[0])) is not None,
    }
    return HttpResponse(template.render(context, request))


def options_of(ruleset: AnyRuleset) -> list[dict[str, Any]]:
    """Return the options for people: ``{"name", "help", "default", "range"}`` of each."""
    return [_option(field) for field in shapes.record(ruleset.options).fields]


def _option(field: Field) -> dict[str, Any]:
    return {
        "name": field.name,
        "help": field.help,
        "default": spoken_value(field.shape.write(field.default)),
        "range": range_of(field.shape),
    }


def presets_of(ruleset: AnyRuleset) -> list[dict[str, Any]]:
    """Return the presets for people: ``{"name", "options": [(name, value)]}`` of each."""
    return [
        {"name": name, "options": [(option, spoken_value(value)) for option, value in chosen.items()]}
        for name, chosen in ruleset.presets.items()
    ]


def spoken_value(value: object) -> str:
    """Return an option's value for people: "yes" for true, "empty" for null, "none" for an empty list."""
    match value:
        case bool():
            return _("yes") if value else _("no")
        case None:
            return _("empty")
        case Mapping():
            told = (f"{name} {spoken_value(part)}" for name, part in value.items() if part not in ([], ()))
            return " ".join(told)
        case list() | tuple() if all(isinstance(part, int) for part in value):
            return " + ".join(map(str, value)) or _("none")
        case list() | tuple():
            return "; ".join(map(spoken_value, value)) or _("none")
        case _:
            return str(value).replace("_", " ")


def range_of(shape: Shape) -> str:
    """Return the values that an option may take, in words."""
    match shape:
        case Whole(low, high):
            return _("%(low)d to %(high)d") % {"low": low, "high": high}
        case Flag():
            return _("yes or no")
        case OneOf(values):
            return ", ".join(map(spoken_value, values))
        case AnyOf(shapes=several):
            return _(" or ").join(map(range_of, several))
        case ListOf(item, low, high):
            told = {"low": low, "high": high, "item": range_of(item)}
            return _("%(low)d to %(high)d of these: %(item)s") % told
        case Record(fields=fields):
            return "; ".join(f"{field.name}: {range_of(field.shape)}" for field in fields)
        case _:
            return _("text")
