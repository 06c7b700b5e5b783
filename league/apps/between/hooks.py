"""Where matches between clubs take part: people, records, and the page of a competition."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from league import hooks
from league.apps.between import emails, queries, services
from league.apps.between.models import Lent
from league.files.calendars import FIXTURES, Fixture
from league.hooks import upkeep
from league.models import Club, Competition, Player
from league.queries.competitions import state_of
from league.services import queue
from league.words import club_changes
from league.words.messages import shown_name

_SELDOM: Final = timedelta(hours=1)


@hooks.people_named.connect
def follow(club: UUID) -> None:
    """Let workers bring a club's people up elsewhere, once no row of the club is locked any more."""
    queue.after_commit("follow_people", club, app=__package__)


@upkeep.swept.connect
def sweep() -> None:
    """Queue that for all clubs from time to time, and whom to forget: a task may have been lost."""
    if Lent.objects.filter(home=None).exists():
        queue.after_commit("forget_people", app=__package__)
    if queue.is_due("people in other clubs", _SELDOM):
        for club in Lent.objects.order_by("home__club").values_list("home__club", flat=True).distinct():
            follow(club)


hooks.events_appended.connect(emails.write_events)
hooks.player_forgotten.connect(services.forget)
hooks.players_merged.connect(services.follow_merged)
club_changes.FIELDS["partner"] = _("club that takes part")


def _matches(page: Mapping[str, Any]) -> Mapping[str, Any]:
    competition = page["competition"]
    state = state_of(competition)
    return {"matches": queries.told(competition, state), "fixtures": queries.fixtures(state)}


def _fixtures(of: Competition | Club | Player) -> Iterator[Fixture]:
    """Yield the matches that have a day."""
    for competition, day, each in queries.matches_on_days(of):
        uid = f"{competition.pk}-{each.stage}-{each.round}-{each.home.id}"
        names = f"{shown_name(each.home.name)} – {shown_name(each.away.name)}"
        yield Fixture(competition, uid, day, names)


FIXTURES.append(_fixtures)


hooks.GIVEN["between/at_above_standings.html"] = _matches
