"""The kit is as recorded, complete, and kept by our engine and our bots; wrong ones are told so."""

import json
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from games.conformance import bots, coverage, kit
from games.conformance.__main__ import SELF, main
from games.conformance.bots import Bots
from games.conformance.kit import Line
from games.conformance.protocol import Broken, Engine, Peer
from games.engine.replay import AnyRuleset
from games.rules import RULESETS
from tests.conformance import SCENARIOS, pairs
from tests.conformance.recorder import Scenario

LINES = [*kit.lines()]
ALL = [*SCENARIOS, *pairs.scenarios(pairs.recorded)]
RECORD = "record the kit again: python -m tests.conformance"
WRONG_ENGINES = Path(__file__).parent / "wrong_engine.py"


def command(*words: str) -> str:
    return shlex.join([sys.executable, *words])


@pytest.fixture
def small_kit(tmp_path: Path) -> Path:
    """Two lines of Scoops."""
    for name in ("the-deal", "one-card-from-the-deck-or-a-pile"):
        path = Path("scoops") / f"{name}.jsonl"
        (tmp_path / path).parent.mkdir(exist_ok=True)
        shutil.copy(kit.KIT / path, tmp_path / path)
    return tmp_path


@pytest.mark.parametrize("scenario", ALL, ids=lambda each: f"{each.game}/{each.name}")
def test_a_line_shows_what_it_says_and_is_recorded_so(scenario: Scenario) -> None:
    line = scenario.record()
    recorded = kit.KIT / line.path
    assert recorded.is_file(), RECORD
    assert recorded.read_text("utf-8") == line.text(), RECORD


def test_every_file_has_its_scenario() -> None:
    assert {line.path for line in LINES} == {each.path for each in ALL}, RECORD


def test_the_kit_shows_every_rule_and_every_value_of_every_option() -> None:
    said, complete = coverage.report(LINES)
    assert complete, "\n".join(("", *said))


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: each.key)
def test_every_two_values_of_options_meet_in_a_line(ruleset: AnyRuleset) -> None:
    lacking = pairs.lacking(ruleset)
    assert not lacking, "\n".join(("", RECORD, *lacking))


def test_our_engine_keeps_to_the_kit_over_its_standard_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("other-code", "the answer.code is"),
        ("refuses-all", 'it was refused but is legal; the engine says: "No."'),
        ("accepts-all", "it was accepted but is illegal by rule C"),
        ("names-types", "the answer.types is null"),
        ("another-rule", "the answer.rule is"),
        ("shows-a-hand", "the answer.view.hand is"),
        ("adds-a-field", "the answer.view has `deck_cards`, which must not be there"),
        ("drops-a-field", "the answer.view lacks `scores`"),
        ("deals-otherwise", "the answer.view"),
        ("knows-no-game", "the engine does not play scoops@1"),
        ("another-protocol", "does not speak version 1 of the protocol"),
        ("falls-silent", "ended before it answered"),
        ("talks-nonsense", "which is no JSON object"),
    ],
)
def test_a_wrong_engine_is_told_what_is_wrong(
    fault: str, sentence: str, small_kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = ["--kit", str(small_kit), "--game", "scoops"]
    assert main([*held, "--engine", command(str(WRONG_ENGINES), fault)]) == 1
    assert sentence in capsys.readouterr().out


def test_an_engine_that_does_not_answer_is_given_up() -> None:
    late = pytest.raises(Broken, match=r"did not answer within 0\.2 seconds")
    with Peer(command("-c", "import time; time.sleep(60)"), patience=0.2) as peer, late:
        peer.ask({"do": "hello"})


@pytest.mark.parametrize("game", sorted({line.ruleset.partition("@")[0] for line in LINES}))
def test_our_bots_play_legally_at_all_options_of_the_kit(game: str) -> None:
    peer = Bots()
    for line in bots.openings(kit.lines(game=game)):
        if line.ruleset in peer.answer({"do": "hello"})["rulesets"]:
            assert bots.held(bots.opening(line), peer.answer, moves=25) is None


def test_a_bot_is_held_to_the_rules_over_its_standard_input(
    small_kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = f"{SELF} serve-bots"
    assert main(["--kit", str(small_kit), "--bot", ours]) == 0
    assert "games legally." in capsys.readouterr().out
    stranger = command(str(WRONG_ENGINES), "a-bot-of-chess")
    assert main(["--kit", str(small_kit), "--bot", stranger]) == 1
    assert "The bot plays none of " in capsys.readouterr().out
    assert main(["--kit", str(small_kit), "--bot", command(str(WRONG_ENGINES), "a-stubborn-bot")]) == 1
    assert "which is illegal (C14): You have drawn a card already." in capsys.readouterr().out


def test_a_kit_without_lines_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--kit", str(tmp_path), "--game", "scoops"]) == 1
    assert "There are no lines of scoops in " in capsys.readouterr().out


def test_a_program_that_cannot_be_started_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--engine", "no-such-engine", "--game", "scram"]) == 1
    assert "`no-such-engine` cannot be started" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ({"do": "dance"}, "A request is an object whose `do` is one of"),
        (None, "A request is an object whose `do` is one of"),
        ({"do": "status"}, "no game is open"),
        ({"do": "open", "ruleset": "chess"}, "KeyError"),
        (
            {
                "do": "open",
                "ruleset": "scoops@1",
                "seats": 2,
                "options": {},
                "entropy": False,
                "secret": "00",
            },
            "a secret has 64 hexadecimal digits",
        ),
    ],
)
def test_a_request_that_is_none_is_answered(request_: object, sentence: str) -> None:
    answer = Engine().answer(request_)
    assert (answer["ok"], answer["code"]) == (False, "request")
    assert sentence in str(answer["sentence"])


def test_what_no_line_shows_is_named() -> None:
    said, complete = coverage.report([], "scoops")
    assert not complete
    assert "  C9 of scoops@1 is shown by no line" in said
    assert "  no line of scoops@1 plays target as 10" in said
    assert "  no line of scoops@1 has seats 2 and target 10" in said


def test_a_rule_without_everybody_s_view_is_named() -> None:
    line = next(line for line in LINES if line.name == "abandoned")
    moves = tuple(each for each in line.exchanges if each.request["do"] != "view")
    said, _ = coverage.report([replace(line, exchanges=moves)], "scoops")
    sentence = "  no line that shows C2 of scoops@1 has everybody's view of one entry"
    assert sentence in said
    assert sentence not in coverage.report([line], "scoops")[0]


def test_values_that_no_game_can_have_need_not_meet() -> None:
    scamper = RULESETS[0]
    one = json.dumps([{"sets": [3], "runs": []}])
    values = {"contracts": [one], "rounds": ["1", "2"], "max_replays": ["0", "5"]}
    assert coverage.can_meet(scamper, (("contracts", one), ("rounds", "1")), values)
    assert not coverage.can_meet(scamper, (("contracts", one), ("rounds", "2")), values)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"do": "start", "ruleset": "scoops@1", "seats": 1}, "request"),
        ({"do": "start", "ruleset": "scoops-scorecard@1", "seats": 2}, "request"),
        ({"do": "choose", "seat": 0, "view": None, "choices": []}, "request"),
        ({"do": "dance"}, "request"),
    ],
)
def test_a_bot_refuses_what_it_cannot_play(request_: dict[str, object], code: str) -> None:
    bot = Bots()
    bot.answer({"do": "start", "ruleset": "scoops@1", "seats": 2})
    answer = bot.answer(request_)
    assert (answer["ok"], answer["code"]) == (False, code)


def test_a_bot_is_not_told_the_secret() -> None:
    asked: list[object] = []

    def ask(request: Mapping[str, object]) -> Mapping[str, object]:
        asked.append(request)
        return bot.answer(request)

    bot = Bots()
    opened = {"ruleset": "scoops@1", "seats": 2, "options": {}, "secret": "ab" * 32}
    assert bots.held(opened, ask, moves=4) is None
    assert "ab" * 32 not in json.dumps(asked)


def test_wording_is_left_free() -> None:
    recorded = {"ok": True, "view": {"adjustments": [{"points": 20}]}}
    answer = {"ok": True, "view": {"adjustments": [{"points": 20, "why": "In other words."}]}}
    assert kit.comparable(recorded, answer) == recorded


def test_a_difference_is_named_by_its_place() -> None:
    recorded, answered = {"a": [1, {"b": True}]}, {"a": [1, {"b": 1}]}
    assert kit.difference(recorded, answered) == "the answer.a[1].b is 1, it must be true"
    assert kit.difference([1], [1, 2], "a list") == "a list is [1, 2], it must be [1]"


def test_a_line_is_read_as_it_was_written(tmp_path: Path) -> None:
    line = Line("a-line", "scoops@1", "A line.", ("C1",), LINES[0].exchanges[:2])
    path = tmp_path / "a-line.jsonl"
    path.write_text(line.text(), "utf-8")
    assert kit.read(path) == line
