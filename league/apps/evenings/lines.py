"""Evenings that follow each other: which ones, the next one's day and name, and the rhythm of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import islice, pairwise
from typing import Final, NamedTuple
from uuid import UUID

from dateutil.rrule import MONTHLY, rrule, weekday
from dateutil.rrule import WEEKLY as WEEKS
from django.conf import settings
from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from games import database_time
from league import hooks
from league.apps.evenings.models import WEEKLY, Evening, Rhythm, Skipped
from league.core.standings import ranking
from league.core.state.competition import Competition as State
from league.models import Club, Competition, Details
from league.queries.competitions import details_of, state_of
from league.queries.orders import summed

# ---- Which ones ----------------------------------------------------------------------------------


def day_of(competition: Competition) -> date:
    """Return the first day of a competition, else that on which it was opened, in the club's zone."""
    told = details_of(competition).begins_on
    return told or competition.opened_at.astimezone(competition.club.zone).date()


def line_of(competition: Competition) -> Sequence[Competition]:
    """Return the evenings that follow each other, of which a competition is one, by their days.

    They were run again, one like another, or have the same name but for the number at its end.
    """
    linked = _linked(competition)
    numbered = _numbered(competition.club_id)
    alike = {(each.stem, each.ruleset) for each in numbered if each.pk in linked}
    named = {each.pk for each in numbered if (each.stem, each.ruleset) in alike}
    found = Competition.objects.filter(pk__in=linked | named).select_related("club", "stored_details")
    return sorted(found, key=lambda each: (day_of(each), each.opened_at, each.pk))


def _linked(competition: Competition) -> set[UUID]:
    """Return all that were run again like this one, like which it was run again, and so on."""
    links = Evening.objects.filter(competition__club=competition.club_id)
    sides: dict[UUID, set[UUID]] = {}
    for made, like in links.values_list("competition", "like").order_by():
        sides.setdefault(made, set()).add(like)
        sides.setdefault(like, set()).add(made)
    found, next_ones = {competition.pk}, [competition.pk]
    while next_ones:
        new = sides.get(next_ones.pop(), set()) - found
        found |= new
        next_ones += new
    return found


def forerunners(club: UUID) -> Mapping[UUID, Sequence[UUID]]:
    """Return like which competitions each one to come was set up: its own, that one's, and so on.

    Then come the other evenings of its rhythm, which may all be like one that is not among them.
    """
    rows = Evening.objects.filter(competition__club=club).select_related("competition").order_by("-day", "pk")
    made = {each.pk: each for each in rows}
    found = {}
    for each in (each for each in rows if each.competition.status in _TO_COME):
        line = [each.like_id]
        while (before := made.get(line[-1])) and before.like_id not in line:
            line.append(before.like_id)
        beside = [one.pk for one in rows if each.rhythm_id and one.rhythm_id == each.rhythm_id]
        found[each.pk] = [*line, *beside]
    return found


_NUMBERED: Final = re.compile(r"(.*\D)([0-9]{1,3})")


class Numbered(NamedTuple):
    """A competition with a number at the end of its name, and what is before it."""

    pk: UUID
    ruleset: str
    stem: str
    number: int


def _numbered(club: UUID) -> Sequence[Numbered]:
    """Return a club's competitions that have a number at the end of their names."""
    rows = Competition.objects.filter(club=club, name__regex="[0-9]$").order_by()
    found = [(row, _NUMBERED.fullmatch(row[2])) for row in rows.values_list("pk", "ruleset", "name")]
    return [Numbered(pk, game, match[1], int(match[2])) for (pk, game, _name), match in found if match]


def others_like(competition: Competition) -> Sequence[Evening]:
    """Return the evenings that were set up like this one and are not over, by their days."""
    later = Evening.objects.filter(like=competition).select_related("competition").order_by("day")
    return [each for each in later if each.competition.status in _TO_COME]


_TO_COME: Final = (Competition.Status.PREPARING, Competition.Status.ENTERING)

# ---- The next day --------------------------------------------------------------------------------

WEEK: Final = timedelta(days=7)
_RARELY: Final = 5 * WEEK
"""Evenings that are further apart follow no rhythm of weeks."""


def next_day(competition: Competition) -> date:
    """Return the next day, today or later: by its rhythm, as the last evenings followed, or in a week."""
    rhythm = rhythm_of(competition)
    return (rhythm and not rhythm.stopped and rhythm.next_on) or day_after(competition)


def day_after(competition: Competition) -> date:
    """Return the next day of a competition without a rhythm."""
    last, today = day_of(competition), competition.club.today
    made = Evening.objects.filter(competition=competition).select_related("like").first()
    before = day_of(made.like) if made else _day_before(competition, last)
    apart = last - before if before else WEEK
    step = apart if WEEK <= apart <= _RARELY and not apart % WEEK else WEEK
    missed = max(0, -(-(today - last) // step) - 1)
    return last + step * (1 + missed)


def weeks_between(line: Sequence[Competition]) -> int:
    """Return how many weeks lay between the last three evenings of a line, one where it isn't from 1 to 4.

    Of two gaps the smaller one tells: an evening may have been left out.
    """
    days = sorted({day_of(each) for each in line})[-3:]
    apart = min((after - before for before, after in pairwise(days)), default=WEEK)
    return apart // WEEK if WEEK <= apart <= 4 * WEEK and not apart % WEEK else 1


def _day_before(competition: Competition, last: date) -> date | None:
    """Return the day of the club's last evening of the game before one."""
    earlier = Details.objects.filter(
        competition__club=competition.club_id,
        competition__ruleset=competition.ruleset,
        begins_on__lt=last,
    )
    return earlier.order_by("-begins_on").values_list("begins_on", flat=True).first()


# ---- Its name ------------------------------------------------------------------------------------

_DATES: Final = (
    *("l j F Y", "l, j F Y", "l, j. F Y", "l j F", "l, j F", "l, j. F"),
    *("j F Y", "j. F Y", "F j, Y", "j F", "j. F", "F j", "Y-m-d", "d.m.Y", "j.n.Y", "d/m/Y"),
)
"""How people write the day of an evening into its name, the longest first."""
LONGEST: Final = 100


def next_name(like: Competition, day: date) -> str:
    """Return the name of another evening like one: the number at its end is one that the club has not had."""
    stem = numbered[1] if (numbered := _NUMBERED.fullmatch(like.name)) else None
    taken = [each.number for each in _numbered(like.club_id) if each.stem == stem]
    others = (name for names in hooks.EVENING_NAMES if stem for name in names(like.club_id))
    found = filter(None, map(_NUMBERED.fullmatch, others))
    taken += [int(each[2]) for each in found if each[1] == stem]
    return name_after(like.name, day_of(like), day, taken)


def name_after(name: str, last: date, day: date, taken: Sequence[int] = ()) -> str:
    """Return the name of the next evening: the date in a name, or the number at its end, goes on.

    Numbers go on after those that are ``taken``. Other names get the date of the evening.
    """
    if dated := _with_date(name, last, day):
        return dated
    if numbered := _NUMBERED.fullmatch(name):
        return f"{numbered[1]}{max(int(numbered[2]), *taken, 0) + 1}"
    told = date_format(day, "MONTH_DAY_FORMAT")
    return f"{name[: LONGEST - len(told) - 2]}, {told}"


def _with_date(name: str, last: date, day: date) -> str:
    """Return a name with the date that is in it as another day's, empty where none is in it."""
    for form in _DATES:
        for code, _title in settings.LANGUAGES:
            with override(code):
                if (told := date_format(last, form)) in name:
                    return name.replace(told, date_format(day, form))
    return ""


_BEFORE_NUMBER: Final = re.compile(r"(?:\b(?:no|nr)\b)?[\s.,:#–-]*$", re.IGNORECASE)
"""What leads to the number at the end of a name: `Evening no. 7`, `Club night #7`."""


def name_without_number(like: Competition, day: date) -> str:
    """Return what the evenings like one are called on a day without one, which has no number."""
    if dated := _with_date(like.name, day_of(like), day):
        return dated
    numbered = _NUMBERED.fullmatch(like.name)
    return (numbered and _BEFORE_NUMBER.sub("", numbered[1]).strip()) or like.name


# ---- Rhythms -------------------------------------------------------------------------------------

SHOWN: Final = 6
"""How many of the next days a page shows."""
MOST_TAKEN: Final = 500
"""How many days that are skipped or set up a search for the next one passes over."""


def rhythm_of(competition: Competition, line: Sequence[Competition] = ()) -> Rhythm | None:
    """Return the rhythm of the line of a competition, one that goes on before one that is stopped."""
    found = Rhythm.objects.filter(club=competition.club_id, like__in=line or line_of(competition))
    related = found.select_related("club", "like__club", "like__stored_details", "by")
    return related.order_by("stopped", "made_at", "pk").first()


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


def days_to_come(rhythm: Rhythm) -> Iterator[date]:
    """Yield the days of a rhythm from today on, also those that are skipped."""
    today = rhythm.club.today
    yield from days_of(rhythm, max(today, rhythm.first))


def made_on(line: Sequence[Competition]) -> Mapping[date, Competition]:
    """Return the evenings of a line by their days, and by those for which they were set up."""
    for_days = Evening.objects.filter(competition__in=line).select_related("competition")
    return {**{day_of(each): each for each in line}, **{each.day: each.competition for each in for_days}}


def cancelled_on(competition: Competition, day: date) -> Competition | None:
    """Return an evening of the line of a competition that was cancelled and was for a day, None for none."""
    line = [each for each in line_of(competition) if each.status == Competition.Status.CANCELLED]
    return made_on(line).get(day)


def free_day(rhythm: Rhythm, line: Sequence[Competition]) -> date | None:
    """Return the next day of a rhythm that is neither skipped nor has an evening already."""
    taken = {*rhythm.skipped.values_list("day", flat=True), *made_on(line)}
    return next((day for day in islice(days_to_come(rhythm), MOST_TAKEN) if day not in taken), None)


def repeated(rhythm: Rhythm, line: Sequence[Competition]) -> Competition:
    """Return the evening like which the next one is set up: the chosen one, or else the one before it.

    One that was cancelled is passed over.
    """
    held = [each for each in line if each.status != Competition.Status.CANCELLED]
    before = [each for each in held if rhythm.next_on is None or day_of(each) < rhythm.next_on]
    return rhythm.like if rhythm.stays or not before else before[-1]


def next_days(
    rhythm: Rhythm, line: Sequence[Competition]
) -> Sequence[tuple[date, Skipped | None, Competition | None]]:
    """Return the next days of a rhythm, each with why it is skipped, or the evening that is set up.

    After the next ones come those further ahead that are skipped.
    """
    skipped, made = {each.day: each for each in rhythm.skipped.all()}, made_on(line)
    days = enumerate(islice(days_to_come(rhythm), MOST_TAKEN))
    return [(day, skipped.get(day), made.get(day)) for at, day in days if at < SHOWN or day in skipped]


def nearest_days(rhythm: Rhythm, day: date) -> Sequence[date]:
    """Return the days to come of a rhythm next to one that is none of them, in their order."""
    near = sorted(islice(days_to_come(rhythm), MOST_TAKEN), key=lambda each: abs(each - day))
    return sorted(near[:2])


def rhythms_due() -> QuerySet[Rhythm]:
    """Return the rhythms whose next evening is to be set up now."""
    return Rhythm.objects.filter(due__lte=database_time.now())


def days_off(club: Club) -> Iterator[hooks.DayOff]:
    """Yield the days of a club's rhythms that are skipped for a reason."""
    skipped = Skipped.objects.filter(rhythm__club=club, rhythm__stopped=False).exclude(why="")
    related = ("rhythm__like__club", "rhythm__like__stored_details")
    for each in skipped.select_related(*related).order_by("day", "pk"):
        name = name_without_number(each.rhythm.like, each.day)
        yield hooks.DayOff(f"skipped-{each.pk}", each.day, name, each.why, each.made_at)


# ---- The last one as an order of entries ---------------------------------------------------------


def orders_of(competition: UUID, state: State) -> Iterator[hooks.Ordering]:
    """Yield the standings of the evening before a competition, as an order of its entries."""
    now = Competition.objects.select_related("club", "stored_details").get(pk=competition)
    line = line_of(now)
    before = line[: [each.pk for each in line].index(now.pk)]
    played = [each for each in before if each.is_under_way or each.status == Competition.Status.FINISHED]
    if played:
        last = played[-1]
        title = _("by the last evening (%(name)s)") % {"name": last.name}
        yield hooks.Ordering("evening", title, lambda: summed(state, _places(state_of(last))), name=last.name)


def _places(state: State) -> dict[str, int]:
    """Return the places of those who played in a competition, by its last stage that has standings."""
    shown = [stage for stage in state.stages if stage.shown_rounds]
    if not shown:
        return {}
    players = {entry.id: entry.players for entry in state.entries}
    found = sorted(ranking.order(state, shown[-1].number).ranks(), key=lambda each: (each[0], each[2]))
    ranks = dict.fromkeys((at, rank) for at, _, rank in found)
    levels = {level: place for place, level in enumerate(ranks, 1)}
    return {player: levels[at, rank] for at, entry, rank in found for player in players[entry]}
