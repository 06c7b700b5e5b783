"""Names that people type: which known name each means, one by one in a search, or a whole list of them."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice, repeat
from typing import Any, Final, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.messages import filled
from games.engine.names import one_line, unprintable
from league.core.state.entries import JOIN
from league.models import Club, Player
from league.models.names import first_name_first, search_key
from league.queries.clubs import players_of
from league.queries.near import NearNames, letters

# ---- “Did you mean” ------------------------------------------------------------------------------

M = TypeVar("M", bound=Model)

MOST_MEANT: Final = 5
"""How many names are suggested for one."""


@dataclass(frozen=True)
class Found(Generic[M]):
    """The rows that a search found; ``meant`` says that these are only what somebody may have meant."""

    rows: QuerySet[M]
    meant: bool = False


def found(rows: QuerySet[M], text: str) -> Found[M]:
    """Return the rows in whose names all words of a text are; where there are none, those with near names.

    The rows have names. Accents, capitals and apostrophes make no difference. All searches for
    people and entries use this.
    """
    words = letters(text).split()
    if not words:
        return Found(rows)
    people: Iterable[Any] = rows.order_by()
    names: dict[Any, str] = {each.pk: each.called for each in people}
    having = [pk for pk, name in names.items() if all(word in letters(name) for word in words)]
    if having:
        return Found(rows.filter(pk__in=having))
    near = NearNames(names.values()).near(text, MOST_MEANT)
    return Found(rows.filter(pk__in=[pk for pk, name in names.items() if name in near]), bool(near))


def near_players(players: QuerySet[Player], name: str, most: int = MOST_MEANT) -> Sequence[str]:
    """Return the names of some players that are near to a name, the nearest first."""
    return NearNames(players.values_list("name", flat=True)).near(name, most)


# ---- Lists of names ------------------------------------------------------------------------------

MOST_NAMES: Final = 1000
MOST_SUGGESTIONS: Final = 50
_ALIKE: Final = 0.9
"""How alike two names of one list must be to be asked about: not those of brothers, who share a surname."""

_NUMBERING: Final = re.compile(r"^(?:\d{1,4}(?:[.)]\s*|\s*\t\s*)(?=\S)|[-–—•·▪◦*]+(?:\s+|$))")
"""What stands before the names of a numbered list: "1. ", "2) ", a column of numbers, or a bullet or dash."""
NEW: Final = "new"
"""Who is meant by a name where it is somebody new to the club, not a player."""
_JOINING: Final = "&+/"
_SIGNS: Final = f"\t;{_JOINING}"
"""What may stand between the players of a team; the first of these that a line has does."""
_AND: Final = r"(?<!\bvon)\s(?:and|und)\s(?!zu\s)"
_WORDS: Final = tuple(re.compile(each, re.IGNORECASE) for each in (f"{_AND}|,", ",", _AND))
"""What else may part them, and be inside of a name: that does which gives as many as a team has."""
_PARTING: Final = re.compile(r"[\t;,]")
_LINE_ENDS: Final = re.compile(r"\r\n|[\r\n]")
"""Other separators are inside of names: word processors write U+2028 where a line was only broken."""


@dataclass(frozen=True)
class Line:
    """A line of a list: the names of a team's players, or one player's; and the team's own if it has one.

    ``otherwise`` are the names by another reading that gives as many.
    """

    players: tuple[str, ...]
    team: str = ""
    number: int = field(default=0, compare=False)
    otherwise: tuple[str, ...] = field(default=(), compare=False)

    @property
    def keys(self) -> frozenset[str]:
        """Return the keys of its players' names: the same for a line that has the same team again."""
        return frozenset(map(search_key, self.players))

    def __str__(self) -> str:
        """Return the line as it is read again."""
        return f"{self.team}: {JOIN.join(self.players)}" if self.team else JOIN.join(self.players)


@dataclass(frozen=True)
class NameList:
    """The names on a list, and the club's players by `search_key`, which ignores accents and capitals.

    ``repeated`` are the names that came again, each once, if it must be asked whether they are different
    people's. A name is there as often as different people have it. ``meant`` has for each name the id of the
    player who is meant, `NEW`, or an empty text where that is not known. In ``teams`` it matters who is who
    even where all players of a name are listed and somebody new. In the ``past`` people may be meant who have
    left the club since, and those ``there`` whatever became of them.
    """

    names: tuple[str, ...]
    players: Mapping[str, Sequence[Player]]
    repeated: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()
    teams: bool = False
    past: bool = False
    there: Collection[str] = ()

    @cached_property
    def times(self) -> Counter[str]:
        """Return how often each name is listed, by its key."""
        return Counter(map(search_key, self.names))

    @property
    def unknown(self) -> tuple[str, ...]:
        """Return the names that no player of the club has, not even one who isn't active, each once."""
        once = {search_key(name): name for name in reversed(self.names)}
        return tuple(name for key, name in reversed(once.items()) if key not in self.players)

    def active(self, name: str) -> Sequence[Player]:
        """Return the players of a name who are active, or were."""
        same = self.players.get(search_key(name), ())
        return [
            player
            for player in same
            if player.active or (self.past and not player.anonymous) or str(player.pk) in self.there
        ]

    def unclear(self) -> Mapping[int, Sequence[Player]]:
        """Return the players whom a name may mean, by its place, where nothing says who it is.

        Nobody is meant in two places.
        """
        found = {at: self.active(name) for at, name in enumerate(self.names)}
        return {at: players for at, players in found.items() if self._is_unclear(at, players)}

    def _is_unclear(self, at: int, players: Sequence[Player]) -> bool:
        times, meant = self.times[search_key(self.names[at])], self.meant[at]
        if not players or times == len(players) == 1 or (times > len(players) and not self.teams):
            return False
        if meant == NEW:
            return times <= len(players)
        return self.meant.count(meant) > 1 or all(str(player.pk) != meant for player in players)

    def chosen(self) -> list[Player | None]:
        """Return the active player that each name stands for, None where there is no player, or no other."""
        left = {
            search_key(name): iter([each for each in self.active(name) if str(each.pk) not in self.meant])
            for name in self.names
        }
        return [
            None if meant == NEW else self._of(name, meant) or next(left[search_key(name)], None)
            for name, meant in zip(self.names, self.meant, strict=True)
        ]

    def _of(self, name: str, meant: str) -> Player | None:
        return next((player for player in self.active(name) if str(player.pk) == meant), None)

    def errors(self) -> list[str]:
        """Return a sentence for each name that no active player has, or of which it is unclear who it is."""
        gone = _("%(name)s is a player of the club, but not active. Make the player active first.")
        several = _("Several players are named %(name)s. Choose who is meant.")
        same = _("%(name)s: one player cannot be meant in two lines. Choose who is meant in each.")
        known = {key: name for name in self.names if (key := search_key(name)) in self.players}
        told = {key: filled(gone, {"name": name}) for key, name in known.items() if not self.active(name)}
        for at in self.unclear():
            sentence = same if self.meant[at] and self.meant.count(self.meant[at]) > 1 else several
            told[search_key(self.names[at])] = filled(sentence, {"name": self.names[at]})
        return [told[key] for key in known if key in told]

    def errors_of_unknown(self, answered: Collection[str] = ()) -> list[str]:
        """Return what to do about the unknown names, then each of them with the nearest known name.

        Those are left out of which it is ``answered`` that they are somebody new's.
        """
        unknown = [name for name in self.unknown if name not in answered]
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

    def similar(self, answered: Collection[str] = ()) -> list[str]:
        """Return each unknown name that is near to a known one, or to one listed before it, with that one.

        Those are left out of which it is ``answered`` that they are somebody new's.
        """
        asked = [name for name in self.unknown if name not in answered]
        return [self._with_suggestion(name) for name in asked if self._meant(name)]

    def suggestions(self, answered: Collection[str] = ()) -> list[tuple[str, Sequence[str]]]:
        """Return unknown names, each with known ones that it is near to, or a nearer one listed before.

        Those are left out of which it is ``answered`` that they are somebody new's, and those beyond
        `MOST_SUGGESTIONS`.
        """
        asked = (name for name in self.unknown if name not in answered)
        near = ((name, self._near.near(name, MOST_MEANT)) for name in asked)
        told = ((name, found or [*filter(None, [self._alike.get(name)])]) for name, found in near)
        return [*islice((each for each in told if each[1]), MOST_SUGGESTIONS)]

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
    """Return the names that a text has, one per line, without numbering and what separates them from more.

    Empty lines are left out.
    """
    names = (_NUMBERING.sub("", line.strip(), 1).rstrip(" ,;") for line in _LINE_ENDS.split(text))
    # A tab is told: the lines are several columns of a spreadsheet.
    cleaned = (name if "\t" in name else one_line(name) for name in names)
    return tuple(name for name in cleaned if name)


def teams_of(text: str, size: int) -> list[Line]:
    """Return the lines of a text as teams of so many players, or as single players.

    The name of a team stands before a colon, or in a column of its own.
    """
    return [
        _team(line, size, number) if size > 1 else Line((line,), "", number)
        for number, each in enumerate(_LINE_ENDS.split(text), 1)
        for line in lines_of(each)
    ]


def _team(line: str, size: int, number: int) -> Line:
    team, colon, listed = line.rpartition(":")
    sign = _sign_in(listed, _SIGNS)
    parted = [listed.split(sign)] if sign else [each.split(listed) for each in _WORDS]
    readings = [tuple(filter(None, map(one_line, names))) for names in parted]
    if not colon and sign in ("\t", ";") and len(readings[0]) == size + 1:
        team, readings = readings[0][0], [readings[0][1:]]
    fitting = [*dict.fromkeys(names for names in readings if len(names) == size)] or readings[:1]
    return Line(fitting[0], one_line(team), number, *fitting[1:2])


def _sign_in(listed: str, signs: str) -> str:
    return next((sign for sign in signs if sign in listed), "")


def people_in(name: str, known: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names of who is joined as in "Ann & Ben"; a name with one of the ``known`` keys is one.

    How many play together is not known here, so that a comma joins nobody: "Berg, Ada" is one person.
    """
    sign = _sign_in(name, _JOINING)
    parts = name.split(sign) if sign else _WORDS[-1].split(name)
    return (name,) if search_key(name) in known else tuple(filter(None, map(str.strip, parts)))


def two_readings(name: str, known: Set[str]) -> str:
    """Return a sentence where a comma or tab can stand between people as well as within an unknown name."""
    parts = [*filter(None, map(one_line, _PARTING.split(name)))]
    one = first_name_first(name)
    if len(parts) == 1 or (len(parts) == 2 and not all(" " in each for each in parts)):
        return ""
    return "" if known & {search_key(name), search_key(one)} else _read_as(one_line(one), JOIN.join(parts))


def _read_as(one: str, other: str) -> str:
    told = _("This can be read as “%(one)s” or as “%(other)s”. Write it like one of them.")
    return told % {"one": one, "other": other}


def instead(listed: str, typed: str, known: str, *, size: int) -> str:
    """Return a text with a known name in place of a typed one; its other lines stay as they were typed.

    A line of the typed name alone is left out where the known one is listed. What was typed as "Berg, Ada"
    is found as "Ada Berg", too.
    """
    lines = teams_of(listed, size)
    if size == 1 and Line((typed,)) not in lines:
        names = [name for line in lines for name in line.players]
        typed = next((name for name in names if first_name_first(name) == typed), typed)
    written = _LINE_ENDS.split(listed)
    return "\n".join(
        str(replace(line, players=tuple(known if name == typed else name for name in line.players)))
        if typed in line.players
        else written[line.number - 1]
        for line in lines
        if line != Line((typed,)) or Line((known,)) not in lines
    )


def wrong_lines(text: str, size: int = 1) -> list[str]:
    """Return a sentence for each line that can't be a name, or a team of so many, with its number and why."""
    wrong = [(line.number, why) for line in teams_of(text, size) if (why := _wrong_line(line, size))]
    sentence = _("Line %(line)d: %(why)s")
    return [sentence % {"line": number, "why": why} for number, why in wrong[:MOST_SUGGESTIONS]]


def _wrong_line(line: Line, size: int) -> str:
    count = len(line.players)
    if line.otherwise:
        return _read_as(JOIN.join(line.players), JOIN.join(line.otherwise))
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


def as_written(club: Club, names: Sequence[str]) -> Sequence[str]:
    """Return "Berg, Ada" as "Ada Berg", unless the club writes names with commas itself."""
    turned = [first_name_first(name) for name in names]
    if turned == [*names] or players_of(club).filter(name__contains=",").exists():
        return names
    return turned


def name_list(
    club: Club,
    names: Sequence[str],
    *,
    several: Collection[str] = (),
    meant: Sequence[str] = (),
    teams: bool = False,
    past: bool = False,
    there: Collection[str] = (),
) -> NameList:
    """Return the names as a list that is read against the club's players.

    Each name is there once, but those that ``several`` people have as often as they came. So are names of
    ``teams`` of which the club has as many players: nobody plays in two. ``meant`` says who is meant, for
    each name of the list that is returned. In the ``past`` those who have left since may be meant, and those
    ``there`` by their ids even if they were removed.
    """
    players: dict[str, list[Player]] = {}
    for player in players_of(club):
        players.setdefault(player.search_name, []).append(player)
    came: dict[str, list[str]] = {}
    for name in names:
        came.setdefault(search_key(name), []).append(name)
    active = {key: sum(player.active for player in players.get(key, ())) for key in came}
    namesakes = {key for key, same in came.items() if teams and 1 < len(same) <= active[key]}
    others = namesakes | {search_key(name) for name in several}
    left = {key: iter(same if key in others else same[:1]) for key, same in came.items()}
    listed = tuple(found for name in names if (found := next(left[search_key(name)], "")))
    repeated = tuple(same[0] for key, same in came.items() if len(same) > 1 and key not in namesakes)
    known = tuple(islice(chain(meant, repeat("")), len(listed)))
    return NameList(listed, players, repeated, known, teams, past, there)
