"""Every list of the desk as a file, with the rows that its filters leave."""

from collections.abc import Sequence
from datetime import datetime
from html import unescape
from typing import Any, Final, Generic, TypeVar

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import label_for_field, lookup_field
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _
from unfold.admin import ModelAdmin
from unfold.views import ChangeList

from league.exports import FORMATS, Listing, Value
from league.exports.answers import as_file

M = TypeVar("M", bound=Model)

MOST_ROWS: Final = 20_000
TITLES: Final = {"csv": "CSV", "xlsx": "XLSX", "json": "JSON"}


class PreparedList(ChangeList):
    """A page of a list whose admin asks for what its rows show all at once."""

    result_list: Any

    def get_results(self, request: HttpRequest) -> None:
        """Find the page's rows and what to say of them."""
        super().get_results(request)
        self.result_list = self.model_admin.prepared(list(self.result_list))


class ExportedList(ModelAdmin, Generic[M]):
    """An admin whose list can be taken along as a file, filtered and searched as it is."""

    list_before_template = "admin/list_tools.html"

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and that of its list as a file."""
        view = self.admin_site.admin_view(self.export_view)
        name = f"{self.opts.app_label}_{self.opts.model_name}_export"
        return [path("export.<slug:suffix>", view, name=name), *super().get_urls()]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return the list that has its rows prepared."""
        return PreparedList

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the list, with the ways in and out beside it."""
        context = {"tools": self.tools(request), "exported_as": TITLES.items(), **(extra_context or {})}
        return super().changelist_view(request, context)

    def tools(self, request: HttpRequest) -> Sequence[tuple[str, Any]]:
        """Return address and title of what else can be done with the list."""
        return ()

    def prepared(self, rows: list[M]) -> list[M]:
        """Return rows with what the list shows of them, asked for together."""
        return rows

    def listing(self, request: HttpRequest, rows: Sequence[M], columns: Sequence[str]) -> Listing:
        """Return rows as a listing: what the list shows of them, as text where it is no number or time."""
        headings = [str(label_for_field(name, self.model, self)) for name in columns]
        told = (tuple(_value(lookup_field(name, row, self)) for name in columns) for row in rows)
        return Listing(str(self.opts.model_name), tuple(headings), tuple(told), get_current_timezone())

    def export_view(self, request: HttpRequest, suffix: str) -> HttpResponse:
        """Return the rows that the query leaves as a file."""
        if suffix not in FORMATS:
            raise Http404
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            changes = self.get_changelist_instance(request)
        except IncorrectLookupParameters:
            return redirect(f"{self._list_address()}?{ERROR_FLAG}=1")
        rows = list(changes.get_queryset(request)[: MOST_ROWS + 1])
        if len(rows) > MOST_ROWS:
            messages.error(request, _("The list is too long for a file: filter it first."))
            return redirect(f"{self._list_address()}?{request.GET.urlencode()}")
        columns = [name for name in changes.list_display if name != "action_checkbox"]
        listing = self.listing(request, self.prepared(rows), columns)
        return as_file(listing, FORMATS[suffix], str(self.opts.model_name))

    def _list_address(self) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")


def _value(found: tuple[Any, Any, Any]) -> Value:
    """Return a cell of a list, as Django looks it up, without its make-up."""
    field, _attribute, value = found
    if field is not None and getattr(field, "flatchoices", None):
        return str(dict(field.flatchoices).get(value, value))
    if isinstance(value, tuple):
        # The theme's labels: what decides the colour, then what is read.
        value = value[-1]
    if value is None or isinstance(value, bool | int | datetime):
        return value
    return unescape(strip_tags(str(value))) if isinstance(value, SafeString) else str(value)
