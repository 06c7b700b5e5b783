"""A competition's files on the desk, with what only its organisers see."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern
from django.utils.translation import gettext_lazy

from league.admin.base import ClubScopedAdmin
from league.files import exports
from league.files.exports import downloads
from league.files.file import as_answer
from league.models import Competition, Job
from league.requests import account_in
from league.services.jobs import job_for_file

FILES: Final[Sequence[tuple[str, Any]]] = (
    ("standings", gettext_lazy("Standings")),
    ("results", gettext_lazy("Results")),
    ("entries", gettext_lazy("Entries")),
    ("log", gettext_lazy("Log")),
    ("everything", gettext_lazy("Everything")),
)
"""The listings by name, each with its title."""


class Downloads(ClubScopedAdmin[Competition]):
    """The addresses of a competition's files."""

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and those of files."""
        file = self.page_url("<uuid:pk>/export/<slug:listing>.<slug:suffix>", self.file_view, "file")
        return [file, *super().get_urls()]

    def file_view(self, request: HttpRequest, pk: UUID, listing: str, suffix: str) -> HttpResponse:
        """Return a listing as a file; several listings are bundled in one file. A worker makes a long one."""
        competition = self.get_row(request, pk)
        if listing not in downloads.DOWNLOADS or suffix not in exports.FORMATS:
            raise Http404
        if not (self.directs(request, competition) and downloads.extent(competition).is_long):
            return as_answer(downloads.download(listing, suffix, competition))
        given = {"listing": listing, "suffix": suffix, "seq": competition.seq}
        job = job_for_file(
            by=account_in(request), competition=competition, kind=Job.Kind.DOWNLOAD, given=given
        )
        return redirect("admin:league_job_change", job.pk)
