"""Passkeys: made and removed on the page of devices, and used on the page to log in.

A script asks the server for a question, lets the browser answer it, and sends the answer in a form.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games import database_time
from games.engine.refusals import Illegal, Malformed
from league.queries.accounts import passkeys_of
from league.requests import caller, spectator_or_account
from league.services.accounts import keep_language
from league.services.passkeys import (
    Question,
    Site,
    ask_to_log_in,
    ask_to_make,
    make_passkey,
    remove_passkey,
    use_passkey,
)
from league.web.places import remember_place
from league.words.messages import errors_in_words, translated

_ASKED: Final = "passkey_question"
_SECONDS: Final = 300


def _site(request: HttpRequest) -> Site:
    origin = request.build_absolute_uri("/").rstrip("/")
    return Site(split_domain_port(request.get_host())[0], origin)


def _ask(request: HttpRequest, question: Question) -> HttpResponse:
    request.session[_ASKED] = [question.challenge, database_time.now().timestamp()]
    if spectator_or_account(request) is None:
        # Whoever logs in gets another session; one without an account is of no use after the answer.
        request.session.set_expiry(_SECONDS)
    return HttpResponse(question.options, content_type="application/json")


def _challenge(request: HttpRequest) -> str:
    """Return the challenge that the session was asked with, once and for a few minutes; raises `Illegal`."""
    challenge, at = request.session.pop(_ASKED, ["", 0.0])
    if database_time.now().timestamp() - at > _SECONDS:
        raise Illegal(_("That took too long. Try again."))
    return str(challenge)


@never_cache
@login_required
@require_POST
def ask_new(request: HttpRequest) -> HttpResponse:
    """Return the question by which the browser makes a passkey, as JSON."""
    try:
        return _ask(request, ask_to_make(by=caller(request), site=_site(request)))
    except Illegal as refusal:
        return HttpResponse(translated(refusal.sentence), status=422, content_type="text/plain")


@login_required
@require_POST
def make(request: HttpRequest) -> HttpResponse:
    """Keep the passkey that the browser has made."""
    try:
        make_passkey(
            by=caller(request),
            name=request.POST.get("name", ""),
            answer=request.POST.get("answer", ""),
            challenge=_challenge(request),
            site=_site(request),
        )
        messages.success(request, _("You can log in with this passkey now."))
    except Malformed as refusal:
        for sentences in errors_in_words(refusal.errors).values():
            messages.error(request, " ".join(sentences))
    except Illegal as refusal:
        messages.error(request, translated(refusal.sentence))
    return redirect("devices")


@login_required
@require_POST
def remove(request: HttpRequest, passkey_id: UUID) -> HttpResponse:
    """Remove one of the account's passkeys; 404 for any other."""
    account = caller(request)
    passkey = get_object_or_404(passkeys_of(account), pk=passkey_id)
    remove_passkey(by=account, passkey=passkey)
    messages.success(request, _("The passkey “%(name)s” no longer works.") % {"name": passkey.name})
    return redirect("devices")


@never_cache
@require_POST
def ask_known(request: HttpRequest) -> HttpResponse:
    """Return the question by which the browser proves to have a passkey, as JSON."""
    return _ask(request, ask_to_log_in(site=_site(request)))


@never_cache
@require_POST
def log_in(request: HttpRequest) -> HttpResponse:
    """Log in the account whose passkey the browser has, and show the page that was asked for."""
    try:
        answer = request.POST.get("answer", "")
        account = use_passkey(answer=answer, challenge=_challenge(request), site=_site(request))
    except Illegal as refusal:
        messages.error(request, translated(refusal.sentence))
        return redirect("login")
    login(request, account, backend="django.contrib.auth.backends.ModelBackend")
    request.session.set_expiry(None)
    wanted = request.POST.get("next", "")
    fine = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure())
    response = redirect(wanted if fine else resolve_url(settings.LOGIN_REDIRECT_URL))
    keep_language(by=account, language=get_language() or "")
    return remember_place(request, response, account)
