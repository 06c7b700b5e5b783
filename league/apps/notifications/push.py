"""The outbox's channel for browsers: one that asked is told of its account's turns and challenges.

Apps tell browsers of other things by `tell`, and add to `WORDS` what these are told.

A message has no content, so that push services learn no more than that there is one; the browser's service
worker asks the server for the words. Subscriptions end with their session, with a new password, and when the
push service knows them no more.
"""

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parseaddr
from http import HTTPStatus
from operator import itemgetter
from pathlib import Path
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest
from jwcrypto.jwk import JWK
from jwcrypto.jwt import JWT

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Malformed
from league.apps.notifications.models import Browser, Kind, PushSubscription
from league.apps.notifications.queries import RECENT, turns
from league.models import Account, Email
from league.ops import posting, secret
from league.ops.posting import Answer
from league.queries.own_tables import opened_for
from league.services import outbox
from league.services.emails import awake

News: TypeAlias = Literal["turn", "table", "challenge", "notice", "changed", "next_evening"]
MAILED: Final[dict[str, News]] = {
    Kind.NOTICE: "notice",
    Kind.CHANGED: "changed",
    Kind.NEXT_EVENING: "next_evening",
}
"""What emails tell that browsers are told, too, by their kinds; apps add those of their own."""
GRACE: Final = timedelta(minutes=1)
"""A player who moves within this time is at the table."""
MOST_BROWSERS: Final = 10
_MOST_AT_ONCE: Final = 200
_KEPT_BY_SERVICE: Final = timedelta(hours=4)
_SIGNED_FOR: Final = timedelta(hours=12)
_GONE: Final = (404, 410)
_TOO_MANY: Final = 429


@dataclass(frozen=True)
class Told:
    """What a browser is told: since when that waits, its words, and the path that it leads to."""

    at: datetime
    words: str
    path: str


WORDS: Final[list[Callable[[HttpRequest], Told | None]]] = []
"""What a browser that asks is told last, by app; of several it shows the newest."""

FOLLOWED: Final[list[Callable[[str], bool]]] = []
"""Whether the browser of a session is told of something else than its account's turns, by app."""


# ---- The key by which push services know this server (VAPID, RFC 8292) ---------------------------


def push_key() -> str:
    """Return the key's public half as browsers take it: an uncompressed point in base64url."""
    key = kept_in(Path(settings.PUSH_KEY_FILE)).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def kept_in(file: Path) -> ec.EllipticCurvePrivateKey:
    """Return the key in a file that only its owner can read; it is made where there is none."""
    secret.kept_in(file, _new_key)
    return secret.held_in(file, lambda text: ec.derive_private_key(int(text, 16), ec.SECP256R1()))


def _new_key() -> str:
    return f"{ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value:064x}"


def _authorization(endpoint: str, now: datetime) -> str:
    """Return the header by which the push service of an endpoint takes a message."""
    place, https = urlsplit(endpoint), settings.SITE_URL.startswith("https://")
    claims = {
        "aud": f"{place.scheme}://{place.netloc}",
        "exp": int((now + _SIGNED_FOR).timestamp()),
        # Whom push services ask about this server.
        "sub": settings.SITE_URL if https else f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
    }
    token = JWT(header={"typ": "JWT", "alg": "ES256"}, claims=claims)
    token.make_signed_token(JWK.from_pyca(kept_in(Path(settings.PUSH_KEY_FILE))))
    return f"vapid t={token.serialize()}, k={push_key()}"


def is_offered(request: HttpRequest) -> bool:
    """Return whether the address at which a browser reaches this site is one from which it takes messages."""
    return request.is_secure()


# ---- A browser's subscription --------------------------------------------------------------------


@transaction.atomic
def subscribe(*, by: Account, session_key: str, endpoint: str) -> PushSubscription:
    """Return the subscription of a session's browser; it replaces another of the same one.

    An account has at most `MOST_BROWSERS`: the oldest goes. Raises `Malformed` for an address that is none of
    a public host, and Session.DoesNotExist.
    """
    check_endpoint(endpoint)
    Account.objects.select_for_update(no_key=True).get(pk=by.pk)
    session = Session.objects.get(pk=session_key)
    PushSubscription.objects.filter(endpoint=endpoint).delete()
    PushSubscription.objects.filter(session=session).delete()
    mine = PushSubscription.objects.filter(account=by).order_by("-made_at", "pk")
    PushSubscription.objects.filter(pk__in=[each.pk for each in mine[MOST_BROWSERS - 1 :]]).delete()
    return PushSubscription.objects.create(
        session=session, account=by, endpoint=endpoint, digest=by.get_session_auth_hash()
    )


def check_endpoint(endpoint: str) -> None:
    """Raise `Malformed` for an address at which no browser takes messages: one that is of no public host."""
    longest = PushSubscription._meta.get_field("endpoint").max_length
    try:
        posting.check(endpoint, private=False)
    except posting.Unreachable as refusal:
        raise Malformed({"endpoint": [str(refusal)]}) from None
    if len(endpoint) > (longest or 0):
        raise Malformed({"endpoint": [text("This address is too long.")]})


def unsubscribe(*, by: Account, session_key: str) -> None:
    """End the subscription of a session's browser; a second time changes nothing."""
    PushSubscription.objects.filter(account=by, session=session_key).delete()


def is_told(session_key: str) -> bool:
    """Return whether a session's browser is still told of anything: one address takes all messages."""
    mine = PushSubscription.objects.filter(session=session_key)
    return mine.exists() or any(each(session_key) for each in FOLLOWED)


# ---- Messages ------------------------------------------------------------------------------------


def subscriptions_due() -> Sequence[UUID]:
    """Return the subscriptions of accounts that others have waited for since `GRACE`, not told yet."""
    now = database_time.now()
    free = PushSubscription.objects.filter(session__expire_date__gt=now, next_at__lte=now)
    news = _news({*free.values_list("account", flat=True)}, now)
    untold = [each for each in free.order_by("told_at", "pk") if each.account_id in news]
    return [each.pk for each in untold if each.told_at < news[each.account_id][0]][:_MOST_AT_ONCE]


def last_news(account: Account) -> tuple[datetime, News] | None:
    """Return the last thing that browsers are told of: a turn, a table that was opened, or a challenge."""
    return _news({account.pk}, database_time.now()).get(account.pk)


def _news(accounts: set[UUID], now: datetime) -> Mapping[UUID, tuple[datetime, News]]:
    """Return since when the last thing waits for each account where clubs are awake, and what it is."""
    found: list[tuple[datetime, bool, News, UUID | None]] = [
        (since, False, "turn", seat.account)
        for seat, since in turns(accounts, now, GRACE)
        if awake(seat.game.club_game.club, now) <= now
    ]
    found += [
        (game.opened_at, True, "challenge" if challenged else "table", account)
        for account, game, challenged in opened_for(accounts)
        if now - RECENT <= game.opened_at <= now - GRACE and awake(game.club_game.club, now) <= now
    ]
    found += [
        (email.made_at, True, MAILED[email.kind], email.account_id)
        for email in Email.objects.filter(kind__in=MAILED, account__in=accounts, made_at__gt=now - RECENT)
        if email.status == Email.Status.SENT or (email.next_at and email.next_at <= now + outbox.LEASE)
    ]
    return {account: (at, news) for at, _, news, account in sorted(found, key=itemgetter(0, 1)) if account}


def send_push(*, subscription_id: UUID) -> None:
    """Tell a browser that it is its account's turn, unless that was tried within `outbox.LEASE`.

    One whose account has another password now is told nothing, and ends. Where the push service is not there,
    or takes no more for a while, the browser is told of the same turn later.
    """
    mine = PushSubscription.objects.filter(pk=subscription_id).select_related("account")
    subscription = outbox.lent(mine)
    if subscription is None:
        return
    account = subscription.account
    if not account.is_active or subscription.digest != account.get_session_auth_hash():
        subscription.delete()
        return
    tell(subscription, database_time.now())


def tell(subscription: Browser, until: datetime) -> None:
    """Tell a browser, lent to this worker, that there is something; it is told then what happened ``until``.

    A subscription that its push service knows no more ends, and one that failed too often.
    """
    now = database_time.now()
    mine = type(subscription)._default_manager.filter(pk=subscription.pk)
    answer = _posted(subscription, now)
    attempts = 0 if answer and answer.taken else subscription.attempts + 1
    again = outbox.again(attempts, answer.retry_after if answer else None)
    if (answer and answer.code in _GONE) or again is None:
        subscription.delete()
    elif attempts and _is_for_a_while(answer):
        mine.update(attempts=attempts, next_at=max(again, now + outbox.LEASE))
    else:
        mine.update(attempts=attempts, told_at=until)


def _is_for_a_while(answer: Answer | None) -> bool:
    """Return whether the same message may be taken later."""
    return answer is None or answer.code == _TOO_MANY or answer.code >= HTTPStatus.INTERNAL_SERVER_ERROR


def _posted(subscription: Browser, now: datetime) -> Answer | None:
    """Return what the push service answered, None where it did not."""
    headers = {
        "Authorization": _authorization(subscription.endpoint, now),
        "Content-Length": "0",
        "TTL": str(int(_KEPT_BY_SERVICE.total_seconds())),
        "Topic": "turn",
        "Urgency": "high",
    }
    try:
        return posting.post(subscription.endpoint, b"", headers, private=False)
    except posting.Unreachable:
        return None
