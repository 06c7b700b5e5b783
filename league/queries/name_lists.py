"""A list of names, read against the players of a club."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.messages import filled
from games.engine.names import one_line, unprintable
from league.core.seat_names import JOIN
from league.models import Club, Player
from league.models.names import search_key
from league.queries.clubs import players_of
from league.queries.near_names import NearNames

MOST_NAMES: Final = 1000
MOST_SUGGESTIONS: Final = 50
_ALIKE: Final = 0.9
"""How alike two names of one list must be to be asked about: not those of brothers, who share a surname."""

_NUMBERING: Final = re.compile(r"^(?:\d{1,4}(?:[.)]\s*|\s*\t\s*)(?=\S)|[-–—•·▪◦*]+(?:\s+|$))")
"""What stands before the names of a numbered list: "1. ", "2) ", a column of numbers, or a bullet or dash."""
_BETWEEN: Final = "\t;&+/,"
"""What may stand between the players of a team; the first of these that a line has does."""
_LINE_ENDS: Final = re.compile(r"\r\n|[\r\n]")
"""Other separators are inside of names: word processors write U+2028 where a line was only broken."""


@dataclass(frozen=True)
class Line:
    """A line of a list: the names of a team's players, or one player's; and the team's own if it has one."""

    players: tuple[str, ...]
    team: str = ""

    def __str__(self) -> str:
        """Return the line as it is read again."""
        return f"{self.team}: {JOIN.join(self.players)}" if self.team else JOIN.join(self.players)


@dataclass(frozen=True)
class NameList:
    """The names on a list, and the club's players by `search_key`, which ignores accents and capitals.

    ``repeated`` are the names that came again, each once. A name is there as often as different people have
    it. Where several players have a name, and some are ``meant``, there are only those.
    """

    names: tuple[str, ...]
    players: Mapping[str, Sequence[Player]]
    repeated: tuple[str, ...] = ()
    meant: frozenset[str] = frozenset()

    @property
    def unknown(self) -> tuple[str, ...]:
        """Return the names that no player of the club has, not even one who isn't active, each once."""
        once = {search_key(name): name for name in reversed(self.names)}
        return tuple(name for key, name in reversed(once.items()) if key not in self.players)

    def active(self, name: str) -> Sequence[Player]:
        """Return the active players of a name, those who are meant where that is known."""
        active = [player for player in self.players.get(search_key(name), ()) if player.active]
        return [player for player in active if str(player.pk) in self.meant] or active

    def unclear(self) -> list[tuple[str, Sequence[Player]]]:
        """Return each name that is listed once and that several active players have, with them."""
        listed = Counter(map(search_key, self.names))
        found = ((name, self.active(name)) for name in self.names if listed[search_key(name)] == 1)
        return [(name, players) for name, players in found if len(players) > 1]

    def chosen(self) -> list[Player | None]:
        """Return the active player that each name stands for, None where there is no player, or no other."""
        left = {search_key(name): iter(self.active(name)) for name in self.names}
        return [next(left[search_key(name)], None) for name in self.names]

    def errors(self) -> list[str]:
        """Return a sentence for each name that no active player has, or more of them than are listed."""
        listed = Counter(map(search_key, self.names))
        known = {key: name for name in self.names if (key := search_key(name)) in self.players}
        told = (_error(name, self.active(name), listed[key]) for key, name in known.items())
        return [sentence for sentence in told if sentence]

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

    def resembling(self) -> list[tuple[str, Sequence[Player], str]]:
        """Return each name that players of the club have, all but have, or that is like one listed before.

        With each are those players, and the name listed before or an empty text.
        """
        once = {search_key(name): name for name in reversed(self.names)}
        found = [(name, self._resembled(name), self._alike.get(name, "")) for name in reversed(once.values())]
        return [each for each in found if each[1] or each[2]]

    def _resembled(self, name: str) -> Sequence[Player]:
        near = self._near.near(name) if search_key(name) not in self.players else [name]
        return [player for each in near for player in self.players[search_key(each)]]

    def similar(self) -> list[str]:
        """Return each unknown name that is near to a known one, or to one listed before it, with that one."""
        return [self._with_suggestion(name) for name in self.unknown if self._meant(name)]

    def suggestions(self) -> list[tuple[str, str]]:
        """Return unknown names that are near to a known one, or one listed before, each with the nearest."""
        near = ((name, self._meant(name)) for name in self.unknown[:MOST_SUGGESTIONS])
        return [(name, found) for name, found in near if found]

    def _with_suggestion(self, name: str) -> str:
        known = self._meant(name)
        return _("%(name)s (did you mean %(known)s?)") % {"name": name, "known": known} if known else name

    def _meant(self, name: str) -> str:
        """Return the player's name that is nearest to a name, else a nearer one listed before, or nothing."""
        known = self._near.near(name)
        return known[0] if known else self._alike.get(name, "")

    @cached_property
    def _alike(self) -> Mapping[str, str]:
        """Return, for the unknown names that are like one listed before, that one.

        Names whose numbers differ ("Guest 1", "Guest 2") are meant to be different.
        """
        listed = NearNames(self.unknown)
        at = {name: number for number, name in enumerate(self.unknown)}
        return {
            name: before
            for name in self.unknown
            for before in listed.near(name, 2, _ALIKE)[::-1]
            if at[before] < at[name] and _digits(before) == _digits(name)
        }

    @cached_property
    def _near(self) -> NearNames:
        return NearNames(players[0].name for players in self.players.values())


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def lines_of(text: str) -> tuple[str, ...]:
    """Return the names that a text has, one per line, without numbering; empty lines are left out."""
    names = (_NUMBERING.sub("", line.strip(), 1) for line in _LINE_ENDS.split(text))
    # A tab is told: the lines are several columns of a spreadsheet.
    cleaned = (name if "\t" in name else one_line(name) for name in names)
    return tuple(name for name in cleaned if name)


def teams_of(text: str, size: int) -> list[Line]:
    """Return the lines of a text as teams of so many players, or as single players.

    The name of a team stands before a colon, or in a column of its own.
    """
    return [_team(line, size) if size > 1 else Line((line,)) for line in lines_of(text)]


def _team(line: str, size: int) -> Line:
    team, colon, listed = line.rpartition(":")
    between = next((character for character in _BETWEEN if character in listed), "\n")
    names = [cleaned for name in listed.split(between) if (cleaned := one_line(name))]
    if not colon and between in ("\t", ";") and len(names) == size + 1:
        team, *names = names
    return Line(tuple(names), one_line(team))


def wrong_lines(text: str, size: int = 1) -> list[str]:
    """Return a sentence for each line that can't be a name, or a team of so many, with its number and why."""
    listed = [
        (number, line)
        for number, each in enumerate(_LINE_ENDS.split(text), 1)
        for line in teams_of(each, size)
    ]
    wrong = [(number, why) for number, line in listed if (why := _wrong_line(line, size))]
    sentence = _("Line %(line)d: %(why)s")
    return [sentence % {"line": number, "why": why} for number, why in wrong[:MOST_SUGGESTIONS]]


def _wrong_line(line: Line, size: int) -> str:
    count = len(line.players)
    if count == size:
        return next(filter(None, map(_wrong_in, filter(None, (line.team, *line.players)))), "")
    told = ngettext(
        "%(count)d name (%(names)s), but a team here has %(size)d players.",
        "%(count)d names (%(names)s), but a team here has %(size)d players.",
        count,
    )
    return told % {"count": count, "names": ", ".join(line.players), "size": size}


def _wrong_in(name: str) -> str:
    """Return why a line cannot be a name, an empty text where it can."""
    at = next((at for at, character in enumerate(name) if unprintable(character)), None)
    if at is None:
        try:
            Player._meta.get_field("name").run_validators(name)
        except ValidationError as refusal:
            return " ".join(refusal.messages)
        return ""
    given = {"before": name[:at].strip(), "code": f"U+{ord(name[at]):04X}"}
    if name[at] == "\t":
        return _("There is a tab after “%(before)s”. Paste only one column, with the whole names.") % given
    return _("The character after “%(before)s” cannot be printed (%(code)s). Delete it.") % given


def name_list(
    club: Club, names: Sequence[str], *, several: Collection[str] = (), meant: Collection[str] = ()
) -> NameList:
    """Return the names as a list that is read against the club's players.

    Each name is there once, but those that ``several`` people have as often as they came. ``meant`` are the
    ids of players who are meant where others have their name.
    """
    others = {search_key(name) for name in several}
    came: dict[str, list[str]] = {}
    listed = []
    for name in names:
        same = came.setdefault(search_key(name), [])
        same.append(name)
        if len(same) == 1 or search_key(name) in others:
            listed.append(name)
    players: dict[str, list[Player]] = {}
    for player in players_of(club):
        players.setdefault(player.search_name, []).append(player)
    repeated = tuple(same[0] for same in came.values() if len(same) > 1)
    return NameList(tuple(listed), players, repeated, frozenset(meant))


def _error(name: str, players: Sequence[Player], listed: int) -> str:
    """Return what is wrong with a name that is ``listed`` so often; an empty text for nothing."""
    if 1 <= len(players) <= listed:
        return ""
    if not players:
        sentence = _("%(name)s is a player of the club, but not active. Make the player active first.")
    else:
        sentence = _("Several players are named %(name)s. Choose who is meant.")
    return filled(sentence, {"name": name})
