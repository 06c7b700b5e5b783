"""What the preview of an import of players shows of each row."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.apps.exchange import players
from league.apps.exchange.listings import TITLES, title_of, words_of
from league.apps.exchange.players import NEW, RENAMED, SAME, SKIP, Line, Plan, Repeated, Seen, WrongCell
from league.models import Club
from league.queries.accounts import account_names
from league.queries.clubs import players_of
from league.queries.competitions import last_entries_of_namesakes
from league.words.messages import told_apart


@dataclass(frozen=True)
class Option:
    """A player that a row may be about, or what else to do with the row."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class PreviewRow:
    """A row of the preview: its outcome, details, and the errors of its cells.

    ``options`` are offered where a player of the same name exists.
    """

    number: int
    name: str
    outcome: str
    text: str
    options: tuple[Option, ...] = ()
    wrong: tuple[WrongCell, ...] = ()
    left_out: bool = False

    @property
    def label(self) -> Any:
        """Return the outcome in words."""
        return OUTCOMES[self.outcome]


OUTCOMES: Final = {
    "new": gettext_lazy("new"),
    "changed": gettext_lazy("changed"),
    "unchanged": gettext_lazy("unchanged"),
    "choose": gettext_lazy("your choice"),
    "repeated": gettext_lazy("left out"),
    "wrong": gettext_lazy("error"),
}


def preview_rows(
    club: Club, plan: Plan, choices: Mapping[int, str], left_out: Collection[int]
) -> tuple[PreviewRow, ...]:
    """Return the rows of the preview in the order of the file, with choices that were made already."""
    accounts = account_names(
        account
        for line in plan.lines.lines
        for account in (line.account, *(seen.account for seen in line.seen))
    )
    lines = [replace(line, choice=choices.get(line.number) or line.choice) for line in plan.lines.lines]
    who = _who(club, lines, accounts)
    rows = [_row(line, accounts, who) for line in lines]
    rows += [PreviewRow(row.number, row.name, "wrong", "", wrong=_titled(row.cells)) for row in plan.wrong]
    rows = [replace(row, left_out=row.number in left_out) for row in rows]
    rows += [_repeated(row) for row in plan.repeated]
    return tuple(sorted(rows, key=lambda row: row.number))


def _titled(cells: Sequence[WrongCell]) -> tuple[WrongCell, ...]:
    return tuple(replace(cell, column=title_of(cell.column)) for cell in cells)


def _row(line: Line, accounts: Mapping[str, str], who: Mapping[str, str]) -> PreviewRow:
    player = line.chosen
    if player is not None:
        changes = _changes(line, player, accounts)
        outcome, text = ("changed" if changes else "unchanged"), "; ".join(changes)
    else:
        outcome = {NEW: "new", SAME: "changed"}.get(line.choice or "", "choose")
        text = "; ".join(_values(line, accounts))
    options = _options(line, who) if line.seen or line.earlier else ()
    return PreviewRow(line.number, line.name, outcome, text, options)


def _repeated(row: Repeated) -> PreviewRow:
    text = _("Row %(row)d has the same.") % {"row": row.earlier}
    return PreviewRow(row.number, row.name, "repeated", text)


def _values(line: Line, accounts: Mapping[str, str]) -> list[str]:
    """Return what a new player has beside a name, and whom of the club the name may mean."""
    account = [(_("account"), accounts.get(line.account, "–"))] if line.account else []
    made = line.made()
    contact = [(TITLES[name], value) for name, value in made.contact.items() if value]
    contact += [(title_of(name), words_of(name, value)) for name, value in (made.more or {}).items()]
    near = [
        _("did you mean %(name)s?") % {"name": seen.name} for seen in line.seen if not line.is_named(seen)
    ]
    others = [
        _("%(name)s here has another email address: is this another person?") % {"name": seen.name}
        for seen in line.seen
        if line.email and not line.earlier and line.choice is None and line.is_named(seen)
    ]
    return [*(f"{title}: {value}" for title, value in (*account, *contact)), *near, *others]


def _changes(line: Line, seen: Seen, accounts: Mapping[str, str]) -> list[str]:
    wanted = line.wanted(seen)
    pairs = (
        (_("name"), seen.name, wanted.name),
        (_("account"), accounts.get(seen.account or "", "–"), accounts.get(wanted.account or "", "–")),
        (_("active"), _yes(seen.active), _yes(wanted.active)),
        *((TITLES[name], seen.contact[name] or "–", wanted.contact[name] or "–") for name in players.CONTACT),
        *(
            (title_of(name), words_of(name, (seen.more or {}).get(name)) or "–", words_of(name, value))
            for name, value in (wanted.more or {}).items()
        ),
    )
    return [f"{name}: {before} → {after}" for name, before, after in pairs if before != after]


def _yes(value: bool) -> str:
    return _("yes") if value else _("no")


def _options(line: Line, known: Mapping[str, str]) -> tuple[Option, ...]:
    """Return whom a row can be about, under their own name or the row's, and what else to do with it."""
    same, renamed = [], []
    if line.earlier:
        merged = _("the same person as row %(row)d: what is filled in here counts") % {"row": line.earlier}
        same.append((SAME, merged))
    for seen in line.seen if len(line.seen) > 1 or not line.earlier else ():
        who = {"who": known[seen.id], "name": line.name}
        if seen.name == line.name:
            same.append((seen.id, _("the same player: %(who)s") % who))
        else:
            same.append((seen.id, _("the same player, keep the name: %(who)s") % who))
            renamed.append((seen.id + RENAMED, _("the same player, now named %(name)s: %(who)s") % who))
    others = [(NEW, _("a new player with this name")), (SKIP, _("skip this row"))]
    return tuple(Option(value, label, value == line.choice) for value, label in (*same, *renamed, *others))


def _who(club: Club, lines: Sequence[Line], accounts: Mapping[str, str]) -> Mapping[str, str]:
    """Return the club's players whom the lines may mean by id, as they are told apart."""
    last = last_entries_of_namesakes(club)
    seen = {seen.id: seen for line in lines for seen in line.seen}
    names = {str(each.pk): told_apart(each, last) for each in players_of(club).filter(pk__in=seen)}
    parts = {
        pk: (names.get(pk, each.name), accounts.get(each.account or "", ""), each.email, _active(each))
        for pk, each in seen.items()
    }
    return {pk: ", ".join(filter(None, told)) for pk, told in parts.items()}


def _active(seen: Seen) -> str:
    return "" if seen.active else _("not active")
