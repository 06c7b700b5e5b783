"""Programs: those that an account's person develops, and those that are connected to the account."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet
from oauth2_provider.models import AccessToken

from games import database_time
from league.apps.programs.models import Program
from league.models import Account
from league.models.accounts import Condition


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


_LIVE: Final = """EXISTS (
    SELECT FROM oauth2_provider_accesstoken AS token
    JOIN league_account AS account ON account.id = token.user_id
    WHERE token.id = %(token)s::text::bigint AND token.token_checksum = %(digest)s::text
        AND token.scope = %(scopes)s::text AND token.expires > statement_timestamp() AND account.is_active
)"""


@dataclass(frozen=True)
class Access:
    """An access token of a program that the account's person has connected, as it was when last looked at."""

    id: int
    account: Account
    digest: str
    scopes: tuple[str, ...]
    last_used_at: datetime

    @property
    def account_id(self) -> UUID:
        """Return the account's id."""
        return self.account.pk

    def live(self) -> Condition:
        """Return the condition that the token is good now, and still has these scopes."""
        said = {"token": str(self.id), "digest": self.digest, "scopes": " ".join(self.scopes)}
        return _LIVE, said


def access_with(digest: str) -> Access | None:
    """Return the access token whose secret has this digest, None for one that is not good."""
    now = database_time.now()
    live = AccessToken.objects.select_related("user").filter(expires__gt=now, user__is_active=True)
    row = live.filter(token_checksum=digest).first()
    return row and Access(row.pk, row.user, digest, tuple(row.scope.split()), now)
