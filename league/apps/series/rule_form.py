"""The form of a series' rule on the desk, and who counts as a club knows them."""

from collections.abc import Collection, Mapping, Sequence, Set
from datetime import date
from functools import reduce
from typing import Any, Final, Literal, TypeAlias

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import shapes
from games.engine.kinds import Record
from games.engine.messages import filled
from games.engine.refusals import Malformed, Refusal
from games.engine.textinput import record_in_form
from games.engine.values import replace
from league.admin.fields import ChoiceField, Group, PathForm, RadioField, TextField
from league.apps.series.core import events as e
from league.apps.series.core.presets import ANSWERS, FOR_PLACES, PRESETS, TWENTY, TWENTY_FOUR, Preset
from league.apps.series.core.rule import (
    MOST_PARTS,
    NEWEST,
    Absence,
    Bonus,
    Count,
    Deduction,
    Drops,
    Minimum,
    Rule,
    Value,
    check,
)
from league.apps.series.core.state import Series as State
from league.apps.series.core.telling import told
from league.apps.series.following import counted_like, offered_in
from league.forms import NumberField, fields_of
from league.models import Club
from league.models.names import nameable, printable
from league.words.messages import translated
from league.words.values import numbers_within

# ---- The rule ------------------------------------------------------------------------------------

RULE: Final = "rule."
OWN: Final = "own"
"""The answer of a rule that none of the others is."""
SWITCHES: Final = ("value.by", "value.places", "count.best", "divide", "over")
"""What the answers to *What counts for the year?* decide, unless it is chosen under *More rules*."""
_DROPS: Final = tuple(f"count.drops.{each.name}" for each in shapes.record(Drops).fields)
_OF_CHOICES: Final = ("lists", "count.lists", "value.least", "absence.value", *_DROPS)
"""What else belongs to one choice: left as it stood, it goes with a choice that was changed."""
_SHOWN: Final = (*SWITCHES, *_OF_CHOICES)
_ASKED: Final = {"count.best": "best", "over": "least", "value.places": "places"}
"""The field of an answer in which its switch is typed."""
_ANSWERS: Final = frozenset({"counts", *_ASKED.values()})
"""The fields of the answers."""
_NESTED: Final[Mapping[str, type]] = {
    "": Rule,
    "value.": Value,
    "deduction.": Deduction,
    "count.": Count,
    "count.drops.": Drops,
    "absence.": Absence,
    "bonus.": Bonus,
    "minimum.": Minimum,
}
_RECORDS: Final = {
    prefix: Record(
        declared,
        tuple(
            each
            for each in shapes.record(declared).fields
            if each.shape.bare.kind != "record" and each.name != "edition"
        ),
    )
    for prefix, declared in _NESTED.items()
}
"""The fields of a rule by the beginning of their paths."""
LABELS: Final = {
    "lists": gettext_lazy("Lists that count"),
    "over": gettext_lazy("Average over at least"),
    "without": gettext_lazy("Not ranked, as winners of"),
    "value.places": gettext_lazy("Points for each place"),
    "value.rest": gettext_lazy("All other places"),
    "value.times": gettext_lazy("Multiplied by"),
    "value.least": gettext_lazy("Least points of an evening"),
    "deduction.points": gettext_lazy("Taken off for each prize"),
    "deduction.months": gettext_lazy("Prizes of so many months"),
    "count.best": gettext_lazy("Best that count"),
    "count.declared": gettext_lazy("Declared beforehand"),
    "count.months": gettext_lazy("Last months that count"),
    "count.entries": gettext_lazy("Least entries of an evening"),
    "count.lists": gettext_lazy("Least lists of an evening"),
    "count.brought": gettext_lazy("Evenings of other clubs count"),
    "count.drops.every": gettext_lazy("Played for each drop"),
    "count.drops.beyond": gettext_lazy("Drops begin beyond"),
    "count.drops.most": gettext_lazy("Most drops"),
    "absence.value": gettext_lazy("Value of an absence"),
    "bonus.points": gettext_lazy("Bonus for attendance"),
    "bonus.beyond": gettext_lazy("Bonus begins beyond"),
    "bonus.least": gettext_lazy("Least played for a bonus"),
    "minimum.played": gettext_lazy("Least played for a rank"),
    "minimum.partners": gettext_lazy("Least partners for a rank"),
}
_GROUPS: Final = (
    (gettext_lazy("What an evening is worth"), ("unit", "lists", "value."), ""),
    (gettext_lazy("Which of them count"), ("count.",), ""),
    (gettext_lazy("Total and ties"), ("divide", "over", "ties"), ""),
    (gettext_lazy("Attendance"), ("absence.", "bonus.", "minimum."), ""),
    (
        gettext_lazy("Prizes"),
        ("without", "deduction."),
        gettext_lazy("Note who won them on the series’ page."),
    ),
)


def _answers() -> list[tuple[str, Any]]:
    """Return every answer in the reader's language."""
    told = [(each.key, translated(each.title)) for each in ANSWERS.values()]
    return [*told, (OWN, _("As it is under More rules"))]


def _clubs() -> list[tuple[str, str]]:
    """Return the clubs whose rules a form can be filled with, in the reader's language."""
    named = [(each.key, translated(each.club), translated(each.game)) for each in PRESETS.values()]
    return [("", "–"), *((key, f"{club} ({game})") for key, club, game in named)]


WhoRanks: TypeAlias = Literal["everybody", "counted"]


def answer_of(rule: Rule, *, low_wins: bool = False) -> str:
    """Return the answer to *What counts for the year?* that gives a rule's switches.

    Where low scores win, its best evenings and its average are of shares of the field.
    """
    best, over, by = rule.count.best, rule.over, rule.value.by
    match "points" if low_wins and by == "beaten" and (best or over) else by, rule.divide:
        case "points", "sum" if not over:
            return "best" if best else "everything"
        case "points", "mean" if over and not best:
            return "average"
        case ("beaten" | "places") as by, "sum" if not (over or best):
            return by
    return OWN


class RuleForm(PathForm):
    """What counts for the year, and who is ranked; all else is under *More rules*.

    ``low_wins``: the lowest scores win on the club's evenings, so that points can't be added.
    """

    prefixes = ("", RULE)
    chosen: Preset | None = None
    """The club whose rule it was filled with."""

    counts = RadioField(label=gettext_lazy("What counts for the year?"), choices=_answers)
    best = NumberField(label=gettext_lazy("Number of best evenings"), min_value=1, max_value=MOST_PARTS)
    least = NumberField(label=gettext_lazy("Least number of evenings"), min_value=1, max_value=MOST_PARTS)
    places = TextField(label=gettext_lazy("Points for places"))
    ranked = RadioField(
        label=gettext_lazy("Who is ranked?"),
        help_text=gettext_lazy(
            "The series keeps from when until when somebody counts, which everybody may read, and never why."
        ),
    )
    start = ChoiceField(
        label=gettext_lazy("Begin with a club’s rule"),
        choices=_clubs,
        required=False,
    )
    shown = forms.CharField(required=False, widget=forms.HiddenInput)
    """The fields of `_SHOWN` as they stood under *More rules* when the form was opened."""

    def __init__(
        self, data: Any, *, club: Club, rule: Rule, ranked: str = "everybody", low_wins: bool = False
    ) -> None:
        super().__init__(data)
        self.club, self.low_wins, self.rule = club, low_wins, rule
        written = shapes.write(rule)
        for prefix, record in _RECORDS.items():
            self.fields.update(fields_of(record, f"{RULE}{prefix}", _inside(written, prefix)))
        for name, label in LABELS.items():
            self.fields[f"{RULE}{name}"].label = label
        self.groups = offered_in(club, ranked)
        self.fields["ranked"].choices = [  # type: ignore[attr-defined]
            ("everybody", _("Everybody who plays")),
            *((key, each.title) for key, each in self.groups.items()),
            ("counted", _("People whom I choose")),
        ]
        known = ranked == "everybody" or ranked in self.groups
        self._fill(rule, ranked if known else "counted")

    def _fill(self, rule: Rule, ranked: str) -> None:
        initial = {
            "counts": answer_of(rule, low_wins=self.low_wins),
            "best": rule.count.best or TWENTY,
            "least": rule.over or TWENTY_FOUR,
            "places": "; ".join(rule.value.places or FOR_PLACES),
            "ranked": ranked,
            "shown": "|".join(_plain(self.fields[f"{RULE}{path}"].initial) for path in _SHOWN),
        }
        for name, value in initial.items():
            self.fields[name].initial = value
        if initial["counts"] == OWN:
            says = " ".join(translated(each) for each in told(rule)[:2])
            own = filled(_("As it is under More rules: %(rule)s"), {"rule": numbers_within(says)})
            self.fields["counts"].choices = [*_answers()[:-1], (OWN, own)]  # type: ignore[attr-defined]
        for name in _ASKED.values():
            self.fields[name].widget.attrs["aria-label"] = self.fields[name].label

    # ---- As it is shown ---------------------------------------------------------------------------

    @property
    def numbers(self) -> list[BoundField]:
        """Return the fields inside of answers."""
        return self.named(*_ASKED.values())

    @property
    def more(self) -> list[Group]:
        """Return the groups of fields below *More rules*."""
        return [
            Group(title, about, self.under(*(f"{RULE}{name}" for name in names)))
            for title, names, about in _GROUPS
        ]

    @property
    def more_is_open(self) -> bool:
        """Return whether anything is told there that the answers don't say."""
        told = self.is_bound and self["counts"].value() == OWN
        value = replace(self.rule.value, by="points", places=())
        count = replace(self.rule.count, best=0)
        plain = replace(self.rule, value=value, count=count, divide="sum", over=0, edition=1)
        wrong = any(name.startswith((RULE, "start")) for name in self.errors)
        return told or self["counts"].initial == OWN or plain != Rule() or wrong

    # ---- As it is sent ----------------------------------------------------------------------------

    def started(self) -> "RuleForm":
        """Return an unbound form with the rule of the club that was chosen, and all else that was typed."""
        chosen = PRESETS.get(str(self["start"].value()))
        form = self.with_rule(chosen.rule if chosen else self.rule)
        form.chosen = chosen
        return form

    def rule_as_sent(self) -> Rule:
        """Return the rule of a bound form as far as it is valid, else that with which it was made."""
        if self.is_bound:
            self.only_try()
            self.is_valid()
        return self.rule

    def with_rule(self, rule: Rule) -> "RuleForm":
        """Return an unbound form with a rule, and all else that was typed."""
        form = type(self)(None, club=self.club, rule=rule, low_wins=self.low_wins)
        for name in self.fields.keys() - _ANSWERS - {"shown"}:
            if not name.startswith(RULE):
                form.fields[name].initial = self[name].value()
        return form

    def only_try(self) -> None:
        """Ask for nothing but the rule: the form is sent to try it."""
        for name in self.fields.keys() - _ANSWERS:
            self.fields[name].required = False

    @property
    def rule_is_valid(self) -> bool:
        """Return whether the fields of the rule of a bound form are valid."""
        return not any(name in _ANSWERS or name.startswith(RULE) for name in self.errors)

    def refuse(self, refusal: Refusal) -> None:
        """Add a service's errors to the fields that they name, others to the form."""
        self.show(refusal.errors or {"": [refusal.sentence]})

    def _post_clean(self) -> None:
        try:
            written = shapes.read(Rule, {**self._written(), "edition": NEWEST})
            rule = _fitting(written, self._typed(), drops=self.usable()["counts"] != "best")
            check(rule)
            self.rule = rule
        except Malformed as refusal:
            told = {path: [*each] for path, each in refusal.errors.items()}
            self.show_more(told if self.usable()["counts"] == OWN else _at_answers(told, self._chosen()))

    def _written(self) -> dict[str, Any]:
        values = self.usable()
        written: dict[str, Any] = {}
        for prefix, record in _RECORDS.items():
            _inside(written, prefix).update(record_in_form(record, f"{RULE}{prefix}", values))
        return written if values["counts"] == OWN else self._answered(written, values)

    def _answered(self, written: dict[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        """Return a written rule with the switches of the answer, but for those chosen under *More rules*."""
        answer = ANSWERS[values["counts"]]
        number = {"best": values["best"], "average": values["least"]}.get(answer.key, 0)
        told = shapes.write(answer.with_number(number, low_wins=self.low_wins))
        if answer.key == "places":
            record = Record(Value, tuple(each for each in _RECORDS["value."].fields if each.name == "places"))
            _inside(told, "value.").update(record_in_form(record, "", values))
        chosen = self._chosen()
        self._refuse_two_numbers(answer.key, chosen)
        for path in SWITCHES:
            if path in chosen:
                continue
            *_, name = path.split(".")
            part, given = _inside(written, path[: -len(name)]), _inside(told, path[: -len(name)])
            part.pop(name, None)
            if name in given:
                part[name] = given[name]
        return written

    def _chosen(self) -> Collection[str]:
        """Return the switches that were changed under *More rules* since the form was opened."""
        return self._typed() & {*SWITCHES}

    def _typed(self) -> Set[str]:
        values = self.usable()
        told = values["shown"] or self.fields["shown"].initial
        shown = dict(zip(_SHOWN, told.split("|"), strict=False))
        return {path for path in _SHOWN if _plain(values[f"{RULE}{path}"]) != shown.get(path)}

    def _refuse_two_numbers(self, answer: str, chosen: Collection[str]) -> None:
        """Ask which counts where the answer and *More rules* both say how many, or what places are worth."""
        path = {"best": "count.best", "average": "over", "places": "value.places"}.get(answer, "")
        if path in chosen and self[f"{RULE}{path}"].value() != self[_ASKED[path]].value():
            said = self[_ASKED[path]].value()
            asked = filled(_("The answer above says %(said)s. Say the same in both places."), {"said": said})
            self.show_more({path: [asked]})

    @property
    def follows(self) -> str:
        """Return as what people are known in the club who count; empty for nothing."""
        chosen: str = self.usable()["ranked"]
        return chosen if chosen in self.groups else ""

    def people(
        self, state: State | None = None, begins_on: date | None = None, last: date | None = None
    ) -> tuple[WhoRanks, Sequence[e.Event]]:
        """Return who is ranked as the log has it, and the events that say who counts (`counted_like`)."""
        chosen = self.usable()["ranked"]
        if not self.follows:
            return ("counted" if chosen == "counted" else "everybody"), ()
        counted = state.counted if state else ()
        return "counted", counted_like(self.groups[chosen], counted, begins_on, last or self.club.today)

    def applied(self, state: State, last: date) -> State:
        """Return a state after the form's rule, with those ranked whom it chooses."""
        ranked, people = self.people(state, state.begins_on, last)
        return reduce(e.apply, people, replace(state, rule=self.rule, ranked=ranked))


def _fitting(rule: Rule, typed: Set[str], *, drops: bool) -> Rule:
    """Return a rule without what belongs to choices that it doesn't have, but for what was typed now.

    ``drops``: the answer leaves drops as they are.
    """

    def left(has: bool, *paths: str) -> bool:
        return not has and typed.isdisjoint(paths)

    value, count, absence = rule.value, rule.count, rule.absence
    if left(value.by == "places", "value.places"):
        value = replace(value, places=())
    if left(value.by == "points", "value.least"):
        value = replace(value, least=None)
    if left(drops, *_DROPS):
        count = replace(count, drops=Drops())
    if left(bool(count.drops.every), "count.drops.when"):
        count = replace(count, drops=replace(count.drops, when="end"))
    if left(rule.unit == "list", "lists", "count.lists"):
        rule, count = replace(rule, lists=()), replace(count, lists=0)
    if left(absence.gives == "value", "absence.value"):
        absence = replace(absence, value="0")
    over = 0 if left(rule.divide == "mean", "over") else rule.over
    return replace(rule, value=value, count=count, absence=absence, over=over)


def _at_answers(errors: Mapping[str, list[str]], chosen: Collection[str]) -> dict[str, list[str]]:
    """Return errors of what the answers decide at the fields in which that is typed."""
    asked = {name: field for name, field in _ASKED.items() if name not in chosen}
    fields = {path: next((asked[name] for name in asked if path.startswith(name)), path) for path in errors}
    return {fields[path]: each for path, each in errors.items()}


def _plain(value: Any) -> str:
    """Return a switch's value as it can be compared: nothing typed is what 0 is."""
    return str(value or "")


def _inside(written: Any, prefix: str) -> dict[str, Any]:
    """Return the object of a written rule at the beginning of a path; made where it is not there."""
    for name in prefix.split(".")[:-1]:
        written = written.setdefault(name, {})
    found: dict[str, Any] = written
    return found


class NewSeriesForm(RuleForm):
    """A new series."""

    name = TextField(label=gettext_lazy("Name"), max_length=100, validators=[nameable])
    played = forms.BooleanField(
        label=gettext_lazy("Begin with the evenings of the last 12 months"),
        required=False,
        help_text=gettext_lazy("Those with which the rule is tried here. You can remove any of them later."),
    )

    def __init__(self, *args: Any, played: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not played:
            del self.fields["played"]


class RuleChangeForm(RuleForm):
    """Another rule of a series, and why it has one."""

    reason = TextField(
        label=gettext_lazy("Reason"),
        max_length=500,
        validators=[printable],
        help_text=gettext_lazy("Why, for everyone to read"),
    )
