"""The name of a seat: its player's and its entry's, each said once."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

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
