"""The form by which a competition is set up, made of what its game, preset and formats declare."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.http import HttpRequest
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
from games.engine.clocks import Clock
from games.engine.kinds import Record
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset
from league import formats, services
from league.admin.declared import fields_of, json_of
from league.admin.fields import Group, Lasting, PathForm, errors_under
from league.admin.stageform import StageForm, following, plain
from league.competition.events import Entering
from league.competition.values import MAX_TEAM
from league.formats.presets import PRESETS, Preset
from league.models import Club, Competition
from league.models.names import printable
from league.views.callers import caller
from league.views.sending import made_once

OPTIONS: Final = "options."
ENTERING: Final = "entering."
CLOCK: Final = "clock."
ONLY: Final = "only-"
"""What stands before a format's key where no preset is wanted."""
COUNT: Final = "stage_count"
MOST_STAGES: Final = 8
LABELS: Final = {
    f"{ENTERING}places": _("Places"),
    f"{ENTERING}approval": _("Entries need approval"),
    f"{ENTERING}check_in": _("Players check in before the start"),
    f"{CLOCK}late": _("Who is late"),
    f"{CLOCK}quiet": _("Quiet hours"),
}
LINEUPS: Final = [
    ("single", _("single players")),
    ("partners", _("partners who share a table")),
    ("boards", _("teams, each player at a board of their own")),
]
OVERDUE: Final = [
    ("organiser", _("the organiser decides")),
    ("defaults", _("the clock makes the usual moves")),
    ("forfeit", _("whoever is to move forfeits")),
]
LATE: Final = [("default", _("the clock makes the usual move")), ("forfeit", _("forfeits the game"))]


@dataclass(frozen=True)
class Setting:
    """What is set up: the game, what the form holds at first, and for which clubs."""

    ruleset: AnyRuleset
    preset: Preset
    variant: str
    clubs: Any


def games_to_choose() -> list[dict[str, Any]]:
    """Return every game, as the first page of setting up offers them."""
    return [{"ruleset": ruleset, "seats": listed(ruleset.seats)} for ruleset in rules.NEWEST.values()]


def preset_of(key: str, ruleset: AnyRuleset) -> Preset | None:
    """Return the preset of a key, or one that is a single format; at tables of the game. None for neither."""
    format_ = formats.BY_KEY.get(key.removeprefix(ONLY)) if key.startswith(ONLY) else None
    only = Preset(key, format_.title, format_.summary, (plain(format_),)) if format_ else None
    found = PRESETS.get(key) or only
    return found.for_tables(ruleset.seats) if found else None


class OpeningForm(PathForm):
    """All that a competition is opened with; every error stands at its field.

    ``typed`` is what a form of another number of stages held when that number was changed.
    """

    prefixes = ("", OPTIONS, ENTERING, CLOCK)

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
        label=_("Pace"), choices=Competition.Pace.choices, widget=UnfoldAdminRadioSelectWidget
    )
    lineup = forms.ChoiceField(label=_("Who enters"), choices=LINEUPS, widget=UnfoldAdminRadioSelectWidget)
    team_size = forms.IntegerField(
        label=_("Players of a team"),
        required=False,
        min_value=1,
        max_value=MAX_TEAM,
        help_text=_("Where teams enter."),
        widget=UnfoldAdminIntegerFieldWidget,
    )

    overdue = forms.ChoiceField(
        label=_("Games that run past their round’s deadline"),
        choices=OVERDUE,
        initial="organiser",
        widget=UnfoldAdminSelectWidget,
    )

    def __init__(
        self,
        data: Any = None,
        *,
        setting: Setting,
        typed: "Typed | None" = None,
    ) -> None:
        super().__init__(data, initial=typed.whole if typed else None)
        self.setting, self.ruleset = setting, setting.ruleset
        self._declare(setting)
        stages = typed.stages if typed else setting.preset.stages
        count = _count(data) if self.is_bound else len(stages)
        self.stages = [self._stage(data, number, typed) for number in range(count)]

    def _declare(self, setting: Setting) -> None:
        preset = setting.preset
        options = setting.ruleset.presets.get(setting.variant, {})
        self.fields["club"] = _club_field(setting.clubs)
        self.fields.update(fields_of(shapes.record(setting.ruleset.options), OPTIONS, options))
        self.fields.update(fields_of(shapes.record(Entering), ENTERING, shapes.write(preset.entering)))
        self.fields.update(_clock_fields())
        for name in ("pace", "lineup"):
            self.fields[name].initial = getattr(preset, name)
        self.fields["team_size"].initial = 2
        for name, label in LABELS.items():
            self.fields[name].label = label

    def _stage(self, data: Any, number: int, typed: "Typed | None") -> StageForm:
        plans = self.setting.preset.stages
        return StageForm(
            data,
            plan=plans[number] if number < len(plans) else self._following(),
            number=number,
            sizes=(2, max(self.ruleset.seats)),
            initial=typed.stages[number] if typed and number < len(typed.stages) else None,
        )

    def _following(self) -> Any:
        usual = Preset("", "", "", (following(),)).for_tables(self.ruleset.seats)
        return usual.stages[0]

    # ---- As it is shown ---------------------------------------------------------------------------

    @property
    def called(self) -> Group:
        """Return what has to be filled in by everybody."""
        return Group(_("What it is called"), "", self.named("club", "name"))

    @property
    def entries(self) -> Group:
        """Return who may enter, and how it goes on."""
        return Group(_("Entries and pace"), "", [*self.under(ENTERING), *self.named("pace")])

    @property
    def folded(self) -> list[Group]:
        """Return what most leave as it is."""
        title = _("Options of %(game)s") % {"game": self.ruleset.title}
        about = _("Fixed from the opening on, for every table.")
        clocks = _("For games on this site. A clock left empty never runs out.")
        return [
            Group(title, about, self.under(OPTIONS), True, part="admin/competition_variants.html"),
            Group(_("Time to move"), clocks, [*self.under(CLOCK), *self.named("overdue")], True),
            Group(_("Teams"), "", self.named("lineup", "team_size"), True),
            Group(_("Address of its page"), "", self.named("slug"), True),
        ]

    @property
    def wrong(self) -> list[BoundField]:
        """Return the fields that have errors, those of stages too, in no other order than they are asked."""
        return [field for form in (self, *self.stages) for field in form if field.errors]

    @property
    def may_grow(self) -> bool:
        """Return whether another stage may be added."""
        return len(self.stages) < MOST_STAGES

    # ---- As it is told ----------------------------------------------------------------------------

    def is_valid(self) -> bool:
        """Return whether everything is, the stages too; every error is found at once."""
        return all([super().is_valid(), *(stage.is_valid() for stage in self.stages)])

    def reshaped(self, change: int) -> "OpeningForm":
        """Return the form as it was filled in, not judged yet, with a stage more (1) or fewer (-1)."""
        count = min(max(1, len(self.stages) + change), MOST_STAGES)
        held = [stage.typed() for stage in self.stages][:count]
        empty: list[dict[str, Any] | None] = [None] * (count - len(held))
        return OpeningForm(setting=self.setting, typed=Typed(self.typed(), [*held, *empty]))

    def opened(self, request: HttpRequest) -> Competition | None:
        """Open the competition that the valid form describes; return None with its errors where refused."""
        try:
            told = self._told()
            made = made_once(request, lambda: services.open_competition(by=caller(request), **told))
            return Competition.objects.get(pk=made.id)
        except Malformed as refusal:
            for stage in self.stages:
                stage.show(errors_under(refusal, f"{stage.prefix}."))
            self.show({path: said for path, said in refusal.errors.items() if not path.startswith("stages.")})
            return None

    def _told(self) -> dict[str, Any]:
        told = self.cleaned_data
        return {
            "club": told["club"],
            "name": told["name"],
            "slug": told["slug"],
            "ruleset": self.ruleset.key,
            "options": json_of(shapes.record(self.ruleset.options), OPTIONS, told),
            "stages": [stage.plan_json() for stage in self.stages],
            "pace": told["pace"],
            "lineup": told["lineup"],
            "team_size": 1 if told["lineup"] == "single" else told["team_size"] or 1,
            "entering": json_of(shapes.record(Entering), ENTERING, told),
            "overdue": told["overdue"],
            "clock": shapes.read(Clock, json_of(_clock_record(), CLOCK, told)),
        }


@dataclass(frozen=True)
class Typed:
    """What a form held: of the whole, and of each stage; None for one that is new."""

    whole: dict[str, Any]
    stages: Sequence[dict[str, Any] | None]


def _count(data: Mapping[str, str]) -> int:
    """Return how many stages a posted form has."""
    told = data.get(COUNT, "1")
    return min(max(1, int(told)), MOST_STAGES) if told.isdecimal() and len(told) < 4 else 1


def _clock_record() -> Record:
    """Return what is asked of the clock: all but the zone, which is the club's."""
    whole = shapes.record(Clock)
    return Record(Clock, tuple(field for field in whole.fields if field.name != "zone"))


def _clock_fields() -> dict[str, forms.Field]:
    lengths = {
        f"{CLOCK}move": Lasting(label=_("For each move")),
        f"{CLOCK}game": Lasting(label=_("For all moves of a game")),
        f"{CLOCK}reminder": Lasting(label=_("Reminder, so long before it is late")),
    }
    fields = {**fields_of(_clock_record(), CLOCK, {}), **lengths}
    fields[f"{CLOCK}late"].choices = LATE  # type: ignore[attr-defined]
    return fields


def _club_field(clubs: Any) -> "forms.ModelChoiceField[Club]":
    only = clubs.first() if clubs.count() == 1 else None
    return forms.ModelChoiceField(
        clubs,
        label=_("Club"),
        initial=only,
        empty_label=None if only else _("Choose a club"),
        widget=UnfoldAdminSelectWidget,
    )
