"""Listings as HTTP responses."""

from collections.abc import Sequence

from django.http import HttpResponse

from league.files.exports.files import Bundle, Format
from league.files.exports.listing import Listing


def as_file(listing: Listing, format_: Format, stem: str) -> HttpResponse:
    """Return a listing as a download; ``stem`` is its name without a suffix."""
    return _download(format_.write(listing), format_, stem)


def as_bundle(listings: Sequence[Listing], bundle: Bundle, stem: str) -> HttpResponse:
    """Return several listings as one download."""
    return _download(bundle.write(listings), bundle, stem)


def _download(written: str | bytes, format_: Format | Bundle, stem: str) -> HttpResponse:
    answer = HttpResponse(written, content_type=format_.media_type)
    answer["Content-Disposition"] = f'attachment; filename="{stem}.{format_.suffix}"'
    return answer
