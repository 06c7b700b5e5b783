"""What a verb of the desk is, and what the forms of verbs have in common."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, TypeAlias
from uuid import UUID

from django import forms
from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextInputWidget

from league import log, selectors
from league.competition.state import Competition as State
from league.log import Appended
from league.models import Competition, Table

PREPARING: Final = ("preparing", "entering")
RUNNING: Final = ("running",)
UNDER_WAY: Final = ("running", "paused")
LIVE: Final = (*PREPARING, *UNDER_WAY)

Act: TypeAlias = Callable[..., object]
Part: TypeAlias = Literal["round", "entries", "competition"]
"""Where on the page of a competition a verb's button stands."""


class ActForm(forms.Form):
    """What a verb asks; subclasses offer only what the competition has.

    ``table`` is the id of the table that the verb was asked for, if one. ``part`` is a template that says
    more of what the verb would do.
    """

    part: ClassVar[str] = ""

    def __init__(self, *args: Any, competition: Competition, table: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.competition, self.asked = competition, table
        self.offer()

    @property
    def state(self) -> State:
        """Return the competition as its log has it."""
        return log.latest(self.competition)

    def offer(self) -> None:
        """Limit the choices to those of the competition; raise Http404 for a table that isn't."""

    @property
    def confirmed(self) -> bool:
        """Return whether a valid form has been shown what it would do."""
        return True

    @property
    def told(self) -> dict[str, Any]:
        """Return what a valid form tells the verb's service."""
        return dict(self.cleaned_data)

    def refuse(self, errors: Mapping[str, list[str]]) -> None:
        """Say why the service refused, at the fields that it names where the form has them."""
        for path, sentences in errors.items():
            name = path.partition(".")[0]
            self.add_error(name if name in self.fields else None, sentences)

    def asked_table(self) -> Table:
        """Return the table that the verb was asked for; raise Http404."""
        try:
            return selectors.tables_of_competition(self.competition).get(pk=UUID(self.asked))
        except (ValueError, Table.DoesNotExist):
            raise Http404 from None


class Reason(forms.CharField):
    """Why something is done."""

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

    reason = Reason()


def always(state: State) -> bool:
    """Return True: whatever has happened."""
    return True


@dataclass(frozen=True)
class Verb:
    """Something an organiser does: its button, what it does and how to put it right, its form, its service.

    ``when`` are the competition's states in which it is offered, ``steps`` the next steps (none: any), and
    ``only`` what its log must say. ``tables`` are the states of a table beside which it is offered; none: it
    is no table's. The service has the last word.
    """

    key: str
    title: Any
    does: Any
    amends: Any
    when: tuple[str, ...]
    act: Act
    form: type[ActForm] = ActForm
    part: Part = "competition"
    danger: bool = False
    steps: tuple[str, ...] = ()
    only: Callable[[State], bool] = always
    tables: tuple[str, ...] = ()


@transaction.atomic
def in_turn(calls: Iterable[Callable[[int | None], Appended]], seq: int | None) -> None:
    """Make several calls, all or none of which stand; with ``seq`` each is written right after the other."""
    for call in calls:
        written = call(seq)
        seq = None if seq is None else seq + len(written.events)
