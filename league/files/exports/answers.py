"""Listings as HTTP responses."""

from django.http import HttpResponse

from league.files.exports.files import Format
from league.files.exports.listing import Listing
from league.files.file import File, as_answer


def as_file(listing: Listing, format_: Format, stem: str) -> HttpResponse:
    """Return a listing as a download; ``stem`` is its name without a suffix."""
    written = format_.write(listing)
    content = written.encode() if isinstance(written, str) else written
    return as_answer(File(content, f"{stem}.{format_.suffix}"))
