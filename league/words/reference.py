"""The tables of the docs that are made from declarations, so that they are always complete.

A page holds each between two comments, ``<!-- made by manage.py docs: formats -->`` and ``<!-- end -->``.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from inspect import getdoc, getsource
from itertools import chain
from types import FunctionType
from typing import Any, Final

from games import rules
from games.engine import schemas, shapes
from league.choices import BUNDLES, SINGLE_SCOPES
from league.core import formats, open_tables, verbs
from league.core.events import Event
from league.core.formats import Format
from league.core.standings import tie_breaks
from league.core.verb import Verb
from league.core.verbs import EVENTS, ORGANISER_VERBS, PLAYER_VERBS

# ---- Tables --------------------------------------------------------------------------------------

_MADE: Final = re.compile(r"(<!-- made by manage\.py docs: (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def filled(page: str) -> str:
    """Return a page with up-to-date tables; raises `KeyError` for an unknown one."""
    return _MADE.sub(lambda made: f"{made[1]}\n{TABLES[made[2]]()}\n{made[3]}", page)


def schema_files() -> Mapping[str, str]:
    """Return the text of each file in docs/schemas by its name: the JSON Schema of each edition of a game."""
    return {
        f"{ruleset.key}-{ruleset.version}.json": json.dumps(schemas.document(ruleset), indent=1) + "\n"
        for ruleset in rules.RULESETS
    }


def draws_module() -> str:
    """Return the module in which the check in the browser finds what each edition of a game draws."""
    lines = ["// Made by manage.py docs: what each game draws by chance (games/engine/draws.py)."]
    lines += ['/** @type {Record<string, import("./dealing.js").Declared[]>} */', "export const DRAWS = {"]
    for ruleset in (ruleset for ruleset in rules.RULESETS if ruleset.dealt):
        draws = (f"    {json.dumps(draw.as_json())}," for draw in ruleset.draws)
        lines += [f'  "{ruleset.name}": [', *draws, "  ],"]
    return "\n".join([*lines, "};", ""])


def formats_table() -> str:
    """Return the formats as Markdown."""
    rows = ((f"`{each.key}`", each.rounds_note, _about(each)) for each in formats.BY_KEY.values())
    return table(("format", "rounds", "what it is"), rows)


def _about(each: Format) -> str:
    """Return the summary of a format and its own parameters."""
    params = shapes.record(each.params).fields
    return " ".join((each.summary, *(f"`{field.name}`: {field.help}." for field in params)))


def tie_breaks_table() -> str:
    """Return the tie-breaks as Markdown."""
    rows = ((f"`{each.key}`", each.summary) for each in tie_breaks.BY_KEY.values())
    return table(("tie-break", "value"), rows)


def verbs_table() -> str:
    """Return the verbs as Markdown: who may use each, what it does, and its events."""
    rows = ((f"`{verb.key}`", _who(verb), _flat(verb.about()), _written(verb)) for verb in _verbs())
    return table(("verb", "who", "what it does", "events"), rows)


def _verbs() -> Iterator[type[Verb]]:
    every = {
        **{verb: verb.key for verb in ORGANISER_VERBS.values()},
        **dict.fromkeys(PLAYER_VERBS.values(), ""),
    }
    return iter(sorted(every, key=lambda verb: (verb.key, verb.__name__)))


def _who(verb: type[Verb]) -> str:
    audience = {
        "organisers": "organisers",
        "scorekeepers": "organisers, scorekeepers",
        "scorekeepers_undecided": "organisers; scorekeepers while the table is undecided",
        "players": "players, for themselves",
        "system": "the server",
    }[verb.audience]
    own = verb.own is not None and verb.audience != "players"
    return f"{audience}; players, for their own entry" if own else audience


def _written(verb: type[Verb]) -> str:
    events = events_of(verb)
    return ", ".join(f"`{event.type}`" for event in EVENTS.values() if event in events) or "those of another"


def events_of(verb: type[Verb]) -> set[type[Event]]:
    """Return the events that the text of a verb names, and of the functions and classes that it uses."""
    used: list[Any] = [verb]
    for each in used:
        known = vars(import_module(each.__module__))
        named = (known.get(name) for name in re.findall(r"\w+", getsource(each)))
        used += {
            other
            for other in named
            if isinstance(other, type | FunctionType)
            and other.__module__.startswith((verbs.__name__, open_tables.__name__))
            and other not in used
        }
    return {each for each in used if each in EVENTS.values()}


def scopes_table() -> str:
    """Return the scopes of tokens as Markdown, bundles last."""
    single = ((f"`{scope}`", str(title)) for scope, title in SINGLE_SCOPES)
    bundles = (
        (f"`{bundle}`", " and ".join(f"`{part}`" for part in sorted(parts)))
        for bundle, parts in BUNDLES.items()
    )
    return table(("scope", "allows a program to"), chain(single, bundles))


def events_table() -> str:
    """Return the events as Markdown."""
    rows = ((f"`{event.type}`", _flat(getdoc(event) or "")) for event in EVENTS.values())
    return table(("event", "what it means"), rows)


def taken_back_table() -> str:
    """Return each act of an organiser as Markdown: its buttons, the verbs that take it back, and how."""
    rows = (
        (f"`{verb.key}`", button.title, _keys(verb.taken_back_by), _flat(button.undo))
        for verb in _verbs()
        for button in verb.buttons
    )
    return table(("act", "on the desk", "taken back by", "until when, and what else to know"), rows)


def _keys(keys: Sequence[str]) -> str:
    return ", ".join(f"`{key}`" for key in keys)


def _flat(text: str) -> str:
    """Return a docstring as a table cell."""
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|")


def table(heads: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = (heads, ["---"] * len(heads), *rows)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


TABLES: Final[dict[str, Callable[[], str]]] = {
    "events": events_table,
    "formats": formats_table,
    "scopes": scopes_table,
    "taken_back": taken_back_table,
    "tie_breaks": tie_breaks_table,
    "verbs": verbs_table,
}
"""The tables of the docs by name; apps add theirs."""
