"""The reader's language, and the time zone in which an account sees times."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit, urlunsplit

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from league.requests import account_in, language_in, spectator_or_account
from league.services.accounts import choose_language, choose_zone
from league.words.times import zone_choices

# ---- Languages -----------------------------------------------------------------------------------

_EMBEDDED: Final = "/embed/"


class LanguageMiddleware(LocaleMiddleware):
    """Activates the language of a request."""

    def process_request(self, request: HttpRequest) -> None:
        translation.activate(_language_of(request))
        request.LANGUAGE_CODE = translation.get_language()


def _language_of(request: HttpRequest) -> str:
    if named := language_in(request):
        return named
    # What other sites embed asks for no cookie.
    account = None if request.path_info.startswith(_EMBEDDED) else spectator_or_account(request)
    chosen = account.language if account else ""
    return chosen if chosen in dict(settings.LANGUAGES) else translation.get_language_from_request(request)


def _without_language(address: str) -> str:
    parts = urlsplit(address)
    query = QueryDict(parts.query, mutable=True)
    query.pop("lang", None)
    return urlunsplit(parts._replace(query=query.urlencode()))


# The switch is on cached pages too, which have no token; another site could change nothing but the language.
@csrf_exempt
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep the language in a cookie, and with the account that is logged in; then show the page again."""
    next_page = request.POST.get("next", "")
    fine = url_has_allowed_host_and_scheme(next_page, {request.get_host()}, request.is_secure())
    answer = redirect(_without_language(next_page) if fine else "home")
    language = request.POST.get("language", "")
    if language in dict(settings.LANGUAGES):
        if account := spectator_or_account(request):
            choose_language(by=account, language=language)
        answer.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return answer


# ---- Zones ---------------------------------------------------------------------------------------


class ZoneForm(forms.Form):
    """A time zone, or that of each club."""

    timezone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        choices=lambda: [("", _("that of each club")), *zone_choices()],
        required=False,
        help_text=gettext_lazy("The difference from UTC is the one of today. Common zones stand first."),
    )


@never_cache
@login_required
def zone_page(request: HttpRequest) -> HttpResponse:
    """Show the account's time zone; a POST saves the chosen one and shows the account's page."""
    account = account_in(request)
    form = ZoneForm(
        request.POST if request.method == "POST" else None, initial={"timezone": account.timezone}
    )
    if form.is_valid():
        choose_zone(by=account, timezone=form.cleaned_data["timezone"])
        messages.success(request, _("Saved."))
        return redirect("account")
    return render(request, "account/zone.html", {"form": form}, status=422 if form.errors else 200)
