"""Clubs and their members on the desk."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextInputWidget

from league import selectors, services
from league.admin.scope import OfClubs, sees_all
from league.admin.site import desk
from league.admin.wording import samples
from league.models import Account, Club, Member
from league.views.callers import caller


@admin.register(Club, site=desk)
class ClubAdmin(OfClubs[Club]):
    """The club itself: its name, its zone, and where its page is."""

    club_path = "pk"
    may_change = True
    list_display = ("name", "timezone", "number_of_players")
    search_fields = ("name", "slug")
    ordering = ("name", "pk")
    change_form_outer_after_template = "admin/club.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        """Return the clubs with the number of their active players."""
        return selectors.with_players(super().get_queryset(request))

    @display(description=_("active players"), ordering="playing")
    def number_of_players(self, club: Club) -> Any:
        """Return how many play."""
        return getattr(club, "playing", 0)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return sees_all(request)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        """Return the address of a club that exists, for links lead there."""
        return ("slug",) if obj else ()

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        """Return what makes a club, and once it is there what else it may settle."""
        made = ("name", "slug", "timezone")
        return (*made, "quiet", "mail_note") if obj else made

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and that of the mails."""
        mails = self.admin_site.admin_view(self.mails)
        return [path("<uuid:pk>/mails/", mails, name="league_club_mails"), *super().get_urls()]

    def mails(self, request: HttpRequest, pk: UUID) -> TemplateResponse:
        """Show what the club's mails say."""
        club: Club | None = self.get_object(request, str(pk))
        if club is None:
            raise Http404
        told = {"opts": self.opts, "title": _("What our mails say"), "club": club, "samples": samples(club)}
        return TemplateResponse(
            request, "admin/club_mails.html", {**self.admin_site.each_context(request), **told}
        )

    def view_on_site(self, club: Club) -> str:
        """Return where the club's page is."""
        return reverse("club", args=[club.slug])

    def save_model(self, request: HttpRequest, obj: Club, form: Any, change: bool) -> None:
        """Make or change the club."""
        told = form.cleaned_data
        if change:
            services.change_club(by=caller(request), club=obj, **told)
        else:
            obj.pk = services.create_club(by=caller(request), **told).pk


class MemberForm(forms.ModelForm):  # type: ignore[type-arg]
    """A new member, by the name of an account."""

    username = forms.CharField(
        label=_("Account"),
        help_text=_("The name that the person logs in with."),
        widget=UnfoldAdminTextInputWidget,
    )

    class Meta:
        model = Member
        fields = ("club", "role")

    def clean_username(self) -> str:
        """Take the name of an account for the account."""
        account = Account.objects.filter(username=self.cleaned_data["username"], is_active=True).first()
        if account is None:
            raise forms.ValidationError(_("There is no account of this name."))
        self.instance.account = account
        return account.username


@admin.register(Member, site=desk)
class MemberAdmin(OfClubs[Member]):
    """Who may do what in the club. Owners name organisers; organisers name scorekeepers and players."""

    may_add = may_change = True
    list_display = ("account", "role", "club")
    list_filter = ("role", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("account", "club")
    search_fields = ("account__username",)
    radio_fields = {"role": admin.VERTICAL}

    def get_form(
        self, request: HttpRequest, obj: Member | None = None, change: bool = False, **kwargs: Any
    ) -> "type[forms.ModelForm[Member]]":
        """Return a form that asks for the account of a new member, and for the role of any."""
        if obj is None:
            kwargs["form"] = MemberForm
        form: type[forms.ModelForm[Member]] = super().get_form(request, obj, change, **kwargs)
        return form

    def get_fields(self, request: HttpRequest, obj: Member | None = None) -> tuple[str, ...]:
        """Return the account as a name to type, or as it is."""
        return ("account", "club", "role") if obj else ("club", "username", "role")

    def get_readonly_fields(self, request: HttpRequest, obj: Member | None = None) -> tuple[str, ...]:
        """Return what makes a member this one."""
        return ("account", "club") if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Member | None = None) -> bool:
        return self.has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Member, form: Any, change: bool) -> None:
        """Give the account its role."""
        made = services.add_member(by=caller(request), club=obj.club, account=obj.account, role=obj.role)
        obj.pk = made.pk

    def delete_model(self, request: HttpRequest, obj: Member) -> None:
        """End the membership."""
        services.remove_member(by=caller(request), club=obj.club, account=obj.account)
