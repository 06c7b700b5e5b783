"""Whose desk it is: every list, object, choice and action is limited to the caller's clubs, here."""

from collections.abc import Callable
from functools import reduce
from typing import Any, ClassVar, Generic, TypeVar
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import ForeignKey, Model, QuerySet
from django.forms import ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from unfold.admin import ModelAdmin

from games.engine.refusals import Refusal
from league import permissions, selectors
from league.models import Account

M = TypeVar("M", bound=Model)


def sees_all(request: HttpRequest) -> bool:
    """Return whether the caller owns the platform and so sees every club."""
    return isinstance(request.user, Account) and request.user.is_superuser


def directed(request: HttpRequest) -> frozenset[UUID]:
    """Return the ids of the clubs that the caller directs, asked for once in a request."""
    found: frozenset[UUID] | None = getattr(request, "_clubs_directed", None)
    if found is None:
        found = _directed(request.user)
        request._clubs_directed = found
    return found


def _directed(account: Any) -> frozenset[UUID]:
    if not isinstance(account, Account):
        return frozenset()
    return frozenset(selectors.clubs_of(account, *permissions.DIRECTORS).values_list("pk", flat=True))


class OfClubs(ModelAdmin, Generic[M]):  # type: ignore[type-arg]
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
            field.queryset = selectors.clubs().filter(pk__in=directed(request))
        elif field is not None:
            field.queryset = self.admin_site.get_model_admin(db_field.related_model).get_queryset(request)
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
