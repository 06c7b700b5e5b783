"""Byes on request and late entries in words: what a stage allows, and what a bye in a round is."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.messages import filled
from league.core.agreed import WORTH
from league.core.scoring import fixed_points, rate_in
from league.core.state.plan import Opening, StagePlan
from league.core.state.values import Policy
from league.models import Bye
from league.words.messages import translated
from league.words.values import exact


def agreed_in_words(plan: StagePlan, opening: Opening) -> Iterator[str]:
    """Yield how often an entry can ask for a bye, what that is worth, and what a late entry earns."""
    if plan.requested_byes:
        yield from _requested(plan, opening)
    if plan.late_rounds:
        told = ngettext(
            "Who enters late earns %(worth)s for the first round, if they missed it.",
            "Who enters late earns %(worth)s for each of the first %(count)d rounds that they missed.",
            plan.late_rounds,
        )
        yield filled(told, {"count": plan.late_rounds, "worth": _worth(plan, opening, plan.scoring.late)})


def _requested(plan: StagePlan, opening: Opening) -> Iterator[str]:
    told = ngettext(
        "Each entry can ask for %(count)d bye before the round is drawn; it earns %(worth)s.",
        "Each entry can ask for %(count)d byes before the round is drawn; each earns %(worth)s.",
        plan.requested_byes,
    )
    worth = _worth(plan, opening, plan.scoring.requested)
    yield filled(told, {"count": plan.requested_byes, "worth": worth})
    if last := plan.requested_not_last:
        told = ngettext(
            "There is none in the last round.", "There is none in the last %(count)d rounds.", last
        )
        yield told % {"count": last}


def _worth(plan: StagePlan, opening: Opening, policy: Policy) -> str:
    """Return what a round is worth by a policy, with the points where they are the same for all."""
    rate = rate_in(opening, plan)
    points, told = fixed_points(rate, policy), translated(WORTH[policy])
    if points is None or policy == "none":
        return told
    times = opening.team_size if opening.lineup == "boards" else 1
    return f"{told} ({exact(points * times)})"


def bye_in_words(bye: Bye | None) -> str:
    """Return what stands after the name of an entry without a table: "on request, ½", mostly nothing."""
    if bye is None or not bye.requested:
        return ""
    if not bye.points:
        return _("on request")
    return _("on request, %(points)s") % {"points": exact(bye.points)}
