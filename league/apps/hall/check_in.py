"""The check-in list: at the door by an organiser, scorekeeper or kiosk, or on everybody's own phone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.timezone import override as override_zone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.engine.messages import filled
from games.engine.refusals import Refusal
from league.callers import ByAccount
from league.core.verbs.presence import CheckInAllEntries, CheckInEntry, CheckOutEntry
from league.queries import permissions
from league.queries.competitions import all_competitions, state_of
from league.queries.hall import Present, check_in_of, checked_in_at, checks_in, counts_from, hall_of
from league.requests import kiosk_in, spectator_or_account
from league.services.hall import AtKiosk, OnOwnPhone
from league.services.verbs import perform
from league.words.messages import translated

if TYPE_CHECKING:
    from league.callers import Caller
    from league.core.verb import Verb
    from league.models import Account, Competition, Kiosk

LONGEST_NAME: Final = 100


@dataclass(frozen=True)
class Door:
    """Who checks people in on this device.

    ``account`` is that of an organiser or scorekeeper, who alone checks all in at once; a kiosk and they can
    take a check-in back. Everybody else can only check in, and that if ``self_check_in`` is on.
    """

    competition: Competition
    account: Account | None
    kiosk: Kiosk | None
    self_check_in: bool

    @property
    def open(self) -> bool:
        return bool(self.account or self.kiosk or self.self_check_in)

    @property
    def takes_back(self) -> bool:
        return bool(self.account or self.kiosk)

    @property
    def caller(self) -> Caller:
        """Return who stands at the door."""
        if self.account:
            return ByAccount(self.account)
        return AtKiosk(self.kiosk) if self.kiosk else OnOwnPhone()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who has checked in, by name; on POST check an entry in, or take that back.

    A script gets the list alone, on POST with what was done.
    """
    competition = get_object_or_404(all_competitions(), slug=slug)
    door = _door(request, competition)
    of_script = "XMLHttpRequest" in (request.headers.get("X-Requested-With"), request.GET.get("by"))
    said = ""
    if request.method == "POST":
        said, done = _carried_out(request, door)
        if not of_script:
            (messages.success if done else messages.error)(request, said)
            return redirect("competition_check_in", slug)
    context = {**_shown(request, door), "said": said}
    return render(request, f"competitions/check_in{'_list' if of_script else ''}.html", context)


def _door(request: HttpRequest, competition: Competition) -> Door:
    account = spectator_or_account(request)
    if account and permissions.role_in(competition.club_id, account) not in permissions.SCOREKEEPERS:
        account = None
    kiosk = None if account else kiosk_in(request, competition)
    return Door(competition, account, kiosk, hall_of(competition).self_check_in)


def _carried_out(request: HttpRequest, door: Door) -> tuple[str, bool]:
    """Carry out what was posted; return what was done, or else why not, and which of the two."""
    verb = _verb(request)
    try:
        appended = perform(door.caller, competition=door.competition, verb=verb)
    except Refusal as refusal:
        return translated(refusal.sentence), False
    except PermissionDenied as refusal:
        return translated(str(refusal)) or _("You can’t do this here."), False
    if isinstance(verb, CheckInEntry) and not appended.events:
        return _already(door.competition, verb.entry), False
    return _done(door.competition, verb), True


def _already(competition: Competition, entry: str) -> str:
    """Return when an entry checked in, and the question whether another person of its name stands here."""
    with override_zone(competition.club.zone):
        at = time_format(localtime(checked_in_at(competition, entry)), "TIME_FORMAT")
    people = check_in_of(competition).people
    (tapped,) = (each for each in people if str(each.entry.pk) == entry)
    told = {"name": tapped.entry.name, "time": at}
    if any(each.players_key == tapped.players_key and not each.entry.checked_in for each in people):
        return _("%(name)s already checked in at %(time)s: are you the other one? Then tap the other.") % told
    return filled(_("%(name)s already checked in at %(time)s."), told)


def _verb(request: HttpRequest) -> Verb:
    sent = request.POST
    if "in" in sent:
        return CheckInEntry(sent["in"])
    if "out" in sent:
        return CheckOutEntry(sent["out"])
    if "all" in sent:
        return CheckInAllEntries()
    raise BadRequest("Nobody is named.")


def _done(competition: Competition, verb: Verb) -> str:
    competition.refresh_from_db()
    people = check_in_of(competition).people
    names = {str(each.entry.pk): each.entry.name for each in people}
    match verb:
        case CheckInEntry():
            if first := counts_from(competition, verb.entry):
                told = {"name": names.get(verb.entry, ""), "round": first}
                return _("%(name)s is checked in and is here from round %(round)d on.") % told
            return _("%(name)s is checked in.") % {"name": names.get(verb.entry, "")}
        case CheckOutEntry():
            return _("%(name)s is not checked in any more.") % {"name": names.get(verb.entry, "")}
        case _:
            return _("Everybody is checked in.")


def _shown(request: HttpRequest, door: Door) -> dict[str, object]:
    """Return what the page shows; ``?name=`` and ``?show=missing`` leave entries out of the list."""
    competition = door.competition
    check_in, state = check_in_of(competition), state_of(competition)
    wanted = request.GET.get("name", "")[:LONGEST_NAME]
    only_missing = request.GET.get("show") == "missing"
    return {
        "competition": competition,
        "club": competition.club,
        "zone": competition.club.timezone,
        "door": door,
        "directs": door.account and permissions.is_organiser(competition.club_id, door.account),
        "open": door.open and checks_in(competition),
        "checks_in": checks_in(competition),
        "started": state.started,
        "over": state.over,
        "check_in": check_in,
        "name": wanted,
        "only_missing": only_missing,
        "people": [each for each in check_in.people if _is_listed(each, wanted, only_missing)],
    }


def _is_listed(person: Present, wanted: str, only_missing: bool) -> bool:
    return person.is_named(wanted) and not (only_missing and person.entry.checked_in)
