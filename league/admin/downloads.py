"""A competition's files and printed sheets on the desk, with what only its organisers see."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import ClubScopedAdmin
from league.files import exports
from league.files.exports import Listing, competitions
from league.files.exports.answers import as_bundle, as_file
from league.files.sheets import NoForm, has_sheets
from league.models import Competition, Job
from league.queries.competitions import entries_of
from league.requests import caller, number_in, printed
from league.services.jobs import start_job
from league.words.messages import translated

LISTINGS: Final[Mapping[str, Callable[[Competition], Sequence[Listing]]]] = {
    "standings": competitions.all_standings,
    "results": lambda competition: (competitions.results(competition, drawn=True),),
    "entries": lambda competition: (competitions.entries(competition),),
    "log": lambda competition: (competitions.log(competition),),
    "everything": competitions.everything,
}
FILES: Final = (
    ("standings", gettext_lazy("Standings")),
    ("results", gettext_lazy("Results")),
    ("entries", gettext_lazy("Entries")),
    ("log", gettext_lazy("Log")),
    ("everything", gettext_lazy("Everything")),
)
"""The listings by name, each with its title."""
PRINTS: Final = (
    ("pairings", gettext_lazy("Pairings of the round")),
    ("names", gettext_lazy("Alphabetical list: who sits where")),
    ("cards", gettext_lazy("Table cards")),
    ("sheets", gettext_lazy("Score sheets")),
    ("standings", gettext_lazy("Standings")),
)
"""The printed sheets by name, each with its title."""
PRINTS_BY_NAME: Final = dict(PRINTS)
MOST_PRINTED_AT_ONCE: Final = 100
"""What is printed for a competition of more entries is printed by a worker."""


def prints_of(competition: Competition) -> Sequence[tuple[str, Any]]:
    """Return `PRINTS`, without score sheets for a game that has none."""
    missing = () if has_sheets(competition.ruleset, competition.options) else ("sheets",)
    return [(name, title) for name, title in PRINTS if name not in missing]


class Downloads(ClubScopedAdmin[Competition]):
    """The addresses of a competition's files and printed sheets."""

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and those of files and printed sheets."""
        return [
            self.page_url("<uuid:pk>/export/<slug:listing>.<slug:suffix>", self.file_view, "file"),
            self.page_url("<uuid:pk>/print/<slug:kind>.pdf", self.print_view, "print"),
            *super().get_urls(),
        ]

    def file_view(self, request: HttpRequest, pk: UUID, listing: str, suffix: str) -> HttpResponse:
        """Return a listing as a file; several listings are bundled in one file."""
        competition = self.get_row(request, pk)
        if listing not in LISTINGS or suffix not in exports.FORMATS:
            raise Http404
        listings, stem = LISTINGS[listing](competition), f"{competition.slug}-{listing}"
        if len(listings) == 1:
            return as_file(listings[0], exports.FORMATS[suffix], stem)
        return as_bundle(listings, exports.BUNDLES[suffix], stem)

    def print_view(self, request: HttpRequest, pk: UUID, kind: str) -> HttpResponse:
        """Return a printed sheet, of unpublished rounds too; where there is none, say why."""
        competition = self.get_row(request, pk)
        if self.directs(request, competition) and _is_long(competition):
            return redirect("admin:league_job_change", _print_job(request, competition, kind))
        try:
            return printed(request, competition, kind, drawn=True)
        except NoForm as refusal:
            messages.error(request, translated(refusal.sentence))
        except LookupError:
            messages.error(request, _("There is nothing to print yet."))
        return redirect("admin:league_competition_change", competition.pk)


def _is_long(competition: Competition) -> bool:
    """Return whether a print may take more than about a second."""
    return entries_of(competition).count() > MOST_PRINTED_AT_ONCE


def _print_job(request: HttpRequest, competition: Competition, kind: str) -> UUID:
    """Return the id of a job that prints, or has printed the same; raise Http404 for an unknown print."""
    if kind not in PRINTS_BY_NAME:
        raise Http404
    given = {
        "kind": kind,
        "stage": number_in(request, "stage") or 0,
        "round": number_in(request, "round") or 0,
        "site": request.build_absolute_uri("/"),
        "seq": competition.seq,
    }
    failed = (Job.Status.FAILED, Job.Status.CANCELLED)
    same = Job.objects.filter(competition=competition, kind=Job.Kind.PRINT, given=given)
    job = same.exclude(status__in=failed).first() or start_job(
        by=caller(request), club=competition.club, competition=competition, kind=Job.Kind.PRINT, given=given
    )
    return job.pk
