"""What an organiser does with a round: drawing, exchanging seats, publishing, its deadline, closing."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from games.engine.refusals import Illegal
from league import formats, selectors, services
from league.admin.fields import lasting
from league.admin.quality import Compared, compared
from league.admin.verbs.base import RUNNING, UNDER_WAY, ActForm, Reason, Verb
from league.competition import fold
from league.competition.events import SeatsMoved
from league.competition.state import Competition as State
from league.competition.state import Round, Stage
from league.formats.weighing import weighed
from league.models import Account, Competition, Entry

# ---- Forms ---------------------------------------------------------------------------------------


class Deadline(forms.DateTimeField):
    """Until when a round is to be played, in the zone of the club; a browser's own field for it."""

    def __init__(self) -> None:
        super().__init__(
            label=_("To be played until"),
            required=False,
            help_text=_("In the club’s time. Left empty: as long as it takes."),
            widget=UnfoldAdminTextInputWidget(attrs={"type": "datetime-local"}),
        )

    def prepare_value(self, value: Any) -> Any:
        """Return a time as the browser's field takes it."""
        prepared = super().prepare_value(value)
        return f"{prepared:%Y-%m-%dT%H:%M}" if hasattr(prepared, "hour") else prepared


class PublishForm(ActForm):
    """Until when the round is to be played."""

    deadline = Deadline()

    def offer(self) -> None:
        """Say what stands where nothing is typed."""
        plan = self.state.stage.plan if self.state.stage else None
        if plan and plan.hours:
            told = {"time": lasting(plan.hours * 60 * 60)}
            self.fields["deadline"].help_text = _("In the club’s time. Left empty: %(time)s from now.") % told


class DeadlineForm(ActForm):
    """Until when the round is to be played from now on, and why."""

    deadline = Deadline()
    reason = Reason(required=False)

    def offer(self) -> None:
        """Show the deadline that stands."""
        latest = selectors.rounds_of(self.competition).first()
        self.fields["deadline"].initial = latest.deadline if latest else None


class CloseForm(ActForm):
    """Why tables that are still open count for nobody."""

    void_undecided = Reason(required=False)


class OpenTableForm(ActForm):
    """Who plays at a table of open play, in the order of entering."""

    entries = forms.ModelMultipleChoiceField(
        Entry.objects.none(), label=_("Who plays"), widget=UnfoldAdminCheckboxSelectMultipleWidget
    )

    def offer(self) -> None:
        """Offer those who take part."""
        entries = selectors.entries_of(self.competition).filter(status=Entry.Status.ENTERED)
        self.fields["entries"].queryset = entries  # type: ignore[attr-defined]

    @property
    def told(self) -> dict[str, Any]:
        """Return the entries by their ids."""
        return {"entries": [entry.pk for entry in self.cleaned_data["entries"]]}


class MoveSeatForm(ActForm):
    """Two entries that change places, shown first what it costs; then why."""

    part = "admin/competition_swap.html"

    one = forms.ChoiceField(label=_("This entry"), widget=UnfoldAdminSelectWidget)
    other = forms.ChoiceField(label=_("changes places with"), widget=UnfoldAdminSelectWidget)
    reason = Reason()
    weighed = forms.CharField(required=False, widget=forms.HiddenInput)

    comparison: Compared | None = None

    def offer(self) -> None:
        """Offer everybody of the proposal, table by table."""
        names = {entry.id: entry.name for entry in self.state.entries}
        found = _proposal(self.state)
        places = _places(found[1], names) if found else []
        for name in ("one", "other"):
            self.fields[name].choices = places  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Weigh the exchange; refuse one that the competition would."""
        told: dict[str, Any] = super().clean() or {}
        found = _proposal(self.state)
        if found and "one" in told and "other" in told:
            try:
                self.comparison = _weighed_exchange(self.state, *found, (told["one"], told["other"]))
            except Illegal as refusal:
                self.add_error("other", refusal.sentence)
        return told

    @property
    def confirmed(self) -> bool:
        """Return whether the costs of just this exchange have been shown; from now on they are."""
        pair = " ".join((self.cleaned_data["one"], self.cleaned_data["other"]))
        shown = bool(self.cleaned_data["weighed"] == pair)
        self.data = {**self.data.dict(), "weighed": pair}  # type: ignore[attr-defined]
        return shown

    @property
    def ask(self) -> Any:
        """Return what the button says: first it shows the costs."""
        if self.comparison is None:
            return _("See what it costs")
        return _("Exchange them all the same") if self.comparison.worse else _("Exchange them")

    @property
    def told(self) -> dict[str, Any]:
        """Return the round and the exchange, and why."""
        told, found = self.cleaned_data, _proposal(self.state)
        stage, number = (found[0].number, found[1].number) if found else (0, 0)
        swaps = [(told["one"], told["other"])]
        return {"stage": stage, "round": number, "swaps": swaps, "reason": told["reason"]}


def _proposal(state: State) -> tuple[Stage, Round] | None:
    """Return the round that is drawn and not published, with its stage."""
    stage = state.stage
    if stage is None or stage.open_round is None or stage.open_round.status != "drawn":
        return None
    return stage, stage.open_round


def _places(proposal: Round, names: dict[str, str]) -> list[tuple[str, str]]:
    """Return the choices of an exchange: each entry with its table, then those without one."""
    seated = [
        (entry, _("table %(table)d: %(name)s") % {"table": number, "name": names[entry]})
        for number, table in enumerate(proposal.tables, 1)
        for entry in table.entries
    ]
    resting = [(entry, _("no table: %(name)s") % {"name": names[entry]}) for entry in proposal.byes]
    return list(dict(seated + resting).items())


def _weighed_exchange(state: State, stage: Stage, proposal: Round, swap: tuple[str, str]) -> Compared:
    """Return what a proposal costs before and after an exchange; raise `Illegal` where it cannot be."""
    event = SeatsMoved(stage.number, proposal.number, (swap,), "weighed")
    after = _proposal(fold.apply(state, event))
    assert after is not None
    names = {entry.id: entry.name for entry in state.entries}
    return compared(weighed(state, stage, proposal), weighed(state, after[0], after[1]), names)


# ---- What they do, and when ----------------------------------------------------------------------


def _open_table(*, by: Account, competition: Competition, entries: Any, seq: int | None = None) -> object:
    # Where the page was shown names the table, so that a double click opens one.
    key = f"desk {by.pk} {seq}"
    return services.open_table(by=by, competition=competition, entries=entries, key=key)


def _is_drawn(state: State) -> bool:
    return _proposal(state) is not None


def _is_open(state: State) -> bool:
    """Return whether tables are opened one by one in the round that is played."""
    stage = state.stage
    return bool(stage and stage.open_round and formats.find(stage.plan.format).open_tables) and not _is_drawn(
        state
    )


def _is_played(state: State) -> bool:
    stage = state.stage
    return bool(stage and stage.open_round and stage.open_round.status == "published")


VERBS: Final = (
    Verb(
        "draw",
        _("Draw the round"),
        _("The next round’s tables are proposed. Nobody but organisers sees them before they are published."),
        _("Until it is published, a round can be drawn again."),
        RUNNING,
        services.draw,
        part="round",
        steps=("draw",),
    ),
    Verb(
        "redraw",
        _("Draw again"),
        _("The tables are drawn anew, by other lots. This draw falls away, exchanges and all."),
        _("It stays in the log, but doesn’t come back: exchange seats where you want some of it again."),
        RUNNING,
        services.draw,
        part="round",
        danger=True,
        steps=("publish",),
    ),
    Verb(
        "move_seat",
        _("Exchange two seats"),
        _("Two entries change places in the draw. What was drawn stays in the log beside it."),
        _("Exchange them once more, or draw the round again."),
        RUNNING,
        services.move_seat,
        MoveSeatForm,
        part="round",
        steps=("publish",),
        only=_is_drawn,
    ),
    Verb(
        "publish",
        _("Publish the round"),
        _("Everybody sees the tables, and a game is opened at each of them."),
        _("A published table can’t be drawn again; it can be voided."),
        RUNNING,
        services.publish,
        PublishForm,
        part="round",
        steps=("publish",),
    ),
    Verb(
        "set_deadline",
        _("Set the deadline"),
        _("The round that is played is to be played until then. All players see it."),
        _("Set it anew at any time."),
        UNDER_WAY,
        services.set_deadline,
        DeadlineForm,
        part="round",
        only=_is_played,
    ),
    Verb(
        "open_table",
        _("Open a table"),
        _("Those you tick play a game at once; the first of them begins."),
        _("The table can be voided."),
        RUNNING,
        _open_table,
        OpenTableForm,
        part="round",
        only=_is_open,
    ),
    Verb(
        "close_round",
        _("Close the round"),
        _("Every table is decided: the round is over."),
        _("Results can still be ruled on and points adjusted afterwards."),
        RUNNING,
        services.close_round,
        part="round",
        steps=("close_round",),
    ),
    Verb(
        "close_early",
        _("Close the round early"),
        _("The round is over. Tables that are not decided count for nobody, for the reason that you give."),
        _("A table can still be ruled on afterwards: a ruling replaces the void."),
        RUNNING,
        services.close_round,
        CloseForm,
        part="round",
        danger=True,
        steps=("play", "rule"),
        only=_is_played,
    ),
)
