"""Evenings of other clubs: their files, verified and matched with the people of a series' club.

An organiser brings them, or accepts what a player hands in: a file tells that it is whole, and not that the
club and the people in it are who they are said to be.
"""

from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import Final

from django.db import transaction

from games import database_time
from games.engine import shapes
from games.engine.messages import text
from games.engine.names import one_line
from games.engine.refusals import Illegal, Malformed
from games.lines import parsed
from games.verifier import GOOD
from league import log as competitions
from league.apps.series import log, services
from league.apps.series.core import events
from league.apps.series.core.beside import may_be_on, opening_of
from league.apps.series.core.evenings import brought_shares
from league.apps.series.core.parts import Part
from league.apps.series.core.state import BroughtShare
from league.apps.series.models import HandedIn, Series
from league.choices import TokenScope
from league.core import portable, verifier
from league.core.portable import WrongFile
from league.models import Account, Club, Player
from league.models.names import search_key
from league.projections.public_names import lock
from league.queries import permissions

MOST_BYTES: Final = 8_000_000


def read(content: bytes) -> tuple[portable.File, verifier.Report]:
    """Return the file of a competition that is over, verified; raise `Malformed` for any other."""
    try:
        file = portable.read(content.decode("utf-8-sig").split("\n"))
        report = verifier.check(file)
    except UnicodeDecodeError:
        raise _wrong(text("The file is not text: it is another one, or was changed.")) from None
    except WrongFile as wrong:
        raise _wrong(text("The file is not right: %(why)s", why=str(wrong))) from None
    if report.code != GOOD:
        raise _wrong(text("The competition of this file, or one of its games, is not over or not verified."))
    if one_line(file.header.club) != file.header.club:
        raise _wrong(text("The file does not name its club as this site writes names."))
    return file, report


def _wrong(sentence: str) -> Malformed:
    return Malformed({"file": [sentence]})


def refuse_own(series: Series, opening: str) -> None:
    """Raise `Malformed` where a first entry, by its hash, is that of a competition of the series' club."""
    own = competitions.rows_of_clubs(Club.objects.filter(pk=series.club_id))
    if own.filter(seq=1, hash=opening).exists():
        raise _wrong(text("This is a competition of the club: add it."))


def matched(file: portable.File, players: Collection[Player], called: Mapping[str, str]) -> Mapping[str, str]:
    """Return who of a file is which of these players of a club; raise `Malformed` where that is not clear.

    It is who has the same account on this site, or else the name that is ``called`` for the player's own, or
    the same name.
    """
    accounts = dict(
        Player.objects.filter(pk__in=file.players).exclude(account=None).values_list("account", "pk")
    )
    found, wrong, named = dict[str, str](), list[str](), dict[str, list[str]]()
    for pk, theirs in file.players.items():
        named.setdefault(search_key(theirs), []).append(pk)
    for player in players:
        name = called.get(search_key(player.name), player.name)
        same = named.get(search_key(name), [])
        sought = player.account_id if search_key(player.name) not in called else None
        known = accounts.get(sought) if sought else None
        same = [str(known)] if known else same
        if len(same) == 1 and same[0] not in found:
            found[same[0]] = str(player.pk)
        else:
            wrong.append(text("%(name)s: say who that is in the file.", name=player.name))
    if wrong:
        raise Malformed({"called": wrong})
    return found


def brought(
    file: portable.File, report: verifier.Report, people: Mapping[str, str], **more: object
) -> events.EveningBrought:
    """Return the event that brings what these people of a file had.

    Raises `Malformed` for who had nothing, or for a day that cannot be, and what `brought_shares` raises.
    """
    if not may_be_on(file, on := _day(file)):
        raise _wrong(
            text(
                "The file tells a day on which its competition cannot have been played: %(day)s.",
                day=on.isoformat(),
            )
        )
    part, shares = _shares(report, people)
    if len(shares) < len(people):
        raise Malformed({"players": [text("Somebody of them has no result in the file.")]})
    its = {
        "club": file.header.club,
        "competition": file.header.competition,
        "head": report.head,
        "opening": opening_of(file),
    }
    given = {
        "on": on.isoformat(),
        "name": part.name,
        "brought": its,
        "shares": [shapes.write(each) for each in shares],
        "field": part.field,
        "tables": part.tables,
        "low_wins": part.low_wins,
    }
    return shapes.read(events.EveningBrought, {**given, **more})


def _shares(report: verifier.Report, people: Mapping[str, str]) -> tuple[Part, tuple[BroughtShare, ...]]:
    try:
        return brought_shares(report.state, people)
    except ValueError as error:  # beyond 4300 digits Python writes no number
        if "digits" not in str(error):
            raise
        raise _wrong(text("The points of this evening are too long to be written down.")) from None


def _day(file: portable.File) -> date:
    """Return the first day that the competition tells, or that on which it was opened."""
    told = file.details.begins_on
    return (
        date.fromisoformat(str(told)) if told else datetime.fromisoformat(parsed(1, file.log[0])["at"]).date()
    )


# ---- Handed in by players ------------------------------------------------------------------------

MOST_WAITING: Final = 10


@transaction.atomic
def hand_in(*, by: Account, series: Series, content: bytes, called: str = "") -> HandedIn:
    """Keep what the caller's player, who is ``called`` so there, had by another club's file, to be accepted.

    Raises `Malformed`, `Illegal` where the series could not count it, and PermissionDenied.
    """
    player = permissions.require_player(series.club_id, by, TokenScope.PLAY_ENTER)
    file, report = read(content)
    people = matched(file, [player], {search_key(player.name): called} if called else {})
    event = brought(file, report, people)
    lock(series.club_id)  # as who decides does first: what counts and what waits is changed by one at a time
    series = Series.objects.get(pk=series.pk)
    refuse_own(series, event.brought.opening)
    events.apply(log.latest(series), event)
    waiting = HandedIn.objects.filter(series=series, player=player)
    if waiting.count() >= MOST_WAITING:
        raise Illegal(text("The organisers first look at the %(count)d that wait.", count=MOST_WAITING))
    written, (theirs,) = events.write(event), people
    waiting.filter(event__brought__head=event.brought.head).delete()
    shown = file.players[theirs][:100]  # the column has room for a name, not for a number behind it
    return HandedIn.objects.create(
        series=series, player=player, event=written, called=shown, at=database_time.now()
    )


@transaction.atomic
def decide(*, by: Account, series: Series, handed: str, accepted: bool) -> None:
    """Let what a player handed in, by its id, count or not.

    Raises `Illegal` where that is decided already, and what `services.perform` raises.
    """
    permissions.require_organiser(series.club_id, by)
    lock(series.club_id)
    row = next((each for each in HandedIn.objects.filter(series=series) if str(each.pk) == handed), None)
    if row is None:
        raise Illegal(text("Somebody else has decided that already."))
    event = events.read(row.event)
    if accepted:
        if isinstance(event, events.EveningBrought):
            refuse_own(series, event.brought.opening)
        services.perform(by=by, series=series, event=event)
    row.delete()


def lines_in(written: str) -> Mapping[str, str]:
    """Return names of the file by the club's own, from lines such as "Ann Ash = Anna Ash"."""
    pairs = [line.partition("=") for line in written.splitlines() if line.strip()]
    return {search_key(own): theirs.strip() for own, _equal, theirs in pairs}
