"""The club's players on the desk."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.contrib import admin, messages
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.engine.messages import text
from games.engine.refusals import Malformed
from league.admin.base import ClubScopedAdmin, directed_ids, display
from league.admin.fields import RowField, TextField, narrow
from league.admin.site import desk
from league.choices import NamesShown
from league.models import Account, ClubChange, Contact, Member, Player
from league.models.names import printable, search_key
from league.queries.clubs import players_of
from league.queries.competitions import last_entries_of_namesakes
from league.queries.names import found, near_players
from league.requests import account_in, made_once
from league.services.players import (
    CONTACT_FIELDS,
    change_player,
    choose_names,
    create_player,
    write_contacts,
)
from league.words.messages import told_apart

_PRIVATE: Final = _("Only organisers of the club see the contact: on this page, and nowhere else.")


class PlayerForm(forms.ModelForm):  # type: ignore[type-arg]
    """A player; an account must be a member's of the same club."""

    email = forms.EmailField(label=_("Email address"), required=False, help_text=_PRIVATE)
    phone = TextField(label=_("Phone"), required=False, max_length=60, validators=[printable])
    note = TextField(label=_("Note"), required=False, max_length=500, validators=[printable])
    shown_as = forms.ChoiceField(
        label=_("Name on public pages"),
        choices=[("", _("as the club says")), *NamesShown.choices],
        required=False,
        help_text=_("As this person wants it. Who has an account chooses it there."),
    )
    sure = forms.BooleanField(label=_("This is another person"), required=False, widget=forms.CheckboxInput)

    class Meta:
        model = Player
        fields = ("club", "name", "account", "active")
        help_texts = {
            "name": _("If you correct the name, it is corrected in all competitions, too."),
            "account": _(
                "The person who logs in with this account plays as this player. Only members can be chosen."
            ),
            "active": _("Players who aren’t active can’t be entered in competitions. Their results remain."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        contact = Contact.objects.filter(player=self.instance.pk).first()
        for name in CONTACT_FIELDS:
            self.initial[name] = getattr(contact, name, "")
        self.initial["shown_as"] = self.instance.names

    def clean(self) -> dict[str, Any]:
        """Refuse an account that is not a member of the player's club."""
        values: dict[str, Any] = super().clean() or {}
        account, club = values.get("account"), values.get("club") or self.instance.club_id
        if account and club and not Member.objects.filter(account=account, club=club).exists():
            self.add_error("account", _("This account is not a member of the club."))
        return values


class NamedAlike(Malformed):
    """A new name that is near to another player's, until the form says that it is another person."""


def _ask_about_name(form: PlayerForm) -> None:
    """Raise `NamedAlike` once for a new name that another player of the club has, or a similar one."""
    player = form.instance
    if form.cleaned_data["sure"] or "name" not in form.changed_data:
        return
    near = near_players(players_of(player.club).exclude(pk=player.pk), form.cleaned_data["name"])
    if near:
        why = text(
            "The club has %(names)s already. If this is another person, tick the box below.",
            names=", ".join(near),
        )
        raise NamedAlike({"name": [why]})


def _made(by: Account, form: PlayerForm, values: Mapping[str, Any]) -> Player:
    # Asked here, for the same form sent twice finds the player that it made.
    _ask_about_name(form)
    return create_player(by=by, club=form.cleaned_data["club"], **values)


@admin.register(Player, site=desk)
class PlayerAdmin(ClubScopedAdmin[Player]):
    """The club's players."""

    below_form = "admin/player.html"
    form = PlayerForm
    may_add = may_change = True
    add_title = _("Add a player")
    noted_as = (
        *(ClubChange.Kind.PLAYER_CHANGED, ClubChange.Kind.CONTACT_CHANGED),
        *(ClubChange.Kind.PLAYERS_MERGED, ClubChange.Kind.PLAYER_REMOVED),
    )
    fields = ("club", "name", "account", "active")
    fixed_fields = ("club",)
    list_display = ("known_as", "account", "is_active", "club")
    list_filter: ClassVar[list[Any]] = ["active", ("club", admin.RelatedOnlyFieldListFilter)]
    """Apps add theirs."""
    list_select_related = ("account", "club")
    search_fields = ("search_name",)
    search_help_text = _("Any parts of a name, with or without accents")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        """Return the players, without those who are another player now."""
        others = Player.objects.filter(merged_into=None).exclude(pk=OuterRef("pk"))
        same = others.filter(club=OuterRef("club"), search_name=OuterRef("search_name"))
        return super().get_queryset(request).filter(merged_into=None).annotate(shared=Exists(same))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """Return the players whose names have all words of the term; if there are none, those near to it."""
        searched = found(queryset, search_term)
        if searched.meant:
            sentence = gettext("No player is named “%(name)s”. Did you mean one of these?")
            messages.info(request, sentence % {"name": search_term})
        return searched.rows, False

    def get_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Return the fields, those of the contact for organisers of the club alone."""
        may = self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        alike = any(isinstance(each, NamedAlike) for each in self._refusals(request))
        sure = ("sure",) if alike or "sure" in request.POST else ()
        names = ("shown_as",) if obj and obj.account_id is None else ()
        return (*self.fields[:2], *sure, *self.fields[2:], *names, *CONTACT_FIELDS) if may else self.fields

    @display(description=_("name"), ordering="sort_name")
    def known_as(self, player: Any) -> str:
        """Return the name, and by what players of one name are known apart."""
        return told_apart(player, last_entries_of_namesakes(player.club) if player.shared else {})

    @display(description=_("status"), ordering="active", label={"active": "good", "not active": ""})
    def is_active(self, player: Player) -> tuple[str, Any]:
        return ("active", _("active")) if player.active else ("not active", _("not active"))

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the accounts of members of the clubs that the caller directs."""
        if db_field.name != "account":
            return super().formfield_for_foreignkey(db_field, request, **kwargs)
        members = Member.objects.filter(club__in=directed_ids(request)).values("account")
        field = RowField(
            Account.objects.filter(pk__in=members).order_by("username"),
            label=_("Account"),
            required=False,
            empty_label=_("no account: others enter the results of this player"),
            help_text=PlayerForm.Meta.help_texts["account"],
        )
        narrow(field, request.GET.get("find-account", ""))
        return field

    def row_context(self, request: HttpRequest, row: Player | None) -> dict[str, Any]:
        """Return the player for what apps show below the form, where the caller may change it."""
        return {"player": row if row and self.directs(request, row) and not row.anonymous else None}

    def view_on_site(self, player: Player) -> str:
        return reverse("player", args=[player.pk])

    def response_post_save_change(self, request: HttpRequest, obj: Player) -> HttpResponseRedirect:
        """Show the list that led to the player; a search for the former name becomes one for the new name."""
        answer = super().response_post_save_change(request, obj)
        page, _mark, sent = answer["Location"].partition("?")
        query = QueryDict(sent, mutable=True)
        if all(word in search_key(obj.name) for word in search_key(query.get("q", "")).split()):
            return answer
        query["q"] = obj.name
        return redirect(f"{page}?{query.urlencode()}")

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Create or change the player."""
        values, by = form.cleaned_data, account_in(request)
        changed = {"name": values["name"], "account": values["account"]}
        contact = {name: values[name] for name in CONTACT_FIELDS}
        if change:
            _ask_about_name(form)
            change_player(by=by, player=obj, active=values["active"], **changed)
            if obj.account_id is None and values.get("shown_as", obj.names) != obj.names:
                choose_names(by=by, player=obj, names=values["shown_as"])
        else:
            obj.pk = made_once(request, lambda: _made(by, form, changed)).id
        write_contacts(by=by, club=obj.club, contacts={obj: contact})
