"""The settings of a competition in words: what each is called, its values, and what a change says."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games import rules
from games.engine import shapes
from games.engine.kinds import Field
from games.engine.refusals import Malformed
from league.choices import Overdue, Pace
from league.core import formats
from league.core.agreed import WORTH
from league.words.messages import isolated, translated
from league.words.options import option_in_words
from league.words.times import duration_text
from league.words.values import exact, tie_break, words

OF_ENTRIES: Final = {
    "entering.places": gettext_lazy("Limit of entries"),
    "entering.approval": gettext_lazy("Entries need approval"),
    "entering.check_in": gettext_lazy("Players check in before the start"),
    "waits.close_round": gettext_lazy("Automatic pace: minutes before a round is closed"),
    "waits.finish": gettext_lazy("Automatic pace: minutes before the competition finishes"),
}
OF_CLOCK: Final = {
    "clock.move": gettext_lazy("For each move"),
    "clock.game": gettext_lazy("For all moves of a game"),
    "clock.reminder": gettext_lazy("Reminder, this long before time runs out"),
    "clock.late": gettext_lazy("When time runs out"),
    "clock.quiet": gettext_lazy("Quiet hours"),
}
OF_STAGE: Final = {
    "rounds": gettext_lazy("Rounds"),
    "hours": gettext_lazy("Time for each round"),
    "best_of": gettext_lazy("Best of"),
    "drawn_game": gettext_lazy("A drawn game"),
    "line": gettext_lazy("A tie on the last place"),
    "line_level": gettext_lazy("Entries are level"),
    "scoring.by": gettext_lazy("Points come from"),
    "scoring.place_points": gettext_lazy("Points for each rank"),
    "scoring.match_points": gettext_lazy("Match points: won, drawn, lost"),
    "scoring.fair": gettext_lazy("Same points at tables of all sizes"),
    "scoring.best": gettext_lazy("Number of best rounds that count"),
    "scoring.average": gettext_lazy("Average of a table, of at least"),
    "scoring.bye": gettext_lazy("Bye (no table in a round)"),
    "scoring.absent": gettext_lazy("Absent, announced"),
    "scoring.no_show": gettext_lazy("No-show"),
    "scoring.forfeit": pgettext_lazy("outcome", "Forfeit"),
    "scoring.walkover": gettext_lazy("Walkover (the others did not come)"),
    "requested_byes": gettext_lazy("Byes that each entry can ask for"),
    "requested_not_last": gettext_lazy("Last rounds in which nobody can ask for one"),
    "scoring.requested": gettext_lazy("Bye on request"),
    "late_rounds": gettext_lazy("Rounds that a late entry is credited with at most"),
    "scoring.late": gettext_lazy("Each round before a late entry"),
}
TITLES: Final = {
    **OF_ENTRIES,
    **OF_CLOCK,
    **OF_STAGE,
    "name": gettext_lazy("Name"),
    "stage.name": gettext_lazy("Name of this stage"),
    "pace": gettext_lazy("Pace"),
    "overdue": gettext_lazy("Games not finished by the round’s deadline"),
    "aided": gettext_lazy("Offer players what their hands make"),
    "open_hands": gettext_lazy("Show all hands of a deal so many minutes after it"),
    "clock.zone": gettext_lazy("Time zone of the quiet hours"),
    "tie_breaks": gettext_lazy("Tie-breaks"),
}
"""What each setting that can change is called; options and parameters of formats have their own titles."""

OUTCOMES: Final = tuple(
    f"scoring.{name}" for name in ("bye", "absent", "no_show", "forfeit", "walkover", "requested", "late")
)
_WORTH: Final[Mapping[str, str | Promise]] = {policy: gettext_lazy(told.id) for policy, told in WORTH.items()}
VALUES: Final[Mapping[str, Mapping[str, str | Promise]]] = {
    "pace": {str(each.value): each.label for each in Pace},
    "overdue": {str(each.value): each.label for each in Overdue},
    "clock.late": {
        "default": gettext_lazy("a default move is played"),
        "forfeit": gettext_lazy("the player forfeits the game"),
    },
    "drawn_game": {
        "half": gettext_lazy("half a game to each"),
        "replay": gettext_lazy("does not count, and another is played"),
        "nothing": gettext_lazy("counts as played, for nobody"),
    },
    "line": {
        "lots": gettext_lazy("lots are drawn"),
        "play_off": gettext_lazy("those level play off"),
        "all": gettext_lazy("all of them advance"),
        "seed": gettext_lazy("the best seed advances"),
    },
    "line_level": {
        "tie_breaks": gettext_lazy("if they are equal in all tie-breaks"),
        "points": gettext_lazy("if they have equal points"),
    },
    "scoring.by": {
        "place": gettext_lazy("the rank at the table"),
        "win": gettext_lazy("wins only"),
        "score": gettext_lazy("the game’s own score"),
    },
    **dict.fromkeys(OUTCOMES, _WORTH),
}
"""The values of the settings that have only some."""
_NOTHING: Final = {
    "rounds": gettext_lazy("as many as the format needs"),
    "entering.places": gettext_lazy("no limit"),
    "scoring.best": gettext_lazy("all of them"),
    "scoring.average": gettext_lazy("points are added"),
    "scoring.place_points": gettext_lazy("one for each entry beaten"),
    "scoring.match_points": gettext_lazy("the points of the boards count"),
    "open_hands": gettext_lazy("only when the game is over"),
    "options": gettext_lazy("as the game has it"),
    "params": gettext_lazy("as the format has it"),
}
"""What no value means, or 0, where that is more than “none”."""
_SECONDS: Final = {"hours": 60 * 60, "clock.move": 1, "clock.game": 1, "clock.reminder": 1}
"""The settings that are lengths of time, with the seconds of their unit."""


def changed_settings(
    was: Mapping[str, Any], now: Mapping[str, Any], ruleset: str, stages: Mapping[str, str]
) -> Iterator[str]:
    """Yield what changed of settings: "Limit of entries: 30 → 24".

    ``ruleset`` is the name of the game, ``stages`` are names by number, of those that must be told apart.
    """
    for name in now:
        if name == "options":
            yield from _options(ruleset, was[name], now[name])
        elif name == "stages":
            for number in now[name]:
                told = _of_stage(was[name][number], now[name][number])
                stage = stages.get(number, "")
                yield from (
                    _("%(stage)s, %(change)s") % {"stage": isolated(stage), "change": each} if stage else each
                    for each in told
                )
        else:
            yield from _leaves(name, was[name], now[name])


def _of_stage(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in now:
        if name == "params":
            yield from _declared(_PARAMS, name, was[name], now[name])
        elif name == "name":
            yield _change(TITLES["stage.name"], isolated(was[name]), isolated(now[name]))
        else:
            yield from _leaves(name, was[name], now[name])


def _leaves(path: str, was: Any, now: Any) -> Iterator[str]:
    """Yield what changed of a setting that has a title, or of those that are its parts."""
    if isinstance(now, Mapping):
        for name in now:
            yield from _leaves(f"{path}.{name}", was[name], now[name])
    else:
        yield _change(TITLES[path] if path in TITLES else words(path), _value(path, was), _value(path, now))


def _change(title: object, was: str, now: str) -> str:
    return f"{title}: {was} → {now}"


def _value(path: str, value: Any) -> str:
    if path in VALUES:
        return str(VALUES[path].get(value) or words(value))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if path == "open_hands":
        return str(_NOTHING[path] if value is None else value)
    if not value and not path.startswith("waits."):
        return str(_NOTHING.get(path) or _("none"))
    if path in _SECONDS:
        return duration_text(value * _SECONDS[path])
    if isinstance(value, list | tuple):
        return ", ".join(tie_break(each) if path == "tie_breaks" else exact(each) for each in value)
    return isolated(value) if isinstance(value, str) else str(value)


# ---- Options of a game, parameters of a format ---------------------------------------------------

_PARAMS: Final[Mapping[str, Field]] = {
    field.name: field for each in formats.BY_KEY.values() for field in shapes.record(each.params).fields
}


def _options(ruleset: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield what changed of the options of a game; only that they did where this server lacks its rules."""
    try:
        game = rules.of(ruleset, now)
    except (KeyError, Malformed):
        yield _("Options of the game")
        return
    told = game.options_told(was), game.options_told(now)
    yield from _declared({field.name: field for field in game.asked.fields}, "options", *told)


def _declared(
    fields: Mapping[str, Field], path: str, was: Mapping[str, Any], now: Mapping[str, Any]
) -> Iterator[str]:
    """Yield what changed of an object, in the words of its declared fields."""
    for name, field in fields.items():
        old, new = (each.get(name, None if field.required else field.usual) for each in (was, now))
        if old != new:
            yield _change(translated(field.title), *(_of_field(field, path, each) for each in (old, new)))


def _of_field(field: Field, path: str, value: Any) -> str:
    if value is None or (path == "params" and not isinstance(value, bool) and value == 0):
        return str(_NOTHING[path])
    return option_in_words(field, value)
