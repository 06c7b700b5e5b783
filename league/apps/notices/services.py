"""Notices by email: who gets which, and what an account chooses (`mailing` sends them)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Count, F, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from games import database_time
from games.engine import clocks
from games.engine.clocks import NOTHING, Clock
from games.engine.refusals import Illegal, Malformed
from games.log import Appended as Made
from league.choices import EventRole
from league.core.events import EndsGames
from league.core.standings import ranking
from league.core.state.competition import Round as State
from league.core.state.competition import Table
from league.log import Appended
from league.models import Account, Club, ClubGame, Competition, Notice, NoticeChoices, Round
from league.models.notices import CHOSEN
from league.projections.rows import row_key
from league.queries.links import ADDRESS_GOOD_FOR, read_token_to_stop
from league.queries.notices import tables_told, wanting
from league.services import outbox, queue

_Kind: Final = Notice.Kind
_MOST_ADDRESSES: Final = 5
_MOST_LINKS: Final = 10


# ---- Writing notices -----------------------------------------------------------------------------


def write_for(
    accounts: Iterable[Account], *, kind: str, club: Club | None, key: str, about: Mapping[str, Any]
) -> None:
    """Write a notice for each account, once for each ``key``, due when the club is awake."""
    write(notice(kind, club, key, account, about) for account in accounts)


def notice(
    kind: str, club: Club | None, key: str, account: Account, about: Mapping[str, Any], *, wakes: bool = False
) -> Notice:
    """Return a notice that is not written yet; nobody gets two of one kind and key.

    Optional ones wait until the club is awake, if they do not ``wakes`` it.
    """
    now = database_time.now()
    due = awake(club, now) if club and kind in CHOSEN and not wakes else now
    key = f"{kind}:{key}:{account.pk}"
    return Notice(key=key, kind=kind, account=account, club=club, about=about, next_at=due)


def write(notices: Iterable[Notice]) -> None:
    """Write those notices whose keys are not written yet, and queue their sending."""
    rows = list(notices)
    if rows:
        Notice.objects.bulk_create(rows, ignore_conflicts=True)
        queue.after_commit("send_notices")


def awake(club: Club, at: datetime) -> datetime:
    """Return the first moment from ``at`` on outside the club's quiet hours."""
    return clocks.after(Clock(quiet=club.quiet, zone=club.timezone), at, NOTHING)


def write_events(appended: Appended) -> None:
    """Write the notices of a competition's new events, in the transaction of the events."""
    competition, decided = appended.competition, set[str]()
    for event in appended.events:
        fields = vars(event)
        match event.notice:
            case "round_published":
                rounds = Round.objects.filter(stage__competition=competition, stage__number=fields["stage"])
                _write_round(competition, rounds.get(number=fields["round"]))
            case "table_opened":
                _write_challenge(appended, fields["table"])
            case "round_withdrawn":
                _write_withdrawn(competition, appended.state.withdrawn[-1], fields)
            case "result" if _changes_result(appended, fields["table"]):
                decided.add(fields["table"])
    if (moved := _moved(appended)) or decided:
        ended = [event.endings(appended.state) for event in appended.events if isinstance(event, EndsGames)]
        later = {ending.table for endings in ended for ending in endings} - decided
        _write_results(competition, sorted(decided), moved, later)


def _moved(appended: Appended) -> Mapping[str, int]:
    """Return the rung that entries had before an organiser's act that gives them another one."""
    before, now = appended.before, appended.state
    if before is None or len(before.stages) != len(now.stages):
        return {}
    after = ranking.rungs(now)
    had = ranking.rungs(before) if after else {}
    moved = {entry: was for entry, was in had.items() if after.get(entry, was) != was}
    directs = (EventRole.ORGANISER, EventRole.SCOREKEEPER)
    row = appended.competition.events.filter(seq=appended.competition.seq, role__in=directs)
    return moved if moved and row.exists() else {}


def _changes_result(appended: Appended, table: str) -> bool:
    """Return whether a table is decided, and not in the same way as before.

    A ruling or a void ends the table's games, whose ends are then recorded: that tells nobody anything new.
    """
    now = appended.state.table(table)[2]
    earlier = () if appended.before is None else (each for _, _, each in appended.before.tables())
    was = next((each for each in earlier if each.id == table), None)
    return now.decided and (was is None or _told(was) != _told(now))


def _told(table: Table) -> tuple[object, ...]:
    """Return what an email tells of a table's result."""
    return table.status, table.outcomes, table.void, [each.placings for each in table.results]


def _write_round(competition: Competition, its_round: Round) -> None:
    seated = Q(players__seats__table__round=its_round)
    resting = Q(players__entered__entry__byes__round=its_round)
    accounts = wanting(_Kind.ROUND_PUBLISHED).filter(seated | resting).distinct()
    # A round that was withdrawn may be published again.
    key, about = f"{its_round.pk}:{competition.seq}", {"round": str(its_round.pk)}
    write_for(accounts, kind=_Kind.ROUND_PUBLISHED, club=competition.club, key=key, about=about)


def _write_challenge(appended: Appended, table: str) -> None:
    """Tell the players of a table that it was opened, but not the one who opened it."""
    competition = appended.competition
    opener = competition.events.get(seq=competition.seq).account
    accounts = wanting(_Kind.ROUND_PUBLISHED).filter(players__seats__table=UUID(table)).distinct()
    told = accounts.exclude(pk=UUID(opener)) if opener else accounts
    its_round = Round.objects.get(tables=UUID(table))
    about = {"round": str(its_round.pk), "table": table, "by": opener}
    write_for(told, kind=_Kind.ROUND_PUBLISHED, club=competition.club, key=table, about=about)


def _write_withdrawn(competition: Competition, withdrawn: State, fields: Mapping[str, Any]) -> None:
    """Tell those who were told of a round that it is withdrawn; nobody is told of it any more."""
    unsent = Notice.objects.filter(
        kind=_Kind.ROUND_PUBLISHED,
        status=Notice.Status.WAITING,
        about__round=str(row_key(competition, "round", fields["stage"], fields["round"])),
    )
    unaware = list(unsent.values_list("account", flat=True))
    unsent.update(status=Notice.Status.DROPPED)
    players = {seat.player for table in withdrawn.tables for seat in table.seats}
    resting = Q(players__entered__entry__in=withdrawn.byes)
    accounts = wanting(_Kind.ROUND_PUBLISHED).filter(Q(players__in=players) | resting).distinct()
    about = {
        "competition": str(competition.pk),
        "withdrawn": fields["round"],
        "reason": fields["reason"],
    }
    key = f"withdrawn:{competition.pk}:{competition.seq}"
    told = accounts.exclude(pk__in=unaware)
    write_for(told, kind=_Kind.ROUND_PUBLISHED, club=competition.club, key=key, about=about)


def _write_results(
    competition: Competition, tables: Sequence[str], moved: Mapping[str, int], later: Collection[str]
) -> None:
    """Tell the players of the tables that an act decides, each with one notice of all their own.

    The same notice tells those whose rung it moved, with the rung that they had before; those whose games it
    ends are told of their rung when these are recorded, ``later``.
    """
    wants = wanting(_Kind.RESULT)
    seated = wants.filter(players__seats__table__in=[*map(UUID, tables)])
    climbed = wants.filter(players__entered__entry__in=[*map(UUID, moved)])
    climbed = climbed.exclude(players__seats__table__in=[*map(UUID, later)])
    # What waits for the morning will tell the result as it is then.
    waiting = Notice.objects.filter(
        Q(account__in=seated) | Q(account__in=climbed),
        kind=_Kind.RESULT,
        status=Notice.Status.WAITING,
        next_at__gt=database_time.now() + outbox.LEASE,
    )
    told = {(each.account_id, about) for each in waiting for about in _told_by(each)}
    own: dict[Account, dict[str, Any]] = {}
    for account in seated.annotate(table=F("players__seats__table")).distinct():
        if (account.pk, str(account.table)) not in told:
            own.setdefault(account, {"tables": []})["tables"].append(str(account.table))
    for each in climbed.annotate(entry=F("players__entered__entry")).distinct():
        if (each.pk, entry := str(each.entry)) not in told:
            own.setdefault(each, {"tables": []})["rung"] = [entry, moved[entry]]
    key = f"{competition.pk}:{competition.seq}"
    write(notice(_Kind.RESULT, competition.club, key, account, about) for account, about in own.items())


def _told_by(waiting: Notice) -> Iterable[str]:
    """Return the ids of the tables and the entry that a notice of results will tell of as they are then."""
    return *tables_told(waiting), *waiting.about.get("rung", ())[:1]


def write_handed_over(made: Made, former: UUID) -> None:
    """Write a notice to the account that played a seat until an entry that changed that."""
    club_game = ClubGame.objects.select_related("club").get(pk=made.game.pk)
    about = {"game": str(made.game.pk), "reason": made.entry.move["reason"]}
    accounts = Account.objects.filter(pk=former, is_active=True).exclude(email="")
    key = f"{made.game.pk}:{made.entry.seq}"
    write_for(accounts, kind=_Kind.HANDED_OVER, club=club_game.club, key=key, about=about)


def write_forgotten_passwords(*, email: str) -> None:
    """Write notices with a link to a new password for an address's accounts.

    An account gets at most one in five minutes, and `_MOST_LINKS` in a day.
    """
    now = database_time.now()
    lately = Notice.objects.filter(kind=_Kind.PASSWORD, account=OuterRef("pk")).order_by()
    last = lately.values("account").annotate(last=Max("made_at")).values("last")
    day = lately.filter(made_at__gt=now - timedelta(days=1)).values("account").annotate(count=Count("pk"))
    mine = Account.objects.filter(email__iexact=email, is_active=True)
    mine = mine.annotate(last=Subquery(last), day=Coalesce(Subquery(day.values("count")), 0))
    waited = Q(last=None) | Q(last__lte=now - timedelta(minutes=5))
    free = mine.filter(waited, day__lt=_MOST_LINKS)
    accounts = [account for account in free.order_by("pk") if account.has_usable_password()]
    key = str(int(database_time.now().timestamp()) // 300)
    write_for(accounts, kind=_Kind.PASSWORD, club=None, key=key, about={})


# ---- What an account chooses ---------------------------------------------------------------------


def choose_notices(*, by: Account, **chosen: bool) -> NoticeChoices:
    """Return the account's choices with those of ``chosen`` changed, each a kind of `CHOSEN`."""
    choices, _made = NoticeChoices.objects.update_or_create(account=by, defaults=chosen)
    return choices


def stop_notices(*, token: str) -> None:
    """Stop one kind of email to an account; a second time changes nothing. Raises `Illegal`."""
    account, kind = read_token_to_stop(token=token)
    choose_notices(by=account, **{kind: False})


def ask_for_address(*, by: Account, email: str) -> None:
    """Send a link to an address that makes it the account's.

    Whoever asks, an address that no account has gets one while its link is good. Raises `Malformed`, and
    `Illegal` for an account that asks for more than `_MOST_ADDRESSES` in an hour.
    """
    try:
        validate_email(email)
    except ValidationError as error:
        raise Malformed({"email": error.messages}) from None
    lately = database_time.now() - timedelta(hours=1)
    requested = Notice.objects.filter(kind=_Kind.ADDRESS, account=by, made_at__gt=lately)
    if requested.count() >= _MOST_ADDRESSES:
        raise Illegal("You have requested several links already. Check your emails, or wait an hour.")
    if _was_told(by, email):
        return
    key = str(uuid4())
    write_for([by], kind=_Kind.ADDRESS, club=None, key=key, about={"email": email})


def _was_told(account: Account, email: str) -> bool:
    """Return whether an account asks again within minutes; raise `Illegal` where an address had its email."""
    now = database_time.now()
    told = Notice.objects.filter(kind=_Kind.ADDRESS, about__email__iexact=email)
    if told.filter(account=account, made_at__gt=now - timedelta(minutes=5)).exists():
        return True
    lately = told.filter(made_at__gt=now - ADDRESS_GOOD_FOR)
    if lately.exists() and not Account.objects.filter(email__iexact=email).exists():
        raise Illegal("A link was sent to this address already. Look for it among unwanted emails, too.")
    return False
