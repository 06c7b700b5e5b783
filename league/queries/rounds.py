"""Rounds, their tables and seats."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.db.models import Count, Prefetch, Q, QuerySet, prefetch_related_objects

from games import rules
from games.engine import shapes
from games.prepared import all_rows
from league import log
from league.choices import LEFT, Outcome, status_of_table
from league.core import commitment, formats
from league.core.drawing.cost import points_apart
from league.core.state.cut_offs import CutOff, Origin, Reveal, filled_by_order
from league.core.state.entries import JOIN, seat_names
from league.core.state.rooms import NO_ROOMS, Rooms
from league.models import Bye, Club, ClubGame, Competition, Entry, Player, Round, Table, TableSeat
from league.models.readers import name_for
from league.queries.readers import names_of

DECIDED: Final = (Table.Status.PLAYED, Table.Status.WALKOVER, Table.Status.VOID)
"""The statuses of a table that has its result, or needs none."""


def rounds_of(competition: Competition, *, drawn: bool = False) -> QuerySet[Round]:
    """Return the rounds with their tables, the last one first; with ``drawn`` unpublished ones too."""
    tables = with_seats_and_games(Table.objects.order_by("number", "pk"))
    return _rounds(competition, drawn=drawn).prefetch_related(Prefetch("tables", tables), _byes())


def rooms_of(competition: Competition) -> Rooms:
    """Return the rooms of a competition's next round."""
    return shapes.read(Rooms, competition.rooms)


def rooms_before(competition: Competition) -> Rooms:
    """Return the rooms of the club's latest other competition that has some, none where no one has."""
    others = Competition.objects.filter(club=competition.club_id).exclude(rooms={}).exclude(pk=competition.pk)
    latest = others.order_by("-opened_at", "pk").first()
    return rooms_of(latest) if latest else NO_ROOMS


def rounds_with_byes(competition: Competition) -> QuerySet[Round]:
    """Return the published rounds with their byes, but without their tables, the last one first."""
    return _rounds(competition).prefetch_related(_byes())


def _rounds(competition: Competition, *, drawn: bool = False) -> QuerySet[Round]:
    rounds = Round.objects.filter(stage__competition=competition).select_related("stage")
    shown = rounds if drawn else rounds.exclude(status=Round.Status.DRAWN)
    return shown.order_by("-stage__number", "-number")


def rounds_due(club: Club) -> QuerySet[Round]:
    """Return the rounds of a club's competitions that are played until a deadline, the first due first."""
    due = Round.objects.filter(
        stage__competition__club=club, status=Round.Status.PUBLISHED, deadline__isnull=False
    )
    return due.select_related("stage__competition").order_by("deadline", "pk")


def counted_rounds_of(competition: Competition) -> QuerySet[Round]:
    """Return the rounds without their tables, the last one first, with how many tables each has.

    That is ``table_count``; ``decided_count`` are those that have their result.
    """
    decided = Count("tables", filter=Q(tables__status__in=DECIDED))
    return _rounds(competition).annotate(table_count=Count("tables"), decided_count=decided)


def taken_tables(its_round: Round) -> Sequence[Table]:
    """Return the tables at which people sit; of those that are opened one by one the undecided ones."""
    tables = list(its_round.tables.all())
    if not formats.find(its_round.stage.format).open_tables:
        return tables
    return [table for table in tables if table.status in (Table.Status.PLAYING, Table.Status.ABANDONED)]


def in_turns(tables: Iterable[Table]) -> Sequence[Table]:
    """Return tables as they are listed; each knows which of those with its number it is: `Table.turn`."""
    listed, seen = [*tables], Counter[tuple[UUID, int]]()
    for table in listed:
        at = table.round_id, table.number
        seen[at] += 1
        table.turn = seen[at]
    return listed


def table_count(its_round: Round) -> int:
    """Return how many tables one of `counted_rounds_of` has."""
    count: int = its_round.table_count  # type: ignore[attr-defined]  # annotated
    return count


def read_byes(its_round: Round) -> None:
    """Give one of `counted_rounds_of` its byes, as `rounds_of` does."""
    prefetch_related_objects([its_round], _byes())


def has_results(its_round: Round) -> bool:
    """Return whether at least one table of one of `counted_rounds_of` has its result."""
    return bool(its_round.decided_count)  # type: ignore[attr-defined]  # annotated


def _byes() -> "Prefetch[str, QuerySet[Bye], str]":
    return Prefetch("byes", Bye.objects.select_related("entry").order_by("entry__number"))


@dataclass(frozen=True)
class SeatShown:
    """A seat of a table that is shown: who has it, and what came of it, as `TableSeat` has it."""

    entry_id: str
    name: str
    player: str
    player_name: str
    bot: bool
    outcome: str
    rank: int | None
    score: int | None

    @property
    def names(self) -> tuple[str, str]:
        """Return the player's name at the table, and the team's where it says more."""
        return seat_names(self.player_name, self.name)

    @property
    def shown_score(self) -> int | None:
        """Return its score as far as it counts, as `TableSeat` does."""
        return None if self.outcome in LEFT else self.score

    @property
    def outcome_in_words(self) -> str:
        """Return the outcome in words, none for a seat that played."""
        return str(Outcome(self.outcome).label) if self.outcome else ""


@dataclass(frozen=True)
class TableShown:
    """A table that is shown, as `Table` has it, with its seats in order and the id of its last game."""

    id: str
    number: int
    turn: int
    room: str
    label: str
    status: str
    ruled: bool
    void_reason: str
    postponed_reason: str
    postponed_until: datetime | None
    more_minutes: int
    match: Mapping[str, Any] | None
    game: str | None
    seats: tuple[SeatShown, ...]

    def get_status_display(self) -> str:
        """Return the status in words."""
        return status_of_table(self.status, [(seat.entry_id, seat.outcome) for seat in self.seats])

    @property
    def put_off(self) -> bool:
        """Return whether the table is put off and still to be decided."""
        return bool(self.postponed_reason)


_TABLES: Final = """
SELECT round.id::text, (
        SELECT played.club_id::text FROM league_competition AS played JOIN league_stage AS stage
            ON stage.competition_id = played.id JOIN league_round AS of_stage ON of_stage.stage_id = stage.id
        WHERE of_stage.id = round.id
    ), shown.id::text, shown.number, shown.turn, shown.room, shown.label, shown.status, shown.ruled,
    shown.void_reason, shown.postponed_reason, shown.postponed_until, shown.more_minutes, shown.match::json, (
        SELECT game.id::text FROM league_clubgame AS place JOIN games_game AS game ON game.id = place.game_id
        WHERE place.table_id = shown.id ORDER BY game.opened_at DESC, game.id DESC LIMIT 1
    ), (
        SELECT json_agg(json_build_array(
            entry.id, entry.name, entry.public_name, player.id, player.name, player.public_name,
            player.account_id, player.bot, seat.outcome, seat.rank, seat.score
        ) ORDER BY seat.number)
        FROM league_tableseat AS seat
        JOIN league_entry AS entry ON entry.id = seat.entry_id
        JOIN league_player AS player ON player.id = seat.player_id
        WHERE seat.table_id = shown.id
    )
FROM (SELECT json_array_elements_text(%(rounds)s::text::json)::uuid AS id) AS round
CROSS JOIN LATERAL (
    SELECT *, row_number() OVER (PARTITION BY one.number ORDER BY one.id) AS turn
    FROM league_table AS one WHERE one.round_id = round.id
    ORDER BY one.number, one.id LIMIT %(most)s::text::int
) AS shown
ORDER BY round.id, shown.number, shown.id
"""


def tables_shown(
    rounds: Iterable[Round],
    most: int | None = None,
    former: Mapping[str, Sequence[tuple[int, str]]] = MappingProxyType({}),
) -> Mapping[UUID, Sequence[TableShown]]:
    """Return the tables of rounds by the rounds' ids, in order, ``most`` of each; one statement.

    The seat of who was replaced has the name of ``former`` ones that its team had then.
    """
    found: dict[UUID, list[TableShown]] = {each.pk: [] for each in rounds}
    given = {"rounds": json.dumps([str(pk) for pk in found]), "most": None if most is None else str(most)}
    for in_round, club, *columns, seats in all_rows(_TABLES, given) if found else ():
        shown = tuple(_as_then(_seat_shown(UUID(club), *seat), former) for seat in seats or ())
        found[UUID(in_round)].append(TableShown(*[*columns, shown]))
    return found


def _seat_shown(
    club: UUID,
    entry: str,
    name: str,
    public_name: str,
    player: str,
    player_name: str,
    player_public_name: str,
    account: str | None,
    *rest: Any,
) -> SeatShown:
    """Return a seat with its names for who reads."""
    own = UUID(account) if account else None
    called = name_for(player_name, player_public_name, club, own)
    return SeatShown(entry, name_for(name, public_name, club), player, called, *rest)


def _as_then(seat: SeatShown, former: Mapping[str, Sequence[tuple[int, str]]]) -> SeatShown:
    names = [name for _until, name in former.get(seat.entry_id, ()) if seat.names[1]]
    then = (name for name in names if seat.player_name in name.split(JOIN))
    return replace(seat, name=next(then, seat.name))


def rulings_of(competition: Competition) -> Mapping[str, int]:
    """Return the number of the event that set the result of each ruled table by hand, by the table's id."""
    rounds = [each for stage in log.latest(competition).stages for each in stage.shown_rounds]
    return {table.id: table.ruling.seq for each in rounds for table in each.tables if table.ruling}


def sharing_a_total(seats: Iterable[TableSeat], ruleset: str) -> Mapping[int, Sequence[TableSeat]]:
    """Return the seats of a table that have one total, by the number of the first: teams of the game.

    Who has left the table has none, and is alone.
    """
    in_order = sorted(seats, key=lambda each: each.number)
    teams, shared = rules.scores_by_team(ruleset, len(in_order)), dict[tuple[int, int], list[TableSeat]]()
    for seat in in_order:
        alone = seat.number + 1 if seat.has_left else 0
        shared.setdefault((teams[seat.number], alone), []).append(seat)
    return {its[0].number: its for its in shared.values()}


def tables_of_competition(competition: Competition, *, drawn: bool = False) -> QuerySet[Table]:
    """Return the tables with seats and games, the last round first; with ``drawn`` unpublished ones too."""
    tables = Table.objects.filter(round__stage__competition=competition)
    shown = tables if drawn else tables.exclude(round__status=Round.Status.DRAWN)
    shown = shown.select_related("round__stage__competition")
    return with_seats_and_games(shown).order_by("-round__stage__number", "-round__number", "number", "pk")


def tables_put_off(competition: Competition) -> QuerySet[Table]:
    """Return the tables that are put off, with their rounds, in the order of play."""
    tables = Table.objects.filter(round__stage__competition=competition).exclude(postponed_reason="")
    ordered = tables.order_by("round__stage__number", "round__number", "number", "pk")
    return ordered.select_related("round__stage")


def tables_of_player(player: Player) -> QuerySet[Table]:
    """Return the published tables of a player, the newest competition and round first."""
    tables = Table.objects.filter(seats__player=player).exclude(round__status=Round.Status.DRAWN)
    shown = tables.select_related("round__stage__competition")
    return with_seats_and_games(shown).order_by(
        "-round__stage__competition__opened_at", "-round__stage__number", "-round__number", "number", "pk"
    )


def with_seats(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Return tables with their seats."""
    seats = TableSeat.objects.select_related("entry", "player").order_by("number")
    return tables.prefetch_related(Prefetch("seats", seats))


def with_seats_and_games(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Return tables with their seats and games."""
    games = ClubGame.objects.select_related("game").order_by("game__opened_at", "game")
    return with_seats(tables).prefetch_related(Prefetch("games", games))


# ---- How rounds were drawn (docs/draws.md) -------------------------------------------------------

At: TypeAlias = tuple[int, int]
"""The numbers of a stage and a round; round 0 is the draw of the stage's groups."""


@dataclass(frozen=True)
class HowDrawn:
    """A draw: its cut-off, what went into it by name, its secret value, and the drafts before it.

    A text without a name is the organisers'. ``replaced`` are the drafts with the reasons why they were
    replaced. ``earlier`` are the numbers of this draw's cut-offs that were discarded or withdrawn before.
    """

    seq: int
    at: datetime
    root: str
    reveal: Reveal
    present: tuple[str, ...]
    texts: tuple[tuple[str, str], ...]
    beacon: int
    beacon_at: datetime | None
    replaced: tuple[tuple[Reveal, str], ...]
    earlier: tuple[int, ...]


def how_drawn(competition: Competition, rounds: Iterable[Round]) -> Mapping[At, HowDrawn]:
    """Return how published rounds and the groups of their stages were drawn; four queries at most.

    Groups that no lot made have none.
    """
    state = log.latest(competition)
    wanted = {(each.stage.number, each.number) for each in rounds}
    named = names_of(Entry.objects.filter(competition=competition), competition.club_id)
    names = {str(pk): name for pk, name in named.items()}
    origins = {
        (stage.number, each.number): each.origins
        for stage in state.stages
        for each in stage.shown_rounds
        if (stage.number, each.number) in wanted
    }
    stages = {number for number, _ in wanted}
    origins |= {
        (stage.number, 0): (stage.origin,)
        for stage in state.stages
        if stage.number in stages and stage.origin is not None
    }
    last = {at: drafts[-1] for at, drafts in origins.items()}
    times = log.times(competition, [origin.seq for origin in last.values()])
    made = _cut_offs(competition)
    return {
        at: _how(origin, times[origin.seq], names, origins[at], made.get(at, ()))
        for at, origin in last.items()
    }


def _cut_offs(competition: Competition) -> Mapping[At, tuple[int, ...]]:
    """Return the numbers of the public cut-offs of rounds and groups, those of discarded draws too."""
    cut_offs = log.rows(competition).filter(event__type="cut_off", event__purpose__in=("groups", "round"))
    made: dict[At, tuple[int, ...]] = {}
    for seq, event in cut_offs.order_by("seq").values_list("seq", "event"):
        at = event["stage"], event.get("round", 0)
        made[at] = (*made.get(at, ()), seq)
    return made


def _how(
    origin: Origin,
    at: datetime,
    names: Mapping[str, str],
    drafts: Sequence[Origin],
    made: Iterable[int],
) -> HowDrawn:
    cut_off = origin.cut_off
    published_with = {draft.seq for draft in drafts}
    return HowDrawn(
        seq=origin.seq,
        at=at,
        root=origin.root,
        reveal=origin.reveal,
        present=tuple(names[entry] for entry in cut_off.present),
        texts=tuple((names[each.entry] if each.entry else "", each.words) for each in cut_off.texts),
        beacon=cut_off.beacon,
        beacon_at=commitment.round_time(cut_off.beacon) if cut_off.beacon else None,
        replaced=tuple((draft.reveal, draft.dropped) for draft in drafts[:-1]),
        earlier=tuple(seq for seq in made if seq < drafts[0].seq and seq not in published_with),
    )


def keeps_secret(competition: Competition) -> bool:
    """Return whether this server has the secret to which the competition's draws are committed."""
    return log.latest(competition).root in log.trees(competition.pk)


# ---- Players with seats at two tables at once, in different competitions -------------------------


@dataclass(frozen=True)
class DoubleBooking:
    """A player's seat in an open round of one competition, and a seat in an open round of another one."""

    here: TableSeat
    elsewhere: TableSeat


def double_bookings(competition: Competition) -> Sequence[DoubleBooking]:
    """Return players at undecided tables both of this competition and of another, by player name.

    Unpublished draws count too, so this is only for organisers. Open play does not count, because its players
    open the tables themselves. Two queries at most.
    """
    ours = _open_seats().filter(table__round__stage__competition=competition)
    elsewhere = (
        _open_seats()
        .filter(player__in=ours.order_by().values("player"))
        .exclude(table__round__stage__competition=competition)
    )
    others = list(elsewhere)
    here = list(ours.filter(player__in={seat.player_id for seat in others})) if others else []
    bookings = [
        DoubleBooking(seat, other) for other in others for seat in here if seat.player_id == other.player_id
    ]
    return sorted(bookings, key=_by_player)


def _open_seats() -> QuerySet[TableSeat]:
    """Return the seats at undecided tables of open rounds, with round, stage and competition."""
    open_formats = [each.key for each in formats.BY_KEY.values() if each.open_tables]
    waiting = TableSeat.objects.filter(
        table__status__in=[Table.Status.DRAWN, Table.Status.PLAYING],
        table__round__status__in=[Round.Status.DRAWN, Round.Status.PUBLISHED],
        table__round__stage__competition__status=Competition.Status.RUNNING,
    ).exclude(table__round__stage__format__in=open_formats)
    return waiting.select_related("player", "table__round__stage__competition")


def _by_player(booking: DoubleBooking) -> tuple[str, str, str]:
    return booking.here.player.sort_name, str(booking.here.pk), str(booking.elsewhere.pk)


def filled_in(competition: Competition, drawn: Round) -> CutOff | None:
    """Return the cut-off of a round whose tables were filled by an order; None where they were drawn."""
    if not formats.BY_KEY[drawn.stage.format].fills_by_order:
        return None
    stage = log.latest(competition).stages[drawn.stage.number - 1]
    return next((filled_by_order(each.origins) for each in stage.rounds if each.number == drawn.number), None)


def apart_in(competition: Competition, drawn: Round) -> Fraction | None:
    """Return how far points at a table were apart at most; None where the draw did not look at points."""
    if "spread" not in drawn.report:
        return None
    state = log.latest(competition)
    stage = state.stages[drawn.stage.number - 1]
    its_round = next((each for each in stage.rounds if each.number == drawn.number), None)
    return points_apart(state, stage, its_round) if its_round else None
