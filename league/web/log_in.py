"""The log-in page, and what was typed into a form that was sent when its person was not logged in any more.

What was typed is kept in the page that asks for the log-in, signed, and sent on to its address by the same
account only. Other passwords, and files, are not kept. A cookie tells a device that is known.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.contrib.auth.views import LoginView
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure

from league.queries.games import all_games
from league.requests import (
    DEVICE,
    account_in,
    device_cookie,
    note_proof,
    place_of,
    spectator_or_account,
    typed_in,
)
from league.services.accounts import keep_language
from league.services.log_ins import begin_attempt, note_device, take_back_attempt

if TYPE_CHECKING:
    from league.models import Account, ClubGame

# ---- Where people log in: their networks and devices ---------------------------------------------

_REMEMBERED: Final = timedelta(days=365)
_ACCOUNTS: Final = "trefoil_accounts"
"""The name of the cookie with the accounts that logged in last, the last one first."""
_accounts: Final = signing.Signer(salt=_ACCOUNTS)

_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
"""What the header User-Agent has in it, and which browser that is; the first counts."""
_SYSTEMS: Final = (
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def _named(agent: str, names: Sequence[tuple[str, str]]) -> str:
    return next((name for part, name in names if part in agent), "")


def accounts_here(request: HttpRequest) -> list[str]:
    """Return the ids of the last two accounts that logged in with this browser, the last one first."""
    try:
        return _accounts.unsign(request.COOKIES.get(_ACCOUNTS, "")).split()
    except signing.BadSignature:
        return []


def remember_place(request: HttpRequest, response: HttpResponse, account: Account) -> HttpResponse:
    """Return the response to a log-in, with a cookie for a new device, and note the place and the session.

    Without a log-in (a new password was chosen by a link) only the place is noted.
    """
    place = place_of(request)
    if not place.device:
        place = replace(place, device=secrets.token_urlsafe(24))
        _set_cookie(response, DEVICE, device_cookie(place.device))
    logged_in = request.user == account
    if logged_in:
        last = list(dict.fromkeys((str(account.pk), *accounts_here(request))))[:2]
        _set_cookie(response, _ACCOUNTS, _accounts.sign(" ".join(last)))
    if logged_in and request.session.session_key is None:
        request.session.save()
    agent = request.headers.get("User-Agent", "")
    note_device(
        by=account,
        place=place,
        browser=_named(agent, _BROWSERS),
        system=_named(agent, _SYSTEMS),
        session_key=request.session.session_key if logged_in else None,
    )
    return response


def _set_cookie(response: HttpResponse, name: str, value: str) -> None:
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(name, value, max_age=_REMEMBERED, httponly=True, samesite="Lax", secure=secure)


# ---- The page ------------------------------------------------------------------------------------

_SALT: Final = "trefoil.unsent"


class LogInForm(AuthenticationForm):
    """The name and the password of an account."""

    wait = 0
    """Seconds until the next attempt, where there were too many."""

    username = UsernameField(
        label=gettext_lazy("User name"), widget=forms.TextInput(attrs={"autofocus": True})
    )

    def clean(self) -> dict[str, Any]:
        """Check the password, unless there were too many attempts."""
        if not (self.cleaned_data.get("username") and self.cleaned_data.get("password")):
            return self.cleaned_data
        assert self.request is not None
        name = self.cleaned_data["username"]
        attempt = begin_attempt(username=name, place=place_of(self.request))
        self.wait = attempt.wait
        if attempt.wait:
            raise forms.ValidationError(
                ngettext(
                    "There were too many attempts. Wait %(count)d second, or set a new password by email.",
                    "There were too many attempts. Wait %(count)d seconds, or set a new password by email.",
                    attempt.wait,
                )
                % {"count": attempt.wait}
            )
        cleaned: dict[str, Any] = super().clean()
        take_back_attempt(attempt)
        return cleaned


class LogIn(LoginView):
    """The log-in page, which redirects whoever is logged in to the account's page."""

    template_name = "account/login.html"
    form_class = LogInForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the context, with the game whose scores the next page enters, if it does."""
        game = _game_to_play(self.get_redirect_url())
        return {**super().get_context_data(**kwargs), "club_game": game, "unsent": _unsent_in(self.request)}

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Log the account in, and remember from where and in which language."""
        response = super().form_valid(form)
        note_proof(self.request)
        account = account_in(self.request)
        keep_language(by=account, language=get_language() or "")
        return remember_place(self.request, send_on(self.request, response), account)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the form again: with the status 429 where there were too many attempts."""
        response = super().form_invalid(form)
        if form.wait:
            response.status_code = 429
            response["Retry-After"] = str(form.wait)
        return response


def _game_to_play(address: str) -> ClubGame | None:
    """Return the game whose forms an address leads to, None for any other address."""
    try:
        match = resolve(urlsplit(address).path)
    except Resolver404:
        return None
    return all_games().filter(pk=match.kwargs["game_id"]).first() if match.url_name == "play" else None


# ---- What was typed before ----------------------------------------------------------------------


@dataclass(frozen=True)
class Unsent:
    """What the account ``by`` typed for an address; ``files`` says that there were files, too."""

    address: str
    by: str
    fields: Sequence[tuple[str, str]]
    files: bool

    @property
    def signed(self) -> str:
        """Return it as a field of a form."""
        return signing.dumps(asdict(self), salt=_SALT, compress=True)


def _unsent_in(request: HttpRequest) -> Unsent | None:
    """Return what the log-in page kept, None where it kept nothing."""
    try:
        return Unsent(**signing.loads(request.POST.get("unsent", ""), salt=_SALT))
    except signing.BadSignature:
        return None


def send_on(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the page that sends what the account typed before it logged in; otherwise the response."""
    unsent = _unsent_in(request)
    if unsent is None:
        return response
    if unsent.by == str(account_in(request).pk):
        return _page(request, "account/send.html", unsent, 200)
    messages.warning(request, _("What was entered before was not sent: it was entered with another account."))
    return response


def ask_to_log_in_again(request: HttpRequest) -> HttpResponse | None:
    """Return the log-in page with what it kept, None where it kept nothing."""
    unsent = _unsent_in(request)
    return _log_in_page(request, unsent) if unsent else None


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return what was typed, to send it, where its person has logged in or out since (`CSRF_FAILURE_VIEW`).

    That is known if no other account was logged in with this browser lately.
    """
    accounts, account = accounts_here(request), spectator_or_account(request)
    own = request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    if not (own and len(accounts) == 1 and _is_form(request)):
        return csrf_failure(request, reason)
    unsent = _unsent_in(request) or _typed(request, accounts[0])
    if account is None:
        return _log_in_page(request, unsent)
    if str(account.pk) != unsent.by or urlsplit(unsent.address).path == settings.LOGIN_URL:
        return csrf_failure(request, reason)
    return _page(request, "account/send.html", unsent, 403)


class UnsentMiddleware:
    """Keeps what a browser's form sends where the answer would lead to the log-in page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not (_is_form(request) and _leads_to_log_in(response)) or spectator_or_account(request):
            return response
        accounts = accounts_here(request)
        # The token of the form is of the last log-in.
        return _log_in_page(request, _typed(request, accounts[0])) if accounts else response


def _is_form(request: HttpRequest) -> bool:
    return request.method == "POST" and "text/html" in request.headers.get("Accept", "")


def _leads_to_log_in(response: HttpResponseBase) -> bool:
    if not isinstance(response, HttpResponseRedirect):
        return False
    to = urlsplit(response.url)
    return to.path in (settings.LOGIN_URL, reverse("admin:login")) and to.query.startswith("next=")


def _typed(request: HttpRequest, by: str) -> Unsent:
    return Unsent(request.get_full_path(), by, typed_in(request), bool(request.FILES))


def _log_in_page(request: HttpRequest, unsent: Unsent) -> HttpResponse:
    return _page(request, LogIn.template_name, unsent, 403, form=LogInForm(request), next=unsent.address)


def _page(request: HttpRequest, template: str, unsent: Unsent, status: int, **context: Any) -> HttpResponse:
    response = render(request, template, {"unsent": unsent, **context}, status=status)
    response["Cache-Control"] = "no-store"
    return response
