"""Clubs on the desk: the clubs, their members and apps; for platform owners, accounts."""

from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST

from games.engine.messages import filled
from games.engine.refusals import Refusal
from league.admin.base import ClubScopedAdmin, display, sees_all
from league.admin.fields import ChecksField, LinesField, RadioField, SearchedField, TextField
from league.admin.site import desk
from league.choices import SINGLE_SCOPES, TOKEN_LIVES, BotsPlay
from league.models import Account, App, Club, ClubChange, Member, Player, Token
from league.queries.accounts import tokens_of
from league.queries.clubs import changes_with_players, still_playing, with_players
from league.requests import account_in, ask_for_proof
from league.services.clubs import (
    change_club,
    change_role,
    create_app,
    create_app_token,
    create_club,
    remove_member,
    retire_app,
    revoke_app_token,
)
from league.words.club_changes import accounts_called, change_in_words, changes_called
from league.words.emails import samples
from league.words.messages import translated
from league.words.times import zone_choices

# ---- Clubs ---------------------------------------------------------------------------------------

ZONE_HELP: Final = gettext_lazy("The difference from UTC is the one of today. Common zones stand first.")


@admin.register(Club, site=desk)
class ClubAdmin(ClubScopedAdmin[Club]):
    """The club's name, address, time zone, quiet hours, sentence in emails, bots, and who embeds games."""

    club_path = "pk"
    may_change = True
    add_title = gettext_lazy("Add a club")
    noted_as = (ClubChange.Kind.CLUB_CHANGED,)
    add_fields = ("name", "timezone")
    fields = ("name", "slug", "timezone", "quiet", "mail_note", "names", "bots", "paper", "embed_on")
    radio_fields: ClassVar[Any] = {"names": admin.VERTICAL}
    # It follows the name.
    fixed_fields = ("slug",)
    list_display = ("name", "timezone", "number_of_players")
    search_fields = ("name", "slug")
    ordering = ("name", "pk")
    below_form = "admin/club.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        """Return the clubs with the number of their active players."""
        return with_players(super().get_queryset(request))

    @display(description=gettext_lazy("active players"), ordering="playing")
    def number_of_players(self, club: Club) -> Any:
        return getattr(club, "playing", 0)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return sees_all(request)

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses, that of the sample emails, and that of the offered time zone."""
        return [
            self.page_url("<uuid:pk>/mails/", self.mails, "mails"),
            self.page_url("<uuid:pk>/zone/", self.take_zone, "zone"),
            *super().get_urls(),
        ]

    @method_decorator(require_POST)
    def take_zone(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Give the club the time zone of an organiser's device; show the page again that offered it."""
        club = self.get_row(request, pk)
        try:
            change_club(
                by=account_in(request), club=club, name=club.name, timezone=request.POST.get("timezone", "")
            )
        except Refusal as refusal:
            messages.error(request, translated(refusal.sentence))
        else:
            told = {"club": club.name, "zone": club.timezone.replace("_", " ")}
            messages.success(
                request, filled(gettext("Times of %(club)s are shown in this time zone: %(zone)s."), told)
            )
        back = request.POST.get("next", "")
        fine = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
        return redirect(back if fine else "admin:index")

    def mails(self, request: HttpRequest, pk: UUID) -> TemplateResponse:
        """Show samples of the club's emails."""
        club = self.get_row(request, pk)
        context = {"club": club, "samples": samples(club)}
        return self.render_page(
            request, "admin/club_mails.html", gettext_lazy("What our emails say"), context
        )

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Let people pick the time zone from a list, and tick where bots may play."""
        if db_field.name == "timezone":
            return SearchedField(
                label=capfirst(db_field.verbose_name),
                choices=zone_choices,
                initial="UTC",
                help_text=ZONE_HELP,
            )
        if db_field.name == "bots":
            return ChecksField(
                label=capfirst(db_field.verbose_name),
                choices=BotsPlay.choices,
                required=False,
                help_text=db_field.help_text,
            )
        if db_field.name == "embed_on":
            return LinesField(
                label=capfirst(db_field.verbose_name), required=False, help_text=db_field.help_text
            )
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def view_on_site(self, club: Club) -> str:
        return reverse("club", args=[club.slug])

    def save_model(self, request: HttpRequest, obj: Club, form: Any, change: bool) -> None:
        """Create or change the club."""
        if change:
            change_club(by=account_in(request), club=obj, **form.cleaned_data)
        else:
            obj.pk = create_club(by=account_in(request), **form.cleaned_data).pk


@admin.register(Member, site=desk)
class MemberAdmin(ClubScopedAdmin[Member]):
    """The club's members and their roles. Owners choose organisers; organisers choose all other members.

    Nobody is added here: people are invited, and become members when they accept.
    """

    may_change = may_delete = True
    noted_as = (ClubChange.Kind.MEMBER_CHANGED,)
    # Without the link to the account's page, which only platform owners may see.
    fields = ("user", "club", "role")
    fixed_fields = ("user", "club")
    list_display = ("account", "role", "club")
    list_filter = ("role", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("account", "club")
    search_fields = ("account__username",)
    radio_fields = {"role": admin.VERTICAL}

    @display(description=gettext_lazy("account"))
    def user(self, row: Member) -> str:
        """Return the account's name."""
        return str(row.account)

    def noted_subject(self, row: Member) -> str:
        """Return the user name."""
        return str(row.account_id)

    def save_model(self, request: HttpRequest, obj: Member, form: Any, change: bool) -> None:
        """Give the account its role."""
        change_role(by=account_in(request), member=obj, role=obj.role)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Say in which competitions the person still plays."""
        member = self.get_row(request, object_id)
        players = Player.objects.filter(club=member.club, account=member.account)
        told = [translated(each) for player in players for each in still_playing(player)]
        return super().delete_view(request, object_id, {**(extra_context or {}), "playing": told})

    def delete_model(self, request: HttpRequest, obj: Member) -> None:
        """End the membership."""
        remove_member(by=account_in(request), club=obj.club, account=obj.account)


# ---- Audit ---------------------------------------------------------------------------------------


@admin.register(ClubChange, site=desk)
class ClubChangeAdmin(ClubScopedAdmin[ClubChange]):
    """Every change to members, players, settings, webhooks and apps of the club."""

    list_title = gettext_lazy("The club’s changes")
    list_display = ("at", "sentence", "club")
    list_filter = ("kind", "at", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("account", "club")
    search_fields = ("subject", "account__username", "values")
    search_help_text = gettext_lazy(
        "What was done, such as role or webhook; a name, an account, or a value before or after the change"
    )
    ordering = ("-at", "-pk")
    fields = ("club", "at", "sentence")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ClubChange]:
        """Return the changes with the present names of the players that they are about."""
        return changes_with_players(super().get_queryset(request))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[ClubChange], search_term: str
    ) -> tuple[QuerySet[ClubChange], bool]:
        """Return the changes that match all words, as a kind of change or in what they hold."""
        for word in search_term.split():
            holds = (Q(**{f"{name}__icontains": word}) for name in self.search_fields)
            matching = Q(kind__in=changes_called(word))
            ids = accounts_called(word)
            for each in (*holds, Q(subject__in=ids), *(Q(values__icontains=pk) for pk in ids)):
                matching |= each
            queryset = queryset.filter(matching)
        return queryset, False

    @display(description=gettext_lazy("what happened"))
    def sentence(self, change: ClubChange) -> str:
        return change_in_words(change)


# ---- Apps ----------------------------------------------------------------------------------------


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


def _token(request: HttpRequest, app: App) -> Token:
    return get_object_or_404(tokens_of(app.account), pk=request.POST.get("token"))


def _what_revoking_does(request: HttpRequest, app: App) -> str:
    sentence = _("“%(name)s” ends at once, for good: what uses it stops working.")
    return filled(sentence, {"name": _token(request, app).name})


@admin.register(App, site=desk)
class AppAdmin(ClubScopedAdmin[App]):
    """Programs that act for the club."""

    form = AppForm
    may_add = True
    add_title = gettext_lazy("Add an app")
    add_fields = ("club", "name", "role", "plays")
    fields = ("club", "name", "role", "account_name", "state", "made_at")
    buttons = ("token", "revoke", "retire")
    asks: ClassVar = {
        "retire": (
            gettext_lazy("Retire the app"),
            gettext_lazy("All its tokens end at once, for good: what uses them stops working."),
        ),
        "revoke": (gettext_lazy("Revoke the token"), _what_revoking_does),
    }
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
        why = _("The server recognises it, but can’t show it again.")
        return self.secret_page(request, app, made.secret, title, why)

    def revoke(self, request: HttpRequest, app: App) -> None:
        """Revoke one of the app's tokens."""
        token = _token(request, app)
        revoke_app_token(by=account_in(request), app=app, token=token)
        messages.success(request, _("The token “%(name)s” no longer works.") % {"name": token.name})

    def retire(self, request: HttpRequest, app: App) -> None:
        """Retire the app for good."""
        retire_app(by=account_in(request), app=app)
        messages.success(request, _("%(name)s is retired.") % {"name": app.name})


# ---- Accounts ------------------------------------------------------------------------------------


@admin.register(Account, site=desk)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # it is generic to types alone
    """Who can log in. Memberships say what an account may do in a club."""

    list_display = ("username", "email", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    search_fields = ("username", "email")
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "password", "email")}),
        (gettext_lazy("Rights"), {"fields": ("is_active", "is_superuser")}),
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
