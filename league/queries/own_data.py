"""Everything that is stored about the person behind an account, for that person."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.apps import apps
from django.db.models import BinaryField, ForeignKey, Model, Q, QuerySet

from games.models import Seat
from league.models import Account, Invitation, Player
from league.queries.clubs import ids_of
from league.queries.links import masked

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
