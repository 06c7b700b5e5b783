"""What the verbs of a form would change, as the desk shows it before they are carried out."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from league.admin.verbs import VerbForm
from league.core.previews import Comparison, Place, Preview, compared
from league.models import Account
from league.queries.previews import preview
from league.words.event_text import sentences
from league.words.messages import translated


@dataclass(frozen=True)
class Line:
    """An entry's rank and points, and where it goes in the next stage: each now and after."""

    name: str
    stage: int
    changed: bool
    rank: tuple[int | None, int | None]
    points: tuple[object, object]
    goes: tuple[str, str]


@dataclass(frozen=True)
class WhatIf:
    """The sentences of what would happen; the lines that would change, and all lines.

    ``lots`` say for whom lots would be drawn, which no line can show. ``stages`` and ``goes`` say whether the
    lines are of several stages, and whether anybody goes on.
    """

    sentences: Sequence[str]
    lots: Sequence[str]
    changed: Sequence[Line]
    lines: Sequence[Line]
    stages: bool
    goes: bool


def can_preview(form: VerbForm) -> bool:
    """Return whether what a form does can be shown before: once there are standings, but for draws."""
    state = form.state
    return not form.empty and state.stage is not None and not form.verb.draws(state)


@transaction.atomic
def what_if(by: Account, form: VerbForm) -> WhatIf:
    """Return what a valid form would change now; raises what carrying it out would raise. Nothing is kept."""
    found = preview(by=by, competition=form.competition, verbs=form.verbs(by))
    told = sentences(form.competition.pk, found.events)
    transaction.set_rollback(True)
    lines = [_line(found, row) for row in compared(found)]
    return WhatIf(
        told,
        [translated(each) for each in found.lots],
        [line for line in lines if line.changed],
        lines,
        stages=len(found.stages) > 1,
        goes=bool(found.before.goes_on or found.after.goes_on),
    )


def _line(found: Preview, row: Comparison) -> Line:
    return Line(
        found.names[row.entry],
        row.stage,
        row.changed,
        (row.before.rank if row.before else None, row.after.rank if row.after else None),
        (row.before.points if row.before else None, row.after.points if row.after else None),
        (_goes(found, row.place_before), _goes(found, row.place_after)),
    )


def _goes(found: Preview, place: Place | None) -> str:
    """Return in words where an entry goes, empty for nowhere."""
    if place is None:
        return ""
    if place.movement == "undecided":
        return _("level on the last place")
    if not (found.before.divisions or found.after.divisions):
        return _("qualifies")
    movement = {"up": " ▲", "down": " ▼"}.get(place.movement, "")
    return _("Division %(number)d") % {"number": place.group} + movement
