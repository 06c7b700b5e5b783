"""Who takes part: entering players and teams, approval, check-in, absence, leaving and coming back."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from league import selectors, services
from league.admin.verbs.base import LIVE, PREPARING, Act, ActForm, Reason, Verb, in_turn
from league.competition import commands
from league.competition.state import Competition as State
from league.competition.state import EntryStatus
from league.models import Account, Competition, Entry, Player
from league.templatetags.trefoil import ruleset_key

# ---- Forms ---------------------------------------------------------------------------------------


def _free_players(competition: Competition) -> QuerySet[Player]:
    """Return the club's active players who are not in the competition yet."""
    entered = Entry.objects.filter(competition=competition).exclude(
        status__in=(Entry.Status.WITHDRAWN, Entry.Status.REJECTED)
    )
    return selectors.players_of(competition.club, active=True).exclude(entered__entry__in=entered)


class PlayersForm(ActForm):
    """Who enters; and in which order, where that makes the seeds."""

    players = forms.ModelMultipleChoiceField(
        Player.objects.none(), label=_("Players"), widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    order = forms.ChoiceField(
        label=_("In which order"),
        choices=[("name", _("by name")), ("rating", _("by the club’s rating list, best first"))],
        initial="name",
        help_text=_("The order of entering makes the seeds here."),
        widget=UnfoldAdminRadioSelectWidget,
    )

    def offer(self) -> None:
        """Offer the players who are free."""
        self.fields["players"].queryset = _free_players(self.competition)  # type: ignore[attr-defined]
        if self.state.plans[0].intake.seeding != "order":
            del self.fields["order"]

    @property
    def told(self) -> dict[str, Any]:
        """Return the players in the order in which they enter."""
        players = list(self.cleaned_data["players"])
        if self.cleaned_data.get("order") == "rating":
            listed = selectors.rating_list(self.competition.club, ruleset_key(self.competition.ruleset))
            place = {pk: at for at, pk in enumerate(listed.values_list("player", flat=True))}
            players.sort(key=lambda player: place.get(player.pk, len(place)))
        return {"players": players}


class TeamForm(ActForm):
    """A team that enters: its players in the order of the line-up, and its name."""

    name = forms.CharField(
        label=_("Name of the team"),
        max_length=100,
        required=False,
        help_text=_("Left empty, it is called by its players."),
        widget=UnfoldAdminTextInputWidget,
    )
    affiliation = forms.CharField(
        label=_("Affiliation"),
        max_length=100,
        required=False,
        help_text=_("Draws keep teams of one affiliation apart."),
        widget=UnfoldAdminTextInputWidget,
    )

    def offer(self) -> None:
        """Ask for as many players as a team has."""
        free = _free_players(self.competition)
        self.seats = [f"player.{number}" for number in range(self.state.opening.team_size)]
        for number, name in enumerate(self.seats, 1):
            self.fields[name] = forms.ModelChoiceField(
                free, label=_("Player %(number)d") % {"number": number}, widget=UnfoldAdminSelectWidget
            )

    @property
    def told(self) -> dict[str, Any]:
        """Return the players' ids in order, and what the team is called."""
        players = [self.cleaned_data[name].pk for name in self.seats]
        names = {name: self.cleaned_data[name] for name in ("name", "affiliation")}
        return {"players": players, **names}


class EntriesForm(ActForm):
    """Several entries."""

    statuses: tuple[str, ...] = (Entry.Status.ENTERED,)
    entries = forms.ModelMultipleChoiceField(
        Entry.objects.none(), label=_("Entries"), widget=UnfoldAdminCheckboxSelectMultipleWidget
    )

    def offer(self) -> None:
        """Offer those who are in a state to which the verb applies."""
        entries = selectors.entries_of(self.competition).filter(status__in=self.statuses)
        self.fields["entries"].queryset = entries  # type: ignore[attr-defined]


class AppliedForm(EntriesForm):
    """Several who have asked for a place."""

    statuses = (Entry.Status.APPLIED,)


class RejectForm(AppliedForm):
    """Several who have asked for a place, and why they don't get it."""

    reason = Reason(required=False)


class WaitingForm(EntriesForm):
    """Several of the waiting list."""

    statuses = (Entry.Status.WAITING,)


class GoneForm(EntriesForm):
    """Several who have withdrawn."""

    statuses = (Entry.Status.WITHDRAWN,)


class LeavingForm(EntriesForm):
    """Several who leave, and why."""

    statuses = (Entry.Status.ENTERED, Entry.Status.WAITING, Entry.Status.APPLIED)
    reason = Reason(required=False)


class AbsentForm(EntriesForm):
    """Several who stay away, and why."""

    reason = Reason(required=False)


class PresentForm(EntriesForm):
    """Several who were to stay away."""

    def offer(self) -> None:
        """Offer those who are to miss the next round."""
        away = selectors.entries_of(self.competition).filter(pk__in=commands.away(self.state))
        self.fields["entries"].queryset = away  # type: ignore[attr-defined]


class SubstituteForm(ActForm):
    """Who leaves a line-up, who comes, and why."""

    out = forms.ChoiceField(label=_("Who leaves"), widget=UnfoldAdminSelectWidget)
    into = forms.ModelChoiceField(
        Player.objects.none(), label=_("Who plays instead"), widget=UnfoldAdminSelectWidget
    )
    reason = Reason(required=False)

    def offer(self) -> None:
        """Offer the players of all entries, and those who are free."""
        entries = selectors.entries_of(self.competition).filter(status=Entry.Status.ENTERED)
        self.fields["out"].choices = [  # type: ignore[attr-defined]
            (f"{entry.pk} {member.player_id}", _line(entry, member.player))
            for entry in entries
            for member in entry.members.all()
        ]
        self.fields["into"].queryset = _free_players(self.competition)  # type: ignore[attr-defined]

    @property
    def told(self) -> dict[str, Any]:
        """Return the entry and both players by their ids."""
        entry, out = self.cleaned_data["out"].split()
        told = self.cleaned_data
        return {"entry": entry, "out": out, "into": told["into"].pk, "reason": told["reason"]}


def _line(entry: Entry, player: Player) -> str:
    return entry.name if entry.name == player.name else f"{entry.name}: {player.name}"


# ---- What they do --------------------------------------------------------------------------------


def enter_each(
    *, by: Account, competition: Competition, players: Sequence[Player], seq: int | None = None
) -> None:
    """Enter several players, each as an entry, all or none."""
    verb = partial(services.enter, by=by, competition=competition)
    in_turn([partial(_at, verb, players=[player.pk]) for player in players], seq)


def _each(service: Act) -> Act:
    """Return the verb for several entries at once, all or none."""

    def act(
        *, by: Account, competition: Competition, entries: Sequence[Entry], seq: int | None, **told: Any
    ) -> None:
        verb = partial(service, by=by, competition=competition, **told)
        in_turn([partial(_at, verb, entry=entry.pk) for entry in entries], seq)

    return act


def _at(verb: Act, seq: int | None, **told: Any) -> Any:
    return verb(seq=seq, **told)


# ---- When they are offered -----------------------------------------------------------------------


def alone(state: State) -> bool:
    """Return whether an entry is one player."""
    return state.opening.lineup == "single"


def _in_teams(state: State) -> bool:
    return not alone(state)


def _some(status: EntryStatus) -> Any:
    def found(state: State) -> bool:
        return any(entry.status == status for entry in state.entries)

    return found


def _some_away(state: State) -> bool:
    return bool(commands.away(state))


def _checks_in(state: State) -> bool:
    return state.opening.entering.check_in


VERBS: Final = (
    Verb(
        "enter",
        _("Enter players"),
        _("Whoever you tick takes part; after the start, from the next round on."),
        _("An entry can be withdrawn again."),
        LIVE,
        enter_each,
        PlayersForm,
        part="entries",
        only=alone,
    ),
    Verb(
        "enter_team",
        _("Enter a team"),
        _("The team takes part; after the start, from the next round on."),
        _("An entry can be withdrawn again."),
        LIVE,
        services.enter,
        TeamForm,
        part="entries",
        only=_in_teams,
    ),
    Verb(
        "approve",
        _("Approve"),
        _("Whoever you tick takes part, or joins the waiting list where all places are taken."),
        _("An entry can be withdrawn again."),
        PREPARING,
        _each(services.approve),
        AppliedForm,
        part="entries",
        only=_some("applied"),
    ),
    Verb(
        "reject",
        _("Turn away"),
        _("Whoever you tick does not take part."),
        _("You can still enter them yourself."),
        LIVE,
        _each(services.reject),
        RejectForm,
        part="entries",
        danger=True,
        only=_some("applied"),
    ),
    Verb(
        "admit",
        _("Admit from the waiting list"),
        _("Whoever you tick takes a place that is free; after the start, from the next round on."),
        _("An entry can be withdrawn again."),
        LIVE,
        _each(services.admit),
        WaitingForm,
        part="entries",
        only=_some("waiting"),
    ),
    Verb(
        "check_in",
        _("Check in"),
        _("Whoever you tick is there. Who isn’t at the start misses the first round."),
        _("Mark somebody absent who has left again."),
        PREPARING,
        _each(services.check_in),
        EntriesForm,
        part="entries",
        only=_checks_in,
    ),
    Verb(
        "absent",
        _("Absent from the next round"),
        _("Whoever you tick is not drawn in the next round. A draw that stands there falls away."),
        _("Until the round is published: “There after all”."),
        LIVE,
        _each(services.absent),
        AbsentForm,
        part="entries",
        only=_some("entered"),
    ),
    Verb(
        "present",
        _("There after all"),
        _("Whoever you tick plays in the next round. A draw that stands there falls away."),
        _("Mark them absent again."),
        LIVE,
        _each(services.present),
        PresentForm,
        part="entries",
        only=_some_away,
    ),
    Verb(
        "substitute",
        _("Substitute"),
        _("Somebody else plays from the next round on. All results stay the entry’s."),
        _("Substitute once more, the other way round."),
        LIVE,
        services.substitute,
        SubstituteForm,
        part="entries",
        only=_some("entered"),
    ),
    Verb(
        "withdraw",
        _("Withdraw"),
        _("Whoever you tick plays no more from the next round on. What they played counts."),
        _("Let them come back: the button for it stands here afterwards."),
        LIVE,
        _each(services.withdraw),
        LeavingForm,
        part="entries",
        danger=True,
    ),
    Verb(
        "return",
        _("Come back"),
        _("Whoever you tick plays again from the next round on."),
        _("They can be withdrawn again."),
        LIVE,
        _each(services.return_entry),
        GoneForm,
        part="entries",
        only=_some("withdrawn"),
    ),
)
