"""Who counts in a series as the club knows its people: taken over, and followed when that changes."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Final

from django.db import transaction

from league import hooks
from league.apps.series import queries
from league.apps.series.core import events as e
from league.apps.series.core.ranking import Span
from league.apps.series.core.state import Series as State
from league.apps.series.models import Series
from league.apps.series.services import written_by_system
from league.core.state import values as v
from league.models import Account, Club, Player
from league.queries import permissions

# ---- Following -----------------------------------------------------------------------------------


@transaction.atomic
def choose_following(*, by: Account, series: Series, follows: str) -> None:
    """Say as what people are known in the club who count by themselves, ``""`` for nobody.

    Raises PermissionDenied.
    """
    permissions.require_organiser(series.club_id, by)
    Series.objects.filter(pk=series.pk).update(follows=follows)
    series.follows = follows


@transaction.atomic
def follow_people(club: Club) -> None:
    """Write in each open series that follows what the club knows of people from when until when they count.

    Who is forgotten keeps what the log says. Where nothing has changed nothing is written. A category that
    was removed has nobody.
    """
    following = Series.objects.filter(club=club, closed=False).exclude(follows="").order_by("pk")
    rows = list(following) if hooks.KNOWN_AS else []
    groups = {each.key: each for each in known_in(club)} if rows else {}
    for series in rows:
        _follow(series, groups.get(series.follows) or hooks.KnownAs(series.follows, "", {}))


def known_in(club: Club) -> Iterator[hooks.KnownAs]:
    """Yield as what a club can know its people, those as which it knows nobody now too."""
    return (each for asked in hooks.KNOWN_AS for each in asked(club))


def offered_in(club: Club, chosen: str = "") -> Mapping[str, hooks.KnownAs]:
    """Return by their keys as what a club knows anybody, and what was ``chosen`` before."""
    return {each.key: each for each in known_in(club) if each.periods or each.key == chosen}


def known_until(series: Series) -> date:
    """Return the last day on which it counts who people are: today, or a later one that was played."""
    return max([series.club.today, *(each.on for each in queries.evenings_of(series) if each.counts)])


def _follow(series: Series, group: hooks.KnownAs) -> None:
    forgotten = Player.objects.filter(club=series.club_id, anonymous=True).values_list("pk", flat=True)
    kept = {str(pk) for pk in forgotten}

    def command(state: State, _now: datetime) -> Sequence[e.Event]:
        counted = [each for each in state.counted if each[0] not in kept]
        return counted_like(group, counted, state.begins_on, known_until(series))

    written_by_system(series, command)


def clubs_that_follow() -> Sequence[Club]:
    """Return the clubs of which any open series follows what is known of people."""
    following = Series.objects.filter(closed=False).exclude(follows="")
    return list(Club.objects.filter(pk__in=following.values("club")).order_by("pk"))


# ---- Who counts ----------------------------------------------------------------------------------

Counted = Sequence[tuple[str, Span]]
FIRST_DAY: Final = date(v.FIRST_YEAR, 1, 1)


def counted_like(
    group: hooks.KnownAs, counted: Counted, begins_on: date | None, last: date
) -> Sequence[e.Event]:
    """Return the events after which those who are known as something count, and nobody else.

    Days before the first evening, and those after the ``last`` that anything is known of (`known_until`),
    change no table now: they are not written, since they would tell a year of birth.
    """
    first = begins_on or last
    wanted = {
        (str(pk), span.since): span
        for pk, spans in group.periods.items()
        for since, until in spans
        if (since or first) <= last and (until or first) >= first
        for span in [_told(since, until, first, last)]
    }
    now = {(player, span.since): span for player, span in counted}
    gone = [key for key in now if key not in wanted]
    return [*taken_back(gone), *_counted([key for key in wanted if now.get(key) != wanted[key]], wanted)]


def _told(since: date | None, until: date | None, first: date, last: date) -> Span:
    return Span(since if since and since > first else FIRST_DAY, until if until and until < last else None)


def taken_back(pairs: Sequence[tuple[str, date]]) -> Iterator[e.Event]:
    """Yield the events that take back from when people count, one for each day."""
    for since in sorted({day for _player, day in pairs}):
        players = tuple(player for player, day in pairs if day == since)
        yield e.CountTakenBack(players=players, since=since.isoformat())


def _counted(keys: Sequence[tuple[str, date]], wanted: Mapping[tuple[str, date], Span]) -> Iterator[e.Event]:
    for span in sorted({wanted[key] for key in keys}, key=str):
        players = tuple(player for player, day in keys if wanted[player, day] == span)
        until = span.until.isoformat() if span.until else None
        yield e.Counted(players=players, since=span.since.isoformat(), until=until)
