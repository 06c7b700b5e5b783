"""Our engine behind the protocol of the kit, and the program on its other side: a line of JSON for a line."""

import json
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from queue import Empty, Queue
from typing import IO, Any, Final, Self, TypeAlias

from games import rules
from games.engine import chance, replay
from games.engine.jsontypes import Json, JsonObject
from games.engine.refusals import Illegal, Refusal
from games.engine.replay import Actor, Opening, Position

# ---- Peers ---------------------------------------------------------------------------------------

PATIENCE: Final = 60.0
"""Seconds that a program may think about one request."""


class Broken(Exception):
    """The program on the other side does not keep to the protocol."""


class Peer:
    """A running program; `ask` sends it a request and waits for its answer."""

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        self.command, self.patience = command, patience
        words = shlex.split(command)
        try:
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
            )
        except OSError as error:
            raise Broken(f"`{command}` cannot be started: {error.strerror}") from None
        self.lines: Queue[str] = Queue()
        threading.Thread(target=self._read, args=(_stream(self.process.stdout),), daemon=True).start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self.lines.put(line)
        self.lines.put("")

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request; raise `Broken` if it is late, missing or no object."""
        try:
            _stream(self.process.stdin).write(json.dumps(request, ensure_ascii=False) + "\n")
            line = self.lines.get(timeout=self.patience)
        except OSError:
            line = ""
        except Empty:
            raise Broken(f"`{self.command}` did not answer within {self.patience:g} seconds") from None
        if not line:
            raise Broken(f"`{self.command}` ended before it answered")
        return _object(line, self.command)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


def _stream(stream: IO[str] | None) -> IO[str]:
    assert stream is not None  # all streams that are used are pipes
    return stream


def _object(line: str, command: str) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise Broken(f"`{command}` answered {line.strip()[:80]!r}, which is no JSON object")
    return answer


def serve(answer: Callable[[object], Mapping[str, Any]], requests: Iterable[str] | None = None) -> None:
    """Answer each line of standard input with one line on standard output, until the input ends."""
    for line in sys.stdin if requests is None else requests:
        try:
            request = json.loads(line)
        except ValueError:
            request = None
        sys.stdout.write(json.dumps(answer(request), ensure_ascii=False) + "\n")
        sys.stdout.flush()


# ---- Protocol ------------------------------------------------------------------------------------

VERSION: Final = 1
SECRET_BYTES: Final = 32

Request: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = JsonObject


class Engine:
    """An engine with one game at a time; `answer` plays it on."""

    def __init__(self) -> None:
        self.position: Position | None = None

    def answer(self, request: object) -> Answer:
        """Return the answer to a request, given as JSON; what is refused changes nothing."""
        kind = request.get("do") if isinstance(request, Mapping) else None
        if not isinstance(request, Mapping) or not isinstance(kind, str) or kind not in ANSWERS:
            return _no_request(f"A request is an object whose `do` is one of {', '.join(ANSWERS)}.")
        try:
            return {"ok": True, **ANSWERS[kind](self, request)}
        except Refusal as refusal:
            return _refused(refusal)
        except (KeyError, TypeError, ValueError) as error:
            return _no_request(f"{type(error).__name__}: {error}")

    @property
    def game(self) -> Position:
        """Return the position of the game that was opened last; raise ValueError if there is none."""
        if self.position is None:
            raise ValueError("no game is open")
        return self.position


def _refused(refusal: Refusal) -> Answer:
    rule = refusal.rule if isinstance(refusal, Illegal) else None
    return {"ok": False, "code": refusal.code, "rule": rule, "sentence": str(refusal.sentence)}


def _no_request(sentence: str) -> Answer:
    return {"ok": False, "code": "request", "rule": None, "sentence": sentence}


def hello(_: Engine, __: Request) -> JsonObject:
    """Return the version of the protocol and the rulesets that this engine plays."""
    return {"protocol": VERSION, "rulesets": sorted(rules.BY_NAME)}


def open_game(engine: Engine, request: Request) -> JsonObject:
    """Open a game, which replaces the one before; return all options, those at their default too."""
    ruleset = rules.of(request["ruleset"], request["options"])
    secret, seats = _secret(request["secret"]), request["seats"]
    options = ruleset.write_options(ruleset.read_options(request["options"], seats))
    opening = Opening(
        ruleset.name, options, (None,) * seats, request["entropy"], chance.commitment(secret), {}
    )
    engine.position = replay.opened(ruleset, opening, secret)
    return {"options": options, "commitment": opening.commitment}


def _secret(digits: str) -> bytes:
    secret = bytes.fromhex(digits)
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {2 * SECRET_BYTES} hexadecimal digits")
    return secret


def move(engine: Engine, request: Request) -> JsonObject:
    """Play a move, then the system's moves that follow; return the latter in ``following``."""
    position = engine.game
    actor = Actor(request["role"], request.get("seat"))
    engine.position = replay.played(position, actor, replay.read_move(position.ruleset, request["move"]))
    following: list[Json] = []
    while due := replay.due(engine.position):
        engine.position = replay.played(engine.position, *due)
        following.append({"seat": due[0].seat, "move": replay.write_move(position.ruleset, due[1])})
    return {"following": following}


def view(engine: Engine, request: Request) -> JsonObject:
    """Return what a seat, or a spectator (null), may know now."""
    viewer = request["viewer"]
    if viewer is not None and viewer not in range(engine.game.seats):
        raise ValueError("there is no such seat")
    return {"view": replay.view(engine.game, viewer)}


def choices(engine: Engine, request: Request) -> JsonObject:
    """Return what a seat may do now."""
    return {"choices": [each.as_json() for each in replay.choices(engine.game, request["seat"])]}


def status(engine: Engine, _: Request) -> JsonObject:
    """Return how the game stands: its status, who may move, for whom it waits, and the result at the end."""
    game, result = engine.game, replay.result(engine.game)
    return {
        "status": game.status,
        "to_act": list(replay.to_act(game)),
        "awaited": list(replay.awaited(game)),
        "result": result.as_json() if result else None,
    }


ANSWERS: Final[Mapping[str, Callable[[Engine, Request], JsonObject]]] = {
    "hello": hello,
    "open": open_game,
    "move": move,
    "view": view,
    "choices": choices,
    "status": status,
}
