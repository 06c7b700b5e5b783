"""The address of the site that is printed: never one that works on the server's own machine alone."""

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

from games.engine.messages import text
from games.engine.refusals import Malformed

_ASKED: Final = "site_address"
"""In the session: the address that somebody typed on the page of a print."""
_LONGEST: Final = 200


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


def read_address(typed: str) -> str:
    """Return a typed address as scheme and host; raises `Malformed`."""
    url = typed.strip().rstrip("/")
    url = url if "://" in url else f"http://{url}"
    scheme, _, place = url.partition("://")
    host, _port = split_domain_port(place)
    if scheme not in ("http", "https") or not host or len(url) > _LONGEST:
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


def urls_below(site: str) -> Callable[[str], str]:
    """Return a function that turns a path into a URL; into ``""`` where the site is unknown."""
    return lambda path: f"{site}{path}" if site else ""
