"""The email to somebody who has a duty tomorrow."""

from collections.abc import Iterator

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.apps.people.duties import DUTY
from league.apps.people.models import Turn
from league.models import Club, Details, Email
from league.queries.clubs import OVER
from league.words.emails import STOPPABLE, Context, Sample, address, reaching, rendered, variables_of

STOPPABLE[DUTY] = gettext_lazy("a duty")


@variables_of(DUTY)
def _of_duty(email: Email) -> Context | None:
    """Return the variables for a duty, None where somebody else has it now, or it was never tomorrow."""
    turns = Turn.objects.filter(pk=email.about["turn"], player=email.about["player"])
    turns = turns.select_related(
        "duty", "competition__club", "competition__stored_details", "player__contact"
    )
    turn = turns.exclude(competition__status__in=OVER).first()
    if turn is None or turn.player.account_id != email.account_id:
        return None
    told, stop = turn.competition.stored_details, reaching(turn.player, DUTY)
    if stop is None or told.begins_on is None or told.begins_on < turn.competition.club.today:
        return None
    return {
        **stop,
        "duty": turn.duty.name,
        "competition": turn.competition,
        "details": told,
        "note": turn.competition.club.mail_note,
        "link": address("competition", turn.competition.slug),
    }


def samples(club: Club) -> Iterator[Sample]:
    """Yield a sample of the email."""
    details = Details(begins_on=club.today)
    variables = {
        "duty": _("Key"),
        "competition": {"name": _("Winter league")},
        "details": details,
        "note": club.mail_note,
        "link": f"{settings.SITE_URL}/…/",
    }
    yield _("a duty"), rendered(Email(kind=DUTY, club=club, about={}), "", variables)
