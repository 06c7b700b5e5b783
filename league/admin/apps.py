"""The club's apps on the desk: their roles and their tokens."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables
from unfold.decorators import display
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminTextInputWidget,
)

from league import selectors, services
from league.admin.scope import OfClubs, said
from league.admin.site import desk
from league.models import App, Member, Token
from league.views.callers import caller


class AppForm(forms.ModelForm):  # type: ignore[type-arg]
    """A new app, and what it may do."""

    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=[choice for choice in Member.Role.choices if choice[0] != Member.Role.OWNER],
        initial=Member.Role.SCOREKEEPER,
        widget=UnfoldAdminRadioSelectWidget,
        help_text=gettext_lazy("Its tokens reach no further than this. Only an owner makes an organiser."),
    )

    class Meta:
        model = App
        fields = ("club", "name")
        help_texts = {"name": gettext_lazy("So that you know later which program it is.")}


class AppTokenForm(forms.Form):
    """A new token of an app."""

    name = forms.CharField(
        label=gettext_lazy("Name of the token"),
        max_length=Token._meta.get_field("name").max_length,
        widget=UnfoldAdminTextInputWidget,
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it may do"),
        choices=Token.Scope.choices,
        initial=[Token.Scope.READ],
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )


@admin.register(App, site=desk)
class AppAdmin(OfClubs[App]):
    """Programs that act for the club."""

    form = AppForm
    may_add = True
    list_display = ("name", "role", "account_name", "state", "made_at", "club")
    list_filter = (("club", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("club", "account")
    search_fields = ("name", "account__username")
    change_form_outer_after_template = "admin/app.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[App]:
        """Return the apps with the roles of their accounts."""
        mine = Member.objects.filter(club=OuterRef("club"), account=OuterRef("account")).values("role")
        return super().get_queryset(request).annotate(member_role=Subquery(mine))

    @display(description=gettext_lazy("role"))
    def role(self, app: App) -> str:
        """Return what it may do."""
        role = getattr(app, "member_role", None)
        return str(Member.Role(role).label) if role else "–"

    @display(description=gettext_lazy("status"), label={"active": "success", "retired": "default"})
    def state(self, app: App) -> tuple[str, Any]:
        """Return whether its tokens can open anything."""
        return ("retired", _("retired")) if app.retired_at else ("active", _("active"))

    @display(description=gettext_lazy("status"))
    def standing(self, app: App) -> str:
        """Return whether its tokens can open anything, in words."""
        return str(self.state(app)[1])

    @display(description=gettext_lazy("account"), ordering="account__username")
    def account_name(self, app: App) -> str:
        """Return the name by which logs know it."""
        return app.account.username

    def get_fields(self, request: HttpRequest, obj: App | None = None) -> tuple[str, ...]:
        """Return what is asked of a new one, and what is known of any other."""
        asked = ("club", "name", "role")
        return (*asked, "account_name", "standing", "made_at") if obj else asked

    def save_model(self, request: HttpRequest, obj: App, form: Any, change: bool) -> None:
        """Make the app with its account."""
        obj.pk = services.create_app(by=caller(request), **form.cleaned_data).pk

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the app with its tokens, none of which can be read."""
        app = self.get_object(request, object_id) if object_id else None
        context = {
            "app": app,
            "directs": app is not None and self.directs(request, app) and not app.retired_at,
            "tokens": selectors.tokens_of(app.account) if app else [],
            "token_form": AppTokenForm(),
            **(extra_context or {}),
        }
        return super().changeform_view(request, object_id, form_url, context)

    # ---- Its tokens ------------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and those of the buttons."""
        view = self.admin_site.admin_view
        return [
            path("<uuid:pk>/token/", view(self.make_token), name="league_app_token"),
            path("<uuid:pk>/revoke/", view(self.revoke_token), name="league_app_revoke"),
            path("<uuid:pk>/retire/", view(self.retire), name="league_app_retire"),
            *super().get_urls(),
        ]

    @sensitive_variables("made")
    def make_token(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Make a token and tell its secret, in this answer and never again."""
        app = self._directed(request, pk)
        form = AppTokenForm(request.POST)
        if request.method != "POST":
            return redirect("admin:league_app_change", pk)
        if not form.is_valid():
            # The page of the app again, with what is wrong.
            request.method = "GET"
            return self.changeform_view(request, str(pk), extra_context={"token_form": form})

        def made() -> HttpResponse:
            token = services.create_app_token(by=caller(request), app=app, **form.cleaned_data)
            return self._secret_shown(request, app, token.secret)

        return said(request, made)

    def revoke_token(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Revoke one of the app's tokens."""
        app = self._directed(request, pk)
        if request.method == "POST":
            token = get_object_or_404(selectors.tokens_of(app.account), pk=request.POST.get("token"))
            services.revoke_app_token(by=caller(request), app=app, token=token)
            messages.success(request, _("The token “%(name)s” is worthless now.") % {"name": token.name})
        return redirect("admin:league_app_change", pk)

    def retire(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """End the app."""
        app = self._directed(request, pk)
        if request.method == "POST":
            services.retire_app(by=caller(request), app=app)
            messages.success(request, _("%(name)s is retired.") % {"name": app.name})
        return redirect("admin:league_app_change", pk)

    def _directed(self, request: HttpRequest, pk: UUID) -> App:
        app: App | None = self.get_object(request, str(pk))
        if app is None:
            raise Http404
        if not self.directs(request, app):
            raise PermissionDenied
        return app

    @sensitive_variables("secret", "context")
    def _secret_shown(self, request: HttpRequest, app: App, secret: str) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("The token of %(name)s") % {"name": app.name},
            "why": _("Only a hash of it is kept, so it can’t be shown again."),
            "back": "admin:league_app_change",
            "pk": app.pk,
            "secret": secret,
        }
        return TemplateResponse(request, "admin/secret.html", context)
