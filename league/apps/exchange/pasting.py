"""Reads pasted text, a list from a chat or columns of a spreadsheet, into rows of players.

A line is a person: the name, and beside it an email address, a phone number and anything else, which becomes
the note, so that nothing is dropped. A first line that names columns makes it the text of a file.
"""

import re
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from games.engine.names import one_line
from games.engine.refusals import Malformed
from league.apps.exchange.reading import MAX_ROWS, Columns, Contents, Row, are_headings, read
from league.queries.names import lines_of

_EMAIL: Final = re.compile(r"[<(\[]*(?:mailto:)?([^\s<>()\[\],;:|]+@[^\s<>()\[\],;|]+)[>)\]]*")
_PHONE: Final = re.compile(r"(?<![\w.])(\+?\(?\+?\d[\d ()/.–-]{4,}\d)(?!\w)")
_DATE: Final = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](?:\d\d){1,2}|\d{4}[./-]\d{1,2}[./-]\d{1,2}")
_LABEL: Final = re.compile(r"\b(?:e-?mail|mail|phone|tel|telephone|telefon|mobile?|handy|fon|cell)\W*$", re.I)
_FROM_MAIL: Final = re.compile(r"(?<=>)\s*[,;]\s*(?=[^\s])")
"""What stands between the people of a mail program's line of addressees: "Ann <ann@…>, Bo <bo@…>"."""
_COLUMNS: Final = re.compile(r"[\t;|]")
_AROUND: Final = " \t,;:|–-\N{NO-BREAK SPACE}"


def read_pasted(text: str, columns: Columns, *, last_first: bool) -> Contents:
    """Return the contents of a text; with ``last_first`` a name in two columns begins with the last name.

    Raises `Malformed` for a text without a line, and for one with too many.
    """
    lines = [person for line in lines_of(text) for person in _FROM_MAIL.split(line)]
    if lines and are_headings(lines[0], columns):
        return read(text.encode(), columns)
    if len(lines) == 1 and lines[0].count(",") > 1 and not _EMAIL.search(lines[0]):
        lines = [name for name in lines[0].split(",") if name.strip()]
    if not lines:
        raise Malformed({"file": [_("There is no name here.")]})
    if len(lines) > MAX_ROWS:
        raise Malformed({"file": [_("At most %(most)d rows can be read at once.") % {"most": MAX_ROWS}]})
    people = [_Person(line) for line in lines]
    columned = [person for person in people if len(person.name) > 1]
    whole = 2 * sum(" " in each.name[0] or "," in each.name[0] for each in columned) > len(columned)
    order = ("name",) if whole else ("last", "first") if last_first else ("first", "last")
    return Contents(tuple(Row(at, person.cells(order)) for at, person in enumerate(people, 1)), (), ())


class _Person:
    """A line taken apart: the cells of the name, and what stands beside it."""

    def __init__(self, line: str) -> None:
        self.emails = _EMAIL.findall(line)
        line = _EMAIL.sub("\n", line)
        self.phones = [each for each in _PHONE.findall(line) if not _DATE.fullmatch(each)]
        for phone in self.phones:
            line = line.replace(phone, "\n", 1)
        parts = (_LABEL.sub("", part).strip(_AROUND) for part in line.split("\n"))
        name, *self.notes = [*filter(None, parts)] or [""]
        self.name = [*filter(None, (cell.strip(_AROUND) for cell in _COLUMNS.split(name)))] or [""]
        last, *more = self.name[0].split(",", 2)
        if len(more) > 1:
            self.name[0] = f"{last},{more[0]}"
            self.notes.insert(0, more[1])

    def cells(self, order: Sequence[str]) -> dict[str, str]:
        """Return the person's texts by column; a name that is in one column alone is whole."""
        columns = order if len(self.name) > 1 else ("name",)
        named, beside = dict(zip(columns, self.name, strict=False)), self.name[len(columns) :]
        notes = (*beside, *self.notes, *self.emails[1:], *self.phones[1:])
        cells = {**named, "email": "".join(self.emails[:1]), "phone": "".join(self.phones[:1])}
        cells["note"] = ", ".join(each.strip(_AROUND) for each in notes)
        return {column: one_line(cell) for column, cell in cells.items() if cell}
