"""The pages on which people connect programs to their accounts (OAuth 2); for programs it is `api.oauth`."""

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote, urlsplit

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from oauth2_provider.views import AuthorizationView
from rest_framework.utils.urls import replace_query_param

from games.engine.refusals import Illegal
from league.choices import RULING_SCOPES
from league.queries.programs import program_with
from league.requests import account_in, ask_for_proof, needs_proof
from league.services.programs import answer_device, waiting_device
from league.words.messages import translated

_CHALLENGE: Final = re.compile(r"[A-Za-z0-9._~-]{43,128}")
"""RFC 7636, section 4.2."""
_LONGEST_NONCE: Final = 255


def _split(scopes: Sequence[str]) -> dict[str, Sequence[str]]:
    """Return scopes for the page: those that decide over others apart."""
    return {
        "usual": [each for each in scopes if each not in RULING_SCOPES],
        "ruling": [each for each in scopes if each in RULING_SCOPES],
    }


@method_decorator(never_cache, name="dispatch")
class Authorize(AuthorizationView):
    """The page that a program sends people to: it asks each time, and sends them back."""

    template_name = "oauth/consent.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Refuse what no database keeps."""
        sent = (*request.GET.values(), *request.POST.values())
        given = request.POST if request.method == "POST" else request.GET
        challenge = given.get("code_challenge", "")
        wrong = any("\0" in value for value in sent) or len(given.get("nonce", "")) > _LONGEST_NONCE
        if wrong or (challenge and not _CHALLENGE.fullmatch(challenge)):
            return render(request, "400.html", status=400)
        asking = ask_for_proof(request) if request.user.is_authenticated else None
        return asking or super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Ask, also where the person has agreed before: another program may use the id of a public one."""
        asked = request.GET.copy()
        asked["approval_prompt"] = "force"
        request.GET = asked  # type: ignore[assignment]  # as Django itself sets it
        return super().get(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the page shows."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        goes_to = kwargs.get("redirect_uri", "")
        return {**context, **_split(kwargs.get("scopes", ())), "goes_to": goes_to}

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        """Return the page; its form may lead to the program."""
        response: HttpResponse = super().render_to_response(context, **kwargs)
        if goes_to := context.get("goes_to"):
            response._csp_update = {"form-action": [_source(goes_to)]}  # type: ignore[attr-defined]
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        """Refuse a form that is not the one that was sent."""
        return render(self.request, "400.html", status=400)

    def error_response(self, error: Any, application: Any, **kwargs: Any) -> Any:
        """Tell the program, at the address that it has registered, or else the person."""
        program = application or program_with(self.request.GET.get("client_id", ""))
        answer = super().error_response(error, program, **kwargs)
        if answer.status_code == HTTPStatus.FOUND:
            # As with a code, so that a program knows who answers (RFC 9207).
            issuer = self.request.build_absolute_uri("/").rstrip("/")
            answer["Location"] = replace_query_param(answer["Location"], "iss", issuer)
        return answer


def _source(address: str) -> str:
    """Return an address as a source of a content security policy: one word, whatever the address holds."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{quote(parts.netloc, safe=':[]')}" if parts.netloc else f"{parts.scheme}:"


class CodeForm(forms.Form):
    """The code that a device shows."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        help_text=gettext_lazy("The device shows it: eight letters."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )


@never_cache
@login_required
@needs_proof
def device(request: HttpRequest) -> HttpResponse:
    """Ask for the code of a device, then whether to connect it."""
    form = CodeForm(
        request.POST if request.method == "POST" else None, initial={"code": request.GET.get("code")}
    )
    if not form.is_valid():
        return render(request, "oauth/device.html", {"form": form})
    code, answer = form.cleaned_data["code"], request.POST.get("answer")
    try:
        if answer in ("allow", "refuse"):
            answer_device(by=account_in(request), code=code, allow=answer == "allow")
            said = _("The device is connected.") if answer == "allow" else _("The device was not connected.")
            messages.success(request, said)
            return redirect("account")
        waiting = waiting_device(by=account_in(request), code=code)
    except Illegal as refusal:
        form.add_error("code", translated(refusal.sentence))
        return render(request, "oauth/device.html", {"form": form})
    asked = _split(waiting.scope.split())
    context = {**asked, "application": program_with(waiting.client_id), "code": waiting.user_code}
    return render(request, "oauth/device.html", context)
