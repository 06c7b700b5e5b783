"""What of who is coming needs an organiser: guests at the door, and teams that agreed and nobody entered."""

from collections.abc import Collection, Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from games.engine.messages import filled
from league.admin.consequences import Warned
from league.admin.needs import MOST, Clubs, Need
from league.apps.attendance import queries
from league.apps.attendance.models import PartnerRequest
from league.core.verb import Verb
from league.core.verbs.draw import DrawRound
from league.core.verbs.start import StartCompetition
from league.models import Competition
from league.words.messages import shown_name


def guests_at_doors(clubs: Clubs) -> Iterator[Need]:
    """Yield the guests who said at a door that they are here, until somebody lets them in."""
    for guest in queries.at_doors(clubs)[:MOST]:
        sentence = _("%(name)s is at the door.") % {"name": guest.name}
        page = reverse("admin:league_competition_change", args=[guest.competition_id])
        yield Need(guest.competition.name, sentence, _("Let in"), f"{page}#coming", guest.made_at)


def waits_at_door(competition: Competition, verb: type[Verb], _entries: Collection[str]) -> Iterator[Warned]:
    """Yield who stands at the door before the competition starts, or a round is drawn, without them."""
    if not issubclass(verb, StartCompetition | DrawRound):
        return
    names = [
        each.name for each in queries.at_doors([competition.club]).filter(competition=competition)[:MOST]
    ]
    if names:
        page = reverse("admin:league_competition_change", args=[competition.pk])
        told = filled(_("At the door, and not let in yet: %(names)s."), {"names": ", ".join(names)})
        yield Warned(told, address=f"{page}#coming", title=_("Let in"))


def teams_to_enter(clubs: Clubs) -> Iterator[Need]:
    """Yield who agreed to play together and cannot enter without an account, until somebody enters them."""
    agreed = PartnerRequest.objects.filter(status=PartnerRequest.Status.AGREED).exclude(asker=None)
    for each in queries.asked_in(clubs).filter(pk__in=agreed.values("competition"))[:MOST]:
        for team in queries.ready_teams(each):
            names = " & ".join(shown_name(player.name) for player in team)
            sentence = filled(
                _("%(names)s agreed to play together, and nobody has entered them."), {"names": names}
            )
            page = reverse("admin:league_competition_change", args=[each.pk])
            yield Need(each.name, sentence, _("Enter them"), f"{page}#coming")
