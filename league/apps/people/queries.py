"""What would become of a player who is merged or removed, of an account that is deleted, and what it has."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.apps import apps
from django.db.models import BinaryField, ForeignKey, Model, Q, QuerySet
from django.db.models.fields.json import KT

from games.engine.messages import Message, plural, text
from games.models import Game, Seat
from league import log
from league.models import Account, Club, Entry, Invitation, Member, Player
from league.queries.accounts import own_entries
from league.queries.clubs import clubs_of, competitions_with, ids_of, listed, still_playing
from league.queries.events import ids_as_text
from league.queries.links import masked

# ---- Players -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Merging:
    """What merging ``merged`` into ``kept`` would do: ``refusals`` say why it can't be done.

    ``competitions`` and ``games`` are how many pass to the player who is kept.
    """

    kept: Player
    merged: Player
    competitions: int
    games: int
    refusals: Sequence[Message]


def merging(kept: Player, merged: Player) -> Merging:
    """Return what merging two players of a club would do, and what stands against it."""
    competitions, games = competitions_with(merged), _seats(merged)
    refusals = [
        *_of_accounts(kept, merged),
        *_of_shared(kept, merged),
        *still_playing(merged),
    ]
    return Merging(kept, merged, competitions.count(), games.count(), refusals)


def logs_naming(player: Player) -> int:
    """Return the number of competitions in whose logs an entry of the player was given a name with theirs."""
    own = Entry.objects.filter(members__player__in=ids_of(pk=player.pk))
    events = log.rows_of(competitions_with(player).values_list("pk", flat=True)).annotate(
        entered=KT("event__entry")
    )
    named = Q(event__name__icontains=player.name) | Q(event__former__icontains=player.name)
    found = events.filter(named, entered__in=ids_as_text(own)).order_by()
    return found.values("competition").distinct().count()


def _of_accounts(kept: Player, merged: Player) -> Sequence[Message]:
    if kept.pk == merged.pk or kept.club_id != merged.club_id:
        return [text("Choose two players of one club.")]
    if kept.anonymous or merged.anonymous:
        return [text("A player who was removed can't be merged.")]
    if kept.account_id and merged.account_id:
        return [text("Both have an account: take it from one of them first.")]
    return []


def _of_shared(kept: Player, merged: Player) -> Sequence[Message]:
    """Return that two players are two people: they were in one competition, or at one table."""
    both = competitions_with(kept).filter(pk__in=competitions_with(merged).values("pk"))
    if names := listed(both.values_list("name", flat=True)):
        return [
            text(
                "Both are in the same competition, so they are two people there: %(competitions)s.",
                competitions=names,
            )
        ]
    games = _seats(kept).filter(game__in=_seats(merged).values("game")).count()
    if not games:
        return []
    return [
        plural(
            "Both sat in the same game, so they are two people.",
            "Both sat in the same %(count)d games, so they are two people.",
            games,
        )
    ]


def _seats(player: Player) -> QuerySet[Seat]:
    return Seat.objects.filter(player__in=ids_of(pk=player.pk))


# ---- Own data ------------------------------------------------------------------------------------

_SECRET: Final = frozenset(
    {"digest", "password", "salt", "session", "secret", "key"}
    | {"token", "token_checksum", "token_family", "jti", "code", "code_challenge", "nonce"}
    | {"device_code", "user_code", "client_secret"}
)
"""Fields that prove something to the server, or identify a session: a file must not hold them."""
_ABOUT: Final = (
    "All rows of this server that belong to the account or to its players. The moves and other entries that "
    "you made are in the logs of the games and competitions that are named here; logs are public and never "
    "changed. Secrets are left out: of passwords and tokens only hashes are stored."
)


def players_of_account(account: Account) -> QuerySet[Player]:
    """Return the account's players with their clubs, by the club's name."""
    mine = Player.objects.filter(account=account, merged_into=None).select_related("club")
    return mine.order_by("club__name", "search_name", "pk")


def own_data(account: Account) -> Mapping[str, Any]:
    """Return all rows about the account and its players, by table.

    Which tables those are follows from the models: whatever refers to an account or a player is in it.
    """
    mine = {Account: [account.pk], Player: list(ids_of(account=account))}
    tables = {
        f"{model._meta.app_label}.{model._meta.model_name}": rows
        for model, condition in _about_people(mine)
        if (rows := list(_rows(model._default_manager.filter(condition))))
    }
    for row in tables.get("league.invitation", ()):
        if account.pk != row["made_by_id"] and account.email.lower() != row["email"].lower():
            row["email"] = masked(row["email"])
    if account.email:
        invited = Invitation.objects.filter(email__iexact=account.email)
        tables["invitations to my address"] = list(_rows(invited))
    seats = Seat.objects.filter(Q(account=account.pk) | Q(player__in=mine[Player]))
    tables["games.seat"] = list(_rows(seats))
    own = {
        "account": next(_rows(Account.objects.filter(pk=account.pk))),
        "players": list(_rows(Player.objects.filter(pk__in=mine[Player]))),
    }
    return {"about": _ABOUT, **own, "tables": tables}


def _about_people(mine: Mapping[type[Model], list[Any]]) -> Iterator[tuple[type[Model], Q]]:
    """Yield each model with rows that refer to an account or a player, and which of them are about these."""
    for model in sorted(apps.get_models(), key=lambda each: each._meta.label):
        condition = Q()
        for field in model._meta.concrete_fields:
            if isinstance(field, ForeignKey) and field.related_model in mine and model is not Player:
                condition |= Q(**{f"{field.name}__in": mine[field.related_model]})
        if condition:
            yield model, condition


def _rows(rows: QuerySet[Any]) -> Iterator[dict[str, Any]]:
    """Yield rows as their fields, without secrets and files."""
    fields = [
        field.attname
        for field in rows.model._meta.concrete_fields
        if field.name not in _SECRET and not isinstance(field, BinaryField)
    ]
    yield from rows.order_by("pk").values(*fields)


# ---- Deletion ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deletion:
    """What the deletion of an account would do: ``refusals`` say why it can't be done.

    Of ``games``, the running ones, it resigns its seats; ``entries`` of its own are withdrawn. ``teams`` go
    on without it.
    """

    games: int
    entries: Sequence[Entry]
    teams: Sequence[Entry]
    refusals: Sequence[Message]


def deletion_of(account: Account) -> Deletion:
    """Return what the deletion of the account would do now."""
    entries = list(own_entries(account))
    owned = ", ".join(club.name for club in _owned_alone(account))
    refusal = text("You are the only owner of %(clubs)s: make somebody else an owner first.", clubs=owned)
    return Deletion(
        running_seats(account).count(),
        [entry for entry in entries if entry.size == 1],
        [entry for entry in entries if entry.size > 1],
        [refusal] if owned else [],
    )


def running_seats(account: Account) -> QuerySet[Seat]:
    """Return the account's seats in games that are not over, invitations included."""
    running = (Game.Status.ACTIVE, Game.Status.INVITED)
    mine = Seat.objects.filter(account=account.pk, game__status__in=running)
    return mine.select_related("game").order_by("game__opened_at", "game")


def _owned_alone(account: Account) -> QuerySet[Club]:
    others = Member.objects.filter(role=Member.Role.OWNER).exclude(account=account)
    return clubs_of(account, Member.Role.OWNER).exclude(pk__in=others.values("club"))
