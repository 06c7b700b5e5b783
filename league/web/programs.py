"""The pages for those who develop programs, and the button that disconnects one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST

from games.engine.refusals import Malformed, Refusal
from league.choices import ProgramKind
from league.forms import add_errors
from league.queries.programs import connections_of, programs_of
from league.requests import account_in, needs_proof
from league.services.programs import (
    NewProgram,
    change_program,
    create_program,
    disconnect,
    remove_program,
    renew_program_secret,
)
from league.words.messages import translated

if TYPE_CHECKING:
    from league.models import Account, Program


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
def page(request: HttpRequest) -> HttpResponse:
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
            disconnect(by=account, program=connection.program)
            name = {"name": connection.program.name}
            messages.success(request, _("“%(name)s” can no longer act for you.") % name)
    return redirect("account")
