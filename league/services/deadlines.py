"""Deadlines of rounds: how they follow from a plan, and what becomes of games that run past one."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.chain import stamp
from games.engine.refusals import Malformed, Stale
from games.models import Game
from league.competition import commands
from league.competition.events import StagePlan
from league.competition.state import Competition as State
from league.competition.state import Round
from league.models import ClubGame, Competition
from league.models import Round as RoundRow
from league.services.play import call_time

_MOST_AT_ONCE: Final = 100


def to_come(deadline: datetime | None) -> str | None:
    """Return an aware time as the log writes it; raise `Malformed` for one that has passed."""
    if deadline is None:
        return None
    if deadline <= timezone.now():
        raise Malformed({"deadline": [_("This time has passed.")]})
    return stamp(deadline.astimezone(UTC))


def planned(plan: StagePlan, now: datetime) -> str | None:
    """Return the deadline of a round that is published now, at a full hour; None without one."""
    if not plan.hours:
        return None
    end = now.astimezone(UTC) + timedelta(hours=plan.hours, minutes=59, seconds=59)
    return stamp(end.replace(minute=0, second=0, microsecond=0))


def passed(its_round: Round | None, now: datetime) -> bool:
    """Return whether a round has a deadline and it has passed."""
    if its_round is None or its_round.deadline is None:
        return False
    return datetime.fromisoformat(its_round.deadline) <= now


def step_now(state: State) -> commands.Step:
    """Return what the competition waits for at this moment."""
    open_round = state.stage.open_round if state.stage else None
    return commands.next_step(state, overdue=passed(open_round, timezone.now()))


def end_overdue(*, game_id: UUID) -> None:
    """Carry a game on that runs past its round's deadline, as its competition says; nothing for any other.

    ``defaults``: the clock plays the default moves of whoever is awaited. ``forfeit``: whoever is awaited
    forfeits. At most `_MOST_AT_ONCE` moves are made, each at its own number of the game's log, so that
    several workers make none twice; the next look goes on. Raises ClubGame.DoesNotExist.
    """
    for _turn in range(_MOST_AT_ONCE):
        place = ClubGame.objects.select_related("game", "competition", "table__round").get(game=game_id)
        if not _overdue(place) or not place.game.awaited:
            return
        forfeits = place.competition.overdue == Competition.Overdue.FORFEIT  # type: ignore[union-attr]
        with suppress(Stale):
            call_time(place.game, place.game.awaited[0], forfeits=forfeits)


def _overdue(place: ClubGame) -> bool:
    """Return whether the clock is to carry the game on."""
    if place.competition is None or place.table is None or place.game.status != Game.Status.ACTIVE:
        return False
    its_round, competition = place.table.round, place.competition
    late = its_round.deadline is not None and its_round.deadline <= timezone.now()
    return (
        late
        and its_round.status == RoundRow.Status.PUBLISHED
        and competition.status == Competition.Status.RUNNING
        and competition.overdue != Competition.Overdue.ORGANISER
    )
