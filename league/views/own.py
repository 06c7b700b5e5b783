"""A player's own part on a competition's page: what stands, and plain forms for what may be done now."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from games.engine.refusals import Refusal
from league import log, permissions, selectors, services
from league.competition.own import OwnVerb
from league.log import Appended
from league.models import Competition, Entry
from league.selectors import OwnPart
from league.views.callers import caller, spectator_or_account

Service = Callable[..., Appended]


class OwnForm(forms.Form):
    """What a verb asks of a player; nothing, unless a subclass does."""

    def __init__(self, *args: Any, competition: Competition, part: OwnPart, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.competition, self.part = competition, part
        self.offer()

    def offer(self) -> None:
        """Fill the fields with what the competition has."""

    @property
    def told(self) -> dict[str, Any]:
        """Return what a valid form tells the verb's service."""
        return dict(self.cleaned_data)


class ReasonForm(OwnForm):
    """Why, for everyone to read."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        required=False,
        help_text=gettext_lazy("If you like; it stands in the log for everybody to read."),
    )


class AbsentForm(ReasonForm):
    """The round to miss, which a second click does not turn into another one."""

    round = forms.IntegerField(min_value=1, max_value=1000, widget=forms.HiddenInput)

    def offer(self) -> None:
        """Name the next round."""
        self.fields["round"].initial = self.part.next_round


class PresentForm(OwnForm):
    """The round not to miss."""

    round = forms.IntegerField(min_value=1, max_value=1000, widget=forms.HiddenInput)

    def offer(self) -> None:
        """Name the first round that was to be missed."""
        self.fields["round"].initial = next(iter(self.part.absences), None)


class EnterForm(OwnForm):
    """Who plays with one, where entries are teams."""

    @property
    def told(self) -> dict[str, Any]:
        """Return the team, oneself first, in the order of its line-up."""
        partners = [value for name, value in self.cleaned_data.items() if name.startswith("partner")]
        if not partners:
            return {}
        return {
            "players": [self.part.player.pk, *(partner.pk for partner in partners)],
            "name": self.cleaned_data["name"],
        }

    def offer(self) -> None:
        """Ask for partners and the team's name where the competition is for teams."""
        size = log.latest(self.competition).opening.team_size
        others = selectors.players_of(self.competition.club, active=True).exclude(pk=self.part.player.pk)
        for number in range(2, size + 1):
            label = _("Player %(number)d") % {"number": number}
            self.fields[f"partner{number}"] = forms.ModelChoiceField(
                others, label=label, empty_label=_("Choose a player")
            )
        if size > 1:
            self.fields["name"] = forms.CharField(
                label=_("Name of the team"),
                max_length=100,
                required=False,
                help_text=_("Left empty, it is called by its players."),
            )


class TableForm(OwnForm):
    """Whom one plays with at a table of open play; the key is this form's own, for a second click."""

    key = forms.CharField(max_length=100, widget=forms.HiddenInput)

    def offer(self) -> None:
        """Ask for the others at a table of the usual size."""
        self.fields["key"].initial = uuid4().hex
        stage = log.latest(self.competition).stage
        entries = selectors.entries_of(self.competition).filter(status=Entry.Status.ENTERED)
        if self.part.entry:
            entries = entries.exclude(pk=self.part.entry.pk)
        for number in range(1, stage.plan.table_size if stage else 1):
            self.fields[f"with{number}"] = forms.ModelChoiceField(
                entries,
                label=_("With") if number == 1 else _("And with"),
                required=number == 1,
                empty_label=_("Choose an entry") if number == 1 else _("Nobody else"),
            )

    @property
    def told(self) -> dict[str, Any]:
        """Return the seats: those who were asked begin."""
        asked = [value for name, value in self.cleaned_data.items() if name.startswith("with")]
        mine = [self.part.entry.pk] if self.part.entry else []
        seats: list[UUID] = [*(entry.pk for entry in asked if entry), *mine]
        return {"key": self.cleaned_data["key"], "entries": seats}


@dataclass(frozen=True)
class Verb:
    """Something a player does: its button and what it says, its form, its service."""

    title: Any
    does: Any
    service: Service
    form: type[OwnForm] = OwnForm
    danger: bool = False


VERBS: Final[Mapping[OwnVerb, Verb]] = {
    "enter": Verb(
        gettext_lazy("Enter"), gettext_lazy("Play in this competition."), services.enter_self, EnterForm
    ),
    "check_in": Verb(
        gettext_lazy("I’m here"),
        gettext_lazy("Who has not checked in misses the first round."),
        services.check_in_self,
    ),
    "open_table": Verb(
        gettext_lazy("Open a table"),
        gettext_lazy("A game begins at once. Those whom you ask sit before you."),
        services.open_table_self,
        TableForm,
    ),
    "absent": Verb(
        gettext_lazy("Miss the next round"),
        gettext_lazy("You aren’t drawn in it. You may take that back until it is published."),
        services.absent_self,
        AbsentForm,
    ),
    "present": Verb(
        gettext_lazy("Play after all"),
        gettext_lazy("You are drawn in the round that you were to miss."),
        services.present_self,
        PresentForm,
    ),
    "withdraw": Verb(
        gettext_lazy("Withdraw"),
        gettext_lazy("You play no more from the next round on. What you have played counts."),
        services.withdraw_self,
        ReasonForm,
        danger=True,
    ),
}


@dataclass(frozen=True)
class Offer:
    """A verb that is open to the player now, with its empty form and where that goes."""

    verb: Verb
    form: OwnForm
    address: str


@dataclass(frozen=True)
class Panel:
    """What the page tells a player; ``part`` is None for an account that is no player of the club."""

    part: OwnPart | None
    offers: tuple[Offer, ...]


def panel(request: HttpRequest, competition: Competition) -> Panel | None:
    """Return the own part of whoever is logged in, None for a passer-by."""
    account = spectator_or_account(request)
    if account is None:
        return None
    if permissions.player_in(competition.club_id, account) is None:
        return Panel(None, ())
    part = selectors.own_part(account, competition)
    return Panel(part, tuple(_offer(competition, part, key) for key in VERBS if key in part.may))


def _offer(competition: Competition, part: OwnPart, key: OwnVerb) -> Offer:
    form = VERBS[key].form(competition=competition, part=part, prefix=key)
    return Offer(VERBS[key], form, reverse("own", args=[competition.slug, key]))


@login_required
@require_POST
def act(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Do what the player asks, and lead back to the page; a second click is answered as the first was."""
    competition = get_object_or_404(selectors.competitions(), slug=slug)
    chosen = next((each for key, each in VERBS.items() if key == verb), None)
    if chosen is None:
        raise Http404
    part = selectors.own_part(caller(request), competition)
    form = chosen.form(request.POST, competition=competition, part=part, prefix=verb)
    try:
        if form.is_valid():
            done = chosen.service(by=caller(request), competition=competition, **form.told)
            messages.success(request, _said(request, done.competition, verb))
        else:
            messages.error(request, _wrong(form))
    except Refusal as refusal:
        messages.error(request, refusal.sentence)
    return redirect("competition", slug=slug)


def _wrong(form: OwnForm) -> str:
    """Return each field that is wrong, with what to do about it."""
    return " ".join(
        f"{form.fields[name].label}: {error}" if name in form.fields else str(error)
        for name, errors in form.errors.items()
        for error in errors
    )


def _said(request: HttpRequest, competition: Competition, verb: str) -> str:
    """Return what has come of a verb."""
    entry = selectors.own_part(caller(request), competition).entry
    told = {
        "entered": _("You take part."),
        "applied": _("You have asked for a place. An organiser will answer."),
        "waiting": _("All places are taken: you are on the waiting list."),
    }
    done = {
        "check_in": _("You are checked in."),
        "open_table": _("The table is open."),
        "absent": _("You aren’t drawn in that round."),
        "present": _("You are drawn in that round."),
        "withdraw": _("You have withdrawn."),
    }
    return done[verb] if verb in done else told.get(entry.status if entry else "", "")
