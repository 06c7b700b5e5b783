"""Competitions, their entries and stages, and what they tell about themselves."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import reduce
from operator import or_
from typing import Final
from uuid import UUID

from django.db.models import Case, Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery, When
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce, TruncDate

from games import database_time
from games.engine import shapes
from games.engine.refusals import Malformed
from games.prepared import all_rows
from league import hooks, log
from league.core import formats
from league.core.course import (
    Step,
    Timetable,
    Timing,
    deadline_passed,
    drawn_next,
    next_step,
    timetable,
    wait,
)
from league.core.details import TIMING, NewDetails, Prize
from league.core.state.competition import Competition as State
from league.core.state.competition import Point
from league.models import (
    Club,
    Competition,
    Details,
    Entry,
    EntryPlayer,
    Picture,
    Player,
    Round,
    Stage,
    Table,
    TableSeat,
)
from league.models.names import sort_key
from league.models.readers import name_for
from league.queries.clubs import away
from league.queries.events import Named, Told, named_in
from league.queries.readers import knows


def all_competitions() -> QuerySet[Competition]:
    """Return all competitions with clubs and details, running ones first, then the last opened first."""
    over = Case(When(status__in=OVER, then=1), default=0)
    rows = Competition.objects.select_related("club", "stored_details", "imported").annotate(over=over)
    return rows.order_by("over", "-opened_at", "pk")


_LIVE: Final = (Entry.Status.ENTERED, Entry.Status.WAITING, Entry.Status.APPLIED)
OVER: Final = (Competition.Status.FINISHED, Competition.Status.CANCELLED)


def running_competitions() -> QuerySet[Competition]:
    """Return the competitions that are not over, each with its number of entries as ``entry_count``."""
    return with_entry_counts(all_competitions().exclude(status__in=OVER))


def competitions_to_check(clubs: Iterable[Club]) -> QuerySet[Competition]:
    """Return the clubs' competitions with results that wait for a second person, the oldest first."""
    waiting = all_competitions().filter(club__in=clubs, unchecked__gt=0)
    return waiting.exclude(status=Competition.Status.CANCELLED).order_by("opened_at", "pk")


def next_of(club: Club, today: date) -> Competition | None:
    """Return the club's competition that begins next, today at the earliest; None where none is announced."""
    coming = (
        all_competitions().filter(club=club, stored_details__begins_on__gte=today).exclude(status__in=OVER)
    )
    return coming.order_by("stored_details__begins_on", "stored_details__begins_at", "pk").first()


def last_finished(most: int, club: Club | None = None) -> QuerySet[Competition]:
    """Return the competitions that were played last, of one club or of all, with ``entry_count`` of each.

    They are in the order of their last days, then of when they ended: what is corrected later stays there.
    """
    finished = all_competitions().filter(
        status=Competition.Status.FINISHED, **({"club": club} if club else {})
    )
    ends = log.all_rows().filter(competition=OuterRef("pk"), event__type="finished").order_by("-seq")
    ended = Subquery(ends.values("at")[:1])
    day = Coalesce("stored_details__ends_on", "stored_details__begins_on", TruncDate(ended))
    return with_entry_counts(finished.order_by(day.desc(), ended.desc(), "pk"))[:most]


def competitions_not_over(clubs: Iterable[Club]) -> QuerySet[Competition]:
    """Return the clubs' competitions that are not over, the last opened first."""
    over = (Competition.Status.FINISHED, Competition.Status.CANCELLED)
    return all_competitions().filter(club__in=clubs).exclude(status__in=over)


def competitions_of(club: Club) -> QuerySet[Competition]:
    """Return the club's competitions, each with its number of entries as ``entry_count``."""
    return with_entry_counts(all_competitions().filter(club=club))


def entered_last(clubs: Iterable[Club]) -> int:
    """Return how many entries the last opened competition of clubs that is finished has; 0 without one."""
    finished = Competition.objects.filter(club__in=clubs, status=Competition.Status.FINISHED)
    last = with_entry_counts(finished).order_by("-opened_at", "pk").first()
    return getattr(last, "entry_count", 0)


def with_entry_counts(found: QuerySet[Competition]) -> QuerySet[Competition]:
    """Return competitions with ``entry_count``, ``time_over``, and ``opens_tables``, which their stage does.

    Entries are all that take part, and who withdrew after the start: they stand in the table too.
    """
    shown = Q(entries__status=Entry.Status.ENTERED) | Q(entries__ranked=True)
    open_ended = [each.key for each in formats.BY_KEY.values() if each.open_tables]
    stage = Stage.objects.filter(competition=OuterRef("pk"), number=OuterRef("stage"), format__in=open_ended)
    return found.annotate(
        entry_count=Count("entries", filter=shown), time_over=_time_over(), opens_tables=Exists(stage)
    )


def _time_over() -> Exists:
    """Return whether a running competition plays a round past its deadline, with all tables decided.

    Its next step is then to close the round, also where tables could be opened until the deadline.
    """
    waits = Table.objects.filter(
        Q(status=Table.Status.ABANDONED) | Q(status=Table.Status.PLAYING, postponed_reason=""),
        round=OuterRef("pk"),
    )
    played = Round.objects.filter(status=Round.Status.PUBLISHED, deadline__lte=database_time.now())
    of_it = played.filter(
        stage__competition=OuterRef("pk"), stage__competition__status=Competition.Status.RUNNING
    )
    return Exists(of_it.exclude(Exists(waits)))


def last_entries_of_namesakes(club: Club) -> Mapping[UUID, Entry | tuple[int, int]]:
    """Return the last entry of each player whose name another one of the club has, by id.

    Of who was replaced it has the name from before. Who never entered has a number among those of the name,
    in the order in which they were added, and how many these are.
    """
    players = Player.objects.filter(club=club, merged_into=None)
    shared = players.order_by().values("search_name").annotate(count=Count("pk")).filter(count__gt=1)
    namesakes = players.filter(search_name__in=shared.values("search_name"))
    names = dict(namesakes.order_by("created_at", "pk").values_list("pk", "search_name"))
    members = EntryPlayer.objects.filter(player__in=namesakes).select_related("entry__competition")
    played = [(each.player_id, each.entry) for each in members.order_by("pk")]
    played = [*_replaced(club, [*names]), *played]
    last = dict(sorted(played, key=lambda pair: pair[1].competition.opened_at))
    new = [pk for pk in names if pk not in last]
    alike = {pk: [each for each in new if names[each] == names[pk]] for pk in new}
    return {**last, **{pk: (own.index(pk) + 1, len(own)) for pk, own in alike.items()}}


def _replaced(club: Club, players: Sequence[UUID]) -> Iterator[tuple[UUID, Entry]]:
    """Yield those of the players who were replaced, with the entry under the name that it had before."""
    written = log.rows_of_clubs(Club.objects.filter(pk=club.pk)).annotate(out=KT("event__out"))
    rows = written.filter(event__type="substituted", out__in=[*map(str, players)]) if players else ()
    told = [Told(row.competition_id, row.event, row.seq) for row in rows]
    entries = Entry.objects.select_related("competition").in_bulk([each.event["entry"] for each in told])
    named = named_in(told) if told else Named()
    for each in told:
        entry = entries[UUID(each.event["entry"])]
        former = named.name(str(entry.pk), each.seq)
        yield UUID(each.event["out"]), entry.under(former) if former else entry


def entries_of(competition: Competition) -> QuerySet[Entry]:
    """Return the entries with their players, in the order of entering."""
    return (
        Entry.objects.filter(competition=competition)
        .prefetch_related(Prefetch("members", EntryPlayer.objects.select_related("player")))
        .order_by("number")
    )


def names_in(competition: Competition) -> Sequence[str]:
    """Return all names of entries and of their players, in alphabetical order."""
    pairs = EntryPlayer.objects.filter(entry__competition=competition).select_related("entry", "player")
    return sorted({name for pair in pairs for name in (pair.entry.called, pair.player.called)}, key=sort_key)


def entries_of_player(player: Player) -> QuerySet[Entry]:
    """Return the player's entries with their competitions, the last opened first."""
    mine = EntryPlayer.objects.filter(player=player).values("entry")
    return (
        Entry.objects.filter(pk__in=mine)
        .select_related("competition")
        .order_by("-competition__opened_at", "number")
    )


def entries_before_substitution(player: Player) -> Sequence[Entry]:
    """Return the entries in which others play for the player now, each under the name that it had before."""
    people = [player.pk, *Player.objects.filter(merged_into=player).values_list("pk", flat=True)]
    found = {entry.pk: entry for _player, entry in _replaced(player.club, people)}
    now = EntryPlayer.objects.filter(entry__in=found, player=player).values_list("entry", flat=True)
    return [found[pk] for pk in found.keys() - {*now}]


def sat_in(player: Player, entries: Collection[Entry]) -> Sequence[Entry]:
    """Return those of the entries in which the player has sat at a table."""
    own = Q(player=player) | Q(player__merged_into=player)
    sat = TableSeat.objects.filter(own, entry__in=entries).exclude(table__round__status=Round.Status.DRAWN)
    found = {*sat.values_list("entry", flat=True)} if entries else ()
    return [each for each in entries if each.pk in found]


def state_of(competition: Competition) -> State:
    """Return the current state of the competition, with the present names of entries for who reads."""
    state = log.latest(competition)
    public = log.in_public(state)
    return state if public is state or knows(competition.club_id) else public


def state_then(competition: Competition, seq: int) -> State:
    """Return the competition's state after entry ``seq`` of its log; raises Event.DoesNotExist."""
    return state_of(competition) if seq == competition.seq else log.state_at(competition, seq)


def step_now(state: State) -> Step:
    """Return what the competition waits for now."""
    return next_step(state, overdue=deadline_passed(state.current_round, database_time.now()))


def can_advance(state: State, competition: Competition) -> bool:
    """Return whether the server can take the next step of a competition in its latest state now."""
    minutes = wait(state, step_now(state))
    due = minutes is not None and competition.acts_after(minutes) <= database_time.now()
    return due and not left_to_draw(state, competition)


def left_since(competition: UUID) -> frozenset[UUID]:
    """Return the players of a competition's entries who are no longer in the club; a query."""
    rows = Player.objects.filter(entered__entry__competition=competition, active=False, merged_into=None)
    return frozenset(rows.order_by().values_list("pk", flat=True))


def left_to_draw(state: State, competition: Competition) -> Sequence[str]:
    """Return the names of entries of who has left the club, which the next step would draw or publish."""
    drawn = drawn_next(state, step_now(state))
    gone = {*map(str, left_since(competition.pk))} if drawn else set[str]()
    return [entry.name for entry in state.entries if entry.id in drawn and not gone.isdisjoint(entry.players)]


def stages_of(competition: Competition) -> QuerySet[Stage]:
    """Return the stages in order."""
    stages: QuerySet[Stage] = competition.stages.order_by("number")
    return stages


def fewest_rounds_of(stage: Stage) -> tuple[int, int] | None:
    """Return the fewest rounds known in which all meet, and a bound by counting, None for neither.

    Before the stage starts this is for the entries so far, and None where a stage before chooses them.
    """
    state = state_of(stage.competition)
    plan = state.plans[stage.number - 1]
    if stage.number <= len(state.stages):
        biggest = max(map(len, state.stages[stage.number - 1].groups))
    elif plan.intake.source == "entries":
        biggest = -(-sum(entry.status == "entered" for entry in state.entries) // plan.groups)
    else:
        return None
    return formats.of(plan).fewest_rounds(state.opening, plan, biggest)


# ---- Entrants ------------------------------------------------------------------------------------

_ENTRANTS: Final = """
SELECT entry.id::text, entry.name, entry.public_name, coalesce(bool_and(player.bot), false),
    CASE WHEN count(player.id) = 1 THEN min(player.id::text) END
FROM league_entry AS entry
LEFT JOIN league_entryplayer AS member ON member.entry_id = entry.id
LEFT JOIN league_player AS player ON player.id = member.player_id
WHERE entry.competition_id = %(competition)s::text::uuid GROUP BY entry.id
"""


@dataclass(frozen=True)
class Entrants:
    """Who enters a competition, by entry as text: those of bots alone, names, and players but of teams."""

    bots: Collection[str]
    names: Mapping[str, str]
    players: Mapping[str, str]

    @property
    def teams(self) -> Mapping[str, str]:
        """Return the names of the teams among them."""
        return {entry: name for entry, name in self.names.items() if entry not in self.players}


def entrants_of(competition: Competition) -> Entrants:
    """Return who enters a competition; one statement."""
    rows = all_rows(_ENTRANTS, {"competition": str(competition.pk)})
    club = competition.club_id
    return Entrants(
        {entry for entry, _name, _public, bot, _player in rows if bot},
        {entry: name_for(name, public, club) for entry, name, public, _bot, _player in rows},
        {entry: player for entry, _name, _public, _bot, player in rows if player},
    )


def entries_of_bots(competition: Competition) -> Collection[str]:
    """Return the ids of a competition's entries all of whose players are bots."""
    return entrants_of(competition).bots


def concerned(competition: Competition) -> QuerySet[Player]:
    """Return who is told what becomes of a competition: who has entered it, waits for that, or was asked."""
    entries = Entry.objects.filter(competition=competition, status__in=_LIVE)
    asked = [Q(pk__in=each(competition.pk).values("pk")) for each in hooks.ASKED]
    people = reduce(or_, asked, Q(entered__entry__in=entries))
    return Player.objects.filter(people, bot=False, anonymous=False).distinct().order_by("sort_name", "pk")


def who_can_come(competition: Competition) -> QuerySet[Player]:
    """Return the club's people who can come: members, and players without an account, not away on its day."""
    club = competition.club
    members = Q(account=None) | Q(account__in=club.members.values("account"))
    people = Player.objects.filter(members, club=club, active=True, merged_into=None)
    gone = away([*people.values_list("pk", flat=True)], details_of(competition).begins_on)
    return people.exclude(pk__in=gone)


# ---- What competitions tell about themselves -----------------------------------------------------


def details_of(competition: Competition) -> Details:
    """Return the competition's details, empty ones where nothing was told; `all_competitions` has them."""
    try:
        stored: Details = competition.stored_details
    except Details.DoesNotExist:
        return Details(competition=competition)
    return stored


def prizes_of(details: Details) -> tuple[Prize, ...]:
    """Return the prizes in order, without those that can't be read: no page fails for them."""
    prizes: list[Prize] = []
    for each in details.prizes if isinstance(details.prizes, list) else ():
        with suppress(Malformed):
            prizes.append(shapes.read(Prize, each))
    return tuple(prizes)


def told_by(details: Details) -> NewDetails:
    """Return what the details say without the picture, as files have it."""
    times = (details.begins_on, details.begins_at, details.ends_on)
    begins_on, begins_at, ends_on = (at.isoformat() if at else None for at in times)
    texts = (details.place, details.description, details.contact)
    timing = {name: getattr(details, name) for name in TIMING}
    return NewDetails(begins_on, begins_at, ends_on, *texts, prizes_of(details), **timing)


def timetable_of(competition: Competition) -> Timetable | None:
    """Return the timetable of an evening; None where no organiser said how long its rounds last."""
    details = details_of(competition)
    if not details.round_minutes:
        return None
    told: dict[str, dict[Point, datetime]] = {"published": {}, "round_closed": {}}
    rows = log.rows(competition).filter(event__type__in=[*told]).order_by("seq")
    for event, at in rows.values_list("event", "at"):
        told[event["type"]][event["stage"], event["round"]] = at
    state = state_of(competition)
    shown = {(stage.number, each.number): each for stage in state.stages for each in stage.shown_rounds}
    played = state.current_round
    ends = [each(competition) for each in hooks.ROUND_ENDS] if played else []
    if played and played.deadline:
        ends.append(datetime.fromisoformat(played.deadline))
    begins = None
    if details.begins_on and details.begins_at:
        wall = datetime.combine(details.begins_on, details.begins_at, competition.club.zone)
        begins = wall.astimezone(UTC)
    return timetable(
        state,
        Timing(details.round_minutes, begins, details.break_after, details.break_minutes),
        database_time.now(),
        begun={point: at for point, at in told["published"].items() if point in shown},
        closed={
            point: at
            for point, at in told["round_closed"].items()
            if point in shown and shown[point].status == "closed"
        },
        until=next(filter(None, ends), None),
    )


def picture_of(competition: Competition, digest: str) -> bytes | None:
    """Return the competition's picture, None where it has another one or none."""
    if not digest or details_of(competition).picture != digest:
        return None
    data = Picture.objects.filter(competition=competition).values_list("data", flat=True).first()
    return None if data is None else bytes(data)
