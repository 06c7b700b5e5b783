"""The club's players on the desk."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display
from unfold.widgets import UnfoldAdminSelectWidget

from league import services
from league.admin.imports import FromFile
from league.admin.scope import directed
from league.admin.site import desk
from league.exports import Listing
from league.exports.clubs import players_with_accounts
from league.models import Account, Member, Player
from league.models.names import search_key
from league.views.callers import caller
from league.views.sending import made_once


class PlayerForm(forms.ModelForm):  # type: ignore[type-arg]
    """A player; the account, if any, is a member's of the same club."""

    class Meta:
        model = Player
        fields = ("club", "name", "account", "active")
        help_texts = {
            "account": _("Whoever logs in with it plays this player’s seats. Only members can be chosen."),
            "active": _("Somebody who no longer plays is not offered for entries; all results stay."),
        }

    def clean(self) -> dict[str, Any]:
        """Refuse the account of somebody who is no member of the player's club."""
        told: dict[str, Any] = super().clean() or {}
        account, club = told.get("account"), told.get("club") or self.instance.club_id
        if account and club and not Member.objects.filter(account=account, club=club).exists():
            self.add_error("account", _("This account is no member of the club."))
        return told


@admin.register(Player, site=desk)
class PlayerAdmin(FromFile):
    """Who plays."""

    form = PlayerForm
    may_add = may_change = True
    fields = ("club", "name", "account", "active")
    list_display = ("name", "account", "is_active", "club")
    list_filter = ("active", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("account", "club")
    search_fields = ("search_name",)
    search_help_text = _("Any part of a name, whatever its accents")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """Return the players whose name holds the term."""
        return queryset.filter(search_name__contains=search_key(search_term)), False

    @display(description=_("status"), ordering="active", label={"active": "success", "not active": "default"})
    def is_active(self, player: Player) -> tuple[str, Any]:
        """Return whether the player is offered for entries."""
        return ("active", _("active")) if player.active else ("not active", _("not active"))

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the accounts of members of the clubs that the caller directs."""
        if db_field.name != "account":
            return super().formfield_for_foreignkey(db_field, request, **kwargs)
        members = Member.objects.filter(club__in=directed(request)).values("account")
        return forms.ModelChoiceField(
            Account.objects.filter(pk__in=members).order_by("username"),
            label=_("Account"),
            required=False,
            empty_label=_("none: an organiser or the club’s app enters for them"),
            help_text=PlayerForm.Meta.help_texts["account"],
            widget=UnfoldAdminSelectWidget,
        )

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> tuple[str, ...]:
        """Return the club of a player who has one."""
        return ("club",) if obj else ()

    def listing(self, request: HttpRequest, rows: Sequence[Player], columns: Sequence[str]) -> Listing:
        """Return players in the columns in which a file of players is read."""
        return players_with_accounts(rows)

    def view_on_site(self, player: Player) -> str:
        """Return where the player's page is."""
        return reverse("player", args=[player.pk])

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Make or change the player."""
        told, by = form.cleaned_data, caller(request)
        if change:
            services.change_player(
                by=by, player=obj, name=told["name"], account=told["account"], active=told["active"]
            )
            return
        obj.pk = made_once(
            request,
            lambda: services.create_player(
                by=by, club=told["club"], name=told["name"], account=told["account"]
            ),
        ).id
