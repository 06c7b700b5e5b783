"""Imports, each in one transaction: players from a file, competitions and games of other servers.

A competition or a game is taken in from its file (docs/log.md) as it was there.
"""

import hashlib
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from games import database_time, rebuilding
from games import verifier as games
from games.engine import clocks, shapes
from games.engine.chain import derived_id
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed, Refusal
from games.lines import parsed
from games.models import Game
from league import log
from league.apps.exchange import players, reading
from league.apps.exchange.pasting import read_pasted
from league.apps.exchange.players import NEW, SKIP, Line, Lines, Seen, of_apps, seen_now
from league.core import portable, verifier
from league.core.portable import File, WrongFile
from league.files.file import Progress
from league.hooks.papers import PLAYER_COLUMNS
from league.models import Account, Club, ClubGame, Competition, Entry, Import, Job, Member, Player, Table
from league.models.names import search_key
from league.projections import ratings, standings
from league.projections.appearing import appear
from league.queries import permissions
from league.services.competitions import free_slug, take_in_details
from league.services.jobs import Result, start_job
from league.services.players import (
    NewPlayer,
    change_player,
    create_player,
    create_players,
    take_in_player,
    write_contacts,
)

MOST_LINES: Final = 100_000
MOST_BYTES: Final = 8_000_000
MOST_IMPORTS: Final = 3
_MOST_ATTEMPTS: Final = 3
_AHEAD: Final = timedelta(days=1)
"""How wrong the clock of the server that wrote a file may have been."""


# ---- Of players ----------------------------------------------------------------------------------


def read_players(job: Job, _progress: Progress) -> Result:
    """Read an uploaded file or a pasted text.

    The result is the plan that an organiser looks at before it is imported; and the text, to be corrected.
    """
    known = ChainMap(dict(players.COLUMNS), *(dict(each.headings) for each in PLAYER_COLUMNS))
    data = bytes(job.upload or b"")
    if not job.given:
        return Result({"plan": shapes.write(players.plan(job.club, reading.read(data, known)))})
    contents = read_pasted(data.decode(), known, last_first=job.given["last_first"])
    plan = players.plan(job.club, contents, ask=True)
    return Result({"plan": shapes.write(plan), "pasted": data.decode()})


def import_players(job: Job, progress: Progress) -> Result:
    """Make and change a club's players as lines say, each with a choice; the result counts what was done.

    The same lines again change nothing. Raises `Illegal` with the row's number where the club's players are
    no longer as the lines saw them or cannot be so; then nothing has changed.
    """
    lines = shapes.read(Lines, job.given["lines"]).lines
    ratings.lock(job.club_id)  # several players may get other accounts, or each other's
    present = _Present(job.by, Club.objects.select_for_update(no_key=True).get(pk=job.club_id), lines)
    done = []
    for at, line in enumerate(lines):
        progress(at, len(lines))
        done.append(present.do(line))
    present.write_new()
    return Result({what: done.count(what) for what in ("new", "changed", "unchanged")})


class _Present:
    """The club's players as they are now, beside what the lines saw."""

    def __init__(self, by: Account, club: Club, lines: Sequence[Line]) -> None:
        self.by, self.club = by, club
        meant = {pk for line in lines for pk in (line.id, *(seen.id for seen in line.seen))}
        players = Player.objects.filter(club=club, merged_into=None).select_related("contact")
        self.players = players.in_bulk(map(UUID, meant))
        self.known = of_apps(self.players)
        keys = {search_key(line.name) for line in lines if line.choice == NEW}
        namesakes = Player.objects.filter(club=club, search_name__in=keys)
        self.namesakes: dict[str, set[str]] = {}
        for key, pk in namesakes.values_list("search_name", "pk"):
            self.namesakes.setdefault(key, set()).add(str(pk))
        members = Member.objects.filter(club=club).select_related("account")
        self.accounts = {str(member.account_id): member.account for member in members}
        self.new: list[NewPlayer] = []
        self.contacts: dict[UUID, Mapping[str, str]] = {}
        self.more: dict[UUID, Mapping[str, Any]] = {}

    def do(self, line: Line) -> str:
        """Do what a line says and return what came of it; raises `Illegal` with the row's number."""
        try:
            if line.choice == SKIP:
                return "left out"
            return self._make(line) if line.choice == NEW else self._change(line)
        except Refusal as refusal:
            why = refusal.sentence
            raise Illegal(
                "Row %(row)s, %(name)s: %(why)s", row=line.number, name=line.name, why=why
            ) from None

    def write_new(self) -> None:
        """Write the new players without accounts, and all contacts and what apps keep, together."""
        create_players(by=self.by, club=self.club, new=self.new)
        players = Player.objects.in_bulk(self.contacts)
        contacts = {players[pk]: fields for pk, fields in self.contacts.items()}
        write_contacts(by=self.by, club=self.club, contacts=contacts)
        told = Player.objects.in_bulk(self.more)
        for columns in PLAYER_COLUMNS if told else ():
            columns.keep(self.by, self.club, {player: self.more[pk] for pk, player in told.items()})

    def _make(self, line: Line) -> str:
        pk, made = UUID(line.id), line.made()
        if pk in self.players:
            return "unchanged"
        if self.namesakes.get(search_key(line.name), set()) - {seen.id for seen in line.seen}:
            raise Illegal("meanwhile there is a player of this name. Choose the file again.")
        account = self._account(line.account)
        if account is None:
            self.new.append(NewPlayer(made.name, made.active, pk))
        else:
            create_player(
                by=self.by,
                club=self.club,
                name=made.name,
                account=account,
                active=made.active,
                player_id=pk,
            )
        self._keep_contact(pk, made)
        return "new"

    def _change(self, line: Line) -> str:
        seen = line.chosen
        assert seen is not None
        player = self.players.get(UUID(seen.id))
        after = line.wanted(seen)
        if player is not None and seen_now(player, self.known) == after:
            return "unchanged"
        if player is None or seen_now(player, self.known) != seen:
            raise Illegal("the player has been changed meanwhile. Choose the file again.")
        account = self._account(after.account)
        if (after.name, after.account, after.active) != (seen.name, seen.account, seen.active):
            change_player(by=self.by, player=player, name=after.name, account=account, active=after.active)
        self._keep_contact(player.pk, after)
        return "changed"

    def _keep_contact(self, pk: UUID, wanted: Seen) -> None:
        if any(wanted.contact.values()):
            self.contacts[pk] = wanted.contact
        if wanted.more:
            self.more[pk] = wanted.more

    def _account(self, pk: str | None) -> Account | None:
        if pk is not None and pk not in self.accounts:
            raise Illegal("the account is no longer a member of the club.")
        return self.accounts[pk] if pk else None


# ---- Of logs -------------------------------------------------------------------------------------

T = TypeVar("T", Competition, Game)


@dataclass(frozen=True)
class Imported(Generic[T]):
    """A competition or a game that is here now, and whether it was missing before."""

    row: T
    created: bool


@transaction.atomic
def start_import(*, by: Account, club: Club, data: bytes) -> Job:
    """Return the job that imports a file; the one that is at work on the same file, where there is one.

    Raises `Illegal` where `MOST_IMPORTS` are at work in the club, and PermissionDenied.
    """
    imports = imports_of(club, by)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    at_work = imports.filter(status__in=(Job.Status.WAITING, Job.Status.RUNNING))
    given = {"sha256": hashlib.sha256(data).hexdigest()}
    same = at_work.filter(given=given).first()
    if same is not None:
        return same
    if at_work.count() >= MOST_IMPORTS:
        raise Illegal("The club has imports at work. Wait until they are done.")
    return start_job(by=by, club=club, kind=Job.Kind.IMPORT_LOG, given=given, upload=data)


def imports_of(club: Club, account: Account) -> QuerySet[Job]:
    """Return the club's imports of logs, the newest first; raises PermissionDenied for all but organisers."""
    permissions.require_organiser(club.pk, account)
    imports = Job.objects.filter(club=club, kind=Job.Kind.IMPORT_LOG)
    return imports.defer("upload", "file").order_by("-made_at", "pk")


def import_log(job: Job, _progress: Progress) -> Result:
    """Take what is in a file into a club: a competition with its games, or one game.

    Raises `Malformed` and `Illegal` as `import_competition`.
    """
    lines = _lines_in(bytes(job.upload or b""))
    take_in, kind = (
        (import_competition, "competition") if portable.is_export(lines[0]) else (import_game, "game")
    )
    done = take_in(club=job.club, lines=lines, by=job.by)
    return Result({kind: str(done.row.pk), "created": done.created})


def _lines_in(data: bytes) -> Sequence[str]:
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise Malformed({"file": [text("The file is not UTF-8 at byte %(at)s.", at=error.start)]}) from None
    if len(lines) > MOST_LINES:
        raise Malformed({"file": [text("The file has more than %(most)s lines.", most=MOST_LINES)]})
    return lines


def import_game(*, club: Club, lines: Iterable[str], by: Account | None = None) -> Imported[Game]:
    """Take a game that is over into a club, as a casual game, from the file of its log.

    Before the log there may be lines with the names of players who are not in the club, as in a competition's
    file. The game gets an id of its own, the same each time. Raises `Malformed` for a file that does not
    hold, `Illegal` for a game that is not over or has players of another club.
    """
    players, log_lines = _with_names(lines)
    try:
        report = games.check(log_lines)
    except games.WrongLog as wrong:
        raise Malformed({"file": [str(wrong)]}) from None
    if not report.replayed:
        raise Illegal("Only a game that is over can be imported.")
    return _beside_others(lambda: _taken_in_game(club, report, players, log_lines, by))


def _taken_in_game(
    club: Club, report: games.Report, players: Mapping[str, str], lines: Sequence[str], by: Account | None
) -> Imported[Game]:
    here = ClubGame.objects.filter(club=club, game__head=report.head).select_related("game").first()
    if here is not None:
        return Imported(here.game, created=False)
    _check_clock(report.opening.clock)
    entries = [parsed(number, line) for number, line in enumerate(lines[:-1], 1)]
    _check_date(entries[-1])
    opened_at = datetime.fromisoformat(entries[0]["at"])
    game_id = derived_id(opened_at, f"{club.pk} {report.head}")
    # The same file may come twice at once: the second one waits here, for the game's id.
    rebuilding.restore(game_id=game_id, lines=lines)
    for player in filter(None, report.opening.seats):
        _seat(club, UUID(player), players.get(player))
    appear(filter(None, report.opening.seats))
    game = Game.objects.get(pk=game_id)
    ClubGame.objects.create(game=game, club=club)
    Import.objects.create(club=club, game=game, by=by)
    return Imported(game, created=True)


def _with_names(lines: Iterable[str]) -> tuple[Mapping[str, str], Sequence[str]]:
    """Return names by player's id, and the lines of the log below them."""
    filled = [line for line in (line.rstrip("\r") for line in lines) if line.strip()]
    first = next((at for at, line in enumerate(filled) if not line.startswith('{"player":')), len(filled))
    players = dict[str, str]()
    try:
        for number, line in enumerate(filled[:first], 1):
            player, name = portable.named(number, line, players)
            players[player] = name
    except WrongFile as wrong:
        raise Malformed({"file": [str(wrong)]}) from None
    return players, filled[first:]


def _check_clock(clock: object) -> None:
    """Raise `Malformed` for a time zone that is not known here, which not every verifier can tell."""
    clocks.read(clock)


def _check_date(last: Mapping[str, Any]) -> None:
    """Raise `Malformed` where the last entry of a log is dated ahead."""
    if datetime.fromisoformat(last["at"]) > database_time.now() + _AHEAD:
        raise Malformed({"file": [text("Its last entry is dated %(at)s.", at=last["at"])]})


def _seat(club: Club, player: UUID, name: str | None) -> None:
    if name is None and not Player.objects.filter(pk=player).exists():
        sentence = text(
            "The player %(player)s is not in the club, and the file does not name this player.",
            player=str(player),
        )
        raise Malformed({"file": [sentence]})
    _take_in(club, player, name or "")


def import_competition(
    *, club: Club, lines: Iterable[str], by: Account | None = None
) -> Imported[Competition]:
    """Take a competition that is over, with all its games and players, into a club.

    All of the file is verified first, as by ``python -m league.verify``. Ids, hashes and times stay as they
    are; players who are missing come without accounts; where the address is taken the competition gets
    another. What is here already with the same logs is left as it is. Raises `Malformed` for a file that does
    not hold, and `Illegal` for one that is not over, or where something of it is here already and is not the
    same, or is another club's.
    """
    file = _verified(lines)
    return _beside_others(lambda: _taken_in(club, file, by))


def _beside_others(take_in: Callable[[], Imported[T]]) -> Imported[T]:
    """Return what is taken in, where it has to be tried again since others wrote some of it at once.

    Raises `Illegal` where they always do.
    """
    for _attempt in range(_MOST_ATTEMPTS):
        with suppress(IntegrityError), transaction.atomic():
            return take_in()
    raise Illegal("Something of this file is being written by somebody else. Import it again.")


def _verified(lines: Iterable[str]) -> File:
    try:
        file = portable.read(lines)
        report = verifier.check(file)
    except WrongFile as wrong:
        raise Malformed({"file": [str(wrong)]}) from None
    if different := next(verifier.differences(report), ""):
        raise Malformed({"file": [different]})
    if not report.state.over or report.running:
        raise Illegal("Only a competition that is over, with all its games, can be imported.")
    return file


def _taken_in(club: Club, file: File, by: Account | None) -> Imported[Competition]:
    entries = [parsed(number, line) for number, line in enumerate(file.log, 1)]
    here = Competition.objects.filter(pk=file.header.competition).first()
    if here is not None:
        _check_same(here, club, entries[-1])
        return Imported(here, created=False)
    _refuse_taken(file, entries)
    _check_date(entries[-1])
    _check_clock(entries[0]["event"]["clock"])
    for lines in file.games.values():
        _check_date(parsed(None, lines[-2]))
    for game, lines in file.games.items():
        rebuilding.restore(game_id=UUID(game), lines=lines)
    competition = _competition(club, file, entries[-1])
    if file.details != portable.NOTHING_TOLD:
        take_in_details(competition=competition, told=file.details)
    log.restore(competition, entries)
    # New players lock the club, for which whoever comes or leaves waits: so they come late.
    for player, name in file.players.items():
        _take_in(club, UUID(player), name)
    Import.objects.create(club=club, competition=competition, by=by)
    standings.rebuild(competition.pk)
    competition.refresh_from_db()
    return Imported(competition, created=True)


def _check_same(here: Competition, club: Club, last: Mapping[str, Any]) -> None:
    if here.club_id != club.pk:
        raise Illegal("This competition exists already, in another club.")
    if here.head != last["hash"]:
        raise Illegal("This competition exists already, with another log.")


def _refuse_taken(file: File, entries: Iterable[Mapping[str, Any]]) -> None:
    """Raise `Illegal` where an entry, table or game of the file is another competition's here."""
    events = [entry["event"] for entry in entries]
    named = [event["entry"] for event in events if event["type"] in ("entered", "applied")]
    drawn = [table["table"] for event in events for table in event.get("tables", ())]
    opened = [each["table"] for each in events if each["type"] in ("table_opened", "waiting_seated")]
    taken = (
        Entry.objects.filter(pk__in=named).exists()
        or Table.objects.filter(pk__in=[*drawn, *opened]).exists()
        or ClubGame.objects.filter(pk__in=list(file.games)).exists()
    )
    if taken:
        raise Illegal("An entry, a table or a game of this file belongs to another competition.")


def _take_in(club: Club, player_id: UUID, name: str) -> None:
    here = Player.objects.filter(pk=player_id).first()
    if here is None:
        take_in_player(club=club, player_id=player_id, name=name)
    elif here.club_id != club.pk:
        raise Illegal("The player %(name)s exists already, in another club.", name=name)


def _competition(club: Club, file: File, last: Mapping[str, Any]) -> Competition:
    at = datetime.fromisoformat(last["at"])
    return Competition.objects.create(
        id=UUID(file.header.competition),
        club=club,
        slug=free_slug(file.header.address),
        seq=last["seq"],
        head=last["hash"],
        opened_at=at,
        changed_at=at,
        shown_seq=last["seq"],
        shown_at=at,
    )
