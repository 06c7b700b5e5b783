"""Asking again who is there, before it changes how somebody gets into an account.

A session can be stolen, or left open on a device that others use. So addresses, passwords, passkeys, tokens
and programs need a password or a passkey that was shown in this session a few minutes ago.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import Concatenate, Final, ParamSpec

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters

from games import database_time
from games.engine.refusals import Illegal
from league.requests import caller, place_of
from league.services.log_ins import prove_password
from league.services.passkeys import Question, Site, use_passkey
from league.words.messages import translated

P = ParamSpec("P")

_PROVED: Final = "proved_at"
"""In the session: when the person last showed a password or a passkey."""
_RECENT_SECONDS: Final = 600
_ASKED: Final = "passkey_question"
_ANSWER_SECONDS: Final = 300


# ---- Passkeys ------------------------------------------------------------------------------------


def site_of(request: HttpRequest) -> Site:
    """Return the site as the browser that asks sees it."""
    return Site(split_domain_port(request.get_host())[0], request.build_absolute_uri("/").rstrip("/"))


def ask(question: Question) -> HttpResponse:
    """Return a question for a browser with a passkey; a signed cookie keeps it, so that no row is written."""
    answer = HttpResponse(question.options, content_type="application/json")
    answer.set_signed_cookie(
        _ASKED,
        f"{question.challenge} {database_time.now().timestamp()}",
        salt=_ASKED,
        max_age=_ANSWER_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )
    return answer


def asked(request: HttpRequest) -> tuple[str, datetime]:
    """Return the challenge that the browser was asked with, and when; raises `Illegal` after minutes."""
    kept = request.get_signed_cookie(_ASKED, default=None, salt=_ASKED) or " 0"
    challenge, _blank, seconds = kept.partition(" ")
    at = datetime.fromtimestamp(float(seconds), UTC)
    if (database_time.now() - at).total_seconds() > _ANSWER_SECONDS:
        raise Illegal(_("That took too long. Try again."))
    return challenge, at


# ---- Asking again --------------------------------------------------------------------------------


def note_proof(request: HttpRequest) -> None:
    """Note that the person has shown a password or a passkey in this session."""
    request.session[_PROVED] = database_time.now().timestamp()


def has_proved(request: HttpRequest) -> bool:
    """Return whether the person has done so a few minutes ago."""
    at: float = request.session.get(_PROVED, 0.0)
    return database_time.now().timestamp() - at < _RECENT_SECONDS


def needs_proof(
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Return a view that asks again who is there, before it does anything."""

    @wraps(view)
    @sensitive_post_parameters()
    def asking(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return ask_for_proof(request) or view(request, *args, **kwargs)

    return asking


class ProofForm(forms.Form):
    """The password, asked again."""

    proof_password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )


def ask_for_proof(request: HttpRequest) -> HttpResponse | None:
    """Return the page that asks again who is there; None where that is known, or is shown by this request.

    The page keeps what was typed and sends it again with the answer, but for other passwords.
    """
    if has_proved(request):
        return None
    form = ProofForm(request.POST if "proof_password" in request.POST else None)
    if request.method == "POST" and _shows(request, form):
        note_proof(request)
        return redirect(request.get_full_path()) if "proof_get" in request.POST else None
    kept = [(name, value) for name in request.POST if _is_kept(name) for value in request.POST.getlist(name)]
    if request.method != "POST" or "proof_get" in request.POST:
        kept = [("proof_get", "1")]
    response = render(request, "account/prove.html", {"form": form, "kept": kept})
    response["Cache-Control"] = "no-store"
    return response


def _is_kept(name: str) -> bool:
    return name != "csrfmiddlewaretoken" and not name.startswith("proof_") and "password" not in name


def _shows(request: HttpRequest, form: ProofForm) -> bool:
    """Return whether the request shows the account's password or passkey; else say why not at the form."""
    account = caller(request)
    try:
        if answer := request.POST.get("proof_passkey"):
            challenge, at = asked(request)
            if use_passkey(answer=answer, challenge=challenge, asked_at=at, site=site_of(request)) != account:
                raise Illegal(_("This passkey belongs to another account."))
            return True
        if form.is_valid():
            prove_password(by=account, password=form.cleaned_data["proof_password"], place=place_of(request))
            return True
    except Illegal as refusal:
        form.is_valid()
        form.add_error(None, translated(refusal.sentence))
    return False
