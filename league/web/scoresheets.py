"""What a sheet of results shows, the cards of a round or a single one: for its page and for its script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from uuid import UUID

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import database_time
from games.engine.results import among_sides
from league.choices import CompetitionStatus, RoundStatus, Step, TableStatus
from league.queries import score_cards
from league.queries.games import entries_after, of_own_side, sides_at
from league.web.scoregrids import GridShown, Refused, grid, seen
from league.words.course import does_later, does_soon
from league.words.moves import EntryShown, writings

if TYPE_CHECKING:
    from games.engine.replay import Position
    from league.models import Account, ClubGame, Competition, Round, Table

Key: TypeAlias = tuple[UUID, int]
"""A row of a sheet: the id of a game and the number of a round, or of a table and `TOTALS`."""
MOST_TABLES: Final = 10
"""The most tables on one sheet."""
TOTALS: Final = 0


@dataclass(frozen=True)
class Place:
    """A card on a sheet, or a table whose result can only be set as a whole.

    ``mine`` is the account's seat.
    """

    club_game: ClubGame | None
    table: Table | None
    names: Mapping[int, str]
    position: Position | None
    mine: int | None

    @property
    def key(self) -> UUID:
        """Return the id of the game, or that of the table where no card is kept."""
        known = self.club_game or self.table
        assert known is not None
        return known.pk

    @property
    def ruleset(self) -> str:
        """Return the name of the game's ruleset."""
        if self.club_game:
            return self.club_game.game.ruleset
        return self.table.round.stage.competition.ruleset if self.table else ""

    @cached_property
    def gone(self) -> Mapping[int, str]:
        """Return why seats need no scores, by their numbers: a no-show, a forfeit, or left the game."""
        out = self.position.out if self.position else ()
        seats = self.table.seats.all() if self.table else ()
        told = {seat.number: str(seat.get_outcome_display()) for seat in seats if seat.has_left}
        return {**{seat: _("left the game") for seat in out}, **told}


@dataclass(frozen=True)
class Part:
    """Some tables of a big round, from ``first`` to ``last``, on a sheet of their own.

    ``rel`` is "next" or "prev" beside the sheet that is shown; ``decided`` of its ``tables`` are.
    """

    number: int
    first: int
    last: int
    here: bool
    rel: str
    tables: int
    decided: int


@dataclass(frozen=True)
class Closing:
    """A round whose tables are all decided: what comes next in words, and in how many seconds (0: whenever).

    ``seq`` is the log's next number.
    """

    text: str
    seconds: int
    seq: int


@dataclass(frozen=True)
class Sheet:
    """What somebody fills in: cards, and whether as a scorekeeper or organiser, or else for a seat.

    Of a big round it has only some of the tables; ``parts`` are all of its sheets.
    """

    account: Account
    keeps: bool
    directs: bool
    competition: Competition | None
    round: Round | None
    places: Sequence[Place]
    parts: Sequence[Part] = ()


@dataclass(frozen=True)
class TotalInput:
    """A seat's input for its score in a table whose result is set as a whole."""

    seat: int
    name: str
    value: str
    optional: bool


@dataclass(frozen=True)
class TotalsShown:
    """The row in which the result of a whole table is set, its errors, and whether a ruling decides it."""

    prefix: str
    inputs: tuple[TotalInput, ...]
    now: Mapping[str, str]
    seen: str
    wrong: tuple[str, ...]
    conflict: bool
    ruled: bool


@dataclass(frozen=True)
class CardShown:
    """A card as the page shows it; ``writable`` says whether its grid can be typed into.

    ``disputes`` are the entries that wrote its disputed rounds, with who made each and when. ``confirm`` is
    what a button to confirm its rounds sends: the game, and number and version of each.
    """

    place: Place
    grid: GridShown | None
    totals: TotalsShown | None
    writable: bool
    confirm: str
    to_confirm: tuple[int, ...]
    state: str
    status: str
    disputes: tuple[EntryShown, ...] = ()

    @property
    def decided(self) -> bool:
        """Return whether the table has a result that is not that of its card."""
        return self.place.table is not None and self.place.table.ruled

    @property
    def totals_so_far(self) -> Mapping[int, int | None]:
        """Return each seat's total by the card, or by the result that was set."""
        if self.place.table is not None and self.decided:
            return {seat.number: seat.score for seat in self.place.table.seats.all()}
        return dict(enumerate(self.grid.totals)) if self.grid else {}

    @property
    def places(self) -> Mapping[int, str]:
        """Return each seat's place in words by the card, or by the result that was set."""
        if self.place.table is not None and self.decided:
            ranks = {seat.number: seat.rank for seat in self.place.table.seats.all()}
        else:
            ranks = dict(enumerate(self._places))
        return {seat: str(ordinal(rank)) for seat, rank in ranks.items() if rank}

    @property
    def _places(self) -> Sequence[int]:
        position, ranks = self.place.position, self.grid.places if self.grid else ()
        return among_sides(ranks, sides_at(position, self.place.table)) if position and ranks else ()

    @property
    def width(self) -> int:
        """Return the number of columns of the grid."""
        return 1 + len(self.grid.columns if self.grid else ()) + len(self.place.names)

    @property
    def to_confirm_text(self) -> str:
        """Return the title of the button that confirms the rounds."""
        sentence = ngettext("Confirm deal %(rounds)s", "Confirm deals %(rounds)s", len(self.to_confirm))
        return sentence % {"rounds": ", ".join(map(str, self.to_confirm))}


def closing(filled: Sheet) -> Closing | None:
    """Return how the round of a sheet will be closed, None while a table is not decided."""
    competition, its_round = filled.competition, filled.round
    if competition is None or its_round is None or its_round.status != RoundStatus.PUBLISHED:
        return None
    competition.refresh_from_db(fields=("status", "step", "wait", "changed_at", "seq", "round"))
    at, now = competition.acts_at, database_time.now()
    if competition.status != CompetitionStatus.RUNNING or not (at or competition.step == Step.CLOSE_ROUND):
        return None
    if at is None:
        text, seconds = _("All tables are decided. The round can be closed."), 0
    elif at > now:
        text, seconds = does_later(competition, at), round((at - now).total_seconds())
    else:
        text, seconds = does_soon(competition), 0
    return Closing(text, seconds, competition.seq + 1)


# ---- From a sheet to what it shows ---------------------------------------------------------------


def card_shown(filled: Sheet, place: Place, refused: Mapping[Key, Refused]) -> CardShown:
    its = {round_: no for (card, round_), no in refused.items() if card == place.key and round_ != TOTALS}
    kept = place.position is not None and not place.position.joining and not _decided_otherwise(place)
    shown_grid = grid(str(place.key), place.position, its) if kept and place.position else None
    rows = shown_grid.rows if shown_grid else ()
    may_confirm = [
        row for row in rows if row.version and row.state != "agreed" and _awaits(place, row.number)
    ]
    state, status = _status(place, shown_grid)
    return CardShown(
        place,
        shown_grid,
        _totals(filled, place, refused),
        _writable(filled, place),
        " ".join([str(place.key), *(f"{row.number}:{row.version}" for row in may_confirm)]),
        tuple(row.number for row in may_confirm),
        state,
        status,
        _disputes(place, shown_grid),
    )


def _disputes(place: Place, shown_grid: GridShown | None) -> tuple[EntryShown, ...]:
    """Return the entries that wrote the disputed rounds of a card, round by round."""
    if place.club_game is None or shown_grid is None or not shown_grid.disputed:
        return ()
    game = place.club_game.game
    written = writings(game, entries_after(game, 1), shown_grid.disputed, place.names)
    return tuple(line for lines in written.values() for line in lines)


def _decided_otherwise(place: Place) -> bool:
    """Return whether a table's result is not that of its card."""
    table = place.table
    abandoned = place.position is not None and place.position.status == "abandoned"
    return abandoned or (table is not None and (table.ruled or table.status in ("walkover", "void")))


def _awaits(place: Place, round_: int) -> bool:
    assert place.position is not None
    entry = place.position.state.entries[round_ - 1]
    own = of_own_side(place.position, place.table, place.mine, round_)
    return bool(entry.awaits(place.mine)) and not own and place.position.status == "active"


def _writable(filled: Sheet, place: Place) -> bool:
    """Return whether a card's rounds can be entered or corrected now."""
    if place.position is None or place.club_game is None or _decided_otherwise(place):
        return False
    if place.position.status == "active":
        return True
    return filled.keeps and score_cards.is_open(place.club_game)


def _totals(filled: Sheet, place: Place, refused: Mapping[Key, Refused]) -> TotalsShown | None:
    """Return the row for a whole table's result, where a scorekeeper can set it now."""
    table = place.table
    if table is None or not filled.keeps or not _settable(filled, table):
        return None
    now, no = totals_now(table), refused.get((table.pk, TOTALS))
    values = no.values if no else now
    return TotalsShown(
        f"{table.pk}.{TOTALS}.",
        tuple(
            TotalInput(seat, f"score-{seat}", values.get(f"score-{seat}", ""), seat in place.gone)
            for seat in sorted(place.names)
        ),
        now,
        seen(0, now),
        tuple(no.sentences) if no else (),
        conflict=no is not None and no.conflict,
        ruled=table.ruled,
    )


def _settable(filled: Sheet, table: Table) -> bool:
    """Return whether a table's result can be set without a reason: its first, or again in an open round."""
    undecided = table.status in (TableStatus.PLAYING, TableStatus.POSTPONED, TableStatus.ABANDONED)
    its_round = filled.round
    is_open = its_round is not None and its_round.status == RoundStatus.PUBLISHED
    return undecided or (table.ruled and is_open)


def _status(place: Place, shown_grid: GridShown | None) -> tuple[str, str]:
    """Return the state of a card as a word for the style sheet, and in words."""
    if place.table is not None and _decided_otherwise(place):
        decided = place.table.status != TableStatus.ABANDONED
        return ("done", _("Result set")) if decided else ("bad", _("Abandoned: set the result"))
    if shown_grid is None:
        return "", str(place.table.get_status_display()) if place.table else ""
    if shown_grid.disputed:
        return "bad", _("Disputed")
    if shown_grid.over:
        return "done", _("Complete")
    if shown_grid.complete:
        return "warn", _("To be confirmed")
    entered = sum(row.version > 0 for row in shown_grid.rows)
    if not entered:
        return "", _("Nothing entered yet")
    sentence = ngettext("%(count)s deal entered", "%(count)s deals entered", entered)
    return "", sentence % {"count": entered}


def as_json(each: CardShown) -> dict[str, Any]:
    """Return what the page's script shows of a card."""
    answer: dict[str, Any] = {
        "key": str(each.place.key),
        "state": each.state,
        "status": each.status,
        "disputed": bool(each.disputes),
        "decided": each.decided,
        "gone": each.place.gone,
        "totals": [each.totals_so_far.get(seat) for seat in sorted(each.place.names)],
        "places": [each.places.get(seat, "") for seat in sorted(each.place.names)],
        "confirm": {"value": each.confirm, "title": each.to_confirm_text} if each.to_confirm else None,
        "rows": [],
    }
    if each.grid:
        answer["rows"] = [
            {
                **_row_as_json(row.prefix, row.seen, row.now, row.wrong, row.conflict),
                "state": row.state,
                "scores": row.scores,
                "marked": row.marked,
                "doubt": row.doubt,
            }
            for row in each.grid.rows
        ]
    if each.totals:
        row = each.totals
        answer["rows"].append(
            {
                **_row_as_json(row.prefix, row.seen, row.now, row.wrong, row.conflict),
                "state": "agreed" if row.ruled else "coming",
                "scores": [],
                "marked": [],
            }
        )
    return answer


def _row_as_json(
    prefix: str, row_seen: str, now: Mapping[str, str], wrong: Sequence[str], conflict: bool
) -> dict[str, Any]:
    return {"prefix": prefix, "seen": row_seen, "values": now, "wrong": wrong, "conflict": conflict}


def totals_now(table: Table) -> dict[str, str]:
    """Return the values of the inputs for a table's result; the 0 of a seat that has left stays empty."""
    return {
        f"score-{seat.number}": ""
        if not table.ruled or seat.score is None or (seat.has_left and not seat.score)
        else str(seat.score)
        for seat in table.seats.all()
    }
