"""What an evening that is run again takes over: settings, the next day and name, and who played."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Final
from uuid import UUID

from dateutil.rrule import MONTHLY, rrule, weekday
from dateutil.rrule import WEEKLY as WEEKS
from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.formats import date_format
from django.utils.translation import override

from games import database_time
from games.engine.refusals import Malformed
from league import hooks
from league.apps.evenings.models import WEEKLY, Cancellation, Evening, KeptPreset, Rhythm, Skipped
from league.choices import Outcome
from league.core.presets import CLUB_PRESET, Preset
from league.models import Club, Competition, Details, Email, Entry, Player, TableSeat
from league.queries.competitions import concerned, details_of, entries_of, state_of

# ---- Presets of a club ---------------------------------------------------------------------------


def kept_presets(clubs: Collection[UUID]) -> Mapping[str, Preset]:
    """Return the presets that clubs keep, by their keys, without those of what this release lacks."""
    found = {}
    for each in KeptPreset.objects.filter(club__in=clubs).order_by("name", "pk"):
        with suppress(Malformed):
            key = f"{CLUB_PRESET}{each.pk}"
            found[key] = Preset.read(key, each.name, each.settings)
    return found


def told_apart(competition: UUID) -> str:
    """Return what those who had entered a competition that was cancelled are told, and nobody else."""
    found = Cancellation.objects.filter(competition=competition).values_list("told", flat=True).first()
    return found or ""


# ---- The next day --------------------------------------------------------------------------------

WEEK: Final = timedelta(days=7)
_RARELY: Final = 5 * WEEK
"""Evenings that are further apart follow no rhythm of weeks."""


def day_of(competition: Competition) -> date:
    """Return the first day of a competition, else that on which it was opened, in the club's zone."""
    told = details_of(competition).begins_on
    return told or competition.opened_at.astimezone(competition.club.zone).date()


def next_day(competition: Competition) -> date:
    """Return the next day, today or later: by its rhythm, as the last evenings followed, or in a week."""
    rhythm = rhythm_of(competition)
    return (rhythm and not rhythm.stopped and rhythm.next_on) or day_after(competition)


def day_after(competition: Competition) -> date:
    """Return the next day of a competition without a rhythm."""
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

# ---- Rhythms -------------------------------------------------------------------------------------

SHOWN: Final = 6
"""How many of the next days a page shows."""


def rhythm_of(competition: Competition) -> Rhythm | None:
    """Return the rhythm that a competition belongs to, or that goes on like it."""
    of_it = Q(evenings__competition=competition) | Q(like=competition)
    return Rhythm.objects.filter(of_it).select_related("club", "like", "by").distinct().first()


def days_of(rhythm: Rhythm, since: date) -> Iterator[date]:
    """Yield the days of a rhythm from one on, also those that are skipped."""
    begin = datetime.combine(rhythm.first, time())
    if rhythm.nth == WEEKLY:
        rule = rrule(WEEKS, interval=rhythm.weeks, byweekday=rhythm.weekday, dtstart=begin)
    else:
        day = weekday(rhythm.weekday)(rhythm.nth)
        rule = rrule(MONTHLY, byweekday=day, dtstart=begin)
    for each in rule.xafter(datetime.combine(since, time()), inc=True):
        yield each.date()


def next_days(rhythm: Rhythm) -> Sequence[tuple[date, Skipped | None, Competition | None]]:
    """Return the next days of a rhythm, each with why it is skipped, or the evening that is set up."""
    today = database_time.now().astimezone(rhythm.club.zone).date()
    skipped = {each.day: each for each in rhythm.skipped.all()}
    made = {each.day: each.competition for each in rhythm.evenings.select_related("competition")}
    days = islice(days_of(rhythm, max(today, rhythm.first)), SHOWN)
    return [(day, skipped.get(day), made.get(day)) for day in days]


def rhythms_due() -> QuerySet[Rhythm]:
    """Return the rhythms whose next evening is to be set up now."""
    return Rhythm.objects.filter(due__lte=database_time.now())


def days_off(club: Club) -> Iterator[hooks.DayOff]:
    """Yield the days of a club's rhythms that are skipped for a reason."""
    skipped = Skipped.objects.filter(rhythm__club=club, rhythm__stopped=False).exclude(why="")
    for each in skipped.select_related("rhythm__like").order_by("day", "pk"):
        yield hooks.DayOff(f"skipped-{each.pk}", each.day, each.rhythm.like.name, each.why, each.made_at)


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

    Its players are those who came first: a stand-in for somebody who went home comes for that evening alone.
    One of whom a player has left the club, or was forgotten, is none of them. Who withdrew, was expelled, or
    came to no table of a competition that was played has not ``played``.
    """
    state = state_of(competition)
    club = {str(each.pk): each for each in Player.objects.filter(club=competition.club_id)}
    came = TableSeat.objects.filter(entry__competition=competition).exclude(outcome=Outcome.NO_SHOW)
    seated = {*came.values_list("entry", flat=True)}
    found = []
    for entry in entries_of(competition):
        logged = state.entry(str(entry.pk))
        first = [club[each] for each in logged.owners_at(_FIRST) if each in club]
        players = [club.get(str(each.merged_into_id), each) for each in first]
        if all(map(_can_enter, players)) and len(players) == state.opening.team_size:
            stayed = entry.status == Entry.Status.ENTERED and not entry.expelled
            played = stayed and (entry.pk in seated or not seated)
            found.append(Former(entry, tuple(each.pk for each in players), logged.own_name, played))
    return found


_FIRST: Final = (1, 1)
"""The first round of a competition."""


def _can_enter(player: Player) -> bool:
    return player.active and not player.anonymous and player.merged_into_id is None


# ---- Who was told of an end ----------------------------------------------------------------------


@dataclass(frozen=True)
class Reached:
    """Somebody who had entered a competition that was cancelled, and the email about it, None for none.

    ``phone`` is what the club keeps, which may be nothing.
    """

    player: Player
    email: Email | None
    phone: str

    @property
    def is_told(self) -> bool:
        """Return whether the email was sent."""
        return self.email is not None and self.email.status == Email.Status.SENT

    @property
    def waits(self) -> bool:
        """Return whether the email is still to be sent."""
        return self.email is not None and self.email.status == Email.Status.WAITING


def reached(competition: Competition) -> Sequence[Reached]:
    """Return all who are told that a competition is cancelled, those to ring first, by name."""
    last = (
        competition.events.filter(event__type="cancelled")
        .order_by("-seq")
        .values_list("seq", flat=True)
        .first()
    )
    about = {"about__competition": str(competition.pk), "about__seq": last}
    emails = Email.objects.filter(key__startswith="changed:", **about)
    sent = {each.account_id or each.about.get("player"): each for each in emails}
    people = concerned(competition).select_related("contact")
    found = [Reached(each, sent.get(each.account_id or str(each.pk)), _phone(each)) for each in people]
    return sorted(found, key=lambda each: (each.is_told, each.waits))


def _phone(player: Player) -> str:
    return player.contact.phone if hasattr(player, "contact") else ""
