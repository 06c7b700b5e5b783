"""The form of one stage: its format, who plays in it, and what results are worth."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.engine import shapes
from games.engine.kinds import Record
from games.engine.messages import filled, text
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset
from games.engine.textinput import record_in_form, with_usual
from league import hooks
from league.admin.fields import ChoiceField, DurationField, Group, PathForm, TextField
from league.core import formats
from league.core.drawing.bracket import seeded
from league.core.drawing.draw import table_sizes
from league.core.lines import RULE
from league.core.presets import FINAL_STAGE, MATCHES_WON, PRESETS, Preset
from league.core.standings import tie_breaks
from league.core.state.plan import Intake, Scoring, StagePlan, by_series
from league.core.verbs.settings import OF_STAGE
from league.core.verbs.stages import read_plan
from league.forms import NumberField, fields_of
from league.models import Club
from league.models.names import nameable
from league.words import settings
from league.words.draw_reports import tables_in_words
from league.words.messages import translated
from league.words.options import sits_out_in_words
from league.words.values import tie_break

ONLY: Final = "only-"
"""What the key of a single format begins with, among those of presets."""
EXAMPLE: Final = 23
"""How many players the help speaks of while nobody knows how many come: it divides by no size of tables."""
TIE_BREAKS: Final = 5
HOUR: Final = 60 * 60
MOST_ROUNDS: Final = 1000
MOST_GROUPS: Final = 100
SCORING: Final = "scoring."
INTAKE: Final = "intake."
OF_LATER_STAGES: Final = ("source", "best", "promoted", "relegated", "sizes", "fill", "carry")
BY_ORDERS: Final = (f"{INTAKE}seeding", ".first_by")
"""The ends of the names of fields that say by what order a stage begins."""
OF_FIRST: Final = shapes.without(shapes.record(Intake), OF_LATER_STAGES)
"""The fields of a first stage's intake."""

LINE: Final = Record(
    StagePlan,
    tuple(field for field in shapes.record(StagePlan).fields if field.name in ("line", "line_level")),
)
"""The fields about a tie on the last place that counts."""

OF_TWO: Final = ("best_of", "drawn_game")
MATCH: Final = Record(
    StagePlan, tuple(field for field in shapes.record(StagePlan).fields if field.name in OF_TWO)
)
"""The fields about matches of several games, at tables of two sides."""

AGREED: Final = Record(
    StagePlan,
    tuple(
        field
        for field in shapes.record(StagePlan).fields
        if field.name in ("requested_byes", "requested_not_last", "late_rounds")
    ),
)
"""The fields about byes on request and late entries."""
OF_AGREED: Final = (
    "requested_byes",
    "requested_not_last",
    "scoring.requested",
    "late_rounds",
    "scoring.late",
)

LABELS: Final = {
    **settings.OF_STAGE,
    f"{INTAKE}source": _("Who plays in it"),
    f"{INTAKE}seeding": _("Seeds"),
    f"{INTAKE}divide": _("Groups by seed"),
    f"{INTAKE}best": _("How many of each group qualify"),
    f"{INTAKE}promoted": _("Promoted"),
    f"{INTAKE}relegated": _("Relegated"),
    f"{INTAKE}carry": _("Points carried over"),
    f"{INTAKE}sizes": _("Sizes of the divisions"),
    f"{INTAKE}fill": _("Free places"),
}
CHOICES: Final = {
    **{name: [*values.items()] for name, values in settings.VALUES.items()},
    f"{INTAKE}fill": [
        ("promote", _("the next best of the division below is promoted")),
        ("keep", _("one fewer is relegated")),
    ],
    f"{INTAKE}source": [
        ("best", _("the best of each group of the stage before")),
        ("promotion", _("the same divisions, with promotion and relegation")),
        ("entries", _("everybody")),
    ],
    f"{INTAKE}seeding": [
        ("lots", _("drawn by lot")),
        ("order", _("in the order of entering, best first")),
        ("rating", _("by the ratings")),
        ("series", _("by the year’s table")),
    ],
    f"{INTAKE}divide": [
        ("spread", _("groups of equal strength")),
        ("stack", _("divisions: the best seeds together")),
        ("pots", _("by lot out of pots: of each pot of like seeds one comes into every group")),
        ("lots", _("all by lot")),
    ],
}


LINE_MEANS: Final = _(
    "The line is the last place that qualifies for the next stage, or is promoted, or is not relegated."
)


AGREED_MEANS: Final = _(
    "Players can ask for a bye in a round to come, as often as you say here: they sit it out and earn "
    "the points of “Bye on request”. Who enters late can earn points for rounds that they missed. "
    "Everybody reads it on the competition’s page."
)
NOBODY_ASKS: Final = _("In this format nobody can ask for a bye: choose rounds for everybody, or Swiss.")


def final_stage(seats: Sequence[int]) -> StagePlan:
    """Return a stage for those who are left in the end, for tables of a game."""
    return Preset("", "", "", (FINAL_STAGE,)).for_tables(seats).stages[0]


def plain_stage(format_: formats.Format) -> StagePlan:
    """Return a stage of a format with the usual settings."""
    rounds = (1 if format_.open_tables else 5) if format_.rounds_asked else 0
    order = () if "tie_breaks" in format_.ignores else ("head_to_head", "wins", "game_score")
    if format_.pairs_only:
        return StagePlan(text("Cup"), format_.key, rounds, 2, {}, MATCHES_WON, ("score_difference",))
    return StagePlan(text("League"), format_.key, rounds, 4, {}, tie_breaks=order)


def preset_of(key: str, ruleset: AnyRuleset) -> Preset | None:
    """Return the preset of a key, or of a single format, for tables of the game; None for an unknown key."""
    format_ = formats.BY_KEY.get(key.removeprefix(ONLY)) if key.startswith(ONLY) else None
    only = Preset(key, format_.title, format_.summary, (plain_stage(format_),)) if format_ else None
    preset = PRESETS.get(key) or only
    return preset.for_game(ruleset) if preset else None


def next_season(last: StagePlan) -> StagePlan:
    """Return a league's next season: the last stage again, with promotion where it has divisions."""
    if last.groups == 1:
        return replace(last, intake=Intake("entries"))
    up, down = last.intake.promoted or 1, last.intake.relegated or 1
    sizes, fill = last.intake.sizes, last.intake.fill
    return replace(last, intake=Intake("promotion", promoted=up, relegated=down, sizes=sizes, fill=fill))


def _formats() -> list[tuple[str, str]]:
    """Return the key and title of every format, in the reader's language."""
    return [(each.key, translated(each.title)) for each in formats.BY_KEY.values()]


def _rounds_notes() -> str:
    """Return how many rounds the formats have that know it themselves."""
    knowing = [each for each in formats.BY_KEY.values() if not each.rounds_asked]
    return " ".join(f"{translated(each.title)}: {translated(each.rounds_note)}." for each in knowing)


class StageForm(PathForm):
    """A stage; ``plan`` holds the initial values, ``number`` counts the stages from 0.

    The size of its tables counts players: of each entry so many ``partners``.
    """

    name = TextField(label=settings.TITLES["stage.name"], max_length=100, validators=[nameable])
    format = ChoiceField(label=_("Format"), choices=_formats)
    rounds = NumberField(
        label=settings.TITLES["rounds"],
        required=False,
        min_value=0,
        max_value=MOST_ROUNDS,
    )
    groups = NumberField(
        label=_("Groups or divisions"),
        min_value=1,
        max_value=MOST_GROUPS,
        help_text=_("Each group plays on its own. 1: everybody plays together."),
    )

    hours = DurationField(
        label=settings.TITLES["hours"],
        help_text=_(
            "From its publication on, in whole hours, for example 7 days or 36 hours. Leave it empty for no "
            "deadline. A round in a hall is timed in minutes on the hall page."
        ),
        whole_hours=True,
    )

    def __init__(
        self,
        data: Any,
        *,
        plan: StagePlan,
        number: int,
        sizes: Sequence[int],
        initial: dict[str, Any] | None,
        partners: int = 1,
        clubs: Iterable[Club] = (),
        entries: int = EXAMPLE,
    ) -> None:
        super().__init__(data, prefix=f"stages.{number}", initial=initial)
        self.number = number
        self.two_sides = plan.table_size == 2
        for name in ("name", "format", "rounds", "groups"):
            self.fields[name].initial = getattr(plan, name)
        self.fields["name"].initial = translated(plan.name)
        self.fields["rounds"].help_text = _rounds_notes()
        self.fields["hours"].initial = plan.hours * HOUR
        self.fields["table_size"] = _table_size(sizes, plan, partners, entries)
        self.fields.update(fields_of(shapes.record(Scoring), SCORING, shapes.write(plan.scoring)))
        self.fields.update(_intake_fields(number, plan.intake))
        self.fields.update(_tie_break_fields(plan.tie_breaks))
        self.fields.update(fields_of(LINE, "", shapes.write(plan)))
        self.fields.update(fields_of(MATCH, "", shapes.write(plan)))
        self.fields.update(fields_of(AGREED, "", shapes.write(plan)))
        self.fields.update(_param_fields(plan))
        self._name_fields()
        self._offer_series(clubs)
        for name, field in self.fields.items():
            ignoring = [each.key for each in formats.BY_KEY.values() if _ignores(each, name)]
            field.hidden_for = ignoring  # type: ignore[attr-defined]

    def _name_fields(self) -> None:
        for name, label in LABELS.items():
            if name in self.fields:
                self.fields[name].label = label
        for name, choices in CHOICES.items():
            if name in self.fields:
                self.fields[name].choices = choices  # type: ignore[attr-defined]

    def _offer_series(self, clubs: Iterable[Club]) -> None:
        """Offer each series of the clubs by its name, where there are several; what is planned stays."""
        several = dict(order for of_app in hooks.PLANNED_ORDERS for order in of_app(clubs))
        for field in (self.fields[name] for name in self.fields if name.endswith(BY_ORDERS)):
            planned, choices = field.initial, dict(field.choices)  # type: ignore[attr-defined]
            if several and planned != "series":
                del choices["series"]
            if told := by_series(planned):
                choices[planned] = translated(told)
            field.choices = [*(choices | several).items()]  # type: ignore[attr-defined]

    def say_what_a_game_is(self, ruleset: AnyRuleset) -> None:
        """Say what one game of a match is, where people could take it for something shorter."""
        if told := ruleset.game_told(ruleset.read_options({}, min(ruleset.seats))):
            hint = gettext("If a single deal is a game of the match, set “Deals” to 1.")
            asked = self.fields["best_of"]
            asked.help_text = f"{asked.help_text}. {translated(told)} {hint}"

    def fix(self) -> None:
        """Let only that be changed which draws and tables don't depend on."""
        chosen = self.fields["format"].initial
        for name, field in self.fields.items():
            fixed = name in ("format", "table_size", "groups") or name.startswith(INTAKE)
            fixed = fixed or (name in OF_TWO and not self.two_sides)
            field.disabled = fixed or chosen in field.hidden_for  # type: ignore[attr-defined]

    # ---- As it is shown ---------------------------------------------------------------------------

    @property
    def main(self) -> Group:
        """Return the fields that are always open."""
        names = ["name", "format", "rounds", "table_size", *OF_TWO, "groups", "hours"]
        return Group("", "", self.named(*names, f"{INTAKE}source", f"{INTAKE}best"))

    @property
    def folded(self) -> list[Group]:
        """Return the groups that most organisers need not open."""
        shown = {field.name for field in self.main.fields}
        intake = [field for field in self.under(INTAKE) if field.name not in shown]
        agreed = {field.name for field in self.named(*OF_AGREED)}
        ties = _("In this order. If none of them decides, lots are drawn.")
        return [
            Group(self._title_of_intake, translated(RULE) if self.number else "", intake, folded=True),
            *self._of_formats(),
            Group(
                _("Scoring"),
                "",
                [each for each in self.under(SCORING) if each.name not in agreed],
                folded=True,
            ),
            Group(_("Tie-breaks"), ties, self.under("tie_breaks."), folded=True),
            Group(_("Byes on request and late entries"), AGREED_MEANS, self.named(*OF_AGREED), folded=True),
            Group(_("The line"), LINE_MEANS, self.named("line", "line_level"), folded=True),
        ]

    @property
    def _title_of_intake(self) -> Any:
        """Return the title of the fields about who plays where; no points come into a first stage."""
        return _("Seeds, groups and points carried over") if self.number else _("Seeds and groups")

    def _of_formats(self) -> Iterator[Group]:
        for each in formats.BY_KEY.values():
            if fields := self.under(f"params.{each.key}."):
                title = _("Only for: %(format)s") % {"format": translated(each.title)}
                about = NOBODY_ASKS if "requested_byes" in each.ignores else ""
                yield Group(title, about, fields, folded=True)

    # ---- As it is sent ----------------------------------------------------------------------------

    def _post_clean(self) -> None:
        """Add the errors that the log finds in the stage, before it is seen beside the others."""
        try:
            read_plan(self.plan_json(partners=1))
        except Malformed as refusal:
            self.show_more(refusal.errors)

    def seats(self, partners: int) -> bool:
        """Return whether so many partners can share a table of the players typed; otherwise add the error."""
        size = self.usable()["table_size"]
        fits = size < 2 * partners or not size % partners
        if not fits:
            given = {"players": size, "partners": partners}
            sentence = _("%(players)d players can’t be split into teams of %(partners)d who share a table.")
            self.add_error("table_size", sentence % given)
        return fits

    def settings(self, partners: int) -> dict[str, Any]:
        """Return what of the stage can change as `plan_json` does, with what it leaves out as usual."""
        stage, format_ = self.plan_json(partners), formats.find(self.usable()["format"])
        whole = {"params": shapes.record(format_.params), "scoring": shapes.record(Scoring)}
        filled_in = {name: with_usual(record, stage[name]) for name, record in whole.items()}
        found = {**with_usual(MATCH, stage), **filled_in}
        return {name: found[name] for name in OF_STAGE if name in found}

    def plan_json(self, partners: int) -> dict[str, Any]:
        """Return the stage of a form as the log holds it; so many ``partners`` sit at one table."""
        values = self.usable()
        format_ = formats.find(values["format"])
        # What was typed for another format stays in the form, but is not announced.
        values |= dict.fromkeys(name for name in self.fields if _ignores(format_, name))
        chosen = [values[f"tie_breaks.{number}"] for number in range(TIE_BREAKS)]
        size = values["table_size"]
        sides = size // partners if size >= 2 * partners else size
        # Nor is what was typed for tables of two.
        match = record_in_form(MATCH, "", values) if sides == 2 and (values["best_of"] or 1) > 1 else {}
        return {
            "name": values["name"],
            "format": format_.key,
            "rounds": values["rounds"] or 0,
            "table_size": sides,
            **match,
            "groups": values["groups"],
            "hours": (values["hours"] or 0) // HOUR,
            "params": _params(format_, values),
            "scoring": record_in_form(shapes.record(Scoring), SCORING, values),
            "intake": record_in_form(_intake_record(self.number), INTAKE, values),
            "tie_breaks": list(dict.fromkeys(key for key in chosen if key)),
            **record_in_form(LINE, "", values),
            **record_in_form(AGREED, "", values),
        }

    def show(self, errors: Mapping[str, list[str]]) -> None:
        """Add errors to their fields; errors of parameters to the fields of the chosen format."""
        chosen = f"params.{self.usable()['format']}."
        super().show({re.sub(r"^params\.", chosen, path): each for path, each in errors.items()})


def _params(format_: formats.Format, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a form that are not as usual: only those are announced."""
    given = record_in_form(shapes.record(format_.params), f"params.{format_.key}.", values)
    usual = vars(format_.params())
    return {name: value for name, value in given.items() if value != usual[name]}


def _ignores(format_: formats.Format, name: str) -> bool:
    """Return whether a field of the form has no effect in a format."""
    part, _dot, rest = name.partition(".")
    other = part == "params" and rest.partition(".")[0] != format_.key
    return other or not format_.ignores.isdisjoint({name, part})


_TWO: Final = 2


def _table_size(seats: Sequence[int], plan: StagePlan, partners: int, entries: int) -> forms.IntegerField:
    initial = plan.table_size * partners
    usual = gettext(
        "If partners share a table, all of them count: 2 teams of 2 are 4 players. A number too small "
        "for two teams counts teams. If entries don’t divide evenly, table sizes differ."
    )
    found = _example(seats, plan, entries) if partners == 1 else ()
    told = {"size": initial, "count": entries, "tables": tables_in_words(Counter(found), teams=False)}
    example = filled(gettext("With %(size)d, %(count)d players sit at %(tables)s."), told) if found else ""
    if found and (out := entries - sum(found)):
        seeded_out = plan.table_size == _TWO and formats.of(plan).has_brackets
        who = gettext("That is in round 1 alone: the best seeds go on without a table.")
        who = who if seeded_out else gettext("Each draw says who.")
        example = f"{example} {sits_out_in_words(out, entries)} {who}"
    return NumberField(
        label=_("Players at a table"),
        initial=initial,
        min_value=2,
        max_value=max(seats),
        help_text=f"{usual} {example}".strip(),
    )


def whole_number(typed: Any) -> int:
    """Return a number as it was typed; 0 where it is none, or has more than three digits."""
    text = str(typed or "")
    return int(text) if text.isdecimal() and len(text) < 4 else 0


def _example(seats: Sequence[int], plan: StagePlan, entries: int) -> Sequence[int]:
    """Return the tables of a first round: tables of two stay so, and a cup has byes up to a power of two."""
    if plan.table_size != _TWO or _TWO not in seats:
        return table_sizes(entries, seats, plan.table_size)
    byes = seeded(entries).count(None) if formats.of(plan).has_brackets else 0
    return (_TWO,) * ((entries - byes) // _TWO)


def _intake_record(number: int) -> Record:
    """Return the fields of a stage's intake."""
    return shapes.record(Intake) if number > 0 else OF_FIRST


def _intake_fields(number: int, intake: Intake) -> dict[str, forms.Field]:
    return fields_of(_intake_record(number), INTAKE, shapes.write(intake))


def _tie_break_fields(order: tuple[str, ...]) -> dict[str, forms.Field]:
    choices = [("", "–"), *((each.key, tie_break(each.key)) for each in tie_breaks.BY_KEY.values())]
    usual = dict(enumerate(order))
    return {
        f"tie_breaks.{number}": ChoiceField(
            label=_("Tie-break %(number)d") % {"number": number + 1},
            choices=choices,
            required=False,
            initial=usual.get(number, ""),
        )
        for number in range(TIE_BREAKS)
    }


def _param_fields(plan: StagePlan) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {}
    for format_ in formats.BY_KEY.values():
        initial = plan.params if format_.key == plan.format else {}
        fields.update(fields_of(shapes.record(format_.params), f"params.{format_.key}.", initial))
    return fields


def room_field() -> NumberField:
    """Return the field that asks how many tables the room has."""
    return NumberField(
        label=gettext("How many tables does the room have?"),
        help_text=gettext("Empty: as many as are needed."),
        required=False,
        min_value=1,
        max_value=1000,
    )
