"""What people and entries are called in public, as rows: a function of names and choices.

Whoever changes one of these in a club calls `follow`, which locks the club's row. Locks are taken in one
order: a club's rating lists (`ratings.lock`), the club, then competitions and series by their ids; players
beside one of these only with the club. An entry that comes or leaves is known only when its competition is
locked; it takes the club's lock without waiting, or begins again after it (`league.services.verbs`); where
that is in a transaction of the caller's, the caller has locked the club first. `tests/locks.py` sees to it.
"""

from collections.abc import Iterator, Mapping
from typing import cast
from uuid import UUID

from django.db import DatabaseError, OperationalError, transaction
from django.db.models import F, Max, Q
from psycopg.errors import LockNotAvailable

from league import hooks, log
from league.choices import NamesShown
from league.core.public_names import Person, Shows, public_names
from league.models import Club, Competition, Entry, Player


class ClubBusy(OperationalError):
    """Somebody else has the club's lock, and whoever asks holds rows that this one may wait for."""


def lock(club_id: UUID) -> None:
    """Keep others from changing who is called what in a club, until the transaction ends."""
    Club.objects.select_for_update(no_key=True).get(pk=club_id)


def lock_at_once(club_id: UUID) -> None:
    """Lock a club as `lock` does without waiting; raise `ClubBusy` where somebody else has the lock."""
    try:
        with transaction.atomic():
            Club.objects.select_for_update(no_key=True, nowait=True).get(pk=club_id)
    except DatabaseError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise ClubBusy(str(error)) from error
        raise


@transaction.atomic
def follow(club_id: UUID) -> None:
    """Bring what a club's people and entries are called in public up to their names and choices."""
    lock(club_id)
    changed = [*_write(club_id)]
    if changed:
        entered = Competition.objects.filter(club=club_id, entries__members__player__in=changed)
        replaced = Competition.objects.filter(club=club_id, stages__rounds__tables__seats__player__in=changed)
        found = {
            each.pk: each for some in (entered, replaced, log.with_typed_names(club_id)) for each in some
        }
        for _pk, competition in sorted(found.items()):
            rename_entries(competition)
    hooks.people_named(club_id)


def name_newcomers(players: list[Player], club: Club) -> None:
    """Give players of a club who are about to be made their public names, where these are their names."""
    for player in players:
        player.public_name = player.name if club.names == NamesShown.FULL else ""


def rebuild(club_id: UUID) -> None:
    """Make what a club's people are called in public anew; entries follow as competitions are rebuilt."""
    follow(club_id)


def called_in_public(club_id: UUID) -> dict[UUID, str]:
    """Return what each of a club's people is called in public, by id; who was merged as who remains."""
    club = Club.objects.get(pk=club_id)
    people = list(Player.objects.filter(club=club))
    shown = {each.pk: _shows(club, each) for each in people}
    persons = [
        Person(str(each.pk), each.name, shown[each.pk], each.number or 0)
        for each in people
        if each.merged_into_id is None
    ]
    names = public_names(persons)
    return {each.pk: _of(each, names, shown) for each in people}


def _of(player: Player, names: Mapping[str, str], shown: Mapping[UUID, Shows]) -> str:
    now = player.merged_into_id or player.pk
    return player.name if shown[now] == "full" else names[str(now)]


def _shows(club: Club, player: Player) -> Shows:
    """Return what of a name is shown: of a program, and of who was removed, the whole one.

    Of who left before playing only members read it.
    """
    chosen = NamesShown.MEMBERS if player.unplayed else player.names or club.names
    return cast(Shows, str(NamesShown.FULL if player.bot or player.anonymous else chosen))


def _write(club_id: UUID) -> Iterator[UUID]:
    """Write numbers and public names that differ; yield whose names were others."""
    club = Club.objects.get(pk=club_id)
    otherwise = Player.objects.filter(~Q(names="") | Q(unplayed=True), club=club)
    if club.names == NamesShown.FULL and not otherwise.exists():
        changed = Player.objects.filter(club=club).exclude(public_name=F("name"))
        yield from changed.order_by("pk").values_list("pk", flat=True)
        changed.update(public_name=F("name"))
        return
    _number(club)
    names = called_in_public(club_id)
    for pk, name in Player.objects.filter(club=club).order_by("pk").values_list("pk", "public_name"):
        if names[pk] != name:
            Player.objects.filter(pk=pk).update(public_name=names[pk])
            yield pk


def _number(club: Club) -> None:
    """Number those who are not shown by the whole name: by ids, which say nothing of names."""
    last = Player.objects.filter(club=club).aggregate(last=Max("number"))["last"] or 0
    unnumbered = Player.objects.filter(club=club, number=None, merged_into=None).order_by("pk")
    new = [each for each in unnumbered if _shows(club, each) != "full"]
    for number, player in enumerate(new, last + 1):
        Player.objects.filter(pk=player.pk).update(number=number)


def rename_entries(competition: Competition) -> None:
    """Bring the names of a competition's entries up to the names that their players have now."""
    Competition.objects.filter(pk=competition.pk).update(renamed=F("renamed") + 1)
    competition.refresh_from_db()
    for entry in log.latest(competition).entries:
        named = {"name": entry.name, "public_name": entry.public_name}
        Entry.objects.filter(pk=entry.id).exclude(**named).update(**named)
