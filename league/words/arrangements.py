"""What a competition announced about entries, time and the table, in words: told before anybody enters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import rules
from games.engine import clocks
from games.engine.clocks import Clock
from games.engine.messages import filled, text
from league.choices import Overdue
from league.core.state.plan import Entering, Opening, StagePlan
from league.words.messages import translated
from league.words.times import duration_text
from league.words.values import on_paper

if TYPE_CHECKING:
    from league.models import TableSeat

_HOUR = 60 * 60


BEST_PARTNER: Final = text("A team’s place and score at a table are those of its best player there.")
"""How partners score, as `league.core.scoring.by_entry` counts it."""


def arrangements(opening: Opening, plans: Sequence[StagePlan]) -> list[tuple[str, str]]:
    """Return titles with sentences: who enters and how, time for moves and rounds, what the table shows.

    ``plans`` are those of the stages, the first one first.
    """
    return [
        (_("Who enters"), who_enters(opening)),
        *_entering(opening.entering),
        *(() if on_paper(opening.ruleset) else _at_the_table(opening)),
        *_rounds(opening, plans),
    ]


def how_partners_score(seats: Iterable[TableSeat], ruleset: str) -> str:
    """Return how partners score at a table that some share, of others and in games of teams nothing."""
    entries = [seat.entry_id for seat in seats]
    return best_partner(ruleset) if len({*entries}) < len(entries) else ""


def best_partner(ruleset: str) -> str:
    """Return how partners score, nothing in a game of teams: there its rules say what a team scores."""
    return "" if rules.has_teams(ruleset) else translated(BEST_PARTNER)


def who_enters(opening: Opening) -> str:
    """Return whether single players enter or teams, of what size, and how teams sit and score."""
    match opening.lineup:
        case "single":
            return _("Single players.")
        case "partners":
            told = _("Teams of %(size)d who share a table.") + f" {best_partner(opening.ruleset)}".rstrip()
        case "boards":
            told = _("Teams of %(size)d whose players sit at different tables.")
    return told % {"size": opening.team_size}


def _entering(entering: Entering) -> Iterator[tuple[str, str]]:
    if entering.places:
        told = ngettext(
            "There is %(places)d place; who enters later joins a waiting list.",
            "There are %(places)d places; who enters later joins a waiting list.",
            entering.places,
        )
        yield _("Places"), told % {"places": entering.places}
    if entering.approval:
        yield _("Approval"), _("An organiser approves each entry.")
    if entering.check_in:
        yield _("Check-in"), _("Check in before the start: until then you are given no table.")


def _at_the_table(opening: Opening) -> Iterator[tuple[str, str]]:
    clock = clocks.read(opening.clock)
    yield _("Time to move"), " ".join(_clock(clock))
    if opening.aided:
        yield _("Help at the table"), _("The page of a game lists what your hand makes.")
    else:
        yield _("Help at the table"), _("You find what your hand makes yourself; rules are always checked.")
    if opening.open_hands is None:
        told = _("Nobody sees another hand before the game is over.")
    elif not opening.open_hands:
        told = _("Everybody sees all hands of a deal as soon as it is over.")
    else:
        told = _("Everybody sees all hands of a deal %(time)s after it.")
        told %= {"time": duration_text(opening.open_hands * 60)}
    yield _("Open hands"), told


def _clock(clock: Clock) -> Iterator[str]:
    if not clock.runs:
        yield _("There is no limit.")
        return
    if clock.move:
        yield _("%(time)s for each move.") % {"time": duration_text(clock.move)}
    if clock.game:
        yield _("%(time)s for all of a player’s moves in a game.") % {"time": duration_text(clock.game)}
    if clock.late == "forfeit":
        yield _("Who runs out of time forfeits the game.")
    else:
        yield _("For who runs out of time a default move is played.")
    if clock.quiet:
        yield filled(_("No time passes from %(hours)s."), {"hours": clock.quiet.replace("-", "–")})


def _rounds(opening: Opening, plans: Sequence[StagePlan]) -> Iterator[tuple[str, str]]:
    for plan in plans:
        title = _("Time for a round")
        if len(plans) > 1:
            title = f"{title}: {plan.name}"
        yield title, duration_text(plan.hours * _HOUR) if plan.hours else _("There is no set limit.")
    if any(plan.hours for plan in plans):
        yield (
            _("After the deadline of a round"),
            _overdue(Overdue.ORGANISER if on_paper(opening.ruleset) else Overdue(opening.overdue)),
        )


def _overdue(overdue: Overdue) -> str:
    match overdue:
        case Overdue.ORGANISER:
            return _("An organiser decides about games that are not finished.")
        case Overdue.DEFAULTS:
            return _("The clock plays default moves until the game is over.")
        case Overdue.FORFEIT:
            return _("Players whose turn it is forfeit the game.")
