"""The form of a verb, made from the fields that its button declares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.db.models import Case, QuerySet, When
from django.http import Http404
from django.utils.translation import gettext as _

from games.engine import shapes
from games.engine.kinds import Field, ListOf, Record, Shape, Text
from games.engine.textinput import values_in_form
from league.admin.fields import Group, RowField, Rows, RowsField, SearchedSelect, narrow
from league.callers import ByAccount
from league.core.state.competition import Competition as State
from league.core.verb import Button, EntryVerb, Verb
from league.forms import add_errors, fields_of
from league.models import Account, Competition, Entry, Table
from league.queries.competitions import entries_of, state_of
from league.queries.rounds import tables_of_competition
from league.queries.verbs import why_not_chosen
from league.services.verbs import perform
from league.words.messages import translated


@dataclass(frozen=True)
class LongWork:
    """A job that does what a form says: its kind, what it is given, and about how many steps it has."""

    kind: str
    given: Mapping[str, Any]
    total: int


class VerbForm(forms.Form):
    """The form of a verb, which offers only choices that the competition has.

    ``table`` is the id of the table that the verb is about, empty for none. `part` is a template with more
    about what the verb would do.
    """

    part: ClassVar[str] = ""

    def __init__(
        self,
        *args: Any,
        competition: Competition,
        verb: type[Verb],
        button: Button,
        table: str,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.competition, self.verb, self.button = competition, verb, button
        self.its_table = self._get_table(table) if button.tables else None
        self.offer()
        for field in self.fields.values():
            if isinstance(field, Rows):
                field.why_not = self.why_not

    @property
    def state(self) -> State:
        """Return the competition's state according to its log."""
        return state_of(self.competition)

    @cached_property
    def declared(self) -> Mapping[str, Field]:
        """Return the verb's fields that the button declares, by name."""
        fields = {field.name: field for field in shapes.record(self.verb).fields}
        return {name: fields[name] for name in self.button.asks}

    @classmethod
    def possible(cls, competition: Competition, state: State) -> bool:
        """Return whether the form has anything to choose from, apart from what verb and button say."""
        return True

    def offer(self) -> None:
        """Create the fields with their choices."""
        for name, field in self.declared.items():
            self.fields[self._field_name(name)] = self._field(name, field)
        for name in self.button.needs:
            self.fields[name].required = True

    def valid_for_preview(self) -> bool:
        """Return whether what was sent can be previewed; that needs no reason, which then stays empty."""
        reasons = [name for name in ("reason", *self.button.needs) if name in self.fields]
        reasons = [name for name in reasons if self.fields[name].required]
        for name in reasons:
            self.fields[name].required = False
        valid = self.is_valid()
        for name in reasons:
            self.fields[name].required = True
            if valid:
                self.cleaned_data[name] = self.cleaned_data[name] or "…"
        return valid

    def search(self, query: Mapping[str, str]) -> None:
        """Narrow the choices of a form that is opened by what was typed into its search fields."""
        for name, field in self.fields.items():
            narrow(field, query.get(f"find-{name}", ""))

    def _field_name(self, name: str) -> str:
        return "entries" if name == "entry" and self.button.several else name

    def _field(self, name: str, field: Field) -> forms.Field:
        if not _names_entries(field.shape):
            return fields_of(Record(self.verb, (field,)), "", {})[name]
        many = self.button.several or isinstance(field.shape, ListOf)
        label = translated(field.label) or (_("Entries") if many else _("Entry"))
        options = {"queryset": self._entries(), "label": label}
        if many:
            return RowsField(**options)
        widget = forms.RadioSelect if self.its_table else SearchedSelect
        empty = None if self.its_table else "---------"
        return RowField(**options, empty_label=empty, widget=widget)

    def _entries(self) -> Any:
        """Return the entries to choose from: those at the table, or those that the verb applies to."""
        entries = entries_of(self.competition)
        if self.its_table:
            table = self.state.table(str(self.its_table.pk))[2]
            return in_seat_order(entries, self.verb.entries_at(table))
        if issubclass(self.verb, EntryVerb):
            return entries.filter(pk__in=self.verb.candidates(self.state))
        return entries.filter(status=Entry.Status.ENTERED)

    def why_not(self, row: str) -> str:
        """Return why an entry or a player of the club can't be chosen any more; empty for what is neither."""
        return why_not_chosen(self.competition, row)

    @property
    def folded(self) -> Group | None:
        """Return the fields that are rarely needed, which are shown folded; None for none."""
        return None

    @property
    def unfolded(self) -> list[forms.BoundField]:
        """Return the fields that are always shown, and hidden ones."""
        names = {field.name for field in self.folded.fields} if self.folded else set()
        return [field for field in self if field.name not in names]

    @property
    def confirmed(self) -> bool:
        """Return whether the effects of a valid form have been shown, for forms that show them first."""
        return True

    @property
    def empty(self) -> bool:
        """Return whether the form has nothing to choose from; then only `part` is shown."""
        return False

    @property
    def left_out(self) -> str:
        """Return what of a valid form is not carried out, and why; an empty text where all of it is."""
        return ""

    def verbs(self, by: Account) -> Sequence[Verb]:
        """Return the verbs of a valid form: one, or one for each entry; it may write what these need."""
        if self.button.several:
            return [self._verb(entry=str(entry.pk)) for entry in self.cleaned_data["entries"]]
        return [self._verb()]

    def carry_out(self, *, by: Account, seq: int | None = None) -> None:
        """Carry out a valid form's verbs in one transaction; ``seq`` is the log number of the first event."""
        verbs = self.verbs(by)
        if verbs:
            perform(ByAccount(by), competition=self.competition, verb=verbs, seq=seq)

    def long_work(self) -> LongWork | None:
        """Return what a worker must do for a valid form, None where it can be carried out at once."""
        return None

    def _verb(self, **more: Any) -> Verb:
        table = {"table": str(self.its_table.pk)} if self.its_table else {}
        return self.verb(**{**table, **self.values(), **more})

    def values(self) -> dict[str, Any]:
        """Return the verb's fields with their values, as a valid form has them."""
        chosen = {name: field for name, field in self.declared.items() if _names_entries(field.shape)}
        typed = [field for name, field in self.declared.items() if name in self.fields and name not in chosen]
        return {
            **values_in_form(Record(self.verb, tuple(typed)), self.cleaned_data),
            **{
                field.attribute: _ids(self.cleaned_data[name])
                for name, field in chosen.items()
                if name in self.cleaned_data
            },
        }

    def renew(self) -> None:
        """Offer what another organiser has changed meanwhile, for a form that shows what there is."""

    def refuse(self, errors: Mapping[str, Sequence[str]]) -> None:
        """Add a service's errors to the fields that they name, others to the form."""
        add_errors(self, errors)

    def _get_table(self, table: str) -> Table:
        try:
            return tables_of_competition(self.competition).get(pk=UUID(table))
        except (ValueError, Table.DoesNotExist):
            raise Http404 from None


def in_seat_order(entries: QuerySet[Entry], at_table: Sequence[str]) -> QuerySet[Entry]:
    """Return the entries with these ids, in this order."""
    places = [When(pk=entry, then=place) for place, entry in enumerate(at_table)]
    its_entries = entries.filter(pk__in=at_table)
    return its_entries.order_by(Case(*places)) if places else its_entries


def _names_entries(shape: Shape) -> bool:
    each = shape.item if isinstance(shape, ListOf) else shape
    return isinstance(each, Text) and each.reference is not None and each.reference.what == "entry"


def _ids(chosen: Any) -> str | tuple[str, ...]:
    """Return the id of an entry, or the ids of several."""
    return str(chosen.pk) if isinstance(chosen, Entry) else tuple(str(entry.pk) for entry in chosen)
