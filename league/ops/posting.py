"""Requests to addresses of others, with limits of time and size.

`post` goes to one that a user chose, never into the server's own network; `ask` to one that the operator did.
"""

import asyncio
import ipaddress
import re
import socket
import ssl
import time
import unicodedata
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import urlsplit

import idna
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

# Every process imports this module, and only who posts needs the library, which takes 5 MB.
if TYPE_CHECKING:
    import httpx

TOTAL_SECONDS: Final = 15
"""The time limit of an attempt."""
EXCERPT: Final = 500
"""The most characters of an answer that are kept."""
_READ_BYTES: Final = 4096
_MOST_ADDRESSES: Final = 3
_ALPHABETS: Final = frozenset({"ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "LATIN"})
"""Alphabets that have letters in common by their looks, as the names of their letters begin."""
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
"""All that IANA gives out for public hosts; the rest is local, reserved or for special purposes."""
_NOT_GLOBAL: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            *("192.0.0.0/24", "192.88.99.0/24"),  # IETF protocols; relays to 6to4 (RFC 7526)
            *("2001::/23", "2002::/16"),  # IETF protocols with Teredo and ORCHID; 6to4
            *("2001:db8::/32", "3fff::/20"),  # examples (RFC 9637)
        ),
    )
)
"""Networks of IANA's registries for special purposes that `ipaddress` takes for public, in some versions."""

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address


class Unreachable(Exception):
    """There was no answer; the message is for the person who chose the URL."""


@dataclass(frozen=True)
class Answer:
    """The answer: its status code, its body as far as it was read, and the seconds after which to retry."""

    code: int
    body: bytes
    retry_after: int | None = None

    @property
    def excerpt(self) -> str:
        """Return the printable beginning."""
        text = self.body.decode(errors="replace")
        return "".join(character if character.isprintable() else " " for character in text)[:EXCERPT]

    @property
    def taken(self) -> bool:
        """Return whether the receiver accepted the request. A redirection does not."""
        return 200 <= self.code < 300


def check(url: str, *, private: bool) -> None:
    """Raise `Unreachable` for a URL that is not allowed.

    ``private`` also allows addresses of the server's own network, and plain http. Where a name leads is seen
    when something is posted there.
    """
    scheme = url.partition("://")[0].lower()
    if not url.isprintable():
        raise Unreachable(_("This is not a valid web address."))
    if scheme != "https" and not (private and scheme == "http"):
        raise Unreachable(_("The address must begin with https://."))
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        if not private:
            URLValidator()(url)
            _check_name(host)
    except (ValidationError, ValueError):
        raise Unreachable(_("This is not a valid web address.")) from None
    if not host or port == 0 or "#" in url or "@" in parts.netloc:
        raise Unreachable(_("The address must have a host, and neither a password nor a #part."))
    literal = _literal(host)
    if literal is not None:
        _refuse_private([literal], private)
    elif not private and ("." not in host or host.endswith((".localhost", ".local", ".internal"))):
        raise Unreachable(_("This host is not on the public internet."))


def _check_name(host: str) -> None:
    """Raise ValueError for a name in characters that are read as others, or that mixes alphabets in a label.

    Then one letter may stand for another that looks the same (UTS 39).
    """
    if ":" not in host:
        idna.encode(host)
    for label in host.split("."):
        alphabets = {unicodedata.name(each, "").partition(" ")[0] for each in label if each.isalpha()}
        if not label or len(alphabets & _ALPHABETS) > 1:
            raise ValueError


def allowed(url: str, *, private: bool) -> "httpx.URL":
    """Return the parsed URL; raise `Unreachable` for one that is not allowed."""
    import httpx

    check(url, private=private)
    try:
        return httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError, ValueError):
        raise Unreachable(_("This is not a valid web address.")) from None


def post(url: str, body: bytes, headers: Mapping[str, str], *, private: bool) -> Answer:
    """Return the answer to a POST; raise `Unreachable`.

    The host's name is resolved once, and the connection goes only to the checked addresses, also if the name
    changes in the meantime. Redirections are not followed and proxies not used.
    """
    return _within(TOTAL_SECONDS, _posted(allowed(url, private=private), body, headers, private))


def ask(url: str, sent: object = None, *, seconds: float, most: int) -> bytes:
    """Return the answer to a GET, or to a POST of JSON, at an address that the operator chose.

    Raises `Unreachable`, also for an answer with another status than 2xx or with more bytes than ``most``.
    Redirections are not followed; proxies are used.
    """
    answer = _within(seconds, _asked(allowed(url, private=True), sent, seconds, most))
    if not answer.taken:
        raise Unreachable(f"The answer has the status {answer.code}.")
    if len(answer.body) > most:
        raise Unreachable(f"The answer has more than {most} bytes.")
    return answer.body


def _within(seconds: float, exchange: Coroutine[Any, Any, Answer]) -> Answer:
    """Return the answer of an exchange that takes no longer; raise `Unreachable`."""
    # In a new thread, because the caller's may have a running event loop.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, _in_time(seconds, exchange)).result()


async def _in_time(seconds: float, exchange: Coroutine[Any, Any, Answer]) -> Answer:
    import httpx

    try:
        async with asyncio.timeout(seconds):
            return await exchange
    except (TimeoutError, httpx.TimeoutException):
        raise Unreachable(_("There was no answer in time.")) from None
    except httpx.HTTPError as error:
        raise Unreachable(_why(error)) from None


async def _asked(url: "httpx.URL", sent: object, seconds: float, most: int) -> Answer:
    import httpx

    async with httpx.AsyncClient(verify=_tls(), timeout=seconds) as client:
        return await _exchanged(client, "GET" if sent is None else "POST", url, most, json=sent)


async def _posted(url: "httpx.URL", body: bytes, headers: Mapping[str, str], private: bool) -> Answer:
    addresses = await _resolved(url)
    _refuse_private(addresses, private)
    return await _at_first_that_answers(url, addresses, body, headers)


async def _resolved(url: "httpx.URL") -> Sequence[Address]:
    """Return the addresses of the host, in the system's order."""
    literal = _literal(url.host)
    if literal is not None:
        return [literal]
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(url.raw_host.decode("ascii"), None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(_("The host’s name is unknown.")) from None
    # A link-local address ends with the name of its interface.
    texts = [str(address[0]).partition("%")[0] for *_kind, address in found]
    return [ipaddress.ip_address(text) for text in dict.fromkeys(texts)][:_MOST_ADDRESSES]


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _refuse_private(addresses: Sequence[Address], private: bool) -> None:
    if not private and not all(map(is_public, addresses)):
        raise Unreachable(_("This host is not on the public internet."))


def is_public(address: Address) -> bool:
    """Return whether an address is of a single public host, also if it is embedded in an IPv6 address."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return is_public(address.ipv4_mapped)
        if address in _NAT64:
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if address not in _UNICAST:
            return False
    if any(address in network for network in _NOT_GLOBAL if network.version == address.version):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


async def _at_first_that_answers(
    url: "httpx.URL", addresses: Sequence[Address], body: bytes, headers: Mapping[str, str]
) -> Answer:
    import httpx

    *others, last = addresses
    for address in others:
        try:
            return await _sent(url, address, body, headers)
        except httpx.ConnectError:
            continue
    return await _sent(url, last, body, headers)


async def _sent(url: "httpx.URL", address: Address, body: bytes, headers: Mapping[str, str]) -> Answer:
    import httpx

    headers = {**headers, "Host": url.netloc.decode("ascii")}
    # The certificate is checked for the host's name, although the connection goes to an address.
    extensions = {"sni_hostname": url.raw_host.decode("ascii")}
    target = url.copy_with(host=str(address))
    async with httpx.AsyncClient(verify=_tls(), trust_env=False, timeout=TOTAL_SECONDS) as client:
        return await _exchanged(
            client, "POST", target, _READ_BYTES, content=body, headers=headers, extensions=extensions
        )


async def _exchanged(
    client: "httpx.AsyncClient", method: str, url: "httpx.URL", most: int, **request: Any
) -> Answer:
    """Return an answer, of whose body no more than the chunk is read that makes it longer than ``most``."""
    # What is packed could be of any size.
    client.headers["Accept-Encoding"] = "identity"
    async with client.stream(method, url, **request) as response:
        body = b""
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > most:
                break
        return Answer(response.status_code, body, _seconds(response.headers.get("Retry-After", "")))


def _seconds(text: str) -> int | None:
    """Return the seconds that a `Retry-After` says, as a number or as a time; None where it says neither."""
    if re.fullmatch("[0-9]{1,9}", text):
        return int(text)
    try:
        return max(0, int(parsedate_to_datetime(text).timestamp() - time.time()))  # noqa: TID251 - by the clock of all the world
    except ValueError:
        return None


@cache
def _tls() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()


def _why(error: "httpx.HTTPError") -> str:
    """Return the reason of a failure, without details about this server."""
    import httpx

    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return _("The host’s certificate is invalid.")
    if isinstance(error, httpx.ConnectError):
        return _("No connection could be made.")
    return _("The connection was lost.")
