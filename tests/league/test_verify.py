"""The verifier of a competition's file needs only Python, and names what was manipulated."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from games import log as games
from games.engine import chain
from games.engine.replay import Actor
from games.lines import ENTRY_FIELDS
from games.models import Game
from games.models.moves import Seed
from games.transparency.proofs import Leaf
from games.verifier import GOOD, UNFINISHED, WRONG
from league import verify
from league.core import portable, verifier
from league.core.portable import WrongFile
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.models import ClubGame, Competition
from league.queries import verification
from league.services.automatic import record_result
from tests.factories import Cast
from tests.games.transparency.signing import proof_of
from tests.league.acting import act
from tests.league.playing import PLAN, finished, in_play, opened, play_all

DUELS = {"name": "Duels", "format": "swiss", "rounds": 2, "table_size": 2, "tie_breaks": ["wins"]}
Lines = list[str]


def exported(competition: Competition) -> Lines:
    return list(verification.lines(Competition.objects.get(pk=competition.pk)))


def checked(lines: Sequence[str]) -> verifier.Report:
    return verifier.check(portable.read(lines))


def rechained(lines: Lines, seq: int, change: Callable[[Any], object]) -> Lines:
    """Return the file with an event of the competition changed, and all hashes made anew."""
    count = len(portable.read(lines).log)
    start = next(at for at, line in enumerate(lines) if line.startswith('{"seq"'))
    entries = [json.loads(line) for line in lines[start : start + count]]
    change(entries[seq - 1]["event"])
    head = chain.ORIGIN
    for entry in entries:
        entry.pop("hash")
        head = entry["hash"] = chain.link(head, entry)
    return [*lines[:start], *map(json.dumps, entries), *lines[start + count :]]


def adjusted(lines: Lines, times: int) -> Lines:
    """Return the file with points of an entry adjusted so often, each time by another fraction."""
    log = [at for at, line in enumerate(lines) if line.startswith('{"seq"') and '"event"' in line]
    last = json.loads(lines[log[-1]])
    entry = next(json.loads(lines[at])["event"]["entry"] for at in log if '"type": "entered"' in lines[at])
    added, head = list[str](), last.pop("hash")
    for at in range(times):
        event = {"type": "adjusted", "entry": entry, "points": f"1/{999_999_999 - at}", "reason": "fine"}
        new = {**last, "seq": last["seq"] + at + 1, "event": event}
        head = chain.link(head, new)
        added.append(json.dumps({**new, "hash": head}))
    return [
        *lines[: log[-1] + 1],
        *added,
        *lines[log[-1] + 1 : -1],
        json.dumps({"lines": len(lines) - 1 + times}),
    ]


def seq_of(lines: Lines, kind: str) -> int:
    """Return the number of the first event of a kind."""
    expected = next(line for line in lines if f'"type": "{kind}"' in line)
    return int(json.loads(expected)["seq"])


class TestTheFile:
    def test_of_a_finished_competition_is_verified(self, cast: Cast) -> None:
        competition = finished(cast)
        report = checked(exported(competition))
        assert (report.code, report.head) == (GOOD, competition.head)
        assert (report.games, report.running, len(report.events_with("given"))) == (4, 0, 4)

    def test_has_the_same_bytes_each_time(self, cast: Cast) -> None:
        competition = finished(cast)
        assert exported(competition) == exported(competition)

    def test_of_a_running_competition_has_no_seed_and_is_not_verified(self, cast: Cast) -> None:
        competition = in_play(cast)
        lines = exported(competition)
        secrets = [bytes(seed.secret).hex() for seed in Seed.objects.all()]
        assert not any(secret in line for line in lines for secret in secrets)
        assert (checked(lines).code, checked(lines).running) == (UNFINISHED, 2)

    def test_ends_before_a_draw_that_is_not_published(self, cast: Cast) -> None:
        competition = opened(cast, 8)
        act(cast.olga, competition, StartCompetition)
        before_the_draw = Competition.objects.get(pk=competition.pk)
        act(cast.olga, competition, DrawRound)
        for seen in (before_the_draw, Competition.objects.get(pk=competition.pk)):
            assert '"drawn"' not in "".join(verification.lines(seen))

    def test_has_only_the_names_of_players(self, cast: Cast) -> None:
        cast.petra.email = "petra@example.org"
        cast.petra.save()
        text = "\n".join(exported(opened(cast, 2)))
        assert "Petra Plum" in text
        assert "petra@example.org" not in text and '"petra"' not in text

    def test_has_each_log_as_its_own_address_returns_it(self, cast: Cast) -> None:
        competition = finished(cast)
        file = portable.read(exported(competition))
        for place in ClubGame.objects.select_related("game"):
            assert list(file.games[str(place.pk)]) == list(games.lines(place.game))

    def test_with_points_too_long_to_be_written_is_refused(
        self, cast: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "file").write_text("\n".join(adjusted(exported(in_play(cast)), 700)))
        assert verify.main([str(tmp_path / "file")]) == WRONG
        assert "a number that is too long to be written" in capsys.readouterr().err

    @pytest.mark.parametrize("lineup", ["partners", "boards"])
    def test_of_teams_is_verified(self, cast: Cast, lineup: str) -> None:
        competition = opened(
            cast, lineup=lineup, team_size=2, stages=[{**PLAN, "table_size": 2, "rounds": 1}]
        )
        people = cast.people(8)
        for one, other in zip(people[::2], people[1::2], strict=True):
            act(cast.olga, competition, EnterPlayers, players=[one.pk, other.pk])
        for verb in (StartCompetition, DrawRound, PublishRound):
            act(cast.olga, competition, verb)
        for game in play_all(competition):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound)
        act(cast.olga, competition, FinishCompetition)
        assert checked(exported(competition)).code == GOOD


def swap_seats(event: Any) -> None:
    one, other = event["tables"][:2]
    one["seats"], other["seats"] = other["seats"], one["seats"]


def better(event: Any) -> None:
    event["seats"][0]["score"] += 1


def cut(lines: Lines) -> Lines:
    return lines[:-4]


def without_a_game(lines: Lines) -> Lines:
    at = [number for number, line in enumerate(lines) if line.startswith('{"game"')][-1]
    return [*lines[:at], json.dumps({"lines": at})]


def without_a_player(lines: Lines) -> Lines:
    return [lines[0], *lines[2:-1], json.dumps({"lines": len(lines) - 2})]


def games_exchanged(lines: Lines) -> Lines:
    at = [number for number, line in enumerate(lines) if line.startswith('{"game"')][:2]
    lines[at[0]], lines[at[1]] = lines[at[1]], lines[at[0]]
    return lines


def another_format(lines: Lines) -> Lines:
    return [lines[0].replace('"trefoil": 1', '"trefoil": 2'), *lines[1:]]


class TestManipulation:
    @pytest.mark.parametrize(
        ("touch", "expected"),
        [
            (cut, "added or are missing"),
            (without_a_game, "must hold the games of its log"),
            (without_a_player, "must name the players of its log"),
            (games_exchanged, "rules, options, clock or players are not those of table . of round 1"),
            (another_format, "only files of format 1"),
            (lambda lines: lines[1:], "not a competition's file"),
            (lambda lines: [*lines, "{}"], "added or are missing"),
            (lambda lines: [line.replace('"seat": 1', '"seat": 0') for line in lines], "hash does not fit"),
            (lambda lines: rechained(lines, seq_of(lines, "result_recorded"), better), "did not end as"),
            (lambda lines: rechained(lines, 2, lambda event: event.update(waiting=False)), "canonical form"),
        ],
        ids=lambda value: getattr(value, "__name__", None),
    )
    def test_is_reported(self, cast: Cast, touch: Callable[[Lines], Lines], expected: str) -> None:
        lines = touch(exported(finished(cast)))
        with pytest.raises(WrongFile, match=expected):
            checked(lines)

    def test_a_draw_that_does_not_follow_from_the_seed_is_reported_and_the_rest_checked(
        self, cast: Cast
    ) -> None:
        competition = opened(cast, 8)
        for verb in (StartCompetition, DrawRound):
            act(cast.olga, competition, verb)
        act(cast.olga, competition, DrawRound, reason="a table is missing")
        act(cast.olga, competition, PublishRound)
        lines = exported(competition)
        seq = seq_of(lines, "drawn")
        report = checked(rechained(lines, seq, swap_seats))
        assert (report.code, report.events_with("different")) == (WRONG, [seq])


def run_alone(file: Path) -> "subprocess.CompletedProcess[str]":
    """Run the verifier by a Python that finds no package, no setting and no current folder."""
    code = (
        f"import runpy, sys; sys.path.insert(0, {str(settings.BASE_DIR)!r}); sys.argv[1:] = [{str(file)!r}]"
    )
    code += "; runpy.run_module('league.verify', run_name='__main__')"
    command = [sys.executable, "-I", "-S", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def scoops(cast: Cast) -> Competition:
    """Return a finished competition of duels at Scoops, played by the clock alone."""
    competition = opened(
        cast,
        5,
        ruleset="scoops",
        options={"round_limit": 1, "turn_limit": 1},
        stages=[{**DUELS, "rounds": 1}],
    )
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    for place in ClubGame.objects.select_related("game"):
        played_by_the_clock(place.game)
        record_result(game_id=place.pk)
    act(cast.olga, competition, CloseRound)
    act(cast.olga, competition, FinishCompetition)
    return competition


def played_by_the_clock(game: Game) -> None:
    while not game.is_over:
        actor, move = Actor("clock", game.awaited[0]), {"type": "timeout"}
        game = games.append(game_id=game.pk, seq=game.seq + 1, actor=actor, move=move, account=None).game


class TestTheCommand:
    def test_needs_only_the_file_and_python(self, cast: Cast, tmp_path: Path) -> None:
        file = tmp_path / "cup.jsonl"
        file.write_text("\n".join(exported(scoops(cast))) + "\n", encoding="utf-8")
        ended = run_alone(file)
        assert (ended.returncode, ended.stderr) == (GOOD, "")
        assert "groups, draws, lots and opened tables repeated from seed and format: 3\n" in ended.stdout
        assert "   1. " in ended.stdout and ended.stdout.endswith("\nverified\n")

    def test_accepts_the_file_of_a_single_game(self, cast: Cast, tmp_path: Path) -> None:
        scoops(cast)
        file = tmp_path / "game.jsonl"
        file.write_text("\n".join(games.lines(Game.objects.all()[0])), encoding="utf-8")
        assert run_alone(file).stdout.startswith("verified: scoops@1, 2 seats")

    def test_accepts_the_file_with_the_mark_that_editors_put_before_it(
        self, cast: Cast, tmp_path: Path
    ) -> None:
        file = tmp_path / "cup.jsonl"
        file.write_text("\n".join(exported(scoops(cast))), encoding="utf-8-sig")
        assert run_alone(file).stdout.endswith("\nverified\n")

    def test_refuses_a_proof_of_an_early_entry_for_a_competition_that_is_over(
        self, cast: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines = exported(scoops(cast))
        file, proof, read = tmp_path / "cup.jsonl", tmp_path / "proof", portable.read(lines)
        file.write_text("\n".join(lines), encoding="utf-8")
        leaf = Leaf("competition", read.header.competition, 1, json.loads(read.log[0])["hash"])
        proof.write_text(str(proof_of(leaf)))
        assert verify.main([str(file), "--head", str(proof)]) == WRONG
        said = capsys.readouterr()
        assert "the file is over" in said.err and "verified" not in said.out

    @pytest.mark.parametrize("line", ["[]", "null", "[" * 50_000, "x", '{"round": []}', '{"round": 1}'])
    def test_says_which_line_is_no_answer_of_the_beacon(
        self, cast: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
    ) -> None:
        file, answers = tmp_path / "cup.jsonl", tmp_path / "beacon"
        file.write_text("\n".join(exported(scoops(cast))), encoding="utf-8")
        answers.write_text(f"\n{line}\n")
        assert verify.main([str(file), "--beacon", str(answers)]) == WRONG
        assert capsys.readouterr().err == f"{answers}: line 2 is no answer of the beacon\n"

    @pytest.mark.parametrize(
        ("data", "expected"),
        [
            (b"\x80", "is not text in UTF-8: it was changed or is damaged."),
            (b"[" * 100_000, "nested too deeply"),
            (b'{"a":' * 101 + b"0" + b"}" * 101, "nested too deeply"),
            (b"[" + b"1" * 5000 + b"]", "a number is too long"),
            (
                json.dumps({**dict.fromkeys(ENTRY_FIELDS), "seq": "\x1b[2J" * 99}).encode(),
                "numbered ?[2J?[2J",
            ),
        ],
        ids=["bytes", "nesting", "levels", "number", "control"],
    )
    def test_says_in_plain_words_what_can_not_be_read(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, expected: str
    ) -> None:
        file = tmp_path / "other"
        file.write_bytes(data)
        verify.main([str(file)])
        assert expected in capsys.readouterr().err

    @pytest.mark.parametrize(
        "text", ["", "{}", '{"trefoil": 1}', '{"trefoil": []}\n{"lines": 1}', "\ufeff", "x\n"]
    )
    def test_reports_any_other_file_as_wrong(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
    ) -> None:
        file = tmp_path / "other"
        file.write_text(text, encoding="utf-8")
        assert (verify.main([str(file)]), capsys.readouterr().out) == (WRONG, "")

    def test_tells_which_files_can_be_checked(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "results.json"
        file.write_text('[\n  {"rank": 1}\n]\n', encoding="utf-8")
        verify.main([str(file)])
        assert "“Download everything”" in capsys.readouterr().err
