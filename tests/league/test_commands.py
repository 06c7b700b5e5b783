"""The commands: the first club and its login, tokens, and checks of logs."""

import stat
import subprocess
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

import pgtrigger
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import log
from games.engine.replay import Actor
from games.models import Game
from league.management.commands import demo
from league.models import Account, Club, Competition
from league.ops import folders, processes
from league.projections.standings import compute_standings
from league.queries import permissions
from league.services import gate
from league.services.accounts import use_token
from league.services.automatic import record_result
from tests.differences import differences
from tests.factories import Cast
from tests.league.playing import in_play, play_all
from tests.league.tally import Tally
from tests.league.test_projections import dumped


def said(command: str, *arguments: str) -> str:
    """Return what a command prints."""
    answer = StringIO()
    call_command(command, *arguments, stdout=answer)
    return answer.getvalue()


def refused(command: str, *arguments: str) -> str:
    """Return what a command prints that exits with 1."""
    answer = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command(command, *arguments, stdout=answer)
    assert ended.value.code == 1
    return answer.getvalue()


@pytest.fixture
def kept(own_folder: Path) -> Path:
    """Return the file that keeps the first password."""
    return own_folder / "first_password"


@pytest.mark.django_db
class TestTheFirstClub:
    def test_is_created_with_an_organiser_who_can_log_in(self, kept: Path) -> None:
        answer = said("first_club", "--terminal")
        organiser, club = Account.objects.get(), Club.objects.get()
        assert organiser.check_password(kept.read_text())
        assert f"organiser with the password {kept.read_text()}" in answer
        answer = said("first_club")
        assert f"in the file {kept} " in answer and kept.read_text() not in answer
        assert (club.slug, club.name) == ("first-club", "First club")
        assert permissions.role_in(club.pk, organiser) == "owner"

    def test_has_a_password_file_that_only_its_owner_can_read(self, kept: Path) -> None:
        said("first_club")
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert len(kept.read_text()) >= 20

    def test_prints_the_same_login_at_each_start_until_it_is_changed(self, kept: Path) -> None:
        first = said("first_club")
        assert said("first_club") == first
        organiser = Account.objects.get()
        organiser.set_password("something else entirely")
        organiser.save()
        assert said("first_club") == ""
        assert not kept.exists()

    def test_uses_the_password_of_an_interrupted_start(self, kept: Path) -> None:
        kept.write_text("left-by-a-crash-just-now")
        said("first_club")
        assert Account.objects.get().check_password("left-by-a-crash-just-now")

    def test_is_not_created_if_there_is_an_account(self, cast: Cast, kept: Path) -> None:
        assert said("first_club") == ""
        assert not Club.objects.filter(slug="first-club").exists()


class TestTokens:
    def test_are_printed_and_nothing_else(self, cast: Cast) -> None:
        secret = said("token", "paul", "--scope", "play", "--scope", "read").strip()
        token = use_token(secret=secret)
        assert token and (token.account, token.scopes) == (cast.paul, ["play", "read"])

    @pytest.mark.parametrize(
        "arguments", [["nobody", "--scope", "play"], ["paul", "--scope", "rule"], ["paul"]]
    )
    def test_are_not_created_from_invalid_arguments(self, cast: Cast, arguments: list[str]) -> None:
        with pytest.raises(CommandError):
            said("token", *arguments)


@pytest.mark.usefixtures("own_folder")
class TestVerifying:
    def test_prints_how_many_logs_are_valid(self, cast: Cast) -> None:
        for game in play_all(in_play(cast, 8)):
            record_result(game_id=game)
        assert said("verify_logs") == "Every log is correct: games 2, competitions 1.\n"

    @pytest.mark.parametrize(
        ("change", "wrong"),
        [
            ("UPDATE games_move SET account = 'eve' WHERE seq = 2", "entry 2"),
            ("UPDATE league_event SET account = 'eve' WHERE seq = 3", "entry 3"),
            ("UPDATE games_game SET seq = seq + 1", "seq is 6, the log gives 5"),
            ("UPDATE games_game SET deadline = now()", ", the log gives None"),
            ("UPDATE games_seat SET team = 7", "is in no log"),
            ("UPDATE games_seed SET secret = 'x'", "the seed was changed"),
            ("UPDATE league_competition SET head = 'x'", "head is x, the log gives"),
            ("UPDATE league_tableseat SET rank = 9", "rank is 9, the log gives"),
            ("DELETE FROM league_roundstandings", "is missing"),
            ("UPDATE league_clubgame SET recorded = false", "recorded is False, the log gives True"),
            ("UPDATE games_game SET result = '{\"seats\": []}'", "does not tell how its game ended"),
        ],
    )
    def test_names_invalid_logs(self, cast: Cast, change: str, wrong: str) -> None:
        competition = in_play(cast, 8)
        for game in play_all(competition):
            record_result(game_id=game)
        compute_standings(competition.pk)
        with pgtrigger.ignore(), connection.cursor() as cursor:
            cursor.execute(change)
        assert wrong in refused("verify_logs")

    def test_goes_on_where_it_cannot_write_down_how_far_it_is(self, cast: Cast, own_folder: Path) -> None:
        cast.game("tally")
        (own_folder / "verify_logs.half").mkdir()
        lines = said("verify_logs").splitlines()
        assert lines == [
            "Where this stops is not written down: Is a directory.",
            "Every log is correct: games 1, competitions 0.",
        ]

    def test_leaves_out_what_is_good_and_has_not_changed(self, cast: Cast) -> None:
        over, goes_on = cast.game("tally"), cast.game("tally")
        said("verify_logs")
        with pgtrigger.ignore(), connection.cursor() as cursor:
            cursor.execute("UPDATE games_move SET account = 'eve'")
        assert said("verify_logs", "--changed") == "Every log is correct: games 2, competitions 0.\n"
        actor, move = Actor("arbiter"), {"type": "abandon", "reason": "fire alarm"}
        log.append(game_id=goes_on.pk, seq=2, actor=actor, move=move, account=None)
        wrong = refused("verify_logs", "--changed")
        assert (str(goes_on.pk) in wrong, str(over.pk) in wrong) == (True, False)
        assert refused("verify_logs", "--changed") == wrong

    def test_goes_on_after_an_interruption_and_remembers_what_was_wrong(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def stop(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        in_play(cast, 4)
        with pgtrigger.ignore(), connection.cursor() as cursor:
            cursor.execute("UPDATE games_move SET account = 'eve'")
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(gate, "of_competition", stop)
            said("verify_logs")
        again = refused("verify_logs")
        assert again == f"Going on after {Game.objects.get().pk} of the games, where a check stopped.\n"
        assert "entry 1" in refused("verify_logs")

    def test_changes_nothing(self, cast: Cast) -> None:
        competition = in_play(cast, 8)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE league_tableseat SET rank = 9")
        before = dumped()
        assert len(differences()) == 8
        assert dumped() == before
        assert competition.seq == Competition.objects.get().seq

    def test_names_a_game_that_this_release_replays_differently(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        play_all(in_play(cast, 4))
        monkeypatch.setattr(Tally, "scores", lambda tally, state: (0,) * state.seats)
        assert ["the result of these moves is" in wrong for wrong in differences()] == [True]

    def test_names_a_draw_that_this_release_repeats_differently(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        in_play(cast, 8)
        monkeypatch.setattr("league.core.drawing.drawing.in_seats", lambda table, *_: tuple(sorted(table)))
        (wrong,) = differences()
        assert "The draw is not the one that the log and its seed give" in wrong


def test_the_demonstration_has_no_bots_for_score_cards() -> None:
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("demo", "--ruleset", "scamper-scorecard")


class TestTheDemonstration:
    @pytest.fixture(autouse=True)
    def started(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
        """Return the commands that start a server, which notes its address; another one answers elsewhere."""
        started = list[list[str]]()

        def start(command: list[str], **_: Any) -> Any:
            assert folders.noted_address() == ""
            started.append(command[2:])
            folders.note_address(f"http://127.0.0.1:{int(command[-1]) or 9999}")
            return mock.Mock(poll=lambda: None)

        monkeypatch.setenv("TREFOIL_DATA", str(tmp_path))
        monkeypatch.setattr(subprocess, "Popen", start)
        monkeypatch.setattr(demo, "_answers", lambda url: True)
        return started

    @pytest.mark.parametrize(("port", "used"), [(None, 9999), (9123, 9123)])
    def test_starts_a_server_whatever_answers_where_this_checkout_served_before(
        self, started: list[list[str]], port: int | None, used: int
    ) -> None:
        folders.note_address("http://127.0.0.1:8000")
        with demo.served("", port) as url:
            assert url == f"http://127.0.0.1:{used}"
        assert started == [["up", "--port", str(port or 0)]]

    def test_waits_for_a_server_of_this_checkout_that_answers_late(
        self, started: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answers = iter([False, True, True])
        monkeypatch.setattr(demo, "_answers", lambda url: next(answers))
        lock = processes.Lock(tmp_path / "up-all.lock")
        lock.take()
        folders.note_address("http://127.0.0.1:9001")
        with demo.served("", None) as url:
            assert (url, started) == ("http://127.0.0.1:9001", [])
        with pytest.raises(CommandError, match="already running, at"), demo.served("", 9123):
            raise AssertionError
        lock.release()

    def test_ends_where_the_server_does_before_it_answers(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(demo, "_answers", lambda url: False)
        monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: mock.Mock(poll=lambda: 1))
        with pytest.raises(CommandError, match="Its output is in"), demo.served("", None):
            raise AssertionError
