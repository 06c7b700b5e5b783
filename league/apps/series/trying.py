"""A club's evenings of the last 12 months: a rule is tried on them, and a series can begin with them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeAlias
from uuid import UUID

from games import database_time
from games.engine import shapes
from games.engine.values import replace
from league import log as competitions
from league.apps.series import queries
from league.apps.series.core import events as e
from league.apps.series.core.evenings import Parts, entries_of, parts_of
from league.apps.series.core.rule import Rule
from league.apps.series.core.state import Evening
from league.apps.series.core.state import Series as State
from league.apps.series.queries import Counted, day_of
from league.models import Club, Competition, Player
from league.models.names import search_key

Played: TypeAlias = e.EveningAdded | e.EveningTypedIn | e.EveningBrought
_DAYS: Final = 366
_MOST: Final = 60

# ---- The evenings --------------------------------------------------------------------------------


def lately(club: Club) -> Sequence[Evening]:
    """Return the club's evenings of the last 12 months, the last 60 of them in order, for a new series.

    They are its competitions that are over, and what was typed into its series or brought into them. One that
    is in several series is there once, as in the one that was opened last.
    """
    since = database_time.now() - timedelta(days=_DAYS)
    over = queries.to_add(club).filter(status=Competition.Status.FINISHED, opened_at__gte=since)[:_MOST]
    own = {str(each.pk): Evening(0, day_of(each).isoformat(), competition=str(each.pk)) for each in over}
    first, last, found = since.date().isoformat(), club.today.isoformat(), list[Evening]()
    for series in queries.series_of(club).order_by("-opened_at", "pk"):
        state = queries.state_of(series)
        wanted = (
            each
            for each in state.evenings
            if (each.competition in own if each.competition else first <= each.on <= last)
        )
        found += [each for each in wanted if not any(_same(each, known) for known in found)]
    of_series = {each.competition for each in found}
    found += [each for pk, each in reversed(own.items()) if pk not in of_series]
    in_order = sorted(found, key=lambda each: (each.on, each.id))[-_MOST:]
    return [replace(each, id=at) for at, each in enumerate(in_order, 1)]


def _same(one: Evening, other: Evening) -> bool:
    """Return whether evenings of two series are one."""
    if one.brought and other.brought:
        return one.brought.competition == other.brought.competition or one.brought.head == other.brought.head
    if one.competition or other.competition or one.brought or other.brought:
        return one.competition != "" and one.competition == other.competition
    named = search_key(one.name) == search_key(other.name)
    return one.on == other.on and (named or {*one.totals} == {*other.totals})


def as_events(evenings: Iterable[Evening], rule: Rule) -> Iterator[Played]:
    """Yield the events that begin a series of a rule with evenings, those of other clubs where they count."""
    for each in evenings:
        if each.brought and not rule.count.brought:
            continue
        kind = e.EveningBrought if each.brought else e.EveningAdded if each.competition else e.EveningTypedIn
        given: dict[str, Any] = {field.name: vars(each)[field.name] for field in shapes.record(kind).fields}
        if "totals" in given and given["field"] < entries_of(each.totals):
            given["field"] = 0  # logs of before may tell a field that is too small
        yield kind(**given)


# ---- The trial -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trial:
    """Evenings on which a rule is tried, with what each gives a series.

    ``state`` is that of a series of these evenings that ranks everybody. ``games``: the rulesets of the
    competitions among them.
    """

    state: State
    parts: Mapping[int, Parts]
    games: Mapping[int, str]

    @property
    def measured(self) -> Sequence[tuple[str, str]]:
        """Return what the points of each competition are, with its game."""
        return [(self.parts[id_].measure, game) for id_, game in self.games.items()]

    @property
    def low_wins(self) -> bool:
        """Return whether the lowest scores win on any of them."""
        return any(each.whole.low_wins for each in self.parts.values())

    def by(self, state: State) -> Counted:
        """Return the table of these evenings that a state after ``state`` gives; raises as `table_of`."""
        return queries.counted_by(state, self.parts)


def trial(club: Club, evenings: Sequence[Evening]) -> Trial:
    """Return evenings of a club as rules are tried on them, with its people as they are now."""
    rows = Competition.objects.in_bulk([each.competition for each in evenings if each.competition])
    played = {each.id: rows[UUID(each.competition)] for each in evenings if each.competition}
    states = {id_: competitions.latest(row) for id_, row in played.items()}
    merged = Player.objects.filter(club=club).exclude(merged_into=None).values_list("pk", "merged_into")
    now = tuple((str(pk), str(into)) for pk, into in merged)
    return Trial(
        State(1, "", Rule(), "everybody", tuple(evenings), merged=now),
        {each.id: parts_of(each, states.get(each.id)) for each in evenings},
        {id_: row.ruleset for id_, row in played.items()},
    )
