"""Clubs: who is in them, what is going on, and what their record of changes says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from games.engine.messages import Message, plural, text
from games.models import Game, Seat
from league import hooks
from league.choices import BotsPlay
from league.models import (
    Account,
    Club,
    ClubChange,
    ClubGame,
    Competition,
    Entry,
    Job,
    Member,
    Player,
    StoppedEmails,
)
from league.models.names import one_letter, search_key
from league.queries.links import open_invitations
from league.queries.permissions import DIRECTORS, shown_to
from league.queries.readers import read_whole

# ---- Clubs ---------------------------------------------------------------------------------------


def all_clubs() -> QuerySet[Club]:
    """Return all clubs by name; the list is public."""
    return Club.objects.order_by("name", "id")


def clubs_named(part: str) -> QuerySet[Club]:
    """Return the clubs with this text in their names, by name."""
    return all_clubs().filter(name__icontains=part.strip())


def find_club(slug: str) -> Club | None:
    """Return the club with an address, or which had it under an earlier name; None for an unknown one."""
    now = Club.objects.filter(slug=slug).first()
    return now or Club.objects.filter(former_addresses__slug=slug).first()


def club_at(slug: str) -> Club:
    """Return the club with an address, or which had it under an earlier name; raise Club.DoesNotExist."""
    club = find_club(slug)
    if club is None:
        raise Club.DoesNotExist
    return club


def names_of_clubs(clubs: Collection[str]) -> Mapping[str, str]:
    """Return the names of clubs by their ids, as logs have these; those of another server are left out."""
    found = Club.objects.filter(pk__in=clubs) if clubs else Club.objects.none()
    return {str(club): name for club, name in found.values_list("pk", "name")}


def clubs_of(account: Account, *roles: str) -> QuerySet[Club]:
    """Return the clubs where the account has a role, or one of the roles if any are named."""
    mine = Member.objects.filter(account=account)
    chosen = mine.filter(role__in=roles) if roles else mine
    return Club.objects.filter(pk__in=chosen.values("club")).order_by("name", "id")


def keeps_desk(account: Account) -> bool:
    """Return whether the organiser's desk is open to an account."""
    return account.is_superuser or clubs_of(account, *DIRECTORS).exists()


def with_players(clubs: QuerySet[Club]) -> QuerySet[Club]:
    """Return clubs, each with its number of ``playing``, active players."""
    return clubs.annotate(playing=Count("players", filter=Q(players__active=True, players__merged_into=None)))


def all_players() -> QuerySet[Player]:
    """Return the players of all clubs, with their clubs; a player who was merged is another one now."""
    return Player.objects.filter(merged_into=None).select_related("club")


def player_now(player_id: UUID) -> Player:
    """Return the player with an id, or the one whom that player is now; raises Player.DoesNotExist."""
    return all_players().filter(Q(pk=player_id) | Q(merged=player_id)).distinct().get()


def ids_of(**fields: Any) -> QuerySet[Player, UUID]:
    """Return the ids of the players with these fields, and of those who were merged into them."""
    of_merged = {f"merged_into__{name}": value for name, value in fields.items()}
    found = Player.objects.filter(Q(**fields) | Q(**of_merged))
    return found.order_by().values_list("pk", flat=True)


def accounts_of(players: Iterable[UUID]) -> Mapping[UUID, UUID]:
    """Return the id of the account that each player has now, by the player's id; others are left out."""
    linked = Player.objects.filter(pk__in=players, account__isnull=False)
    return dict(linked.order_by().values_list("pk", "account"))


def named(players: QuerySet[Player], name: str) -> QuerySet[Player]:
    """Return the players whose names contain every word of a text, ignoring accents and case.

    Of who is called otherwise in public it is the name that the reader reads.
    """
    whole = read_whole()
    return players.filter(
        *(
            whole & (Q(search_name__contains=word) | Q(search_name__contains=one_letter(word)))
            | Q(public_name__icontains=word)
            for word in search_key(name).split()
        )
    )


def players_of(club: Club, *, name: str = "", active: bool | None = None) -> QuerySet[Player]:
    """Return the club's players by name; ``name`` is a part of it, ignoring accents and case."""
    players = named(Player.objects.filter(club=club, merged_into=None).order_by("sort_name", "pk"), name)
    return players if active is None else players.filter(active=active)


def players_shown(club: Club, viewer: Account | None, *, active: bool | None = None) -> QuerySet[Player]:
    """Return those of the club's players by name who let the viewer see them."""
    return shown_to(viewer, players_of(club, active=active))


def without_account(competition: Competition) -> QuerySet[Player]:
    """Return the players entered in a competition, by name, who have no account and are no bots."""
    entered = Q(entered__entry__competition=competition, entered__entry__status=Entry.Status.ENTERED)
    found = Player.objects.filter(entered, account=None, bot=False).distinct()
    return found.order_by("sort_name", "pk")


def gets_emails(kind: str) -> Q:
    """Return which players a kind of email reaches: at the address of their account, or at the club's.

    Those who have stopped the kind are none of them.
    """
    account = Q(account__is_active=True) & ~Q(account__email="")
    stopped = Q(pk__in=StoppedEmails.objects.filter(kind=kind).values("player"))
    return Q(active=True) & (account | Q(account=None, contact__email__gt="")) & ~stopped


def language_of(club: UUID) -> str:
    """Return the language in which a club speaks to people whose own nobody knows: its first owner's.

    Empty where no owner has chosen one.
    """
    owners = Member.objects.filter(club=club, role=Member.Role.OWNER).exclude(account__language="")
    return owners.order_by("pk").values_list("account__language", flat=True).first() or ""


def players_to_invite(club: Club) -> QuerySet[Player]:
    """Return the active players without an account or an open invitation, with their contacts."""
    waiting = open_invitations(club).exclude(player=None).order_by()
    players = players_of(club, active=True).filter(account=None)
    return players.exclude(pk__in=waiting.values("player")).select_related("contact", "club")


def kept_out(club: Club, where: BotsPlay, players: Iterable[UUID]) -> Collection[UUID]:
    """Return those of the players who are bots, if the club does not let bots play there."""
    if where in club.bots:
        return ()
    bots = Player.objects.filter(club=club, bot=True, pk__in=[*players]).order_by("pk")
    return {*bots.values_list("pk", flat=True)}


# ---- Who plays -----------------------------------------------------------------------------------

OVER = (Competition.Status.FINISHED, Competition.Status.CANCELLED)
_SHOWN: Final = 5


def competitions_with(player: Player) -> QuerySet[Competition]:
    """Return the competitions in which the player is in a line-up, or has sat at a table."""
    mine = ids_of(pk=player.pk)
    entered = Q(entries__members__player__in=mine)
    seated = Q(stages__rounds__tables__seats__player__in=mine)
    pks = Competition.objects.filter(club=player.club_id).filter(entered | seated).values("pk")
    return Competition.objects.filter(pk__in=pks).order_by("-opened_at", "pk")


def has_played(player: Player) -> bool:
    """Return whether a competition or a game has the player, or an app's log names them."""
    seats = Seat.objects.filter(player__in=ids_of(pk=player.pk))
    return competitions_with(player).exists() or seats.exists() or any(named(player) for named in hooks.NAMED)


def still_playing(player: Player) -> Sequence[Message]:
    """Return why nothing can become of a player now: competitions and games that are not over."""
    running = competitions_with(player).exclude(status__in=OVER)
    names = listed(running.values_list("name", flat=True))
    refusals = []
    if names:
        refusals.append(
            text(
                "%(name)s is in a competition that is not over: %(competitions)s.",
                name=player.name,
                competitions=names,
            )
        )
    games = Seat.objects.filter(player__in=ids_of(pk=player.pk), game__status=Game.Status.ACTIVE).count()
    if games and not names:
        refusals.append(
            plural(
                "%(name)s sits in a game that is not over.",
                "%(name)s sits in %(count)d games that are not over.",
                games,
                name=player.name,
            )
        )
    return refusals


def listed(names: QuerySet[Competition, str] | Sequence[str]) -> str:
    """Return the first names of a list, and a sign that there are more."""
    found = list(names[: _SHOWN + 1])
    return ", ".join(found[:_SHOWN]) + (" …" if len(found) > _SHOWN else "")


# ---- Changes -------------------------------------------------------------------------------------

_MOST: Final = 3


def changes_since(club: UUID, kinds: Collection[str], subject: str, since: datetime) -> Sequence[ClubChange]:
    """Return the changes of a subject from a time on, the latest first; three at most."""
    of_subject = changes_with_players(ClubChange.objects.all()).filter(
        club=club, kind__in=kinds, subject=subject, at__gte=since
    )
    return list(of_subject.select_related("account").order_by("-at", "-pk")[:_MOST])


def changes_with_players(changes: QuerySet[ClubChange]) -> QuerySet[ClubChange]:
    """Return changes with the present name of the player that each is about, and whether that was removed."""
    about = Player.objects.filter(pk=OuterRef("about"))
    return changes.annotate(
        player_name=Subquery(about.values("name")), player_removed=Exists(about.filter(anonymous=True))
    )


# ---- Going on ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GoingOn:
    """Competitions and games, each the oldest first."""

    competitions: Sequence[Competition]
    games: Sequence[ClubGame]


def going_on(club: UUID, *, over: Collection[UUID] = ()) -> GoingOn:
    """Return what is going on in a club, and of what is ``over`` what is named by its id; three queries.

    Raises Club.DoesNotExist.
    """
    its_club = Club.objects.get(pk=club)
    competitions = Competition.objects.filter(~Q(status__in=OVER) | Q(pk__in=over), club=its_club)
    running = Q(game__status__in=(Game.Status.ACTIVE, Game.Status.INVITED))
    games = ClubGame.objects.filter(running | Q(pk__in=over), club=its_club).select_related("game")
    return GoingOn(
        list(competitions.order_by("opened_at", "pk")),
        list(games.order_by("game__opened_at", "pk")),
    )


# ---- Long work -----------------------------------------------------------------------------------


def jobs_at_work(clubs: QuerySet[Club]) -> QuerySet[Job]:
    """Return the clubs' jobs that are not over, the newest first, without what they are given."""
    at_work = Job.objects.filter(club__in=clubs, status__in=(Job.Status.WAITING, Job.Status.RUNNING))
    return at_work.select_related("competition").defer("given", "upload", "file", "result")


def kept_apart(account: UUID) -> frozenset[UUID]:
    """Return the accounts with which an account is in no casual game, for one of both wants none."""
    return frozenset(other for each in hooks.KEPT_APART for other in each(account))


def away(players: Collection[UUID], day: date | None) -> Mapping[UUID, date]:
    """Return until when each of the players is away who is away on a day; nobody is where no day is known.

    `date.max` is said of who has left the club by then.
    """
    found: dict[UUID, date] = {}
    for each in hooks.AWAY if day and players else ():
        found |= each(players, day) if day else {}
    return found
