"""Listings: rows under named columns, of a club and of a competition, and their words for readers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.engine.jsontypes import Json
from games.engine.messages import Message
from league.choices import CompetitionStatus, EntryStatus, EventRole, Outcome, TableStatus, published_outcome
from league.core.events import EVENTS
from league.core.match_view import counted
from league.core.standings.plain import Plain
from league.core.standings.tie_breaks import BY_KEY
from league.core.state.challenges import COSTS
from league.core.state.entries import JOIN
from league.hooks.papers import PLAYER_COLUMNS
from league.models import ClubGame, Competition, Entry, Player, Rating, Round, Stage, Table
from league.queries.competitions import entries_of, stages_of, state_of
from league.queries.events import events_of, reasons_of_decisions, with_names_then
from league.queries.games import SeatedPlayer, shown_placings_of
from league.queries.rounds import rounds_of
from league.queries.standings import plain_of, standings_of
from league.words.challenges import STATUSES as CHALLENGES
from league.words.event_text import event_lines
from league.words.messages import shown_name, translated
from league.words.plain import RULE, counts_of, decided_in_words, signs_of
from league.words.values import sides, tie_break

Value: TypeAlias = str | bool | int | Fraction | datetime | None
Column: TypeAlias = str | tuple[str, str | Callable[[Any], Value]]
"""The name of a column, with the attribute of a row that it shows or a function of the row, unless the
attribute has the same name."""


@dataclass(frozen=True)
class Listing:
    """Rows under named columns; every row has a value for each column, in their order.

    Points are Fractions, whole ones too. ``zone`` is the zone of times in spreadsheets, which have no zones.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    zone: tzinfo = UTC

    @classmethod
    def of(
        cls, name: str, rows: Iterable[object], columns: Sequence[Column], zone: tzinfo = UTC
    ) -> "Listing":
        """Return a listing of some rows."""
        named = dict((column, column) if isinstance(column, str) else column for column in columns)
        values = [attrgetter(value) if isinstance(value, str) else value for value in named.values()]
        cells = tuple(tuple(value(row) for value in values) for row in rows)
        return cls(name, tuple(named), cells, zone)


# ---- Of a club -----------------------------------------------------------------------------------

_ID: Final[Column] = ("id", lambda row: str(row.pk))
_NAME: Final[Column] = ("name", lambda row: shown_name(row.called))


def players(rows: Iterable[Player]) -> Listing:
    """Return the public data of players."""
    return Listing.of("players", rows, (_ID, _NAME, "active"))


def players_with_accounts(rows: Iterable[Player]) -> Listing:
    """Return players with the names of their accounts, for organisers; the file can be imported."""
    account: Column = ("account", lambda row: row.account.username if row.account else None)
    known, club = list(rows), ("club", "club.name")
    return Listing.of("players", known, (_ID, "name", account, "active", club, *_of_apps(known)))


def _of_apps(players: Sequence[Player]) -> Iterator[Column]:
    """Yield the columns of apps in which something is said of one of the players."""
    for columns in PLAYER_COLUMNS:
        texts = columns.of([player.pk for player in players])
        for name in columns.titles:
            if any(name in each for each in texts.values()):
                yield name, partial(_in_column, name, texts)


def _in_column(name: str, texts: Mapping[UUID, Mapping[str, str]], player: Player) -> str | None:
    return words_of(name, texts.get(player.pk, {}).get(name)) or None


def competitions(rows: Iterable[Competition], zone: tzinfo) -> Listing:
    """Return a club's competitions with their status; ``rows`` have ``entry_count``, how many entered."""
    counted = (("game", "ruleset"), "status", "round", ("entries", "entry_count"))
    changed: Column = ("changed_at", "shown_at")
    return Listing.of("competitions", rows, (_ID, "name", *counted, "opened_at", changed), zone)


def ratings(rows: Iterable[Rating]) -> Listing:
    """Return a rating list in its order; ``rows`` have their players loaded."""
    player: Column = ("player", lambda row: str(row.player_id))
    name: Column = ("name", lambda row: shown_name(row.player.called))
    columns = (player, name, "points", "uncertainty", "sure_points", "games")
    return Listing.of("ratings", rows, columns)


def games(rows: Iterable[ClubGame], seats: Mapping[UUID, tuple[SeatedPlayer, ...]]) -> Listing:
    """Return a row for each seat of each game of a club, with rank and score once it has a result."""
    columns = (
        *("game", "ruleset", "competition", "status", "opened_at"),
        *("seat", "player", "rank", "score", "ruled"),
    )
    played = list(rows)
    cells = tuple(row for club_game in played for row in _seats_of_game(club_game, seats[club_game.pk]))
    return Listing("games", columns, cells, played[0].club.zone if played else UTC)


def _seats_of_game(club_game: ClubGame, seats: tuple[SeatedPlayer, ...]) -> Iterator[tuple[Value, ...]]:
    game = club_game.game
    placings = shown_placings_of(club_game)
    competition = club_game.competition.name if club_game.competition else None
    own = (str(game.pk), game.ruleset, competition, game.status, game.opened_at)
    for seat in seats:
        placing = placings.get(seat.seat, {})
        name = shown_name(seat.player.called) if seat.player else None
        yield (*own, seat.seat + 1, name, placing.get("rank"), placing.get("score"), club_game.ruled)


# ---- Of a competition ----------------------------------------------------------------------------

_RESULTS: Final = (
    *("stage", "round", "group", "table", "board", "status", "seat", "entry", "player"),
    *("rank", "score", "outcome", "ruled", "reason", "room", "match_games", "partners"),
)
_WHEN: Final[Sequence[Column]] = (("entry", "event.seq"), ("at", "event.at"), ("role", "event.role"))
_WHAT: Final[Sequence[Column]] = (("kind", lambda line: line.event.event["type"]), ("what", "sentence"))


def begun(competition: Competition) -> QuerySet[Stage]:
    """Return the stages that have begun; the first one before it has."""
    return stages_of(competition).filter(number__lte=max(1, competition.stage))


def standings(competition: Competition, stage: Stage, after: int | None = None) -> Listing:
    """Return the standings of a stage, so far or after a round, with a column for each tie-break."""
    tie_breaks: list[Column] = [
        (name, lambda row, name=name: _exact(row.tiebreaks[name]))  # type: ignore[misc]
        for name in stage.plan.get("tie_breaks", ())
    ]
    entry: Column = ("entry", lambda row: shown_name(row.entry.called))
    points: Column = ("points", lambda row: Fraction(row.points))
    corrected: Column = ("corrected", lambda row: stage.corrected)
    columns = (
        *("group", "rank", entry, "played", points, *tie_breaks, "decided_by", "movement"),
        *("best_rank", "worst_rank", "to_come", corrected, "next_group", "next_why", "by_lot"),
        *("withdrawn", "expelled", "away", "never_came"),
        *_plain(plain := plain_of(competition, stage, after)),
    )
    rows = standings_of(stage, after=after, plain=plain)
    return Listing.of(f"standings-{stage.number}", rows, columns, competition.club.zone)


def _plain(plain: Plain) -> Sequence[Column]:
    """Return the columns of what anybody can count, and of what organisers or a rule decided."""

    def told(name: str) -> Column:
        title = {"places": "places_taken", "score": "total_score"}.get(name, name)
        return title, lambda row: _counted(counts_of(row, plain)[name])

    decided: Column = ("by_organiser", lambda row: " ".join(decided_in_words(row, plain)))
    by_rule: Column = ("by_rule", lambda row: any(sign == RULE for sign, _why in signs_of(row, plain)))
    return (*map(told, ("places", "won", "drawn", "lost", "score")), decided, by_rule, "stood_in")


def _counted(count: Json) -> Value:
    """Return places as "2-1-0-2", another count as it is."""
    return count if isinstance(count, int) else "-".join(map(str, count)) if isinstance(count, list) else None


def _exact(text: str | None) -> Value:
    """Return a tie-break's value as a number, or as text where it is a list."""
    try:
        return None if text is None else Fraction(text)
    except ValueError:
        return text


def results(competition: Competition, *, drawn: bool = False) -> Listing:
    """Return a row for each seat of each table and for each bye, in the order of play.

    Unpublished rounds are listed only with ``drawn``.
    """
    rounds = with_names_then(competition, rounds_of(competition, drawn=drawn).reverse())
    reasons = reasons_of_decisions(competition, withheld=drawn)
    rows = tuple(row for each in rounds for row in _round(each, reasons, competition.ruleset))
    return Listing("results", _RESULTS, rows, competition.club.zone)


def _round(
    round_: Round, reasons: Mapping[tuple[str, str], str], ruleset: str
) -> Iterator[tuple[Value, ...]]:
    numbers = (round_.stage.name, round_.number)
    for table in round_.tables.all():
        for row in _seats_of_table(table, reasons, ruleset):
            yield (*numbers, *row)
    for bye in round_.byes.all():
        who = (None, shown_name(bye.entry.called), *(None,) * 4)
        what = "requested_bye" if bye.requested else "bye"
        yield (*numbers, None, None, None, what, *who, False, "", "", "", "")


def _seats_of_table(
    table: Table, reasons: Mapping[tuple[str, str], str], ruleset: str
) -> Iterator[tuple[Value, ...]]:
    which = (table.group, table.number, table.board, table.status)
    of_all = "walked_over" if table.status == Table.Status.WALKOVER else "ruled" if table.ruled else ""
    games = ", ".join(":".join(map(str, each["scores"])) for each in counted(table.match))
    why = table.void_reason or reasons.get((str(table.pk), of_all), "")
    mates = {
        seat: [each for each in side if each != seat]
        for side in sides(table.seats.all(), ruleset)
        for seat in side
    }
    for seat in table.seats.all():
        who = (seat.number + 1, shown_name(seat.entry.called), shown_name(seat.player.called))
        said = reasons.get((str(table.pk), str(seat.entry_id))) if seat.outcome else ""
        own = seat.outcome_in_words if seat.outcome == seat.Outcome.LATE else said
        outcome = published_outcome(seat.outcome)
        yield (
            *which,
            *who,
            seat.rank,
            seat.shown_score,
            outcome,
            table.ruled,
            own or why,
            table.room,
            games,
            JOIN.join(shown_name(each.player.called) for each in mates[seat]),
        )


def entries(competition: Competition) -> Listing:
    """Return the entries in the order of entering, the players of each in one cell."""
    entry: Column = ("entry", lambda row: shown_name(row.called))
    more = ("affiliation", "status", "checked_in", "withdrawn_from", "expelled")
    columns = ("number", entry, ("players", _players), *more)
    return Listing.of("entries", entries_of(competition), columns, competition.club.zone)


def _players(entry: Entry) -> str:
    return JOIN.join(shown_name(each.player.called) for each in entry.members.all())


def challenges(competition: Competition) -> Listing:
    """Return the challenges that waited for an answer, the oldest first, with what became of them."""
    names = {str(entry.pk): shown_name(entry.called) for entry in entries_of(competition)}
    columns: tuple[Column, ...] = (
        *("number", "stage", "round"),
        ("challenger", lambda row: names[row.by]),
        ("challenged", lambda row: names[row.entry]),
        ("until", lambda row: datetime.fromisoformat(row.until)),
        *("status", "costs", "table"),
    )
    return Listing.of("challenges", state_of(competition).challenges, columns, competition.club.zone)


def public_log(competition: Competition) -> Listing:
    """Return the public events of the competition as text."""
    return _log(competition, (*_WHEN, *_WHAT), withheld=False)


def log(competition: Competition) -> Listing:
    """Return all events as text, for organisers: with accounts, and with unpublished draws."""
    return _log(competition, (*_WHEN, "account", *_WHAT), withheld=True)


def _log(competition: Competition, columns: Sequence[Column], *, withheld: bool) -> Listing:
    lines = event_lines(list(events_of(competition, withheld=withheld).order_by("seq")))
    return Listing.of("log", lines, columns, competition.club.zone)


# ---- What a competition can be downloaded as -----------------------------------------------------

Parts: TypeAlias = Sequence[Callable[[], Listing]]


def _standings(competition: Competition) -> Parts:
    return [partial(standings, competition, stage) for stage in begun(competition)]


def _everything(competition: Competition) -> Parts:
    names = ("entries", "results", "standings", "log")
    return [part for name in names for part in DOWNLOADS[name][1](competition)]


DOWNLOADS: Final[Mapping[str, tuple[Any, Callable[[Competition], Parts]]]] = {
    "standings": (gettext_lazy("Standings"), _standings),
    "results": (gettext_lazy("Results"), lambda each: [partial(results, each, drawn=True)]),
    "entries": (gettext_lazy("Entries"), lambda each: [partial(entries, each)]),
    "log": (gettext_lazy("Log"), lambda each: [partial(log, each)]),
    "everything": (gettext_lazy("Everything"), _everything),
}
"""The title of each download, and its listings as organisers see them."""


# ---- In words ------------------------------------------------------------------------------------

TITLES: Final[Mapping[str, Any]] = {
    "id": gettext_lazy("id"),
    "name": gettext_lazy("name"),
    "account": gettext_lazy("account"),
    "active": gettext_lazy("active"),
    "email": gettext_lazy("email"),
    "phone": gettext_lazy("phone"),
    "note": gettext_lazy("note"),
    "club": gettext_lazy("club"),
    "group": gettext_lazy("group"),
    "rank": gettext_lazy("rank"),
    "entry": gettext_lazy("entry"),
    "played": gettext_lazy("played"),
    "points": gettext_lazy("points"),
    "decided_by": gettext_lazy("decided by"),
    "movement": gettext_lazy("movement"),
    "best_rank": gettext_lazy("best rank"),
    "worst_rank": gettext_lazy("worst rank"),
    "to_come": gettext_lazy("tables put off"),
    "corrected": gettext_lazy("corrected"),
    "next_group": gettext_lazy("next group"),
    "next_why": gettext_lazy("why there"),
    "by_lot": gettext_lazy("by lot"),
    "places_taken": gettext_lazy("places taken"),
    "won": gettext_lazy("won"),
    "drawn": gettext_lazy("drawn"),
    "lost": gettext_lazy("lost"),
    "total_score": gettext_lazy("total score"),
    "by_organiser": gettext_lazy("decided by an organiser"),
    "by_rule": gettext_lazy("decided by a rule"),
    "stood_in": gettext_lazy("who else played"),
    "withdrawn": gettext_lazy("withdrawn"),
    "expelled": gettext_lazy("expelled"),
    "away": gettext_lazy("away"),
    "never_came": gettext_lazy("did not play"),
    "stage": gettext_lazy("stage"),
    "round": gettext_lazy("round"),
    "table": gettext_lazy("table"),
    "board": gettext_lazy("board"),
    "status": gettext_lazy("status"),
    "seat": gettext_lazy("seat"),
    "player": gettext_lazy("player"),
    "score": gettext_lazy("score"),
    "outcome": gettext_lazy("outcome"),
    "ruled": gettext_lazy("set by hand"),
    "reason": gettext_lazy("reason"),
    "room": gettext_lazy("room"),
    "match_games": gettext_lazy("games of the match"),
    "partners": gettext_lazy("plays with"),
    "number": gettext_lazy("number"),
    "players": gettext_lazy("players"),
    "affiliation": gettext_lazy("affiliation"),
    "checked_in": gettext_lazy("checked in"),
    "withdrawn_from": gettext_lazy("withdrawn from round"),
    "log.entry": pgettext_lazy("of a log", "entry"),
    "at": gettext_lazy("time"),
    "role": gettext_lazy("role"),
    "kind": gettext_lazy("kind"),
    "what": gettext_lazy("what"),
    "challenger": gettext_lazy("challenger"),
    "challenged": gettext_lazy("challenged"),
    "until": gettext_lazy("to be answered by"),
    "costs": gettext_lazy("what no table costs"),
    "competition": gettext_lazy("competition"),
    "game": gettext_lazy("game"),
    "games": gettext_lazy("games"),
    "ruleset": gettext_lazy("ruleset"),
    "entries": gettext_lazy("entries"),
    "opened_at": gettext_lazy("opened"),
    "changed_at": gettext_lazy("changed"),
    "uncertainty": gettext_lazy("may be off by"),
    "sure_points": gettext_lazy("conservative rating"),
    "total": gettext_lazy("total"),
    "bonus": gettext_lazy("bonus"),
    "explanation": gettext_lazy("explanation"),
}
"""The titles of columns by their keys in the API, those of one listing with its name before them."""
_BYE: Final = {"bye": gettext_lazy("bye"), "requested_bye": gettext_lazy("bye on request")}
_VALUES: Final[Mapping[str, Callable[[str], Any]]] = {
    "results.status": lambda value: {**dict(TableStatus.choices), **_BYE}.get(value, value),
    "competitions.status": lambda value: dict(CompetitionStatus.choices).get(value, value),
    "entries.status": lambda value: dict(EntryStatus.choices).get(value, value),
    "results.outcome": lambda value: dict(Outcome.choices).get(value, value),
    "log.role": lambda value: EventRole(value).label,
    "log.kind": lambda value: translated(EVENTS[value].title),
    "challenges.status": lambda value: CHALLENGES.get(value, value),
    "challenges.costs": lambda value: {key: translated(title) for key, title in COSTS}.get(value, value),
    "decided_by": tie_break,
}


def in_words(listing: Listing) -> Listing:
    """Return a listing with titles and values in the reader's language; programs are given their keys."""
    return replace(
        listing,
        columns=tuple(str(_of(TITLES, listing, key) or _heading(key)) for key in listing.columns),
        rows=tuple(
            tuple(_told(listing, key, value) for key, value in zip(listing.columns, row, strict=True))
            for row in listing.rows
        ),
    )


def _heading(key: str) -> str:
    return tie_break(key) if key in BY_KEY else title_of(key)


def _of(known: Mapping[str, Any], listing: Listing, key: str) -> Any:
    return known.get(f"{listing.name}.{key}") or known.get(key)


def title_of(column: str) -> str:
    """Return the title of a column of players, which an app may have."""
    of_apps = (columns.titles[column] for columns in PLAYER_COLUMNS if column in columns.titles)
    return str(TITLES.get(column) or next(of_apps, column))


def words_of(column: str, text: str | None) -> str:
    """Return a text in a column of players, which an app may have, in the reader's language."""
    of_apps = (each.words(column, text) for each in PLAYER_COLUMNS if text and column in each.titles)
    return next(of_apps, text or "")


def _told(listing: Listing, key: str, value: Value) -> Value:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Message):
        return translated(value)
    told = _of(_VALUES, listing, key)
    return str(told(value)) if told and value and isinstance(value, str) else value
