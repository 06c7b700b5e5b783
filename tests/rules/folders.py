"""Where a ruleset's tests and golden logs are: in the folder here that is called like its package.

What a registered ruleset must have, beside rules that keep the contract, is listed by `missing`.
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from games.engine.common_moves import COMMON
from games.engine.replay import AnyRuleset
from games.packages import MissingPart, folder_of, policy_of

HERE: Final = Path(__file__).parent


def folder_for(ruleset: AnyRuleset) -> Path:
    """Return the folder of a ruleset's tests, which need not be there."""
    return HERE / ruleset.package.rpartition(".")[2]


def golden_of(ruleset: AnyRuleset) -> list[Path]:
    """Return the golden logs of a ruleset, by name."""
    return sorted((folder_for(ruleset) / "logs").glob("*.jsonl"))


def missing(ruleset: AnyRuleset) -> list[str]:
    """Return a sentence for each part that the ruleset lacks: what to add, and where."""
    try:
        folder = folder_of(ruleset)
    except MissingPart as missing_folder:
        return [str(missing_folder)]
    parts = (_names_taken(ruleset), _missing_bot(ruleset), _missing_texts(ruleset, folder))
    return [*chain(*parts), *missing_tests(ruleset)]


def _names_taken(ruleset: AnyRuleset) -> Iterator[str]:
    if taken := ruleset.moves.keys() & COMMON:
        names = ", ".join(sorted(taken))
        yield f"Every game has moves called {names}: give those of {ruleset.name} other names."


def _missing_bot(ruleset: AnyRuleset) -> Iterator[str]:
    try:
        if ruleset.dealt:
            policy_of(ruleset)
    except MissingPart as missing_bot:
        yield str(missing_bot)


def _missing_texts(ruleset: AnyRuleset, folder: Path) -> Iterator[str]:
    package = ruleset.package.replace(".", "/")
    page = folder / "templates" / "rules.html"
    if not page.is_file():
        yield (
            f"{ruleset.name} has no page of rules: add {package}/templates/rules.html, which extends "
            'rules/base.html and has an element with an id for each rule, such as <p id="'
            f'{ruleset.rule_numbers[0]}">.'
        )
    elif unexplained := {*ruleset.rule_numbers} - {*re.findall(r' id="(\w+)"', page.read_text("utf-8"))}:
        yield (
            f"The rules {', '.join(sorted(unexplained))} of {ruleset.name} are not on its page: add an "
            f"element with the id of each to {package}/templates/rules.html."
        )
    if ruleset.dealt and not (folder / "chance.md").is_file():
        yield (
            f"{ruleset.name} does not say what it leaves to chance: add {package}/chance.md with its "
            "purposes, the lists that it shuffles and how it deals them."
        )
    if ruleset.dealt and not ruleset.draws:
        yield f"{ruleset.name} does not declare what it draws by chance: give its class draws."


def missing_tests(ruleset: AnyRuleset) -> Iterator[str]:
    """Yield a sentence for cases of its rules and for golden logs, where the ruleset has none."""
    folder = folder_for(ruleset)
    shown = f"tests/rules/{folder.name}"
    if not [*folder.glob("test_*.py")]:
        yield f"{ruleset.name} has no tests: add {shown}/test_….py with a case for each of its rules."
    if not golden_of(ruleset):
        yield (
            f"{ruleset.name} has no golden log: play a game with tests.rules.recording.Recorder and save it "
            f"as {shown}/logs/….jsonl."
        )
