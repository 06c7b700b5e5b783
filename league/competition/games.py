"""The games that a log's events open."""

from collections.abc import Iterable, Iterator

from league.competition.events import Event, Published, Replayed, TableOpened


def games_of(happened: Iterable[Event]) -> Iterator[tuple[str, str]]:
    """Yield table and game for each game that the events opened, in order."""
    for event in happened:
        match event:
            case Published():
                yield from ((each.table, each.game) for each in event.games)
            case TableOpened():
                yield from ((event.table, game) for game in event.games)
            case Replayed():
                yield event.table, event.game
            case _:
                pass
