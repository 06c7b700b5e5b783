"""Accounts on the desk, for platform owners only."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from league.admin.base import sees_all
from league.admin.site import desk
from league.models import Account
from league.requests import ask_for_proof


@admin.register(Account, site=desk)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # it is generic to types alone
    """Who can log in. Memberships say what an account may do in a club."""

    list_display = ("username", "email", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    search_fields = ("username", "email")
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "password", "email")}),
        (_("Rights"), {"fields": ("is_active", "is_superuser")}),
    )

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Ask again who is there: an address or a right lets somebody in."""
        return ask_for_proof(request) or super().changeform_view(request, *args, **kwargs)

    def user_change_password(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Ask again who is there before a password changes."""
        return ask_for_proof(request) or super().user_change_password(request, *args, **kwargs)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return sees_all(request)

    has_module_permission = has_add_permission = has_change_permission = has_view_permission

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
