"""Which accounts get which notices by email."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.text import capfirst

from league.models import Account, Competition, Notice, NoticeChoices, PushSubscription, TableSeat
from league.models.notices import CHOSEN


def wanting(kind: str) -> QuerySet[Account]:
    """Return the accounts with an email address that want notices of a kind."""
    chosen = Q(**{f"notice_choices__{kind}": True})
    if getattr(NoticeChoices(), kind):
        chosen |= Q(notice_choices=None)
    return Account.objects.filter(chosen, is_active=True).exclude(email="")


def tables_told(notice: Notice) -> Sequence[str]:
    """Return the ids of the tables whose results a notice tells; before 28 November 2026 it told one."""
    about = notice.about
    told: Sequence[str] = about["tables"] if "tables" in about else [about["table"]]
    return told


def unmailed(tables: Iterable[UUID], kind: str) -> Mapping[UUID, Sequence[str]]:
    """Return the names of people at tables who get no email of a kind: without an address, or by choice.

    Who has opened a table knows of it.
    """
    seats = TableSeat.objects.filter(table__in=[*tables]).exclude(player__account__in=wanting(kind))
    seats = seats.filter(player__bot=False).select_related("player").order_by("number")
    of_them = Competition.objects.filter(stages__rounds__tables__seats__in=seats)
    opened = of_them.filter(events__event__type="table_opened").order_by().distinct()
    by = set(opened.values_list("events__event__table", "events__account"))
    found: dict[UUID, list[str]] = {}
    for seat in seats:
        if (str(seat.table_id), str(seat.player.account_id)) not in by:
            found.setdefault(seat.table_id, []).append(seat.player.name)
    return found


def is_subscribed(account: Account, session_key: str) -> bool:
    """Return whether the browser of a session is told that it is the account's turn."""
    return PushSubscription.objects.filter(account=account, session=session_key).exists()


@dataclass(frozen=True)
class NoticeChoice:
    """A kind of notice that an account can choose, with its title, and whether the account wants it."""

    kind: str
    title: str
    wanted: bool


def choices_of(account: Account) -> Sequence[NoticeChoice]:
    """Return the account's choice for each kind."""
    row = NoticeChoices.objects.filter(account=account).first() or NoticeChoices(account=account)
    chosen = [field for field in NoticeChoices._meta.fields if field.name in CHOSEN]
    return [
        NoticeChoice(field.name, capfirst(str(field.verbose_name)), getattr(row, field.name))
        for field in chosen
    ]
