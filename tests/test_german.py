"""The German translation is sound, and complete for the rules of every game."""

import re

import pytest

from games import rules
from games.engine.replay import AnyRuleset
from games.packages import folder_of
from league.words import catalogue
from league.words.catalogue import ids_of


def test_no_translation_is_only_a_guess() -> None:
    assert [ids_of(text)[0] for text in catalogue.texts_in(catalogue.read("de")) if text.fuzzy] == []


def test_readers_are_addressed_as_friends() -> None:
    """As the rules and lessons do it: “du”, never “Sie”."""
    assert re.findall(r"\w+en Sie\b|\bIhnen\b", catalogue.path_of("de").read_text()) == []


def test_one_word_is_used_for_one_thing() -> None:
    other = r"\b(?:Verein(?:s|e|en)?|Schriftführer\w*|Kiosks?|Punktezettel\w*|Veranstalter\w*|Ansagen?)\b"
    texts = " ".join(str(text.string) for text in catalogue.texts_in(catalogue.read("de")))
    assert re.findall(other, texts) == []


def test_acts_are_called_by_the_names_of_their_buttons() -> None:
    """English texts quote the names of buttons; the German ones quote their translations."""
    texts = {
        ids_of(text)[0]: catalogue.strings_of(text)[0] for text in catalogue.texts_in(catalogue.read("de"))
    }
    wrong = {
        quoted: german
        for english, german in texts.items()
        for quoted in re.findall("“([^”]+)”", english)
        if texts.get(quoted) and f"„{texts[quoted]}“" not in german
    }
    assert wrong == {}


@pytest.mark.parametrize("ruleset", rules.NEWEST.values(), ids=lambda ruleset: ruleset.key)
def test_the_rules_of_a_game_have_the_same_numbers_in_german(ruleset: AnyRuleset) -> None:
    folder = folder_of(ruleset) / "templates"
    english, german = ((folder / name).read_text() for name in ("rules.html", "rules.de.html"))
    assert re.findall(r' id="([^"]+)"', german) == re.findall(r' id="([^"]+)"', english)
