"""The part of setting up that is one stage: its format, who plays in it, and what results are worth."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from games.engine import shapes
from games.engine.kinds import Record
from league import formats, tie_breaks
from league.admin.declared import fields_of, json_of
from league.admin.fields import Group, Lasting, PathForm
from league.competition.events import Intake, Scoring, StagePlan
from league.models.names import printable

TIE_BREAKS: Final = 5
HOUR: Final = 60 * 60
MOST_ROUNDS: Final = 1000
MOST_GROUPS: Final = 100
SCORING: Final = "scoring."
INTAKE: Final = "intake."
OUTCOMES: Final = tuple(f"{SCORING}{name}" for name in ("bye", "absent", "no_show", "forfeit", "walkover"))
OF_FIRST: Final = ("seeding", "divide")
"""What is asked of the intake of a first stage; all else is about the stage before."""

LABELS: Final = {
    f"{SCORING}by": _("Points come from"),
    f"{SCORING}place_points": _("Points for each place"),
    f"{SCORING}fair": _("Tables of every size are worth the same"),
    f"{SCORING}best": _("Only the best rounds count"),
    f"{SCORING}bye": _("Without a table in a round"),
    f"{SCORING}absent": _("Absent, and said so"),
    f"{SCORING}no_show": _("Did not come"),
    f"{SCORING}forfeit": _("Left the table"),
    f"{SCORING}walkover": _("Came, but nobody else did"),
    f"{INTAKE}source": _("Who plays in it"),
    f"{INTAKE}seeding": _("Seeds"),
    f"{INTAKE}divide": _("Seeds and groups"),
    f"{INTAKE}best": _("The best of each group go on"),
    f"{INTAKE}promoted": _("Promoted"),
    f"{INTAKE}relegated": _("Relegated"),
    f"{INTAKE}carry": _("Points carried over"),
}
CHOICES: Final = {
    f"{SCORING}by": [
        ("place", _("places at the table")),
        ("win", _("wins only")),
        ("score", _("the game’s own score")),
    ],
    **{
        name: [
            ("win", _("as if first")),
            ("middle", _("as if in the middle")),
            ("average", _("the average of the other rounds")),
            ("last", _("as if last")),
            ("none", _("nothing")),
        ]
        for name in OUTCOMES
    },
    f"{INTAKE}source": [
        ("best", _("the best of each group before")),
        ("promotion", _("divisions, some going up and some down")),
        ("entries", _("everybody")),
    ],
    f"{INTAKE}seeding": [("lots", _("drawn by lot")), ("order", _("in the order of entering, best first"))],
    f"{INTAKE}divide": [
        ("spread", _("groups of equal strength")),
        ("stack", _("divisions: the best seeds together")),
    ],
}


def plain(format_: formats.Format) -> StagePlan:
    """Return an ordinary stage of a format."""
    rounds = (1 if format_.open_tables else 5) if format_.rounds_asked else 0
    order = ("head_to_head", "wins", "game_score")
    return StagePlan("League", format_.key, rounds, 4, {}, tie_breaks=order)


def following() -> StagePlan:
    """Return a stage such as usually follows another: a knockout of the best of each group."""
    scoring = Scoring(bye="win", walkover="win")
    order = ("wins", "score_difference")
    return StagePlan("Final stage", "knockout", 0, 4, {}, scoring, order, intake=Intake("best", best=2))


def next_season(last: StagePlan) -> StagePlan:
    """Return the stage that usually follows a league's last one: the same again, its divisions kept."""
    if last.groups == 1:
        return replace(last, intake=Intake("entries"))
    up, down = last.intake.promoted or 1, last.intake.relegated or 1
    return replace(last, intake=Intake("promotion", promoted=up, relegated=down))


class StageForm(PathForm):
    """A stage; ``plan`` is what its fields hold at first, ``number`` its place, from 0."""

    name = forms.CharField(
        label=_("Name of this stage"),
        max_length=100,
        validators=[printable],
        widget=UnfoldAdminTextInputWidget,
    )
    format = forms.ChoiceField(
        label=_("Format"),
        choices=[(each.key, each.title) for each in formats.FORMATS],
        widget=UnfoldAdminSelectWidget,
    )
    rounds = forms.IntegerField(
        label=_("Rounds"),
        required=False,
        min_value=0,
        max_value=MOST_ROUNDS,
        help_text=_("A knockout and, with 0, a round robin have as many as they need."),
        widget=UnfoldAdminIntegerFieldWidget,
    )
    groups = forms.IntegerField(
        label=_("Groups or divisions"),
        min_value=1,
        max_value=MOST_GROUPS,
        help_text=_("Each plays apart; 1: everybody plays together."),
        widget=UnfoldAdminIntegerFieldWidget,
    )

    hours = Lasting(
        label=_("Time for each round"),
        help_text=_("From its publication, such as 7 days or 36 hours. Left empty: as long as it takes."),
    )

    def __init__(
        self,
        data: Any,
        *,
        plan: StagePlan,
        number: int,
        sizes: tuple[int, int],
        initial: dict[str, Any] | None,
    ) -> None:
        super().__init__(data, prefix=f"stages.{number}", initial=initial)
        self.number = number
        for name in ("name", "format", "rounds", "groups"):
            self.fields[name].initial = getattr(plan, name)
        self.fields["hours"].initial = plan.hours * HOUR
        self.fields["table_size"] = _table_size(*sizes, plan.table_size)
        self.fields.update(fields_of(shapes.record(Scoring), SCORING, shapes.write(plan.scoring)))
        self.fields.update(_intake_fields(number, plan.intake))
        self.fields.update(_tie_break_fields(plan.tie_breaks))
        self.fields.update(_param_fields(plan))
        self._name_fields()

    def _name_fields(self) -> None:
        for name, label in LABELS.items():
            if name in self.fields:
                self.fields[name].label = label
        for name, choices in CHOICES.items():
            if name in self.fields:
                self.fields[name].choices = choices  # type: ignore[attr-defined]

    # ---- As it is shown ---------------------------------------------------------------------------

    @property
    def main(self) -> Group:
        """Return what everybody is asked."""
        names = ["name", "format", "rounds", "table_size", "groups", "hours"]
        return Group("", "", self.named(*names, f"{INTAKE}source", f"{INTAKE}best"))

    @property
    def folded(self) -> list[Group]:
        """Return what most leave as it is."""
        shown = {field.name for field in self.main.fields}
        intake = [field for field in self.under(INTAKE) if field.name not in shown]
        ties = _("In this order. If nothing decides, a lot from the log’s own seed does.")
        return [
            Group(_("Seeds, groups and what is carried over"), "", intake, folded=True),
            *self._of_formats(),
            Group(_("What results are worth"), "", self.under(SCORING), folded=True),
            Group(
                _("What decides between those level on points"), ties, self.under("tie_breaks."), folded=True
            ),
        ]

    def _of_formats(self) -> Iterator[Group]:
        for each in formats.FORMATS:
            if fields := self.under(f"params.{each.key}."):
                title = _("Only for: %(format)s") % {"format": each.title}
                yield Group(title, "", fields, folded=True, only_for=each.key)

    # ---- As it is told ----------------------------------------------------------------------------

    def plan_json(self) -> dict[str, Any]:
        """Return the stage of a valid form as the log holds it."""
        told = self.cleaned_data
        chosen = [told[f"tie_breaks.{number}"] for number in range(TIE_BREAKS)]
        format_ = formats.find(told["format"])
        return {
            "name": told["name"],
            "format": format_.key,
            "rounds": told["rounds"] or 0,
            "table_size": told["table_size"],
            "groups": told["groups"],
            "hours": -(-(told["hours"] or 0) // HOUR),
            "params": json_of(shapes.record(format_.params), f"params.{format_.key}.", told),
            "scoring": json_of(shapes.record(Scoring), SCORING, told),
            "intake": json_of(_asked(self.number), INTAKE, told),
            "tie_breaks": list(dict.fromkeys(key for key in chosen if key)),
        }

    def show(self, errors: Mapping[str, list[str]]) -> None:
        """Put each error at its field; those of parameters at the chosen format's."""
        chosen = f"params.{self.cleaned_data['format']}."
        super().show({re.sub(r"^params\.", chosen, path): said for path, said in errors.items()})


def _table_size(low: int, high: int, initial: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=_("Players at a table"),
        initial=initial,
        min_value=low,
        max_value=high,
        help_text=_(
            "Of teams that share a table: teams. Where the numbers don’t divide, some tables differ by one."
        ),
        widget=UnfoldAdminIntegerFieldWidget,
    )


def _asked(number: int) -> Record:
    """Return what is asked about the intake of a stage."""
    whole = shapes.record(Intake)
    wanted = [field for field in whole.fields if number > 0 or field.name in OF_FIRST]
    return Record(Intake, tuple(wanted))


def _intake_fields(number: int, intake: Intake) -> dict[str, forms.Field]:
    return fields_of(_asked(number), INTAKE, shapes.write(intake))


def _tie_break_fields(order: tuple[str, ...]) -> dict[str, forms.Field]:
    choices = [("", "–"), *((each.key, each.title) for each in tie_breaks.TIE_BREAKS)]
    usual = dict(enumerate(order))
    return {
        f"tie_breaks.{number}": forms.ChoiceField(
            label=_("%(number)d. decides") % {"number": number + 1},
            choices=choices,
            required=False,
            initial=usual.get(number, ""),
            widget=UnfoldAdminSelectWidget,
        )
        for number in range(TIE_BREAKS)
    }


def _param_fields(plan: StagePlan) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {}
    for format_ in formats.FORMATS:
        initial = plan.params if format_.key == plan.format else {}
        fields.update(fields_of(shapes.record(format_.params), f"params.{format_.key}.", initial))
    return fields
