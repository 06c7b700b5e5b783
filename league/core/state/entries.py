"""The entries of a competition, each a player or a team: their names, and in which rounds they play."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from league.core.state.indexed import Indexed

# ---- Names ---------------------------------------------------------------------------------------

JOIN: Final = " & "
"""What stands between players' names in the name of a team."""


def is_named_after(entry: str, players: str) -> bool:
    """Return whether an entry has the names of its players, or these with a number, as "Ada Able (2)"."""
    return bool(re.fullmatch(rf"{re.escape(players)}(?: \(\d+\))?", entry))


def after_players(entry: str, players: str) -> str | None:
    """Return what an entry's name says after its players' names: mostly nothing; None for another name."""
    return entry.removeprefix(players) if is_named_after(entry, players) else None


def seat_names(player: str, entry: str) -> tuple[str, str]:
    """Return the name of a seat, and its entry's name where that says more; else an empty text.

    Of two players of one name the second's entry has a number, by which the seat is told apart. The name of
    a team that is made from its players' names says no more.
    """
    if is_named_after(entry, player):
        return entry, ""
    return player, "" if player in re.sub(r" \(\d+\)$", "", entry).split(JOIN) else entry


def seats_told_apart(seats: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """Return `seat_names` of players and their entries, with the entry where several have one name."""
    named = [seat_names(*seat) for seat in seats]
    entries = {(name, entry) for (name, _team), (_player, entry) in zip(named, seats, strict=True)}
    people = Counter(name for name, _entry in entries)
    return [
        (name, entry if people[name] > 1 and entry != name else team)
        for (name, team), (_player, entry) in zip(named, seats, strict=True)
    ]


# ---- Entries -------------------------------------------------------------------------------------

EntryStatus: TypeAlias = Literal["applied", "rejected", "waiting", "entered", "withdrawn"]

Point: TypeAlias = tuple[int, int]
"""A stage and a round of it."""
BEGINNING: Point = (0, 0)


@dataclass(frozen=True)
class Entry:
    """A player or a team in the competition.

    Its ``public_name`` is what others than the club's people read for the name, as that is told.
    Its ``own_name`` is the one that the log has, empty where it is named after its players. The names of
    players are in no log: ``name`` is empty until `league.core.entering.with_names` is told them.
    ``lineups`` are the players, by the first round in which they play. ``spells`` are the periods in which
    the entry takes part: the first round of each, and the first round after it. ``was`` are the statuses that
    it had before, the last one last, as far as they can be given back. ``expulsions`` are the periods for
    which an organiser put it out: the first round of each, and the one from which it played again.
    ``club`` is the club that entered it and whose desk acts for it, empty for the competition's own.
    ``turns`` are the numbers of the events by which it came or left at once, with whether it came.
    ``owners`` are whose points the places of the line-up earn, by the first round for which that holds,
    where stand-ins play for points of their own. ``requested`` are those of its ``absences`` that are byes on
    request.

    It is here from the round ``here_from`` on. In a competition with check-in that is None until it has
    ``checked_in``; where it joins after the start, or is marked as present then, it needs no check-in.
    """

    id: str
    name: str
    lineups: tuple[tuple[Point, tuple[str, ...]], ...]
    status: EntryStatus
    affiliation: str = ""
    checked_in: bool = False
    here_from: Point | None = BEGINNING
    spells: tuple[tuple[Point, Point | None], ...] = ((BEGINNING, None),)
    absences: tuple[Point, ...] = ()
    was: tuple[EntryStatus, ...] = ()
    expulsions: tuple[tuple[Point, Point | None], ...] = ()
    own_name: str = ""
    public_name: str = ""
    turns: tuple[tuple[int, bool], ...] = ()
    owners: tuple[tuple[Point, tuple[str, ...]], ...] = ()
    requested: tuple[Point, ...] = ()
    club: str = ""

    @property
    def players(self) -> tuple[str, ...]:
        """Return the latest line-up."""
        return self.lineups[-1][1]

    @property
    def eponyms(self) -> tuple[str, ...]:
        """Return whom it is called after without a name of its own: a team's players, or who entered."""
        return self.players if len(self.players) > 1 else self.lineups[0][1]

    @property
    def expelled(self) -> bool:
        """Return whether an organiser put it out."""
        return bool(self.expulsions) and self.expulsions[-1][1] is None

    @property
    def live(self) -> bool:
        """Return whether the entry takes part, waits, or has applied."""
        return self.status in ("applied", "waiting", "entered")

    def lineup(self, at: Point) -> tuple[str, ...]:
        """Return the players of the entry in a round."""
        return next(players for since, players in reversed(self.lineups) if since <= at)

    def owners_at(self, at: Point) -> tuple[str, ...]:
        """Return whose points each place of the line-up earns in a round: of its first round's by default."""
        first = max(self.spells[0][0] if self.spells else BEGINNING, (1, 1))
        return next((owners for since, owners in reversed(self.owners) if since <= at), self.lineup(first))

    def takes_part(self, at: Point) -> bool:
        """Return whether the entry belongs to a round, present or absent."""
        if self.status not in ("entered", "withdrawn"):
            return False
        return any(since <= at and (until is None or at < until) for since, until in self.spells)

    def since(self, at: Point) -> Point:
        """Return since when the entry takes part, or last took part, at a point."""
        return max((since for since, _ in self.spells if since <= at), default=BEGINNING)

    def joins_after(self, at: Point) -> bool:
        """Return whether the entry came for the round after one: checked in, entered or returned so late."""
        after = (at[0], at[1] + 1)
        if at in self.absences or self.status != "entered":
            return False
        return (self.here_from if self.takes_part(at) else self.spells[-1][0]) == after

    def spells_from(self, since: Point) -> tuple[tuple[Point, Point | None], ...]:
        """Return its periods once it takes part again; one that has not ended by then goes on."""
        if self.spells and self.spells[-1][1] is not None and since <= self.spells[-1][1]:
            return (*self.spells[:-1], (self.spells[-1][0], None))
        return (*self.spells, (since, None))

    def came_late(self, stage: int) -> bool:
        """Return whether it entered, or was first here, after the first round of a stage that runs."""
        begun = max(self.spells[0][0] if self.spells else BEGINNING, self.here_from or BEGINNING)
        return (stage, 1) < begun

    def entered_after(self, at: Point) -> bool:
        """Return whether it is a late entry of the stage that missed a round of it before it entered."""
        first = self.spells[0][0] if self.spells else BEGINNING
        return self.status in ("entered", "withdrawn") and at < first and first[0] == at[0]

    def came(self, at: Point) -> bool:
        """Return whether the entry had been in the stage by a round of it."""
        return any(since <= at and (until is None or until >= (at[0], 1)) for since, until in self.spells)

    def left(self, at: Point, *, at_once: bool) -> Literal["withdrawn", "expelled", ""]:
        """Return how the entry had left by the end of a round that another one followed, empty if it had not.

        In an open-ended round who withdraws leaves ``at_once``, in others from the next one on.
        """
        after = at if at_once else (at[0], at[1] + 1)
        if any(since <= after and (until is None or at < until) for since, until in self.expulsions):
            return "expelled"
        left = any(since == self.since(at) and until and until <= after for since, until in self.spells)
        return "withdrawn" if left else ""

    @property
    def came_by(self) -> int:
        """Return the number of the event by which it came, or came back last after rounds without it."""
        comings = [seq if came else 0 for seq, came in self.turns] or [0]
        return max(comings) if len(self.spells) > 1 else comings[0]

    def was_out(self, seq: int, at: Point) -> bool:
        """Return whether the entry had left, or had not come yet, by an event in a round."""
        return next((came for turn, came in self.turns if turn > seq), not self.takes_part(at))

    def engaged(self, since: Point) -> frozenset[str]:
        """Return all players of the entry in any round from a point on, also of one that waits or applies."""
        if self.status == "rejected":
            return frozenset()
        return frozenset(
            player
            for start, end in self.spells
            if end is None or end > since
            for player in self._between(max(start, since), end)
        )

    def _between(self, start: Point, end: Point | None) -> Iterator[str]:
        """Yield the players of every line-up from one point up to another."""
        yield from self.lineup(start)
        for since, players in self.lineups:
            if start < since and (end is None or since < end):
                yield from players

    def plays(self, at: Point) -> bool:
        """Return whether the entry takes part in a round, is here by then and is not absent."""
        return self.takes_part(at) and self.here(at) and at not in self.absences

    def here(self, at: Point) -> bool:
        """Return whether the entry is here in a round."""
        return self.here_from is not None and self.here_from <= at


class Entries(Indexed[Entry]):
    """The entries of a competition, found by their ids, their names and all their players."""

    @staticmethod
    def words(item: Entry) -> tuple[str, ...]:
        names = {item.name, item.own_name} - {""}
        return item.id, *names, *(player for _, players in item.lineups for player in players)
