"""Emails to players: written with the events that they tell, or when time alone brings them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from django.db.models import Q, QuerySet

from games import database_time
from games.engine.chain import stamp
from league import log
from league.apps.notifications.models import EmailChoices, Kind
from league.apps.notifications.queries import (
    reminders_due,
    turns,
    unanswered,
    wanting,
)
from league.choices import EventRole
from league.core.agreed import on_request
from league.core.events import EndsGames
from league.core.open_tables import WaitingSeated
from league.core.standings import ranking
from league.core.state.competition import Round as State
from league.core.state.competition import Table
from league.hooks import Notice
from league.log import Appended
from league.models import Account, Club, Competition, Email, Player, Round
from league.projections.rows import row_key
from league.queries.clubs import gets_emails
from league.queries.competitions import concerned, who_can_come
from league.services import emails, outbox

GRACE: Final = timedelta(minutes=10)
"""A player who moves within this time is at the table and needs no email."""
_A_DAY: Final = timedelta(days=1)


def _email(
    kind: Kind, club: Club, key: str, account: UUID | None, about: Mapping[str, Any], *, wakes: bool = False
) -> Email:
    """Return an email that is not written yet, due when the club is awake, or at once if it ``wakes`` it."""
    now = database_time.now()
    due = now if wakes else emails.awake(club, now)
    return emails.new_email(kind, key, about, account=account, club=club, due=due)


# ---- With events ---------------------------------------------------------------------------------


def write_events(appended: Appended) -> None:
    """Write the emails of a competition's new events, in the transaction of the events."""
    competition, decided = appended.competition, set[str]()
    for event in appended.events:
        fields = vars(event)
        match event.emails:
            case "round_published":
                rounds = Round.objects.filter(stage__competition=competition, stage__number=fields["stage"])
                _write_round(competition, rounds.get(number=fields["round"]))
            case "table_opened":
                _write_challenge(appended, fields["table"], by_itself=isinstance(event, WaitingSeated))
            case "round_withdrawn":
                _write_withdrawn(competition, appended.state.withdrawn[-1], fields)
            case "changed" if appended.before and appended.before.status != "finished":
                _write_changed(competition)
            case "result" if _changes_result(appended, fields["table"]):
                decided.add(fields["table"])
    if (moved := _moved(appended)) or decided:
        ended = [event.endings(appended.state) for event in appended.events if isinstance(event, EndsGames)]
        later = {ending.table for endings in ended for ending in endings} - decided
        _write_results(appended, sorted(decided), moved, later)


def _moved(appended: Appended) -> Mapping[str, int | None]:
    """Return whom an organiser's act gives another rung, makes leave or lets return, with the rung before."""
    before, now = appended.before, appended.state
    if before is None or not now.stages or len(before.stages) != len(now.stages):
        return {}
    after = ranking.rungs(now)
    had = ranking.rungs(before) if after else {}
    moved: dict[str, int | None] = {entry: was for entry, was in had.items() if after.get(entry, was) != was}
    theirs = [vars(event)["entry"] for event in appended.events if event.emails == "entry"]
    moved |= {entry: had.get(entry) for entry in theirs}
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
    accounts = wanting(Kind.ROUND_PUBLISHED).filter(seated | resting).distinct()
    # A round that was withdrawn may be published again.
    key, about = f"{its_round.pk}:{competition.seq}", {"round": str(its_round.pk)}
    _write_of_round(accounts, competition, key, about)


def _write_challenge(appended: Appended, table: str, *, by_itself: bool) -> None:
    """Tell the players of a table that it was opened, but not the one who opened it."""
    competition = appended.competition
    opener = None if by_itself else competition.events.get(seq=competition.seq).account
    accounts = wanting(Kind.ROUND_PUBLISHED).filter(players__seats__table=UUID(table)).distinct()
    accounts = accounts.exclude(pk=UUID(opener)) if opener else accounts
    its_round = Round.objects.get(tables=UUID(table))
    about = {"round": str(its_round.pk), "table": table, "by": opener}
    _write_of_round(accounts, competition, table, about)


def _write_withdrawn(competition: Competition, withdrawn: State, fields: Mapping[str, Any]) -> None:
    """Tell those who were told of a round that it is withdrawn; nobody is told of it any more."""
    unsent = Email.objects.filter(
        kind=Kind.ROUND_PUBLISHED,
        status=Email.Status.WAITING,
        about__round=str(row_key(competition, "round", fields["stage"], fields["round"])),
    )
    unaware = list(unsent.values_list("account", flat=True))
    unsent.update(status=Email.Status.DROPPED)
    players = {seat.player for table in withdrawn.tables for seat in table.seats}
    asked = on_request(log.latest(competition), (fields["stage"], fields["round"]))
    resting = Q(players__entered__entry__in=[*withdrawn.byes, *asked])
    accounts = wanting(Kind.ROUND_PUBLISHED).filter(Q(players__in=players) | resting).distinct()
    about = {
        "competition": str(competition.pk),
        "withdrawn": fields["round"],
        "reason": fields["reason"],
    }
    key = f"withdrawn:{competition.pk}:{competition.seq}"
    _write_of_round(accounts.exclude(pk__in=unaware), competition, key, about)


def _write_changed(competition: Competition) -> None:
    """Tell all who have entered a competition, or were asked to it, what its last entry says."""
    key = f"{competition.pk}:{competition.seq}"
    about = {"competition": str(competition.pk), "seq": competition.seq}
    _write_to_people(Kind.CHANGED, competition, key, concerned(competition), about)


def write_moved(competition: Competition, before: Mapping[str, Any]) -> None:
    """Tell those people that a competition to come, or under way, has another day, time or place.

    Where it had no day before nobody planned with it, and nobody is told.
    """
    over = competition.status in (Competition.Status.FINISHED, Competition.Status.CANCELLED)
    if before["begins_on"] and not over:
        was = {name: value and str(value) for name, value in before.items()}
        its = Email.objects.filter(kind=Kind.CHANGED, about__competition=str(competition.pk))
        # Nobody has read of a day that is not sent yet: they are told from which it was before that one.
        unsent = its.filter(about__has_key="was", status=Email.Status.WAITING)
        if first := unsent.first():
            was = first.about["was"]
            unsent.update(status=Email.Status.DROPPED)
        about = {"competition": str(competition.pk), "was": was}
        # The log says nothing of details, and they may be changed back and again: each time has its own key.
        _write_to_people(Kind.CHANGED, competition, str(uuid4()), concerned(competition), about)


def _write_to_people(
    kind: Kind,
    competition: Competition,
    key: str,
    people: QuerySet[Player],
    about: Mapping[str, Any],
    *,
    wakes: bool = False,
) -> Collection[UUID]:
    """Write to the accounts of players that want it, and to the addresses that the club keeps of others.

    Returns the players that this reaches.
    """
    club = competition.club
    accounts = wanting(kind).filter(players__in=people).distinct()
    without = [*people.filter(gets_emails(kind), account=None)]
    emails.write(_email(kind, club, key, each.pk, about, wakes=wakes) for each in accounts)
    emails.write(
        _email(kind, club, f"{key}:{each.pk}", None, {**about, "player": str(each.pk)}, wakes=wakes)
        for each in without
    )
    reached = people.filter(account__in=accounts.values("pk")).values_list("pk", flat=True)
    return {*reached, *(each.pk for each in without)}


def write_next_evening(competition: Competition) -> None:
    """Tell the members of a club, once each, that they can enter a competition.

    Of those without an account that is whom the club keeps an address of.
    """
    about = {"competition": str(competition.pk)}
    _write_to_people(Kind.NEXT_EVENING, competition, str(competition.pk), who_can_come(competition), about)


def _write_of_round(
    accounts: QuerySet[Account], competition: Competition, key: str, about: Mapping[str, Any]
) -> None:
    club = competition.club
    emails.write(_email(Kind.ROUND_PUBLISHED, club, key, each.pk, about) for each in accounts)


def _write_results(
    appended: Appended, tables: Sequence[str], moved: Mapping[str, int | None], later: Collection[str]
) -> None:
    """Tell the players of the tables that an act decides, each with one email of all their own.

    The same email tells those whose rung it moved, who left or returned by it: with the rung that they had
    before, and the numbers of the events. Those whose games it ends are told when these are recorded,
    ``later``.
    """
    competition = appended.competition
    events = [competition.seq - len(appended.events) + 1, competition.seq]
    wants = wanting(Kind.RESULT)
    seated = wants.filter(players__seats__table__in=[*map(UUID, tables)])
    climbed = wants.filter(players__entered__entry__in=[*map(UUID, moved)])
    climbed = climbed.exclude(players__seats__table__in=[*map(UUID, later)])
    # What waits for the morning will tell the result as it is then.
    waiting = Email.objects.filter(
        Q(account__in=seated) | Q(account__in=climbed),
        kind=Kind.RESULT,
        status=Email.Status.WAITING,
        next_at__gt=database_time.now() + outbox.LEASE,
    )
    told = {
        (each.account_id, about)
        for each in waiting
        for about in (*each.about["tables"], *each.about.get("rung", ())[:1])
    }
    own: dict[UUID, dict[str, Any]] = {}
    for account, table in seated.values_list("pk", "players__seats__table").distinct():
        if (account, str(table)) not in told:
            own.setdefault(account, {"tables": []})["tables"].append(str(table))
    for account, entry in climbed.values_list("pk", "players__entered__entry").distinct():
        if (account, str(entry)) not in told:
            own.setdefault(account, {"tables": []})["rung"] = [str(entry), moved[str(entry)], *events]
    key, club = f"{competition.pk}:{competition.seq}", competition.club
    emails.write(_email(Kind.RESULT, club, key, account, about) for account, about in own.items())


def write_notice(notice: Notice) -> Collection[UUID]:
    """Write an organiser's message to players; return those whom it reaches.

    The browsers of those with an account are told of it, too, when the email is due.
    """
    about = {"notice": str(notice.key), "competition": str(notice.competition.pk), "words": notice.words}
    people = Player.objects.filter(pk__in=notice.players, bot=False, anonymous=False)
    key = str(notice.key)
    return _write_to_people(Kind.NOTICE, notice.competition, key, people, about, wakes=notice.wakes)


# ---- Those who keep others waiting ---------------------------------------------------------------


def write_turns() -> None:
    """Write an email for each seat that has kept a table waiting for `GRACE`, one until it has moved."""
    found = turns(wanting(Kind.YOUR_TURN).values_list("pk", flat=True), database_time.now(), GRACE)
    _write_missing(
        _email(
            Kind.YOUR_TURN,
            seat.game.club_game.club,
            f"{seat.game_id}:{seat.number}:{stamp(since)}",
            seat.account,
            {"game": str(seat.game_id), "seat": seat.number, "since": stamp(since)},
        )
        for seat, since in found
    )


def write_reminders() -> None:
    """Write an email for each reminder that is due, before a round's deadline or a player's own.

    If several are due at once, only the nearest deadline is told, and of its reminders the last one.
    """
    due = reminders_due(database_time.now())
    ordered = sorted(due, key=lambda each: (-each.deadline.timestamp(), each.due))
    nearest = {(each.club_game.pk, each.seat.player): each for each in ordered}
    wanted = wanting(Kind.REMINDER).filter(pk__in=[each.seat.account for each in due])
    told = {*wanted.values_list("pk", flat=True)}
    _write_missing(
        # It is due outside quiet hours, or at their beginning: in the morning it would be too late.
        _email(
            Kind.REMINDER,
            each.club_game.club,
            each.key,
            each.seat.account,
            {
                "game": str(each.club_game.pk),
                "of": each.kind,
                "deadline": stamp(each.deadline),
                "player": str(each.seat.player),
            },
            wakes=True,
        )
        for each in nearest.values()
        if each.seat.account in told
    )


def write_game_invitations() -> None:
    """Write an email for each account that is invited to new games of a club, at most one a day for a club.

    It names all games that still wait for the account when it is sent.
    """
    now = database_time.now()
    seats = unanswered(wanting(Kind.GAME_INVITATIONS).values_list("pk", flat=True), now - GRACE)
    asked = {(seat.account, seat.game.club_game.club): seat.game.opened_at for seat in seats}
    lately = Email.objects.filter(kind=Kind.GAME_INVITATIONS, made_at__gt=now - _A_DAY)
    told = {*lately.filter(account__in=[account for account, _club in asked]).values_list("account", "club")}
    _write_missing(
        _email(Kind.GAME_INVITATIONS, club, f"{club.pk}:{stamp(newest)}", account, {"club": str(club.pk)})
        for (account, club), newest in asked.items()
        if (account, club.pk) not in told
    )


def _write_missing(wanted: Iterable[Email]) -> None:
    """Write those emails that are not written yet; of one key the last."""
    by_key = {each.key: each for each in wanted}
    written = {*Email.objects.filter(key__in=by_key).values_list("key", flat=True)}
    emails.write(each for key, each in by_key.items() if key not in written)


# ---- What an account chooses ---------------------------------------------------------------------


def choose_emails(*, by: Account, **chosen: bool) -> None:
    """Change those of the account's choices that are ``chosen``, each a `Kind`."""
    EmailChoices.objects.update_or_create(account=by, defaults=chosen)


def forget_choices(account: Account) -> None:
    """Remove the choices of an account that is deleted."""
    EmailChoices.objects.filter(account=account).delete()
