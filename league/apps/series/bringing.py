"""Evenings of other clubs: their files, verified and matched with the people of a series' club."""

from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import Final

from games.engine import shapes
from games.engine.messages import text
from games.engine.refusals import Malformed
from games.lines import parsed
from games.verifier import GOOD
from league.apps.series.core import events
from league.apps.series.core.evenings import brought_shares
from league.core import portable, verifier
from league.core.portable import WrongFile
from league.models import Player
from league.models.names import search_key

MOST_BYTES: Final = 8_000_000


def read(content: bytes) -> tuple[portable.File, verifier.Report]:
    """Return the file of a competition that is over, verified; raise `Malformed` for any other."""
    try:
        file = portable.read(content.decode("utf-8-sig").split("\n"))
        report = verifier.check(file)
    except (WrongFile, UnicodeDecodeError) as wrong:
        raise _wrong(text("The file is not right: %(why)s", why=str(wrong))) from None
    if report.code != GOOD:
        raise _wrong(text("The competition of this file, or one of its games, is not over or not verified."))
    return file, report


def _wrong(sentence: str) -> Malformed:
    return Malformed({"file": [sentence]})


def matched(file: portable.File, players: Collection[Player], called: Mapping[str, str]) -> Mapping[str, str]:
    """Return who of a file is which of these players of a club; raise `Malformed` where that is not clear.

    It is who has the same account on this site, or else the name that is ``called`` for the player's own, or
    the same name.
    """
    accounts = dict(
        Player.objects.filter(pk__in=file.players).exclude(account=None).values_list("account", "pk")
    )
    found, wrong = dict[str, str](), list[str]()
    for player in players:
        name = called.get(search_key(player.name), player.name)
        same = [pk for pk, theirs in file.players.items() if search_key(theirs) == search_key(name)]
        sought = player.account_id if search_key(player.name) not in called else None
        known = accounts.get(sought) if sought else None
        theirs = [str(known)] if known else same
        if len(theirs) == 1 and theirs[0] not in found:
            found[theirs[0]] = str(player.pk)
        else:
            wrong.append(text("%(name)s: say who that is in the file.", name=player.name))
    if wrong:
        raise Malformed({"called": wrong})
    return found


def brought(
    file: portable.File, report: verifier.Report, people: Mapping[str, str], **more: object
) -> events.EveningBrought:
    """Return the event that brings what these people of a file had; raise `Malformed` for who had nothing."""
    part, shares = brought_shares(report.state, people)
    if len(shares) < len(people):
        raise Malformed({"players": [text("Somebody of them has no result in the file.")]})
    its = {"club": file.header.club, "competition": file.header.competition, "head": report.head}
    given = {
        "on": _day(file).isoformat(),
        "name": part.name,
        "brought": its,
        "shares": [shapes.write(each) for each in shares],
        "field": part.field,
        "tables": part.tables,
        "low_wins": part.low_wins,
    }
    return shapes.read(events.EveningBrought, {**given, **more})


def _day(file: portable.File) -> date:
    """Return the first day that the competition tells, or that on which it was opened."""
    told = file.details.begins_on
    return (
        date.fromisoformat(str(told)) if told else datetime.fromisoformat(parsed(1, file.log[0])["at"]).date()
    )


def lines_in(written: str) -> Mapping[str, str]:
    """Return names of the file by the club's own, from lines such as "Ann Ash = Anna Ash"."""
    pairs = [line.partition("=") for line in written.splitlines() if line.strip()]
    return {search_key(own): theirs.strip() for own, _equal, theirs in pairs}
