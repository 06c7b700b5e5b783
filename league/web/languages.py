"""The language of pages: that of ``?lang=``, else what was chosen at their foot, else the browser's."""

from typing import Final
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import redirect
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from league.requests import language_in, spectator_or_account
from league.services.accounts import choose_language

_API: Final = "/api/"
_EMBEDDED: Final = "/embed/"


class LanguageMiddleware(LocaleMiddleware):
    """Activates the language of a request; the API's is always English."""

    def process_request(self, request: HttpRequest) -> None:
        translation.activate(_language_of(request))
        request.LANGUAGE_CODE = translation.get_language()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not request.path_info.startswith(_API):
            return super().process_response(request, response)
        response.headers.setdefault("Content-Language", settings.LANGUAGE_CODE)
        return response


def _language_of(request: HttpRequest) -> str:
    if request.path_info.startswith(_API):
        return settings.LANGUAGE_CODE
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
