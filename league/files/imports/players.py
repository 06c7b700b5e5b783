"""What each row of a file of players would change in a club, for a preview.

A line is a row with everything that was found for it. Lines are signed and come back with the organiser's
choices, so what is done is exactly what was previewed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Final
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from games.engine.refusals import Malformed
from games.engine.shapes import Between, Length
from league.files.imports.reading import MAX_ROWS, Contents, Row
from league.models import Club, Member, Player
from league.models.names import search_key

COLUMNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("name", "player", "playername", "fullname", "participant", "member"), "name"),
    **dict.fromkeys(("nom", "nombre", "nome", "spieler", "naam", "namn", "navn"), "name"),
    **dict.fromkeys(("firstname", "givenname", "forename", "first", "vorname", "prenom"), "first"),
    **dict.fromkeys(("lastname", "surname", "familyname", "last", "nachname", "apellido"), "last"),
    **dict.fromkeys(("account", "username", "user", "login"), "account"),
    **dict.fromkeys(("email", "mail", "emailaddress", "courriel"), "email"),
    **dict.fromkeys(("active", "plays", "isactive", "aktiv", "actif"), "active"),
    **dict.fromkeys(("id", "playerid"), "id"),
}
"""The known headings, in the form that is compared, and the column that each names."""

_YES: Final = ("yes", "y", "true", "1", "x", "active", "ja", "oui", "si")
_NO: Final = ("no", "n", "false", "0", "not active", "inactive", "nein", "non")

NEW: Final = "new"
SKIP: Final = "skip"

_ID: Final = Length(36, 36)


@dataclass(frozen=True)
class Seen:
    """A player of the club as they were when the file was read."""

    id: Annotated[str, _ID]
    name: Annotated[str, Length(1, 100)]
    account: Annotated[str, _ID] | None
    active: bool


@dataclass(frozen=True)
class Line:
    """A row that can be read. ``account`` and ``active`` are None where the row does not change them.

    ``id`` is the id of the player if it is a new one, so that a repeated import creates only one. ``seen``
    are the club's players whom the row may mean; ``choice`` is the id of one of them, `NEW`, `SKIP`, or None
    where an organiser must choose.
    """

    number: Annotated[int, Between(1, 2**31 - 1)]
    name: Annotated[str, Length(1, 100)]
    account: Annotated[str, _ID] | None
    active: bool | None
    id: Annotated[str, _ID]
    seen: Annotated[tuple[Seen, ...], Length(0, 100)]
    choice: Annotated[str, Length(0, 36)] | None

    def wanted(self, seen: Seen) -> Seen:
        """Return the player with the line's values."""
        account = self.account or seen.account
        active = seen.active if self.active is None else self.active
        return Seen(seen.id, self.name, account, active)

    def changes(self, seen: Seen) -> bool:
        """Return whether the line would change the player."""
        return self.wanted(seen) != seen


@dataclass(frozen=True)
class Lines:
    """The lines of a file, for one club."""

    club: Annotated[str, _ID]
    lines: Annotated[tuple[Line, ...], Length(0, MAX_ROWS)]


@dataclass(frozen=True)
class Plan:
    """What a file would change: its lines, and a sentence for each wrong cell, by row and column."""

    lines: Lines
    wrong: Mapping[int, Mapping[str, str]]
    contents: Contents


# ---- Reading rows --------------------------------------------------------------------------------


def plan(club: Club, contents: Contents) -> Plan:
    """Return what the rows would change in the club's players."""
    known = _Known(club)
    lines, wrong = [], {}
    for row in contents.rows:
        try:
            lines.append(known.line(row))
        except _WrongCells as found:
            wrong[row.number] = found.sentences
    return Plan(Lines(str(club.pk), tuple(lines)), wrong, contents)


class _WrongCells(Exception):
    """A row with wrong cells; a sentence for each column."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        super().__init__(*sentences.values())
        self.sentences = sentences


class _Known:
    """The club's players and members, and the values of earlier rows of the file."""

    def __init__(self, club: Club) -> None:
        self.players = {str(player.pk): player for player in Player.objects.filter(club=club)}
        self.by_key: dict[str, list[Player]] = {}
        for player in self.players.values():
            self.by_key.setdefault(player.search_name, []).append(player)
        members = Member.objects.filter(club=club).select_related("account")
        self.accounts: dict[str, set[str]] = {}
        for member in members:
            for name in _names_of(member):
                self.accounts.setdefault(name, set()).add(str(member.account_id))
        self.earlier: dict[tuple[str, str], int] = {}

    def line(self, row: Row) -> Line:
        """Return the line for a row; raise `_WrongCells`."""
        wrong = dict(row.wrong)
        name = _name(row.cells, wrong)
        account, active = self._account(row.cells, wrong), _active(row.cells, wrong)
        seen = self._meant(row.cells, name, wrong)
        self._check_once(row, name, account, wrong)
        if wrong:
            raise _WrongCells(wrong)
        line = Line(row.number, name, account, active, str(uuid4()), seen, None)
        return replace(line, choice=_choice(line, by_id="id" in row.cells))

    def _account(self, cells: Mapping[str, str], wrong: dict[str, str]) -> str | None:
        for column in ("account", "email"):
            if text := cells.get(column):
                found = sorted(self.accounts.get(text.casefold(), ()))
                if len(found) > 1:
                    wrong[column] = _("Several members have this email address. Name the account.")
                elif not found and column == "account":
                    wrong[column] = _("No member of the club has this account.")
                return found[0] if found else None
        return None

    def _meant(self, cells: Mapping[str, str], name: str, wrong: dict[str, str]) -> tuple[Seen, ...]:
        if "id" not in cells:
            return tuple(_seen(player) for player in self.by_key.get(search_key(name), ()))
        player = self.players.get(cells["id"].lower())
        if player is None:
            wrong["id"] = _("No player of the club has this id.")
        return (_seen(player),) if player else ()

    def _check_once(self, row: Row, name: str, account: str | None, wrong: dict[str, str]) -> None:
        """Note as wrong what an earlier row has already for the same person."""
        keys = [("id", row.cells.get("id", "")), ("account", account or "")]
        if "id" not in row.cells:
            keys.append(("name", search_key(name)))
        for column, text in keys:
            earlier = self.earlier.setdefault((column, text), row.number) if text else row.number
            if earlier != row.number:
                wrong[column] = _("Row %(row)d has the same.") % {"row": earlier}


def _names_of(member: Member) -> Iterator[str]:
    yield member.account.username.casefold()
    if member.account.email:
        yield member.account.email.casefold()


def _seen(player: Player) -> Seen:
    account = str(player.account_id) if player.account_id else None
    return Seen(str(player.pk), player.name, account, player.active)


def _name(cells: Mapping[str, str], wrong: dict[str, str]) -> str:
    name = cells.get("name") or " ".join(cells[part] for part in ("first", "last") if part in cells)
    if not name:
        wrong.setdefault("name", _("There is no name here."))
        return ""
    try:
        Player._meta.get_field("name").clean(name, None)
    except ValidationError as refusal:
        wrong["name"] = " ".join(refusal.messages)
    return name


def _active(cells: Mapping[str, str], wrong: dict[str, str]) -> bool | None:
    text = search_key(cells.get("active", ""))
    if not text:
        return None
    if text not in (*_YES, *_NO):
        wrong["active"] = _("This must be yes or no.")
    return text in _YES


def _choice(line: Line, *, by_id: bool) -> str | None:
    """Return the choice where it is clear: by id, unchanged, the only one of the name, or new; else None."""
    if not line.seen:
        return NEW
    unchanged = [seen.id for seen in line.seen if not line.changes(seen)]
    if by_id or len(line.seen) == 1 or unchanged:
        return (unchanged or [line.seen[0].id])[0]
    return None


# ---- Choices -------------------------------------------------------------------------------------


def with_choices(lines: Lines, choices: Mapping[int, str]) -> Lines:
    """Return the lines with choices; raise `Malformed` with ``row-N`` for each without a valid one."""
    chosen = tuple(replace(line, choice=choices.get(line.number) or line.choice) for line in lines.lines)
    if wrong := {
        f"row-{line.number}": [_("Choose a player for this row.")] for line in chosen if _is_open(line)
    }:
        raise Malformed(wrong)
    return replace(lines, lines=chosen)


def _is_open(line: Line) -> bool:
    return line.choice not in (NEW, SKIP, *(seen.id for seen in line.seen))
