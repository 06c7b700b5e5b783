"""What people are called where many of them are named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from uuid import UUID

from league.queries.competitions import last_entries_of_namesakes
from league.words.messages import shown_name, told_apart

if TYPE_CHECKING:
    from league.models import Entry, Player


def tell_apart(listed: Iterable[Player]) -> None:
    """Give players who are listed with another one of their name the text ``told`` instead of the name."""
    of_name: dict[tuple[UUID, str], list[Player]] = {}
    for player in listed:
        of_name.setdefault((player.club_id, player.search_name), []).append(player)
    last: dict[UUID, Mapping[UUID, Entry | tuple[int, int]]] = {}
    for (club, _name), several in of_name.items():
        if len(several) > 1 and club not in last:
            last[club] = last_entries_of_namesakes(several[0].club)
        for player in several if len(several) > 1 else ():
            player.told = told_apart(player, last[club])  # type: ignore[attr-defined]  # for the template


def called(player: Player) -> str:
    """Return what a player is called, once those who are listed are told apart."""
    return str(getattr(player, "told", "")) or shown_name(player.called)
