"""What the page of a game shows, gathered from its log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _

from games import log
from games.engine import replay
from games.engine.jsontypes import Json, JsonObject
from games.engine.replay import AnyRuleset, Position
from games.models import Game, Move
from league import permissions, selectors
from league.models import Account, ClubGame, Player
from league.selectors import SeatedPlayer
from league.views.checks import Check, check_of
from league.views.gridforms import Errors, GridForm, Posted, grid_forms
from league.views.moveforms import MoveForm, move_forms, ruling_forms

MOVES_SHOWN: Final = 60
COMMON_PARTS: Final = ("round", "scores", "sheet", "turn", "ready")


@dataclass(frozen=True)
class Asked:
    """What a reader asks for: the table after entry ``at``, the log around it or ``whole``, a ``form`` open.

    With ``since`` of the log only what came after that entry, as far as it would be shown around ``at``.
    ``typed`` is what was sent before and refused, ``errors`` what was wrong with it, field by field.
    """

    at: int
    whole: bool = False
    form: str = ""
    since: int = 0
    typed: Posted = field(default_factory=dict)
    errors: Errors = field(default_factory=dict)


@dataclass(frozen=True)
class SeatShown:
    """A seat as the table shows it: ``rank`` once the game is over, ``mine`` where the reader sits."""

    number: int
    name: str
    player: Player | None
    score: int
    rank: int | None
    to_act: bool
    out: bool
    mine: bool


@dataclass(frozen=True)
class EntryShown:
    """An entry of the log in words; ``text`` follows the name of whoever made it."""

    entry: Move
    who: str
    text: str


@dataclass(frozen=True)
class TableShown:
    """A game after entry ``at``, as one reader may see it."""

    place: ClubGame
    ruleset: AnyRuleset
    at: int
    seats: tuple[SeatShown, ...]
    mine: SeatShown | None
    view: JsonObject
    forms: tuple[MoveForm, ...]
    grids: tuple[GridForm, ...]
    may_resign: bool
    entries: tuple[EntryShown, ...]
    whole: bool
    seed: str | None
    check: Check | None
    rulings: tuple[MoveForm, ...]

    @property
    def game(self) -> Game:
        """Return the game itself, whose head fields are those of the last entry."""
        return self.place.game

    @property
    def replaying(self) -> bool:
        """Return whether an earlier entry than the last is shown."""
        return self.at < self.game.seq

    @property
    def live(self) -> bool:
        """Return whether what is shown can change."""
        return not self.game.is_over and not self.replaying

    @property
    def names(self) -> Mapping[int, str]:
        """Return the name at each seat."""
        return {seat.number: seat.name for seat in self.seats}

    @property
    def ranking(self) -> tuple[SeatShown, ...]:
        """Return the seats of a finished game, the best first."""
        return tuple(sorted(self.seats, key=lambda seat: (seat.rank or 0, seat.number)))

    @property
    def other_parts(self) -> tuple[tuple[str, Json], ...]:
        """Return what a view holds beyond what every table shows in places of its own."""
        return tuple((name, part) for name, part in self.view.items() if name not in COMMON_PARTS)

    @property
    def last(self) -> EntryShown | None:
        """Return the entry that the table is shown after, where it is among those listed."""
        return next((shown for shown in self.entries if shown.entry.seq == self.at), None)

    @property
    def table_templates(self) -> tuple[str, ...]:
        """Return the template of this game's table, then the one that shows any game's."""
        if self.view["phase"] == "joining":
            return ("games/any.html",)
        return f"games/{self.ruleset.key}.html", "games/any.html"

    @property
    def play_templates(self) -> tuple[str, ...]:
        """Return the template of this game's moves, then the one for any game's."""
        if self.view["phase"] == "joining":
            return ("games/play.html",)
        return f"games/{self.ruleset.key}_play.html", "games/play.html"

    @property
    def marked(self) -> bool:
        """Return whether something that was sent is marked as wrong in its line."""
        return any(form.first_wrong is not None for form in self.grids)

    @property
    def sheet_templates(self) -> tuple[str, ...]:
        """Return the template of this game's score sheet, then the one that shows any game's."""
        return f"games/{self.ruleset.key}_sheet.html", "games/any_sheet.html"


def table(place: ClubGame, asked: Asked, *, account: Account | None) -> TableShown:
    """Return what was asked for as the account may see it.

    Raises Move.DoesNotExist and `games.log.NotReplayable`.
    """
    game, at = place.game, asked.at
    position = log.latest(game) if at == game.seq else log.position_at(game, at)
    taken = selectors.seated(game)
    own = next((seat.seat for seat in taken if account and _has(account, seat)), None)
    seats = _seats(position, taken, own)
    mine = None if own is None else seats[own]
    choices = () if at < game.seq else selectors.choices_of(account, place, position, own)
    return TableShown(
        place=place,
        ruleset=position.ruleset,
        at=at,
        seats=seats,
        mine=mine,
        view=replay.full_view(position) if game.is_over else replay.view(position, own),
        forms=move_forms(position.ruleset, choices, asked.typed),
        grids=grid_forms(choices, asked.form, asked.typed, asked.errors),
        may_resign=mine is not None and not mine.out and not game.is_over and at == game.seq,
        entries=_entries(game, seats, asked),
        whole=asked.whole or game.seq <= MOVES_SHOWN,
        seed=log.published_seed(game),
        check=check_of(game) if game.is_over else None,
        rulings=_rulings(place, position, seats, asked.typed)
        if _directs(account, place) and at == game.seq
        else (),
    )


def _directs(account: Account | None, place: ClubGame) -> bool:
    return account is not None and permissions.is_organiser(place.club_id, account)


def _rulings(
    place: ClubGame, position: Position, seats: Sequence[SeatShown], typed: Posted
) -> tuple[MoveForm, ...]:
    """Return what the arbiter may do while the game runs."""
    if place.game.is_over:
        return ()
    return ruling_forms(position.ruleset, {seat.number: seat.name for seat in seats}, typed)


def _has(account: Account, seat: SeatedPlayer) -> bool:
    return seat.player is not None and seat.player.account_id == account.pk


def _seats(position: Position, taken: Sequence[SeatedPlayer], own: int | None) -> tuple[SeatShown, ...]:
    acting, scores = replay.to_act(position), _scores(position)
    result = replay.result(position)
    return tuple(
        SeatShown(
            number=seat.seat,
            name=seat.player.name if seat.player else _("Seat %(number)d") % {"number": seat.seat},
            player=seat.player,
            score=scores[seat.seat],
            rank=result.seats[seat.seat].rank if result else None,
            to_act=seat.seat in acting,
            out=seat.seat in position.out,
            mine=seat.seat == own,
        )
        for seat in taken
    )


def _scores(position: Position) -> Sequence[int]:
    return (0,) * position.seats if position.joining else position.ruleset.scores(position.state)


def _entries(game: Game, seats: Sequence[SeatShown], asked: Asked) -> tuple[EntryShown, ...]:
    """Return the log in words, the last entry first: all of it, or what lies around one entry."""
    first = 0 if asked.whole else max(0, min(asked.at + MOVES_SHOWN // 2, game.seq) - MOVES_SHOWN)
    entries = [entry for entry in log.entries(game, max(first, asked.since)) if entry.seq <= game.seq]
    shown = entries if asked.whole else entries[:MOVES_SHOWN]
    return tuple(_in_words(game, entry, seats) for entry in reversed(shown))


def _in_words(game: Game, entry: Move, seats: Sequence[SeatShown]) -> EntryShown:
    if entry.seq == 1:
        return EntryShown(entry, "", _("The game is opened."))
    who = _arbiter(game, entry) if entry.seat is None else seats[entry.seat].name
    return EntryShown(entry, who, log.in_words(game, entry))


def _arbiter(game: Game, entry: Move) -> str:
    kept = entry.move["type"] in log.ruleset_of(game).scorekeeper_moves
    return _("The scorekeeper") if kept else _("The organiser")
