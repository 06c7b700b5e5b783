"""The formula of a copy in a form: a line for each step, typed as people write it, errors at their fields."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, assert_never

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.engine.values import replace
from games.rules.card_game.definition import (
    BUILT_IN,
    RESERVED,
    Adds,
    Case,
    Condition,
    Decides,
    Definition,
    Gathers,
    Multiplies,
    RoundsUp,
    Step,
    Term,
)
from games.rules.card_game.reading import (
    Compared,
    Unread,
    Vocabulary,
    conditions_read,
    name_read,
    product_read,
    sum_read,
)
from games.rules.card_game.telling import GATHERED, condition_told, sum_told, title_of
from league.admin.fields import PathForm
from league.words.messages import translated

SPARE: Final = 3
"""So many empty rows stand below those that are filled in."""
MOST_ROWS: Final = 24
KINDS: Final = (
    ("sum", gettext_lazy("a sum or a product")),
    ("cases", gettext_lazy("by cases")),
    ("table", gettext_lazy("over the whole table")),
    ("up", gettext_lazy("rounded up")),
)
MOST_NAME: Final = 24


def name_for(title: str, taken: Collection[str]) -> str:
    """Return the name in the formula of something with a title: small letters, none that is taken."""
    apart = unicodedata.normalize("NFKD", title.casefold().replace("ß", "ss"))
    plain = "".join(
        each if each.isascii() and each.isalnum() else "_"
        for each in apart
        if each.isprintable() and not unicodedata.combining(each)
    )
    name = "_".join(filter(None, plain.split("_")))
    name = name if name[:1].isalpha() else f"value_{name}".strip("_")
    name = name[:MOST_NAME].strip("_")
    tried = (name, *(f"{name[: MOST_NAME - 3]}_{number}" for number in range(2, 100)))
    return next(each for each in tried if each not in taken and each not in RESERVED)


@dataclass(frozen=True)
class Row:
    """A case: what counts, and when."""

    then: BoundField
    when: BoundField


@dataclass(frozen=True)
class Line:
    """A line of the formula: its number, its name, what it is, and its fields."""

    number: int
    name: BoundField
    kind: str
    fields: Sequence[BoundField]
    rows: Sequence[Row] = ()


@dataclass
class Made:
    """The steps that were typed, each with the number of its line, and the field of each path of theirs."""

    steps: list[tuple[Step, int]] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)

    def field_of(self, path: str) -> str:
        """Return the field that a path in the ordered steps names, or the path where it names none."""
        for part, name in sorted(self.fields.items(), key=lambda each: -len(each[0])):
            if f"{path}.".startswith(f"{part}."):
                return name
        return path


# ---- The fields ----------------------------------------------------------------------------------


def rows_shown(typed: Mapping[str, Any], prefix: str, known: int, spare: int = SPARE) -> int:
    """Return how many rows a form has: those that are known or filled in, and some empty ones."""
    found = (re.match(rf"{re.escape(prefix)}(\d{{1,2}})\.", name) for name, value in typed.items() if value)
    most = max((int(each[1]) + 1 for each in found if each), default=0)
    return min(max(known, most) + spare, MOST_ROWS)


def fields_of_line(at: int, step: Step, typed: Mapping[str, Any]) -> dict[str, forms.Field]:
    """Return the fields of a line: its name, and what it says now."""
    own = dict(_typed(step, {name: typed[name] for name in typed if name.startswith(f"steps.{at}.")}, at))
    return {
        f"steps.{at}.name": _words(gettext_lazy("Name"), step.name, required=True),
        **{f"steps.{at}.{name}": each for name, each in own.items()},
    }


def _words(label: Any, initial: str, *, required: bool = False, rows: int = 0) -> forms.CharField:
    plain = {"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}
    widget = forms.Textarea({**plain, "rows": rows}) if rows else forms.TextInput(plain)
    return forms.CharField(label=label, initial=initial, required=required, max_length=300, widget=widget)


def _typed(step: Step, typed: Mapping[str, Any], at: int) -> Iterator[tuple[str, forms.Field]]:
    match step:
        case Adds():
            yield "sum", _words(gettext_lazy("is"), sum_told(step.sum))
        case Multiplies():
            yield "sum", _words(gettext_lazy("is"), " × ".join(step.product))
        case RoundsUp():
            yield "reaching", _words(gettext_lazy("what is rounded up"), step.reaching, required=True)
            yield "multiple_of", _words(gettext_lazy("to a multiple of"), step.multiple_of, required=True)
        case Gathers():
            yield (
                "gather",
                forms.ChoiceField(
                    label=gettext_lazy("is"),
                    initial=f"{step.gather} {step.among}",
                    choices=[(" ".join(key), translated(told)) for key, told in GATHERED.items()],
                ),
            )
            yield "of", _words(gettext_lazy("of"), step.of, required=True)
        case Decides():
            cases, otherwise = _cases_of(step)
            for place in range(rows_shown(typed, f"steps.{at}.cases.", len(cases))):
                case = cases[place] if place < len(cases) else None
                when = f" {_('and')} ".join(map(condition_told, case.when)) if case else ""
                yield f"cases.{place}.then", _words(_("counts"), sum_told(case.then) if case else "")
                yield f"cases.{place}.when", _words(_("if"), when, rows=1)
            yield "otherwise", _words(_("otherwise"), sum_told(otherwise.then))
        case _:
            assert_never(step)


def _cases_of(step: Decides) -> tuple[Sequence[Case], Case]:
    """Return the cases with conditions, and what counts otherwise."""
    for at, case in enumerate(step.cases):
        if not case.when:
            return step.cases[:at], case
    return step.cases, Case(())


def lines(form: PathForm, game: Definition) -> Iterator[Line]:
    """Yield the lines of the formula as a form shows them."""
    kinds = {Adds: "sum", Multiplies: "sum", Decides: "cases", Gathers: "table", RoundsUp: "up"}
    for at, step in enumerate(game.steps):
        prefix = f"steps.{at}."
        named = [
            name for name in form.fields if name.startswith(f"{prefix}cases.") and name.endswith(".then")
        ]
        rows = [Row(form[name], form[f"{name.removesuffix('then')}when"]) for name in named]
        own = [form[name] for name in form.fields if name.startswith(prefix) and ".cases." not in name]
        yield Line(at, own[0], kinds[type(step)], own[1:], rows)


# ---- What was typed ------------------------------------------------------------------------------


class Reader:
    """Reads the lines of a valid form; what is no formula is added to the errors of its field."""

    def __init__(self, form: PathForm, game: Definition, titles: Mapping[str, Sequence[str]]) -> None:
        """Take ``titles`` as the other names of each value: what was typed and what is shown."""
        self.form, self.game = form, game
        self.names = [
            name_for(form.cleaned_data.get(f"steps.{at}.name") or each.name, ())
            for at, each in enumerate(game.steps)
        ]
        called = {name: name for name in (*BUILT_IN, *(each.name for each in game.fields), *self.names)}
        titles = {**titles, **{name: [title_of(name)] for name in self.names}}
        more = {other: name for name, others in titles.items() for other in others}
        worth = {
            name: Term(value.worth)
            for each in game.fields
            for value in each.values
            for name in (value.name, translated(value.name))
        }
        known = {other: Term(1, name) for other, name in {**more, **called}.items()}
        words = {
            _("and"): "and",
            _("not"): "not",
            _("yes"): "yes",
            _("no"): "no",
            pgettext("3 to 4", "to"): "to",
        }
        self.known = Vocabulary(
            {name.casefold(): term for name, term in {**worth, **known}.items() if name.strip()},
            {word.casefold(): sign for word, sign in words.items()},
            [[other for other in others if other][-1] for others in titles.values()],
        )
        self.sums: list[Adds] = []
        self.differences: list[tuple[Adds, int]] = []
        self.places: dict[int, list[str]] = {}

    def made(self) -> Made:
        """Return the steps in an order in which each needs only those before it."""
        own = [(step, at) for at, old in enumerate(self.game.steps) if (step := self._step(at, old))]
        made = Made(
            _ordered([*self.differences, *own], {*BUILT_IN, *(each.name for each in self.game.fields)})
        )
        for place, (step, at) in enumerate(made.steps):
            made.fields[f"steps.{place}"] = f"steps.{at}.name"
            for case, name in enumerate(self.places.get(at, ()) if isinstance(step, Decides) else ()):
                made.fields[f"steps.{place}.cases.{case}"] = name
            if isinstance(step, Adds) and f"steps.{at}.sum" in self.form.fields:
                made.fields[f"steps.{place}.sum"] = f"steps.{at}.sum"
        return made

    def name(self, path: str) -> str | None:
        """Return the name that a field says; its error says why it says none."""
        found: str | None = self._read(path, name_read)
        return found

    def _read(self, path: str, read: Any) -> Any:
        typed = self.form.cleaned_data.get(path)
        if typed is None:
            return None
        try:
            return read(typed, self.known)
        except Unread as wrong:
            self.form.add_error(path, translated(wrong.sentence))
            return None

    def _step(self, at: int, old: Step) -> Step | None:
        prefix, name = f"steps.{at}.", self.names[at]
        match old:
            case Adds() | Multiplies():
                if product := self._read(f"{prefix}sum", product_read):
                    return Multiplies(name, product)
                terms = self._read(f"{prefix}sum", sum_read)
                if terms is None:
                    return None
                self.sums.append(Adds(name, terms))
                return self.sums[-1]
            case RoundsUp():
                unit, reaching = self.name(f"{prefix}multiple_of"), self.name(f"{prefix}reaching")
                return RoundsUp(name, unit, reaching) if unit and reaching else None
            case Gathers():
                gather, among = self.form.cleaned_data.get(f"{prefix}gather", "sum everybody").split()
                of = self.name(f"{prefix}of")
                return Gathers(name, gather, of, among) if of else None
            case Decides():
                return self._decides(at, name)
        assert_never(old)

    def _decides(self, at: int, name: str) -> Decides | None:
        prefix, cases = f"steps.{at}.", list[Case]()
        places = self.places.setdefault(at, [])
        for path in [each for each in self.form.fields if each.startswith(f"{prefix}cases.")]:
            if not path.endswith(".then"):
                continue
            when = f"{path.removesuffix('then')}when"
            typed = [self.form.cleaned_data.get(each, "") for each in (path, when)]
            if not any(typed):
                continue
            if not all(typed):
                self.form.add_error(path if typed[1] else when, self._half(typed[0]))
                continue
            then, found = self._read(path, sum_read), self._read(when, conditions_read)
            if then is not None and found is not None:
                cases.append(Case(then, tuple(self._condition(each, at) for each in found)))
                places.append(path)
        otherwise = self._read(f"{prefix}otherwise", sum_read)
        if otherwise:
            cases.append(Case(otherwise))
            places.append(f"{prefix}otherwise")
        if not cases and not self.form.errors:
            self.form.add_error(f"{prefix}cases.0.then", _("Fill in at least one row."))
        return Decides(name, tuple(cases)) if cases else None

    def _half(self, then: str) -> str:
        if then:
            return _("Say when it counts; what counts in all other cases stands at “otherwise”.")
        return _("Say what counts then; 0 for nothing.")

    def _condition(self, each: Condition | Compared, at: int) -> Condition:
        if isinstance(each, Condition):
            return each
        name = next((step.name for step in self.sums if {*step.sum} == {*each.difference}), "")
        if not name:
            taken = {
                *self.names,
                *(each.name for each in self.game.fields),
                *(step.name for step in self.sums),
            }
            name = name_for(each.name, taken)
            self.sums.append(Adds(name, each.difference))
            self.differences.append((self.sums[-1], at))
        return Condition(name, each.least, each.most)


def _ordered(steps: Sequence[tuple[Step, int]], known: Collection[str]) -> list[tuple[Step, int]]:
    """Return steps in their order, but each after those that it needs; those that need each other last."""
    left, done, before = [*steps], list[tuple[Step, int]](), {*known}
    while left:
        ready = next((each for each in left if _needs(each[0]) <= before), None)
        if ready is None:
            return done + left
        left.remove(ready)
        done.append(ready)
        before.add(ready[0].name)
    return done


def _needs(step: Step) -> set[str]:
    match step:
        case Adds():
            return {term.of for term in step.sum if term.of}
        case Multiplies():
            return {*step.product}
        case RoundsUp():
            return {step.multiple_of, step.reaching}
        case Gathers():
            return {step.of}
        case Decides():
            terms = {term.of for case in step.cases for term in case.then if term.of}
            return terms | {each.of for case in step.cases for each in case.when}
    assert_never(step)


# ---- Changed as a whole --------------------------------------------------------------------------


def with_line(game: Definition, title: str, kind: str) -> Definition:
    """Return a game with one more line, which says nothing yet; it is the score where no other line is."""
    first, known = game.fields[0].name, {each.name for each in game.steps}
    name = name_for(title, {*known, *(each.name for each in game.fields)})
    made: Mapping[str, Step] = {
        "sum": Adds(name, ()),
        "cases": Decides(name, (Case(()),)),
        "table": Gathers(name, "sum", first),
        "up": RoundsUp(name, first, first),
    }
    is_score = game.score not in known or title.casefold() in ("points", _("Points").casefold())
    step = made.get(kind, made["sum"])
    return replace(game, steps=(*game.steps, step), score=name if is_score else game.score)
