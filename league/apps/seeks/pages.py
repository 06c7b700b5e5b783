"""Who wants to play: a club's open seeks with their buttons, and the links to their seats."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games import rules
from games.engine.clocks import DAY, Clock
from games.engine.lengths import FULL, length_named, length_of
from games.engine.refusals import Malformed, Refusal
from league import hooks
from league.apps.seeks.queries import (
    begun_seeks,
    bots_fill,
    open_seeks,
    read_seek_invitation,
    seeks_of,
    token_to_seat,
)
from league.apps.seeks.services import (
    MINUTES,
    accept_seat,
    create_seek,
    decline_seat,
    fill_seek,
    invite_to_seek,
    join_seek,
    withdraw_seat_link,
    withdraw_seek,
)
from league.choices import BotLevel
from league.forms import NumberField, add_errors
from league.queries import permissions
from league.queries.accounts import zone_for
from league.requests import account_in, spectator_or_account
from league.web.site import of_club
from league.words.messages import translated
from league.words.options import game_in_words, unusual_options
from league.words.values import ruleset_title

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.apps.seeks.models import Seek, SeekInvitation
    from league.models import Account, Club


# ---- The form ------------------------------------------------------------------------------------

MOST_SEATS = max(max(ruleset.seats) for ruleset in rules.RULESETS)


def _games() -> list[tuple[str, str]]:
    return sorted(((key, ruleset_title(key)) for key in rules.NEWEST), key=lambda game: game[1])


def _times() -> list[tuple[int, str]]:
    return [
        (MINUTES // 2, ngettext("%(count)d minute", "%(count)d minutes", 30) % {"count": 30}),
        (MINUTES, _("an hour")),
        (4 * MINUTES, ngettext("%(count)d hour", "%(count)d hours", 4) % {"count": 4}),
        (24 * MINUTES, _("a day")),
        (7 * 24 * MINUTES, _("a week")),
    ]


def _move_times() -> list[tuple[int, str]]:
    """Return the times for each move that people choose from, in seconds."""
    return [
        (0, _("as long as they like")),
        (MINUTES, ngettext("%(count)d minute", "%(count)d minutes", 1) % {"count": 1}),
        (5 * MINUTES, ngettext("%(count)d minute", "%(count)d minutes", 5) % {"count": 5}),
        (DAY, _("a day")),
        (3 * DAY, ngettext("%(count)d day", "%(count)d days", 3) % {"count": 3}),
    ]


def _lengths() -> list[tuple[str, str]]:
    return [
        ("short", pgettext("of a game", "short")),
        ("medium", pgettext("of a game", "medium")),
        (FULL, pgettext("of a game", "full")),
    ]


def _meant() -> dict[str, dict[str, str]]:
    """Return what each length means in each game that has a choice, by the game's key."""
    found = {key: rules.NEWEST[key].lengths for key, _title in _games()}
    return {
        key: {each.name: translated(each.title) for each in lengths}
        for key, lengths in found.items()
        if lengths
    }


class SeekForm(forms.Form):
    """The game that somebody wants to play, with how many, and how long they wait."""

    ruleset = forms.ChoiceField(label=gettext_lazy("Game"), choices=_games)
    seats = NumberField(
        label=gettext_lazy("Players, you included"), min_value=1, max_value=MOST_SEATS, initial=2
    )
    length = forms.ChoiceField(label=gettext_lazy("Length"), choices=_lengths, initial=FULL, required=False)
    minutes = forms.TypedChoiceField(
        label=gettext_lazy("Wait at most"), choices=_times, coerce=int, initial=MINUTES
    )
    move = forms.TypedChoiceField(
        label=gettext_lazy("Time for each move"),
        choices=_move_times,
        coerce=int,
        initial=0,
        required=False,
        help_text=gettext_lazy("Who takes longer is late: a move is made for them."),
    )
    private = forms.BooleanField(
        label=gettext_lazy("Only for people to whom I give a link"),
        help_text=gettext_lazy(
            "You get a link for each of them. Nobody else sees that you look for players; once the game has "
            "begun, it is shown like any other."
        ),
        required=False,
    )

    def __init__(self, data: Any = None) -> None:
        """Say what the lengths mean in each game; a script says it of the chosen one alone."""
        super().__init__(data)
        meant, length = _meant(), self.fields["length"]
        lines = ((ruleset_title(key), ", ".join(titles.values())) for key, titles in meant.items())
        length.help_text = format_html_join(mark_safe("<br>"), "{}: {}", lines)
        length.widget.attrs["data-lengths"] = json.dumps(meant)


# ---- The pages -----------------------------------------------------------------------------------

WAITING_SEAT = "waiting_seat"
"""In the session: the link to a seat that somebody wants to accept who can't yet."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@of_club
def page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show who of the club looks for players; a POST looks for players oneself."""
    account = account_in(request)
    if not permissions.reads_as_member(club.pk, account):
        raise PermissionDenied(_("Only members of the club see who looks for players."))
    form = SeekForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _created(form, request, club):
        messages.success(request, _("You look for players. Your table stands here until enough have joined."))
        return redirect(f"{reverse('seeks', args=[club.slug])}#main")
    context: dict[str, Any] = {
        "club": club,
        "zone": zone_for(account, club),
        "seeks": [_shown(request, seek, account) for seek in open_seeks(club, account)],
        "begun": begun_seeks(club, account),
        "form": form,
        "levels": BotLevel.choices,
        "plays": permissions.player_in(club.pk, account) is not None,
        "organises": permissions.is_organiser(club.pk, account),
    }
    return render(request, "seeks/page.html", context, status=422 if form.errors else 200)


def _shown(request: HttpRequest, seek: Seek, account: Account) -> dict[str, Any]:
    """Return a seek with what the account can do with it, and the links that it made."""
    mine = seek.made_by_id == account.pk
    invitations = seek.invitations.all() if mine else ()
    unanswered = [each for each in invitations if each.accepted is None]
    taken = seek.taken.all()
    return {
        "seek": seek,
        "joined": any(each.account_id == account.pk for each in taken),
        "move_time": dict(_move_times()).get(seek.clock.get("move")) if seek.clock.get("move") else "",
        "length": length_of(rules.find(seek.ruleset).lengths, seek.options),
        "fills": mine and bots_fill(seek),
        "links": [(each.pk, request.build_absolute_uri(_link(each))) for each in unanswered],
        "declined": sum(each.accepted is False for each in invitations),
        "invites": mine and len(unanswered) < seek.seats - len(taken),
    }


def _link(invitation: SeekInvitation) -> str:
    return reverse("seat_invitation", args=[invitation.pk, token_to_seat(invitation)])


def _created(form: SeekForm, request: HttpRequest, club: Club) -> bool:
    """Look for players; return whether that was not refused, which the form says."""
    try:
        chosen = dict(form.cleaned_data)
        length = length_named(rules.NEWEST[chosen["ruleset"]].lengths, chosen.pop("length"))
        options, clock = length.options if length else {}, Clock(move=chosen.pop("move") or 0)
        create_seek(by=account_in(request), club=club, options=options, clock=clock, **chosen)
    except Malformed as refusal:
        add_errors(form, refusal.errors)
    except Refusal as refusal:
        form.add_error(None, translated(refusal.sentence))
    return form.is_valid()


@login_required
@require_POST
def join(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    """Join a seek, and show the game if it has begun."""
    return _to_table(_done(request, seek_id, join_seek))


@login_required
@require_POST
def fill(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    """Let bots take the empty seats, and show the game."""
    return _to_table(_done(request, seek_id, partial(fill_seek, level=request.POST.get("level", ""))))


@login_required
@require_POST
def invite(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    """Make another link to a seek."""
    account = account_in(request)
    try:
        club = seeks_of(account).get(pk=seek_id).club
        invite_to_seek(by=account, seek_id=seek_id)
    except Refusal as refusal:
        messages.error(request, translated(refusal.sentence))
    except ObjectDoesNotExist:
        raise Http404 from None
    return redirect("seeks", club.slug)


@login_required
@require_POST
def withdraw_link(request: HttpRequest, seek_id: UUID, invitation_id: UUID) -> HttpResponse:
    """Withdraw a link to a seek, which leads nowhere from then on."""
    account = account_in(request)
    try:
        club = seeks_of(account).get(pk=seek_id).club
        withdraw_seat_link(by=account, seek_id=seek_id, invitation_id=invitation_id)
        messages.success(request, _("The link is withdrawn and leads nowhere now."))
    except Refusal as refusal:
        messages.error(request, translated(refusal.sentence))
    except ObjectDoesNotExist:
        raise Http404 from None
    return redirect("seeks", club.slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, invitation_id: UUID, token: str) -> HttpResponse:
    """Show the table to which a link invites; a POST accepts the seat, after a log-in, or declines it."""
    account = spectator_or_account(request)
    declines = request.POST.get("do") == "decline"
    try:
        found = read_seek_invitation(invitation_id=invitation_id, token=token)
        if request.method == "POST" and declines:
            decline_seat(invitation_id=invitation_id, token=token)
            return render(request, "seeks/seat_declined.html")
        if request.method == "POST" and account:
            return _to_table(accept_seat(by=account, invitation_id=invitation_id, token=token))
        if account and found.accepted and found.answered_by_id == account.pk:
            return _to_table(found.seek)
    except Refusal as refusal:
        return _no_seat(request, translated(refusal.sentence))
    if not found.is_open:
        return _no_seat(request, _too_late(found))
    if request.method == "POST" or account:
        request.session[WAITING_SEAT] = {"invitation_id": str(invitation_id), "token": token}
    if request.method == "POST":
        return redirect_to_login(request.get_full_path())
    seek = found.seek
    settings = (seek.ruleset, seek.options, seek.seats)
    context = {
        "seek": seek,
        "declined": found.accepted is False,
        "by": permissions.player_in(seek.club_id, seek.made_by),
        "game": game_in_words(*settings),
        "options": unusual_options(*settings),
        "plays": account and permissions.player_in(seek.club_id, account),
        "zone": zone_for(account, seek.club),
    }
    return render(request, "seeks/seat_invitation.html", context)


def _too_late(invitation: SeekInvitation) -> str:
    if invitation.accepted is False:
        return _("You declined, and the seat is not free any more. Ask whoever sent you the link.")
    return _("This link was used already, or the game has begun. Ask for another one.")


def waiting_seat(request: HttpRequest, club: Club) -> str:
    """Return the link to a seat at a table of a club that was opened before; ``""`` for none, once."""
    kept = request.session.pop(WAITING_SEAT, None)
    if kept is None:
        return ""
    try:
        found = read_seek_invitation(invitation_id=UUID(kept["invitation_id"]), token=kept["token"])
    except Refusal:
        return ""
    return _link(found) if found.is_open and found.seek.club_id == club.pk else ""


def _to_table(seek: Seek) -> HttpResponse:
    return redirect("game", seek.game_id) if seek.game_id else redirect("seeks", seek.club.slug)


def _no_seat(request: HttpRequest, why: str) -> HttpResponse:
    return render(request, "account/no_invitation.html", {"why": why}, status=410)


@login_required
@require_POST
def withdraw(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    """Withdraw from a seek."""
    return redirect("seeks", _done(request, seek_id, withdraw_seek).club.slug)


def _done(request: HttpRequest, seek_id: UUID, verb: Callable[..., Seek]) -> Seek:
    """Carry out a verb and return the seek as it is then; where it is refused, a message says so."""
    account = account_in(request)
    try:
        seek = seeks_of(account).get(pk=seek_id)
        return verb(by=account, seek_id=seek.pk)
    except Refusal as refusal:
        messages.error(request, translated(refusal.sentence))
        return seek
    except ObjectDoesNotExist:
        raise Http404 from None


hooks.account_welcomed.append(waiting_seat)

urlpatterns = [
    path("clubs/<slug:slug>/seeks/", page, name="seeks"),
    path("seeks/<uuid:seek_id>/join/", join, name="join_seek"),
    path("seeks/<uuid:seek_id>/bots/", fill, name="fill_seek"),
    path("seeks/<uuid:seek_id>/invite/", invite, name="invite_to_seek"),
    path("seeks/<uuid:seek_id>/links/<uuid:invitation_id>/", withdraw_link, name="withdraw_seek_link"),
    path("seats/<uuid:invitation_id>/<str:token>/", invitation, name="seat_invitation"),
    path("seeks/<uuid:seek_id>/withdraw/", withdraw, name="withdraw_seek"),
]
