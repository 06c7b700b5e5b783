"""The audit record on the desk: who changed what in a club. It can be searched and read."""

from typing import Any

from django.contrib import admin
from django.utils.html import format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from league.admin.base import ClubScopedAdmin
from league.admin.site import desk
from league.models import ClubChange


@admin.register(ClubChange, site=desk)
class ClubChangeAdmin(ClubScopedAdmin[ClubChange]):
    """Every change to members, players, settings, webhooks and apps of the club."""

    list_title = gettext_lazy("The club’s changes")
    list_display = ("at", "kind", "subject", "what_changed", "account_name", "club")
    list_filter = ("kind", "at", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("account", "club")
    search_fields = ("subject", "account__username", "values")
    search_help_text = gettext_lazy("A name, an account, or a value before or after the change")
    ordering = ("-at", "-pk")
    fields = ("club", "at", "kind", "subject", "what_changed", "account_name")

    @display(description=gettext_lazy("account"), ordering="account__username")
    def account_name(self, change: ClubChange) -> str:
        """Return who made the change; a dash stands for the server."""
        return change.account.username if change.account else "–"

    @display(description=gettext_lazy("before → after"))
    def what_changed(self, change: ClubChange) -> str:
        """Return each field with its values before and after."""
        pairs = ((field, *map(_in_words, pair)) for field, pair in sorted(change.values.items()))
        return format_html_join("; ", "{}: {} → {}", pairs)


def _in_words(value: Any) -> str:
    match value:
        case None | "":
            return "–"
        case bool():
            return _("yes") if value else _("no")
        case list():
            return ", ".join(map(str, value)) or "–"
        case _:
            return str(value)
