"""What faces read from a request: the caller, a guest, a form sent twice, the site's address, and
whether the person has shown lately who is there.

The address that is printed is never one that works on the server's own machine alone.
"""

import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import wraps
from ipaddress import IPv6Address, ip_address
from typing import Concatenate, Final, Literal, ParamSpec, cast
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from django import forms
from django.conf import settings
from django.core.exceptions import BadRequest
from django.core.signing import BadSignature, Signer
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters

from games import database_time
from games.engine import chain
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league.hooks import Visitor
from league.models import Account
from league.models.names import known_zones
from league.services.log_ins import Place, Question, Site, prove_password, use_passkey
from league.services.once import Made, once
from league.words.messages import translated

P = ParamSpec("P")

_ASKED: Final = "site_address"
"""In the session: the address that somebody typed on the page of a print."""
_LONGEST: Final = 200
_LAST_PORT: Final = 65535
GUEST: Final = "guest"
"""The name of the cookie by which a browser is a guest."""
DEVICE: Final = "trefoil_device"
"""The name of the cookie by which a device is known again."""
_devices: Final = Signer(salt="trefoil.device")
ZONE: Final = "zone"
"""The name of the cookie with the browser's time zone."""
_GUEST_SECONDS: Final = 30 * 24 * 3600
"""As long as games of no club are kept."""
_PROVED: Final = "proved_at"
"""In the session: when the person last showed a password or a passkey."""
_RECENT_SECONDS: Final = 600
_QUESTION: Final = "passkey_question"
"""The name of the cookie with the question that a browser with a passkey was asked."""
_ANSWER_SECONDS: Final = 300


def account_in(request: HttpRequest) -> Account:
    """Return the account that is logged in, on a page that needs a log-in."""
    return cast(Account, request.user)


def spectator_or_account(request: HttpRequest) -> Account | None:
    """Return the account that is logged in, None where nobody is."""
    return request.user if isinstance(request.user, Account) else None


def place_of(request: HttpRequest) -> Place:
    """Return from where a request comes."""
    return Place(request.META.get("REMOTE_ADDR", ""), device_of(request.COOKIES))


def device_of(cookies: Mapping[str, str]) -> str:
    """Return the device that somebody has logged in on, by a signed cookie; ``""`` for any other."""
    try:
        return _devices.unsign(cookies.get(DEVICE, ""))
    except BadSignature:
        return ""


def device_cookie(device: str) -> str:
    """Return the cookie's value for a device."""
    return _devices.sign(device)


def visitor_in(request: HttpRequest, account: Account | None) -> Visitor:
    """Return who comes: the account, and the guest of the browser's signed cookie or a new one."""
    try:
        guest = UUID(request.get_signed_cookie(GUEST, salt=GUEST, max_age=_GUEST_SECONDS))
    except (KeyError, BadSignature, ValueError):
        guest = uuid4()
    return Visitor(guest, account, zone_in(request) or "UTC")


def keep_guest(response: HttpResponse, visitor: Visitor) -> HttpResponse:
    """Let the browser be this guest from now on; an account needs no cookie."""
    if visitor.account is None:
        _keep(response, GUEST, str(visitor.guest), _GUEST_SECONDS, "Lax")
    return response


def _keep(
    answer: HttpResponse, name: str, value: str, seconds: int, same_site: Literal["Lax", "Strict"]
) -> None:
    """Let the browser keep a value that it can neither read nor change."""
    secure = settings.SESSION_COOKIE_SECURE
    answer.set_signed_cookie(
        name, value, salt=name, max_age=seconds, secure=secure, httponly=True, samesite=same_site
    )


def zone_in(request: HttpRequest) -> str:
    """Return the time zone that a script told of the browser, empty where it told none that there is."""
    told = request.COOKIES.get(ZONE, "")
    return told if told in known_zones() else ""


def made_once(request: HttpRequest, make: Callable[[], Model]) -> Made:
    """Create a row from a posted form; for the same form sent again, return the row that it created before.

    A form is recognised by its CSRF token, which is masked differently each time a page is loaded: the same
    values sent from two loaded pages create two rows.
    """
    if not request.POST.get("csrfmiddlewaretoken"):
        return Made(make().pk, created=True)
    fields = {name: request.POST.getlist(name) for name in request.POST}
    content = chain.canonical({"path": request.get_full_path(), "fields": dict(fields)})
    sent = hashlib.sha256(content).hexdigest()
    # Keys sent to the API have no spaces, so this can't be one of them.
    return once(by=account_in(request), key=f"form {sent}", request=sent, make=make)


def number_in(request: HttpRequest, name: str) -> int | None:
    """Return a number of the query, None where it is left out; raise Http404 where it isn't a number."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise Http404
    return int(text)


def sent_seq(request: HttpRequest) -> int | None:
    """Return the log's number at which the form that was sent was made, None where it has none.

    Raises BadRequest for what is no number: without it nobody is told what changed meanwhile.
    """
    if "seq" not in request.POST:
        return None
    sent = request.POST["seq"]
    if not (sent.isdecimal() and len(sent) < 10):
        raise BadRequest("The number of the log is none.")
    return int(sent)


def language_in(request: HttpRequest) -> str | None:
    """Return the language that the query asks for, as a calendar's address does; None where it has none."""
    asked = request.GET.get("lang", "")
    return next((code for code in dict(settings.LANGUAGES) if asked in (code, code[:2])), None)


# ---- The address of the site --------------------------------------------------------------------


def is_loopback(host: str) -> bool:
    """Return whether a host name, or an address without brackets, leads to the machine that asks for it."""
    host = host.rstrip(".").lower()
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return any(each.is_loopback or each.is_unspecified for each in (address, mapped) if each)


def site_address(request: HttpRequest) -> str:
    """Return scheme and host by which other devices reach the site, ``""`` where only a person knows.

    It is the one that was typed in this session, else the one of the request, else the one in the settings;
    never a loopback address.
    """
    asked = request.session.get(_ASKED, "")
    known = (asked, request.build_absolute_uri("/").rstrip("/"), settings.SITE_URL)
    return next((url for url in known if url and not is_loopback(urlsplit(url).hostname or "")), "")


def keep_site_address(request: HttpRequest, typed: str) -> None:
    """Keep the address that somebody typed for the prints of this session; raises `Malformed`."""
    request.session[_ASKED] = read_address(typed)


def port_of(address: str) -> int:
    """Return the port at which a URL is asked for."""
    url = urlsplit(address)
    return url.port or (443 if url.scheme == "https" else 80)


def read_address(typed: str) -> str:
    """Return a typed address as scheme and host; raises `Malformed`."""
    url = typed.strip().rstrip("/")
    url = url if "://" in url else f"http://{url}"
    scheme, _, place = url.partition("://")
    host, port = split_domain_port(place)
    if scheme not in ("http", "https") or not host or len(url) > _LONGEST or int(port or 0) > _LAST_PORT:
        raise Malformed({"address": [text("Type an address such as http://192.168.1.20:8000.")]})
    if is_loopback(host.strip("[]")):
        raise Malformed({"address": [text("This address works on the server’s own machine only.")]})
    return url


def likely_address(request: HttpRequest) -> str:
    """Return the address to propose: the known one, or else a host at which the site is set to answer."""
    named = [host for host in settings.ALLOWED_HOSTS if not host.startswith((".", "*"))]
    port = "" if request.get_port() in ("80", "443") else f":{request.get_port()}"
    likely = [f"{request.scheme}://{host}{port}" for host in named if not is_loopback(host.strip("[]"))]
    return site_address(request) or next(iter(likely), "")


# ---- Passkeys -----------------------------------------------------------------------------------


def site_of(request: HttpRequest) -> Site:
    """Return the site as the browser that asks sees it."""
    return Site(split_domain_port(request.get_host())[0], request.build_absolute_uri("/").rstrip("/"))


def ask(question: Question) -> HttpResponse:
    """Return a question for a browser with a passkey; a signed cookie keeps it, so that no row is written."""
    answer = HttpResponse(question.options, content_type="application/json")
    value = f"{question.challenge} {database_time.now().timestamp()}"
    _keep(answer, _QUESTION, value, _ANSWER_SECONDS, "Strict")
    return answer


def asked(request: HttpRequest) -> tuple[str, datetime]:
    """Return the challenge that the browser was asked with, and when; raises `Illegal` after minutes."""
    kept = request.get_signed_cookie(_QUESTION, default=None, salt=_QUESTION) or " 0"
    challenge, _blank, seconds = kept.partition(" ")
    at = datetime.fromtimestamp(float(seconds), UTC)
    if (database_time.now() - at).total_seconds() > _ANSWER_SECONDS:
        raise Illegal(_("That took too long. Try again."))
    return challenge, at


# ---- Asking again who is there ------------------------------------------------------------------
# A session can be stolen, or left open on a device that others use. So addresses, passwords, passkeys, tokens
# and programs need a password or a passkey that was shown in this session a few minutes ago.


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
    kept = typed_in(request)
    if request.method != "POST" or "proof_get" in request.POST:
        kept = [("proof_get", "1")]
    response = render(request, "account/prove.html", {"form": form, "kept": kept})
    response["Cache-Control"] = "no-store"
    return response


def ask_first(request: HttpRequest, title: str, told: str, back: str) -> HttpResponse | None:
    """Return the page that asks before a button does what nobody can undo; None once that was answered.

    ``told`` says what will happen; who does not want it goes ``back``, to the page of that name.
    """
    if "sure" in request.POST:
        return None
    context = {"asked": title, "told": told, "back": back, "sent": typed_in(request)}
    return render(request, "account/ask.html", context)


def typed_in(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of a posted form that may be kept to be sent again: all but passwords."""
    return [(name, value) for name in request.POST if _is_kept(name) for value in request.POST.getlist(name)]


def _is_kept(name: str) -> bool:
    return name != "csrfmiddlewaretoken" and not name.startswith("proof_") and "password" not in name


def _shows(request: HttpRequest, form: ProofForm) -> bool:
    """Return whether the request shows the account's password or passkey; else say why not at the form."""
    account = account_in(request)
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
