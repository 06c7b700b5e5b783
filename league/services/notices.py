"""Notices by e-mail: what is told to whom, and what an account chooses (`mailing` sends them)."""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine import clocks
from games.engine.clocks import NOTHING, Clock
from games.engine.refusals import Illegal, Malformed
from league.competition import events
from league.log import Appended
from league.models import Account, Club, Member, Notice, NoticeChoices, Round, Webhook
from league.models.notices import CHOSEN
from league.permissions import DIRECTORS
from league.services import hints

_Kind: Final = Notice.Kind
_STOP: Final = "league.notices.stop"
_ADDRESS: Final = "league.notices.address"
_ADDRESS_SECONDS: Final = 3 * 24 * 60 * 60
_MOST_ADDRESSES: Final = 5
_KEPT: Final = timedelta(days=90)
"""Longer than any deadline lies ahead: a key that is forgotten too early would tell twice."""


# ---- What is told --------------------------------------------------------------------------------


def wanting(kind: str) -> "QuerySet[Account]":
    """Return the accounts that can get a mail and want those of a kind."""
    chosen = Q(**{f"notice_choices__{kind}": True})
    if getattr(NoticeChoices(), kind):
        chosen |= Q(notice_choices=None)
    return Account.objects.filter(chosen, is_active=True).exclude(email="")


def tell(
    *, kind: str, club: Club | None, what: str, accounts: Iterable[Account], about: Mapping[str, Any]
) -> None:
    """Write a notice for each account, once for each ``what``, to go out when the club is awake."""
    write(notice(kind, club, what, account, about) for account in accounts)


def notice(kind: str, club: Club | None, what: str, account: Account, about: Mapping[str, Any]) -> Notice:
    """Return a notice that is yet to be written; its key says what is told whom."""
    now = timezone.now()
    due = awake(club, now) if club and kind in CHOSEN else now
    key = f"{kind}:{what}:{account.pk}"
    return Notice(key=key, kind=kind, account=account, club=club, about=about, due_at=due)


def write(notices: Iterable[Notice]) -> None:
    """Write those notices whose keys are not there yet, and let a worker send them."""
    fresh = list(notices)
    if fresh:
        Notice.objects.bulk_create(fresh, ignore_conflicts=True)
        hints.after_commit("send_notices")


def awake(club: Club, at: datetime) -> datetime:
    """Return the first moment from ``at`` on outside the club's quiet hours."""
    return clocks.after(Clock(quiet=club.quiet, zone=club.timezone), at, NOTHING)


def tell_of_events(appended: Appended) -> None:
    """Write, in the transaction of a competition's events, what players will be told of them."""
    competition = appended.competition
    for event in appended.events:
        match event:
            case events.Published():
                its_round = Round.objects.get(
                    stage__competition=competition, stage__number=event.stage, number=event.round
                )
                _tell_of_round(competition.club, its_round)
            case events.ResultRecorded() | events.Ruled() | events.WalkedOver() | events.Voided():
                if appended.state.table(event.table)[2].decided:
                    _tell_of_result(competition.club, event.table, appended.competition.seq)
            case _:
                pass


def _tell_of_round(club: Club, its_round: Round) -> None:
    seated = Q(players__seats__table__round=its_round)
    resting = Q(players__entered__entry__byes__round=its_round)
    accounts = wanting(_Kind.ROUND_PUBLISHED).filter(seated | resting).distinct()
    what, about = str(its_round.pk), {"round": str(its_round.pk)}
    tell(kind=_Kind.ROUND_PUBLISHED, club=club, what=what, accounts=accounts, about=about)


def _tell_of_result(club: Club, table: str, seq: int) -> None:
    accounts = wanting(_Kind.RESULT).filter(players__seats__table=UUID(table)).distinct()
    what, about = f"{table}:{seq}", {"table": table}
    tell(kind=_Kind.RESULT, club=club, what=what, accounts=accounts, about=about)


def tell_of_stopped(webhook: Webhook) -> None:
    """Write a notice to those who direct the club that a webhook of theirs was stopped."""
    directors = Member.objects.filter(club=webhook.club_id, role__in=DIRECTORS).values("account")
    accounts = Account.objects.filter(pk__in=directors, is_active=True).exclude(email="")
    what = f"{webhook.pk}:{timezone.now():%Y-%m-%d}"
    about = {"webhook": str(webhook.pk)}
    tell(kind=_Kind.WEBHOOK_STOPPED, club=webhook.club, what=what, accounts=accounts, about=about)


def tell_of_forgotten_passwords(*, email: str) -> None:
    """Write notices with the way to a new password for an address's accounts, one in five minutes."""
    accounts = [
        account
        for account in Account.objects.filter(email__iexact=email, is_active=True)
        if account.has_usable_password()
    ]
    what = str(int(timezone.now().timestamp()) // 300)
    tell(kind=_Kind.PASSWORD, club=None, what=what, accounts=accounts, about={})


def forget_notices() -> None:
    """Remove the notices that are settled, once nobody needs to know any more that they went out."""
    settled = Notice.objects.exclude(status=Notice.Status.WAITING)
    settled.filter(made_at__lt=timezone.now() - _KEPT).delete()


# ---- What an account chooses ---------------------------------------------------------------------


def choose_notices(*, by: Account, **wanted: bool) -> NoticeChoices:
    """Return the account's choices with those of ``wanted`` changed, each a kind of `CHOSEN`."""
    choices, _made = NoticeChoices.objects.update_or_create(account=by, defaults=wanted)
    return choices


def token_to_stop(account: Account, kind: str) -> str:
    """Return what lets whoever has it stop one kind of mail to the account, and nothing else."""
    return signing.dumps([str(account.pk), kind], salt=_STOP)


def read_token_to_stop(*, token: str) -> tuple[Account, str]:
    """Return whose mails of which kind a token stops; raises `Illegal` for one that was never given out."""
    try:
        pk, kind = signing.loads(token, salt=_STOP)
        return Account.objects.get(pk=pk), kind
    except (signing.BadSignature, Account.DoesNotExist):
        raise Illegal(_("This link is not one of ours, or of an account that is gone.")) from None


def stop_notices(*, token: str) -> None:
    """Stop one kind of mail to an account; a second time changes nothing. Raises `Illegal`."""
    account, kind = read_token_to_stop(token=token)
    choose_notices(by=account, **{kind: False})


def ask_for_address(*, by: Account, email: str) -> None:
    """Send a link by which whoever reads an address makes it the account's.

    Raises `Malformed`, and `Illegal` for an account that asks for more than `_MOST_ADDRESSES` in an hour.
    """
    try:
        validate_email(email)
    except ValidationError as error:
        raise Malformed({"email": error.messages}) from None
    lately = timezone.now() - timedelta(hours=1)
    asked = Notice.objects.filter(kind=_Kind.ADDRESS, account=by, made_at__gt=lately)
    if asked.count() >= _MOST_ADDRESSES:
        raise Illegal(_("You have asked for several links already: look at your mails, or wait an hour."))
    # A click too many sends no second mail.
    minutes = int(timezone.now().timestamp()) // 300
    what = hashlib.sha256(f"{email.casefold()} {minutes}".encode()).hexdigest()
    tell(kind=_Kind.ADDRESS, club=None, what=what, accounts=[by], about={"email": email})


def token_for_address(account: Account, email: str) -> str:
    """Return what makes an address the account's within three days."""
    return signing.dumps([str(account.pk), account.email, email], salt=_ADDRESS)


@transaction.atomic
def confirm_address(*, by: Account, token: str) -> Account:
    """Return the account with its confirmed address; raises `Illegal` for a link that is good no more."""
    gone = Illegal(_("This link is too old, or was made for another account."))
    try:
        pk, before, email = signing.loads(token, salt=_ADDRESS, max_age=_ADDRESS_SECONDS)
    except signing.BadSignature:
        raise gone from None
    account = Account.objects.select_for_update(no_key=True).get(pk=by.pk)
    if (str(account.pk), account.email) not in ((pk, before), (pk, email)):
        raise gone
    account.email = email
    account.save(update_fields=["email"])
    return account
