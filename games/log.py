"""The only door to the move log: open, append, read, state at a seq, verify, export."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar
from uuid import UUID

from django.db import OperationalError, transaction
from django.db.models import Q

from games import database_time, heads, partitions, rules
from games.engine import batches, chain, chance, clocks, replay, shapes
from games.engine.base import Ruleset
from games.engine.common_moves import LEAVING, HandOver
from games.engine.describing import told
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, text
from games.engine.outcomes import of_last
from games.engine.refusals import Malformed, NotReplayable, Refusal, Stale, below
from games.engine.replay import Actor, AnyRuleset, Opening, Position
from games.exports import (
    draws,
    entry_of,
    has_its_seed,
    hashes,
    kept_beside_practice,
    lines,
    openers,
    published_seed,
    verified,
    whole_logs,
)
from games.heads import ALWAYS, Guard, append_entries, both, channel_of, follow, write_opening
from games.models import Game, Seat
from games.models.moves import Move, PracticeMove, PracticeSeed, entries_of, moves_in, seeds_in
from games.positions import (
    _LATEST,
    between,
    copied,
    each_later,
    each_position,
    grown,
    head,
    keep,
    known_head,
    latest,
    latest_of,
    position_at,
    ruleset_of,
    stored,
    warm,
)

__all__ = [
    "ALWAYS",
    "_LATEST",
    "Guard",
    "both",
    "channel_of",
    "draws",
    "each_later",
    "each_position",
    "entry_of",
    "follow",
    "has_its_seed",
    "hashes",
    "head",
    "kept_beside_practice",
    "known_head",
    "latest",
    "latest_of",
    "lines",
    "openers",
    "position_at",
    "published_seed",
    "ruleset_of",
    "verified",
    "warm",
    "whole_logs",
]

_MOST_ATTEMPTS: Final = 3
_UNDATED: Final = "The entry could not be dated."


@dataclass(frozen=True)
class Appended:
    """The answer to an append: the game, its entry, the position now, and whether this call wrote it.

    ``guard`` is what the statement asked that wrote it.
    """

    game: Game
    entry: Move
    position: Position
    created: bool
    guard: Guard = ALWAYS


# ---- Open ----------------------------------------------------------------------------------------


def open_game(
    *,
    ruleset: str,
    options: object,
    players: Sequence[UUID | None],
    account: str | None,
    entropy: bool = False,
    clock: object = None,
    invited: Sequence[int] = (),
    secret: bytes | None = None,
    game_id: UUID | None = None,
    accounts: Sequence[UUID | None] = (),
    practice: bool = False,
) -> Game:
    """Write a game's opening and return the game; raises `Malformed`.

    ``ruleset`` is a name or key of the registry. The game begins when the ``invited`` seats have accepted.
    ``accounts`` are those that play the seats, in seat order; left out, no account plays one. ``secret`` is
    drawn unless a test gives it; ``game_id`` is drawn, after the time, unless another log has named the game.
    The log of a ``practice`` game can be removed.
    """
    secret = secret or secrets.token_bytes(chance.SECRET_BYTES)
    position, opening = _opening(
        ruleset, options, players, entropy, clock or {}, tuple(invited), secret, accounts
    )
    return _attempted(partial(_open, game_id, practice, opening, position, account, secret))


@transaction.atomic
def _open(
    game_id: UUID | None,
    practice: bool,
    opening: Opening,
    position: Position,
    account: str | None,
    secret: bytes,
) -> Game:
    decided = database_time.Moment()
    game_id = game_id or chain.id_at(decided.at, secrets.token_bytes(chain.RANDOM_BYTES))
    game = Game(id=game_id, practice=practice)
    heads.set_opened(game, opening)
    if not practice:
        partitions.make_for(game.pk)
    entry = _entry(game, Actor("system"), opening.as_json(), account, decided.at)
    game.opened_at = entry.at
    heads.start_clocks(game, position)
    follow(game, position)
    game.save(force_insert=True)
    Seat.objects.bulk_create(heads.seats(game, opening, position))
    seeds_in(game)._default_manager.create(game=game, secret=secret)
    if write_opening(game, {**entry.as_json(), "hash": entry.hash}, decided) is None:
        raise _NotWritten
    keep(game, position)
    return game


def _opening(
    ruleset: str,
    options: object,
    players: Sequence[UUID | None],
    entropy: bool,
    clock: object,
    invited: tuple[int, ...],
    secret: bytes,
    accounts: Sequence[UUID | None],
) -> tuple[Position, Opening]:
    """Return the first position and the opening, which names every option, defaults too."""
    try:
        rules_of = rules.of(ruleset, options)
    except KeyError:
        raise Malformed({"ruleset": [text("There is no such game here.")]}) from None
    checked = rules_of.read_options(options, len(players))
    filled = rules_of.write_options(checked)
    seats = tuple(str(player) if player else None for player in players)
    timing = _read_clock(clock)
    playing = tuple(str(account) if account else None for account in accounts) if any(accounts) else ()
    committed = chance.commitment(secret)
    opening = Opening(rules_of.name, filled, seats, entropy, committed, timing, invited, playing)
    return replay.opened(rules_of, opening, secret), opening


def _read_clock(clock: object) -> JsonObject:
    """Return the clock's settings as openings write them; raise `Malformed` with paths below ``clock``."""
    with below("clock"):
        return shapes.write(clocks.read(clock))


def forget_practice(of: Q) -> int:
    """Remove those practice games that fulfil a condition, with their logs; return how many."""
    unwanted = Game.objects.filter(of, practice=True)
    with transaction.atomic():
        games = [*unwanted.select_for_update(of=("self",)).values_list("pk", flat=True)]
        for rows in (PracticeMove, PracticeSeed, Seat):
            rows._default_manager.filter(game__in=games).delete()
        Game.objects.filter(pk__in=games).delete()
    return len(games)


# ---- Append --------------------------------------------------------------------------------------


def append(
    *,
    game_id: UUID,
    seq: int,
    actor: Actor,
    move: object,
    account: str | None,
    ended: Callable[[Appended], None] = lambda appended: None,
) -> Appended:
    """Append a move at the expected ``seq``, with the system's moves that follow from it; return the answer.

    The same actor and move at a seq that holds just that entry is answered as before and writes nothing.
    ``ended`` is called with the answer where the game is over, or was over before, within the transaction:
    what it writes is committed with the entry or not at all. Raises `Malformed`, `Illegal`, `Stale`,
    `NotReplayable` and Game.DoesNotExist; then nothing has changed.
    """
    read = partial(_one_move, move=move)
    return _attempted(partial(_append, game_id, seq, actor, read, account, ended, nullcontext))


def _one_move(ruleset: AnyRuleset, *, move: object) -> Sequence[Any]:
    return [replay.read_move(ruleset, move)]


def append_all(
    *,
    game_id: UUID,
    seq: int,
    actor: Actor,
    moves: Sequence[JsonObject],
    account: str | None,
    ended: Callable[[Appended], None] = lambda appended: None,
) -> Appended:
    """Append moves of one actor, the first at the expected ``seq``, as `append` does one: all or none.

    The answer's entry is that of the last move. Raises as `append` does, with paths that begin with the
    number of a move; and `Illegal` for moves that may not follow one another (`games.engine.batches`).
    """
    read = partial(batches.read, data=moves)
    return _attempted(partial(_append, game_id, seq, actor, read, account, ended, batches.of_move))


Read: TypeAlias = Callable[[AnyRuleset], Sequence[Any]]
OfMove: TypeAlias = Callable[[int], AbstractContextManager[object]]
"""Names the move whose refusal is raised inside."""
T = TypeVar("T")


def _attempted(write: Callable[[], T]) -> T:
    """Return what is written; where it was not, a further attempt has what the one before learned."""
    for _attempt in range(_MOST_ATTEMPTS):
        with suppress(_NotWritten):
            return write()
    raise OperationalError(_UNDATED)


class _NotWritten(Exception):
    """Another writer was first at this seq, and what it wrote decides; or this host's clock was wrong.

    In both cases that is known now.
    """


@transaction.atomic
def _append(
    game_id: UUID,
    seq: int,
    actor: Actor,
    read: Read,
    account: str | None,
    ended: Callable[[Appended], None],
    of_move: OfMove,
) -> Appended:
    game = stored(game_id)
    moves, was_over = read(ruleset_of(game)), game.is_over
    if seq == game.seq + 1:
        due = _all_next(game, latest(game), actor, moves, account, of_move)
        if not _written(due):
            raise _NotWritten
        appended = due.answer()
    else:
        appended = _repeated(game, seq, actor, moves)
    if was_over or game.is_over:
        ended(appended)
    return appended


def append_if(
    *,
    game_id: UUID,
    seq: int,
    actor: Actor,
    move: object,
    account: str | None,
    guard: Guard,
    ended: Callable[[Appended], None] = lambda appended: None,
) -> Appended | None:
    """Append a move as `append` does, in one statement, if this process knows the head of the log.

    The statement looks again at the game's row and at what the guard asks. None where it wrote nothing, and
    where the rules refuse the move: then nothing has changed, and `append` decides.
    """
    known = known_head(game_id)
    if known is None or known[0].seq + 1 != seq or known[0].is_over:
        return None
    row, position = known
    with suppress(Refusal):
        due = _next(copied(row), position, actor, replay.read_move(position.ruleset, move), account)
        with transaction.atomic() if due.game.is_over else nullcontext():
            if _written(due, guard):
                appended = due.answer(guard)
                if due.game.is_over:
                    ended(appended)
                return appended
    return None


@dataclass(frozen=True)
class _Due:
    """Entries to be written after entry ``seq``, the game as they leave it, and its position then.

    ``made`` is the entry of ``move``, the last one that was asked for.
    """

    game: Game
    seq: int
    move: Any
    made: Move
    entries: Sequence[Move]
    position: Position

    def answer(self, guard: Guard = ALWAYS) -> Appended:
        return Appended(self.game, self.made, self.position, created=True, guard=guard)


def _next(game: Game, position: Position, actor: Actor, move: Any, account: str | None) -> _Due:
    """Return a move with the system's moves that follow from it, and set the game to what they lead to."""
    seq = game.seq
    at = max(database_time.now(), game.moved_at)
    position = replay.played(position, actor, move)
    entries = [_entry(game, actor, replay.write_move(position.ruleset, move), account, at)]
    while due := replay.due(position):
        system, its_move = due
        position = replay.played(position, system, its_move)
        entries.append(_entry(game, system, replay.write_move(position.ruleset, its_move), None, at))
    heads.tick(game, actor, position)
    follow(game, position)
    return _Due(game, seq, move, entries[0], entries, position)


def _all_next(
    game: Game, position: Position, actor: Actor, moves: Sequence[Any], account: str | None, of_move: OfMove
) -> _Due:
    """Return moves with the system's moves that follow from each, and set the game to what they lead to."""
    seq, before = game.seq, position
    entries: list[Move] = []
    for number, move in enumerate(moves):
        with of_move(number):
            if number:
                batches.check_round(before, position)
            due = _next(game, position, actor, move, account)
        entries += due.entries
        before, position = position, due.position
    return _Due(game, seq, due.move, due.made, entries, position)


def _written(due: _Due, guard: Guard = ALWAYS) -> bool:
    """Write the entries if the game's row is still the one before, and the guard holds; return whether."""
    entries = [{**entry.as_json(), "hash": entry.hash} for entry in due.entries]
    first = append_entries(due.game, entries, guard)
    if first is None:
        return False
    due.entries[0].pk = first
    if isinstance(due.move, HandOver):
        Seat.objects.filter(game=due.game, number=due.move.seat).update(account=due.move.account)
    grown(due.game, due.position, due.seq)
    return True


def _repeated(game: Game, seq: int, actor: Actor, moves: Sequence[Any]) -> Appended:
    """Return the answer to a retry; raise `Stale` for anything else at a seq that isn't next."""
    position = latest(game)
    later = entries_of(game).filter(seq__gte=seq).exclude(seq__gt=seq, role=Move.Role.SYSTEM)
    made = list(later.order_by("seq")[: len(moves)])
    same = [(actor.role, actor.seat, replay.write_move(position.ruleset, move)) for move in moves]
    if [(entry.role, entry.seat, entry.move) for entry in made] != same or made[0].seq != seq:
        raise Stale(game.seq + 1, sent=seq)
    # Whoever wrote the entry may not have waited for standbys. A commit waits for all that was written before
    # it, if it has written something itself, such as a lock.
    Game.objects.select_for_update(no_key=True).only("pk").get(pk=game.pk)
    return Appended(game, made[-1], position, created=False)


def _entry(game: Game, actor: Actor, move: JsonObject, account: str | None, at: datetime) -> Move:
    """Return the next entry of the chain, and set the game's head to it."""
    entry = moves_in(game)(
        game=game,
        seq=game.seq + 1,
        role=actor.role,
        seat=actor.seat,
        account=account,
        move=move,
        at=at,
    )
    entry.hash = chain.link(game.head or chain.ORIGIN, entry.as_json())
    game.seq, game.head, game.moved_at = entry.seq, entry.hash, entry.at
    return entry


# ---- Read ----------------------------------------------------------------------------------------


def in_words(game: Game, entry: Move, outcome: Any = None) -> str:
    """Return a stored move as the rest of a sentence; its type alone if the rules no longer know it.

    ``outcome`` is the one that `outcomes` has for the entry.
    """
    try:
        ruleset = ruleset_of(game)
        return told(ruleset, replay.read_move(ruleset, entry.move), entry.seat, outcome)
    except (NotReplayable, Malformed):
        return str(entry.move["type"])


def outcomes(game: Game, among: Iterable[Move]) -> Mapping[int, Any]:
    """Return what entries brought that their moves don't say, by their numbers.

    The log is replayed for it from about the first of them, unless only the last entry has an outcome. They
    are left out where the rules no longer know the game.
    """
    with suppress(NotReplayable):
        says_all = type(ruleset_of(game)).outcome is Ruleset.outcome
        wanted = {each.seq for each in among if not says_all or each.move["type"] == "timeout"} - {1}
        if wanted:
            found = [latest(game)] if wanted == {game.seq} else between(game, min(wanted), max(wanted))
            return {
                each.entries: of_last(each.ruleset, each.last) for each in found if each.entries in wanted
            }
    return {}


def consequences(game: Game) -> Mapping[int, Sequence[Message]]:
    """Return the bonuses and penalties that entries brought, in sentences by the entry's number.

    They are left out where the rules have none, or no longer know the game.
    """
    found: dict[int, list[Message]] = {}
    with suppress(NotReplayable):
        if type(ruleset_of(game)).consequences is not Ruleset.consequences:
            for seq, sentence in latest(game).consequences:
                found.setdefault(seq, []).append(sentence)
    return found


def entries(game: Game, after: int = 0) -> Sequence[Move]:
    """Return the log's entries after ``after``, in order."""
    return list(entries_of(game).filter(seq__gt=after).order_by("seq"))


def begun(games: Iterable[UUID]) -> frozenset[UUID]:
    """Return the ids of those games in which somebody has made an entry, or the clock has for a seat.

    Whoever keeps the score makes its entries for no seat. That a game was abandoned is no loss by itself.
    """
    later = Move.objects.filter(game__in=[*games], seq__gt=1).exclude(role="system")
    made = later.exclude(role="clock", seat__isnull=True).exclude(move__type="abandon")
    return frozenset(made.values_list("game", flat=True).distinct())


def left_early(games: Iterable[UUID]) -> frozenset[UUID]:
    """Return the ids of those games that somebody left before the end, by resigning or by a ruling."""
    moves = Move.objects.filter(game__in=[*games], move__type__in=[*LEAVING])
    return frozenset(moves.values_list("game", flat=True).distinct())


def left(games: Iterable[UUID]) -> Mapping[tuple[UUID, int], str]:
    """Return why seats left those games, as `LEAVING` names it, by the game's id and the seat's number."""
    moves = Move.objects.filter(game__in=[*games], move__type__in=[*LEAVING], seat__isnull=False)
    found = moves.values_list("game", "seat", "move__type")
    return {(game, seat): LEAVING[kind] for game, seat, kind in found if seat is not None}


def late_seats(game: Game, now: datetime) -> tuple[int, ...]:
    """Return the seats whose time is up, in seat order."""
    if game.is_over:
        return ()
    times = game.times
    due = clocks.deadlines(game.timing, times)
    return tuple(seat for seat, deadline in enumerate(due) if deadline is not None and deadline <= now)
