"""The data of a game's page, read from its log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from django.template.loader import render_to_string
from django.utils.translation import get_language

from games import database_time
from games.engine import replay, turning_points
from games.engine.base import Ruleset
from games.engine.choosing import Choice
from games.engine.gestures import Gesture
from games.engine.jsontypes import Json, JsonObject
from games.engine.lengths import FULL, length_of
from games.engine.messages import Message
from games.engine.outcomes import exchanged, touched
from games.engine.replay import AnyRuleset, Position
from games.templates import template_of
from league.choices import TableStatus
from league.queries import permissions
from league.queries.games import entries_after, partners_at, ruling_of, until
from league.queries.seen import SeenGame, at_entry
from league.queries.verification import Check, check_of
from league.templatetags.cards import plain
from league.web import gestures
from league.web.endings import (
    DealEnded,
    Rematch,
    Side,
    deal_ended,
    headline,
    rematch_for,
    sides_of,
)
from league.web.holders import Holder
from league.web.moveforms import Chooser, MoveForm, move_forms, ruling_forms
from league.web.score_rows import Errors, Posted, Row, grid_forms, heads
from league.web.seats import SeatShown, seats_of
from league.words.competitions import best_partner
from league.words.matches import match_now, sides_named
from league.words.moves import EntryShown, HowWritten, how_written, seat_name, shown, writings

if TYPE_CHECKING:
    from games.models import Game
    from games.models.moves import Move
    from league.models import Account, ClubGame, TableSeat

# ---- Gametable -----------------------------------------------------------------------------------

MOVES_SHOWN: Final = 60
HOUR: Final = 3600
COMMON_PARTS: Final = ("round", "scores", "sheet", "turn", "ready", "penalties_given")


@dataclass(frozen=True)
class TableRequest:
    """What a reader wants to see: the table after move ``at``, and the moves around it or the ``whole`` log.

    ``form`` is the key of a form to open. ``since`` leaves out moves up to that number. ``typed`` and
    ``errors`` are the values and the errors, by field, of a form that was refused. ``passing`` is true for a
    page that follows the game and shows move ``at`` on its way to the last. Of the last move ``ending`` asks
    for the end of the deal that it has ended, not for the next deal.
    """

    at: int
    whole: bool = False
    form: str = ""
    since: int = 0
    typed: Posted = field(default_factory=dict)
    errors: Errors = field(default_factory=dict)
    passing: bool = False
    ending: bool = False


@dataclass(frozen=True)
class TableShown:
    """A game after move ``at``, as one reader may see it."""

    club_game: ClubGame
    position: Position
    at: int
    seats: tuple[SeatShown, ...]
    mine: SeatShown | None
    view: JsonObject
    forms: tuple[MoveForm, ...]
    grids: tuple[Row, ...]
    may_resign: bool
    entries: tuple[EntryShown, ...]
    whole: bool
    seed: str | None
    check: Check | None
    rulings: tuple[MoveForm, ...]
    sent: str
    """The type of the move in a form that was refused, else ``""``."""
    how: Mapping[int, HowWritten]
    """Of a score card, how the result of each round came there."""
    written: Mapping[int, tuple[EntryShown, ...]]
    """Of a score card, the entries that wrote each round that was corrected."""
    opened_at: datetime | None = None
    """Since when all hands of this past deal of a running game are shown, None where they aren't."""
    may_begin: bool = False
    """Whether the reader may begin an invited game without the missing answers."""
    passing: bool = False
    """Whether the page follows the game and shows this move on its way to the last."""
    past: bool = False
    """Whether the table is not the present one."""
    sides: tuple[Side, ...] = ()
    """Who wins and loses together, the best first once the game is over."""
    deal: DealEnded | None = None
    """The deal that move ``at`` has ended, where the table shows its end."""
    hand: Json = None
    """The reader's cards; on the way to the last move those of now, None while another deal is shown."""
    rematch: Rematch | None = None
    """The rematch of this game at which the reader has a seat."""
    idle: JsonObject | None = None
    """What the reader's seat may do with nothing picked, None where it does not play by gestures now."""

    @property
    def ruleset(self) -> AnyRuleset:
        """Return the rules."""
        return self.position.ruleset

    @cached_property
    def legends(self) -> Mapping[str, Message]:
        """Return what things of the table are, by the names that gestures have for them."""
        return _legends(self.position, None if self.mine is None else self.mine.number)

    @property
    def ends(self) -> Mapping[int, int]:
        """Return the move that ended each deal that has ended."""
        return {number: seq for seq, number in self.position.ends}

    @cached_property
    def touched(self) -> tuple[str, ...]:
        """Return the names of the things on the table that move ``at`` was about."""
        return touched(self.ruleset, self.position.last)

    @property
    def exchanged(self) -> str:
        """Return the names of the two of them that took each other's places, ``""`` where none did."""
        return " ".join(exchanged(self.ruleset, self.position.last))

    @property
    def game(self) -> Game:
        """Return the game as it is after its last move."""
        return self.club_game.game

    @property
    def match(self) -> Mapping[str, Any] | None:
        """Return the match of several games of which this is one, None for other games."""
        return self.club_game.table.match if self.club_game.table else None

    @property
    def match_now(self) -> str:
        """Return the match so far with its games, and which of them is played."""
        seat = None if self.mine is None else self.mine.number ^ self.club_game.turn
        table = self.club_game.table if self.match else None
        return match_now(self.match, seat, named=sides_named(table.seats.all() if table else ()))

    @property
    def next_in_match(self) -> Mapping[str, Any] | None:
        """Return the later game of the match that is played now, None where none is."""
        later = (
            each for each in (self.match or {}).get("games", ()) if each["number"] > self.club_game.number
        )
        return next((each for each in later if each["status"] == "playing"), None)

    @property
    def waits_for_next(self) -> bool:
        """Return whether this game of a match is over, and neither the match nor its next game is known."""
        table = self.club_game.table
        undecided = table is not None and table.status == TableStatus.PLAYING
        return bool(self.match) and self.game.is_over and undecided and self.next_in_match is None

    @property
    def replaying(self) -> bool:
        """Return whether the table is shown as it was before the last move."""
        return self.past and not self.passing

    @property
    def unanswered(self) -> tuple[SeatShown, ...]:
        """Return the seats of an invited game whose players have not answered."""
        return tuple(self.seats[number] for number in self.game.unanswered)

    @property
    def answers(self) -> bool:
        """Return whether the reader's own answer to an invitation is missing."""
        return self.mine is not None and self.mine.number in self.game.unanswered

    @property
    def answer_by(self) -> datetime:
        """Return until when an invitation can be answered."""
        return until(self.game)

    @property
    def live(self) -> bool:
        """Return whether what is shown can change."""
        return not self.game.is_over and not self.replaying

    @property
    def seconds_left(self) -> int | None:
        """Return the seconds until the deadline of the reader's game, None unless it is within the hour."""
        deadline = self.game.deadline if self.mine else None
        left = int((deadline - database_time.now()).total_seconds()) if deadline else 0
        return left if 0 < left < HOUR else None

    @property
    def one_screen(self) -> bool:
        """Return whether this is a running game of cards on a table, which fills one screen."""
        return type(self.ruleset).meaning is not Ruleset.meaning and self.live

    @property
    def by_hand(self) -> bool:
        """Return whether the reader's seat plays by picking up cards, not by forms alone."""
        return self.one_screen and self.mine is not None and not self.mine.out

    @property
    def resigning_ends(self) -> bool:
        """Return whether the game ends when the reader resigns: only one side would be left."""
        return len(self._left_without_reader) == 1

    @property
    def resigning_ranks_last(self) -> bool:
        """Return whether the reader ranks last after resigning: nobody of that side would be left."""
        return not any(side.mine for side in self._left_without_reader)

    @property
    def _left_without_reader(self) -> Sequence[Side]:
        return [
            side for side in self.sides if any(not (each.seat.out or each.seat.mine) for each in side.seats)
        ]

    @property
    def offered(self) -> frozenset[str]:
        """Return the types of the moves that the reader may make now."""
        return frozenset([*(form.type for form in self.forms), *(grid.type for grid in self.grids)])

    @property
    def lesson(self) -> str:
        """Return what the reader is told to do, as HTML: in the first deal of a practice game always.

        In later deals it is what is new there, and ``""`` where nothing is.
        """
        if not (self.game.practice and self.live):
            return ""
        return render_to_string(list(self.guide_templates), {"table": self, "view": self.view}).strip()

    @property
    def length(self) -> str:
        """Return the name of the game's length, that of the full game where it has none of those offered."""
        found = length_of(self.ruleset.lengths, self.game.options)
        return found.name if found else FULL

    @property
    def guide_templates(self) -> tuple[str, ...]:
        """Return the template that says what to do in this deal of this game, then the one for any game."""
        if self.view["round"] == 1:
            return template_of(self.ruleset, "guide"), "games/guide_any.html"
        return template_of(self.ruleset, "guide_later"), "games/guide_later_any.html"

    @property
    def short_templates(self) -> tuple[str, ...]:
        """Return the templates of the rules in short: in the reader's language, in English, for any game."""
        own = template_of(self.ruleset, f"short.{get_language()}")
        return own, template_of(self.ruleset, "short"), "games/short_any.html"

    @property
    def names(self) -> Mapping[int, str]:
        """Return the players' names by seat."""
        return {seat.number: seat.name for seat in self.seats}

    @property
    def heads(self) -> Mapping[int, str]:
        """Return the names beside the inputs of a score card by seat: sides that are written together."""
        return heads({seat.number: seat.name for seat in self.in_order}, self.position.teams, self.grids)

    @property
    def in_order(self) -> Sequence[SeatShown]:
        """Return the seats as they are at the competition's table, the match's first side first."""
        return sorted(self.seats, key=lambda seat: seat.number ^ self.club_game.turn)

    @property
    def in_teams(self) -> bool:
        """Return whether seats play in teams."""
        return len(self.sides) < len(self.seats)

    @property
    def best_partner(self) -> str:
        """Return how partners who share the table score."""
        return best_partner(self.game.ruleset)

    @property
    def headline(self) -> str:
        """Return who has won a finished game, said to the reader."""
        return headline(self.sides)

    @property
    def ended_templates(self) -> tuple[str, ...]:
        """Return the template that says how a deal of this game ended, then the one for any game."""
        return template_of(self.ruleset, "ended"), "games/any_ended.html"

    @property
    def end_before(self) -> int | None:
        """Return the move that ended the last deal before the one shown, None where there is none."""
        return max((seq for seq in self.ends.values() if seq <= self.at), default=None)

    @property
    def ruling_sent(self) -> bool:
        """Return whether an arbiter's move was sent and refused."""
        return any(form.type == self.sent for form in self.rulings)

    @property
    def ruling(self) -> tuple[TableSeat, ...]:
        """Return the seats of the competition's table, the best first, where its result was set by hand."""
        return ruling_of(self.club_game)

    @property
    def other_parts(self) -> tuple[tuple[str, Json], ...]:
        """Return the parts of the view that the page doesn't show elsewhere."""
        return tuple((name, part) for name, part in self.view.items() if name not in COMMON_PARTS)

    @property
    def last(self) -> EntryShown | None:
        """Return move ``at``, None where it isn't listed."""
        return next((shown for shown in self.entries if shown.entry.seq == self.at), None)

    @property
    def table_templates(self) -> tuple[str, ...]:
        """Return the template of this game's table, then the one for any game."""
        if self.view["phase"] == "joining":
            return ("games/any.html",)
        return template_of(self.ruleset, "table"), "games/any.html"

    @property
    def play_templates(self) -> tuple[str, ...]:
        """Return the template of this game's moves, then the one for any game of its kind."""
        if self.view["phase"] == "joining":
            return ("games/play.html",)
        return template_of(
            self.ruleset, "play"
        ), "games/play.html" if self.ruleset.dealt else "games/paper.html"

    @property
    def marked(self) -> bool:
        """Return whether a line of a form shows an error."""
        return any(form.marked for form in self.grids)

    @property
    def sheet_templates(self) -> tuple[str, ...]:
        """Return the template of this game's score sheet, then the one for any game of its kind."""
        shared = "games/any_sheet.html" if self.ruleset.dealt else "games/paper_sheet.html"
        return template_of(self.ruleset, "sheet"), shared


def table(
    club_game: ClubGame, wanted: TableRequest, *, account: Account | None, holder: Holder | None = None
) -> TableShown:
    """Return the table as the account may see it, None for a spectator, or the holder of a seat.

    Raises Move.DoesNotExist and `NotReplayable`.
    """
    game, at = club_game.game, wanted.at
    now = at_entry(club_game, at, account, holder.seat if holder else None)
    deal = deal_ended(now.position)
    past = at < game.seq or (wanted.ending and deal is not None and not game.is_over)
    seen = now.at_end_of_deal if past else now
    position = seen.position
    seats, view = seats_of(seen), seen.open_view
    mine = None if seen.you is None else seats[seen.you]
    choices = () if past else _choices(seen, holder)
    directs = _directs(account, club_game)
    on_paper = _on_paper(game, position, at)
    return TableShown(
        club_game=club_game,
        position=position,
        at=at,
        seats=seats,
        mine=mine,
        view=view,
        forms=move_forms(_chooser(seen, view), choices, wanted.typed),
        grids=_grids(club_game, position, choices, wanted),
        may_resign=mine is not None
        and (holder is None or holder.visits)
        and not mine.out
        and position.status == "active"
        and not past,
        entries=_entries(game, seats, wanted),
        whole=wanted.whole or game.seq <= MOVES_SHOWN,
        seed=seen.seed,
        check=check_of(game) if game.is_over else None,
        rulings=_rulings(club_game, position, seats, wanted.typed) if directs and not past else (),
        opened_at=seen.opened_at,
        may_begin=directs and game.status == "invited",
        passing=wanted.passing,
        sent=wanted.typed.get("type", ""),
        how=how_written(on_paper),
        written=writings(game, on_paper, {seat.number: seat.name for seat in seats}),
        past=past,
        sides=sides_of(position, seats, deal, partners_at(club_game.table)),
        deal=deal if past or game.is_over else None,
        hand=_hand_on_the_way(seen) if wanted.passing and past else view.get("hand"),
        rematch=rematch_for(game, account) if mine and not past else None,
        idle=None if past or game.is_over else _idle(seen),
    )


def _grids(
    club_game: ClubGame, position: Position, choices: Sequence[Choice], wanted: TableRequest
) -> tuple[Row, ...]:
    key, ruleset = club_game.game.pk, position.ruleset
    rows = grid_forms(key, ruleset, choices, wanted.form, wanted.typed, wanted.errors)
    return tuple(row.turned(club_game.turn) for row in rows)


def _legends(position: Position, viewer: int | None) -> Mapping[str, Message]:
    return {} if position.joining else position.ruleset.legends(position.state, viewer)


def _idle(seen: SeenGame) -> JsonObject | None:
    """Return what the viewer's seat may do with nothing picked, as `Meaning.as_json` tells it."""
    ruleset = seen.position.ruleset
    if seen.you is None or type(ruleset).meaning is Ruleset.meaning:
        return None
    return gestures.of_gesture(seen, seen.you, Gesture()).as_json()


def _chooser(seen: SeenGame, view: JsonObject) -> Chooser:
    legends = _legends(seen.position, seen.you)
    names = {seat.seat: seat_name(seat) for seat in seen.seats}

    def called(thing: str) -> str:
        return plain(legends[thing], names) if thing in legends else ""

    held = len(hand) if isinstance(hand := view.get("hand"), Sequence) else 0
    return Chooser(seen.position.ruleset, seen.you, seen.position, called, held)


def _hand_on_the_way(seen: SeenGame) -> Json:
    """Return the cards that the viewer holds now, None where the table shows another deal."""
    past, now = seen.position, seen.now
    if past.joining or past.ends != now.ends or turning_points.at_end_of_deal(past):
        return None
    return replay.view(now, seen.you).get("hand")


def _choices(seen: SeenGame, holder: Holder | None) -> Sequence[Choice]:
    """Return what the viewer may do now; some holders of a seat do not confirm.

    In competitions, whose games are rated, players find out themselves what their hands make unless the
    competition aids them.
    """
    competition = seen.club_game.competition
    aided = competition is None or competition.aided
    listed = seen.choices(aided=aided)
    confirms = holder is None or holder.confirms
    return [choice for choice in listed if confirms or choice.type != "confirm"]


def _on_paper(game: Game, position: Position, at: int) -> Sequence[Move]:
    """Return the entries of a score card up to ``at``, none of a game that is dealt here."""
    return () if position.ruleset.dealt else [each for each in entries_after(game, 1) if each.seq <= at]


def _directs(account: Account | None, club_game: ClubGame) -> bool:
    return account is not None and permissions.is_organiser(club_game.club_id, account)


def _rulings(
    club_game: ClubGame, position: Position, seats: Sequence[SeatShown], typed: Posted
) -> tuple[MoveForm, ...]:
    """Return the forms of the arbiter's moves; none before the game begins, and once it is over."""
    if position.status != "active":
        return ()
    return ruling_forms(position.ruleset, {seat.number: seat.name for seat in seats}, typed)


def _entries(game: Game, seats: Sequence[SeatShown], wanted: TableRequest) -> tuple[EntryShown, ...]:
    """Return the moves in words, the last one first: all of them, or those around the one shown."""
    first = 0 if wanted.whole else max(0, min(wanted.at + MOVES_SHOWN // 2, game.seq) - MOVES_SHOWN)
    last = wanted.at if wanted.passing else game.seq
    entries = [entry for entry in entries_after(game, max(first, wanted.since)) if entry.seq <= last]
    chosen = entries if wanted.whole else entries[:MOVES_SHOWN]
    return shown(game, chosen[::-1], {seat.number: seat.name for seat in seats})
