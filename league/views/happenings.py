"""The entries of a competition's log in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from league import selectors
from league.models import Event
from league.templatetags.trefoil import words

SENTENCES: Final = {
    "opened": lazy("%(name)s is opened."),
    "entries_opened": lazy("Players may enter."),
    "entries_closed": lazy("Entries are closed."),
    "applied": lazy("%(name)s asks for a place."),
    "entered": lazy("%(name)s enters."),
    "approved": lazy("%(entry)s is approved."),
    "rejected": lazy("%(entry)s is turned away."),
    "admitted": lazy("%(entry)s moves up from the waiting list."),
    "checked_in": lazy("%(entry)s is there."),
    "withdrawn": lazy("%(entry)s withdraws."),
    "returned": lazy("%(entry)s plays again from round %(from_round)s on."),
    "substituted": lazy("A substitute plays for %(entry)s from round %(from_round)s on."),
    "absent": lazy("%(entry)s will miss round %(round)s."),
    "present": lazy("%(entry)s will play in round %(round)s after all."),
    "started": lazy("The competition starts."),
    "stage_added": lazy("Another stage is announced."),
    "stage_started": lazy("Stage %(stage)s begins."),
    "drawn": lazy("Round %(round)s is drawn."),
    "seats_moved": lazy("Seats of round %(round)s are exchanged."),
    "published": lazy("Round %(round)s is published."),
    "deadline_set": lazy("The deadline of round %(round)s is set: %(deadline)s."),
    "table_opened": lazy("A table is opened in round %(round)s."),
    "replayed": lazy("%(table)s plays its abandoned game again."),
    "result_recorded": lazy("%(table)s is played."),
    "abandoned": lazy("The game of %(table)s is abandoned."),
    "ruled": lazy("The result of %(table)s is ruled."),
    "no_show": lazy("%(entry)s did not come to %(table)s."),
    "forfeited": lazy("%(entry)s forfeits at %(table)s."),
    "walked_over": lazy("%(table)s is a walkover."),
    "voided": lazy("%(table)s counts for nobody."),
    "adjusted": lazy("%(entry)s: %(points)s points by an organiser."),
    "round_closed": lazy("Round %(round)s is closed."),
    "paused": lazy("The competition is paused."),
    "resumed": lazy("The competition goes on."),
    "cancelled": lazy("The competition is cancelled."),
    "finished": lazy("The competition is over."),
}


@dataclass(frozen=True)
class Happening:
    """An entry of the log, its sentence, and the name of the account that wrote it, if one did."""

    event: Event
    sentence: str
    account: str


def happenings(events: Sequence[Event]) -> tuple[Happening, ...]:
    """Return entries of logs in words, in the order given; four queries."""
    names = selectors.names_in(events)
    stages = selectors.stages_told(events)
    by = selectors.account_names(event.account for event in events)
    return tuple(
        Happening(
            event,
            sentence_of(event.event, names, stages.get((event.competition_id, _stage(event)), "")),
            by.get(event.account or "", ""),
        )
        for event in events
    )


def _stage(event: Event) -> int:
    """Return the number of the stage that an event is of, 0 for one that names none."""
    number = event.event.get("stage")
    return number if isinstance(number, int) else 0


def sentence_of(event: Mapping[str, Any], names: Mapping[str, str], stage: str = "") -> str:
    """Return an event in words; ``names`` are those of entries and tables by id, ``stage`` its stage's."""
    kind = "abandoned" if event.get("status") == "abandoned" else str(event["type"])
    if kind not in SENTENCES:
        return words(kind)
    told = {name: names.get(str(part), part) for name, part in event.items() if not isinstance(part, list)}
    if stage and "round" in told:
        told["round"] = _("%(round)s of %(stage)s") % {"round": told["round"], "stage": stage}
    if kind == "deadline_set":
        told["deadline"] = _time(event.get("deadline"))
    sentence = str(SENTENCES[kind]) % _Told(told)
    return f"{sentence} ({event['reason']})" if event.get("reason") else sentence


def _time(text: str | None) -> str:
    """Return a log's time as people read it, in the zone that is active."""
    if text is None:
        return _("none")
    local = timezone.localtime(datetime.fromisoformat(text))
    return str(date(local, "j M Y, H:i T"))


class _Told(dict[str, Any]):
    """The fields of an event; one that is left out stands at its default, round 1 or nothing."""

    def __missing__(self, name: str) -> str:
        return "1" if name == "from_round" else ""
