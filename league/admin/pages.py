"""What every page about competitions has: how it is found, and how it is shown."""

from typing import Any

from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse

from league.admin.scope import OfClubs
from league.models import Competition


class OfCompetitions(OfClubs[Competition]):
    """An admin of competitions with pages of its own."""

    def found(self, request: HttpRequest, object_id: str) -> Competition:
        """Return a competition that the caller may see; raise Http404."""
        competition: Competition | None = self.get_object(request, object_id)
        if competition is None:
            raise Http404
        return competition

    def shown(
        self, request: HttpRequest, template: str, title: str, context: dict[str, Any]
    ) -> TemplateResponse:
        """Return a page in the frame of the desk."""
        request.current_app = self.admin_site.name
        told = {**self.admin_site.each_context(request), "opts": self.opts, "title": title, **context}
        return TemplateResponse(request, template, told)
