"""Finds what a ruleset's package holds beside its rules: bot and folder of templates; and its release.

A part is found by its name in the package. The error for a missing part says what to add and where.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from games.engine.policy import Level, Policy, weakened
from games.engine.replay import AnyRuleset

SLIPS: Final[Mapping[Level, int]] = {"easy": 50, "medium": 20}
"""In how many of 100 decisions a bot of a level makes any legal move, where its module does not say it."""


class MissingPart(LookupError):
    """A part that is not in the ruleset's package; the message says what to add and where."""


def folder_of(ruleset: AnyRuleset) -> Path:
    """Return the folder of the ruleset's package; raise MissingPart if the class is in a plain module."""
    package = import_module(ruleset.package)
    if not hasattr(package, "__path__"):
        raise MissingPart(
            f"{ruleset.name} has no folder: make {ruleset.package} a package, with the class of the ruleset "
            "in its __init__.py."
        )
    return Path(package.__path__[0])


def purposes_of(ruleset: AnyRuleset, language: str = "en") -> str | None:
    """Return the ruleset's page of purposes of chance, None where it has none.

    It is in English where the ruleset has none in the language, such as "de".
    """
    package = import_module(ruleset.package)
    if not hasattr(package, "__path__"):
        return None
    pages = [Path(package.__path__[0]) / name for name in (f"chance.{language}.md", "chance.md")]
    page = next(filter(Path.exists, pages), None)
    return page.read_text(encoding="utf-8") if page else None


def has_bot(ruleset: AnyRuleset) -> bool:
    """Return whether the ruleset's package holds a bot."""
    return hasattr(import_module(ruleset.package), "__path__") and find_spec(_bot(ruleset)) is not None


def policy_of(ruleset: AnyRuleset, level: Level = "strong") -> Policy:
    """Return the policy of the ruleset's bot: ``POLICY`` of its module ``bot``, or the module itself.

    A weaker one makes as many careless moves as ``SLIPS`` of the module says. Raises MissingPart if there is
    no bot.
    """
    if has_bot(ruleset):
        module = import_module(_bot(ruleset))
        policy: Policy = getattr(module, "POLICY", module)
        slips: Mapping[Level, int] = getattr(module, "SLIPS", SLIPS)
        if hasattr(policy, "choose"):
            return policy if level == "strong" else weakened(policy, slips[level])
    file = f"{ruleset.package.replace('.', '/')}/bot.py"
    raise MissingPart(
        f"{ruleset.name} has no bot: add {file} with a function choose(seat, view, choices) that returns a "
        "move, or with a POLICY that has this method."
    )


def _bot(ruleset: AnyRuleset) -> str:
    return f"{ruleset.package}.bot"


# ---- What tells one release of the rules from another --------------------------------------------


def fingerprint() -> str:
    """Return a digest of the code of all games, 64 hex digits: the same code makes the same positions."""
    return digest_of(Path(__file__).parent)


@cache
def digest_of(top: Path) -> str:
    """Return a digest of the Python code in a folder, 64 hex digits."""
    digest = hashlib.sha256()
    for file in sorted(top.rglob("*.py")):
        digest.update(f"{file.relative_to(top)}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()
