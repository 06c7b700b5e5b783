"""What an evening that is run again takes over: settings, the next day and name, and who played."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import override

from games import database_time
from games.engine import shapes
from games.engine.clocks import Clock
from league.apps.evenings.models import Evening
from league.choices import Outcome
from league.core.presets import Preset
from league.models import Competition, Details, Entry, Player, TableSeat
from league.queries.competitions import details_of, entries_of, state_of

# ---- Settings ------------------------------------------------------------------------------------


def given(competition: Competition) -> dict[str, Any]:
    """Return what `open_competition` takes for another competition like this one."""
    kept: dict[str, Any] = dict(Preset.of(state_of(competition).opening).settings())
    return {**kept, "clock": shapes.read(Clock, kept["clock"])}


# ---- The next day --------------------------------------------------------------------------------

WEEK: Final = timedelta(days=7)
_RARELY: Final = 5 * WEEK
"""Evenings that are further apart follow no rhythm of weeks."""


def day_of(competition: Competition) -> date:
    """Return the first day of a competition, else that on which it was opened, in the club's zone."""
    told = details_of(competition).begins_on
    return told or competition.opened_at.astimezone(competition.club.zone).date()


def next_day(competition: Competition) -> date:
    """Return the day, today at the earliest, that follows as the club's last evenings did, else by weeks."""
    last, today = day_of(competition), database_time.now().astimezone(competition.club.zone).date()
    made = Evening.objects.filter(competition=competition).select_related("like").first()
    before = day_of(made.like) if made else _day_before(competition, last)
    apart = last - before if before else WEEK
    step = apart if WEEK <= apart <= _RARELY and not apart % WEEK else WEEK
    missed = max(0, -(-(today - last) // step) - 1)
    return last + step * (1 + missed)


def _day_before(competition: Competition, last: date) -> date | None:
    """Return the day of the club's last evening of the game before one."""
    earlier = Details.objects.filter(
        competition__club=competition.club_id,
        competition__ruleset=competition.ruleset,
        begins_on__lt=last,
    )
    return earlier.order_by("-begins_on").values_list("begins_on", flat=True).first()


def others_like(competition: Competition) -> Sequence[Evening]:
    """Return the evenings that were set up like this one and are not over, by their days."""
    later = Evening.objects.filter(like=competition).select_related("competition").order_by("day")
    return [each for each in later if each.competition.status in _TO_COME]


_TO_COME: Final = (Competition.Status.PREPARING, Competition.Status.ENTERING)

# ---- Its name ------------------------------------------------------------------------------------

_DATES: Final = (
    *("l j F Y", "l, j F Y", "l, j. F Y", "l j F", "l, j F", "l, j. F"),
    *("j F Y", "j. F Y", "F j, Y", "j F", "j. F", "F j", "Y-m-d", "d.m.Y", "j.n.Y", "d/m/Y"),
)
"""How people write the day of an evening into its name, the longest first."""
_NUMBERED: Final = re.compile(r"(.*\D)([0-9]{1,3})")
LONGEST: Final = 100


def next_name(name: str, last: date, day: date) -> str:
    """Return the name of the next evening: the date in a name, or the number at its end, goes on.

    Other names get the date of the evening.
    """
    for form in _DATES:
        for code, _title in settings.LANGUAGES:
            with override(code):
                if (told := date_format(last, form)) in name:
                    return name.replace(told, date_format(day, form))
    if numbered := _NUMBERED.fullmatch(name):
        return f"{numbered[1]}{int(numbered[2]) + 1}"
    told = date_format(day, "MONTH_DAY_FORMAT")
    return f"{name[: LONGEST - len(told) - 2]}, {told}"


# ---- Who played ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Former:
    """An entry of the last time whose players can all enter again, and whether it played to the end."""

    entry: Entry
    players: tuple[UUID, ...]
    own_name: str
    played: bool


def former_entries(competition: Competition) -> Sequence[Former]:
    """Return the entries of a competition that can enter another one, in their order.

    One of whom a player has left the club, or was forgotten, is none of them. Who withdrew, was expelled, or
    came to no table of a competition that was played has not ``played``.
    """
    state = state_of(competition)
    came = TableSeat.objects.filter(entry__competition=competition).exclude(outcome=Outcome.NO_SHOW)
    seated = {*came.values_list("entry", flat=True)}
    found = []
    for entry in entries_of(competition):
        players = [member.player for member in entry.members.all()]
        logged = state.entry(str(entry.pk))
        if all(map(_can_enter, players)) and len(players) == state.opening.team_size:
            stayed = entry.status == Entry.Status.ENTERED and not entry.expelled
            played = stayed and (entry.pk in seated or not seated)
            found.append(Former(entry, tuple(each.pk for each in players), logged.own_name, played))
    return found


def _can_enter(player: Player) -> bool:
    return player.active and not player.anonymous and player.merged_into_id is None
