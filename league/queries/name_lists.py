"""A list of names, read against the players of a club."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Club, Player
from league.models.names import search_key
from league.queries.clubs import players_of
from league.queries.near_names import NearNames

MOST_NAMES: Final = 1000
MOST_SUGGESTIONS: Final = 50


@dataclass(frozen=True)
class NameList:
    """The names on a list, and the club's players by `search_key`, which ignores accents and capitals."""

    names: tuple[str, ...]
    players: Mapping[str, Sequence[Player]]

    @property
    def unknown(self) -> tuple[str, ...]:
        """Return the names that no player of the club has, not even one who isn't active; each once."""
        first: dict[str, str] = {}
        for name in self.names:
            first.setdefault(search_key(name), name)
        return tuple(name for key, name in first.items() if key not in self.players)

    def active(self, name: str) -> Sequence[Player]:
        """Return the active players of a name."""
        return [player for player in self.players.get(search_key(name), ()) if player.active]

    def chosen(self) -> dict[str, Player]:
        """Return the active player of each name that has one."""
        active = {name: self.active(name) for name in self.names}
        return {name: players[0] for name, players in active.items() if players}

    def errors(self) -> list[str]:
        """Return a sentence for each name that is there twice, or that several or no active players have."""
        known = [name for name in self.names if search_key(name) in self.players]
        sentences = [*(_error(name, self.active(name)) for name in known), *_repeated(self.names)]
        return [sentence for sentence in sentences if sentence]

    def errors_of_unknown(self) -> list[str]:
        """Return what to do about the unknown names, then each of them with the nearest known name."""
        unknown = self.unknown
        if not unknown:
            return []
        head = ngettext(
            "%(count)d name is unknown in the club. Correct it, or add the player with the box below.",
            "%(count)d names are unknown in the club. Correct them, or add the players with the box below.",
            len(unknown),
        )
        suggested = [self._with_suggestion(name) for name in unknown[:MOST_SUGGESTIONS]]
        return [head % {"count": len(unknown)}, *suggested, *unknown[MOST_SUGGESTIONS:]]

    def errors_of_newcomers(self) -> list[str]:
        """Return a sentence for each name that is there twice, or that a player of the club has."""
        known = [name for name in self.names if search_key(name) in self.players]
        sentence = _("%(name)s is a player of the club already: tick that player instead.")
        return [*(sentence % {"name": name} for name in known), *_repeated(self.names)]

    def similar(self) -> list[str]:
        """Return each unknown name that is near to a known one, with that one."""
        return [self._with_suggestion(name) for name in self.unknown if self._near.near(name)]

    def suggestions(self) -> list[tuple[str, str]]:
        """Return unknown names that are near to a known one, each with the nearest."""
        near = ((name, self._near.near(name)) for name in self.unknown[:MOST_SUGGESTIONS])
        return [(name, found[0]) for name, found in near if found]

    def _with_suggestion(self, name: str) -> str:
        near = self._near.near(name)
        if not near:
            return name
        return _("%(name)s (did you mean %(known)s?)") % {"name": name, "known": near[0]}

    @cached_property
    def _near(self) -> NearNames:
        return NearNames(players[0].name for players in self.players.values())


def lines_of(text: str) -> tuple[str, ...]:
    """Return the names that a text has, one per line; empty lines are left out."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def name_list(club: Club, names: Sequence[str]) -> NameList:
    """Return the names as a list that is read against the club's players."""
    players: dict[str, list[Player]] = {}
    for player in players_of(club):
        players.setdefault(player.search_name, []).append(player)
    return NameList(tuple(names), players)


def _error(name: str, players: Sequence[Player]) -> str:
    """Return what is wrong with a name that not exactly one active player has; an empty text for nothing."""
    if len(players) == 1:
        return ""
    if not players:
        sentence = _("%(name)s is a player of the club, but not active. Make the player active first.")
    else:
        sentence = _("Several players are named %(name)s. Tick the right one under “Enter players”.")
    return sentence % {"name": name}


def _repeated(names: Sequence[str]) -> list[str]:
    counted = Counter(map(search_key, names))
    twice = [name for name in names if counted.pop(search_key(name), 1) > 1]
    return [_("%(name)s is on the list twice.") % {"name": name} for name in twice]
