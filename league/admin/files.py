"""A competition's listings as files, on the desk: with what only its organisers see."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from league import exports
from league.admin.pages import OfCompetitions
from league.exports import Listing, competitions
from league.exports.answers import as_bundle, as_file
from league.models import Competition

LISTINGS: Final[Mapping[str, Callable[[Competition], Sequence[Listing]]]] = {
    "standings": competitions.all_standings,
    "results": lambda competition: (competitions.results(competition, drawn=True),),
    "entries": lambda competition: (competitions.entries(competition),),
    "log": lambda competition: (competitions.log(competition),),
    "everything": competitions.everything,
}
FILES: Final = (
    ("standings", _("Standings")),
    ("results", _("Results")),
    ("entries", _("Entries")),
    ("log", _("Log")),
    ("everything", _("Everything")),
)
"""The listings by name, each with its title, as the competition's page offers them."""


class WithFiles(OfCompetitions):
    """An admin of competitions whose listings can be taken along."""

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and that of a competition's listings."""
        view = self.admin_site.admin_view(self.file_view)
        address = "<uuid:pk>/export/<slug:listing>.<slug:suffix>"
        return [path(address, view, name="league_competition_file"), *super().get_urls()]

    def file_view(self, request: HttpRequest, pk: UUID, listing: str, suffix: str) -> HttpResponse:
        """Return a listing of a competition as a file, several of them as one."""
        competition = self.found(request, str(pk))
        if listing not in LISTINGS or suffix not in exports.FORMATS:
            raise Http404
        found, stem = LISTINGS[listing](competition), f"{competition.slug}-{listing}"
        if len(found) == 1:
            return as_file(found[0], exports.FORMATS[suffix], stem)
        return as_bundle(found, exports.BUNDLES[suffix], stem)
