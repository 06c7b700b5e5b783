"""A registered ruleset has all its parts; one that is missing is asked for in a sentence."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from games import rules
from games.engine.replay import AnyRuleset
from games.packages import MissingPart, folder_of, has_bot, policy_of
from tests.league.tally import Tally
from tests.rules.folders import missing
from tests.toys import EVERY, TOYS
from tests.toys.high_card import HighCard

BARE = """
from tests.toys.high_card import HighCard


class Bare(HighCard):
    key = "bare"
"""


@pytest.mark.parametrize("ruleset", EVERY, ids=lambda ruleset: ruleset.key)
def test_every_ruleset_has_all_its_parts(ruleset: AnyRuleset) -> None:
    assert not missing(ruleset), one_a_line(missing(ruleset))


def one_a_line(sentences: Sequence[str]) -> str:
    """Return the sentences below each other: pytest shortens a list that it compares."""
    return "\n".join(("", *sentences))


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnyRuleset:
    """A ruleset whose package holds its rules and nothing else."""
    package = tmp_path / f"bare_{tmp_path.name}"
    package.mkdir()
    (package / "__init__.py").write_text(BARE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    ruleset: AnyRuleset = import_module(package.name).Bare()
    return ruleset


def test_what_is_missing_is_asked_for_with_its_place(bare: AnyRuleset) -> None:
    package = bare.package
    assert missing(bare) == [
        f"bare@1 has no bot: add {package}/bot.py with a function choose(seat, view, choices) that returns a "
        "move, or with a POLICY that has this method.",
        f"bare@1 has no page of rules: add {package}/templates/rules.html, which extends rules/base.html "
        'and has an element with an id for each rule, such as <p id="H1">.',
        f"bare@1 does not say what it leaves to chance: add {package}/chance.md with its purposes, the lists "
        "that it shuffles and how it deals them.",
        f"bare@1 has no tests: add tests/rules/{package}/test_….py with a case for each of its rules.",
        "bare@1 has no golden log: play a game with tests.rules.recording.Recorder and save it as "
        f"tests/rules/{package}/logs/….jsonl.",
    ]


def test_a_rule_that_the_page_leaves_out_is_named(bare: AnyRuleset) -> None:
    page = folder_of(bare) / "templates" / "rules.html"
    page.parent.mkdir()
    page.write_text('<p id="H1">One.</p><p id="H3">Three.</p>', "utf-8")
    assert (
        "The rules H2, H4, H5 of bare@1 are not on its page: add an element with the id of each to "
        f"{bare.package}/templates/rules.html."
    ) in missing(bare)


def test_a_move_that_has_the_name_of_a_common_one_is_named(
    bare: AnyRuleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(bare), "moves", {**bare.moves, "resign": object})
    assert "Every game has moves called resign: give those of bare@1 other names." in missing(bare)


def test_a_module_that_is_no_policy_is_no_bot(bare: AnyRuleset) -> None:
    (folder_of(bare) / "bot.py").write_text("", "utf-8")
    assert has_bot(bare)
    with pytest.raises(MissingPart, match=r"/bot\.py with a function choose"):
        policy_of(bare)


def test_a_ruleset_without_a_folder_is_told_to_have_one() -> None:
    assert missing(Tally()) == [
        "tally@1 has no folder: make tests.league.tally a package, with the class of the ruleset in its "
        "__init__.py."
    ]
    assert not has_bot(Tally())


def test_more_rulesets_are_known_for_as_long_as_they_are_registered() -> None:
    known = {**rules.BY_NAME}
    with rules.registered(*TOYS):
        assert rules.find("high-card") is rules.find("high-card@1") is TOYS[0]
        assert isinstance(rules.find("high-card"), HighCard)
    assert known == rules.BY_NAME
    with pytest.raises(KeyError):
        rules.find("high-card")


def test_they_are_forgotten_when_something_goes_wrong() -> None:
    with pytest.raises(ZeroDivisionError), rules.registered(*TOYS):
        _ = 1 // 0
    assert "high-card" not in rules.NEWEST
