"""What a club's audit record says."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from league.models import ClubChange, Player

_MOST: Final = 3


def changes_since(club: UUID, kinds: Collection[str], subject: str, since: datetime) -> Sequence[ClubChange]:
    """Return the changes of a subject from a time on, the latest first; three at most."""
    of_subject = with_players(ClubChange.objects.all()).filter(
        club=club, kind__in=kinds, subject=subject, at__gte=since
    )
    return list(of_subject.select_related("account").order_by("-at", "-pk")[:_MOST])


def with_players(changes: QuerySet[ClubChange]) -> QuerySet[ClubChange]:
    """Return changes with the present name of the player that each is about, and whether that was removed."""
    about = Player.objects.filter(pk=OuterRef("about"))
    return changes.annotate(
        player_name=Subquery(about.values("name")), player_removed=Exists(about.filter(anonymous=True))
    )
