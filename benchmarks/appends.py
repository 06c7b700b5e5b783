"""What a move costs early and late in a long game, through the door of the log, on a real PostgreSQL.

Run: ``.venv/bin/python -m benchmarks.appends``. It starts a throw-away server that writes to disk as the real
one does. Prints medians in milliseconds for stretches of one game, and their ratio to the first: the claim is
that it stays near 1 up to entry 5,000. The last line tells what a state costs that is in no memory.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

STRETCHES = ((10, 210), (1000, 1200), (2500, 2700), (5000, 5200))
OPTIONS = {"round_limit": 100, "turn_limit": 60, "target": 10}


def played(until: int) -> tuple[Any, list[float]]:
    """Return a game of that many entries, and the seconds that each of them took."""
    from games import log
    from games.engine import replay
    from games.engine.replay import Actor

    game = log.open_game(
        ruleset="scoops", options=OPTIONS, players=[None] * 2, account=None, secret=bytes(32)
    )
    seconds = [0.0]
    position = log.latest(game)
    while len(seconds) < until:
        seat = replay.awaited(position)[0]
        move = replay.write_move(position.ruleset, position.ruleset.default_move(position.state, seat))
        began = time.perf_counter()
        appended = log.append(
            game_id=game.pk, seq=len(seconds) + 1, actor=Actor("seat", seat), move=move, account=None
        )
        seconds.append(time.perf_counter() - began)
        position = appended.position
    return appended.game, seconds


def main() -> None:
    """Measure and print."""
    folder = tempfile.TemporaryDirectory(prefix="trefoil-benchmark-")
    Path(folder.name).chmod(0o711)
    os.environ |= {"TREFOIL_DATA": folder.name, "DJANGO_SETTINGS_MODULE": "league.ops.settings"}
    import django
    from django.core.management import call_command

    from league.ops.postgres import Postgres

    server = Postgres(Path(folder.name))
    server.start()
    try:
        django.setup()
        call_command("migrate", verbosity=0)
        report(*played(STRETCHES[-1][1]))
    finally:
        server.stop()
        folder.cleanup()


def report(game: Any, seconds: list[float]) -> None:
    """Print a line for each stretch, and one for the replay of the whole log."""
    from games import log

    first = None
    for low, high in STRETCHES:
        median = statistics.median(seconds[low:high]) * 1000
        first = first or median
        sys.stdout.write(
            f"entries {low:>4} to {high}: {median:.2f} ms a move, {median / first:.2f} of the first\n"
        )
    began = time.perf_counter()
    log.position_at(game, game.seq)
    whole = (time.perf_counter() - began) * 1000
    sys.stdout.write(
        f"full replay of {game.seq} entries: {whole:.0f} ms, {whole / game.seq:.3f} ms an entry\n"
    )


if __name__ == "__main__":
    main()
