"""The page with the devices on which an account is logged in, which logs them out."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from league.queries.accounts import LONGEST_TOKEN_NAME, passkeys_of, sessions_of
from league.requests import account_in
from league.services.log_ins import end_other_sessions, end_session


@never_cache
@login_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show where the account is logged in."""
    account = account_in(request)
    context = {
        "sessions": sessions_of(account),
        "this": request.session.session_key,
        "passkeys": passkeys_of(account),
        "longest": LONGEST_TOKEN_NAME,
        "name": request.GET.get("name", ""),
    }
    return render(request, "account/devices.html", context)


@login_required
@require_POST
def end(request: HttpRequest, log_in: UUID) -> HttpResponse:
    """Log one device out; 404 for one of another account."""
    account = account_in(request)
    end_session(by=account, log_in=get_object_or_404(sessions_of(account), pk=log_in))
    messages.success(request, _("The device is logged out."))
    return redirect("devices")


@login_required
@require_POST
def end_others(request: HttpRequest) -> HttpResponse:
    """Log all other devices out."""
    end_other_sessions(by=account_in(request), session_key=request.session.session_key)
    messages.success(request, _("All other devices are logged out."))
    return redirect("devices")
