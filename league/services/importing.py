"""A competition or a game of another server, taken in from its file (docs/log.md) as it was there."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar
from uuid import UUID

from django.db import IntegrityError, transaction

from games import database_time, rebuilding
from games import verifier as games
from games.engine import clocks
from games.engine.chain import derived_id
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.lines import parsed
from games.models import Game
from league import log
from league.core import portable, verifier
from league.core.portable import File, WrongFile
from league.models import Account, Club, ClubGame, Competition, Entry, Import, Player, Table
from league.projections import competitions as projections
from league.queries import permissions
from league.services.competitions import free_slug, take_in_details
from league.services.players import take_in_player


@dataclass(frozen=True)
class Imported:
    """A competition that is here now, and whether it was missing before."""

    competition: Competition
    created: bool


Taken = TypeVar("Taken")

MOST_LINES: Final = 100_000
MOST_BYTES: Final = 8_000_000
_MOST_ATTEMPTS: Final = 3
_AHEAD: Final = timedelta(days=1)
"""How wrong the clock of the server that wrote a file may have been."""


@dataclass(frozen=True)
class ImportedGame:
    """A game that is here now, and whether it was missing before."""

    game: Game
    created: bool


def import_log(*, by: Account, club: Club, data: bytes) -> Imported | ImportedGame:
    """Take what is in a file into a club: a competition with its games, or one game.

    Raises PermissionDenied for all but organisers, `Malformed` and `Illegal` as `import_competition`.
    """
    permissions.require_organiser(club.pk, by)
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise Malformed({"file": [text("The file is not UTF-8 at byte %(at)s.", at=error.start)]}) from None
    if len(lines) > MOST_LINES:
        raise Malformed({"file": [text("The file has more than %(most)s lines.", most=MOST_LINES)]})
    if portable.is_export(lines[0]):
        return import_competition(club=club, lines=lines, by=by)
    return import_game(club=club, lines=lines, by=by)


def import_game(*, club: Club, lines: Iterable[str], by: Account | None = None) -> ImportedGame:
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
) -> ImportedGame:
    # The club's row is the lock: the same file may come twice at once.
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    here = ClubGame.objects.filter(club=club, game__head=report.head).select_related("game").first()
    if here is not None:
        return ImportedGame(here.game, created=False)
    _check_clock(report.opening.clock)
    for player in filter(None, report.opening.seats):
        _seat(club, UUID(player), players.get(player))
    entries = [parsed(number, line) for number, line in enumerate(lines[:-1], 1)]
    _check_date(entries[-1])
    opened_at = datetime.fromisoformat(entries[0]["at"])
    game_id = derived_id(opened_at, f"{club.pk} {report.head}")
    rebuilding.restore(game_id=game_id, lines=lines)
    game = Game.objects.get(pk=game_id)
    ClubGame.objects.create(game=game, club=club)
    Import.objects.create(club=club, game=game, by=by)
    return ImportedGame(game, created=True)


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


def import_competition(*, club: Club, lines: Iterable[str], by: Account | None = None) -> Imported:
    """Take a competition that is over, with all its games and players, into a club.

    All of the file is verified first, as by ``python -m league.verify``. Ids, hashes and times stay as they
    are; players who are missing come without accounts; where the address is taken the competition gets
    another. What is here already with the same logs is left as it is. Raises `Malformed` for a file that does
    not hold, and `Illegal` for one that is not over, or where something of it is here already and is not the
    same, or is another club's.
    """
    file = _verified(lines)
    return _beside_others(lambda: _taken_in(club, file, by))


def _beside_others(take_in: Callable[[], Taken]) -> Taken:
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


def _taken_in(club: Club, file: File, by: Account | None) -> Imported:
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
    for player, name in file.players.items():
        _take_in(club, UUID(player), name)
    for game, lines in file.games.items():
        rebuilding.restore(game_id=UUID(game), lines=lines)
    competition = _competition(club, file, entries[-1])
    if file.details != portable.NOTHING_TOLD:
        take_in_details(competition=competition, told=file.details)
    log.restore(competition, entries)
    Import.objects.create(club=club, competition=competition, by=by)
    projections.rebuild(competition.pk)
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
    opened = [event["table"] for event in events if event["type"] == "table_opened"]
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
        raise Illegal(text("The player %(name)s exists already, in another club.", name=name))


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
