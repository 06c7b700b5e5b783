"""Duties of an evening: who takes turns at them, whose turn it is, who has one, and who is reminded."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, Prefetch, Q, QuerySet

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league.apps.people.models import Duty, OnRota, Turn
from league.models import Account, Club, ClubChange, Competition, Player
from league.queries import permissions
from league.queries.clubs import OVER, away, gets_emails
from league.queries.competitions import details_of
from league.services import emails
from league.services.audit import note_change
from league.services.checking import check

_Change: Final = ClubChange.Kind
_MOST: Final = 40
"""How many duties a club has at most."""


# ---- Who has which ---------------------------------------------------------------------------------


def duties_of(club: Club) -> QuerySet[Duty]:
    """Return the club's duties by name, each with who takes turns at it."""
    rota = OnRota.objects.filter(player__active=True).select_related("player")
    ordered = rota.order_by("player__sort_name", "player")
    return Duty.objects.filter(club=club).prefetch_related(Prefetch("rota", ordered))


def turns_at(competition: Competition) -> Mapping[UUID, Turn]:
    """Return who has a duty at a competition, by the duty's id."""
    turns = Turn.objects.filter(competition=competition).select_related("player", "duty")
    return {each.duty_id: each for each in turns}


def turns_ahead(club: Club) -> Sequence[Turn]:
    """Return the turns at the club's competitions that are not over, the first evening first."""
    turns = Turn.objects.filter(competition__club=club).exclude(competition__status__in=OVER)
    return [*turns.select_related("player", "duty", "competition__stored_details").order_by(*_BY_DAY)]


_BY_DAY: Final = (
    F("competition__stored_details__begins_on").asc(nulls_last=True),
    "competition__opened_at",
    "duty__name",
    "pk",
)


def own_turns(account: Account) -> QuerySet[Turn]:
    """Return the turns of an account's players at competitions that are not over, the first evening first."""
    turns = Turn.objects.filter(player__account=account).exclude(competition__status__in=OVER)
    return turns.select_related("duty", "competition__club", "competition__stored_details").order_by(*_BY_DAY)


def whose_turn(duty: Duty, busy: Collection[UUID], day: date | None) -> Player | None:
    """Return who is next at a duty: the fewest turns, then the longest ago, then by name.

    Nobody who is away on the ``day``. Those who are ``busy`` with another duty that evening are passed over
    while there are others.
    """
    turns = Turn.objects.filter(duty=duty).exclude(competition__status=Competition.Status.CANCELLED)
    had = dict[UUID, list[date]]()
    for pk, begins_on, opened in turns.values_list(
        "player", "competition__stored_details__begins_on", "competition__opened_at"
    ):
        had.setdefault(pk, []).append(begins_on or opened.date())
    rota = [each for each in duty.rota.all() if each.player.active]
    gone = away([each.player_id for each in rota], day)
    here = [each for each in rota if each.player_id not in gone]

    def order(each: OnRota) -> tuple[object, ...]:
        days = had.get(each.player_id, [])
        last = max(days, default=date.min)
        name = (each.player.sort_name, each.player_id)
        return each.player_id in busy, each.ahead + len(days), last, *name

    return min(here, key=order).player if here else None


DUTY: Final = "duty"
"""The kind of email that tells of a duty."""


def reminded(now: datetime) -> Iterator[Turn]:
    """Yield the turns of which an email is due: those of tomorrow, where somebody gets it.

    Who has no account is reached at the address that the club keeps.
    """
    day = now.date()
    soon = Q(competition__stored_details__begins_on__range=(day, day + timedelta(days=2)))
    reached = Player.objects.filter(gets_emails(DUTY))
    turns = Turn.objects.filter(soon, player__in=reached).exclude(competition__status__in=OVER)
    for turn in turns.select_related("player", "duty", "competition__club", "competition__stored_details"):
        if turn.competition.stored_details.begins_on == turn.competition.club.today + timedelta(days=1):
            yield turn


# ---- Changes -------------------------------------------------------------------------------------


@transaction.atomic
def keep_duty(*, by: Account, club: Club, duty: Duty | None, name: str, people: Collection[Player]) -> Duty:
    """Return the duty with a name and those who take turns at it, a new one for None.

    Raises `Malformed`, `Illegal`, and PermissionDenied.
    """
    permissions.require_organiser(club.pk, by)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if duty is None and Duty.objects.filter(club=club).count() >= _MOST:
        raise Illegal("A club has at most %(most)s duties.", most=_MOST)
    kept = Duty.objects.get(pk=duty.pk) if duty else Duty(club=club)
    was = kept.name or None
    kept.name = name
    check(kept)
    kept.save()
    OnRota.objects.filter(duty=kept).exclude(player__in=people).delete()
    rota = {each.player_id: each.ahead for each in kept.rota.all()}
    had = [*Turn.objects.filter(duty=kept).values_list("player", flat=True)]
    ahead = min((own + had.count(pk) for pk, own in rota.items()), default=0)
    OnRota.objects.bulk_create(
        OnRota(duty=kept, player=player, ahead=max(0, ahead - had.count(player.pk)))
        for player in people
        if player.pk not in rota and player.club_id == club.pk
    )
    before, after = {"duty": was}, {"duty": kept.name}
    note_change(by, club, _Change.CLUB_CHANGED, club.name, before=before, after=after)
    return kept


@transaction.atomic
def remove_duty(*, by: Account, duty: Duty) -> None:
    """Remove a duty with all its turns; raises PermissionDenied."""
    permissions.require_organiser(duty.club_id, by)
    note_change(by, duty.club, _Change.CLUB_CHANGED, duty.club.name, before={"duty": duty.name})
    duty.delete()


@transaction.atomic
def give_duties(*, by: Account, competition: Competition, chosen: Mapping[Duty, Player | None]) -> None:
    """Say who has which duty at a competition, nobody for None; raises `Malformed` and PermissionDenied."""
    permissions.require_organiser(competition.club_id, by)
    _give(competition, chosen)


def _give(competition: Competition, chosen: Mapping[Duty, Player | None]) -> None:
    for duty, player in chosen.items():
        if competition.club_id != duty.club_id or (player and player.club_id != duty.club_id):
            raise Malformed({"player": [text("Choose one of those who are listed.")]})
        if player is None:
            Turn.objects.filter(duty=duty, competition=competition).delete()
        else:
            Turn.objects.update_or_create(duty=duty, competition=competition, defaults={"player": player})


@transaction.atomic
def share_duties(*, by: Account, competition: Competition, duties: Sequence[Duty]) -> None:
    """Give the duties that nobody has to those whose turn it is; raises PermissionDenied."""
    permissions.require_organiser(competition.club_id, by)
    _share(competition, duties)


@transaction.atomic
def share_again(competition: Competition, like: Competition) -> None:
    """Give the duties of an evening to those whose turn it is where the one that it is like had some."""
    if Turn.objects.filter(competition=like).exists():
        _share(competition, [*duties_of(competition.club)])


def _share(competition: Competition, duties: Sequence[Duty]) -> None:
    had, day = turns_at(competition), details_of(competition).begins_on
    busy = {turn.player_id for turn in had.values()}
    chosen = dict[Duty, Player | None]()
    for duty in duties:
        if duty.pk not in had and (player := whose_turn(duty, busy, day)):
            chosen[duty] = player
            busy.add(player.pk)
    _give(competition, chosen)


@transaction.atomic
def swap_turns(*, by: Account, turn: Turn, other: Turn) -> None:
    """Let two people have each other's turn at a duty; raises `Illegal` and PermissionDenied."""
    permissions.require_organiser(turn.duty.club_id, by)
    if turn.duty_id != other.duty_id:
        raise Illegal("Only turns at the same duty can be swapped.")
    Turn.objects.filter(pk=turn.pk).update(player=other.player)
    Turn.objects.filter(pk=other.pk).update(player=turn.player)


def remind_of_duties() -> None:
    """Write an email to everybody who has a duty tomorrow, due when the club is awake."""
    now = database_time.now()
    emails.write(
        emails.new_email(
            DUTY,
            f"{turn.pk}:{turn.player_id}:{turn.competition.stored_details.begins_on}",
            {"turn": str(turn.pk), "player": str(turn.player_id)},
            account=turn.player.account_id,
            club=turn.duty.club,
            due=emails.awake(turn.duty.club, now),
        )
        for turn in reminded(now)
    )
