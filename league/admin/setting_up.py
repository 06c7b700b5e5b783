"""The pages and the form that set up a competition: first the game and the kind, then all the rest."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.forms import BoundField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import rules
from games.engine import shapes
from games.engine.base import listed
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset
from games.engine.textinput import record_in_form, with_usual
from league import hooks
from league.admin.base import ClubScopedAdmin, directed_ids
from league.admin.details import DETAILS, details_fields, details_in_form
from league.admin.fields import (
    ChoiceField,
    DurationField,
    Group,
    PathForm,
    RadioField,
    RowField,
    TextField,
    errors_under,
    offer_clubs,
)
from league.admin.stage_form import EXAMPLE, ONLY, StageForm, final_stage, preset_of, room_field, whole_number
from league.callers import ByAccount
from league.core import formats
from league.core.presets import PRESETS, Preset
from league.core.state.plan import Entering, Waits
from league.core.state.rooms import Room
from league.core.state.values import MAX_TEAM
from league.core.verbs.rooms import SetRooms
from league.core.verbs.settings import OF_OPENING
from league.forms import NumberField, fields_of
from league.models import Account, Club, Competition
from league.models.names import nameable
from league.queries.clubs import all_clubs
from league.queries.competitions import entered_last
from league.requests import account_in, made_once
from league.services.competitions import Given, check_opening, open_competition
from league.services.verbs import perform
from league.words import settings
from league.words.competitions import how_partners_play
from league.words.messages import translated
from league.words.options import in_the_room

# ---- The form ------------------------------------------------------------------------------------

OPTIONS: Final = "options."
ENTERING: Final = "entering."
WAITS: Final = "waits."
CLOCK: Final = "clock."
AT_THE_TABLE: Final = ("aided", "open_hands")
"""The fields about tables at which the server deals the cards."""
"""The prefix of a format's key where a single format is chosen instead of a preset."""
COUNT: Final = "stage_count"
DEALS: Final = f"{OPTIONS}rounds"
"""The option that decides most how long a round takes, where the game has it."""
MOST_STAGES: Final = 8
_OF_PRESET: Final = ("pace", "lineup", "overdue", "entropy", *AT_THE_TABLE)
_NEW: Final = ("club", "slug", "tables")
_FIXED: Final = ("lineup", "team_size", "entropy")
"""What is asked of a new competition alone; what can't be changed once it is set up."""
NO_ROOT: Final = "0" * 64
"""In place of the root of a competition's secrets, where only its settings are checked."""
LABELS: Final = {
    DEALS: gettext_lazy("Deals at each table in a round"),
    **settings.OF_ENTRIES,
    **settings.OF_CLOCK,
}
LINEUPS: Final = [
    ("single", gettext_lazy("single players")),
    ("partners", gettext_lazy("partners who share a table")),
    ("boards", gettext_lazy("teams whose players sit at different tables")),
]
CLOCK_FIELDS: Final = shapes.without(shapes.record(Clock), {"zone"})
"""The fields of the clock without its time zone, which is the club's."""


@dataclass(frozen=True)
class Setting:
    """What to set up: the game, the preset and variant of options that fill the form, and the clubs.

    Where it is ``set_up`` already, only that can be changed which no draw depends on; ``entries`` may come.
    """

    ruleset: AnyRuleset
    preset: Preset
    variant: str
    clubs: Any
    set_up: bool = False
    entries: int = EXAMPLE

    @property
    def partners(self) -> int:
        """Return how many players of an entry share a table in the preset."""
        return self.preset.team_size if self.preset.lineup == "partners" else 1


def games_to_choose(clubs: Collection[UUID]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the games under their headings: those of the clubs, then those that come with the server."""
    own = [ruleset for of_app in hooks.OWN_GAMES for ruleset in of_app(clubs)]
    others = [ruleset for ruleset in rules.games() if ruleset.key not in {each.key for each in own}]
    groups = (
        (_("Games of the club"), own),
        (_("Played on this site"), [each for each in others if each.dealt]),
        (_("With real cards, in a hall"), [each for each in others if not each.dealt]),
    )
    return [
        (title, [{"ruleset": each, "seats": translated(listed(each.seats))} for each in found])
        for title, found in groups
        if found
    ]


class SetupForm(PathForm):
    """Everything that a competition is opened with; every error is shown at its field.

    ``typed`` holds the values of the form before a stage was added or removed.
    """

    prefixes = ("", OPTIONS, ENTERING, WAITS, CLOCK, DETAILS)

    club = RowField(
        Club.objects.none(), label=gettext_lazy("Club"), empty_label=gettext_lazy("Choose a club")
    )
    name = TextField(label=settings.TITLES["name"], max_length=100, validators=[nameable])
    slug = forms.SlugField(
        label=gettext_lazy("Address"),
        required=False,
        max_length=80,
        help_text=gettext_lazy(
            "The last part of the address of its page. Leave it empty to make it from the name."
        ),
        widget=forms.TextInput,
    )
    pace = RadioField(
        label=settings.TITLES["pace"],
        choices=Competition.Pace.choices,
        help_text=gettext_lazy(
            "With the automatic pace rounds are made, published and closed by themselves, and the "
            "competition finishes by itself. It waits before it closes a round and before it finishes, "
            "so that wrong results can be corrected."
        ),
    )
    lineup = RadioField(label=gettext_lazy("Who enters"), choices=LINEUPS)
    team_size = NumberField(
        label=gettext_lazy("Players per team"),
        required=False,
        min_value=1,
        max_value=MAX_TEAM,
        help_text=gettext_lazy("Only where teams enter."),
    )

    overdue = ChoiceField(
        label=settings.TITLES["overdue"],
        choices=Competition.Overdue.choices,
        initial="organiser",
    )
    entropy = ChoiceField(
        label=gettext_lazy("Draws depend on"),
        choices=[
            ("texts", gettext_lazy("texts that entries and organisers may add")),
            ("beacon", gettext_lazy("a public beacon; each draw waits about half a minute for it")),
        ],
        initial="texts",
        help_text=gettext_lazy(
            "So that nobody can predict or choose a draw. With a beacon the server needs the internet."
        ),
    )

    aided = forms.BooleanField(
        label=settings.TITLES["aided"],
        required=False,
        help_text=gettext_lazy(
            "The page of a game then lists the melds that a hand makes. Otherwise players find them, "
            "and are always told whether theirs are allowed and what they lack."
        ),
    )
    open_hands = NumberField(
        label=settings.TITLES["open_hands"],
        required=False,
        min_value=0,
        max_value=7 * 24 * 60,
        help_text=gettext_lazy("While the game goes on with other deals; empty: only when the game is over."),
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
        count = min(whole_number(data.get(COUNT)) or 1, MOST_STAGES) if self.is_bound else len(stages)
        places = 0 if setting.set_up else whole_number(self[f"{ENTERING}places"].value())
        self.coming = places or setting.entries
        self.stages = [self._stage(data, number, typed) for number in range(count)]
        self.seated = self._seated()

    def _declare(self, setting: Setting) -> None:
        preset = setting.preset
        options = setting.ruleset.presets.get(setting.variant, preset.options)
        offer_clubs(self.fields["club"], setting.clubs)
        self.fields.update(fields_of(setting.ruleset.asked, OPTIONS, options))
        self.fields.update(fields_of(shapes.record(Entering), ENTERING, shapes.write(preset.entering)))
        self.fields.update(fields_of(shapes.record(Waits), WAITS, shapes.write(preset.waits)))
        if setting.ruleset.dealt:
            self.fields.update(_clock_fields(preset.clock))
        else:
            for name in AT_THE_TABLE:
                del self.fields[name]
            self.fields["overdue"].help_text = gettext_lazy(
                "It has no effect on score cards: they have no clock, and an organiser decides."
            )
        self.fields.update(details_fields())
        for name in {*_OF_PRESET} & self.fields.keys():
            self.fields[name].initial = getattr(preset, name)
        self.fields["team_size"].initial = max(2, preset.team_size)
        self.fields["lineup"].help_text = how_partners_play(setting.ruleset.name)
        self.fields["tables"] = room_field()
        for name in LABELS.keys() & self.fields.keys():
            self.fields[name].label = LABELS[name]
        if setting.set_up:
            self.fields["name"].initial = preset.title
            for name in [each for each in self.fields if each in _NEW or each.startswith(DETAILS)]:
                del self.fields[name]
            for name in _FIXED:
                self.fields[name].disabled = True

    def _seated(self) -> str:
        """Return at what tables people sit in a room, and say so at the field, for as many as are typed."""
        if "tables" not in self.fields or self.setting.preset.lineup == "partners":
            return ""
        size = whole_number(self.stages[0]["table_size"].value()) or self.setting.preset.stages[0].table_size
        field = self["tables"]
        seated = in_the_room(self.ruleset.seats, size, self.coming, whole_number(field.value()))
        field.help_text = f"{field.help_text} {seated}".strip()
        return seated

    def _stage(self, data: Any, number: int, typed: "Typed | None") -> StageForm:
        plans = self.setting.preset.stages
        form = StageForm(
            data,
            plan=plans[number] if number < len(plans) else final_stage(self.ruleset.seats),
            number=number,
            sizes=self.ruleset.seats,
            initial=typed.stages[number] if typed and number < len(typed.stages) else None,
            partners=self.setting.partners if number < len(plans) else 1,
            clubs=self.setting.clubs,
            entries=self.coming,
        )
        form.say_what_a_game_is(self.ruleset)
        if self.setting.set_up:
            form.fix()
        return form

    # ---- As it is shown ---------------------------------------------------------------------------

    @property
    def required(self) -> Group:
        """Return the fields that have no default, and how long a game is."""
        deals = [DEALS] if DEALS in self.fields else []
        return Group(gettext_lazy("Name"), "", self.named("club", "name", *deals))

    @property
    def details(self) -> Group:
        """Return the fields about date, place and the rest that people are told."""
        about = gettext_lazy("People read this before they enter. You can change it at any time.")
        title = gettext_lazy("Date, place, description, prizes")
        return Group(title, about, self.under(DETAILS), folded=True)

    @property
    def entries(self) -> Group:
        """Return the fields about entries and pace."""
        return Group(
            gettext_lazy("Entries and pace"),
            "",
            [*self.under(ENTERING), *self.named("pace"), *self.under(WAITS)],
        )

    @property
    def folded(self) -> list[Group]:
        """Return the groups that most organisers need not open."""
        title = gettext_lazy("Options of %(game)s") % {"game": translated(self.ruleset.title)}
        about = gettext_lazy("They apply to every table and can’t be changed after the first draw.")
        variants = "" if self.setting.set_up else "admin/competition_variants.html"
        options = [field for field in self.under(OPTIONS) if field.name != DEALS]
        clocks = gettext_lazy("Leave a time empty for no limit.")
        partners = self.setting.preset.lineup != "single" or rules.has_teams(self.setting.ruleset.name)
        groups = [
            Group(title, about, options, True, part=variants),
            Group(gettext_lazy("Tables"), "", self.named("tables"), True),
            Group(gettext_lazy("Time to move"), clocks, self.under(CLOCK), True),
            Group(gettext_lazy("Deadline of a round"), "", self.named("overdue"), True),
            Group(gettext_lazy("Help at the table"), "", self.named(*AT_THE_TABLE), True),
            Group(gettext_lazy("Teams"), "", self.named("lineup", "team_size"), not partners),
            Group(gettext_lazy("Draws"), "", self.named("entropy"), True),
            Group(gettext_lazy("Address of the page"), "", self.named("slug"), True),
        ]
        return sorted((group for group in groups if group.fields or group.part), key=lambda each: each.folded)

    @property
    def fields_with_errors(self) -> list[BoundField]:
        """Return the fields with errors, those of stages last."""
        return [field for form in (self, *self.stages) for field in form if field.errors]

    @property
    def may_grow(self) -> bool:
        """Return whether another stage can be added."""
        return len(self.stages) < MOST_STAGES

    # ---- As it is sent ----------------------------------------------------------------------------

    def is_valid(self) -> bool:
        """Return whether the form and all its stages are valid; collect all errors at once."""
        valid = [super().is_valid(), *(stage.is_valid() for stage in self.stages)]
        return all([*valid, *(stage.seats(self._team()[1]) for stage in self.stages)])

    def _team(self) -> tuple[int, int]:
        """Return how many players an entry has, and how many of them share a table."""
        values = self.usable()
        team = 1 if values["lineup"] == "single" else values["team_size"] or 1
        return team, team if values["lineup"] == "partners" else 1

    def resized(self, change: int) -> "SetupForm":
        """Return an unbound copy of the form with its values, one stage more (1) or fewer (-1)."""
        count = min(max(1, len(self.stages) + change), MOST_STAGES)
        held = [stage.typed() for stage in self.stages][:count]
        empty: list[dict[str, Any] | None] = [None] * (count - len(held))
        return SetupForm(setting=self.setting, typed=Typed(self.typed(), [*held, *empty]))

    def with_options(self) -> "SetupForm":
        """Return an unbound copy of the form with its values, and the options of the setting's variant."""
        whole = {name: value for name, value in self.typed().items() if not name.startswith(OPTIONS)}
        stages = [stage.typed() for stage in self.stages]
        return SetupForm(setting=self.setting, typed=Typed(whole, stages))

    def save(self, request: HttpRequest) -> Competition | None:
        """Open the competition of a valid form; otherwise add the errors of all its parts and return None."""
        valid = self.is_valid()
        club: Any = self.cleaned_data.get("club")
        try:
            if valid:
                by = account_in(request)
                return Competition.objects.get(pk=made_once(request, lambda: self._open(by, club)).id)
            if club is not None:
                check_opening(club=club, root=NO_ROOT, **self._opening())
        except Malformed as refusal:
            self.refuse(refusal.errors)
        return None

    @transaction.atomic
    def _open(self, by: Account, club: Club) -> Competition:
        """Return a new competition, in a room with so many tables if that was said."""
        made = open_competition(by=by, club=club, **self._opening())
        if tables := self.cleaned_data.get("tables"):
            perform(ByAccount(by), competition=made, verb=SetRooms((Room(last=tables),)))
        return made

    def _opening(self) -> Given:
        """Return what the form opens; what is wrong at a field already is as it was offered."""
        values = self.usable()
        team, partners = self._team()
        same = ("slug", "pace", "lineup", "overdue", "entropy", *AT_THE_TABLE)
        given: Any = {
            **{name: values[name] for name in same if name in self.fields},
            "name": values["name"] or "–",
            "ruleset": self.ruleset.key,
            "options": record_in_form(self.ruleset.asked, OPTIONS, values),
            "entering": record_in_form(shapes.record(Entering), ENTERING, values),
            "waits": record_in_form(shapes.record(Waits), WAITS, values),
            "stages": [stage.plan_json(partners) for stage in self.stages],
            "team_size": team,
            "clock": self._clock(),
            "details": details_in_form(values),
        }
        opening: Given = given
        return opening

    def settings(self) -> dict[str, Any]:
        """Return the settings that can change; of an unbound form, and where they are wrong, as offered."""
        opening: Any = self._opening()
        changed = {name: opening[name] for name in OF_OPENING if name in opening}
        clock = {name: value for name, value in vars(changed.pop("clock")).items() if name != "zone"}
        stages = [stage.settings(self._team()[1]) for stage in self.stages]
        changed["options"] = with_usual(self.ruleset.asked, changed["options"])
        for name, record in (("entering", Entering), ("waits", Waits)):
            changed[name] = with_usual(shapes.record(record), changed[name])
        return {**changed, **({"clock": clock} if self.ruleset.dealt else {}), "stages": stages}

    def altered(self) -> "Typed":
        """Return the raw values of those fields of a valid form that are not as they were offered."""
        return Typed(self.typed_otherwise(), [stage.typed_otherwise() for stage in self.stages])

    def refuse(self, errors: Mapping[str, Sequence[str]]) -> None:
        """Add a service's errors to the fields that they name, those of stages to theirs."""
        for stage in self.stages:
            stage.show_more(errors_under(errors, f"{stage.prefix}."))
        self.show_more({path: [*each] for path, each in errors.items() if not path.startswith("stages.")})

    def _clock(self) -> Clock:
        if not self.ruleset.dealt:
            return NO_CLOCK
        return shapes.read(Clock, record_in_form(CLOCK_FIELDS, CLOCK, self.usable()))


@dataclass(frozen=True)
class Typed:
    """The raw values of a form: its own, and those of each stage; None for a new stage."""

    whole: dict[str, Any]
    stages: Sequence[dict[str, Any] | None]


def _clock_fields(clock: JsonObject) -> dict[str, forms.Field]:
    lengths = {
        name: DurationField(label=settings.OF_CLOCK[name])
        for name in (f"{CLOCK}move", f"{CLOCK}game", f"{CLOCK}reminder")
    }
    fields = fields_of(CLOCK_FIELDS, CLOCK, {name: part for name, part in clock.items() if name != "zone"})
    for name, field in lengths.items():
        field.initial, fields[name] = fields[name].initial or None, field
    fields[f"{CLOCK}late"].choices = [*settings.VALUES[f"{CLOCK}late"].items()]  # type: ignore[attr-defined]
    return fields


# ---- The pages -----------------------------------------------------------------------------------


class SettingUp(ClubScopedAdmin[Competition]):
    """The pages that set up a competition."""

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask for the game and a preset, then for a name and any changes to the preset."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if "ruleset" not in request.GET:
            return self._choice(request)
        setting = _setting(request)
        if why := setting.preset.unfit():
            messages.error(request, translated(why))
            return redirect(request.path)
        form = SetupForm(request.POST if request.method == "POST" else None, setting=setting)
        if form.is_bound and not {"_more", "_fewer", "look"}.isdisjoint(request.POST):
            form = form.resized(("_more" in request.POST) - ("_fewer" in request.POST))
        elif form.is_bound and "_options" in request.POST:
            form = form.with_options()
        elif form.is_bound and (created := form.save(request)):
            seated = f" {form.seated}" if form.cleaned_data.get("tables") else ""
            messages.success(request, _("%(name)s is set up.") % {"name": created.name} + seated)
            return redirect("admin:league_competition_change", created.pk)
        title = _("Set up a competition: %(game)s") % {"game": translated(form.ruleset.title)}
        context = {"form": form, "preset": setting.preset, "variant": setting.variant, "counted": COUNT}
        return self.render_page(request, "admin/competition_form.html", title, context)

    def _choice(self, request: HttpRequest) -> HttpResponse:
        context = {
            "games": games_to_choose(directed_ids(request)),
            "presets": PRESETS.values(),
            "formats": formats.BY_KEY.values(),
            "only": ONLY,
        }
        return self.render_page(request, "admin/competition_choose.html", _("Set up a competition"), context)


def _setting(request: HttpRequest) -> Setting:
    """Return what the address asks to set up; raise Http404 for an unknown game, preset or variant."""
    key, variant = request.GET["ruleset"], request.GET.get("options", "")
    ruleset = rules.known(key)
    if ruleset is None or "@" in key:
        raise Http404
    plan = request.GET.get("plan", f"{ONLY}{next(iter(formats.BY_KEY))}")
    kept = {key: each for of_app in hooks.KEPT_PRESETS for key, each in of_app(directed_ids(request)).items()}
    preset = kept.get(plan) or preset_of(plan, ruleset)
    if preset is None or (variant and variant not in ruleset.presets):
        raise Http404
    clubs = all_clubs().filter(pk__in=directed_ids(request))
    return Setting(ruleset, preset, variant, clubs, entries=entered_last(clubs) or EXAMPLE)
