"""A competition of another server, taken in from its file (docs/log.md): the same logs and standings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from games import restoring
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.lines import parsed
from league import log
from league.core import portable, verifier
from league.core.portable import File, WrongFile
from league.models import Club, ClubGame, Competition, Entry, Player, Table
from league.projections import competitions as projections
from league.services.clubs import take_in_player
from league.services.competitions import free_slug
from league.services.details import take_in_details


@dataclass(frozen=True)
class Imported:
    """A competition that is here now, and whether it was missing before."""

    competition: Competition
    created: bool


def import_competition(*, club: Club, lines: Iterable[str]) -> Imported:
    """Take a competition that is over, with all its games and players, into a club.

    All of the file is verified first, but for the draws, which another release may have made otherwise. Ids,
    hashes and times stay as they are; players who are missing come without accounts; where the address is
    taken the competition gets another. What is here already with the same logs is left as it is. Raises
    `Malformed` for a file that does not hold, and `Illegal` for one that is not over, or where something of
    it is here already and is not the same, or is another club's.
    """
    file = _verified(lines)
    try:
        with transaction.atomic():
            return _taken_in(club, file)
    except IntegrityError:
        # The same file came twice at once: now it is here.
        with transaction.atomic():
            return _taken_in(club, file)


def _verified(lines: Iterable[str]) -> File:
    try:
        file = portable.read(lines)
        report = verifier.check(file, draws=False)
        UUID(file.header.competition)
    except (WrongFile, ValueError) as wrong:
        raise Malformed({"file": [str(wrong)]}) from None
    if not report.state.over or report.running:
        raise Illegal("Only a competition that is over, with all its games, can be imported.")
    return file


def _taken_in(club: Club, file: File) -> Imported:
    entries = [parsed(number, line) for number, line in enumerate(file.log, 1)]
    here = Competition.objects.filter(pk=file.header.competition).first()
    if here is not None:
        _check_same(here, club, entries[-1])
        return Imported(here, created=False)
    _refuse_taken(file, entries)
    for player, name in file.players.items():
        _take_in(club, UUID(player), name)
    for game, lines in file.games.items():
        restoring.restore(game_id=UUID(game), lines=lines)
    competition = _competition(club, file, entries[-1])
    if file.details != portable.NOTHING_TOLD:
        take_in_details(competition=competition, told=file.details)
    log.restore(competition, entries)
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
    )
