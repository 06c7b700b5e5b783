"""What a sheet of results shows, the cards of a round or a single one: for its page and for its script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import database_time
from games.engine.choosing import FieldChoice
from games.engine.jsontypes import JsonObject
from games.engine.outcomes import among_sides, rank_leavers_last
from games.engine.replay import Position
from league.choices import CompetitionStatus, RoundStatus, Step, TableStatus
from league.core.state.entries import JOIN
from league.queries import score_cards
from league.queries.accounts import zone_for
from league.queries.competitions import state_of
from league.queries.games import entries_after, of_own_side, sides_at
from league.queries.rounds import sharing_a_total
from league.web.score_rows import Refused, Row, grid, heads, row_of
from league.words.competitions import does_later, does_soon
from league.words.matches import match_now, sides_named
from league.words.moves import EntryShown, writings

if TYPE_CHECKING:
    from league.models import Account, ClubGame, Competition, Round, Table, TableSeat

MOST_TABLES: Final = 10
"""The most tables on one sheet."""
TOTALS: Final = 0
"""The number of the row in which the result of a whole table is set."""


@dataclass(frozen=True)
class Card:
    """A card on a sheet, or a table whose result can only be set as a whole.

    ``mine`` is the account's seat, and ``keeps`` says whether it enters as a scorekeeper or organiser;
    ``refused`` is what was typed and not saved, by round. With ``only_totals`` it has no other rows where
    these can be typed.
    """

    club_game: ClubGame | None
    table: Table | None
    names: Mapping[int, str]
    position: Position | None
    mine: int | None
    keeps: bool
    refused: Mapping[int, Refused]
    only_totals: bool = False

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

    @property
    def turn(self) -> int:
        """Return how the seats of its game differ from the table's, in whose order they are shown."""
        return self.club_game.turn if self.club_game else 0

    @property
    def match(self) -> Mapping[str, Any] | None:
        """Return the match of several games that is played at its table, None where there is one game."""
        return self.table.match if self.table else None

    @property
    def match_now(self) -> str:
        """Return the match so far in words, with the names of its sides in the order of the columns."""
        return match_now(self.match, named=sides_named(self.table.seats.all() if self.table else ()))

    @property
    def other_games(self) -> Sequence[Mapping[str, Any]]:
        """Return the other games of its match that have cards."""
        games = self.match["games"] if self.match else ()
        return [each for each in games if each["game"] not in (None, str(self.key))]

    @cached_property
    def seats_at(self) -> Mapping[int, TableSeat]:
        """Return the table's seats by the numbers that they have in its game, in this order."""
        seats = {seat.number ^ self.turn: seat for seat in self.table.seats.all()} if self.table else {}
        return dict(sorted(seats.items()))

    @cached_property
    def gone(self) -> Mapping[int, str]:
        """Return why seats need no scores, by their numbers: a no-show, a forfeit, or left the game."""
        out = self.position.out if self.position else ()
        told = {at: seat.outcome_in_words for at, seat in self.seats_at.items() if seat.has_left}
        return {**{seat: _("left the game") for seat in out}, **told}

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return its rounds; none where its table's result is another, or only totals are typed."""
        return () if self.only_totals and self.totals else self.deals

    @cached_property
    def deals(self) -> tuple[Row, ...]:
        """Return its rounds, shown or not; none where its table's result is another.

        A game that somebody's leaving has ended has no rounds that were not played.
        """
        position = self.position
        if position is None or position.joining or self._decided_otherwise:
            return ()
        rows = tuple(row.turned(self.turn) for row in grid(self.key, position, self.refused))
        return rows if position.status == "active" else tuple(row for row in rows if row.version)

    @property
    def columns(self) -> tuple[tuple[str, bool], ...]:
        """Return the title of each input that is not of one seat, and whether its values are seats."""
        return tuple((cell.title, cell.choice.seats) for row in self.rows[:1] for cell in row.asked)

    @cached_property
    def heads(self) -> Mapping[int, str]:
        """Return the names above the columns by seat: partners share one where they are written together."""
        names = {seat: self.names[seat] for seat in sorted(self.names, key=lambda seat: seat ^ self.turn)}
        return heads(names, self.position.teams, self.rows) if self.position else names

    @property
    def width(self) -> int:
        """Return the number of columns of the grid."""
        return 1 + len(self.columns) + len(self.heads)

    # ---- What it comes to ------------------------------------------------------------------------

    @property
    def decided(self) -> bool:
        """Return whether the table has a result that is not that of its card."""
        return self.table is not None and self.table.ruled

    @property
    def _decided_otherwise(self) -> bool:
        if self.position is not None and self.position.status == "abandoned":
            return True
        table = self.table
        return table is not None and (table.ruled or table.status in (TableStatus.WALKOVER, TableStatus.VOID))

    @property
    def totals_so_far(self) -> Mapping[int, int | None]:
        """Return each seat's total by the card, or by the result that was set."""
        if self.table is not None and self.decided:
            return {at: seat.shown_score for at, seat in self.seats_at.items()}
        if self.position is None or not self.rows:
            return {}
        return dict(enumerate(self.position.ruleset.scores(self.position.state)))

    @property
    def places(self) -> Mapping[int, str]:
        """Return each seat's place in words by the card, or by the result that was set."""
        if self.table is not None and self.decided:
            ranks = {at: seat.rank for at, seat in self.seats_at.items()}
        else:
            ranks = dict(enumerate(self._places))
        return {seat: str(ordinal(rank)) for seat, rank in ranks.items() if rank}

    @property
    def _places(self) -> Sequence[int]:
        """Return the place of each seat so far; a seat that has left is last whatever its scores."""
        position = self.position
        if position is None or not any(row.version for row in self.rows):
            return ()
        ranks = position.ruleset.ranks(position.state)
        ranks = rank_leavers_last(ranks, position.teams, position.teams_left)
        return among_sides(ranks, sides_at(position, self.table))

    @property
    def state(self) -> str:
        """Return the state of the card as a word for the style sheet."""
        if self.table is not None and self._decided_otherwise:
            return "bad" if self.table.status == TableStatus.ABANDONED else "done"
        states = {row.state for row in self.deals}
        if "disputed" in states:
            return "bad"
        if not states or "coming" in states:
            return ""
        return "warn" if "unconfirmed" in states else "done"

    @property
    def status(self) -> str:
        """Return the state of the card in words."""
        state, entered = self.state, sum(row.version > 0 for row in self.deals)
        if self.table is not None and self._decided_otherwise:
            if state == "bad":
                return _("Abandoned: set the result")
            return _("Result set") if self.decided else str(self.table.get_status_display())
        if not self.deals:
            return self.table.status_in_words() if self.table else ""
        if state:
            return {"bad": _("Disputed"), "warn": _("To be confirmed"), "done": _("Complete")}[state]
        if not entered:
            if self.match and self.club_game and self.club_game.number > 1:
                return _("Game %(number)d: nothing entered yet") % {"number": self.club_game.number}
            return _("Nothing entered yet")
        sentence = ngettext("%(count)s deal entered", "%(count)s deals entered", entered)
        return sentence % {"count": entered}

    # ---- What may be done ------------------------------------------------------------------------

    @cached_property
    def writable(self) -> bool:
        """Return whether its rounds can be entered or corrected now."""
        if self.position is None or self.club_game is None or self._decided_otherwise:
            return False
        return self.position.status == "active" or (self.keeps and score_cards.is_open(self.club_game))

    @cached_property
    def to_confirm(self) -> tuple[Row, ...]:
        """Return the rounds that the account may confirm."""
        waiting = [row for row in self.rows if row.state in ("unconfirmed", "disputed")]
        return tuple(row for row in waiting if self._awaits(row.number))

    def _awaits(self, number: int) -> bool:
        assert self.position is not None
        entry = self.position.state.entries[number - 1]
        own = of_own_side(self.position, self.table, self.mine, number)
        return bool(entry.awaits(self.mine)) and not own and self.position.status == "active"

    @property
    def confirm(self) -> str:
        """Return what a button to confirm its rounds sends: the game, and number and version of each."""
        return " ".join([str(self.key), *(f"{row.number}:{row.version}" for row in self.to_confirm)])

    @property
    def to_confirm_text(self) -> str:
        """Return the title of the button that confirms the rounds."""
        sentence = ngettext("Confirm deal %(rounds)s", "Confirm deals %(rounds)s", len(self.to_confirm))
        return sentence % {"rounds": ", ".join(str(row.number) for row in self.to_confirm)}

    @cached_property
    def disputes(self) -> tuple[EntryShown, ...]:
        """Return the entries that wrote its disputed rounds, with who made each and when, round by round."""
        return tuple(self._written(disputed=True))

    @cached_property
    def corrected(self) -> tuple[EntryShown, ...]:
        """Return the entries that wrote its other rounds that were corrected."""
        return tuple(self._written(disputed=False))

    def _written(self, *, disputed: bool) -> Iterator[EntryShown]:
        rounds = {
            row.number for row in self.rows if row.version > 1 and (row.state == "disputed") == disputed
        }
        if self.club_game and rounds:
            game = self.club_game.game
            written = writings(game, entries_after(game, 1), self.names)
            yield from chain.from_iterable(written[number] for number in sorted(rounds & written.keys()))

    @cached_property
    def whole(self) -> Row:
        """Return the row for the result of its whole table."""
        assert self.table is not None
        lines = tuple(
            {
                "score": FieldChoice(
                    complete=False, optional=at in self.gone, draft=_set_score(self.table, seat)
                )
            }
            if at in self.sharing
            else {}
            for at, seat in self.seats_at.items()
        )
        state, refused = "agreed" if self.decided else "coming", self.refused.get(TOTALS)
        return row_of(self.key, TOTALS, {"seats": FieldChoice(by_seat=lines)}, refused, state=state).turned(
            self.turn
        )

    @cached_property
    def sharing(self) -> Mapping[int, Sequence[int]]:
        """Return the seats that have the total which is typed at one of them, by that."""
        shared = sharing_a_total(self.seats_at.values(), self.ruleset)
        return {at ^ self.turn: [seat.number ^ self.turn for seat in its] for at, its in shared.items()}

    @property
    def total_names(self) -> Mapping[int, str]:
        """Return whose total is typed at a seat."""
        return {at: JOIN.join(self.names[seat] for seat in its) for at, its in self.sharing.items()}

    @property
    def totals(self) -> Row | None:
        """Return the row for its table's result, where a scorekeeper can set it now."""
        return self.whole if self.table is not None and self.keeps and _settable(self.table) else None

    def as_json(self) -> JsonObject:
        """Return what the page's script shows of it."""
        seats, totals = sorted(self.names), self.totals
        return {
            "key": str(self.key),
            "state": self.state,
            "status": self.status,
            "disputed": bool(self.disputes),
            "decided": self.decided,
            "gone": {str(seat): why for seat, why in self.gone.items()},
            "totals": [self.totals_so_far.get(seat) for seat in seats],
            "places": [self.places.get(seat, "") for seat in seats],
            "match": self.match_now,
            "confirm": {"value": self.confirm, "title": self.to_confirm_text} if self.to_confirm else None,
            "rows": [row.as_json() for row in (*self.rows, *([totals] if totals else []))],
        }


def _settable(table: Table) -> bool:
    """Return whether a table's result can be set without a reason: its first, or again in an open round."""
    undecided = table.status in (TableStatus.PLAYING, TableStatus.POSTPONED, TableStatus.ABANDONED)
    return undecided or (table.ruled and table.round.status == RoundStatus.PUBLISHED)


def _set_score(table: Table, seat: TableSeat) -> int | None:
    """Return the score that was set for a seat; that of one that has left stays empty."""
    return seat.shown_score if table.ruled else None


# ---- Sheets --------------------------------------------------------------------------------------


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

    Of a big round it has only some of the tables; ``parts`` are all of its sheets. ``only_totals`` says that
    no deals are typed into it.
    """

    account: Account
    keeps: bool
    directs: bool
    competition: Competition | None
    round: Round | None
    cards: Sequence[Card]
    parts: Sequence[Part] = ()
    only_totals: bool = False

    @property
    def zone(self) -> str:
        """Return the zone of the club."""
        games = [card.club_game for card in self.cards if card.club_game]
        club = self.competition.club if self.competition else next((each.club for each in games), None)
        return zone_for(self.account, club)

    @property
    def checked(self) -> bool:
        """Return whether somebody else checks what is entered."""
        return self.competition is not None and state_of(self.competition).checking

    @property
    def has_both(self) -> bool:
        """Return whether deals of any card could be typed, and totals instead."""
        return any(card.deals and card.totals for card in self.cards)

    @property
    def closing(self) -> Closing | None:
        """Return how the round will be closed, None while a table is not decided."""
        competition, its_round = self.competition, self.round
        if competition is None or its_round is None or its_round.status != RoundStatus.PUBLISHED:
            return None
        competition.refresh_from_db(fields=("status", "step", "wait", "changed_at", "seq", "round"))
        at, now = competition.acts_at, database_time.now()
        if competition.status != CompetitionStatus.RUNNING or not (
            at or competition.step == Step.CLOSE_ROUND
        ):
            return None
        if at is None:
            text, seconds = _("All tables are decided. The round can be closed."), 0
        elif at > now:
            text, seconds = does_later(competition, at), round((at - now).total_seconds())
        else:
            text, seconds = does_soon(competition), 0
        return Closing(text, seconds, competition.seq + 1)
