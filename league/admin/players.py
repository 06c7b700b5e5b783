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

from league.admin.fields import RowField
from league.admin.imports import PlayerImport
from league.admin.scope import directed_ids
from league.admin.site import desk
from league.files.exports import Listing
from league.files.exports.clubs import players_with_accounts
from league.models import Account, Member, Player
from league.models.names import search_key
from league.requests import caller, made_once
from league.services.clubs import change_player, create_player


class PlayerForm(forms.ModelForm):  # type: ignore[type-arg]
    """A player; an account must be a member's of the same club."""

    class Meta:
        model = Player
        fields = ("club", "name", "account", "active")
        help_texts = {
            "account": _(
                "The person who logs in with this account plays as this player. Only members can be chosen."
            ),
            "active": _("Players who aren’t active can’t be entered in competitions. Their results remain."),
        }

    def clean(self) -> dict[str, Any]:
        """Refuse an account that is not a member of the player's club."""
        values: dict[str, Any] = super().clean() or {}
        account, club = values.get("account"), values.get("club") or self.instance.club_id
        if account and club and not Member.objects.filter(account=account, club=club).exists():
            self.add_error("account", _("This account is not a member of the club."))
        return values


@admin.register(Player, site=desk)
class PlayerAdmin(PlayerImport):
    """The club's players."""

    form = PlayerForm
    may_add = may_change = True
    fields = ("club", "name", "account", "active")
    fixed_fields = ("club",)
    list_display = ("name", "account", "is_active", "club")
    list_filter = ("active", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("account", "club")
    search_fields = ("search_name",)
    search_help_text = _("Any part of a name, with or without accents")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """Return the players whose names contain the term, accents ignored."""
        return queryset.filter(search_name__contains=search_key(search_term)), False

    @display(description=_("status"), ordering="active", label={"active": "success", "not active": "default"})
    def is_active(self, player: Player) -> tuple[str, Any]:
        return ("active", _("active")) if player.active else ("not active", _("not active"))

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the accounts of members of the clubs that the caller directs."""
        if db_field.name != "account":
            return super().formfield_for_foreignkey(db_field, request, **kwargs)
        members = Member.objects.filter(club__in=directed_ids(request)).values("account")
        return RowField(
            Account.objects.filter(pk__in=members).order_by("username"),
            label=_("Account"),
            required=False,
            empty_label=_("no account: others enter the results of this player"),
            help_text=PlayerForm.Meta.help_texts["account"],
        )

    def listing(self, request: HttpRequest, rows: Sequence[Player], columns: Sequence[str]) -> Listing:
        """Return players in the columns of a file that can be imported."""
        return players_with_accounts(rows)

    def view_on_site(self, player: Player) -> str:
        return reverse("player", args=[player.pk])

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Create or change the player."""
        values, by = form.cleaned_data, caller(request)
        changed = {"name": values["name"], "account": values["account"]}
        if change:
            change_player(by=by, player=obj, active=values["active"], **changed)
            return
        obj.pk = made_once(request, lambda: create_player(by=by, club=values["club"], **changed)).id
