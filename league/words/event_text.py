"""The events of a competition's log as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from games.engine import shapes
from league.core.events import Event as CoreEvent
from league.core.events import write
from league.core.verbs import EVENTS
from league.queries.accounts import account_names
from league.queries.events import names_in, stage_names
from league.words.times import point_in_time
from league.words.values import words

if TYPE_CHECKING:
    from league.models.events import Event


@dataclass(frozen=True)
class EventLine:
    """A line of the log: an event, its sentence, and the name of the account that caused it, if any."""

    event: Event
    sentence: str
    account: str


def event_lines(events: Sequence[Event]) -> tuple[EventLine, ...]:
    """Return the lines of events, in the order given; four queries."""
    names = names_in([event.event for event in events])
    stages = stage_names(event.competition_id for event in events)
    accounts = account_names(event.account for event in events)
    return tuple(
        EventLine(
            event,
            sentence_of(event.event, names, stages.get((event.competition_id, _stage(event.event)), "")),
            accounts.get(event.account or "", ""),
        )
        for event in events
    )


def sentences(competition: UUID, events: Sequence[CoreEvent]) -> tuple[str, ...]:
    """Return the sentences of events that the competition's log need not hold; three queries."""
    written = [write(event) for event in events]
    names, stages = names_in(written), stage_names([competition])
    return tuple(sentence_of(event, names, stages.get((competition, _stage(event)), "")) for event in written)


def _stage(event: Mapping[str, Any]) -> int:
    """Return the number of an event's stage, 0 for an event that names none."""
    number = event.get("stage")
    return number if isinstance(number, int) else 0


def sentence_of(event: Mapping[str, Any], names: Mapping[str, str], stage: str = "") -> str:
    """Return an event as a sentence, with ``names`` of entries and tables by id, and its stage's name."""
    kind = EVENTS.get(str(event["type"]))
    if kind is None:
        return words(str(event["type"]))
    sentence = gettext(kind.sentence(event))
    fields = {
        name: names.get(str(value), value) for name, value in event.items() if not isinstance(value, list)
    }
    if stage and "round" in fields:
        fields["round"] = _("%(round)s of %(stage)s") % {"round": fields["round"], "stage": stage}
    fields["deadline"] = _time(event.get("deadline"))
    sentence = sentence % {**_defaults(kind), **fields}
    return f"{sentence} ({event['reason']})" if event.get("reason") else sentence


def _time(text: str | None) -> str:
    """Return a time of the log as text in the active zone, or "none"."""
    if text is None:
        return _("none")
    return point_in_time(datetime.fromisoformat(text))


def _defaults(kind: type[CoreEvent]) -> Mapping[str, Any]:
    """Return the defaults of an event's fields, which a log leaves out."""
    fields = shapes.record(kind).fields
    return {field.name: "" if field.required else field.usual for field in fields}
