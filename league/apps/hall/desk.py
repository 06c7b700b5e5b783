"""The hall of a competition on the desk: the round's timer, announcements, and check-in from phones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, reverse
from django.utils.translation import gettext as _

from games.engine.refusals import Illegal, Refusal
from games.engine.textinput import number
from league.admin.base import ClubScopedAdmin
from league.models import Account, Announcement, Competition, Hall, Round
from league.queries.hall import (
    Timer,
    announcements_of,
    checks_in,
    timer_of,
    usual_minutes,
)
from league.requests import account_in
from league.services import hall as services
from league.words.messages import errors_in_words, translated


@dataclass(frozen=True)
class HallPanel:
    """What the desk shows of a competition's hall; ``minutes`` are offered for a new timer."""

    hall: Hall
    played: Round | None
    timer: Timer | None
    minutes: int
    announcements: Sequence[Announcement]
    checks_in: bool

    @property
    def open(self) -> bool:
        """Return whether the panel is unfolded: a round is played, people arrive, or announcements."""
        arriving = self.checks_in and not self.hall.competition.stage
        return bool(self.played or self.announcements or arriving)


def hall_panel(competition: Competition, played: Round | None) -> HallPanel:
    """Return what the desk shows of the hall of a competition that was loaded with it."""
    try:
        hall = competition.hall
    except Hall.DoesNotExist:
        hall = Hall(competition=competition)
    return HallPanel(
        hall,
        played,
        timer_of(hall, played),
        usual_minutes(hall, played) if played else 0,
        list(announcements_of(competition)),
        checks_in(competition),
    )


class HallPages(ClubScopedAdmin[Competition]):
    """The address that the panel's forms are sent to."""

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and that of the hall's forms."""
        return [self.page_url("<uuid:pk>/hall/", self.run_hall, "hall"), *super().get_urls()]

    def run_hall(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Carry out a form of the panel, and go back to it; where it is refused, say why."""
        competition = self.get_row(request, pk)
        if not self.directs(request, competition):
            raise PermissionDenied
        act = ACTS.get(request.POST.get("do", ""))
        if request.method == "POST" and act:
            try:
                messages.success(request, act(account_in(request), competition, request.POST))
            except Refusal as refusal:
                messages.error(request, _why(refusal))
        page = reverse("admin:league_competition_change", args=[competition.pk])
        return redirect(f"{page}#hall")


def _why(refusal: Refusal) -> str:
    sentences = [each for several in errors_in_words(refusal.errors).values() for each in several]
    return " ".join(sentences) or translated(refusal.sentence)


# ---- The forms -----------------------------------------------------------------------------------

Sent = Mapping[str, Any]
Act = Callable[[Account, Competition, Sent], str]


def _minutes(sent: Sent) -> int:
    """Return the minutes of a form; 0, which is refused, for anything else than a whole number."""
    minutes = number(str(sent.get("minutes", "")).strip())
    return minutes if isinstance(minutes, int) else 0


def _start(by: Account, competition: Competition, sent: Sent) -> str:
    services.start_timer(by=by, competition=competition, minutes=_minutes(sent))
    return _("The timer runs.")


def _add(by: Account, competition: Competition, sent: Sent) -> str:
    services.add_minutes(by=by, competition=competition, minutes=_minutes(sent))
    return _("The timer was changed.")


def _pause(by: Account, competition: Competition, sent: Sent) -> str:
    services.pause_timer(by=by, competition=competition)
    return _("The timer is paused.")


def _resume(by: Account, competition: Competition, sent: Sent) -> str:
    services.resume_timer(by=by, competition=competition)
    return _("The timer runs.")


def _remove(by: Account, competition: Competition, sent: Sent) -> str:
    services.remove_timer(by=by, competition=competition)
    return _("The timer was removed.")


def _announce(by: Account, competition: Competition, sent: Sent) -> str:
    services.announce(by=by, competition=competition, words=str(sent.get("text", "")))
    return _("Everybody sees the announcement now.")


def _withdraw(by: Account, competition: Competition, sent: Sent) -> str:
    try:
        announcement = UUID(str(sent.get("announcement", "")))
    except ValueError:
        raise Illegal("There is no such announcement.") from None
    services.remove_announcement(by=by, competition=competition, announcement=announcement)
    return _("The announcement was removed.")


def _phones_on(by: Account, competition: Competition, sent: Sent) -> str:
    services.set_self_check_in(by=by, competition=competition, on=True)
    return _("Everybody can check in from their own phone now.")


def _phones_off(by: Account, competition: Competition, sent: Sent) -> str:
    services.set_self_check_in(by=by, competition=competition, on=False)
    return _("Check-in from phones is off.")


ACTS: Final[Mapping[str, Act]] = {
    "start": _start,
    "add": _add,
    "pause": _pause,
    "resume": _resume,
    "remove": _remove,
    "announce": _announce,
    "withdraw": _withdraw,
    "phones-on": _phones_on,
    "phones-off": _phones_off,
}
