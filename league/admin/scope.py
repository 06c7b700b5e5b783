"""Whose desk it is: every list, object, choice and action is limited to the caller's clubs, here."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, ClassVar, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.core.exceptions import PermissionDenied
from django.db.models import ForeignKey, Model, QuerySet
from django.forms import ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from games.engine.refusals import Refusal
from league import permissions, selectors
from league.admin.exports import ExportedList
from league.models import Account, Club

M = TypeVar("M", bound=Model)


def sees_all(request: HttpRequest) -> bool:
    """Return whether the caller owns the platform and so sees every club."""
    return isinstance(request.user, Account) and request.user.is_superuser


def directed(request: HttpRequest) -> frozenset[UUID]:
    """Return the ids of the clubs that the caller directs."""
    return frozenset(club.pk for club in clubs_directed(request))


def clubs_directed(request: HttpRequest) -> Sequence[Club]:
    """Return the clubs that the caller directs, asked for once in a request."""
    found: Sequence[Club] | None = getattr(request, "clubs_directed", None)
    if found is None:
        account = request.user
        mine = selectors.clubs_of(account, *permissions.DIRECTORS) if isinstance(account, Account) else ()
        found = list(mine)
        request.clubs_directed = found  # type: ignore[attr-defined]
    return found


def zone_of(request: HttpRequest) -> ZoneInfo:
    """Return the time zone of the caller's clubs, or UTC where they have several."""
    zones = {club.timezone for club in clubs_directed(request)}
    return ZoneInfo(zones.pop()) if len(zones) == 1 else ZoneInfo("UTC")


def _offer_clubs(field: "ModelChoiceField[Any]", clubs: frozenset[UUID]) -> None:
    """Let one of the clubs be chosen, and choose it where there is no other."""
    field.queryset = selectors.clubs().filter(pk__in=clubs)
    if len(clubs) == 1:
        field.initial, field.empty_label = next(iter(clubs)), None


class OfClubs(ExportedList[M]):
    """An admin of rows that belong to clubs: organisers see those of their own, owners of the platform all.

    Nothing may be added, changed or deleted unless a subclass says so; and then only in clubs that the caller
    directs, for the services ask the same.
    """

    club_path: ClassVar[str] = "club"
    """The lookup from a row to its club."""
    may_add: ClassVar[bool] = False
    may_change: ClassVar[bool] = False
    actions = None
    list_per_page = 50
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        """Return the rows that the caller may see."""
        rows: QuerySet[M] = super().get_queryset(request)
        return rows if sees_all(request) else rows.filter(**{f"{self.club_path}__in": directed(request)})

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> "ModelChoiceField[Any] | None":
        """Offer only what the caller may see; a club, only if the caller directs it."""
        field: ModelChoiceField[Any] | None = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None and db_field.name == "club":
            _offer_clubs(field, directed(request))
        elif field is not None:
            field.queryset = self.admin_site.get_model_admin(db_field.related_model).get_queryset(request)
        return field

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Return a field without side doors: a choice is made here and not in a pop-up window."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if isinstance(getattr(field, "widget", None), RelatedFieldWidgetWrapper):
            field.widget = field.widget.widget
        return field

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._may_enter(request)

    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return self._may_enter(request) and (obj is None or sees_all(request) or self.directs(request, obj))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.may_add and bool(directed(request))

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return self.may_change and bool(directed(request)) and (obj is None or self.directs(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False

    def _may_enter(self, request: HttpRequest) -> bool:
        return sees_all(request) or bool(directed(request))

    def directs(self, request: HttpRequest, obj: M) -> bool:
        """Return whether the row belongs to a club that the caller directs."""
        return self.club_of(obj) in directed(request)

    def club_of(self, obj: M) -> UUID | None:
        """Return the id of the row's club."""
        *path, last = self.club_path.split("__")
        owner = reduce(getattr, path, obj)
        found: UUID | None = getattr(owner, "pk" if last == "pk" else f"{last}_id")
        return found

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show or keep a form; what a service refuses is said above the form again."""

        def shown() -> HttpResponse:
            response: HttpResponse = super(OfClubs, self).changeform_view(
                request, object_id, form_url, extra_context
            )
            return response

        return said(request, shown)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask and delete; what a service refuses is said above the question again."""

        def shown() -> HttpResponse:
            response: HttpResponse = super(OfClubs, self).delete_view(request, object_id, extra_context)
            return response

        return said(request, shown)


def said(request: HttpRequest, act: Callable[[], HttpResponse]) -> HttpResponse:
    """Return what the act answers; where a service refuses, say why and go back to where it was asked."""
    try:
        return act()
    except Refusal as refusal:
        messages.error(request, refusal.sentence)
    except PermissionDenied as refusal:
        if not str(refusal):
            raise
        messages.error(request, str(refusal))
    return redirect(request.get_full_path())
