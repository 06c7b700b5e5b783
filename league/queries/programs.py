"""Programs: those that an account's person develops, and those that are connected to the account."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from oauth2_provider.models import AccessToken

from games import database_time
from league.models import Account, Program


def programs_of(account: Account) -> QuerySet[Program]:
    """Return the programs that the account has registered, by name."""
    return Program.objects.filter(user=account).order_by("name", "pk")


@dataclass(frozen=True)
class Connection:
    """A program that may act for an account: its scopes, and when it last got a token."""

    program: Program
    scopes: Sequence[str]
    renewed_at: datetime


def connections_of(account: Account) -> Sequence[Connection]:
    """Return the programs that are connected to the account, by name."""
    may_renew = Q(refresh_token__isnull=False, refresh_token__revoked=None)
    live = AccessToken.objects.filter(may_renew | Q(expires__gt=database_time.now()), user=account)
    found: dict[Program, list[AccessToken]] = {}
    for token in live.select_related("application__user").order_by("application__name", "created", "pk"):
        found.setdefault(token.application, []).append(token)
    return [
        Connection(program, sorted({*" ".join(each.scope for each in tokens).split()}), tokens[-1].created)
        for program, tokens in found.items()
    ]


def program_with(client_id: str) -> Program | None:
    """Return a program by the id with which it calls itself, None for an unknown one."""
    return Program.objects.select_related("user").filter(client_id=client_id).first()
