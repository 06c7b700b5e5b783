"""Writes of my evening: passes are made, sent, opened and revoked."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import get_language

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal
from league.apps.hall.services import count_wrong, make_own_code, refuse_guesses
from league.apps.my_evening import queries
from league.apps.my_evening.models import EveningPush, Pass
from league.core.verbs.objections import ResultsPosted
from league.log import Appended
from league.models import Account, Competition, Email, Player
from league.ops.secret import new_salt
from league.queries import permissions
from league.queries.clubs import gets_emails
from league.queries.links import derived, reader_of, reader_once_one
from league.services import emails

KIND: Final = "my_evening"


def make_passes(*, by: Account, competition: Competition, people: Iterable[Player]) -> Mapping[UUID, Pass]:
    """Return a good pass of each person by player: the one that there is, or a new one.

    Raises `Illegal` once the competition is over and takes no objections, and PermissionDenied for who is
    no scorekeeper.
    """
    permissions.require_scorekeeper(competition.club_id, by)
    return _made(by, competition, people)


@transaction.atomic
def make_passes_at_kiosk(*, competition: Competition, people: Sequence[Player]) -> Mapping[UUID, Pass]:
    """Return a new pass of each person; the caller has seen that a kiosk asks.

    Raises `Illegal` where one of them has one already: anybody may stand at a kiosk.
    """
    # Two kiosks at once: the second sees what the first has made.
    Competition.objects.select_for_update(no_key=True).get(pk=competition.pk)
    if {each.pk for each in people} & {*queries.passes_of(competition)}:
        raise Illegal(text("There is a code already. An organiser can show it again."))
    return _made(None, competition, people)


@transaction.atomic
def _made(by: Account | None, competition: Competition, people: Iterable[Player]) -> Mapping[UUID, Pass]:
    locked = Competition.objects.select_for_update(no_key=True).get(pk=competition.pk)
    if queries.is_over(locked):
        raise Illegal(text("The competition is over."))
    good, wanted = queries.passes_of(competition), {each.pk: each for each in people}
    lacking = [player for pk, player in wanted.items() if pk not in good]
    _revoke(Q(competition=competition, player__in=lacking))
    until = queries.good_until(competition)
    made = [_new(by, competition, player, until) for player in lacking]
    Pass.objects.bulk_create(made)
    return {pk: held for pk, held in (good | {each.player_id: each for each in made}).items() if pk in wanted}


def _new(by: Account | None, competition: Competition, player: Player, until: datetime) -> Pass:
    held = Pass(competition=competition, player=player, made_by=by, expires_at=until, salt=new_salt())
    held.digest = queries.digest_of(queries.code_of(held))
    return held


def revoke(*, by: Account, competition: Competition, people: Sequence[UUID] | None = None) -> int:
    """End the passes of people, or of all, and what was opened with them; return how many there were."""
    permissions.require_scorekeeper(competition.club_id, by)
    whose = Q(competition=competition)
    return _revoke(whose if people is None else whose & Q(player__in=people))


def follow_moved(competition: Competition, _before: Mapping[str, object]) -> None:
    """Let passes be good for the evening at its new time: what was mailed or printed for the old one."""
    if not queries.is_over(competition):
        held = Pass.objects.filter(competition=competition, revoked_at=None)
        held.update(expires_at=queries.good_until(competition))


def follow_events(appended: Appended) -> None:
    """Let passes be good while their people may object to posted results."""
    for event in appended.events:
        if isinstance(event, ResultsPosted):
            until = datetime.fromisoformat(event.until)
            held = Pass.objects.filter(competition=appended.competition, revoked_at=None)
            held.filter(expires_at__lt=until).update(expires_at=until)


def follow_reader(kept: Player, merged: Player) -> None:
    """Keep good what was sent to a player who gets the account of the same person."""
    before, now = (derived("reader", each) for each in (reader_of(kept), reader_once_one(kept, merged)))
    Pass.objects.filter(player=kept, reader=before, revoked_at=None).update(reader=now)


def forget(player: Player) -> None:
    """Remove the passes of a person who is forgotten."""
    Pass.objects.filter(player=player).delete()


@transaction.atomic
def _revoke(whose: Q) -> int:
    ended = [*Pass.objects.filter(whose, revoked_at=None).select_for_update(of=("self",))]
    EveningPush.objects.filter(held__in=ended).delete()
    return Pass.objects.filter(pk__in=[each.pk for each in ended]).update(revoked_at=database_time.now())


@transaction.atomic
def send_passes(*, by: Account, competition: Competition) -> int:
    """Send everybody with an address the link to the own evening; return how many that are.

    Who got the same link before gets none again. Who has no account gets it in the language of this moment.
    """
    people = queries.people_of(competition).filter(gets_emails(KIND))
    made = make_passes(by=by, competition=competition, people=people)
    club, accounts = competition.club, dict(people.values_list("pk", "account"))
    for player in people.select_related("account", "contact"):
        reader = derived("reader", reader_of(player))
        Pass.objects.filter(pk=made[player.pk].pk).update(reader=reader)
    said = {"language": get_language() or ""}
    emails.write(
        emails.new_email(KIND, str(each.pk), {"pass": str(each.pk), **said}, account=accounts[pk], club=club)
        for pk, each in made.items()
    )
    return len(made)


def open_pass(*, code: str, client: str) -> Pass:
    """Return the good pass of a code that somebody typed or scanned.

    ``client`` is an address: after many wrong codes it is told to stop. Raises `Illegal` and `TooManyTries`.
    """
    held = (
        Pass.objects.filter(digest=queries.digest_of(code))
        .select_related("competition", "player__account", "player__contact")
        .first()
    )
    if held is None:
        count_wrong(client)
        refuse_guesses(client)
        raise Illegal(text("Nobody has this code. Check each character, or ask an organiser."))
    if not held.is_good:
        raise Illegal(text("This code is not good any more. Ask an organiser for a new one."))
    if held.opened_at is None:
        held.opened_at = database_time.now()
        held.save(update_fields=["opened_at"])
    return held


@transaction.atomic
def show_seat_code(held: Pass) -> None:
    """Let the evening of a pass show the code of its person's seat; raises `Illegal` where there is none."""
    beside = ("competition", "player__account", "player__contact")
    locked = Pass.objects.select_for_update(of=("self",)).select_related(*beside).get(pk=held.pk)
    if not locked.is_good:
        raise Illegal(text("This code is not good any more. Ask an organiser for a new one."))
    seat = queries.open_seat(locked)
    if seat is None:
        raise Illegal(text("You sit at no table now."))
    make_own_code(seat=seat, competition=locked.competition, made_from=locked.pk)


def tidy() -> None:
    """Remove passes that ended long ago, and at once what browsers were told by those that ended."""
    now = database_time.now()
    EveningPush.objects.filter(held__expires_at__lt=now).delete()
    Pass.objects.filter(expires_at__lt=now - 30 * queries.GOOD_FOR).delete()


def sendable(email: Email) -> Pass | None:
    """Return the pass that an email brings, None where it is not good, or the person's account another."""
    rows = Pass.objects.filter(pk=email.about["pass"], player__active=True)
    held = rows.select_related("competition", "player__account", "player__contact").first()
    return held if held and held.is_good and held.player.account_id == email.account_id else None
