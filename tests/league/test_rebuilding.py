"""`manage.py rebuild`: a rebuild that was interrupted goes on, and names what it cannot rebuild."""

from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command

from games import positions
from games.models import Game
from league.models import Account
from league.ops.offload import pool
from league.projections import standings
from league.services import rebuilding
from league.services.shares import Done, Place, Stage
from tests.factories import Cast
from tests.league.playing import in_play


@pytest.fixture
def mark(own_folder: Path) -> Path:
    """Return the file that says how far a rebuild has come."""
    return own_folder / "rebuild.json"


def rebuilt(*arguments: str) -> str:
    """Return what the command prints, whether or not it exits with 1."""
    answer = StringIO()
    with suppress(SystemExit):
        call_command("rebuild", *arguments, stdout=answer)
    return answer.getvalue()


class TestAnInterruptedRebuild:
    @pytest.fixture(autouse=True)
    def interrupted(self, cast: Cast, mark: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def stop(competition: object) -> None:
            raise KeyboardInterrupt

        in_play(cast, 4)
        with monkeypatch.context() as patched, suppress(KeyboardInterrupt):
            patched.setattr(standings, "rebuild", stop)
            rebuilt()
        Game.objects.update(status="finished")

    def test_goes_on_where_it_stopped(self, mark: Path) -> None:
        assert rebuilt() == (
            f"Going on after {Game.objects.get().pk} of the games, where a rebuild stopped.\n"
            "Rebuilt 1 games, 1 competitions, 0 series.\n"
        )
        assert Game.objects.get().status == "finished"
        assert not mark.exists()

    @pytest.mark.parametrize("how", ["asked", "another_release", "unreadable"])
    def test_begins_again(self, mark: Path, how: str) -> None:
        match how:
            case "another_release":
                mark.write_text(mark.read_text().replace('"release": "', '"release": "f'))
            case "unreadable":
                mark.write_text("{")
        assert rebuilt(*["--anew"] * (how == "asked")) == "Rebuilt 1 games, 1 competitions, 0 series.\n"
        assert Game.objects.get().status == "active"


def test_what_cannot_be_rebuilt_is_named_and_all_else_is_rebuilt(
    cast: Cast, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, kept = cast.game("tally"), cast.game("tally")
    read = positions.ruleset_of
    monkeypatch.setattr(
        "games.rebuilding.ruleset_of", lambda game: read(Game(ruleset="lost@1") if game == lost else game)
    )
    Game.objects.update(status="finished")
    assert rebuilt() == f"game {lost.pk} cannot be rebuilt: lost@1\n"
    assert [Game.objects.get(pk=game.pk).status for game in (lost, kept)] == ["finished", "active"]
    assert not mark.exists()


def test_steps_come_in_order_and_leave_nothing_out(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    games = sorted(cast.game("tally").pk for _ in range(5))
    small = Stage(Game.objects.all, 2, lambda ids: Done(7 * len(ids)))
    monkeypatch.setattr(rebuilding, "STAGES", {"games": small})
    steps = [*rebuilding.rebuild(processes=1, since=Place("games", games[0]))]
    assert [(step.place.after, step.subjects, step.done.entries) for step in steps] == [
        (games[2], 2, 14),
        (games[4], 2, 14),
    ]


def test_other_processes_know_the_application() -> None:
    with pool(1) as executor:
        assert executor.submit(get_user_model).result() is Account
