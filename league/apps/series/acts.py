"""What organisers do with a series and its people on the desk: a form for each act."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.db.models import Q
from django.forms import BoundField
from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import shapes
from games.engine.kinds import Record
from games.engine.messages import filled
from games.engine.refusals import Refusal
from games.engine.textinput import values_in_form
from league import hooks
from league.admin.fields import ChoiceField, Group, PathForm, RadioField, RowField, RowsField, narrow
from league.apps.series import queries
from league.apps.series.core import events as e
from league.apps.series.core.ranking import Prize, Span
from league.apps.series.core.rule import Deduction
from league.apps.series.core.state import Evening
from league.apps.series.core.state import Series as State
from league.apps.series.following import FIRST_DAY, counted_like, known_until, offered_in, taken_back
from league.apps.series.models import Series
from league.forms import fields_of
from league.models import Club
from league.queries.clubs import players_of
from league.services.players import NewPlayer

# ---- Acts ----------------------------------------------------------------------------------------


class DayInput(forms.DateInput):
    """The browser's own field for a day."""

    input_type = "date"


_LABELS: Final = {
    "on": gettext_lazy("Day"),
    "deals": gettext_lazy("Deals of a list"),
    "final": gettext_lazy("It is a final"),
    "field": gettext_lazy("How many played"),
    "low_wins": gettext_lazy("The lowest total wins"),
    "since": gettext_lazy("From"),
    "until": gettext_lazy("Until"),
}


class ActForm(PathForm):
    """What an organiser writes into the log of a series: fields of an event, and what a subclass adds.

    ``evening`` is the one that it is about. ``part`` is a template with more of the form.
    """

    title: ClassVar[Any]
    about: ClassVar[Any] = ""
    event: ClassVar[type[e.Event]]
    asks: ClassVar[tuple[str, ...]] = ()
    danger: ClassVar[bool] = False
    part: ClassVar[str] = ""
    of_evening: ClassVar[bool] = False
    rare: ClassVar[tuple[str, ...]] = ()
    """The fields that are folded."""

    def __init__(
        self, data: Any, files: Any = None, *, series: Series, state: State, evening: Evening | None
    ) -> None:
        super().__init__(data, files)
        self.series, self.club, self.state, self.evening = series, series.club, state, evening
        declared = shapes.record(self.event).fields
        self.record = Record(self.event, tuple(each for each in declared if each.name in self.asks))
        self.fields.update(fields_of(self.record, "", self.now()))
        for name in _LABELS.keys() & self.fields.keys():
            self.fields[name].label = _LABELS[name]
        for name in {"on", "since", "until"} & self.fields.keys():
            self.fields[name].widget = DayInput()
        self.offer()

    @classmethod
    def is_offered(cls, state: State) -> bool:
        """Return whether there is anything to do; closed series are asked for nothing but to go on."""
        return not state.closed

    def now(self) -> Mapping[str, Any]:
        """Return the values that the fields have at first."""
        return {}

    def offer(self) -> None:
        """Add fields, and what they offer."""

    def tick(self, query: QueryDict) -> None:
        """Tick what the address of the page names, and narrow long lists by what was searched."""
        for name, field in self.fields.items():
            narrow(field, query.get(f"find-{name}", ""))

    @property
    def shown(self) -> list[BoundField]:
        """Return the fields that are always open."""
        return [field for field in self if field.name not in self.rare]

    @property
    def folded(self) -> Group:
        """Return those that most organisers need not open."""
        return Group(_("More"), "", self.named(*self.rare), folded=True)

    @property
    def new(self) -> Sequence[NewPlayer]:
        """Return the players whom a valid form adds to the club."""
        return ()

    def values(self) -> dict[str, Any]:
        """Return the values of the event's fields; raises `Malformed`."""
        return values_in_form(self.record, self.cleaned_data)

    def events(self) -> Sequence[e.Event]:
        """Return the events of a valid form; raises `Refusal`."""
        about = {"evening": self.evening.id} if self.evening else {}
        return [self.event(**about, **self.values())]

    def refuse(self, refusal: Refusal) -> None:
        """Add a service's errors to the fields that they name, others to the form."""
        self.show(refusal.errors or {"": [refusal.sentence]})


class Rename(ActForm):
    """Another name."""

    title = gettext_lazy("Rename the series")
    event, asks = e.Renamed, ("name",)

    def now(self) -> Mapping[str, Any]:
        return {"name": self.state.name}


class Close(ActForm):
    """The end of a series."""

    title = gettext_lazy("Close the series")
    about = gettext_lazy(
        "Nothing is added to a closed series, and its rule stays. Corrections of its competitions still "
        "count. You can reopen it."
    )
    event = e.Closed


class Reopen(ActForm):
    """A series that goes on."""

    title = gettext_lazy("Reopen the series")
    event, asks = e.Reopened, ("reason",)

    @classmethod
    def is_offered(cls, state: State) -> bool:
        return state.closed


# ---- People --------------------------------------------------------------------------------------


def players_field(club: Club, *, required: bool = True, here: Collection[str] | None = None) -> RowsField:
    """Return a field with a tick for each player of a club; with ``here`` for these and who has not left."""
    rows = players_of(club).filter(anonymous=False)
    if here is not None:
        rows = rows.filter(Q(active=True) | Q(pk__in=here))
    return RowsField(rows, label=_("Players"), required=required)


class CountPeople(ActForm):
    """Who counts, from when until when."""

    title = gettext_lazy("Count people")
    about = gettext_lazy(
        "They are ranked with the evenings of these days. Everybody may read that; why it is so is never "
        "written."
    )
    event, asks = e.Counted, ("since", "until")

    @classmethod
    def is_offered(cls, state: State) -> bool:
        return super().is_offered(state) and state.ranked == "counted"

    def offer(self) -> None:
        """Offer the club's players."""
        self.fields["players"] = players_field(self.club)

    def values(self) -> dict[str, Any]:
        players = tuple(str(each.pk) for each in self.cleaned_data["players"])
        return {"players": players, "until": None, **super().values()}


class CountLike(ActForm):
    """Those count who are known in the club as something, for as long as they are."""

    title = gettext_lazy("Count whom the club knows as …")
    about = gettext_lazy(
        "From when until when somebody counts is taken over as the club knows it, now and whenever that "
        "changes; nobody else counts. Why somebody counts is never written."
    )
    event = e.Counted

    @classmethod
    def is_offered(cls, state: State) -> bool:
        return CountPeople.is_offered(state) and bool(hooks.KNOWN_AS)

    def offer(self) -> None:
        """Offer what there is in the club."""
        self.groups = offered_in(self.club)
        self.fields["group"] = RadioField(
            label=_("Who counts"), choices=[(key, each.title) for key, each in self.groups.items()]
        )

    @property
    def follows(self) -> str:
        """Return what the series follows from now on."""
        chosen: str = self.cleaned_data["group"]
        return chosen

    def events(self) -> Sequence[e.Event]:
        group, state = self.groups[self.cleaned_data["group"]], self.state
        return counted_like(group, state.counted, state.begins_on, known_until(self.series))


class _Ticked(ActForm):
    """Some of what the log says, each with a tick."""

    def rows(self) -> Sequence[tuple[str, str]]:
        """Return what can be ticked: its place, and its words."""
        raise NotImplementedError

    def offer(self) -> None:
        """Offer all of it."""
        self.fields["rows"] = forms.MultipleChoiceField(
            label=self.title, choices=self.rows(), widget=forms.CheckboxSelectMultiple
        )

    def ticked(self) -> Iterator[int]:
        """Yield the places of what is ticked."""
        yield from map(int, self.cleaned_data["rows"])


class TakeBackCount(_Ticked):
    """People who do not count, as if that had never been said."""

    title = gettext_lazy("Take back who counts")
    event = e.CountTakenBack

    @classmethod
    def is_offered(cls, state: State) -> bool:
        return super().is_offered(state) and bool(state.counted)

    def rows(self) -> Sequence[tuple[str, str]]:
        names = queries.names_of(player for player, _span in self.state.counted)
        return [
            (str(at), f"{names.get(player, '?')}, {in_days(span)}")
            for at, (player, span) in enumerate(self.state.counted)
        ]

    def events(self) -> Sequence[e.Event]:
        spans = [self.state.counted[at] for at in self.ticked()]
        return [*taken_back([(player, span.since) for player, span in spans])]


def in_days(span: Span) -> str:
    """Return from when until when somebody counts, in words."""
    since, until = (date_format(day, "SHORT_DATE_FORMAT") if day else "" for day in (span.since, span.until))
    if span.since <= FIRST_DAY:
        return filled(_("until %(until)s"), {"until": until}) if until else _("from the first evening on")
    return f"{since} – {until}" if until else filled(_("since %(since)s"), {"since": since})


class WinPrize(ActForm):
    """A prize that somebody has won."""

    title = gettext_lazy("Note a prize")
    about = gettext_lazy("A prize that the rule names, or for which something is taken off later evenings.")
    event, asks = e.PrizeWon, ("on", "prize")

    @classmethod
    def is_offered(cls, state: State) -> bool:
        rule = state.rule
        return super().is_offered(state) and bool(rule.without or rule.deduction != Deduction())

    def offer(self) -> None:
        """Offer the club's players, and the prizes that the rule names."""
        players = players_of(self.club).filter(anonymous=False)
        self.fields = {"player": RowField(players, label=_("Player"), empty_label="–"), **self.fields}
        if named := self.state.rule.without:
            self.fields["prize"] = ChoiceField(label=_("Prize"), choices=[(each, each) for each in named])

    def values(self) -> dict[str, Any]:
        return {"player": str(self.cleaned_data["player"].pk), **super().values()}


class TakeBackPrize(_Ticked):
    """Prizes that were not won."""

    title = gettext_lazy("Take back prizes")
    event = e.PrizeTakenBack

    @classmethod
    def is_offered(cls, state: State) -> bool:
        return super().is_offered(state) and bool(state.prizes)

    def rows(self) -> Sequence[tuple[str, str]]:
        names = queries.names_of(each.person for each in self.state.prizes)
        return [(str(at), in_words(each, names)) for at, each in enumerate(self.state.prizes)]

    def events(self) -> Sequence[e.Event]:
        won = [self.state.prizes[at] for at in self.ticked()]
        return [e.PrizeTakenBack(player=each.person, on=each.on.isoformat(), prize=each.name) for each in won]


def in_words(prize: Prize, names: Mapping[str, str]) -> str:
    """Return who won a prize, and when."""
    return f"{names.get(prize.person, '?')}: {prize.name} ({date_format(prize.on, 'SHORT_DATE_FORMAT')})"
