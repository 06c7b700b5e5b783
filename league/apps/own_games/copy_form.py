"""The form with which a club makes a game from a copy: made from the definition, errors at their fields.

What the form is made from, the *draft*, is sent with it: the game that is copied, with the fields of a deal
and the lines of the formula that were added or taken away since.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.engine import shapes
from games.engine.jsontypes import Json, JsonObject
from games.engine.kinds import Field, Record, Text
from games.engine.messages import filled
from games.engine.textinput import in_ascii, record_in_form
from games.rules.card_game import copying
from games.rules.card_game.definition import KINDS, OFTEN, Check, Definition, Worth, Written
from games.rules.card_game.telling import title_of
from league.admin.fields import Group, PathForm, RowField, offer_clubs
from league.apps.own_games import formula_form
from league.apps.own_games.formula_form import SPARE, Line, Made, Reader, rows_shown
from league.forms import fields_of
from league.models import Club
from league.words.messages import translated

WHOLE: Final = shapes.without(shapes.record(Definition), {"fields", "steps", "score", "checks"})
CHECK: Final = shapes.record(Check)
NEW: Final = shapes.without(
    shapes.record(Written),
    {each.name for each in shapes.record(Written).fields} - {"title", "kind", "per"},
)
WORTH: Final = shapes.record(Worth)
_NAMED: Final = ("club", "title", "summary", "source")
_SEATED: Final = ("seats", "sides", "players")
_ENDED: Final = (
    *("deals", "rounds_of_dealers", "target", "several_at_target", "level_at_target"),
    *("may_end", "low_wins"),
)
ADDS_UP: Final = "adds_up"
INSTEAD: Final = "instead"
TICKED_FOR: Final = "ticked_for"
"""The name for which *instead* was ticked beforehand."""
DOUBTED: Final = "doubted"
JSON: Final = "definition"
DRAFT: Final = "draft"
NEW_FIELD: Final = "new."
NEW_LINE: Final = "line."


@dataclass(frozen=True)
class Part:
    """A part of a definition whose fields a form asks: the beginning of its path, and what it holds now."""

    prefix: str
    record: Record
    filled: Mapping[str, Any]


@dataclass(frozen=True)
class FieldGroup(Group):
    """The fields of something that is written, which can be taken away by its path."""

    path: str = ""
    told: str = ""
    is_new: bool = False


def _parts(game: Definition) -> Iterator[Part]:
    yield Part("", WHOLE, shapes.filled(game))
    for at, each in enumerate(game.fields):
        unasked = {"name", "values", "needed_with"} | (set() if each.kind == "number" else {"least", "most"})
        yield Part(f"fields.{at}.", shapes.without(shapes.record(Written), unasked), shapes.filled(each))


def _rows(game: Definition, typed: Mapping[str, Any]) -> Iterator[Part]:
    """Yield rows of which empty ones are left out: the values of choices, and checks."""
    choices = {
        f"fields.{at}.values.": each.values for at, each in enumerate(game.fields) if each.kind == "choice"
    }
    for prefix, record, rows, spare in (
        *((prefix, WORTH, values, SPARE) for prefix, values in choices.items()),
        ("checks.", CHECK, game.checks, 1),
    ):
        for place in range(rows_shown(typed, prefix, len(rows), spare)):
            known = shapes.filled(rows[place]) if place < len(rows) else {}
            yield Part(f"{prefix}{place}.", record, known)


class CopyForm(PathForm):
    """All that can be changed in a copy of a game.

    Words that come with the server are shown in the reader's language, and stay as they are where nobody
    changes them. A changed definition under *More* counts instead of all fields but the name.
    """

    in_doubt: Sequence[forms.BoundField] = ()
    """Fields with old numbers, about which it asks before the game is kept."""
    whole: Any = None
    """The JSON of the game that a valid form describes; nobody has judged it yet."""
    formula = Made()
    club = RowField(
        Club.objects.none(), label=gettext_lazy("Club"), empty_label=gettext_lazy("Choose a club")
    )

    def __init__(
        self,
        data: Any,
        *,
        game: Definition,
        clubs: Any,
        former: bool,
        instead: bool = False,
        initial: Any = None,
    ) -> None:
        """Offer to retire a ``former`` game of the club; that is ticked beforehand if it is ``instead``."""
        super().__init__(data, initial=initial)
        self.sent = self.data or self.initial
        self.game, self.parts, self.rows = game, [*_parts(game)], [*_rows(game, self.sent)]
        offer_clubs(self.fields["club"], clubs)
        for part in self.parts:
            self.fields.update(_asked(part))
        for part in self.rows:
            self.fields.update(_asked(part, required=False))
        for at, step in enumerate(game.steps):
            self.fields.update(formula_form.fields_of_line(at, step, self.sent))
        self.fields["score"] = forms.ChoiceField(
            label=gettext_lazy("A seat’s points of a deal"), choices=self._values(), initial=game.score
        )
        self.fields.update(fields_of(NEW, NEW_FIELD, {"title": ""}))
        for name in [*self.fields]:
            if name.startswith(NEW_FIELD):
                self.fields[name].required, self.fields[name].help_text = False, ""
        self.fields[f"{NEW_LINE}name"] = forms.CharField(
            label=gettext_lazy("Name"), required=False, max_length=60
        )
        self.fields[f"{NEW_LINE}kind"] = forms.ChoiceField(
            label=gettext_lazy("How it is worked out"), choices=formula_form.KINDS, required=False
        )
        self._add_last(former=former, instead=instead)

    def _add_last(self, *, former: bool, instead: bool) -> None:
        if not copying.adds_up(self.game):
            self.fields[ADDS_UP] = forms.CharField(
                label=gettext_lazy("The points of a deal add up to"),
                required=False,
                help_text=gettext_lazy("For example 0, or 26; 78. Leave it empty if nothing is checked."),
            )
        if former:
            self.fields[INSTEAD] = forms.BooleanField(
                label=gettext_lazy("In place of the game that is copied, which is retired"),
                required=False,
                initial=instead,
            )
            self.fields[TICKED_FOR] = forms.CharField(
                widget=forms.HiddenInput, initial=instead and self.game.title, required=False
            )
        whole = shapes.write(self.game)
        self.fields[DRAFT] = forms.CharField(
            widget=forms.HiddenInput, initial=json.dumps(whole), required=False
        )
        self.fields[JSON] = forms.CharField(
            label=gettext_lazy("The whole definition"),
            widget=forms.Textarea({"rows": 20, "spellcheck": "false"}),
            initial=json.dumps(whole, indent=1, ensure_ascii=False),
            help_text=gettext_lazy(
                "If you change it here, this counts, and of the fields above only the name."
            ),
        )

    def _values(self) -> list[tuple[str, str]]:
        """Return the values that can be the score, by their names in the draft, as they are called now."""
        lines = [
            (each.name, str(self.sent.get(f"steps.{at}.name") or title_of(each.name)))
            for at, each in enumerate(self.game.steps)
        ]
        titles = [
            (each.name, str(self.sent.get(f"fields.{at}.title") or translated(each.title)))
            for at, each in enumerate(self.game.fields)
            if each.kind != "player"
        ]
        known = [*lines, *titles]
        score = self.sent.get("score", self.game.score)
        return known if score in dict(known) else [("", _("Choose what counts")), *known]

    def say(self, lacking: Mapping[str, str]) -> None:
        """Show errors of a form that was not sent to be judged."""
        self.full_clean()
        self.cleaned_data = {}
        for name, sentence in lacking.items():
            self.add_error(name, sentence)

    def show_made(self, made: Definition) -> None:
        """Say where the texts of a copy may no longer fit its numbers."""
        for name in self.doubted(made):
            self[name].help_text = _("Numbers have changed, and this still has the old ones: does it fit?")
        if made.steps != self.game.steps and made.summary == self.game.summary:
            self["summary"].help_text = _(
                "Numbers have changed, and this is still the text of the game that is copied: does it fit?"
            )

    def doubted(self, made: Definition) -> Iterator[str]:
        """Yield the texts with numbers that nobody has changed while numbers did that they may tell."""
        for before, after in zip(self._told(self.game), self._told(made), strict=False):
            kinds = {each.name: each.shape.kind for each in before.record.fields}
            texts = {name for name in kinds if kinds[name] == "text" and name in self.named_in(before)}
            texts -= {"source"}  # its numbers are those of an edition and of its sections
            changed = made.steps != self.game.steps or any(
                before.filled[name] != after.filled[name] for name in kinds if kinds[name] != "text"
            )
            for name in sorted(texts) if changed and before.prefix == after.prefix else ():
                text = before.filled[name]
                if text == after.filled[name] and any(map(str.isdigit, str(text))):
                    yield f"{before.prefix}{name}"

    @staticmethod
    def _told(game: Definition) -> list[Part]:
        """Return the parts of a game with texts."""
        checks = [Part(f"checks.{at}.", CHECK, shapes.filled(each)) for at, each in enumerate(game.checks)]
        return [*_parts(game), *checks]

    def named_in(self, part: Part) -> set[str]:
        """Return the names of a part's fields that the form asks."""
        return {each.name for each in part.record.fields if f"{part.prefix}{each.name}" in self.fields}

    # ---- As it is shown ---------------------------------------------------------------------------

    @property
    def groups(self) -> list[Group]:
        """Return the fields with titles, in the order of a game: who plays, how long."""
        return [
            Group(_("Name"), "", self.named(*_NAMED, INSTEAD)),
            Group(_("Players and tables"), "", self.named(*_SEATED)),
            Group(_("End and winner"), "", self.named(*_ENDED)),
        ]

    @property
    def written(self) -> list[FieldGroup]:
        """Return what is written for each deal, each with its fields and its name in the formula."""
        return [
            FieldGroup(
                self[f"fields.{at}.title"].value() or each.name,
                each.name,
                self.under(f"fields.{at}."),
                path=f"fields.{at}",
                told=self._in_short(at, each),
                is_new=f"fields.{at}.title" not in self.sent and bool(self.initial),
            )
            for at, each in enumerate(self.game.fields)
        ]

    def _in_short(self, at: int, each: Written) -> str:
        """Return what a field is, in short."""
        per, kind = translated(dict(OFTEN)[each.per]), translated(dict(KINDS)[each.kind])
        if each.kind == "number":
            least, most = (self[f"fields.{at}.{name}"].value() for name in ("least", "most"))
            kind = _("%(least)s to %(most)s") % {"least": least, "most": most}
        return f"{per}, {kind}"

    @property
    def checks(self) -> list[list[forms.BoundField]]:
        """Return the fields of what a deal must fulfil, row by row."""
        checked = [self.under(part.prefix) for part in self.rows if part.record is CHECK]
        return [self.named(ADDS_UP), *checked]

    @property
    def new_field(self) -> list[forms.BoundField]:
        """Return the fields of something more that is written."""
        return self.under(NEW_FIELD)

    @property
    def new_line(self) -> list[forms.BoundField]:
        """Return the fields of one more line of the formula."""
        return self.under(NEW_LINE)

    @property
    def lines(self) -> list[Line]:
        """Return the lines of the formula."""
        return [*formula_form.lines(self, self.game)]

    @property
    def wrong(self) -> list[tuple[str, forms.BoundField]]:
        """Return the fields with errors, each with the title of its line or of what is written."""
        owners = {f"fields.{at}.": f"fields.{at}.title" for at in range(len(self.game.fields))}
        owners |= {f"steps.{at}.": f"steps.{at}.name" for at in range(len(self.game.steps))}
        found = list[tuple[str, forms.BoundField]]()
        for field in (each for each in self if each.errors):
            of = next((self[own] for part, own in owners.items() if field.name.startswith(part)), None)
            title = of and str(of.value() or "").replace("_", " ")
            found.append(
                (f"{title[:1].upper()}{title[1:]}, {field.label}" if title else str(field.label), field)
            )
        return found

    # ---- As it is sent ----------------------------------------------------------------------------

    def clean(self) -> Any:
        """Put the game together from all fields; refuse what contradicts itself at its field."""
        values, dealers = super().clean() or self.cleaned_data, self.game.rounds_of_dealers
        same = values.get("rounds_of_dealers") == dealers
        if dealers and same and values.get("deals") not in (None, self.game.deals):
            label = self.fields["rounds_of_dealers"].label
            sentence = _("“%(field)s” counts instead: change that, or write 0 there.") % {"field": label}
            self.add_error("deals", sentence)
        self._ask_again_under_a_new_name(values)
        self.whole = self._typed() if values.get(JSON) is None else self._instead(values[JSON])
        return self.cleaned_data

    def _ask_again_under_a_new_name(self, values: Any) -> None:
        """Take away the tick that was there beforehand: a game of another name need not retire the first."""
        before, title = values.get(TICKED_FOR), values.get("title")
        if before and title and values.get(INSTEAD) and title not in (before, translated(before)):
            data: Any = copy(self.data)
            data.pop(INSTEAD)
            data[TICKED_FOR] = ""
            self.data = data
            sentence = _("The name is a new one. Tick this again if “%(game)s” is retired all the same.")
            self.add_error(INSTEAD, sentence % {"game": before})

    def clean_definition(self) -> Json:
        """Return the JSON that was typed, None where it is as it was shown."""
        try:
            typed: Json = json.loads(self.cleaned_data[JSON])
        except ValueError:
            raise forms.ValidationError(_("This is no JSON.")) from None
        return None if typed == json.loads(self.fields[JSON].initial) else typed

    def clean_seats(self) -> Any:
        """Return the sizes of tables with all between two: ``3-5`` and ``3 to 5`` as ``3 4 5``."""
        to = "|".join(("-", "to", re.escape(pgettext("3 to 4", "to"))))
        return re.sub(
            rf"\b(\d{{1,2}})\s*(?:{to})\s*(\d{{1,2}})\b",
            lambda ends: " ".join(map(str, range(int(ends[1]), int(ends[2]) + 1))) or ends[0],
            in_ascii(str(self.cleaned_data["seats"])).lower(),
        )

    def clean_adds_up(self) -> list[int]:
        """Return the numbers to one of which the points of a deal must add up."""
        try:
            return [
                int(each) for each in self.cleaned_data[ADDS_UP].replace("−", "-").replace(";", " ").split()
            ]
        except ValueError:
            raise forms.ValidationError(_("Write whole numbers, separated by semicolons.")) from None

    def _instead(self, whole: Any) -> Any:
        """Return a changed definition with the name that was typed; refuse what else was typed beside it."""
        changed = {*self.changed_data} - {JSON, DRAFT, "club", INSTEAD, TICKED_FOR, "title"}
        if changed:
            labels = ", ".join(
                dict.fromkeys(str(self[name].label) for name in self.fields if name in changed)
            )
            sentence = _(
                "These fields have changed as well, and would not count: %(fields)s. Change one or the other."
            )
            self.add_error(JSON, sentence % {"fields": labels})
        if "title" in self.changed_data and isinstance(whole, Mapping):
            name, its = self.cleaned_data.get("title"), whole.get("title")
            if its not in (None, self.game.title, name):
                self.add_error("title", _("Under “More” the name is another one. Which one is right?"))
            return {**whole, "title": name}
        return whole

    def _typed(self) -> Any:
        """Return the JSON of the game that the fields describe."""
        values: dict[str, Json] = {}
        for part in self.parts:
            typed = record_in_form(part.record, part.prefix, self.cleaned_data)
            for field in part.record.fields:
                values[f"{part.prefix}{field.name}"] = _kept(field, part.filled[field.name], typed)
        whole: Any = copying.changed(self.game, values)
        score, lines = (
            self.cleaned_data.get("score", self.game.score),
            [each.name for each in self.game.steps],
        )
        for at, each in enumerate(whole["fields"]):
            each["values"] = self._filled_rows(f"fields.{at}.values.")
        reader = Reader(self, self.game, self._titles())
        self.formula = reader.made()
        whole["score"] = reader.names[lines.index(score)] if score in lines else score
        whole["steps"] = [shapes.filled(step) for step, _at in self.formula.steps]
        whole["checks"] = self._checked(reader)
        if to := self.cleaned_data.get(ADDS_UP):
            says = filled(
                _("The points of a deal add up to %(numbers)s."), {"numbers": "; ".join(map(str, to))}
            )
            self.formula.fields[f"checks.{len(whole['checks'])}"] = ADDS_UP
            return copying.adding_up(whole, to, says)
        return whole

    def _titles(self) -> Mapping[str, Sequence[str]]:
        """Return by what titles fields are known: those that are shown, and those that were typed."""
        return {
            each.name: [translated(each.title), str(self.cleaned_data.get(f"fields.{at}.title") or "")]
            for at, each in enumerate(self.game.fields)
        }

    def _filled_rows(self, prefix: str) -> list[JsonObject]:
        """Return the rows that are not empty; what is missing in one is told at its field."""
        found = list[JsonObject]()
        for part in self.rows:
            if not part.prefix.startswith(prefix):
                continue
            typed = record_in_form(part.record, part.prefix, self.cleaned_data)
            if not typed:
                continue
            for field in part.record.fields:
                path = f"{part.prefix}{field.name}"
                if field.name not in typed and path not in self.errors:
                    self.add_error(path, self.fields[path].error_messages["required"])
            kept = {each.name: _kept(each, part.filled.get(each.name), typed) for each in part.record.fields}
            found.append(kept)
        return found

    def _checked(self, reader: Reader) -> list[JsonObject]:
        """Return the checks; one whose numbers were taken away is gone, one that is half new is refused."""
        kept, asked = 0, [part for part in self.rows if part.record is CHECK]
        for part in asked:
            path = f"{part.prefix}one_of"
            typed = [self.cleaned_data.get(f"{part.prefix}{field.name}") for field in part.record.fields]
            if (
                path not in self.errors
                and not self.cleaned_data.get(path)
                and (part.filled or not any(typed))
            ):
                for field in part.record.fields:
                    self.cleaned_data[f"{part.prefix}{field.name}"] = ""
            else:
                for field in part.record.fields:
                    self.formula.fields[f"checks.{kept}.{field.name}"] = f"{part.prefix}{field.name}"
                kept += 1
                self.cleaned_data[f"{part.prefix}of"] = reader.name(f"{part.prefix}of") or ""
        return self._filled_rows("checks.")


def _asked(part: Part, *, required: bool = True) -> Mapping[str, forms.Field]:
    """Return the fields of a part, with its values in the reader's language."""
    shown = {each.name: _shown(each, part.filled.get(each.name, "")) for each in part.record.fields}
    fields = fields_of(part.record, part.prefix, shown)
    for field in fields.values():
        field.required = field.required and required
        if not required:
            field.help_text = ""
    return fields


def _shown(field: Field, value: Json) -> Json:
    """Return a value as it is shown: a text that comes with the server in the reader's language."""
    shape = field.shape.bare
    named = not isinstance(shape, Text) or shape.matching is not None
    return value if named or not isinstance(value, str) else translated(value)


def _kept(field: Field, before: Json, typed: JsonObject) -> Json:
    """Return what was typed for a field, an unchanged text as it was; what is usual for no number."""
    blank: Json = {"text": "", "list": []}.get(field.shape.kind, field.usual)
    value = typed.get(field.name, blank)
    return before if before is not None and value == _shown(field, before) else value
