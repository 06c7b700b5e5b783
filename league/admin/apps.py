"""The club's apps on the desk: their roles and their tokens."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables

from league.admin.base import ClubScopedAdmin, display
from league.admin.fields import ChecksField, RadioField, TextField
from league.admin.site import desk
from league.choices import SINGLE_SCOPES, TOKEN_LIVES
from league.models import App, Member, Token
from league.queries.accounts import tokens_of
from league.requests import account_in, ask_for_proof
from league.services.clubs import create_app, create_app_token, retire_app, revoke_app_token


class AppForm(forms.ModelForm):  # type: ignore[type-arg]
    """A new app and its role."""

    role = RadioField(
        label=gettext_lazy("Role"),
        choices=[choice for choice in Member.Role.choices if choice[0] != Member.Role.OWNER],
        initial=Member.Role.SCOREKEEPER,
        help_text=gettext_lazy(
            "Its tokens can’t do more than this role allows. Only an owner can make an app an organiser."
        ),
    )

    plays = forms.BooleanField(
        label=gettext_lazy("It plays games by itself"),
        required=False,
        help_text=gettext_lazy(
            "Then it is a bot, for good: a player of this name is added to the club, and marked as a bot."
        ),
    )

    class Meta:
        model = App
        fields = ("club", "name")
        help_texts = {"name": gettext_lazy("So that you know later which program it is.")}


class AppTokenForm(forms.Form):
    """A new token of an app."""

    name = TextField(
        label=gettext_lazy("Name of the token"), max_length=Token._meta.get_field("name").max_length
    )
    scopes = ChecksField(
        label=gettext_lazy("What it may do"), choices=SINGLE_SCOPES, initial=[Token.Scope.CLUB_RULE]
    )
    days = RadioField(
        label=gettext_lazy("Expires after"),
        choices=[*TOKEN_LIVES, (0, gettext_lazy("never"))],
        initial=365,
    )

    def clean_days(self) -> int | None:
        return int(self.cleaned_data["days"]) or None


@admin.register(App, site=desk)
class AppAdmin(ClubScopedAdmin[App]):
    """Programs that act for the club."""

    form = AppForm
    may_add = True
    add_title = gettext_lazy("Add an app")
    add_fields = ("club", "name", "role", "plays")
    fields = ("club", "name", "role", "account_name", "state", "made_at")
    buttons = ("token", "revoke", "retire")
    list_display = ("name", "role", "account_name", "state", "made_at", "club")
    list_filter = (("club", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("club", "account")
    search_fields = ("name", "account__username")
    below_form = "admin/app.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[App]:
        """Return the apps with the roles of their accounts."""
        membership = Member.objects.filter(club=OuterRef("club"), account=OuterRef("account"))
        return super().get_queryset(request).annotate(member_role=Subquery(membership.values("role")))

    @display(description=gettext_lazy("role"))
    def role(self, app: App) -> str:
        role = getattr(app, "member_role", None)
        return str(Member.Role(role).label) if role else "–"

    @display(description=gettext_lazy("status"), label={"active": "good", "retired": ""})
    def state(self, app: App) -> tuple[str, Any]:
        return ("retired", _("retired")) if app.retired_at else ("active", _("active"))

    @display(description=gettext_lazy("account"), ordering="account__username")
    def account_name(self, app: App) -> str:
        return app.account.username

    def save_model(self, request: HttpRequest, obj: App, form: Any, change: bool) -> None:
        """Create the app with its account."""
        obj.pk = create_app(by=account_in(request), **form.cleaned_data).pk

    def row_context(self, request: HttpRequest, row: App | None) -> dict[str, Any]:
        """Return the app with its tokens, whose secrets are never shown again."""
        return {
            "app": row,
            "directs": row is not None and self.directs(request, row) and not row.retired_at,
            "tokens": tokens_of(row.account) if row else [],
            "token_form": AppTokenForm(),
        }

    # ---- Buttons ----------------------------------------------------------------------------------

    @sensitive_variables("made")
    def token(self, request: HttpRequest, app: App) -> HttpResponse:
        """Create a token and show its secret once; where the form has errors, show the app again."""
        form = AppTokenForm(request.POST)
        if not form.is_valid():
            request.method = "GET"
            return self.changeform_view(request, str(app.pk), extra_context={"token_form": form})
        if asking := ask_for_proof(request):
            return asking
        made = create_app_token(by=account_in(request), app=app, **form.cleaned_data)
        title = _("The token of %(name)s") % {"name": app.name}
        why = _("The server keeps only a hash of it and can’t show it again.")
        return self.secret_page(request, app, made.secret, title, why)

    def revoke(self, request: HttpRequest, app: App) -> None:
        """Revoke one of the app's tokens."""
        token = get_object_or_404(tokens_of(app.account), pk=request.POST.get("token"))
        revoke_app_token(by=account_in(request), app=app, token=token)
        messages.success(request, _("The token “%(name)s” no longer works.") % {"name": token.name})

    def retire(self, request: HttpRequest, app: App) -> None:
        """Retire the app for good."""
        retire_app(by=account_in(request), app=app)
        messages.success(request, _("%(name)s is retired.") % {"name": app.name})
