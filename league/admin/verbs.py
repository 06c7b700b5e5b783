"""What an organiser can do with a competition: each verb with its form, its words and its service."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league import services
from league.admin.verbforms import (
    ActForm,
    EntryForm,
    PlayersForm,
    PointsForm,
    ReasonForm,
    RulingForm,
    TableForm,
)
from league.models import Account, Competition, Entry, Table

PREPARING: Final = ("preparing", "entering")
RUNNING: Final = ("running",)
UNDER_WAY: Final = ("running", "paused")
LIVE: Final = (*PREPARING, *UNDER_WAY)


Act = Callable[..., object]


@dataclass(frozen=True)
class Verb:
    """Something an organiser does: its button, what it does and how to put it right, its form, its service.

    ``when`` are the competition's states in which it is offered, ``steps`` the next steps (none: any); it is
    offered beside each table where ``of_table`` is true. The service has the last word.
    """

    key: str
    title: Any
    does: Any
    amends: Any
    when: tuple[str, ...]
    act: Act
    form: type[ActForm] = ActForm
    danger: bool = False
    steps: tuple[str, ...] = ()
    of_table: bool = False


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
        steps=("draw", "publish"),
    ),
    Verb(
        "publish",
        _("Publish the round"),
        _("Everybody sees the tables, and a game is opened at each of them."),
        _("A published table can’t be drawn again; it can be voided."),
        RUNNING,
        services.publish,
        steps=("publish",),
    ),
    Verb(
        "close_round",
        _("Close the round"),
        _("Every table is decided: the round is over."),
        _("Results can still be ruled on and points adjusted afterwards."),
        RUNNING,
        services.close_round,
        steps=("close_round",),
    ),
    Verb(
        "finish",
        _("Finish"),
        _("The standings become final."),
        _("This can’t be undone."),
        RUNNING,
        services.finish,
        steps=("finish",),
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
        "rule",
        _("Rule on a table"),
        _("This result stands for the table, whatever its games say."),
        _("Rule once more: the last ruling counts."),
        UNDER_WAY,
        services.rule,
        RulingForm,
        of_table=True,
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


def offered(competition: Competition, step: str) -> list[Verb]:
    """Return what can be done with a competition in its state, its next step being this."""
    return [
        verb for verb in _VERBS if competition.status in verb.when and (not verb.steps or step in verb.steps)
    ]
