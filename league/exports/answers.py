"""Listings as answers to a request."""

from collections.abc import Sequence

from django.http import HttpResponse

from league.exports.files import Bundle, Format
from league.exports.listing import Listing


def as_file(listing: Listing, format_: Format, stem: str) -> HttpResponse:
    """Return a listing as a file to be kept under a name."""
    return _kept(format_.write(listing), format_, stem)


def as_bundle(listings: Sequence[Listing], bundle: Bundle, stem: str) -> HttpResponse:
    """Return several listings as one file to be kept under a name."""
    return _kept(bundle.write(listings), bundle, stem)


def _kept(written: str | bytes, format_: Format | Bundle, stem: str) -> HttpResponse:
    answer = HttpResponse(written, content_type=format_.media_type)
    answer["Content-Disposition"] = f'attachment; filename="{stem}.{format_.suffix}"'
    return answer
