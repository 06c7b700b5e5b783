"""The pages on which people connect programs to their accounts, and register those that they develop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlsplit

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST
from oauth2_provider.views import AuthorizationView
from rest_framework.utils.urls import replace_query_param

from games.engine.refusals import Illegal, Malformed, Refusal
from league import hooks
from league.apps.programs import endpoints
from league.apps.programs.models import ProgramKind
from league.apps.programs.queries import connections_of, program_with, programs_of
from league.apps.programs.services import (
    NewProgram,
    answer_device,
    change_program,
    create_program,
    disconnect,
    remove_program,
    renew_program_secret,
    waiting_device,
)
from league.choices import RULING_SCOPES
from league.forms import add_errors
from league.requests import account_in, ask_first, ask_for_proof, needs_proof
from league.words.messages import translated

if TYPE_CHECKING:
    from league.models import Account
from league.apps.programs.models import Program

# ---- Connecting one ------------------------------------------------------------------------------

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


# ---- Those who develop programs ------------------------------------------------------------------


class ProgramForm(forms.Form):
    """A program: its name, and to where it may have people sent back."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=80,
        help_text=gettext_lazy("People see it when they connect the program."),
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("Where it runs"), choices=ProgramKind.choices, widget=forms.RadioSelect
    )
    redirect_uris = forms.CharField(
        label=gettext_lazy("Addresses to which people are sent back"),
        required=False,
        max_length=6000,
        help_text=gettext_lazy(
            "One on each line, exactly as the program names them: https; for apps also http://127.0.0.1/ "
            "or an own scheme such as com.example.app:/connected. Devices need none."
        ),
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, program: Program | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if program is not None:
            del self.fields["kind"]
            self.initial = {"name": program.name, "redirect_uris": "\n".join(program.addresses)}


@never_cache
@login_required
@needs_proof
@sensitive_variables("made")
def developed(request: HttpRequest) -> HttpResponse:
    """List the account's programs; a POST registers one, and shows its secret this once."""
    account = account_in(request)
    form = ProgramForm(request.POST if request.method == "POST" else None)
    made = _registered(account, form) if form.is_valid() else None
    context = {"programs": programs_of(account), "form": ProgramForm() if made else form, "made": made}
    return render(request, "oauth/programs.html", context)


def _registered(account: Account, form: ProgramForm) -> NewProgram | None:
    """Return the new program; where it is refused, add the errors to the form and return None."""
    try:
        return create_program(by=account, **form.cleaned_data)
    except Refusal as refusal:
        _explain(refusal, form)
        return None


def _explain(refusal: Refusal, form: ProgramForm) -> None:
    if isinstance(refusal, Malformed):
        add_errors(form, refusal.errors)
    else:
        form.add_error(None, translated(refusal.sentence))


@never_cache
@login_required
@needs_proof
@sensitive_variables("made")
def program(request: HttpRequest, program_id: int) -> HttpResponse:
    """Show a program of the account; a POST changes it, makes another secret, or removes it."""
    account = account_in(request)
    own = get_object_or_404(programs_of(account), pk=program_id)
    act = request.POST.get("act")
    form, made = ProgramForm(request.POST if act == "save" else None, program=own), None
    title, told = _ENDS.get(act or "", ("", ""))
    if title and (asking := ask_first(request, str(title), str(told), reverse("program", args=[own.pk]))):
        return asking
    match act:
        case "save" if form.is_valid() and _changed(account, own, form):
            messages.success(request, _("“%(name)s” was changed.") % {"name": own.name})
            return redirect("program", own.pk)
        case "secret" if own.kind == ProgramKind.SERVER:
            made = renew_program_secret(by=account, program=own)
        case "remove":
            remove_program(by=account, program=own)
            messages.success(request, _("“%(name)s” was removed.") % {"name": own.name})
            return redirect("programs")
    return render(request, "oauth/programs.html", {"program": own, "form": form, "made": made})


_ENDS: Final = {
    "secret": (gettext_lazy("Make another secret"), gettext_lazy("The former one no longer works then.")),
    "remove": (gettext_lazy("Remove the program"), gettext_lazy("It is disconnected from everybody.")),
}
"""The buttons of a program that end something for good: what they say, and what will happen."""


def _changed(account: Account, own: Program, form: ProgramForm) -> bool:
    """Return whether the program was changed as the form says; where not, add the errors to the form."""
    try:
        change_program(by=account, program=own, **form.cleaned_data)
    except Refusal as refusal:
        _explain(refusal, form)
        return False
    return True


@login_required
@require_POST
def end(request: HttpRequest, program_id: int) -> HttpResponse:
    """Disconnect a program from the account; nothing changes where it is not connected."""
    account = account_in(request)
    for connection in connections_of(account):
        if connection.program.pk == program_id:
            told = _("“%(name)s” can no longer act for you, until you connect it again.")
            told %= {"name": connection.program.name}
            if asking := ask_first(request, _("Disconnect"), told, reverse("account")):
                return asking
            disconnect(by=account, program=connection.program)
            name = {"name": connection.program.name}
            messages.success(request, _("“%(name)s” can no longer act for you.") % name)
    return redirect("account")


def connected(request: HttpRequest, account: Account) -> str:
    """Return the section of the account's page with the programs that are connected to it."""
    context = {"connections": connections_of(account), "developed": programs_of(account)}
    return render_to_string("oauth/connections.html", context, request)


hooks.account_sections.append(connected)

urlpatterns = [
    path("oauth/token/", endpoints.Token.as_view(), name="oauth-token"),
    path("oauth/revoke/", endpoints.Revoke.as_view(), name="oauth-revoke"),
    path("oauth/device-authorization/", endpoints.Device.as_view(), name="oauth-device"),
    path(".well-known/oauth-authorization-server", endpoints.metadata, name="oauth-metadata"),
    path("oauth/authorize/", Authorize.as_view(), name="authorize"),
    path("oauth/device/", device, name="device"),
    path("account/programs/", developed, name="programs"),
    path("account/programs/<int:program_id>/", program, name="program"),
    path("account/connections/<int:program_id>/disconnect/", end, name="disconnect"),
]
