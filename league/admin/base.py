"""The base of every admin on the desk: rows of the clubs of the caller, columns, pages, and buttons."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial, reduce, wraps
from typing import Any, ClassVar, Final, Generic, Literal, TypeAlias, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib import admin, messages
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.core.exceptions import PermissionDenied
from django.db.models import ForeignKey, Model, QuerySet
from django.forms import BaseForm, BaseModelForm, ModelChoiceField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from games import database_time
from games.engine.refusals import Refusal
from league.admin.asking import Asked, asked_first, pressed
from league.admin.fields import SearchedSelect, narrow, offer_clubs
from league.forms import NamedField
from league.models import Account, Club, ClubChange
from league.queries import permissions
from league.queries.clubs import all_clubs, changes_since, clubs_of
from league.queries.keysets import Numbered
from league.words.club_changes import change_in_words
from league.words.messages import errors_in_words, translated

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class AppPage:
    """A page of an app about a row: its view, which is called with this admin, the request and the row.

    Its address ends with its name, or with a ``route`` whose parts the view is given. It is for who directs
    the row, or ``for_all`` who see the row. What ``asks`` names by its button is asked about first.
    """

    view: Callable[..., HttpResponse]
    route: str = ""
    for_all: bool = False
    asks: Mapping[str, Asked] = field(default_factory=dict)


# ---- Two people with the same form open ----------------------------------------------------------

SEEN: Final = "seen"
"""The hidden field with the stamp."""
Since = Callable[[datetime], Sequence[ClubChange]]
"""Returns the changes of a row from a time on, the latest first."""


def stamp(values: Mapping[str, Any]) -> str:
    """Return the stamp of a page that shows these values."""
    return f"{_digest(values)} {database_time.now().isoformat()}"


def refuse_stale(form: BaseForm, sent: str, values: Mapping[str, Any], since: Since) -> None:
    """Add an error to a form whose page was made from other values than the present ones.

    A form without a stamp, and one that would change nothing, are left alone.
    """
    digest, _space, at = sent.partition(" ")
    made_at = _time(at)
    if made_at is None or digest == _digest(values) or not form.has_changed():
        return
    form.add_error(None, _("Somebody else was faster. Check what happened, then send the form again."))
    for change in since(made_at):
        told = {"ago": timesince(change.at), "change": change_in_words(change)}
        form.add_error(None, _("%(ago)s ago, %(change)s") % told)


def _digest(values: Mapping[str, Any]) -> str:
    held = sorted((name, str(value)) for name, value in values.items())
    return hashlib.sha256(repr(held).encode()).hexdigest()


def _time(text: str) -> datetime | None:
    """Return the time of a stamp, None for anything else."""
    try:
        at = parse_datetime(text)
    except ValueError:
        return None
    return at if at is not None and at.tzinfo is not None else None


def noticing(form: type["BaseModelForm[M]"], since: Callable[[M], Since]) -> type["BaseModelForm[M]"]:
    """Return a class of forms of an existing row that refuse to overwrite what somebody else did.

    Such a form has a hidden field with a stamp: when its page was made, and a digest of what the row held
    then. Where the row holds something else by the time the form is sent, the form is refused once, with what
    was done since; it keeps what was typed, and the page that says so has a new stamp.
    """

    class Noticing(form):  # type: ignore[valid-type, misc]  # the class is known only here
        @property
        def seen(self) -> str:
            """Return the stamp of the page that shows this form."""
            return stamp(self._held(self.initial))

        def clean(self) -> Any:
            cleaned = super().clean()
            rows = type(self.instance)._base_manager.select_for_update(no_key=True)
            now = type(self)(instance=rows.get(pk=self.instance.pk))
            refuse_stale(self, self.data.get(SEEN, ""), self._held(now.initial), since(self.instance))
            return cleaned

        def _held(self, initial: Mapping[str, Any]) -> dict[str, Any]:
            return {name: value for name, value in initial.items() if name in self.fields}

    return Noticing


# ---- Scope ---------------------------------------------------------------------------------------


def sees_all(request: HttpRequest) -> bool:
    """Return whether the caller owns the platform and so sees every club."""
    return isinstance(request.user, Account) and request.user.is_superuser


def directed_ids(request: HttpRequest) -> frozenset[UUID]:
    """Return the ids of the clubs that the caller directs."""
    return frozenset(club.pk for club in directed_clubs(request))


def directed_clubs(request: HttpRequest) -> Sequence[Club]:
    """Return the clubs that the caller directs, queried once per request."""
    known: Sequence[Club] | None = getattr(request, "directed_clubs", None)
    if known is None:
        account = request.user
        known = list(clubs_of(account, *permissions.DIRECTORS)) if isinstance(account, Account) else []
        request.directed_clubs = known  # type: ignore[attr-defined]
    return known


def may_enter(request: HttpRequest) -> bool:
    """Return whether the desk is open to the caller."""
    return sees_all(request) or bool(directed_clubs(request))


def zone_of(request: HttpRequest) -> ZoneInfo:
    """Return the time zone of the caller's clubs, or UTC where they have several."""
    zones = {club.timezone for club in directed_clubs(request)}
    return ZoneInfo(zones.pop()) if len(zones) == 1 else ZoneInfo("UTC")


# ---- Labels --------------------------------------------------------------------------------------

Colour: TypeAlias = Literal["good", "warn", "bad", ""]
Method: TypeAlias = Callable[[Any, Any], Any]


def display(
    *, description: Any, ordering: str | None = None, label: Mapping[str, Colour] | None = None
) -> Callable[[Method], Method]:
    """Return Django's decorator of a column; with ``label`` the method returns a key of it and a text."""

    def declared(method: Method) -> Method:
        shown = method if label is None else _labelled(method, label)
        return admin.display(description=description, ordering=ordering)(shown)

    return declared


def _labelled(method: Method, label: Mapping[str, Colour]) -> Method:
    @wraps(method)
    def shown(model_admin: Any, row: Any) -> str:
        key, text = method(model_admin, row)
        return format_html('<span class="tf-badge {}">{}</span>', label[key], text)

    return shown


# ---- Base ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Page:
    """A page of an app below the lists of one model's rows, or below all lists.

    ``view`` gets the admin, the request, and the parts of the route. With a title a link above the list leads
    there, for those who may add rows.
    """

    route: str
    view: Callable[..., HttpResponse]
    name: str
    model: type[Model] | None = None
    title: Any = ""


PAGES: Final[list[Page]] = []
"""The pages of apps."""


class ClubScopedAdmin(admin.ModelAdmin, Generic[M]):  # type: ignore[type-arg]  # it is generic to types alone
    """An admin of rows that belong to clubs: organisers see those of their clubs, platform owners see all.

    Rows can be added, changed or deleted only where a subclass allows it, and only in clubs that the caller
    directs. The services check the same again.
    """

    club_path: ClassVar[str] = "club"
    """The lookup from a row to its club."""
    list_title: ClassVar[Any] = ""
    """The title of the list; by default the plural name of its rows."""
    may_add: ClassVar[bool] = False
    add_title: ClassVar[Any] = ""
    """The title of the button that adds a row."""
    may_change: ClassVar[bool] = False
    may_delete: ClassVar[bool] = False
    add_fields: ClassVar[tuple[str, ...]] = ()
    """The fields of a new row's form, where they differ from ``fields``."""
    fixed_fields: ClassVar[tuple[str, ...]] = ()
    """The fields that are read-only once a row exists."""
    buttons: ClassVar[tuple[str, ...]] = ()
    """Methods that a POST to ``<pk>/<name>/`` calls, once ``asks`` has asked; each may return a page."""
    asks: ClassVar[Mapping[str, Asked]] = {}
    noted_as: ClassVar[tuple[str, ...]] = ()
    """The kinds of change of a row in the club's record."""
    app_pages: ClassVar[dict[str, AppPage]]
    """Pages of apps by name, of this list alone."""
    below_form: ClassVar[str] = ""
    """The template of what is below the form of a row."""
    actions = None
    list_per_page = 50
    paginator = Numbered
    show_full_result_count = False

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        cls.app_pages = {}

    # ---- What the caller may see and do -----------------------------------------------------------

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        """Return the rows that the caller may see."""
        rows: QuerySet[M] = super().get_queryset(request)
        return rows if sees_all(request) else rows.filter(**{f"{self.club_path}__in": directed_ids(request)})

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may_enter(request)

    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return may_enter(request) and (obj is None or sees_all(request) or self.directs(request, obj))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.may_add and bool(directed_ids(request))

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return self.may_change and self._directs_any(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return self.may_delete and self._directs_any(request, obj)

    def _directs_any(self, request: HttpRequest, row: M | None) -> bool:
        return bool(directed_ids(request)) and (row is None or self.directs(request, row))

    def directs(self, request: HttpRequest, row: M) -> bool:
        """Return whether the row belongs to a club that the caller directs."""
        return self.club_id(row) in directed_ids(request)

    def club_id(self, row: M) -> UUID:
        """Return the id of a row's club."""
        *path, last = self.club_path.split("__")
        owner = reduce(getattr, path, row)
        club: UUID = getattr(owner, "pk" if last == "pk" else f"{last}_id")
        return club

    def get_row(self, request: HttpRequest, pk: object) -> M:
        """Return a row that the caller may see; raise Http404."""
        row: M | None = self.get_object(request, str(pk))
        if row is None:
            raise Http404
        return row

    def directed_row(self, request: HttpRequest, pk: object) -> M:
        """Return a row of a club that the caller directs; raise Http404, and PermissionDenied for others."""
        row = self.get_row(request, pk)
        if not self.directs(request, row):
            raise PermissionDenied
        return row

    # ---- The list ---------------------------------------------------------------------------------

    def prepared(self, rows: list[M]) -> list[M]:
        """Return rows with what the list shows of them, loaded for all rows together."""
        return rows

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the list with the links above it."""
        context = {"title": self.title_of_list(), "tools": self.tools(request), **(extra_context or {})}
        return super().changelist_view(request, context)

    def title_of_list(self) -> Any:
        """Return the title of the list."""
        return self.list_title or capfirst(self.opts.verbose_name_plural)

    def tools(self, request: HttpRequest) -> Sequence[tuple[str, Any]]:
        """Return address and title of further links above the list."""
        if not self.has_add_permission(request):
            return ()
        titled = [page for page in self._pages_of_apps() if page.title]
        return [(reverse(f"admin:{self.url_name(page.name)}"), page.title) for page in titled]

    def _pages_of_apps(self) -> list[Page]:
        return [page for page in PAGES if page.model in (None, self.model)]

    # ---- Forms ------------------------------------------------------------------------------------

    def get_fields(self, request: HttpRequest, obj: M | None = None) -> Any:
        """Return the fields of a new row's form, or of an existing row's."""
        return self.add_fields if obj is None and self.add_fields else super().get_fields(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        """Return the fields that an existing row keeps."""
        return self.fixed_fields if obj else ()

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> "ModelChoiceField[Any] | None":
        """Offer only rows that the caller may see, and only clubs that the caller directs."""
        kwargs.setdefault("form_class", NamedField)
        if db_field.name not in self.radio_fields:
            kwargs.setdefault("widget", SearchedSelect())
        field: ModelChoiceField[Any] | None = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None and db_field.name == "club":
            offer_clubs(field, all_clubs().filter(pk__in=directed_ids(request)))
        elif field is not None:
            field.queryset = self.admin_site.get_model_admin(db_field.related_model).get_queryset(request)
            narrow(field, request.GET.get(f"find-{db_field.name}", ""))
        return field

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Return a field without Django's links to add or change the related row in a pop-up."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None and isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget = field.widget.widget
        return field

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show or save a form; where a service refuses, show what was sent with the errors."""
        row = self.get_object(request, object_id) if object_id else None
        frame = {"below_form": self.below_form, "list_title": self.title_of_list()}
        context = {**frame, **self.row_context(request, row), **(extra_context or {})}
        view: Callable[..., HttpResponse] = super().changeform_view

        def shown_or_saved() -> HttpResponse:
            try:
                return view(request, object_id, form_url, context)
            except Refusal as refusal:
                self._refusals(request).append(refusal)
                return view(request, object_id, form_url, context)

        return reporting_refusals(request, shown_or_saved)

    def get_form(
        self, request: HttpRequest, obj: M | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Return the form's class; its forms have the errors of a service that refused this request.

        Those of an existing row notice what somebody else did to it meanwhile.
        """
        form: Any = super().get_form(request, obj, change, **kwargs)
        if obj is not None:
            form = noticing(form, self._changes_of)
        refusals = self._refusals(request)
        return with_errors_of(refusals[0], form) if refusals else form

    def _changes_of(self, row: M) -> Callable[[datetime], Sequence[ClubChange]]:
        """Return a function that finds what the club's record says of a row from a time on."""
        return lambda since: changes_since(self.club_id(row), self.noted_as, self.noted_subject(row), since)

    def noted_subject(self, row: M) -> str:
        """Return what the club's record calls a row."""
        return str(row)

    @staticmethod
    def _refusals(request: HttpRequest) -> list[Refusal]:
        """Return the list of refusals of this request, empty at first."""
        refusals: list[Refusal] = request.META.setdefault("trefoil.refusals", [])
        return refusals

    def row_context(self, request: HttpRequest, row: M | None) -> dict[str, Any]:
        """Return what the page of a row shows besides its form; None stands for a new row."""
        return {}

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask for confirmation and delete; where a service refuses, show its reason."""
        view = super().delete_view
        return reporting_refusals(request, lambda: view(request, object_id, extra_context))

    # ---- Pages and buttons ------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        """Return Django's addresses, those of the buttons and those of apps."""
        pressed = [
            self.page_url(f"<slug:pk>/{name}/", self.press, name, button=name) for name in self.buttons
        ]
        of_apps = [
            self.page_url(f"<uuid:pk>/{page.route or f'{name}/'}", self.app_page, name, page=page)
            for name, page in self.app_pages.items()
        ]
        of_apps += [
            self.page_url(page.route, partial(page.view, self), page.name) for page in self._pages_of_apps()
        ]
        return [*pressed, *of_apps, *super().get_urls()]

    def app_page(self, request: HttpRequest, pk: UUID, page: AppPage, **named: str) -> HttpResponse:
        """Answer with a page of an app."""
        row = self.get_row(request, pk) if page.for_all else self.directed_row(request, pk)
        asked = asked_first(self.render_page, request, pressed(request, page.asks), row)
        return asked or page.view(self, request, row, **named)

    def url_name(self, name: str) -> str:
        """Return the full name of one of the admin's addresses, without the site."""
        return f"{self.opts.app_label}_{self.opts.model_name}_{name}"

    def page_url(
        self, route: str, view: Callable[..., HttpResponse], name: str, **kwargs: object
    ) -> URLPattern:
        """Return an address of this admin, open to those who may enter the desk."""
        guarded: Callable[..., HttpResponse] = self.admin_site.admin_view(view)
        return path(route, guarded, kwargs, name=self.url_name(name))

    def press(self, request: HttpRequest, pk: str, button: str) -> HttpResponse:
        """Call the method of a button on POST; raise Http404 or PermissionDenied for rows of other clubs."""
        row = self.directed_row(request, pk)
        back = redirect(f"admin:{self.url_name('change')}", pk)
        if request.method != "POST":
            return back
        asked = asked_first(self.render_page, request, self.asks.get(button), row, back.url)
        return asked or reporting_refusals(request, lambda: getattr(self, button)(request, row) or back)

    def render_page(
        self, request: HttpRequest, template: str, title: Any, context: dict[str, Any]
    ) -> TemplateResponse:
        """Return a page in the desk's frame."""
        request.current_app = self.admin_site.name
        frame = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "list_title": self.title_of_list(),
            "title": title,
        }
        return TemplateResponse(request, template, {**frame, **context})

    @sensitive_variables("secret", "context")
    def secret_page(self, request: HttpRequest, row: M, secret: str, title: str, why: str) -> HttpResponse:
        """Return the only page that ever shows a secret, with a link back to its row."""
        context = {"why": why, "back": f"admin:{self.url_name('change')}", "pk": row.pk, "secret": secret}
        return self.render_page(request, "admin/secret.html", title, context)


def with_errors_of(refusal: Refusal, form: type["BaseModelForm[M]"]) -> type["BaseModelForm[M]"]:
    """Return a class of forms that have a refusal's errors at the fields that they name."""
    errors = errors_in_words(refusal.errors) or {"": [translated(refusal.sentence)]}

    class Refused(form):  # type: ignore[valid-type, misc]  # the class is known only here
        def full_clean(self) -> None:
            super().full_clean()
            for at, sentences in errors.items():
                name = at.partition(".")[0]
                self.add_error(name if name in self.fields else None, sentences)

    return Refused


def reporting_refusals(request: HttpRequest, act: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the answer of ``act``; where a service refuses, show why and load the same address again."""
    try:
        return act()
    except Refusal as refusal:
        messages.error(request, translated(refusal.sentence))
    except PermissionDenied as refusal:
        if not str(refusal):
            raise
        messages.error(request, translated(str(refusal)))
    return redirect(request.get_full_path())
