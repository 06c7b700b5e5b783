"""What an organiser can do with a competition: each verb with its form, its words and its service."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.db import transaction
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from league import selectors, services
from league.models import Account, Competition, Entry, Player, Table

PREPARING: Final = ("preparing", "entering")
RUNNING: Final = ("running",)
UNDER_WAY: Final = ("running", "paused")
LIVE: Final = (*PREPARING, *UNDER_WAY)


class ActForm(forms.Form):
    """What a verb asks; subclasses offer only what the competition has."""

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.competition = competition
        self.offer()

    def offer(self) -> None:
        """Limit the choices to those of the competition."""


class _Reason(forms.CharField):
    def __init__(self, *, required: bool = True) -> None:
        help_text = _("Stands in the log for everybody to read.")
        super().__init__(
            label=_("Reason"),
            max_length=500,
            required=required,
            help_text=help_text,
            widget=UnfoldAdminTextInputWidget,
        )


class ReasonForm(ActForm):
    """Why."""

    reason = _Reason()


class PlayersForm(ActForm):
    """Who enters."""

    players = forms.ModelMultipleChoiceField(
        Player.objects.none(), label=_("Players"), widget=UnfoldAdminCheckboxSelectMultipleWidget
    )

    def offer(self) -> None:
        """Offer the club's active players who are not in it yet."""
        entered = Entry.objects.filter(competition=self.competition).exclude(
            status__in=(Entry.Status.WITHDRAWN, Entry.Status.REJECTED)
        )
        free = selectors.players_of(self.competition.club, active=True)
        self.fields["players"].queryset = free.exclude(entered__entry__in=entered)  # type: ignore[attr-defined]


class EntryForm(ActForm):
    """One entry, and why."""

    entry = forms.ModelChoiceField(Entry.objects.none(), label=_("Entry"), widget=UnfoldAdminSelectWidget)
    reason = _Reason(required=False)

    def offer(self) -> None:
        """Offer those who take part."""
        entries = selectors.entries_of(self.competition).filter(status=Entry.Status.ENTERED)
        self.fields["entry"].queryset = entries  # type: ignore[attr-defined]


class PointsForm(EntryForm):
    """One entry, points, and why."""

    points = forms.RegexField(
        r"^-?\d{1,9}(/[1-9]\d{0,8})?$",
        label=_("Points"),
        help_text=_("Added to the total: a whole number or a fraction, such as 2, -1 or -1/2."),
        widget=UnfoldAdminTextInputWidget,
    )
    reason = _Reason()
    field_order = ("entry", "points", "reason")


class TableForm(ActForm):
    """One table, and why."""

    table = forms.ModelChoiceField(Table.objects.none(), label=_("Table"), widget=UnfoldAdminSelectWidget)
    reason = _Reason()

    def offer(self) -> None:
        """Offer the tables of published rounds that count."""
        tables = selectors.tables_of_competition(self.competition).exclude(status=Table.Status.VOID)
        self.fields["table"].queryset = tables  # type: ignore[attr-defined]
        self.fields["table"].label_from_instance = _table_name  # type: ignore[attr-defined]


def _table_name(table: Any) -> str:
    names = ", ".join(seat.player.name for seat in table.seats.all())
    place = {"round": table.round.number, "table": table.number, "names": names}
    return str(_("Round %(round)d, table %(table)d: %(names)s") % place)


Act = Callable[..., object]


@dataclass(frozen=True)
class Verb:
    """Something an organiser does: its button, what it does and how to put it right, its form, its service.

    ``when`` are the competition's states in which it is offered; the service has the last word.
    """

    key: str
    title: Any
    does: Any
    amends: Any
    when: tuple[str, ...]
    act: Act
    form: type[ActForm] = ActForm
    danger: bool = False


@transaction.atomic
def _enter(*, by: Account, competition: Competition, players: Any) -> None:
    for player in players:
        services.enter(by=by, competition=competition, players=[player.pk])


def _of_entry(service: Act) -> Act:
    def act(*, entry: Entry, **told: Any) -> object:
        return service(entry=entry.pk, **told)

    return act


def _void(*, table: Table, **told: Any) -> object:
    return services.void(table=table.pk, **told)


_VERBS: Final = (
    Verb(
        "enter",
        _("Enter players"),
        _("Whoever you tick takes part; after the start, from the next round on."),
        _("An entry can be withdrawn again."),
        LIVE,
        _enter,
        PlayersForm,
    ),
    Verb(
        "open_entries",
        _("Let players enter"),
        _("Players with an account of their own may enter themselves from now on."),
        _("Close the entries again at any time before the start."),
        ("preparing",),
        services.open_entries,
    ),
    Verb(
        "close_entries",
        _("Close entries"),
        _("Only organisers enter anybody from now on."),
        _("You can still enter players yourself."),
        ("entering",),
        services.close_entries,
    ),
    Verb(
        "start",
        _("Start"),
        _("The field stands and the first round can be drawn. With the automatic pace it is drawn at once."),
        _("It can’t be undone, but players can still enter late and entries be withdrawn."),
        PREPARING,
        services.start,
    ),
    Verb(
        "draw",
        _("Draw the round"),
        _("The next round’s tables are proposed. Nobody but organisers sees them before they are published."),
        _("Until it is published, a round can be drawn again."),
        RUNNING,
        services.draw,
    ),
    Verb(
        "publish",
        _("Publish the round"),
        _("Everybody sees the tables, and a game is opened at each of them."),
        _("A published table can’t be drawn again; it can be voided."),
        RUNNING,
        services.publish,
    ),
    Verb(
        "close_round",
        _("Close the round"),
        _("Every table is decided: the round is over."),
        _("Results can still be ruled on and points adjusted afterwards."),
        RUNNING,
        services.close_round,
    ),
    Verb(
        "finish",
        _("Finish"),
        _("The standings become final."),
        _("This can’t be undone."),
        RUNNING,
        services.finish,
    ),
    Verb(
        "withdraw",
        _("Withdraw an entry"),
        _("The entry plays no more from the next round on. What it played counts."),
        _("It can be entered again, as a late entry."),
        LIVE,
        _of_entry(services.withdraw),
        EntryForm,
        danger=True,
    ),
    Verb(
        "adjust",
        _("Adjust points"),
        _("Points are added to or taken from an entry’s total, for everybody to see."),
        _("Adjust once more, by the opposite."),
        UNDER_WAY,
        _of_entry(services.adjust),
        PointsForm,
    ),
    Verb(
        "void",
        _("Void a table"),
        _("The table counts for nobody, as if it had never been drawn."),
        _("This can’t be undone; points can be adjusted."),
        UNDER_WAY,
        _void,
        TableForm,
        danger=True,
    ),
    Verb(
        "pause",
        _("Pause"),
        _("Nothing is drawn, published or closed until it goes on. Open games can be played to their end."),
        _("Let it go on whenever you like."),
        RUNNING,
        services.pause,
        ReasonForm,
    ),
    Verb(
        "resume",
        _("Go on"),
        _("The pause is over."),
        _("It can be paused again."),
        ("paused",),
        services.resume,
    ),
    Verb(
        "cancel",
        _("Cancel"),
        _("The competition ends without a winner. Everything that was played stays to be read."),
        _("This can’t be undone: a new competition would have to be set up."),
        LIVE,
        services.cancel,
        ReasonForm,
        danger=True,
    ),
)

VERBS: Final[Mapping[str, Verb]] = {verb.key: verb for verb in _VERBS}


def offered(competition: Competition) -> list[Verb]:
    """Return what can be done with a competition in its state."""
    return [verb for verb in _VERBS if competition.status in verb.when]
