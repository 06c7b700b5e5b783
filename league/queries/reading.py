"""Games as clients of the API read them: what surrounds a log, and the head, in one statement.

Nothing is kept here that an answer could show when it is no longer true: what surrounds a game comes from
each statement again, as a text that is parsed once. An append only needs to know the last text: it asks in
its own statement whether that still holds.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Final
from uuid import UUID

from games import log
from games.engine import replay
from games.engine.choosing import Choice, choice
from games.engine.jsontypes import JsonObject
from games.engine.paper import PaperCard
from games.engine.replay import AnyRuleset, Position
from games.log import ALWAYS, Appended, Guard
from games.models import Game
from games.models.games import VERSION
from games.prepared import one_row
from league.choices import TokenScope
from league.models import Account, ClubGame, Table
from league.models.readers import name_for
from league.queries import permissions
from league.queries.games import of_own_side

__all__ = [
    "ALWAYS",
    "GameRead",
    "Guard",
    "Holder",
    "Place",
    "after",
    "choices_of",
    "last_place",
    "read",
    "rulings_of",
    "still",
]

# The player of a seat is the one into whom it was merged, as in `league.queries.games.seated_at`.
_PLACE: Final = """(
    SELECT jsonb_build_array(
        place.club_id, club.slug, place.competition_id, place.table_id, coalesce(decided.ruled, false),
        coalesce(played.aided, true),
        (
            SELECT jsonb_agg(
                jsonb_build_array(
                    seat.number, seat.team, holder.id, holder.name, holder.bot, holder.public_name,
                    holder.account_id, seat.account
                )
                ORDER BY seat.number
            )
            FROM games_seat AS seat
            LEFT JOIN league_player AS named ON named.id = seat.player
            LEFT JOIN league_player AS holder ON holder.id = coalesce(named.merged_into_id, named.id)
            WHERE seat.game_id = place.game_id
        )
    )::text
    FROM league_clubgame AS place
    JOIN league_club AS club ON club.id = place.club_id
    LEFT JOIN league_table AS decided ON decided.id = place.table_id
    LEFT JOIN league_competition AS played ON played.id = place.competition_id
    WHERE place.game_id = %(game)s::text::uuid
)"""


@dataclass(frozen=True)
class Holder:
    """The player of a seat."""

    id: str
    name: str
    bot: bool
    public_name: str
    club: UUID
    account: UUID | None

    @property
    def called(self) -> str:
        """Return the name for who reads."""
        return name_for(self.name, self.public_name, self.club, self.account)


@dataclass(frozen=True)
class Place:
    """What surrounds a game: its club, competition and table, and the team and player of each seat.

    ``accounts`` has the seat that each account plays, by its id. ``ruled`` says that an organiser decided the
    table, ``aided`` that pages offer players what their hands make, as in every casual game; ``text`` is all
    of it as the database wrote it.
    """

    text: str
    club_id: UUID
    club: str
    competition: str | None
    table: str | None
    ruled: bool
    aided: bool
    seats: tuple[tuple[int, int, Holder | None], ...]
    accounts: Mapping[str, int]

    def seat_of(self, account: UUID) -> int | None:
        """Return the seat that an account plays, None where it plays none."""
        return self.accounts.get(str(account))


@lru_cache(maxsize=4000)
def _place(text: str) -> Place:
    club_id, club, competition, table, ruled, aided, seats = json.loads(text)
    held = tuple(
        (number, team, _holder(club_id, player, *holder) if player else None)
        for number, team, player, *holder, _account in seats or ()
    )
    accounts = {seat[-1]: seat[0] for seat in reversed(seats or ()) if seat[-1]}
    return Place(text, UUID(club_id), club, competition, table, ruled, aided, held, accounts)


def _holder(club: str, player: str, name: str, bot: bool, public_name: str, account: str | None) -> Holder:
    return Holder(player, name, bot, public_name, UUID(club), UUID(account) if account else None)


@dataclass
class _Last:
    """The place of a game as this process last read it."""

    game: UUID
    place: Place | None = None


_LAST: Final = lru_cache(maxsize=4000)(_Last)


def last_place(game_id: UUID) -> Place | None:
    """Return the place of a game as it was last read, only to be asked about in `still`."""
    return _LAST(game_id).place


def still(place: Place) -> Guard:
    """Return the condition that a game has the place that was read."""
    return Guard(f"{_PLACE} = %(place)s::text", {"place": place.text})


# ---- Choices -------------------------------------------------------------------------------------


def rulings_of(account: Account | None, club: UUID, ruleset: AnyRuleset) -> tuple[str, ...]:
    """Return the moves that an account may make without a seat, as organiser or scorekeeper of a club."""
    if account is None or not account.has_scope(TokenScope.CLUB_RULE, *permissions.SEES_ITS_SEAT):
        return ()
    return permissions.ruling_moves(club, account, ruleset)


def choices_of(
    position: Position,
    seat: int | None,
    rulings: Callable[[], Sequence[str]],
    table: Callable[[], Table | None],
    *,
    aided: bool = True,
) -> tuple[Choice, ...]:
    """Return the possible moves of a seat, or without one those of the ``rulings`` that an account may make.

    Without aid a seat has to find out what its hand makes.
    """
    if seat is not None:
        return _for_other_sides(position, table, seat, replay.choices(position, seat, aided=aided))
    listed = replay.ruling_choices(position)
    allowed = rulings() if listed else ()
    return tuple(each for each in listed if each.type in allowed)


def _for_other_sides(
    position: Position, table: Callable[[], Table | None], seat: int, listed: Sequence[Choice]
) -> tuple[Choice, ...]:
    """Return a seat's choices without confirming what its own side has entered."""
    if not isinstance(position.ruleset, PaperCard) or all(each.type != "confirm" for each in listed):
        return tuple(listed)
    at = table()
    found = []
    for each in listed:
        if each.type == "confirm":
            rounds = [n for n in each.fields["round"].values if not of_own_side(position, at, seat, n)]
            found += [choice("confirm", round=rounds)] if rounds else []
        else:
            found.append(each)
    return tuple(found)


# ---- A game at its head --------------------------------------------------------------------------


@dataclass(frozen=True)
class GameRead:
    """A game at its head as an account, or a spectator (None), may read it; ``you`` is the account's seat.

    ``imported_at`` is when its log, or that of its competition, came from a file; None where it was written
    here.
    """

    game: Game
    place: Place
    position: Position
    account: Account | None
    you: int | None
    imported_at: datetime | None = None

    @property
    def to_act(self) -> tuple[int, ...]:
        """Return the seats that may move now."""
        return replay.to_act(self.position)

    @property
    def view(self) -> JsonObject:
        """Return what the reader may know."""
        return replay.view(self.position, self.you)

    @cached_property
    def rulings(self) -> tuple[str, ...]:
        """Return the moves that the reader may make without a seat, as organiser or scorekeeper."""
        if self.you is not None:
            return ()
        return rulings_of(self.account, self.place.club_id, self.position.ruleset)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Return what the reader may do now."""
        return choices_of(self.position, self.you, lambda: self.rulings, self._table)

    def _table(self) -> Table | None:
        return Table.objects.filter(games__game=self.game.pk).first()

    @property
    def seed(self) -> str | None:
        """Return the secret seed once the game is over."""
        return log.published_seed(self.game) if self.game.is_over else None


# What is imported is over: an append need not ask.
_READ: Final = f"""
SELECT {VERSION}, {_PLACE}, coalesce(
    (SELECT at FROM league_import WHERE game_id = games_game.id),
    (
        SELECT came.at FROM league_import AS came
        JOIN league_clubgame AS place ON place.competition_id = came.competition_id
        WHERE place.game_id = games_game.id
    )
)
FROM games_game WHERE id = %(game)s::text::uuid AND ({{guard}})
"""


@lru_cache(maxsize=100)
def _read_under(guard: str) -> str:
    return _READ.format(guard=guard)


def read(game_id: UUID, account: Account | None, guard: Guard = ALWAYS) -> GameRead:
    """Return the game at its head as the account may read it.

    Raises ClubGame.DoesNotExist for an unknown game, and where the guard does not hold; `NotReplayable`.
    """
    row = one_row(_read_under(guard.sql), {**guard.given, "game": str(game_id)})
    if row is None or row[1] is None:
        raise ClubGame.DoesNotExist
    version, text, imported_at = row
    known = log.known_head(game_id)
    game, position = known if known and known[0].version == version else log.head(game_id)
    return _read(game, position, _placed(game_id, text), account, imported_at)


def after(made: Appended, account: Account | None) -> GameRead:
    """Return the game as an append left it, as the account may read it."""
    asked = made.guard.given.get("place")  # in `still`
    row = (asked,) if asked else one_row(f"SELECT {_PLACE}", {"game": str(made.game.pk)})
    if row is None or row[0] is None:
        raise ClubGame.DoesNotExist
    return _read(made.game, made.position, _placed(made.game.pk, row[0]), account)


def _placed(game_id: UUID, text: str) -> Place:
    place = _LAST(game_id).place = _place(text)
    return place


def _read(
    game: Game,
    position: Position,
    place: Place,
    account: Account | None,
    imported_at: datetime | None = None,
) -> GameRead:
    sees = account is not None and account.has_scope(*permissions.SEES_ITS_SEAT)
    you = place.seat_of(account.pk) if account and sees else None
    return GameRead(game, place, position, account, you, imported_at)
