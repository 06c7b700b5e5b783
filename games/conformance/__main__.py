"""The command of the kit: ``python -m games.conformance --help``."""

import argparse
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from games.conformance import bots, coverage, kit
from games.conformance.bots import Bots
from games.conformance.kit import Line
from games.conformance.protocol import VERSION, Broken, Engine, Peer, serve

HELD, WRONG = 0, 1
SELF: Final = f"{shlex.quote(sys.executable)} -m games.conformance"


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code: 0 if all is as recorded, or else 1."""
    given = parser().parse_args(arguments)
    if given.role == "serve":
        serve(Engine().answer)
        return HELD
    if given.role == "serve-bots":
        serve(Bots().answer)
        return HELD
    lines = [*kit.lines(given.kit, given.game)]
    if not lines:
        say([f"There are no lines of {given.game or 'any game'} in {given.kit}."])
        return WRONG
    try:
        return check_bot(given.bot, lines) if given.bot else check_engine(given.engine, lines, given.game)
    except Broken as broken:
        say([str(broken)])
        return WRONG


def check_engine(command: str, lines: Sequence[Line], game: str | None) -> int:
    """Hold an engine to lines, print what is wrong and what the lines cover; return the exit code."""
    wrong = [*held_engine(command, lines)]
    covered, complete = coverage.report(lines, game)
    say([*wrong, f"{len(lines) - len(wrong)} of {len(lines)} lines are as recorded.", *covered])
    return HELD if complete and not wrong else WRONG


def check_bot(command: str, lines: Sequence[Line]) -> int:
    """Let a bot play a game opened like each line; print its illegal moves; return the exit code."""
    with Peer(command) as peer:
        known = greeted(peer)
        games = [line for line in bots.openings(lines) if line.ruleset in known]
        wrong = [*held_bots(peer, games)]
    if not games:
        wanted = ", ".join(sorted({line.ruleset for line in lines}))
        say([f"The bot plays none of {wanted}: it names {', '.join(sorted(known)) or 'no ruleset'}."])
        return WRONG
    say([*wrong, f"The bot played {len(games) - len(wrong)} of {len(games)} games legally."])
    return WRONG if wrong else HELD


def parser() -> argparse.ArgumentParser:
    """Return the reader of the command's arguments."""
    made = argparse.ArgumentParser(
        prog="python -m games.conformance",
        description="Hold an engine, or a bot, to the recorded lines of play (docs/conformance/README.md).",
    )
    made.add_argument(
        "role", nargs="?", choices=["check", "serve", "serve-bots"], default="check",
        help="check an engine or a bot (the default), or be our own engine or bots for such a check",
    )  # fmt: skip
    made.add_argument("--engine", metavar="CMD", default=f"{SELF} serve", help="the engine to check")
    made.add_argument("--bot", metavar="CMD", help="the bot to check, in place of an engine")
    made.add_argument("--game", metavar="KEY", help="check one game only")
    made.add_argument("--kit", metavar="DIR", type=Path, default=kit.KIT, help="the folder of the lines")
    return made


def held_engine(command: str, lines: Sequence[Line]) -> Iterator[str]:
    """Yield a sentence for each line that the engine plays otherwise, or does not play at all."""
    with Peer(command) as engine:
        known = greeted(engine)
        for line in lines:
            if line.ruleset not in known:
                yield f"{line.path}: the engine does not play {line.ruleset}"
            elif wrong := kit.held(line, engine.ask):
                yield wrong


def held_bots(peer: Peer, lines: Sequence[Line]) -> Iterator[str]:
    """Yield a sentence for each game, opened like a line, in which the bot makes an illegal move."""
    for line in lines:
        if wrong := bots.held(bots.opening(line), peer.ask):
            yield f"{line.path}: {wrong}"


def greeted(peer: Peer) -> frozenset[str]:
    """Return the rulesets that a program plays; raise `Broken` if it speaks another protocol."""
    answer = peer.ask({"do": "hello"})
    if answer.get("protocol") != VERSION or not isinstance(answer.get("rulesets"), list):
        raise Broken(f"`{peer.command}` does not speak version {VERSION} of the protocol: {answer}")
    return frozenset(answer["rulesets"])


def say(sentences: Sequence[str]) -> None:
    """Print sentences, one a line."""
    sys.stdout.write("".join(f"{sentence}\n" for sentence in sentences))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
