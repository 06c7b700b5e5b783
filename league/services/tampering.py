"""What was changed past the service in rows that no competition's or game's log covers.

Players and clubs are compared with their records, and what is in none with what it must fit. Each difference
becomes a sentence that names it. What was published of a site is compared by apps (`hooks.upkeep.CHECKS`).
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, Model, OuterRef, Q

from games import database_time
from games import log as games
from games.models import Game, Seat
from league.models import (
    Club,
    ClubChange,
    ClubGame,
    Competition,
    EntryPlayer,
    Import,
    Member,
    Player,
    PlayerRecord,
)
from league.ops.prepare import rows_of_nothing
from league.services.shares import to_its_end

_AHEAD: Final = timedelta(minutes=1)
_Kind: Final = ClubChange.Kind
_OF_CLUBS: Final = (_Kind.CLUB_MADE, _Kind.CLUB_CHANGED)
_OF_INVITED: Final = (_Kind.INVITED, _Kind.INVITATION_REVOKED)
"""The changes that offer a player's account a role, which nobody has yet."""


def differences() -> Iterator[str]:
    """Yield a sentence for everything that differs from the records of players and clubs, or fits nothing."""
    for part in (_of_players, _of_clubs, _of_casual_games, _of_practice, rows_of_nothing, _dated_ahead):
        yield from to_its_end("records", part())


def imported(since: datetime) -> Q:
    """Return what is true of the games that were imported since a time."""
    imports = Import.objects.filter(at__gte=since)
    of_competitions = ClubGame.objects.filter(competition__in=imports.values("competition"))
    games_ = imports.exclude(game=None).values("game")
    return Q(pk__in=games_) | Q(pk__in=of_competitions.values("game"))


# ---- Rows that follow records --------------------------------------------------------------------


def _of_players() -> Iterator[str]:
    """Yield each player whose row says something else than its record."""
    newest = PlayerRecord.objects.order_by("player", "-seq").distinct("player")
    players = ((row.pk, row) for row in Player.objects.order_by("pk").iterator())
    records = ((row.player, row) for row in newest.iterator())
    # Both in the order of ids, so that no more than one of each is in memory.
    both: Iterator[tuple[UUID, Player | PlayerRecord]] = merge(players, records, key=itemgetter(0))
    for pk, rows in groupby(both, key=itemgetter(0)):
        found = [row for _, row in rows]
        player = next((row for row in found if isinstance(row, Player)), None)
        record = next((row for row in found if isinstance(row, PlayerRecord)), None)
        yield from (f"player {pk}: {wrong}" for wrong in _of_player(player, record))


def _of_player(player: Player | None, record: PlayerRecord | None) -> Iterator[str]:
    if player is None:
        if record and not record.removed:
            yield "it was removed past the service"
    elif record is None:
        yield "it was added past the service"
    else:
        if player.anonymous != record.removed:
            row, says = ("not " * (not removed) for removed in (player.anonymous, record.removed))
            yield f"it is {row}removed, by the record it is {says}removed: changed past the service"
        if player.account_id != record.account:
            now, by_record = player.account_id or "none", record.account or "none"
            yield f"the account is {now}, by the record {by_record}: linked or unlinked past the service"
        if player.club_id != record.club:
            yield "it was moved to another club past the service"
        if player.merged_into_id != record.merged_into:
            yield "it was merged, or taken apart again, past the service"


def _of_clubs() -> Iterator[str]:
    """Yield each club, member and player that is not what the club's record made of it."""
    for club in Club.objects.order_by("pk").iterator():
        fields, about = dict[str, Any](), dict[UUID, dict[str, Any]]()
        known = False
        for change in ClubChange.objects.filter(club=club).order_by("pk").iterator():
            values = change.values if isinstance(change.values, dict) else {}
            now = {name: pair[-1] for name, pair in values.items() if isinstance(pair, list) and pair}
            if change.kind in _OF_CLUBS:
                fields |= now
            elif change.about and change.kind not in _OF_INVITED:
                about.setdefault(change.about, {}).update(now)
            if change.kind == ClubChange.Kind.CLUB_MADE and change.account_id:
                known = True
                about.setdefault(change.account_id, {})["role"] = "owner"
        yield from (
            f"club {club.pk}: its {name} was changed past the service"
            for name, value in fields.items()
            if getattr(club, name, value) != value
        )
        yield from (f"club {club.pk}: {wrong}" for wrong in _of_people(club, about, known))


def _of_people(club: Club, about: Mapping[UUID, Mapping[str, Any]], known: bool) -> Iterator[str]:
    """Yield who has another role or name than the club's record says; of all members if it is ``known``."""
    roles = dict(Member.objects.filter(club=club).values_list("account", "role"))
    for account in sorted({*roles, *(each for each, now in about.items() if "role" in now)}):
        role, recorded = roles.get(account), about.get(account, {}).get("role")
        if role != recorded and (known or account in about):
            yield f"the role of account {account} is {role}, by the record {recorded}"
    for pk, name in Player.objects.filter(club=club, anonymous=False).values_list("pk", "name"):
        if about.get(pk, {}).get("name", name) != name:
            yield f"player {pk} has another name than the record says"
    removals = ClubChange.objects.filter(club=club, kind=ClubChange.Kind.PLAYER_REMOVED).order_by("pk")
    given = dict(removals.values_list("about", "subject"))
    # Those of before the column say of nobody whom they are about.
    earlier = removals.filter(about=None, values__played=[None, True]).values_list("subject", flat=True)
    removed = Player.objects.filter(club=club, anonymous=True).values_list("pk", "merged_into", "name")
    for pk, merged_into, name in removed:
        if (recorded := given.get(merged_into or pk)) != name and (recorded or name not in earlier):
            yield f"player {pk}, who is removed, has another name than the record of the removal says"


# ---- Games that are in no competition -------------------------------------------------------------


def _of_casual_games() -> Iterator[str]:
    """Yield what is in another club than its players, and casual games of another opener."""
    seats = Seat.objects.filter(game=OuterRef(OuterRef("game")))
    elsewhere = Player.objects.filter(pk__in=seats.values("player")).exclude(club=OuterRef("club"))
    casual = ClubGame.objects.filter(competition=None, game__practice=False).order_by("pk")
    for pk in casual.filter(Exists(elsewhere)).values_list("pk", flat=True):
        yield f"game {pk}: it is in another club than its players"
    for pk in casual.filter(recorded=True).values_list("pk", flat=True):
        yield f"game {pk}: it is in no competition, and said to be recorded in the log of one"
    strangers = EntryPlayer.objects.filter(entry__competition=OuterRef("pk"))
    strangers = strangers.exclude(player__club=OuterRef("club"))
    for pk in Competition.objects.filter(Exists(strangers)).order_by("pk").values_list("pk", flat=True):
        yield f"competition {pk}: it is in another club than its players"
    opened = games.openers(casual.exclude(made_by=None).values_list("pk", flat=True))
    for pk, account in casual.exclude(made_by=None).values_list("pk", "made_by").iterator():
        if opened.get(pk, str(account)) != str(account):
            yield f"game {pk}: its log says that another account opened it"
    later = casual.exclude(rematch_of=None).values_list("pk", "rematch_of")
    for pk, earlier in later.iterator():
        (one, other) = (
            {*Seat.objects.filter(game=each).values_list("player", flat=True)} for each in (pk, earlier)
        )
        if one != other:
            yield f"game {pk}: it is the rematch of a game of other players"


def _of_practice() -> Iterator[str]:
    """Yield games whose logs are to be kept, but which say that they are for practice."""
    of_club = Exists(ClubGame.objects.filter(game=OuterRef("pk")))
    for pk in Game.objects.filter(of_club, practice=True).order_by("pk").values_list("pk", flat=True):
        yield f"game {pk}: it was flagged as practice past the service"
    for pk in games.kept_beside_practice():
        yield f"game {pk}: it is flagged as practice, but its log is one that is kept"


# ---- What is dated ahead -------------------------------------------------------------------------


def _dated_ahead() -> Iterator[str]:
    """Yield what is dated later than the database's clock."""
    dated: tuple[tuple[type[Model], str, str], ...] = (
        (Game, "moved_at", "game {0.pk}: its last entry"),
        (Competition, "changed_at", "competition {0.pk}: its last entry"),
        (ClubChange, "at", "the record of club {0.club_id}: change {0.pk}"),
        (PlayerRecord, "at", "player {0.player}: record {0.seq}"),
    )
    for model, column, what in dated:
        ahead = model._default_manager.filter(**{f"{column}__gt": database_time.asked() + _AHEAD})
        for row in ahead.order_by("pk").only("pk"):
            yield f"{what.format(row)} is dated ahead of the database's clock"
