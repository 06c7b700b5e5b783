"""What is not of a game knows no game: it names none, and it needs none to be verified."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from games import rules
from league.ops.folders import TOP

SHARED: Final = ("api", "games", "league", "static", "templates")
SUFFIXES: Final = (".css", ".html", ".js", ".py", ".txt")
RULESETS: Final = TOP / "games" / "rules"
CHOSEN: Final = (RULESETS / "__init__.py", TOP / "league" / "ops" / "settings.py")
"""Files that must name games: the registry, and the game that the demonstration plays."""
MADE: Final = TOP / "static" / "trefoil" / "draws.js"
"""What `manage.py docs` writes from the declarations of all games."""
OF_OWN_GAMES: Final = TOP / "league" / "apps" / "own_games"
"""The app that makes definitions of one ruleset."""
EXAMPLES: Final = TOP / "api" / "client" / "examples"
"""Bots, each of which plays one game."""


def naming(key: str, title: str) -> re.Pattern[str]:
    """Return what names a game: its key or title in quotes, its package, or its title inside a sentence.

    A game may be called by an ordinary word, such as Hearts or Pairs: neither the word alone nor a translated
    word in quotes names it. A title that is more than one word, such as "Scram!", names it anywhere.
    """
    key, package, name = re.escape(key), re.escape(key.replace("-", "_")), re.escape(title)
    quoted = rf"(?<!gettext\()(?<!gettext_lazy\()(?<!\W_\()(?<!translate )[\"'`]{key}(?:@\d+)?[\"'`]"
    in_folder = rf"\brules(?:ets)?[./](?:{key}|{package})\b"
    inside = rf"(?<=[a-z,;] ){name}\b" if title.isalpha() else rf"\b{name}"
    return re.compile(rf"{quoted}|{in_folder}|[\"'`“‘]{name}[\"'`”’]|{inside}")


GAMES: Final = [naming(ruleset.key, ruleset.title) for ruleset in rules.RULESETS]


def shared_files() -> Iterator[Path]:
    """Yield every file of the product that is no ruleset's own."""
    for folder in SHARED:
        for path in sorted((TOP / folder).rglob("*")):
            own = any(map(path.is_relative_to, (RULESETS, EXAMPLES, OF_OWN_GAMES)))
            if path.suffix in SUFFIXES and path not in (*CHOSEN, MADE) and not own:
                yield path


def named_in(text: str, games: Sequence[re.Pattern[str]] = GAMES) -> list[str]:
    """Return where a text names games."""
    return [found[0] for game in games for found in game.finditer(text)]


def test_no_shared_file_names_a_game() -> None:
    files = [*shared_files()]
    assert len(files) > 200
    named = {str(path.relative_to(TOP)): named_in(path.read_text("utf-8")) for path in files}
    assert {path: found for path, found in named.items() if found} == {}


@pytest.mark.parametrize(
    "text",
    [
        'if ruleset.key == "scoops"',
        'find("scoops@1")',
        "Scram! is special",
        "as in Scoops",
        "{% if key == 'scamper-scorecard' %}",
        "from games.rules.scamper_scorecard import ScamperScorecard",
        '{% include "rulesets/scamper@1/sheet.html" %}',
    ],
)
def test_a_game_that_is_named_is_found(text: str) -> None:
    assert named_in(text)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Pairs", 'pairs = zip(slots, "the pairs")\n"""Pairs of entries."""'),
        ("Hearts", '"H": gettext_lazy("hearts"), _("hearts"), {% translate "hearts" %}'),
    ],
)
def test_an_ordinary_word_names_no_game(title: str, text: str) -> None:
    game = naming(title.lower(), title)
    assert named_in(text, [game]) == []
    assert named_in(f'{text} if key == "{title.lower()}"', [game])


@pytest.mark.parametrize("title", ["Hearts", "Pairs", "Spades"])
def test_a_game_may_be_called_by_a_word_that_shared_files_use(title: str) -> None:
    game = naming(title.lower(), title)
    assert [path.name for path in shared_files() if named_in(path.read_text("utf-8"), [game])] == []


def test_the_verifier_loads_neither_bots_nor_templates_nor_anything_that_is_not_pythons() -> None:
    code = (
        "import sys; before = {*sys.modules}; import games.verify; "
        "print(*sorted(name for name in {*sys.modules} - before))"
    )
    command = [sys.executable, "-S", "-c", code]
    loaded = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True).stdout.split()
    assert "games.rules" in loaded
    assert [name for name in loaded if ".bot" in name or name in ("games.packages", "games.templates")] == []
    # Python names the module of its own build after the platform.
    top = {name.partition(".")[0] for name in loaded if not name.startswith("_sysconfigdata")}
    assert top <= {*sys.stdlib_module_names, "games"}
