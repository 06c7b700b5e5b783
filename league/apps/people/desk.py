"""The desk's pages of a club's people: what it knows of them, categories and duties."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.admin import SimpleListFilter
from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, QuerySet
from django.forms import BaseFormSet, formset_factory
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from games.engine.messages import filled
from games.engine.refusals import Malformed
from league import hooks
from league.admin.base import SEEN, AppPage, directed_clubs, refuse_stale, reporting_refusals, stamp
from league.admin.clubs import ClubAdmin
from league.admin.competitions import ANNOTATED, CompetitionAdmin
from league.admin.details import DayInput
from league.admin.fields import ChoiceField, PathForm, RadioField, RowsField, TextField, narrow
from league.admin.players import PlayerAdmin
from league.apps.people import duties, membership
from league.apps.people.merge_desk import merge_page, remove_page
from league.apps.people.models import EARLIEST, Category, Duty, Person, Rule, Standing, Turn
from league.apps.people.queries import (
    NOTHING,
    OWN,
    Facts,
    Part,
    categories_of,
    category_members,
    facts_of,
    periods_of,
    within,
)
from league.models import Club, ClubChange, Competition, Player
from league.models.names import nameable, printable
from league.queries.clubs import changes_since, players_of
from league.requests import account_in

# ---- A person --------------------------------------------------------------------------------------


def _day(label: Any, **more: Any) -> forms.DateField:
    return forms.DateField(label=label, required=False, widget=DayInput, **more)


class PeriodForm(forms.Form):
    """A period: what somebody is, from one day to another; a row without that is left out."""

    what = ChoiceField(label=gettext_lazy("What"), required=False)
    since = _day(gettext_lazy("From"))
    until = _day(gettext_lazy("Until"))

    def __init__(self, *args: Any, offered: Sequence[tuple[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["what"].choices = [("", "–"), *offered]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Refuse a last day before the first one, and days of nothing."""
        values: dict[str, Any] = super().clean() or {}
        since, until = values.get("since"), values.get("until")
        if since and until and since > until:
            self.add_error("until", _("The last day is before the first one."))
        if (since or until) and not values.get("what") and "what" not in self.errors:
            self.add_error("what", _("Choose what these days are about, or empty them."))
        return values

    def part(self) -> Part:
        """Return the period."""
        what, since, until = (self.cleaned_data[name] for name in ("what", "since", "until"))
        return ("", UUID(what), since, until) if what not in Standing.values else (what, None, since, until)


_Periods: Final = formset_factory(PeriodForm, extra=2)


class FactsForm(PathForm):
    """What the club knows of a person, but for periods."""

    born = forms.IntegerField(label=gettext_lazy("Year of birth"), required=False, min_value=EARLIEST)
    pass_number = TextField(
        label=gettext_lazy("Pass number"),
        required=False,
        max_length=40,
        validators=[printable],
        help_text=gettext_lazy("The number that a federation knows the person by."),
    )
    left_on = _day(
        gettext_lazy("Left on"),
        help_text=gettext_lazy(
            "From then on nobody enters or invites this person any more. Results and honours keep the name."
        ),
    )
    died = forms.BooleanField(
        label=gettext_lazy("Has died"),
        required=False,
        help_text=gettext_lazy("The club sends no email to this person any more."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["born"].widget.attrs["inputmode"] = "numeric"


def what_there_is(club: Club, rules: Collection[str] = (Rule.TICKED,)) -> list[tuple[str, Any]]:
    """Return what a period can be of, and the club's categories with one of some rules."""
    categories = categories_of(club).filter(rule__in=rules)
    return [*Standing.choices, *((str(each.pk), each.name) for each in categories)]


def person_page(admin: PlayerAdmin, request: HttpRequest, player: Player) -> HttpResponse:
    """Show the form with what the club knows of a player; on POST keep it."""
    if player.anonymous:
        raise Http404
    facts = facts_of([player.pk]).get(player.pk, NOTHING)
    offered = what_there_is(player.club)
    rows = [{"what": standing or str(pk), "since": a, "until": b} for standing, pk, a, b in facts.periods]
    sent = request.POST if request.method == "POST" else None
    form = FactsForm(sent, initial={name: getattr(facts, name) for name in OWN})
    periods = _Periods(sent, initial=rows, prefix="periods", form_kwargs={"offered": offered})
    held = {"facts": facts}
    if sent and form.is_valid() and periods.is_valid():
        refuse_stale(form, sent.get(SEEN, ""), held, partial(_changes_of, player))
    if sent and form.is_valid() and periods.is_valid() and _kept(request, player, form, periods):
        messages.success(request, _("Saved."))
        return redirect("admin:league_player_change", player.pk)
    context = {"original": player, "form": form, "periods": periods, "seen": stamp(held)}
    return admin.render_page(request, "people/person.html", _("As the club knows this person"), context)


def _changes_of(player: Player, since: Any) -> Sequence[ClubChange]:
    return changes_since(player.club_id, (ClubChange.Kind.PLAYER_CHANGED,), player.name, since)


def _kept(request: HttpRequest, player: Player, form: FactsForm, periods: BaseFormSet[PeriodForm]) -> bool:
    parts = tuple(each.part() for each in periods if each.cleaned_data.get("what"))
    facts = Facts(**form.cleaned_data, periods=parts)
    try:
        membership.keep_facts(by=account_in(request), club=player.club, facts={player: facts})
    except Malformed as refusal:
        form.show({path: [*each] for path, each in refusal.errors.items()})
    return form.is_valid()


def _known(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a player's page shows of what the club knows."""
    player: Player = page["player"]
    facts = facts_of([player.pk]).get(player.pk)
    names = dict(what_there_is(player.club)) if facts else {}
    periods = facts.periods if facts else ()
    told = [(names.get(kind or str(pk), ""), since, until) for kind, pk, since, until in periods]
    return {"facts": facts, "periods": told}


class AsKnown(SimpleListFilter):
    """The players who are something in their club today; offered once a club knows anything of anybody."""

    title = gettext_lazy("in the club")
    parameter_name = "known"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Return what there is in the clubs that the caller directs."""
        clubs = directed_clubs(request)
        categories = Category.objects.filter(club__in=clubs)
        if not (categories or Person.objects.filter(club__in=clubs).exists()):
            return []
        named = [(str(each.pk), each.name) for each in categories]
        return [*Standing.choices, ("left", _("no longer in the club")), *named]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Player]) -> QuerySet[Player]:
        """Return the players who are what was chosen."""
        clubs, what = directed_clubs(request), self.value()
        if what not in {value for value, _title in self.lookup_choices}:
            return queryset
        if what == "left":
            return queryset.filter(person__left_on__isnull=False)
        found = set[UUID]()
        for club in clubs:
            kind = Standing(what) if what in Standing.values else categories_of(club).filter(pk=what).first()
            found |= {*within(periods_of(club, kind), club.today)} if kind else set()
        return queryset.filter(pk__in=found)


PlayerAdmin.list_filter.append(AsKnown)
PlayerAdmin.app_pages |= {
    "person": AppPage(person_page),
    "merge": AppPage(merge_page),
    "remove": AppPage(remove_page),
}
hooks.GIVEN["people/at_desk_player.html"] = _known

# ---- The club's people -----------------------------------------------------------------------------


class CategoryForm(PathForm):
    """A category of people, and its rule."""

    name = TextField(label=gettext_lazy("Name"), max_length=60, validators=[nameable])
    rule = RadioField(label=gettext_lazy("Who is in it"), choices=Rule.choices, initial=Rule.TICKED)
    least = forms.IntegerField(
        label=gettext_lazy("From"),
        required=False,
        min_value=0,
        max_value=2100,
        help_text=gettext_lazy("The first year of birth, or the lowest age. Empty: no limit."),
    )
    most = forms.IntegerField(
        label=pgettext_lazy("of a category", "To"),
        required=False,
        min_value=0,
        max_value=2100,
        help_text=gettext_lazy("The last year of birth, the highest age, or how many evenings."),
    )
    since = _day(gettext_lazy("Since"), help_text=gettext_lazy("For a rule by date."))


class PeopleForm(PathForm):
    """A form with a tick for each active player of a club."""

    people = RowsField(Player.objects.none(), label=gettext_lazy("People"), required=False)

    def __init__(self, *args: Any, club: Club, find: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["people"].queryset = players_of(club, active=True)  # type: ignore[attr-defined]
        narrow(self.fields["people"], find)
        self.order_fields([name for name in self.fields if name != "people"])


class DutyForm(PeopleForm):
    """A duty, and who takes turns at it."""

    name = TextField(label=gettext_lazy("Name"), max_length=60, validators=[nameable])


class ManyForm(PeopleForm):
    """One period for many people at once."""

    what = ChoiceField(label=gettext_lazy("What"))
    since = _day(gettext_lazy("From"))
    until = _day(gettext_lazy("Until"))

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, club=club, **kwargs)
        self.fields["what"].choices = what_there_is(club)  # type: ignore[attr-defined]


def people_page(admin: ClubAdmin, request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's categories and duties, or the form of one of them, which a POST keeps."""
    for name, part in _PARTS.items():
        if name in request.GET:
            return part(admin, request, club, request.GET[name])
    today = club.today
    counts = [
        *((str(each.value), each.label, len(within(periods_of(club, each), today))) for each in Standing),
        ("left", _("no longer in the club"), Person.objects.filter(club=club, left_on__lte=today).count()),
    ]
    categories = [(each, len(category_members(club, each, today))) for each in categories_of(club)]
    context = {
        "original": club,
        "counts": counts,
        "categories": categories,
        "duties": duties.duties_of(club),
        "turns": duties.turns_ahead(club),
    }
    return admin.render_page(request, "people/people.html", _("People"), context)


def _category(admin: ClubAdmin, request: HttpRequest, club: Club, key: str) -> HttpResponse:
    category = _row(categories_of(club), key)
    names = ("name", "rule", "least", "most", "since")
    initial = {name: getattr(category, name) for name in names} if category else {}
    form = CategoryForm(request.POST or None, initial=initial)
    keep = partial(membership.keep_category, club=club, category=category)
    remove = partial(membership.remove_category, category=category) if category else None
    title = category.name if category else _("Add a category")
    return _form(admin, request, club, form, title, keep, remove)


def _duty(admin: ClubAdmin, request: HttpRequest, club: Club, key: str) -> HttpResponse:
    duty = _row(duties.duties_of(club), key)
    on_rota = [each.player for each in duty.rota.all()] if duty else []
    initial = {"name": duty.name, "people": on_rota} if duty else {}
    find = request.GET.get("find-people", "")
    form = DutyForm(request.POST or None, initial=initial, club=club, find=find)
    keep = partial(duties.keep_duty, club=club, duty=duty)
    remove = partial(duties.remove_duty, duty=duty) if duty else None
    return _form(admin, request, club, form, duty.name if duty else _("Add a duty"), keep, remove)


def _many(admin: ClubAdmin, request: HttpRequest, club: Club, key: str) -> HttpResponse:
    find = request.GET.get("find-people", "")
    form = ManyForm(request.POST or None, initial={"what": key}, club=club, find=find)

    def keep(*, by: Any, people: Any, what: str, since: Any, until: Any) -> None:
        of = Standing(what) if what in Standing.values else categories_of(club).get(pk=what)
        membership.add_period(by=by, club=club, players=people, what=of, since=since, until=until)

    return _form(admin, request, club, form, _("Enter for many people"), keep, None)


_PARTS: Final[Mapping[str, Callable[[ClubAdmin, HttpRequest, Club, str], HttpResponse]]] = {
    "category": _category,
    "duty": _duty,
    "many": _many,
}
"""The forms below the page, by what its address asks for."""


def _row(rows: QuerySet[Any], key: str) -> Any:
    """Return the row with an id, None for ``new``; raise Http404."""
    if key == "new":
        return None
    try:
        return get_object_or_404(rows, pk=key)
    except ValidationError:
        raise Http404 from None


def _form(
    admin: ClubAdmin,
    request: HttpRequest,
    club: Club,
    form: PathForm,
    title: Any,
    keep: Callable[..., object],
    remove: Callable[..., object] | None,
) -> HttpResponse:
    by, back = account_in(request), redirect("admin:league_club_people", club.pk)
    if remove and "remove" in request.POST:
        remove(by=by)
        messages.success(request, _("Removed."))
        return back
    if form.is_bound and form.is_valid():
        try:
            keep(by=by, **form.cleaned_data)
        except Malformed as refusal:
            form.show({path: [*each] for path, each in refusal.errors.items()})
        else:
            messages.success(request, _("Saved."))
            return back
    context = {"original": club, "form": form, "removes": remove is not None, "form_title": title}
    return admin.render_page(request, "people/form.html", title, context)


def _what_goes(request: HttpRequest, club: Club) -> str:
    if category := _row(categories_of(club), request.GET.get("category", "new")):
        told = _("“%(name)s” is removed, and with it who was in it, and when. Nobody can bring that back.")
        series = [name for counting in hooks.COUNTED_AS for name in counting(club, str(category.pk))]
        emptied = ngettext(
            "Nobody counts any more in the series that ranks it: %(series)s.",
            "Nobody counts any more in the %(count)d series that rank it: %(series)s.",
            len(series),
        )
        also = filled(emptied, {"count": len(series), "series": ", ".join(series)}) if series else ""
        return f"{filled(told, {'name': category.name})} {also}".strip()
    duty = _row(duties.duties_of(club), request.GET.get("duty", "new"))
    told = _("“%(name)s” is removed with all its turns, also those to come. Nobody can bring them back.")
    return filled(told, {"name": duty.name if duty else ""})


ClubAdmin.app_pages["people"] = AppPage(
    lambda admin, request, club: reporting_refusals(request, lambda: people_page(admin, request, club)),
    asks={"remove": (gettext_lazy("Remove"), _what_goes)},
)

# ---- Duties of a competition -----------------------------------------------------------------------


def _duties(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the duties of a competition with who has them, and with whom each turn can be swapped."""
    competition: Competition = page["competition"]
    if not getattr(competition, "has_duties", False):
        return {"duties": []}
    found = list(duties.duties_of(competition.club))
    here, ahead = duties.turns_at(competition), duties.turns_ahead(competition.club)
    others = [each for each in ahead if each.competition_id != competition.pk]
    return {"duties": [*_rows(found, here, others)], "open": len(here) < len(found)}


def _rows(
    found: Sequence[Duty], here: Mapping[UUID, Turn], ahead: Sequence[Turn]
) -> Iterator[Mapping[str, Any]]:
    for duty in found:
        turn = here.get(duty.pk)
        people = {each.player for each in duty.rota.all()} | ({turn.player} if turn else set())
        swaps = [
            each for each in ahead if turn and each.duty_id == duty.pk and each.player_id != turn.player_id
        ]
        ordered = sorted(people, key=lambda each: (each.sort_name, each.pk))
        yield {"duty": duty, "turn": turn, "people": ordered, "swaps": swaps[:_SWAPS]}


_SWAPS: Final = 3
"""With how many turns to come one can be swapped."""


def duties_act(_admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """Share the duties out, keep who has them, or swap two turns, and go back to the competition."""
    by, found = account_in(request), list(duties.duties_of(competition.club))
    back = redirect(f"{reverse('admin:league_competition_change', args=[competition.pk])}#duties")
    if request.method != "POST":
        return back
    if "share" in request.POST:
        duties.share_duties(by=by, competition=competition, duties=found)
    elif "swap" in request.POST:
        mine, _space, other = request.POST["swap"].partition(" ")
        turns = Turn.objects.filter(duty__club=competition.club)
        duties.swap_turns(by=by, turn=_row(turns, mine), other=_row(turns, other))
    else:
        players = {str(each.pk): each for each in players_of(competition.club).filter(pk__in=_ids(request))}
        chosen = {
            duty: players.get(request.POST[f"duty-{duty.pk}"])
            for duty in found
            if f"duty-{duty.pk}" in request.POST
        }
        duties.give_duties(by=by, competition=competition, chosen=chosen)
    messages.success(request, _("Saved."))
    return back


def _ids(request: HttpRequest) -> list[UUID]:
    try:
        return [UUID(pk) for name in request.POST if name.startswith("duty-") and (pk := request.POST[name])]
    except ValueError:
        raise Http404 from None


CompetitionAdmin.app_pages["duties"] = AppPage(duties_act)
ANNOTATED["has_duties"] = Exists(Duty.objects.filter(club=OuterRef("club")))
hooks.GIVEN["people/at_desk_competition.html"] = _duties
