"""Prints as HTTP responses."""

from django.http import HttpResponse


def as_pdf(pdf: bytes, name: str) -> HttpResponse:
    """Return a PDF to be shown, with a file name."""
    answer = HttpResponse(pdf, content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{name}"'
    return answer
