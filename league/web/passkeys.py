"""Passkeys: made and removed on the page of devices, and used on the page to log in.

A script asks the server for a question, lets the browser answer it, and sends the answer in a form.
"""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.engine.refusals import Illegal, Malformed
from league.queries.accounts import passkeys_of
from league.requests import account_in, ask, ask_first, asked, has_proved, needs_proof, note_proof, site_of
from league.services.accounts import keep_language
from league.services.log_ins import ask_to_log_in, ask_to_make, make_passkey, remove_passkey, use_passkey
from league.web.log_in import ask_to_log_in_again, remember_place, send_on
from league.words.messages import errors_in_words, translated


@never_cache
@login_required
@require_POST
def ask_new(request: HttpRequest) -> HttpResponse:
    """Return the question by which the browser makes a passkey, as JSON; 403 where `make` asks before."""
    if not has_proved(request):
        return HttpResponse(status=403)
    try:
        return ask(ask_to_make(by=account_in(request), site=site_of(request)))
    except Illegal as refusal:
        return HttpResponse(translated(refusal.sentence), status=422, content_type="text/plain")


@login_required
@require_POST
@needs_proof
def make(request: HttpRequest) -> HttpResponse:
    """Keep the passkey that the browser has made; without one, ask for it again under the same name."""
    if not request.POST.get("answer"):
        name = QueryDict(mutable=True)
        name["name"] = request.POST.get("name", "")
        return redirect(f"{reverse('devices')}?{name.urlencode()}#passkeys")
    try:
        make_passkey(
            by=account_in(request),
            name=request.POST.get("name", ""),
            answer=request.POST.get("answer", ""),
            challenge=asked(request)[0],
            site=site_of(request),
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
@needs_proof
def remove(request: HttpRequest, passkey_id: UUID) -> HttpResponse:
    """Remove one of the account's passkeys; 404 for any other."""
    account = account_in(request)
    passkey = get_object_or_404(passkeys_of(account), pk=passkey_id)
    told = _("You can no longer log in with the passkey “%(name)s”. Nobody can bring it back.")
    if asking := ask_first(request, _("Remove"), told % {"name": passkey.name}, reverse("devices")):
        return asking
    remove_passkey(by=account, passkey=passkey)
    messages.success(request, _("The passkey “%(name)s” no longer works.") % {"name": passkey.name})
    return redirect("devices")


@never_cache
@require_POST
def ask_known(request: HttpRequest) -> HttpResponse:
    """Return the question by which the browser proves to have a passkey, as JSON."""
    return ask(ask_to_log_in(site=site_of(request)))


@never_cache
@require_POST
def log_in(request: HttpRequest) -> HttpResponse:
    """Log in the account whose passkey the browser has, and show the page that was asked for."""
    try:
        answer, (challenge, at) = request.POST.get("answer", ""), asked(request)
        account = use_passkey(answer=answer, challenge=challenge, asked_at=at, site=site_of(request))
    except Illegal as refusal:
        messages.error(request, translated(refusal.sentence))
        return ask_to_log_in_again(request) or redirect("login")
    login(request, account, backend="django.contrib.auth.backends.ModelBackend")
    note_proof(request)
    wanted = request.POST.get("next", "")
    fine = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure())
    response = redirect(wanted if fine else resolve_url(settings.LOGIN_REDIRECT_URL))
    keep_language(by=account, language=get_language() or "")
    return remember_place(request, send_on(request, response), account)
