"""Who appears: who is entered in a competition of their club, was in a round, or played by an app's log.

Nobody else is shown in public. Who is named by a log, and left before playing, is called by the number.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from games.models import Seat
from league import hooks, log
from league.models import Bye, Competition, Entry, EntryPlayer, Player, Round, TableSeat
from league.projections import public_names

LIVE = (Entry.Status.ENTERED, Entry.Status.WAITING, Entry.Status.APPLIED)


def appear(players: Iterable[UUID | str]) -> None:
    """Note that players, or those who were merged into them, play by a log."""
    ids = {str(each) for each in players}
    found = Player.objects.filter(Q(pk__in=ids) | Q(merged__in=ids))
    unseen = Q(appeared=False) | Q(unplayed=True)
    for club in sorted({*found.filter(unseen).order_by().values_list("club", flat=True)}):
        public_names.lock(club)
    # Whoever leaves a competition at this moment waits for these rows, or these for them.
    now = [*found.select_for_update(of=("self",), no_key=True).order_by("pk")]
    found.filter(unseen).update(appeared=True, unplayed=False)
    for club in sorted({each.club_id for each in now if each.unplayed}):
        public_names.follow(club)


def follow(club: UUID, came: Set[UUID], left: Set[UUID]) -> None:
    """Bring players who entered a competition, or left one, up to whether they play; others stay.

    One at a time in a club: of who leaves two competitions at once each would see the other entry.
    """
    if not came and not left:
        return
    public_names.lock_at_once(club)
    unseen = Player.objects.filter(Q(appeared=False) | Q(unplayed=True), pk__in=came).order_by()
    players = {*left, *unseen.values_list("pk", flat=True)}
    if not players:
        return
    list(Player.objects.select_for_update(no_key=True).filter(pk__in=players).order_by("pk"))
    known = Player.objects.filter(Q(pk__in=players) | Q(merged_into__in=players), club=club)
    appeared = _now(_playing(known), known)
    if players - appeared:
        appeared |= _now(_of_apps(club), known)
    rows = Player.objects.filter(pk__in=players)
    turned = rows.filter(pk__in=appeared, unplayed=True).update(unplayed=False)
    turned += rows.filter(unplayed=False).exclude(pk__in=appeared).update(unplayed=True)
    rows.filter(pk__in=appeared, appeared=False).update(appeared=True)
    rows.filter(appeared=True).exclude(pk__in=appeared).update(appeared=False)
    if turned:
        public_names.follow(club)


def of_club(club: UUID) -> Mapping[UUID, tuple[bool, bool]]:
    """Return by the ids of a club's players whether they appear, and whether they left before playing."""
    people = Player.objects.filter(club=club)
    appeared = _now(_playing(people) | _of_apps(club), people)
    named = _now(_named(people), people)
    now = {each.pk for each in people.filter(merged_into=None)}
    return {pk: (pk in appeared, pk in named and pk not in appeared) for pk in now}


def _now(ids: Set[UUID], people: QuerySet[Player]) -> set[UUID]:
    """Return ids with those of the players into whom some were merged."""
    merged = people.filter(pk__in=ids).order_by().values_list("merged_into", flat=True)
    return {*ids, *filter(None, merged)}


def _playing(people: QuerySet[Player]) -> set[UUID]:
    """Return who is entered in a competition that was not cancelled, or was in a published round.

    Who waits for a place or has applied counts until the competition is finished: no standings name them.

    Who was replaced after nothing but a bye has never sat at a table, and is none of them.
    """
    entered = EntryPlayer.objects.filter(player=OuterRef("pk"))
    live = entered.filter(entry__status__in=LIVE).exclude(
        entry__competition__status=Competition.Status.CANCELLED
    )
    finished = Q(entry__competition__status=Competition.Status.FINISHED)
    live = live.exclude(finished & ~Q(entry__status=Entry.Status.ENTERED))
    byes = Bye.objects.filter(requested=False).exclude(round__status=Round.Status.DRAWN)
    sat = TableSeat.objects.filter(player=OuterRef("pk")).exclude(table__round__status=Round.Status.DRAWN)
    games = Seat.objects.filter(player=OuterRef("pk"))
    found = people.filter(
        Exists(live) | Exists(entered.filter(entry__in=byes.values("entry"))) | Exists(sat) | Exists(games)
    )
    return {*found.order_by().values_list("pk", flat=True)}


def _of_apps(club: UUID) -> set[UUID]:
    return set[UUID]().union(*(played(club) for played in hooks.PLAYED))


def _named(people: QuerySet[Player]) -> set[UUID]:
    """Return whom a log of a competition names."""
    events = log.all_rows().filter(competition__club=OuterRef("club"))
    said = events.annotate(said=Cast("event", TextField())).filter(
        said__contains=Cast(OuterRef("pk"), TextField())
    )
    return {*people.filter(Exists(said)).order_by().values_list("pk", flat=True)}


@transaction.atomic
def rebuild(club: UUID) -> None:
    """Say of each player of a club anew whether they appear, or left before playing."""
    if any(wrong(club)):  # where nothing is, nobody who comes or leaves waits for this
        public_names.lock(club)
    for pk, _now, (appeared, unplayed) in wrong(club):
        Player.objects.filter(pk=pk).update(appeared=appeared, unplayed=unplayed)


def wrong(club: UUID) -> Iterator[tuple[UUID, tuple[bool, bool], tuple[bool, bool]]]:
    """Yield a club's players whose row is not what `of_club` says of them, with both."""
    said = of_club(club)
    for each in Player.objects.filter(pk__in=said).order_by("pk"):
        if (now := (each.appeared, each.unplayed)) != said[each.pk]:
            yield each.pk, now, said[each.pk]
