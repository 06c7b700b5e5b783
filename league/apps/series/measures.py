"""What the points of evenings are, in words, and whether those of several evenings can be added."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import rules
from games.engine.messages import filled
from games.engine.values import replace
from league.apps.series.core.presets import FOR_PLACES
from league.apps.series.core.rule import ABSOLUTE, Rule, Value
from league.words.values import titles_of_games

WORDS: Final = {
    "score": gettext_lazy("scores of the game"),
    "difference": gettext_lazy("differences from the average of each table"),
    "place": gettext_lazy("points for places at the tables"),
    "win": gettext_lazy("wins at the tables"),
    "mixed": gettext_lazy("points of stages that count in different ways"),
}
"""What the points of an evening are, by its measure: in an enumeration."""
_OF_A_GAME: Final = ("score", "difference", "mixed")
"""Measures that only evenings of one game have in common."""
COMPARABLE: Final = {
    "beaten": Value("beaten"),
    "places": Value("places", FOR_PLACES),
}
"""Values of evenings that can be added whatever their points are."""


def comparable(rule: Rule, value: str) -> Rule:
    """Return a rule with a value of `COMPARABLE`; as it is without one."""
    return replace(rule, value=COMPARABLE[value]) if value in COMPARABLE else rule


@dataclass(frozen=True)
class Kind:
    """Evenings of which the points are the same."""

    measure: str
    game: str
    evenings: int

    @property
    def words(self) -> str:
        """Return what the points are, with the game."""
        told = str(WORDS[self.measure])
        return filled(_("%(points)s (%(game)s)"), {"points": told, "game": self.game}) if self.game else told


@dataclass(frozen=True)
class Points:
    """What the points of the evenings of a series are, where its rule counts points."""

    kinds: Sequence[Kind]

    @property
    def sentence(self) -> str:
        """Return what the points of an evening are; empty where that is not known, or of several kinds."""
        if len(self.kinds) != 1:
            return ""
        told = filled(_("The points of an evening are %(what)s."), {"what": self.kinds[0].words})
        if self.kinds[0].measure == "difference":
            told += " " + _("Who is ahead of the average has more than 0, who is behind it less.")
        return told

    @property
    def are_mixed(self) -> bool:
        """Return whether points of several kinds are put together."""
        return len(self.kinds) > 1


NOTHING: Final = Points(())


def points_of(rule: Rule, measured: Iterable[tuple[str, str]]) -> Points:
    """Return what the points of evenings are by their measures and games, those of most evenings first."""
    found: dict[tuple[str, str], int] = {}
    for measure, ruleset in measured if rule.value.by in ABSOLUTE else ():
        if measure in WORDS:
            key = measure, rules.game_key(ruleset) if measure in _OF_A_GAME else ""
            found[key] = found.get(key, 0) + 1
    in_order = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    titles = titles_of_games(game for (_measure, game), _count in in_order if game)
    return Points([Kind(measure, titles.get(game, ""), count) for (measure, game), count in in_order])
