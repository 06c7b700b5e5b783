"""The form with which a club makes a game from a copy: made from the definition, errors at their fields."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import shapes
from games.engine.jsontypes import Json, JsonObject
from games.engine.kinds import Field, Record
from games.engine.messages import filled
from games.engine.textinput import record_in_form
from games.rules.card_game import copying, ruleset_of
from games.rules.card_game.definition import MOST, Check, Definition, Options, Worth, Written
from games.rules.card_game.examples import scoring_example
from games.rules.card_game.formula import worked_out
from games.rules.card_game.score_card import numbers
from league.admin.fields import Group, PathForm, RowField, offer_clubs
from league.forms import NumberField, fields_of
from league.models import Club
from league.words.messages import translated

WHOLE: Final = shapes.without(shapes.record(Definition), {"fields", "steps", "score", "checks"})
CHECK: Final = shapes.without(shapes.record(Check), {"of"})
_NAMED: Final = ("club", "title", "summary", "source")
_SEATED: Final = ("seats", "sides", "players")
_ENDED: Final = (*("deals", "rounds_of_dealers", "target", "level_at_target", "may_end", "low_wins"),)
ADDS_UP: Final = "adds_up"
INSTEAD: Final = "instead"
DOUBTED: Final = "doubted"
JSON: Final = "definition"
ROWS_SHOWN: Final = 3


@dataclass(frozen=True)
class Part:
    """A part of a definition whose fields a form asks: the beginning of its path, and what it holds now."""

    prefix: str
    record: Record
    filled: Mapping[str, Any]


def _parts(game: Definition) -> Iterator[Part]:
    yield Part("", WHOLE, shapes.filled(game))
    for at, each in enumerate(game.fields):
        unasked = {"name", "per", "kind", "values", "needed_with"}
        unasked |= set() if each.kind == "number" else {"least", "most"}
        yield Part(f"fields.{at}.", shapes.without(shapes.record(Written), unasked), shapes.filled(each))
        for place, value in enumerate(each.values):
            yield Part(f"fields.{at}.values.{place}.", shapes.record(Worth), shapes.filled(value))
    for at, check in enumerate(game.checks):
        yield Part(f"checks.{at}.", CHECK, shapes.filled(check))


class CopyForm(PathForm):
    """All that can be changed in a copy of a game; what its formula does stays, its numbers do not.

    Words that come with the server are shown in the reader's language, and stay as they are where nobody
    changes them. A changed definition under *More* counts instead of all fields.
    """

    in_doubt: Sequence[forms.BoundField] = ()
    """Fields with old numbers, about which it asks before the game is kept."""
    club = RowField(
        Club.objects.none(), label=gettext_lazy("Club"), empty_label=gettext_lazy("Choose a club")
    )

    def __init__(self, data: Any, *, game: Definition, clubs: Any, former: bool) -> None:
        super().__init__(data)
        self.game, self.parts, self.formula = game, [*_parts(game)], copying.numbers(game)
        offer_clubs(self.fields["club"], clubs)
        for part in self.parts:
            shown = {each.name: _shown(each, part.filled[each.name]) for each in part.record.fields}
            self.fields.update(fields_of(part.record, part.prefix, shown))
        for at, check in enumerate(game.checks):
            asked = self.fields[f"checks.{at}.one_of"]
            asked.label, asked.required = _("%(name)s may be") % {"name": check.of}, False
        for number in self._numbers():
            self.fields[number.paths[0]] = NumberField(
                label=number.told, min_value=-MOST, max_value=MOST, initial=number.value
            )
        if not copying.adds_up(game):
            self.fields[ADDS_UP] = forms.CharField(
                label=gettext_lazy("The points of a deal add up to"),
                required=False,
                help_text=gettext_lazy("For example 0, or 26; 78. Leave it empty if nothing is checked."),
            )
        if former:
            self.fields[INSTEAD] = forms.BooleanField(
                label=gettext_lazy("In place of the game that is copied, which is retired"),
                required=False,
                initial=True,
            )
        self.fields[JSON] = forms.CharField(
            label=gettext_lazy("The whole definition"),
            widget=forms.Textarea({"rows": 20, "spellcheck": "false"}),
            initial=json.dumps(shapes.write(game), indent=1, ensure_ascii=False),
            help_text=gettext_lazy("If you change it here, this counts, and not the fields above."),
        )

    def label_numbers(self) -> None:
        """Let the labels of a valid form tell the numbers that were typed."""
        for number in self._numbers():
            self.fields[number.paths[0]].label = number.telling(self.cleaned_data[number.paths[0]])

    def show_made(self, made: Definition) -> None:
        """Show the sentences with the numbers of a copy, and say where its texts may no longer fit."""
        for name in self.doubted(made):
            self[name].help_text = _("Numbers have changed, and this still has the old ones: does it fit?")
        told = copying.retold(self.game, made)
        if made.steps != self.game.steps and made.summary == self.game.summary:
            self["summary"].help_text = _(
                "Numbers have changed, and this is still the text of the game that is copied: does it fit?"
            )
        if len(told) == len(self.formula):
            pairs = zip(told, self.formula, strict=True)
            self.formula = [(sentence, its) for sentence, (_before, its) in pairs]

    def doubted(self, made: Definition) -> Iterator[str]:
        """Yield the texts with numbers that nobody has changed while numbers did that they may tell."""
        for before, after in zip(self.parts, _parts(made), strict=False):
            kinds = {each.name: each.shape.kind for each in before.record.fields}
            texts = {name for name in kinds if kinds[name] == "text" and name in self.named_in(before)}
            changed = made.steps != self.game.steps or any(
                before.filled[name] != after.filled[name] for name in kinds if kinds[name] != "text"
            )
            for name in sorted(texts) if changed and before.prefix == after.prefix else ():
                text = before.filled[name]
                if text == after.filled[name] and any(map(str.isdigit, str(text))):
                    yield f"{before.prefix}{name}"

    def named_in(self, part: Part) -> set[str]:
        """Return the names of a part's fields that the form asks."""
        return {each.name for each in part.record.fields if f"{part.prefix}{each.name}" in self.fields}

    def _numbers(self) -> list[copying.Number]:
        return [number for _sentence, its in self.formula for number in its]

    # ---- As it is shown ---------------------------------------------------------------------------

    @property
    def groups(self) -> list[Group]:
        """Return the fields with titles, in the order of a game: who plays, how long, what is written."""
        groups = [
            Group(_("Name"), "", self.named(*_NAMED, INSTEAD)),
            Group(_("Players and tables"), "", self.named(*_SEATED)),
            Group(_("End and winner"), "", self.named(*_ENDED)),
        ]
        for at, each in enumerate(self.game.fields):
            about = _("Written once in a deal.") if each.per == "deal" else ""
            groups.append(Group(translated(each.title), about, self.under(f"fields.{at}.")))
        checks = [*self.under("checks."), *self.named(ADDS_UP)]
        return [*groups, Group(_("What a deal must fulfil"), _("Empty numbers are not checked."), checks)]

    @property
    def sentences(self) -> list[Group]:
        """Return the numbers of the formula, each below its sentence."""
        return [
            Group(translated(sentence), "", self.named(*(number.paths[0] for number in its)))
            for sentence, its in self.formula
        ]

    @property
    def wrong(self) -> list[forms.BoundField]:
        """Return the fields with errors."""
        return [field for field in self if field.errors]

    # ---- As it is sent ----------------------------------------------------------------------------

    def clean(self) -> Any:
        """Refuse another number of deals where it would not count, since each dealer's deals are counted."""
        values, dealers = super().clean() or self.cleaned_data, self.game.rounds_of_dealers
        same = values.get("rounds_of_dealers") == dealers
        if dealers and same and values.get("deals") not in (None, self.game.deals):
            label = self.fields["rounds_of_dealers"].label
            sentence = _("“%(field)s” counts instead: change that, or write 0 there.") % {"field": label}
            self.add_error("deals", sentence)
        return values

    def clean_definition(self) -> Json:
        """Return the JSON that was typed, None where it is as it was shown."""
        try:
            typed: Json = json.loads(self.cleaned_data[JSON])
        except ValueError:
            raise forms.ValidationError(_("This is no JSON.")) from None
        return None if typed == json.loads(self.fields[JSON].initial) else typed

    def clean_adds_up(self) -> list[int]:
        """Return the numbers to one of which the points of a deal must add up."""
        try:
            return [
                int(each) for each in self.cleaned_data[ADDS_UP].replace("−", "-").replace(";", " ").split()
            ]
        except ValueError:
            raise forms.ValidationError(_("Write whole numbers, separated by semicolons.")) from None

    def made(self) -> Any:
        """Return the JSON of the game that a valid form describes; nobody has judged it yet."""
        if self.cleaned_data[JSON] is not None:
            return self.cleaned_data[JSON]
        values: dict[str, Json] = {}
        for part in self.parts:
            typed = record_in_form(part.record, part.prefix, self.cleaned_data)
            for field in part.record.fields:
                values[f"{part.prefix}{field.name}"] = _kept(field, part.filled[field.name], typed)
        for number in self._numbers():
            values |= dict.fromkeys(number.paths, self.cleaned_data[number.paths[0]])
        whole: Any = copying.changed(self.game, values)
        whole["checks"] = [each for each in whole["checks"] if each["one_of"]]
        if to := self.cleaned_data.get(ADDS_UP):
            says = filled(
                _("The points of a deal add up to %(numbers)s."), {"numbers": "; ".join(map(str, to))}
            )
            return copying.adding_up(whole, to, says)
        return whole


def _shown(field: Field, value: Json) -> Json:
    """Return a value as it is shown: a text that comes with the server in the reader's language."""
    return translated(value) if isinstance(value, str) and field.shape.kind == "text" else value


def _kept(field: Field, before: Json, typed: JsonObject) -> Json:
    """Return what was typed for a field, an unchanged text as it was; what is usual for no number."""
    blank: Json = {"text": "", "list": []}.get(field.shape.kind, field.usual)
    value = typed.get(field.name, blank)
    return before if value == _shown(field, before) else value


# ---- What it looks like --------------------------------------------------------------------------


@dataclass(frozen=True)
class Preview:
    """The beginning of a game's printed sheet, and a deal that can be: what is written and what it scores."""

    heading: str
    rows: Sequence[tuple[int, str, str]]
    legend: Sequence[str]
    formula: Sequence[str]
    deal: str
    scores: Sequence[int]


def preview(game: Definition) -> Preview:
    """Return the preview of a game that can be played."""
    ruleset, seats = ruleset_of(game), game.seats[0]
    form = ruleset.form(Options(game))
    found = scoring_example(game, seats)
    deal, scores = "", tuple[int, ...]()
    if found is not None:
        result: Any = shapes.read(ruleset.result, found)
        deal = translated(ruleset.in_words(result))
        scores = worked_out(game, seats, 1, numbers(game, seats, result))[game.score]
    return Preview(
        translated(form.heading),
        [(row.round, translated(row.task), translated(row.hint)) for row in form.rows[:ROWS_SHOWN]],
        [translated(each) for each in form.legend],
        [translated(each) for each in ruleset.explained],
        deal,
        scores,
    )
