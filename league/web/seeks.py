"""Who wants to play: a club's open seeks with their buttons, and the rematch of a finished game."""

from __future__ import annotations

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
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games import rules
from games.engine.lengths import FULL, length_named, length_of
from games.engine.refusals import Malformed, Refusal
from league.choices import BotLevel
from league.forms import add_errors
from league.queries import permissions
from league.queries.links import read_seek_invitation, token_to_seat
from league.queries.seeks import begun_seeks, bots_fill, open_seeks, seeks_of
from league.requests import caller, spectator_or_account
from league.services.play import open_rematch
from league.services.seeks import (
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
from league.web.addresses import of_club
from league.words.messages import translated
from league.words.values import ruleset_title

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.models import Account, Club, Seek, SeekInvitation

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


def _lengths() -> list[tuple[str, str]]:
    """Return the lengths of games with what each means in every game that has a choice."""
    names = {"short": pgettext("of a game", "short"), "medium": pgettext("of a game", "medium")}
    names["full"] = pgettext("of a game", "full")
    return [(name, f"{title}: {_meant(name)}") for name, title in names.items()]


def _meant(name: str) -> str:
    games = [rules.NEWEST[key] for key, _title in _games()]
    found = [(each, length_named(each.lengths, name)) for each in games]
    return "; ".join(f"{each.title} {translated(length.title)}" for each, length in found if length)


class SeekForm(forms.Form):
    """The game that somebody wants to play, with how many, and how long they wait."""

    ruleset = forms.ChoiceField(label=gettext_lazy("Game"), choices=_games)
    seats = forms.IntegerField(
        label=gettext_lazy("Players, you included"), min_value=1, max_value=MOST_SEATS, initial=2
    )
    length = forms.ChoiceField(label=gettext_lazy("Length"), choices=_lengths, initial=FULL, required=False)
    minutes = forms.TypedChoiceField(
        label=gettext_lazy("Wait at most"), choices=_times, coerce=int, initial=MINUTES
    )
    private = forms.BooleanField(
        label=gettext_lazy("Only for people to whom I give a link"),
        help_text=gettext_lazy("You get a link for each of them. Nobody else sees the table."),
        required=False,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@of_club
def page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show who of the club looks for players; a POST looks for players oneself."""
    account = caller(request)
    if not permissions.sees_seeks(club.pk, account):
        raise PermissionDenied(_("Only members of the club see who looks for players."))
    form = SeekForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _created(form, request, club):
        return redirect("seeks", club.slug)
    context: dict[str, Any] = {
        "club": club,
        "zone": club.timezone,
        "seeks": [_shown(request, seek, account) for seek in open_seeks(club, account)],
        "begun": begun_seeks(club, account),
        "form": form,
        "levels": BotLevel.choices,
        "plays": permissions.player_in(club.pk, account) is not None,
    }
    return render(request, "clubs/seeks.html", context, status=422 if form.errors else 200)


def _shown(request: HttpRequest, seek: Seek, account: Account) -> dict[str, Any]:
    """Return a seek with what the account can do with it, and the links that it made."""
    mine = seek.made_by_id == account.pk
    invitations = seek.invitations.all() if mine else ()
    unanswered = [each for each in invitations if each.accepted is None]
    taken = seek.taken.all()
    return {
        "seek": seek,
        "joined": any(each.account_id == account.pk for each in taken),
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
        options = length.options if length else {}
        create_seek(by=caller(request), club=club, options=options, **chosen)
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
    account = caller(request)
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
    account = caller(request)
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
            return render(request, "clubs/seat_declined.html")
        if request.method == "POST" and account:
            return _to_table(accept_seat(by=account, invitation_id=invitation_id, token=token))
        if account and found.accepted and found.answered_by_id == account.pk:
            return _to_table(found.seek)
    except Refusal as refusal:
        return _no_seat(request, translated(refusal.sentence))
    if not found.is_open:
        return _no_seat(request, _("This link was used already, or the game has begun. Ask for another one."))
    if request.method == "POST":
        return redirect_to_login(request.get_full_path())
    plays = account and permissions.player_in(found.seek.club_id, account)
    context = {"seek": found.seek, "plays": plays, "zone": found.seek.club.timezone}
    return render(request, "clubs/seat_invitation.html", context)


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
    account = caller(request)
    try:
        seek = seeks_of(account).get(pk=seek_id)
        return verb(by=account, seek_id=seek.pk)
    except Refusal as refusal:
        messages.error(request, translated(refusal.sentence))
        return seek
    except ObjectDoesNotExist:
        raise Http404 from None


@login_required
@require_POST
def rematch(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Ask for a rematch, or accept it, and show that game."""
    try:
        game, _created_now = open_rematch(by=caller(request), game_id=game_id)
    except Refusal as refusal:
        messages.error(request, translated(refusal.sentence))
        return redirect("game", game_id)
    except ObjectDoesNotExist:
        raise Http404 from None
    return redirect("game", game.pk)
