"""What is added to a draft of a copy or taken away from it, with all that was typed into its form."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from games.engine import shapes
from games.engine.refusals import Malformed
from games.engine.values import replace
from games.rules.card_game.definition import Definition, Written
from league.apps.own_games.copy_form import DRAFT, INSTEAD, JSON, NEW_FIELD, NEW_LINE
from league.apps.own_games.formula_form import name_for, with_line

CHANGE: Final = "_change"
"""The name of the buttons that add or take away."""
_INDEX: Final = re.compile(r"(fields|steps)\.(\d{1,2})((?:\..*)?)", re.ASCII)


def draft_in(data: Mapping[str, Any], copied: Definition) -> Definition:
    """Return the draft that a form was made from, with the kinds that were chosen; else what is copied."""
    try:
        draft = shapes.read(Definition, json.loads(data.get(DRAFT, "")))
    except (ValueError, Malformed):
        return copied
    kinds = [data.get(f"fields.{at}.kind", each.kind) for at, each in enumerate(draft.fields)]
    known: Any = ("number", "choice", "tick", "player")
    fields = (
        replace(each, kind=kind if kind in known else each.kind)
        for each, kind in zip(draft.fields, kinds, strict=True)
    )
    return replace(draft, fields=tuple(fields))


def changed(draft: Definition, data: Mapping[str, Any]) -> tuple[Definition, dict[str, Any], dict[str, str]]:
    """Return draft and texts of the form after a button that adds or takes away, and errors by field."""
    what, _blank, path = data[CHANGE].partition(" ")
    typed, lacking = _shown(draft, data), dict[str, str]()
    name = {"field": f"{NEW_FIELD}title", "line": f"{NEW_LINE}name"}.get(path, "")
    title = str(typed.get(name, "")).strip()
    if what == "remove":
        draft, typed = _removed(draft, typed, path)
    elif not title:
        lacking = {name or JSON: _("Give it a name.")}
    elif path == "field":
        draft, typed[name] = _with_field(draft, title, typed), ""
    else:
        before = typed.get("score") or draft.score
        draft = with_line(replace(draft, score=before), title, typed.get(f"{NEW_LINE}kind", "sum"))
        typed |= {name: "", "score": draft.score}
    return draft, typed, lacking


def _shown(draft: Definition, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was typed into a form, boxes without a tick too; not its draft."""
    ticks = ["may_end", "low_wins", INSTEAD]
    ticks += [f"fields.{at}.optional" for at in range(len(draft.fields)) if f"fields.{at}.title" in data]
    typed = {name: data[name] for name in data if name != DRAFT}
    try:
        if json.loads(typed.get(JSON, "")) == json.loads(data.get(DRAFT, "")):
            del typed[JSON]
    except ValueError:
        pass
    return {**dict.fromkeys(ticks, False), **typed}


def _with_field(draft: Definition, title: str, typed: Mapping[str, Any]) -> Definition:
    kind, per = typed.get(f"{NEW_FIELD}kind", "number"), typed.get(f"{NEW_FIELD}per", "seat")
    name = name_for(title, {each.name for each in (*draft.fields, *draft.steps)})
    # A tick that can be left out is yes or no, without a third answer.
    own: Any = {"kind": kind, "per": "deal" if kind == "player" else per, "optional": kind == "tick"}
    return replace(draft, fields=(*draft.fields, Written(name, title[:60], **own)))


def _removed(draft: Definition, typed: dict[str, Any], path: str) -> tuple[Definition, dict[str, Any]]:
    found = _INDEX.fullmatch(path)
    whole: list[Any] = [*getattr(draft, found[1])] if found else []
    if not found or int(found[2]) >= len(whole) or (found[1] == "fields" and len(whole) == 1):
        return draft, typed
    at, left = int(found[2]), [*whole[: int(found[2])], *whole[int(found[2]) + 1 :]]
    moved = {}
    for name, value in typed.items():
        its = _INDEX.fullmatch(name)
        if its is None or its[1] != found[1] or int(its[2]) < at:
            moved[name] = value
        elif int(its[2]) > at:
            moved[f"{its[1]}.{int(its[2]) - 1}{its[3]}"] = value
    own: Any = {found[1]: tuple(left)}
    return replace(draft, **own), moved
