"""The rooms of the next round, typed one a line, and the numbers that none of its tables has."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _

from league.admin.fields import LinesField, TextField
from league.admin.verbs.base import VerbForm
from league.core.state.rooms import NO_ROOMS, Room, Rooms
from league.queries.rounds import rooms_before, rooms_of

_LINE: Final = re.compile(r"(?P<name>.*?\D)??(?P<one>[0-9]{1,4})(?:\s*[-–]\s*(?P<last>[0-9]{1,4}))?")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,2}")


def read_rooms(lines: Sequence[str]) -> Iterator[Room]:
    """Yield the rooms in lines such as "Bar 1–4", or "Bar 4" for four tables after those before.

    Raises ValidationError for any other line.
    """
    after = 0
    for line in lines:
        found = _LINE.fullmatch(line.strip())
        if not found:
            raise forms.ValidationError(_("Write each room with its tables, for example Bar 1–4."))
        first, last = after + 1, after + int(found["one"])
        if found["last"]:
            first, last = int(found["one"]), int(found["last"])
        if not 1 <= first <= last <= 1000:
            raise forms.ValidationError(_("Tables have numbers from 1 to 1000, the lower one first."))
        yield Room((found["name"] or "").strip(" ,:"), first, last)
        after = last


class RoomsForm(VerbForm):
    """The rooms of the next round; those of the club's last competition that had some are offered."""

    def offer(self) -> None:
        """Show the rooms as they are, or the club's."""
        now = rooms_of(self.competition)
        offered = now if now != NO_ROOMS else rooms_before(self.competition)
        self.fields["rooms"] = LinesField(
            label=_("Rooms"),
            required=False,
            help_text=_(
                "One a line, with the numbers of its tables: Bar 1–4. Or how many it has: Hall 8. Only a "
                "number, 12, is one room without a name. Leave it empty for no rooms."
            ),
            initial=[*_lines(offered)],
        )
        self.fields["without"] = TextField(
            label=_("Numbers to leave out"),
            required=False,
            help_text=_("For example 13; no table has one of these."),
            initial=", ".join(map(str, offered.without)),
        )

    def clean_rooms(self) -> tuple[Room, ...]:
        """Return the rooms."""
        return tuple(read_rooms(self.cleaned_data["rooms"]))

    def clean_without(self) -> tuple[int, ...]:
        """Return the numbers; raise ValidationError for anything else."""
        parts = [part for part in re.split(r"[\s,;]+", self.cleaned_data["without"]) if part]
        if not all(map(_NUMBER.fullmatch, parts)):
            raise forms.ValidationError(_("Write numbers of tables, for example 13, 14."))
        return tuple(map(int, parts))

    def values(self) -> dict[str, Any]:
        """Return rooms and numbers."""
        return {"rooms": self.cleaned_data["rooms"], "without": self.cleaned_data["without"]}


def _lines(rooms: Rooms) -> Iterator[str]:
    for each in rooms.rooms:
        yield f"{each.name} {each.first}–{each.last}".strip()
