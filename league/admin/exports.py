"""Every list of the desk as a file, filtered and searched like the page."""

from collections.abc import Callable, Sequence
from datetime import datetime
from html import unescape
from typing import Any, ClassVar, Final, Generic, TypeVar

from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import label_for_field, lookup_field
from django.contrib.admin.views.main import ERROR_FLAG, ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _

from league.files.exports import FORMATS, JSON, Listing, Value
from league.files.exports.answers import as_file
from league.files.exports.downloads import in_words

M = TypeVar("M", bound=Model)

MOST_ROWS: Final = 20_000
TITLES: Final = {"csv": "CSV", "xlsx": "XLSX", "json": "JSON"}


class PreparedList(ChangeList):
    """A list page whose admin loads what the rows show with a few queries for all of them."""

    model_admin: Any
    result_list: Any

    def get_results(self, request: HttpRequest) -> None:
        """Load the page's rows."""
        super().get_results(request)
        self.result_list = self.model_admin.prepared(list(self.result_list))


class ExportedList(admin.ModelAdmin, Generic[M]):  # type: ignore[type-arg]  # it is generic to types alone
    """An admin whose list can be downloaded as a file."""

    list_title: ClassVar[Any] = ""
    """The title of the list; by default the plural name of its rows."""

    def url_name(self, name: str) -> str:
        """Return the full name of one of the admin's addresses, without the site."""
        return f"{self.opts.app_label}_{self.opts.model_name}_{name}"

    def page_url(
        self, route: str, view: Callable[..., HttpResponse], name: str, **kwargs: object
    ) -> URLPattern:
        """Return an address of this admin, open to those who may enter the desk."""
        guarded: Callable[..., HttpResponse] = self.admin_site.admin_view(view)
        return path(route, guarded, kwargs, name=self.url_name(name))

    def get_urls(self) -> list[URLPattern]:
        """Return Django's addresses and that of the list as a file."""
        return [self.page_url("export.<slug:suffix>", self.export_view, "export"), *super().get_urls()]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return the list class that prepares its rows."""
        return PreparedList

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the list with its links to files and imports."""
        context = {
            "title": self.title_of_list(),
            "tools": self.tools(request),
            "exported_as": TITLES.items(),
            **(extra_context or {}),
        }
        return super().changelist_view(request, context)

    def title_of_list(self) -> Any:
        """Return the title of the list."""
        return self.list_title or capfirst(self.opts.verbose_name_plural)

    def tools(self, request: HttpRequest) -> Sequence[tuple[str, Any]]:
        """Return address and title of further links above the list."""
        return ()

    def prepared(self, rows: list[M]) -> list[M]:
        """Return rows with what the list shows of them, loaded for all rows together."""
        return rows

    def listing(self, request: HttpRequest, rows: Sequence[M], columns: Sequence[str]) -> Listing:
        """Return rows for a file: what the list shows, numbers and times as such, the rest as text."""
        headings = [str(label_for_field(name, self.model, self)) for name in columns]
        cells = (tuple(_value(lookup_field(name, row, self)) for name in columns) for row in rows)
        return Listing(str(self.opts.model_name), tuple(headings), tuple(cells), get_current_timezone())

    def export_view(self, request: HttpRequest, suffix: str) -> HttpResponse:
        """Return the filtered rows as a file."""
        if suffix not in FORMATS:
            raise Http404
        if not self.has_view_permission(request):
            raise PermissionDenied
        list_page = reverse(f"admin:{self.url_name('changelist')}")
        try:
            changelist = self.get_changelist_instance(request)
        except IncorrectLookupParameters:
            return redirect(f"{list_page}?{ERROR_FLAG}=1")
        rows = list(changelist.get_queryset(request)[: MOST_ROWS + 1])
        if len(rows) > MOST_ROWS:
            messages.error(request, _("The list is too long for a file. Filter it first."))
            return redirect(f"{list_page}?{request.GET.urlencode()}")
        columns = [str(name) for name in changelist.list_display if name != "action_checkbox"]
        listing = self.listing(request, self.prepared(rows), columns)
        listing = listing if suffix == JSON.suffix else in_words(listing)
        return as_file(listing, FORMATS[suffix], str(self.opts.model_name))


def _value(cell: tuple[Any, Any, Any]) -> Value:
    """Return the plain value of a cell as Django's `lookup_field` returns it."""
    field, _attribute, value = cell
    if field is not None and getattr(field, "flatchoices", None):
        return str(dict(field.flatchoices).get(value, value))
    if value is None or isinstance(value, bool | int | datetime):
        return value
    return unescape(strip_tags(str(value))) if isinstance(value, SafeString) else str(value)
