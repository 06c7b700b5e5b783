"""Draws certificates, one on a page, in landscape."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from fpdf.enums import Align

from league.files.file import Progress, no_progress
from league.files.sheets.model import Certificate
from league.files.sheets.paper import Paper

_BORDER = 10.0
_INNER = 12.5
_LEFT = 30.0


def certificate_pages(certificates: Sequence[Certificate], progress: Progress = no_progress) -> bytes:
    """Return a PDF with a page for each certificate."""
    pdf = Paper(_("Certificates"))
    for done, certificate in enumerate(certificates):
        progress(done, len(certificates))
        pdf.add_page(orientation="landscape")
        _draw(pdf, certificate)
    return bytes(pdf.output())


def _draw(pdf: Paper, certificate: Certificate) -> None:
    pdf.set_draw_color(23, 105, 74)
    pdf.set_line_width(1.2)
    pdf.rect(_BORDER, _BORDER, pdf.w - 2 * _BORDER, pdf.h - 2 * _BORDER)
    pdf.set_line_width(0.3)
    pdf.rect(_INNER, _INNER, pdf.w - 2 * _INNER, pdf.h - 2 * _INNER)
    parts = (
        (certificate.club, 20, 14, 16, False),
        (_("Certificate"), 36, 20, 38, True),
        (certificate.name, 68, 24, 34, True),
        (" · ".join(certificate.players), 93, 10, 13, False),
        (certificate.place, 106, 17, 28, True),
        (certificate.among, 122, 9, 12, False),
        (certificate.competition, 134, 13, 20, False),
    )
    width = pdf.w - 2 * _LEFT
    for text, top, height, size, bold in parts:
        pdf.put(text, _LEFT, top, width, height, size=size, bold=bold, align=Align.C)
    _signature(pdf, certificate.occasion)


def _signature(pdf: Paper, occasion: str) -> None:
    pdf.set_draw_color(0)
    each = 85.0
    for left, label in ((_LEFT + 5, _("Date and place")), (pdf.w - _LEFT - 5 - each, _("Signature"))):
        pdf.line(left, 182, left + each, 182)
        pdf.put(label, left, 183, each, 5, size=9, align=Align.C)
    pdf.put(occasion, _LEFT + 5, 174, each, 7, size=11, align=Align.C)
    pdf.set_line_width(0.2)
