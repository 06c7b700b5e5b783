"""What an account chooses to be told, the links in its emails, and what its browsers ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from games.engine.refusals import Illegal, Malformed
from league import hooks
from league.apps.notifications.models import EmailChoices, Kind, PushSubscription
from league.apps.notifications.push import (
    WORDS,
    Told,
    is_offered,
    is_told,
    last_news,
    push_key,
    subscribe,
    unsubscribe,
)
from league.apps.notifications.queries import read_token_to_stop
from league.apps.notifications.services import choose_emails
from league.requests import account_in
from league.words.messages import translated

if TYPE_CHECKING:
    from league.models import Account


class ChoicesForm(forms.ModelForm):  # type: ignore[type-arg]
    """A checkbox for each kind of email."""

    class Meta:
        model = EmailChoices
        fields = Kind.values


def section(request: HttpRequest, account: Account) -> str:
    """Return the part of the page of an account's address where it chooses its emails."""
    context = {
        "choices": ChoicesForm(instance=EmailChoices.objects.filter(account=account).first()),
        "push_key": push_key() if is_offered(request) else "",
        "subscribed": PushSubscription.objects.filter(
            account=account, session=request.session.session_key
        ).exists(),
    }
    return render_to_string("notifications/choices.html", context, request)


hooks.notification_sections.append(section)


@require_POST
@login_required
def choose(request: HttpRequest) -> HttpResponse:
    """Save which emails the account wants."""
    form = ChoicesForm(request.POST)
    if form.is_valid():
        choose_emails(by=account_in(request), **form.cleaned_data)
        messages.success(request, _("Saved."))
    return redirect("notifications")


# Mail programs with a button to unsubscribe post here without a CSRF token (RFC 8058).
@csrf_exempt
@never_cache
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to stop a kind of email; on POST stop it. No log-in is needed."""
    try:
        account, kind = read_token_to_stop(token=token)
    except Illegal as refusal:
        raise Http404(translated(refusal.sentence)) from None
    if request.method == "POST":
        choose_emails(by=account, **{kind: False})
        messages.success(request, _("You will get no more emails of this kind."))
        return redirect("home")
    return render(request, "notifications/stop.html", {"choice": ChoicesForm.base_fields[kind].label})


@require_http_methods(["GET", "POST"])
@never_cache
def push(request: HttpRequest) -> HttpResponse:
    """Tell this session's browser from now on that it is the account's turn, or with no endpoint no more.

    A GET answers with the words of a message that the browser has got, and the path that it leads to.
    """
    if request.method == "POST":
        return _subscribed(request)
    found = [told for each in WORDS if (told := each(request))]
    if found:
        newest = max(found, key=lambda each: each.at)
        return JsonResponse({"body": newest.words, "path": newest.path})
    # Also for whom this browser is told nothing any more: the message was on its way.
    return JsonResponse({"body": _("There is news for you"), "path": reverse("home")})


def _told_to_account(request: HttpRequest) -> Told | None:
    if not request.user.is_authenticated or (news := last_news(account_in(request))) is None:
        return None
    words = {
        "turn": _("Your turn"),
        "table": _("A table is open for you"),
        "challenge": _("You are challenged"),
        "notice": _("An organiser has a message for you"),
        "changed": _("A competition of yours is changed or cancelled"),
        "next_evening": _("You can enter the next evening"),
    }
    at, what = news
    return Told(at, words[what], f"{reverse('account')}#tables")


WORDS.append(_told_to_account)


@login_required
def _subscribed(request: HttpRequest) -> HttpResponse:
    account, key = account_in(request), request.session.session_key or ""
    endpoint = request.POST.get("endpoint", "")
    if not endpoint:
        unsubscribe(by=account, session_key=key)
        return JsonResponse({"told": is_told(key)})
    if not is_offered(request):
        raise PermissionDenied(_("Notifications need an address that begins with https."))
    try:
        subscribe(by=account, session_key=key, endpoint=endpoint)
    except Malformed as refusal:
        return JsonResponse({"refused": translated(refusal.sentence)}, status=422)
    except Session.DoesNotExist:
        raise PermissionDenied from None
    return JsonResponse({})


urlpatterns = [
    path("account/push/", push, name="push"),
    path("account/notices/choices/", choose, name="choose_emails"),
    path("account/notices/stop/<str:token>/", stop, name="stop_emails"),
]
