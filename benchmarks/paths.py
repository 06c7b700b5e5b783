"""How much code runs for a move, for a withdrawal, and from the last move of a game to its standings row.

Run: ``.venv/bin/python -m benchmarks.paths``. It starts a throw-away server, plays small competitions over
the API with Django's test client, and counts the functions of `games`, `league` and `api`, and their files,
that a request runs once caches are warm; comprehensions and lambdas belong to the function around them. A
move and a withdrawal only queue their tasks; the last line runs them as well. Printed too: how often each
event was folded, and the figures of `benchmarks.sizes`. With ``--list`` each path is told file by file.
"""

import logging
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from benchmarks import sizes

TOP: Final = Path(__file__).resolve().parents[1]
COUNTED: Final = tuple(f"{TOP / app}{os.sep}" for app in sizes.APPS)
NOT_FUNCTIONS: Final = {"<module>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<lambda>"}
FOLD: Final = ("events.py", "apply")
"""The file and the name of the function that folds one event into a competition's state."""

ONE_ROUND: Final = {
    "name": "League",
    "format": "rounds",
    "rounds": 1,
    "table_size": 2,
    "tie_breaks": ["wins"],
}
SHORT_GAME: Final = {"round_limit": 1, "turn_limit": 1}


# ---- Counting ------------------------------------------------------------------------------------


@dataclass
class Ran:
    """The functions that ran, and how often each kind of event was folded."""

    codes: set[CodeType] = field(default_factory=set)
    folded: Counter[str] = field(default_factory=Counter)

    def note(self, frame: FrameType, what: str, argument: object) -> None:
        """Note a call, as `sys.setprofile` tells of it."""
        code = frame.f_code
        if what != "call" or not code.co_filename.startswith(COUNTED) or code.co_name in NOT_FUNCTIONS:
            return
        self.codes.add(code)
        if (Path(code.co_filename).name, code.co_name) == FOLD:
            self.folded[type(frame.f_locals["event"]).__name__] += 1

    def counted(self, without: tuple[str, ...] = ()) -> str:
        """Return the functions and files as a figure, leaving out files below some folders."""
        left_out = tuple(f"{TOP / folder}{os.sep}" for folder in without)
        kept = [code for code in self.codes if not (left_out and code.co_filename.startswith(left_out))]
        return f"{len(kept):>3} functions in {len({code.co_filename for code in kept}):>2} files"

    def listed(self) -> Iterator[str]:
        """Yield a line for each file with its functions."""
        by_file = sorted((code.co_filename, code.co_firstlineno, code.co_qualname) for code in self.codes)
        for file, functions in groupby(by_file, key=lambda each: each[0]):
            names = ", ".join(name for _, _, name in functions)
            yield f"  {Path(file).relative_to(TOP)}: {names}\n"


@contextmanager
def counting() -> Iterator[Ran]:
    """Count what runs inside, in this thread."""
    path = Ran()
    sys.setprofile(path.note)
    try:
        yield path
    finally:
        sys.setprofile(None)


def report(what: str, path: Ran) -> None:
    """Print a line for what was counted."""
    pure = path.counted(("games/engine", "games/rules"))
    folded = ", ".join(f"{event} x{times}" for event, times in path.folded.items()) or "none"
    sys.stdout.write(f"{what:<33} {path.counted()}; {pure} without engine and ruleset; folded: {folded}\n")
    if "--list" in sys.argv:
        sys.stdout.writelines(path.listed())


# ---- A small competition over the API ------------------------------------------------------------


class Caller:
    """The API as one account uses it."""

    def __init__(self, account: Any) -> None:
        from django.test import Client

        from league.services.accounts import create_token

        secret = create_token(by=account, name="paths", scopes=["read", "play", "organise"]).secret
        self.client = Client(headers={"authorization": f"Bearer {secret}"})

    def get(self, path: str) -> Any:
        """Return the JSON at a path."""
        return self.client.get(f"/api/v1/{path}").json()

    def post(self, path: str, **body: object) -> Any:
        """Return the JSON of an answer; raises AssertionError where it isn't one of success."""
        answer = self.client.post(f"/api/v1/{path}", body, content_type="application/json")
        assert answer.status_code in {200, 201}, answer.content
        return answer.json()


class Night:
    """A club night: an organiser, players, and competitions that they play."""

    def __init__(self, players: int) -> None:
        from league.services.accounts import create_account
        from league.services.clubs import create_club
        from league.services.players import create_player

        olga = create_account(username="olga")
        club = create_club(by=olga, name="Harbour Cards", slug="harbour", timezone="UTC")
        self.olga = Caller(olga)
        self.callers: dict[str, Caller] = {}
        for number in range(players):
            account = create_account(username=f"player{number}")
            player = create_player(by=olga, club=club, name=f"Player {number}", account=account)
            self.callers[str(player.pk)] = Caller(account)

    def competition(self, name: str) -> str:
        """Return the path of a new competition in which everybody plays, its first round published."""
        opened = self.olga.post(
            "competitions/",
            club="harbour",
            name=name,
            ruleset="scoops",
            options=SHORT_GAME,
            stages=[ONE_ROUND],
        )
        path = f"competitions/{opened['id']}/"
        for player in self.callers:
            self.olga.post(f"{path}enter/", players=[player])
        for verb in ("start", "draw", "publish"):
            self.olga.post(f"{path}{verb}/")
        return path

    def games(self, path: str) -> list[str]:
        """Return the paths of a competition's games."""
        return [f"games/{game['id']}/" for game in self.olga.get(f"{path}games/")["results"]]

    def next_move(self, game: str) -> tuple[Caller, dict[str, Any]] | None:
        """Return who posts the next move and its body, or None once the game is over."""
        from games import log
        from games.engine import replay
        from games.models import Game

        row = Game.objects.get(pk=game.split("/")[1])
        position = log.latest(row)
        if not (seats := replay.awaited(position)):
            return None
        move = replay.write_move(position.ruleset, position.ruleset.default_move(position.state, seats[0]))
        player = row.seats.get(number=seats[0]).player
        return self.callers[str(player)], {"seq": row.seq + 1, "move": move}

    def move(self, game: str) -> Ran | None:
        """Post the next move of a game; return what ran, or None where it is over."""
        if (following := self.next_move(game)) is None:
            return None
        caller, body = following
        with counting() as path:
            caller.post(f"{game}moves/", **body)
        return path


def a_move(night: Night) -> Ran:
    """Return what the second move of a game runs."""
    path = night.competition("Moves")
    game = night.games(path)[0]
    night.move(game)
    ran = night.move(game)
    assert ran
    return ran


def a_withdrawal(night: Night) -> Ran:
    """Return what the second withdrawal of a competition runs, while its first round is played."""
    path = night.competition("Withdrawals")
    first, second = (entry["id"] for entry in night.olga.get(f"{path}entries/")["results"][:2])
    night.olga.post(f"{path}withdraw/", entry=first, reason="ill")
    with counting() as ran:
        night.olga.post(f"{path}withdraw/", entry=second, reason="ill")
    assert ran.folded, "the fold has moved: see FOLD"
    return ran


def a_last_move(night: Night) -> Ran:
    """Return what the last move of a competition's second game runs, up to the standings with its points."""
    path = night.competition("Last moves")
    for game in night.games(path)[:2]:
        ran = None
        while moved := night.move(game):
            ran = moved
    assert ran
    rows = night.olga.get(f"{path}standings/")["results"]
    assert sum(row["played"] for row in rows) == 4, rows
    return ran


def measure() -> None:
    """Count the three paths and print them."""
    import league.tasks  # noqa: F401 - only a task that is known is run at once
    from league.ops.celery import app

    logging.disable(logging.WARNING)
    app.conf.update(broker_url="memory://", task_eager_propagates=True)
    night = Night(players=8)
    report("a move:", a_move(night))
    report("a withdrawal by an organiser:", a_withdrawal(night))
    app.conf.task_always_eager = True
    report("a last move to its standings row:", a_last_move(night))


def main() -> None:
    """Measure and print."""
    folder = tempfile.TemporaryDirectory(prefix="trefoil-benchmark-")
    Path(folder.name).chmod(0o711)
    os.environ |= {
        "TREFOIL_DATA": folder.name,
        "DJANGO_SETTINGS_MODULE": "league.ops.settings",
        "ALLOWED_HOSTS": "testserver",
    }
    import django
    from django.core.management import call_command

    from league.ops.postgres import Postgres

    server = Postgres(Path(folder.name), durable=False)
    server.start()
    try:
        django.setup()
        call_command("migrate", verbosity=0)
        measure()
    finally:
        server.stop()
        folder.cleanup()
    sizes.report(TOP)


if __name__ == "__main__":
    main()
