"""The one form by which a competition is set up, made of what its game and its format declare."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from games import rules
from games.engine import shapes
from games.engine.base import listed
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset
from league import services, tie_breaks
from league.admin.declared import fields_of, json_of
from league.competition.events import Entering, Scoring
from league.formats import Format
from league.models import Account, Club, Competition
from league.models.names import printable
from league.views.rules import presets_of

OPTIONS: Final = "options."
STAGE: Final = "stages.0."
PARAMS: Final = "stages.0.params."
SCORING: Final = "stages.0.scoring."
ENTERING: Final = "entering."
TIE_BREAKS: Final = 5
USUAL_TIE_BREAKS: Final = ("head_to_head", "wins", "game_score")
MOST_ROUNDS: Final = 1000
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
    f"{ENTERING}places": _("Places"),
    f"{ENTERING}approval": _("Entries need approval"),
    f"{ENTERING}check_in": _("Players check in before the start"),
}
OUTCOMES: Final = [f"{SCORING}{name}" for name in ("bye", "absent", "no_show", "forfeit", "walkover")]
POLICIES: Final = [
    ("win", _("as if first")),
    ("middle", _("as if in the middle")),
    ("average", _("the average of the other rounds")),
    ("last", _("as if last")),
    ("none", _("nothing")),
]


@dataclass(frozen=True)
class Group:
    """A part of the form, with what is to be said of it."""

    title: Any
    about: Any
    fields: list[BoundField]


def games_to_choose() -> list[dict[str, Any]]:
    """Return every game with its presets, as the first page of setting up offers them."""
    return [
        {"ruleset": ruleset, "seats": listed(ruleset.seats), "presets": presets_of(ruleset)}
        for ruleset in rules.NEWEST.values()
    ]


class OpeningForm(forms.Form):
    """All that a competition is opened with; every error stands at its field."""

    name = forms.CharField(
        label=_("Name"), max_length=100, validators=[printable], widget=UnfoldAdminTextInputWidget
    )
    slug = forms.SlugField(
        label=_("Address"),
        required=False,
        max_length=80,
        help_text=_("The last part of its page’s address. Left empty, it is made from the name."),
        widget=UnfoldAdminTextInputWidget,
    )
    pace = forms.ChoiceField(
        label=_("Pace"),
        choices=Competition.Pace.choices,
        initial=Competition.Pace.AUTOMATIC,
        widget=UnfoldAdminRadioSelectWidget,
    )

    def __init__(
        self, *args: Any, ruleset: AnyRuleset, preset: str, format_: Format, clubs: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.ruleset, self.format = ruleset, format_
        self.fields["club"] = _club_field(clubs)
        chosen = ruleset.presets.get(preset, {})
        self.fields.update(fields_of(shapes.record(ruleset.options), OPTIONS, chosen))
        self.fields.update(_stage_fields(ruleset, format_))
        self.fields.update(fields_of(shapes.record(format_.params), PARAMS, {}))
        self.fields.update(fields_of(shapes.record(Scoring), SCORING, {}))
        self.fields.update(_tie_break_fields())
        self.fields.update(fields_of(shapes.record(Entering), ENTERING, {}))

        for name, label in LABELS.items():
            self.fields[name].label = label
        for name in OUTCOMES:
            self.fields[name].widget.choices = POLICIES

    @property
    def groups(self) -> list[Group]:
        """Return the fields in the order in which an organiser thinks of them."""
        return [
            Group(_("What it is called"), "", self._named("club", "name", "slug")),
            Group(
                self.ruleset.title, _("Fixed from the opening on, for every table."), [*self._with(OPTIONS)]
            ),
            Group(self.format.title, self.format.summary, [*self._stage(), *self._with(PARAMS)]),
            Group(_("What results are worth"), "", [*self._with(SCORING)]),
            Group(
                _("Level on points"),
                _("What decides, in this order. If nothing does, a lot from the log’s own seed does."),
                [*self._with("tie_break.")],
            ),
            Group(_("Entries and pace"), "", [*self._with(ENTERING), self["pace"]]),
        ]

    def _named(self, *names: str) -> list[BoundField]:
        return [self[name] for name in names]

    def _with(self, prefix: str) -> Iterator[BoundField]:
        return (self[name] for name in self.fields if name.startswith(prefix))

    def _stage(self) -> list[BoundField]:
        names = ("stages.0.name", "stages.0.rounds", "stages.0.table_size")
        return [self[name] for name in names if name in self.fields]

    def opened(self, by: Account) -> Competition | None:
        """Open the competition that the valid form describes; return None with its errors where refused."""
        told = self.cleaned_data
        try:
            return services.open_competition(
                by=by,
                club=told["club"],
                name=told["name"],
                slug=told["slug"],
                ruleset=self.ruleset.key,
                options=json_of(shapes.record(self.ruleset.options), OPTIONS, told),
                stages=[self._stage_json()],
                pace=told["pace"],
                entering=json_of(shapes.record(Entering), ENTERING, told),
            )
        except Malformed as refusal:
            self._show(refusal.errors)
            return None

    def _stage_json(self) -> dict[str, Any]:
        told = self.cleaned_data
        chosen = [told[f"tie_break.{number}"] for number in range(TIE_BREAKS)]
        return {
            "name": told["stages.0.name"],
            "format": self.format.key,
            "rounds": told.get("stages.0.rounds") or 0,
            "table_size": told["stages.0.table_size"],
            "params": json_of(shapes.record(self.format.params), PARAMS, told),
            "scoring": json_of(shapes.record(Scoring), SCORING, told),
            "tie_breaks": list(dict.fromkeys(key for key in chosen if key)),
        }

    def _show(self, errors: Mapping[str, list[str]]) -> None:
        """Put each error at the field that it is about."""
        for path, sentences in errors.items():
            field = self._field_of(path)
            self.add_error(field, sentences if field else [f"{path}: {said}" for said in sentences])

    def _field_of(self, path: str) -> str | None:
        """Return the field that an error's path, or the list around it, belongs to."""
        parts = path.split(".")
        shorter = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
        prefixes = ("", OPTIONS, STAGE, PARAMS, SCORING, ENTERING)
        named = (f"{prefix}{each}" for each in shorter for prefix in prefixes)
        return next((name for name in named if name in self.fields), None)


def _club_field(clubs: Any) -> "forms.ModelChoiceField[Club]":
    only = clubs.first() if clubs.count() == 1 else None
    return forms.ModelChoiceField(
        clubs,
        label=_("Club"),
        initial=only,
        empty_label=None if only else _("Choose a club"),
        widget=UnfoldAdminSelectWidget,
    )


def _stage_fields(ruleset: AnyRuleset, format_: Format) -> dict[str, forms.Field]:
    low, high = min(ruleset.seats), max(ruleset.seats)
    fields: dict[str, forms.Field] = {
        "stages.0.name": forms.CharField(
            label=_("Name of this stage"),
            initial=_("League"),
            max_length=100,
            validators=[printable],
            widget=UnfoldAdminTextInputWidget,
        ),
        "stages.0.table_size": forms.IntegerField(
            label=_("Players at a table"),
            initial=min(max(low, 4), high),
            min_value=low,
            max_value=high,
            help_text=_("Where the numbers don’t divide, some tables have one more or fewer."),
            widget=UnfoldAdminIntegerFieldWidget,
        ),
    }
    if format_.rounds_asked:
        fields["stages.0.rounds"] = forms.IntegerField(
            label=_("Rounds"),
            initial=5,
            min_value=1,
            max_value=MOST_ROUNDS,
            widget=UnfoldAdminIntegerFieldWidget,
        )
    return fields


def _tie_break_fields() -> dict[str, forms.Field]:
    choices = [("", "–"), *((each.key, each.title) for each in tie_breaks.TIE_BREAKS)]
    usual = dict(enumerate(USUAL_TIE_BREAKS))
    return {
        f"tie_break.{number}": forms.ChoiceField(
            label=_("%(number)d. decides") % {"number": number + 1},
            choices=choices,
            required=False,
            initial=usual.get(number, ""),
            widget=UnfoldAdminSelectWidget,
        )
        for number in range(TIE_BREAKS)
    }
