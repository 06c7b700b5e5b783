"""A club that keeps names to its members: people whose names nothing else has, and what tells one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from league.models import Competition, Player
from league.projections import public_names
from league.services.clubs import change_club

if TYPE_CHECKING:
    from tests.factories import Cast

FIRST, LAST = "Zzyzx", "Qwfpk"
MARK: Final = re.compile("zzyzx|qwfpk", re.IGNORECASE)


def hide(cast: Cast) -> None:
    """Give the club's people marked names, which are for its members alone."""
    for number, player in enumerate(Player.objects.filter(club=cast.club, bot=False).order_by("pk")):
        name = f"{FIRST}{number} {LAST}{number}"
        Player.objects.filter(pk=player.pk).update(name=name, search_name=name.lower())
    change_club(by=cast.olga, club=cast.club, name=cast.club.name, timezone="UTC", names="members")
    public_names.follow(cast.club.pk)
    for competition in Competition.objects.filter(club=cast.club):
        public_names.rename_entries(competition)


def told(answer: Any) -> list[str]:
    """Return what an answer tells of marked names, with what is around, in its headers too."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    text = f"{body.decode(errors='replace')} {dict(answer.headers)}"
    return [text[max(0, at.start() - 80) : at.end() + 20] for at in [*MARK.finditer(text)][:2]]
