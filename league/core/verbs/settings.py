"""Change settings: what was announced of a competition, as long as no draw has been made by it."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Final

from games import rules
from games.engine import shapes
from games.engine.clocks import Clock
from games.engine.messages import plural, text
from games.engine.refusals import Illegal, Malformed, below
from games.engine.shapes import Described, Help
from games.engine.values import replace
from league.core import formats, plans
from league.core.events import Event, read, write
from league.core.state import values as v
from league.core.state.competition import BEGINNING, Competition, Entries, Entry
from league.core.state.plan import Entering, Scoring, StagePlan, Waits
from league.core.verb import Button, Events, Given, Verb
from league.core.verbs.entering import Admitted

OF_OPENING: Final = (
    *("name", "options", "clock", "pace", "entering", "overdue", "waits", "aided", "open_hands"),
)
OF_STAGE: Final = (
    *("name", "rounds", "scoring", "tie_breaks", "hours", "line", "line_level", "params"),
    *("best_of", "drawn_game", "requested_byes", "requested_not_last", "late_rounds"),
)
"""What can change: not game, seats, sizes of tables, formats, groups, teams, what draws are committed to."""
_WHOLE: Final = ("options", "params")
"""Objects that are replaced as a whole: which fields they have depends on their values."""
_RECORDS: Final[Mapping[str, type]] = {"entering": Entering, "waits": Waits, "scoring": Scoring}


def settings_of(state: Competition) -> dict[str, Any]:
    """Return all settings that can change, as JSON, those of stages by their numbers."""
    found = {name: _plain(getattr(state.opening, name)) for name in OF_OPENING}
    clock = _plain(shapes.read(Clock, state.opening.clock))
    stages = {
        str(number): {name: _plain(getattr(plan, name)) for name in OF_STAGE}
        for number, plan in enumerate(state.plans, 1)
    }
    return {**found, "clock": clock, "stages": stages}


def _plain(value: Any) -> Any:
    """Return a value as JSON, with what is at its default."""
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _parted(name: str, value: object) -> bool:
    """Return whether the parts of a setting change one by one."""
    return isinstance(value, Mapping) and name not in _WHOLE


def differences(was: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what differs of settings, as it was and as it is now."""
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    for name, before in was.items():
        if before == now[name]:
            continue
        parted = _parted(name, before)
        old[name], new[name] = differences(before, now[name]) if parted else (before, now[name])
    return old, new


def _with(whole: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with some of them changed; raise `Malformed` with the paths of those that can't be."""
    refused = text("This can’t be changed once the competition is set up.")
    if unknown := {name: [refused] for name in changed if name not in whole}:
        raise Malformed(unknown)
    after = dict(whole)
    for name, value in changed.items():
        with below(name):
            if _parted(name, whole[name]) and not isinstance(value, Mapping):
                raise Malformed({"": [text("This must be an object.")]})
            after[name] = _with(whole[name], value) if _parted(name, whole[name]) else value
    return after


def _picked(whole: Mapping[str, Any], like: Mapping[str, Any]) -> dict[str, Any]:
    """Return those parts of settings that others have."""
    return {
        name: _picked(whole[name], part) if _parted(name, part) else whole[name]
        for name, part in like.items()
        if name in whole
    }


# ---- The state after a change --------------------------------------------------------------------


def drawn(state: Competition) -> bool:
    """Return whether a draw was made, or a round was published that needed none."""
    published = any(stage.rounds for stage in state.stages) or state.withdrawn
    return bool(state.next_k or state.pending or published)


def with_settings(state: Competition, settings: Mapping[str, Any]) -> Competition:
    """Return the state with other settings; raise `Malformed` where one has not its declared shape."""
    own = {name: settings[name] for name in OF_OPENING}
    for name in ("entering", "waits"):
        with below(name):
            own[name] = shapes.read(_RECORDS[name], own[name])
    with below("clock"):
        own["clock"] = shapes.write(shapes.read(Clock, own["clock"]))
    changed = tuple(_plan(plan, settings["stages"], at) for at, plan in enumerate(state.plans, 1))
    opening: Any = replace(state.opening, **own, stages=changed[: len(state.opening.stages)])
    read(write(opening))
    stages = tuple(replace(stage, plan=changed[stage.number - 1]) for stage in state.stages)
    after = replace(state, opening=opening, plans=changed, stages=stages)
    if opening.entering.check_in == state.opening.entering.check_in:
        return after
    return replace(after, entries=Entries(_here(each, opening.entering) for each in state.entries))


def _plan(plan: StagePlan, stages: Mapping[str, Any], number: int) -> StagePlan:
    with below(f"stages.{number - 1}"):
        return shapes.read(StagePlan, {**shapes.write(plan), **stages[str(number)]})


def _here(entry: Entry, entering: Entering) -> Entry:
    """Return an entry as it is here before the start, with a check-in or without."""
    here = entry.checked_in or not entering.check_in
    return replace(entry, here_from=BEGINNING if here else None)


def _refuse(before: Competition, after: Competition) -> None:
    """Raise `Illegal` where entries stand against a change."""
    if drawn(before):
        raise Illegal("A draw was made: settings can’t be changed any more.")
    places, entering = after.opening.entering.places, before.opening.entering
    count = sum(entry.status == "entered" for entry in before.entries)
    if places and places < count and places != entering.places:
        raise Illegal(
            plural("%(count)d entry takes part already.", "%(count)d entries take part already.", count)
        )
    if before.started and entering.check_in != after.opening.entering.check_in:
        raise Illegal("The competition has started.")


# ---- The event and its verb ----------------------------------------------------------------------

_CHANGED: Final = Described("ChangedSettings")


class SettingsChanged(Event, type="settings_changed"):
    """Some settings are others from here on: as they were, and as they are now."""

    title = "Settings changed"
    found_by = "announcement, rules, new settings"
    text = "Settings are changed: %(now)s."
    announces = "settings_changed"
    emails = "changed"
    was: Annotated[v.AnyObject, _CHANGED]
    now: Annotated[v.AnyObject, _CHANGED]
    reason: v.Note = ""

    def apply(self, state: Competition) -> Competition:
        present = settings_of(state)
        try:
            after = with_settings(state, _with(present, self.now))
        except Malformed as refusal:
            raise Illegal(refusal.sentence) from None
        if differences(present, settings_of(after)) != (self.was, self.now):
            raise Illegal("The settings were others.")
        _refuse(state, after)
        for plan in after.plans:
            plans.check_known(plan)
        return after


class ChangeSettings(Verb, key="change-settings"):
    """Change what was announced, as long as no draw was made; players are told what it was and what it is.

    That is the name, options that leave the numbers of seats as they are, the clock, pace, waits, how to
    enter, and of each stage its name, rounds, scoring, tie-breaks, hours, line, parameters, the number of
    games in a match, byes on request, and the credit of late entries.
    """

    taken_back_by = ("change-settings",)
    change_settings = Button(
        "Change settings",
        "Players who have entered are told what it was and what it is now. The log keeps both.",
        "Change them back, until the first round.",
        asks=("settings", "reason"),
        rank=60,
    )

    settings: Annotated[
        v.AnyObject,
        _CHANGED,
        Help("those that change, named as in an opening; `stages` in their order, {} for one that stays"),
    ]
    reason: v.Note = ""

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return not drawn(state)

    def decide(self, state: Competition, given: Given) -> Events:
        present = settings_of(state)
        with below("settings"):
            after = with_settings(state, self._wanted(state, present, given))
            _check(state, after)
            was, now = differences(present, settings_of(after))
        if not now:
            return ()
        return SettingsChanged(was, now, self.reason), *_admitted(after)

    def _wanted(self, state: Competition, present: Mapping[str, Any], given: Given) -> dict[str, Any]:
        """Return the settings that are asked for; raise `Malformed` with the paths of an opening."""
        asked = dict(self.settings)
        stages = asked.pop("stages", ())
        if not isinstance(stages, Sequence) or len(stages) > len(state.plans):
            raise Malformed({"stages": [text("Give the stages that there are, in order.")]})
        after = _with({name: present[name] for name in OF_OPENING}, asked)
        if after["clock"]["quiet"] and not after["clock"]["zone"]:
            after["clock"]["zone"] = given.zone
        after["options"] = self._options(state, asked.get("options", {}))
        changed = dict(present["stages"])
        for at, part in enumerate(stages):
            with below(f"stages.{at}"):
                changed[str(at + 1)] = _with(changed[str(at + 1)], part)
        return {**after, "stages": changed}

    @staticmethod
    def _options(state: Competition, asked: Any) -> Any:
        """Return the options with some changed; raise `Malformed` where the numbers of seats would change."""
        if not asked:
            return state.opening.options
        if not isinstance(asked, Mapping):
            raise Malformed({"options": [text("This must be an object.")]})
        game = rules.of(state.opening.ruleset, state.opening.options)
        seats, options = plans.fitting(game, {**state.opening.options, **asked})
        if seats != state.opening.seats:
            raise Malformed({"options": [text("With these, other numbers of players would sit at a table.")]})
        return options


def _check(state: Competition, after: Competition) -> None:
    """Raise `Malformed` or `Illegal` where changed settings do not fit game, formats or entries."""
    _refuse(state, after)
    plans.check_plans(replace(after.opening, stages=after.plans))
    for stage in after.stages:
        sizes = [len(group) for group in stage.groups]
        formats.of(stage.plan).check_groups(after.opening, stage.plan, sizes)


def _admitted(state: Competition) -> Sequence[Admitted]:
    """Return the events with which those who wait take the places that there are now, before the start."""
    waiting = [entry.id for entry in state.entries if entry.status == "waiting"]
    if state.started or not waiting:
        return ()
    places = state.opening.entering.places
    count = sum(entry.status == "entered" for entry in state.entries)
    return [Admitted(entry) for entry in (waiting[: places - count] if places else waiting)]
