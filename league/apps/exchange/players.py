"""What each row of a file of players would change in a club, for a preview.

A line is a row with everything that was found for it. The job that imports lines is given them with the
organiser's choices, so what is done is exactly what was previewed.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _

from games.engine.names import unprintable
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Length
from league.apps.exchange.reading import MAX_COLUMNS, MAX_ROWS, Contents, Row
from league.hooks.papers import PLAYER_COLUMNS
from league.models import Club, Contact, Member, Player
from league.models.names import first_name_first, search_key
from league.queries.clubs import players_of
from league.queries.near import NearNames

COLUMNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("name", "player", "playername", "fullname", "participant", "member"), "name"),
    **dict.fromkeys(("nom", "nombre", "nome", "spieler", "naam", "namn", "navn"), "name"),
    **dict.fromkeys(("firstname", "givenname", "forename", "first", "vorname", "prenom"), "first"),
    **dict.fromkeys(("lastname", "surname", "familyname", "last", "nachname", "apellido"), "last"),
    **dict.fromkeys(("account", "username", "user", "login", "konto"), "account"),
    **dict.fromkeys(("email", "mail", "emailaddress", "courriel", "correo"), "email"),
    **dict.fromkeys(("phone", "telephone", "tel", "mobile", "mobilephone", "cell", "phonenumber"), "phone"),
    **dict.fromkeys(("telefon", "handy", "portable", "telefono", "telefoon"), "phone"),
    **dict.fromkeys(
        ("note", "notes", "comment", "comments", "remark", "remarks", "bemerkung", "notiz"), "note"
    ),
    **dict.fromkeys(("active", "plays", "isactive", "aktiv", "actif"), "active"),
    **dict.fromkeys(("id", "playerid"), "id"),
}
"""The known headings, in the form that is compared, and the column that each names; apps have more."""

_YES: Final = ("yes", "y", "true", "1", "x", "active", "ja", "oui", "si")
_NO: Final = ("no", "n", "false", "0", "not active", "inactive", "nein", "non")

_SHOWN: Final = 1000
"""How much of a cell's text is shown."""

NEW: Final = "new"
SKIP: Final = "skip"
SAME: Final = "same"
"""A choice: the row is about the person of an earlier one, and what it says counts."""
RENAMED: Final = " renamed"
"""What follows the id of a player in a choice that gives the player the row's name."""

CONTACT: Final = ("email", "phone", "note")
"""The fields of a player's contact."""

_ID: Final = Length(36, 36)


@dataclass(frozen=True)
class Seen:
    """A player of the club with their contact, as they were when the file was read; ``more`` is of apps."""

    id: Annotated[str, _ID]
    name: Annotated[str, Length(1, 100)]
    account: Annotated[str, _ID] | None
    active: bool
    email: Annotated[str, Length(0, 254)] = ""
    phone: Annotated[str, Length(0, 60)] = ""
    note: Annotated[str, Length(0, 500)] = ""
    more: Mapping[str, Any] | None = None

    @property
    def contact(self) -> Mapping[str, str]:
        """Return the fields of the player's contact."""
        return {name: getattr(self, name) for name in CONTACT}


@dataclass(frozen=True)
class Line:
    """A row that can be read. What is None or empty in it the row does not change.

    ``id`` is the id of the player if it is a new one, so that a repeated import creates only one. ``seen``
    are the club's players whom the row may mean; ``choice`` is the id of one of them, who keeps their name,
    the same id with `RENAMED`, `NEW`, `SKIP`, or None where an organiser must choose. ``earlier`` is the
    number of a row that is about the same person, it seems, 0 for none; then `SAME` is a choice, too.
    """

    number: Annotated[int, Between(1, 2**31 - 1)]
    name: Annotated[str, Length(1, 100)]
    account: Annotated[str, _ID] | None
    active: bool | None
    id: Annotated[str, _ID]
    seen: Annotated[tuple[Seen, ...], Length(0, 100)]
    choice: Annotated[str, Length(0, 36 + len(RENAMED))] | None
    email: Annotated[str, Length(0, 254)] = ""
    phone: Annotated[str, Length(0, 60)] = ""
    note: Annotated[str, Length(0, 500)] = ""
    earlier: Annotated[int, Between(0, 2**31 - 1)] = 0
    more: Mapping[str, Any] | None = None

    def with_more(self, later: "Line") -> "Line":
        """Return the line with what a later one about the same person says."""
        active = self.active if later.active is None else later.active
        contact = {name: getattr(later, name) or getattr(self, name) for name in CONTACT}
        more = {**(self.more or {}), **(later.more or {})}
        return replace(self, account=later.account or self.account, active=active, more=more, **contact)

    def wanted(self, seen: Seen) -> Seen:
        """Return the player with the line's values; the name only where the choice renames the player."""
        wanted = Seen(
            seen.id,
            self.name if self.choice == seen.id + RENAMED else seen.name,
            self.account or seen.account,
            seen.active if self.active is None else self.active,
            *(getattr(self, name) or getattr(seen, name) for name in CONTACT),
        )
        return replace(wanted, more={**(seen.more or {}), **(self.more or {})} or None)

    @property
    def chosen(self) -> Seen | None:
        """Return the player of the club whom the choice names; None for another choice."""
        choice = (self.choice or "").removesuffix(RENAMED)
        return next((seen for seen in self.seen if seen.id == choice), None)

    def is_named(self, seen: Seen) -> bool:
        """Return whether the player has the line's name; another one's is only near to it."""
        return search_key(seen.name) == search_key(self.name)

    def made(self) -> Seen:
        """Return the player that the line makes, if it makes one."""
        return self.wanted(Seen(self.id, self.name, None, active=True))

    def changes(self, seen: Seen) -> bool:
        """Return whether the line would change the player."""
        return self.wanted(seen) != seen


@dataclass(frozen=True)
class Lines:
    """The lines of a file."""

    lines: Annotated[tuple[Line, ...], Length(0, MAX_ROWS)]


@dataclass(frozen=True)
class WrongCell:
    """What is wrong with a cell of a column, or with the whole row where the column is ``""``."""

    column: Annotated[str, Length(0, 20)]
    sentence: Annotated[str, Length(1, _SHOWN)]


@dataclass(frozen=True)
class WrongRow:
    """A row with errors. It can only be left out."""

    number: Annotated[int, Between(1, 2**31 - 1)]
    name: Annotated[str, Length(0, _SHOWN)]
    cells: Annotated[tuple[WrongCell, ...], Length(1, 20)]


@dataclass(frozen=True)
class Repeated:
    """A row that says the same as an earlier one, and is left out."""

    number: Annotated[int, Between(1, 2**31 - 1)]
    name: Annotated[str, Length(0, _SHOWN)]
    earlier: Annotated[int, Between(1, 2**31 - 1)]


@dataclass(frozen=True)
class Plan:
    """What a file would change: its lines, its wrong rows, and what is told about the file as a whole.

    ``repeated`` are the rows that are left out; ``ignored`` are the headings of columns that are not kept.
    """

    lines: Lines
    wrong: Annotated[tuple[WrongRow, ...], Length(0, MAX_ROWS)]
    repeated: Annotated[tuple[Repeated, ...], Length(0, MAX_ROWS)]
    ignored: Annotated[tuple[Annotated[str, Length(0, _SHOWN)], ...], Length(0, MAX_COLUMNS)]
    remarks: Annotated[tuple[Annotated[str, Length(0, _SHOWN)], ...], Length(0, 10)]


# ---- Reading rows --------------------------------------------------------------------------------


def plan(club: Club, contents: Contents, *, ask: bool = False) -> Plan:
    """Return what the rows would change in the club's players.

    A row that says the same as an earlier one is left out; with ``ask`` the organiser says who it is.
    """
    known = _Known(club)
    lines: list[Line] = []
    wrong: list[WrongRow] = []
    repeated: list[Repeated] = []
    first: dict[object, int] = {}
    for row in contents.rows:
        earlier = first.setdefault(_content(row), row.number)
        if earlier != row.number and not ask:
            repeated.append(Repeated(row.number, _shown(_name_in(row.cells)), earlier))
            continue
        try:
            lines.append(known.line(row))
        except _WrongCells as found:
            cells = (WrongCell(column, _shown(each)) for column, each in found.sentences.items())
            wrong.append(WrongRow(row.number, _shown(_name_in(row.cells)), tuple(cells)))
    ignored, remarks = tuple(map(_shown, contents.ignored)), tuple(map(_shown, contents.remarks))
    return Plan(Lines(tuple(lines)), tuple(wrong), tuple(repeated), ignored, remarks)


def _content(row: Row) -> object:
    """Return what a row says, the same for rows that differ in capitals or blanks only."""
    cells = {column: " ".join(text.casefold().split()) for column, text in row.cells.items()}
    return frozenset(cells.items()), frozenset(row.wrong.items())


def _shown(text: str) -> str:
    """Return the beginning of a text, with a sign for each character that can't be printed."""
    return "".join("\N{REPLACEMENT CHARACTER}" if unprintable(each) else each for each in text[:_SHOWN])


class _WrongCells(Exception):
    """A row with wrong cells; a sentence for each column."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        super().__init__(*sentences.values())
        self.sentences = sentences


class _Known:
    """The club's players and members, and the values of earlier rows of the file."""

    def __init__(self, club: Club) -> None:
        players = players_of(club).select_related("contact")
        self.players = {str(player.pk): player for player in players}
        self.more = of_apps(player.pk for player in players)
        self.by_name = {player.name: player for player in players}
        self.near = NearNames(self.by_name)
        self.commas = any("," in name for name in self.by_name)
        self.by_key: dict[str, list[Player]] = {}
        for player in self.players.values():
            self.by_key.setdefault(player.search_name, []).append(player)
        members = Member.objects.filter(club=club).select_related("account")
        self.accounts: dict[str, set[str]] = {}
        for member in members:
            for name in _names_of(member):
                self.accounts.setdefault(name, set()).add(str(member.account_id))
        self.emails = {str(member.account_id): member.account.email.casefold() for member in members}
        self.earlier: dict[tuple[str, str], int] = {}
        self.chosen: dict[int, str | None] = {}

    def line(self, row: Row) -> Line:
        """Return the line for a row; raise `_WrongCells`."""
        wrong = dict(row.wrong)
        name = _name(row.cells, wrong)
        if "id" not in row.cells:
            name = name if self.commas else first_name_first(name)
        account, active = self._account(row.cells, wrong), _active(row.cells, wrong)
        _check_contact(row.cells, wrong)
        more = _read_more(row.cells, wrong)
        seen = self._meant(row.cells, name, wrong)
        if wrong:
            raise _WrongCells(wrong)
        told: dict[str, Any] = {column: row.cells.get(column, "") for column in CONTACT} | {"more": more}
        earlier = self._earlier(row, name, account)
        line = Line(row.number, name, account, active, str(uuid4()), seen, None, **told, earlier=earlier)
        choice = _choice(line, self._addresses(line)) if "id" not in row.cells else _renaming(line)
        if earlier and (choice in (None, NEW, self.chosen[earlier]) or not line.email):
            choice = None
        self.chosen[row.number] = choice
        return replace(line, choice=choice)

    def _addresses(self, line: Line) -> Mapping[str, Collection[str]]:
        """Return the addresses of those whom the line may mean, by their ids."""
        return {
            seen.id: {seen.email.casefold(), self.emails.get(seen.account or "", "")} - {""}
            for seen in line.seen
        }

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
            known = self.by_key.get(search_key(name))
            near = [] if known else [self.by_name[each] for each in self.near.near(name, most=3)]
            return tuple(seen_now(player, self.more) for player in known or near)
        player = self.players.get(cells["id"].lower())
        if player is None:
            wrong["id"] = _("No player of the club has this id.")
        return (seen_now(player, self.more),) if player else ()

    def _earlier(self, row: Row, name: str, account: str | None) -> int:
        """Return the number of an earlier row with the id, the account or the name; 0 for none."""
        keys = [("id", row.cells.get("id", "")), ("account", account or "")]
        if "id" not in row.cells:
            keys.append(("name", search_key(name)))
        found = [self.earlier.setdefault(key, row.number) for key in keys if key[1]]
        return next((number for number in found if number != row.number), 0)


def _names_of(member: Member) -> Iterator[str]:
    yield member.account.username.casefold()
    if member.account.email:
        yield member.account.email.casefold()


def of_apps(players: Iterable[UUID]) -> Mapping[UUID, Mapping[str, str]]:
    """Return what apps know of players, as texts in their columns."""
    found: dict[UUID, dict[str, str]] = {player: {} for player in players}
    for columns in PLAYER_COLUMNS:
        for player, texts in columns.of(found).items():
            found[player].update(texts)
    return found


def seen_now(player: Player, more: Mapping[UUID, Mapping[str, str]]) -> Seen:
    """Return a player, whose contact is loaded, as they are now, with what apps know."""
    account = str(player.account_id) if player.account_id else None
    contact = getattr(player, "contact", None)
    told: dict[str, Any] = {name: getattr(contact, name) for name in CONTACT} if contact else {}
    told["more"] = {**more.get(player.pk, {})} or None
    return Seen(str(player.pk), player.name, account, player.active, **told)


def _name_in(cells: Mapping[str, str]) -> str:
    return cells.get("name") or " ".join(cells[part] for part in ("first", "last") if part in cells)


def _name(cells: Mapping[str, str], wrong: dict[str, str]) -> str:
    name = _name_in(cells)
    if not name:
        wrong.setdefault("name", _("There is no name here."))
        return ""
    _check_field(Player, "name", name, wrong)
    return name


def _check_contact(cells: Mapping[str, str], wrong: dict[str, str]) -> None:
    for column in CONTACT:
        if column in cells:
            _check_field(Contact, column, cells[column], wrong)


def _read_more(cells: Mapping[str, str], wrong: dict[str, str]) -> Mapping[str, str]:
    more = dict[str, str]()
    for columns in PLAYER_COLUMNS:
        for column in columns.titles:
            if column in cells:
                try:
                    more[column] = columns.read(column, cells[column])
                except ValidationError as refusal:
                    wrong[column] = " ".join(refusal.messages)
    return more


def _check_field(model: type[Model], column: str, text: str, wrong: dict[str, str]) -> None:
    try:
        model._meta.get_field(column).clean(text, None)  # type: ignore[union-attr]
    except ValidationError as refusal:
        wrong[column] = " ".join(refusal.messages)


def _active(cells: Mapping[str, str], wrong: dict[str, str]) -> bool | None:
    text = search_key(cells.get("active", ""))
    if not text:
        return None
    if text not in (*_YES, *_NO):
        wrong["active"] = _("This must be yes or no.")
    return text in _YES


def _renaming(line: Line) -> str:
    """Return the choice for a line with the id of a player."""
    (seen,) = line.seen
    return seen.id if seen.name == line.name else seen.id + RENAMED


def _choice(line: Line, addresses: Mapping[str, Collection[str]]) -> str | None:
    """Return the choice where it is clear: new, unchanged, the one of the name and address; else None.

    Somebody of the name with another address may be another person.
    """
    if not line.seen:
        return NEW
    named = [seen for seen in line.seen if line.is_named(seen)]
    email = line.email.casefold()
    if email and (known := [seen for seen in named if email in addresses[seen.id]]):
        named = known
    elif email and any(addresses[seen.id] for seen in named):
        return None
    unchanged = [seen for seen in named if not line.changes(seen)]
    if len(named) == 1 or unchanged:
        return (unchanged or named)[0].id
    return None


# ---- Choices -------------------------------------------------------------------------------------


def with_choices(plan: Plan, choices: Mapping[int, str], left_out: Collection[int]) -> Lines:
    """Return the plan's lines with an organiser's choices, and without the rows that are left out.

    Raises `Malformed` with ``row-N`` for each line without a valid choice, and for each wrong row that is not
    left out.
    """
    kept = [line for line in plan.lines.lines if line.number not in left_out]
    chosen = tuple(replace(line, choice=choices.get(line.number) or line.choice) for line in kept)
    numbers = {line.number for line in chosen}
    open_ones = [line for line in chosen if _is_open(line, numbers)]
    wrong = {f"row-{line.number}": [_("Choose a player for this row.")] for line in open_ones}
    wrong |= {
        f"row-{row.number}": [_("Leave this row out, or go back and correct it.")]
        for row in plan.wrong
        if row.number not in left_out
    }
    if wrong:
        raise Malformed(wrong)
    return Lines(_merged(chosen))


def _is_open(line: Line, numbers: Collection[int]) -> bool:
    if line.choice == SAME:
        return line.earlier not in numbers
    return line.choice not in (NEW, SKIP) and line.chosen is None


def _merged(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines, those about the person of an earlier one as a part of that."""
    merged: dict[int, Line] = {}
    whole: dict[int, int] = {}
    for line in lines:
        whole[line.number] = at = whole[line.earlier] if line.choice == SAME else line.number
        merged[at] = merged[at].with_more(line) if line.choice == SAME else line
    return tuple(merged.values())
