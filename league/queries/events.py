"""The events of competitions' logs, and the names of entries, tables and stages in them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from games.prepared import all_rows
from league import log
from league.choices import EventRole
from league.core import formats
from league.core.entering import joined
from league.core.events import DECISIONS
from league.core.events import Event as CoreEvent
from league.core.state.entries import JOIN, is_named_after
from league.core.verbs import EVENTS
from league.models import Account, Club, Competition, Entry, EntryPlayer, Player, Stage, Table, TableSeat
from league.models.names import search_key
from league.queries.readers import hidden_entries

if TYPE_CHECKING:
    from league.models import Round
    from league.models.events import Event
    from league.queries.rounds import TableShown

RESULT: Final = "result_recorded"
NEWS: Final = (
    *("opened", "entries_opened", "started", "stage_started", "published", "round_withdrawn"),
    *("round_closed", "finished", "reopened", "cancelled"),
)
"""The types of events that tell spectators how a competition goes on."""
_COURSE: Final = ("stage_started", "published", "round_withdrawn", "round_closed", "round_reopened")
"""Those after which another round is played than before, or none."""
_REASONED: Final = ("no_show", "forfeited", "walked_over", "ruled")


def events_of(competition: Competition, *, withheld: bool = False) -> QuerySet[Event]:
    """Return the competition's public events, the last one first; with ``withheld`` all events."""
    return log.rows(competition, withheld=withheld).order_by("-seq")


def public_head(competition: Competition) -> tuple[int, str]:
    """Return number and hash of the last event that everybody may read."""
    last = events_of(competition)[0]
    return last.seq, last.hash


def last_events(clubs: QuerySet[Club]) -> QuerySet[Event]:
    """Return the events of all the clubs' competitions, the last one first."""
    return log.rows_of_clubs(clubs).select_related("competition").order_by("-pk")


def news_of(competition: Competition) -> QuerySet[Event]:
    """Return the public events of a competition that are news for spectators, the last one first."""
    return events_of(competition).filter(event__type__in=NEWS)


def news_in(club: Club) -> QuerySet[Event]:
    """Return the public events of a club's competitions that are news for spectators, the last one first."""
    public = Q(competition__withheld_from=None) | Q(seq__lt=F("competition__withheld_from"))
    events = log.rows_of_clubs(Club.objects.filter(pk=club.pk))
    return events.filter(public, event__type__in=NEWS).order_by("-at", "-pk")


def reasons_of_decisions(competition: Competition, *, withheld: bool) -> Mapping[tuple[str, str], str]:
    """Return the last reason given for each decision about a table, by table and entry, or type of event."""
    rows = log.rows(competition, withheld=withheld)
    found = {}
    for event in rows.filter(event__type__in=_REASONED).values_list("event", flat=True):
        found[event["table"], event.get("entry", event["type"])] = event.get("reason", "")
    return found


def organised_since(competition: Competition, seq: int) -> bool:
    """Return whether an organiser caused any event from number ``seq`` on."""
    written = log.rows(competition, withheld=True).filter(seq__gte=seq)
    return written.filter(role=EventRole.ORGANISER).exists()


# ---- Finding events ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wanted:
    """What a search for events asks for: words, each with the types of events that it means, and numbers."""

    words: Sequence[tuple[str, Sequence[str]]] = ()
    round: int | None = None
    table: int | None = None


def events_found(events: QuerySet[Event], wanted: Wanted, *, whole: bool) -> QuerySet[Event]:
    """Return the events that match all words of a search, and are about its round or table.

    A word matches as such a type, and as part of a competition's name, of a reason, or of the name of an
    entry or player: of the ``whole`` names and those of accounts, or of what the public reads. An entry's
    events are about it or its tables; those of a round name it or are about its tables.
    """
    annotated = events.annotate(
        about_entry=KT("event__entry"),
        about_table=KT("event__table"),
        into=KT("event__into"),
        out=KT("event__out"),
    )
    for word, kinds in wanted.words:
        annotated = annotated.filter(_matching(word, kinds, whole=whole))
    return annotated.filter(_at(wanted.round, wanted.table))


def _at(round_: int | None, table: int | None) -> Q:
    """Return what events of a round, of tables with a number, or of one table match; all for neither."""
    if round_ is None and table is None:
        return Q()
    numbers = {} if table is None else {"number": table}
    tables = Table.objects.filter(**numbers, **({} if round_ is None else {"round__number": round_}))
    matching = Q(about_table__in=ids_as_text(tables))
    if table is None:
        matching |= Q(event__round=round_) | Q(event__from_round=round_)
    return matching


def _matching(word: str, kinds: Sequence[str], *, whole: bool) -> Q:
    name, sought = ("search_name__contains", search_key(word)) if whole else ("public_name__icontains", word)
    players = Player.objects.filter(**{name: sought})
    of_entry = Q(name__icontains=word) if whole else Q(public_name__icontains=word)
    named = Entry.objects.filter(of_entry | Q(members__player__in=players))
    tables = Table.objects.filter(pk__in=TableSeat.objects.filter(entry__in=named).values("table"))
    found = (
        Q(event__type__in=kinds)
        | Q(competition__name__icontains=word)
        | Q(event__reason__icontains=word)
        | Q(about_entry__in=ids_as_text(named))
        | Q(about_table__in=ids_as_text(tables))
        | Q(into__in=ids_as_text(players))
        | Q(out__in=ids_as_text(players))
    )
    accounts = Account.objects.filter(username__icontains=word).values_list("pk", flat=True)
    more = Q(event__name__icontains=word) | Q(event__former__icontains=word)
    return found | more | Q(account__in=[str(pk) for pk in accounts]) if whole else found


def ids_as_text(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the ids of rows as text, which is how logs hold them."""
    ids: QuerySet[Any] = rows.annotate(text=Cast("pk", CharField())).values("text")
    return ids


# ---- What events name ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """An event of a competition as the log writes it; ``seq`` is its number, None before it is in the log."""

    competition: UUID
    event: Mapping[str, Any]
    seq: int | None = None


@dataclass(frozen=True)
class Named:
    """What the ids in events stand for.

    ``names`` are those of entries, players and tables by id, ``seats`` the entries at tables in seat order.
    ``stages`` are names by competition and number, and ``several`` the competitions that have more than one.
    ``removed`` are the entries with a player who was removed: the names that logs have of them are not told.
    ``rulesets`` are names by competition. ``former`` are the names that teams had before their substitutions,
    with the numbers of these, the last one first. ``at_once`` are the competition, number and round of events
    that count from an open-ended round on which was being played: they counted at once.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    seats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    stages: Mapping[tuple[UUID | None, object], str] = field(default_factory=dict)
    several: frozenset[UUID | None] = frozenset()
    removed: frozenset[str] = frozenset()
    rulesets: Mapping[UUID | None, str] = field(default_factory=dict)
    former: Mapping[str, Sequence[tuple[int, str]]] = field(default_factory=dict)
    at_once: frozenset[tuple[UUID | None, int | None, int]] = frozenset()

    def name(self, pk: str, seq: int | None = None) -> str | None:
        """Return the name of what an id stands for, of a team that which it had before an event."""
        before = (name for until, name in reversed(self.former.get(pk, ())) if seq and seq <= until)
        return next(before, self.names.get(pk))

    def distinguishing(self, competition: UUID | None, number: object) -> str:
        """Return the name of a stage where the competition has several, else an empty text."""
        return self.stages.get((competition, number), "") if competition in self.several else ""


def named_in(events: Sequence[Told], known: Named | None = None) -> Named:
    """Return the names of what events are about; eight queries at most, for what is not ``known``.

    A table's name begins with its stage if the competition has several.
    """
    written = [told.event for told in events]
    known = known or _named_stages(_stages_of({told.competition for told in events}))
    tables = {*_ids(written, "table")} - known.names.keys()
    names, seats = _named_tables(tables, known)
    missing = [told for told in events if told.event.get("table") in tables - names.keys()]
    for table, (name, seated) in _withdrawn_tables(missing).items():
        names[table], seats[table] = name, seated
    entries = {
        *_ids(written, "entry", "entries", "swaps", "seats"),
        *_ids([event for event in written if "challenge" in event["type"]], "by"),
        *(each for own in seats.values() for each in own),
    } - known.names.keys()
    found = _named_entries(entries)
    entered = {str(pk) for pk, _, _ in found}
    proposed = [event for event in written if event.get("name") == "" and event["entry"] not in entered]
    players = {*_ids(written, "out", "into"), *_ids(proposed, "players")}
    people = [(each.pk, each.called) for each in Player.objects.filter(pk__in=players)] if players else ()
    pairs = (*((pk, name) for pk, name, _ in found), *people)
    named = {**known.names, **names, **{str(pk): name for pk, name in pairs}}
    hidden = hidden_entries((told.competition, told.event) for told in events)
    gone = known.removed.union(str(pk) for pk, _, removed in found if removed) | hidden
    former = former_names({told.competition for told in events}, {str(pk): name for pk, name, _ in found})
    seats = {**known.seats, **seats}
    return replace(
        known,
        names=named,
        seats=seats,
        removed=gone,
        former={**known.former, **former},
        at_once=_at_once(events),
    )


def _at_once(events: Sequence[Told]) -> frozenset[tuple[UUID | None, int | None, int]]:
    """Return `Named.at_once` of events: only an open-ended round can still change once it is published."""
    dated = [told for told in events if "from_round" in told.event]
    if not dated:
        return frozenset()
    is_open = Q(
        competition__stages__format__in={key for key, each in formats.BY_KEY.items() if each.open_tables}
    )
    rows = log.rows_of({told.competition for told in dated}).filter(is_open, event__type__in=_COURSE)
    course = rows.annotate(type=KT("event__type"), round=KT("event__round")).order_by("-seq")
    turns = [*course.values_list("competition_id", "seq", "type", "round")]

    def played(told: Told) -> object:
        before = (turn for turn in turns if turn[0] == told.competition and turn[1] < (told.seq or inf))
        _competition, _seq, kind, number = next(before, (None, 0, "", ""))
        return kind in ("published", "round_reopened") and number == str(told.event["from_round"])

    return frozenset((told.competition, told.seq, told.event["from_round"]) for told in dated if played(told))


def _named_entries(entries: Collection[str]) -> Sequence[tuple[UUID, str, bool]]:
    """Return the ids and names of entries, and whether the names that logs have of them are not told."""
    gone = EntryPlayer.objects.filter(entry=OuterRef("pk"), player__anonymous=True)
    rows = Entry.objects.filter(pk__in=entries).annotate(removed=Exists(gone)).order_by("pk")
    return [(each.pk, each.called, each.removed or each.called != each.name) for each in rows]


def former_names(
    competitions: Collection[UUID], entries: Mapping[str, str]
) -> Mapping[str, Sequence[tuple[int, str]]]:
    """Return `Named.former` of the entries with these names that are named after their players."""
    written = log.rows_of(competitions).filter(event__type="substituted").order_by("-seq") if entries else ()
    swaps = [each for each in written if each.event["entry"] in entries]
    if not swaps:
        return {}
    lineups: dict[str, list[str]] = {}
    members = EntryPlayer.objects.filter(entry__in={each.event["entry"] for each in swaps})
    for member in members.order_by("number"):
        lineups.setdefault(str(member.entry_id), []).append(str(member.player_id))
    people = {*chain(*lineups.values()), *(each.event["out"] for each in swaps)}
    names = {str(each.pk): each.called for each in Player.objects.filter(pk__in=people)}
    called = {entry: joined([names[player] for player in lineup]) for entry, lineup in lineups.items()}
    found: dict[str, list[tuple[int, str]]] = {
        entry: []
        for entry, lineup in lineups.items()
        if len(lineup) > 1 and is_named_after(entries[entry], called[entry])
    }
    for each in swaps:
        if (entry := each.event["entry"]) in found:
            out, into = each.event["out"], each.event["into"]
            lineups[entry] = [out if player == into else player for player in lineups[entry]]
            found[entry].append((each.seq, joined([names[player] for player in lineups[entry]])))
    return found


def with_names_then(competition: Competition, rounds: Iterable[Round]) -> Sequence[Round]:
    """Return rounds, with tables and byes; teams that played with others have the name of then."""
    listed = list(rounds)
    tables = [each.tables.all() for each in listed]
    seats_then(competition.pk, [[seat for table in own for seat in table.seats.all()] for own in tables])
    byes_then(competition, listed)
    return listed


def seats_then(competition: UUID, seated: Sequence[Sequence[TableSeat]]) -> None:
    """Give the teams in the seats of each round that played with others the name of then."""
    every = [seat for seats in seated for seat in seats]
    teams = {str(seat.entry_id): name for seat in every if (name := seat.entry.called) != seat.player.called}
    former = former_names([competition], teams)
    for seats in seated if former else ():
        players: dict[UUID, set[str]] = {}
        for seat in seats:
            players.setdefault(seat.entry_id, set()).add(seat.player.called)
        for seat in seats:
            names = (seat.entry.called, *(name for _until, name in former.get(str(seat.entry_id), ())))
            then = (name for name in names if players[seat.entry_id] <= {*name.split(JOIN)})
            seat.entry = seat.entry.under(next(then, seat.entry.called))


def byes_then(competition: Competition, rounds: Iterable[Round]) -> None:
    """Give the teams with byes in rounds that had other players then the name of then."""
    byes = [(bye, (each.stage.number, each.number)) for each in rounds for bye in each.byes.all()]
    entries = log.latest(competition).entries if byes else ()
    lineups = {entry.id: entry for entry in entries if len(entry.lineups) > 1}
    for bye, at in byes:
        if (entry := lineups.get(str(bye.entry_id))) and entry.lineup(at) != entry.players:
            people = Player.objects.in_bulk({*entry.players, *entry.lineup(at)})
            now, then = (
                joined([people[UUID(pk)].called for pk in lineup])
                for lineup in (entry.players, entry.lineup(at))
            )
            if is_named_after(bye.entry.called, now):
                bye.entry = bye.entry.under(then)


def _named_stages(stages: Iterable[tuple[UUID, int, str, str]]) -> Named:
    """Return the names of stages and rulesets from a competition, a number and both names for each stage."""
    rows = list(stages)
    return Named(
        stages={(competition, number): name for competition, number, name, _ in rows},
        several=frozenset(competition for competition, number, *_ in rows if number != 1),
        rulesets={competition: ruleset for competition, *_, ruleset in rows},
    )


def _stages_of(competitions: Iterable[UUID]) -> Iterable[tuple[UUID, int, str, str]]:
    stages = Stage.objects.filter(competition__in={*competitions}).order_by("competition_id", "number")
    return stages.values_list("competition_id", "number", "name", "competition__ruleset")


def named_at(
    rounds: Mapping[Round, Sequence[TableShown]],
    stages: Sequence[Stage],
    entries: Mapping[str, str],
    former: Mapping[str, Sequence[tuple[int, str]]],
) -> Named:
    """Return the names at tables that were read with all stages and entries of their competition."""
    named = _named_stages(
        (each.competition_id, each.number, each.name, each.competition.ruleset) for each in stages
    )
    tables: dict[str, str] = {}
    for its_round, shown in rounds.items():
        stage = named.distinguishing(its_round.stage.competition_id, its_round.stage.number)
        tables |= {table.id: table_title(stage, its_round.number, table.number) for table in shown}
    seats = {
        table.id: tuple(seat.entry_id for seat in table.seats) for shown in rounds.values() for table in shown
    }
    return replace(named, names={**entries, **tables}, seats=seats, former=former)


def _ids(events: Iterable[Mapping[str, Any]], *fields: str) -> Iterator[str]:
    """Yield the ids in these fields of events, also in lists and pairs."""
    for event in events:
        for name in fields:
            yield from _flat(event.get(name))


def _flat(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _flat(each)


def _named_tables(tables: Collection[str], known: Named) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return the names of tables, and the entries at them in seat order."""
    seated = TableSeat.objects.filter(table=OuterRef("pk")).order_by("number").values("entry")
    rows = Table.objects.filter(pk__in=tables).order_by("pk").annotate(entries=ArraySubquery(seated))
    names, seats = dict[str, str](), dict[str, tuple[str, ...]]()
    at = "number", "round__number", "round__stage__competition", "round__stage__number"
    for pk, number, its_round, competition, stage, entries in rows.values_list("pk", *at, "entries"):
        names[str(pk)] = table_title(known.distinguishing(competition, stage), its_round, number)
        seats[str(pk)] = tuple(map(str, entries))
    return names, seats


def _withdrawn_tables(events: Sequence[Told]) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    """Return name and entries of tables that have no rows, because their round was withdrawn."""
    wanted = {told.competition for told in events}
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for competition in Competition.objects.filter(pk__in=wanted) if wanted else ():
        for withdrawn in log.latest(competition).withdrawn:
            for number, table in withdrawn.numbered:
                name = table_title(None, withdrawn.number, number)
                found[table.id] = name, tuple(seat.entry for seat in table.seats)
    return found


def table_title(stage: str | None, round_: int, table: int) -> str:
    """Return the name of a table by its numbers, which begins with the stage if one is given."""
    numbers = {"stage": stage, "round": round_, "table": table}
    if stage:
        return _("%(stage)s, round %(round)d, table %(table)d") % numbers
    return _("Round %(round)d, table %(table)d") % numbers


# ---- What an event replaces ----------------------------------------------------------------------


_DECISIONS_ABOUT: Final = """
SELECT seq, event::json FROM league_event WHERE competition_id = %(competition)s::text::uuid
AND event->>'table' IN (SELECT json_array_elements_text(%(tables)s::text::json))
AND event->>'type' IN (SELECT json_array_elements_text(%(types)s::text::json)) ORDER BY seq
"""
_DECIDING: Final = json.dumps(
    [kind for kind, event in EVENTS.items() if kind in DECISIONS or event.replaces == DECISIONS]
)


def decisions_about(competition: Competition, tables: Iterable[str]) -> list[Told]:
    """Return the events that decide tables or take that back, in the order of the log; one statement."""
    given = {"competition": str(competition.pk), "tables": json.dumps([*tables]), "types": _DECIDING}
    return [Told(competition.pk, event, seq) for seq, event in all_rows(_DECISIONS_ABOUT, given)]


def replaced_by(
    events: Sequence[Told], written: Sequence[Told] | None = None
) -> list[tuple[Told | None, Told | None]]:
    """Return for each event what it replaces or takes back, and what counts after that.

    ``written`` are the events about the same things, if they were read already; one query if they were not.
    """
    asking = [told for told in events if _replaces(told.event)]
    kinds = {EVENTS[str(told.event["type"])].about for told in asking}
    earlier: dict[tuple[object, ...], list[Told]] = {}
    for each in (_earlier(asking) if written is None else written) if asking else ():
        for about in kinds:
            earlier.setdefault(_subject(each, about), []).append(each)
    return [_replaced(told, earlier) if _replaces(told.event) else (None, None) for told in events]


def _replaces(event: Mapping[str, Any]) -> tuple[str, ...]:
    kind = EVENTS.get(str(event["type"]))
    return kind.replaces if kind else ()


def _earlier(asking: Sequence[Told]) -> list[Told]:
    """Return the events about the same things which these may replace, and which took such events back."""
    families = {_replaces(told.event) for told in asking}
    types = {kind for family in families for kind in family}
    types |= {kind for kind, event in EVENTS.items() if event.replaces in families}
    written = [told.event for told in asking]
    ids = {*_ids(written, "table", "entry")}
    rows = log.rows_of({told.competition for told in asking}).filter(event__type__in=types)
    about = rows.annotate(about_table=KT("event__table"), about_entry=KT("event__entry"))
    same = (
        Q(about_table__in=ids)
        | Q(about_entry__in=ids)
        | Q(about_table__isnull=True, about_entry__isnull=True)
    )
    return [Told(row.competition_id, row.event, row.seq) for row in about.filter(same).order_by("seq")]


def _replaced(
    told: Told, earlier: Mapping[tuple[object, ...], Sequence[Told]]
) -> tuple[Told | None, Told | None]:
    kind = EVENTS[str(told.event["type"])]
    standing: list[Told] = []
    for each in earlier.get(_subject(told, kind.about), ()):
        if told.seq is None or (each.seq or 0) < told.seq:
            _follow(standing, each, kind)
    after = (standing[-2] if len(standing) > 1 else None) if kind.takes_back else told
    return (standing[-1] if standing else None), after


def _subject(told: Told, about: Sequence[str]) -> tuple[object, ...]:
    return told.competition, about, *(told.event.get(name) for name in about)


def _follow(standing: list[Told], told: Told, kind: type[CoreEvent]) -> None:
    """Add an event to those that stand, the one that counts last, or remove the one that it takes back."""
    event = EVENTS[str(told.event["type"])]
    if event.takes_back and event.replaces == kind.replaces:
        del standing[-1:]
    elif told.event["type"] == RESULT:
        # A ruling stands above what its table's games bring, whenever they end.
        rulings = [each for each in standing if each.event["type"] != RESULT]
        standing[:] = [told, *rulings] if told.event["status"] == "finished" else rulings
    elif told.event["type"] in kind.replaces:
        standing.append(told)
