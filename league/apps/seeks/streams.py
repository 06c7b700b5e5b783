"""What the stream of a club tells its members of seeks."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final
from uuid import UUID

from league import hooks
from league.apps.seeks.queries import going_on
from league.apps.seeks.serializers import SeekSerializer


def _items(club: UUID, closed: Collection[UUID]) -> Iterator[Mapping[str, Any]]:
    return (SeekSerializer(seek).data for seek in going_on(club, closed))


GOING_ON: Final = hooks.GoingOn("seek", "seeks", "Seek", _items)
