"""Secrets that stand nowhere: each follows from the site's own secret and a row's salt."""

from base64 import urlsafe_b64encode

from django.utils.crypto import salted_hmac


def derived(purpose: str, *of: object) -> str:
    """Return 43 characters, the same for the same arguments, that nobody tells without the site's secret."""
    digest = salted_hmac(f"league.{purpose}", "\0".join(map(str, of)), algorithm="sha256").digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")
