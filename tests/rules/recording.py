"""Plays a game without database or server and keeps its log, as the log's export writes it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from games import rules
from games.engine import chain, chance, replay
from games.engine.common_moves import Role
from games.engine.policy import Policy, Rememberer, as_clients_see, decided, remembered
from games.engine.replay import Actor, AnyRuleset, Opening, Position
from games.packages import has_bot, policy_of

__all__ = ["Recorder", "as_clients_see", "as_recorded", "replayed", "with_state"]

START = datetime(2026, 1, 1, 19, 0, tzinfo=UTC)
SECRET = bytes(range(32))
MOST_ENTRIES = 50_000


class Recorder:
    """A game in play: `seat`, `arbiter` and `clock` append, and follow with the system's moves."""

    def __init__(
        self,
        ruleset: str,
        seats: int,
        options: Mapping[str, Any] | None = None,
        *,
        secret: bytes = SECRET,
        entropy: bool = False,
        players: Sequence[str] = (),
        accounts: Sequence[str] = (),
        opened_by: str | None = None,
    ) -> None:
        self.ruleset: AnyRuleset = rules.of(ruleset, options or {})
        filled = self.ruleset.write_options(self.ruleset.read_options(options or {}, seats))
        self.opening = Opening(
            self.ruleset.name,
            filled,
            tuple(players) or (None,) * seats,
            entropy,
            chance.commitment(secret),
            {},
            accounts=tuple(accounts),
        )
        self.secret = secret
        self.policies: dict[int, Policy] = {}
        self.entries: list[dict[str, Any]] = []
        self.head = chain.ORIGIN
        self.position: Position = replay.opened(self.ruleset, self.opening, secret)
        self._log(Actor("system"), self.opening.as_json(), opened_by)

    def seat(self, seat: int, move: Mapping[str, Any]) -> None:
        """Append a seat's move."""
        self._append(Actor("seat", seat), move)

    def without_account(self, role: Role, seat: int, move: Mapping[str, Any]) -> None:
        """Append a move for a seat with its code, or at a kiosk."""
        self._append(Actor(role, seat), move)

    def arbiter(self, move: Mapping[str, Any]) -> None:
        """Append a ruling."""
        self._append(Actor("arbiter"), move)

    def clock(self, seat: int, move: Mapping[str, Any] | None = None) -> None:
        """Append the clock's move, a timeout unless another is given."""
        self._append(Actor("clock", seat), move or {"type": "timeout"})

    def bot_move(self) -> None:
        """Let the bot of the first awaited seat move."""
        seat = replay.awaited(self.position)[0]
        self.seat(seat, decided(self.policy(seat), self.position, seat))

    def policy(self, seat: int) -> Policy:
        """Return how the seat's bot plays, with all that it remembers."""
        return self.policies.get(seat) or policy_of(self.ruleset)

    def play(self, until: int = MOST_ENTRIES) -> None:
        """Let bots play until the game is over or the log holds ``until`` entries."""
        while self.position.status == "active" and len(self.entries) < until:
            self.bot_move()

    def lines(self) -> Iterator[str]:
        """Yield the log as `games.log.lines` would."""
        for entry in self.entries:
            yield json.dumps(entry, ensure_ascii=False)
        if self.position.status != "active":
            result = replay.result(self.position)
            end = {"seed": self.secret.hex(), "result": result.as_json() if result else None}
            yield json.dumps(end, ensure_ascii=False)

    def save(self, path: Path) -> None:
        """Write the log to a file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(self.lines()) + "\n", encoding="utf-8")

    def _append(self, actor: Actor, data: Mapping[str, Any]) -> None:
        move = replay.read_move(self.ruleset, data)
        self.position = replay.played(self.position, actor, move)
        self._log(actor, replay.write_move(self.ruleset, move))
        while following := replay.due(self.position):
            its_actor, its_move = following
            self.position = replay.played(self.position, its_actor, its_move)
            self._log(its_actor, replay.write_move(self.ruleset, its_move))

    def _log(self, actor: Actor, move: Mapping[str, Any], account: str | None = None) -> None:
        if actor.role == "seat" and self.opening.accounts:
            account = self.opening.accounts[actor.seat or 0]
        seq = len(self.entries) + 1
        entry: dict[str, Any] = {
            "seq": seq,
            "role": actor.role,
            "seat": actor.seat,
            "account": account,
            "move": dict(move),
            "at": chain.stamp(START + timedelta(seconds=seq)),
        }
        self.head = chain.link(self.head, entry)
        self.entries.append({**entry, "hash": self.head})
        self._tell_bots(entry)

    def _tell_bots(self, entry: Mapping[str, Any]) -> None:
        for seat in range(self.position.seats if has_bot(self.ruleset) else 0):
            policy = self.policy(seat)
            if isinstance(policy, Rememberer):
                self.policies[seat] = remembered(policy, self.position, seat, entry)


def replayed(path: Path) -> Iterator[tuple[dict[str, Any], Position]]:
    """Yield each entry of a finished game's file with the position after it."""
    *entries, end = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    opening = replay.read_opening(entries[0]["move"])
    position = replay.opened(rules.of(opening.ruleset, opening.options), opening, bytes.fromhex(end["seed"]))
    yield entries[0], position
    for entry in entries[1:]:
        move = replay.read_move(position.ruleset, entry["move"])
        position = replay.played(position, Actor(entry["role"], entry["seat"]), move)
        yield entry, position


def with_state(position: Position, state: Any) -> Position:
    """Return the position with another state of the ruleset."""
    return replace(position, state=state)


def viewers(position: Position) -> list[int | None]:
    """Return a spectator, the first and the last seat, the next to act, and one that left."""
    some = (0, position.seats - 1, *replay.to_act(position)[:1], *[*position.out][:1])
    return [None, *dict.fromkeys(some)]


def as_recorded(game: Recorder, path: Path) -> bool:
    """Return whether a game is that of a log to the letter, but for options that are newer than the log.

    Those must have their defaults; the chain of hashes, which covers them, is then not compared.
    """
    made = [json.loads(line) for line in game.lines()]
    kept = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    options, older = made[0]["move"]["options"], kept[0]["move"]["options"]
    newer = {name: options.pop(name) for name in [*options] if name not in older}
    usual = game.ruleset.write_options(game.ruleset.options())
    if newer != {name: usual[name] for name in newer}:
        return False
    for entry in (*made, *kept) if newer else ():
        entry.pop("hash", None)
    return made == kept
