"""Where people take part: who is forgotten, emails that must not be sent, what a new day brings."""

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from league import hooks
from league.apps.people import duties, emails, membership
from league.apps.people.models import Person
from league.apps.people.queries import SEAL, contradicted, guests_among, known_as, left_by
from league.hooks import papers, upkeep
from league.models import Email
from league.services import queue
from league.words import club_changes
from league.words.emails import SAMPLES

_OFTEN = timedelta(minutes=10)


def _is_of_the_dead(email: Email) -> bool:
    people = Person.objects.filter(died=True, club=email.club_id)
    if email.account_id is None:
        return "player" in email.about and people.filter(player=email.about["player"]).exists()
    return people.filter(player__account=email.account_id).exists()


hooks.player_forgotten.connect(membership.forget_facts)
hooks.evening_opened.connect(duties.share_again)
hooks.AWAY.append(left_by)
hooks.GUESTS.append(guests_among)
hooks.HELD_BACK.append(_is_of_the_dead)
papers.PLAYER_COLUMNS.append(membership.COLUMNS)
hooks.KNOWN_AS.append(known_as)
upkeep.CHECKS.append(
    upkeep.Check(lambda parser: None, contradicted, lambda games: iter(()), lambda: iter(()))
)
SAMPLES.append(emails.samples)
club_changes.HIDDEN.add(SEAL)
club_changes.FIELDS.update(category=_("category"), duty=_("duty"), periods=_("from when until when"))
club_changes.FIELDS.update(born=_("year of birth"), died=_("has died"), left_on=_("left on"))
club_changes.FIELDS["pass_number"] = _("pass number")


@upkeep.swept.connect
def sweep() -> None:
    """Queue what a new day brings, from time to time: clubs have days of their own."""
    if queue.is_due("days of people", _OFTEN):
        queue.after_commit("follow_days", app=__package__)
