"""What a club's audit record says about one subject."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from league.models import ClubChange

_MOST: Final = 3


def changes_since(club: UUID, kinds: Collection[str], subject: str, since: datetime) -> Sequence[ClubChange]:
    """Return the changes of a subject from a time on, the latest first; three at most."""
    of_subject = ClubChange.objects.filter(club=club, kind__in=kinds, subject=subject, at__gte=since)
    return list(of_subject.select_related("account").order_by("-at", "-pk")[:_MOST])
