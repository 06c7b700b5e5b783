"""Which standings events can have changed: those after rounds that were played before stay as they are."""

from collections.abc import Iterable, Mapping

from league.core.events import DECISIONS, Event
from league.core.state.competition import Competition


def first_changed(state: Competition, events: Iterable[Event]) -> Mapping[int, int]:
    """Return for each stage the first round after which its standings may differ since before the events.

    A decision about a table changes those after its round and later ones, any other event may change all.
    A stage without standings that differ is left out.
    """
    first: dict[int, int] = {}
    for event in events:
        if event.type not in DECISIONS:
            return {stage.number: 1 for stage in state.stages}
        for stage in state.stages:
            for each in stage.rounds:
                if each.tables.get(vars(event)["table"]):
                    first[stage.number] = min(each.number, first.get(stage.number, each.number))
    return first
