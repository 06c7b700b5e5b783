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
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from games import rules
from games.engine import schemas, shapes
from league.choices import BUNDLES, SINGLE_SCOPES
from league.core import formats, open_tables, verbs
from league.core.events import Event
from league.core.formats import Format
from league.core.standings import tie_breaks
from league.core.verb import Verb
from league.core.verbs import EVENTS, ORGANISER_VERBS, PLAYER_VERBS

# ---- What columns of the database are checked against --------------------------------------------

How: TypeAlias = Literal["log", "recomputed", "not"]
ALL: Final = "*"


class Covered(NamedTuple):
    """Columns of a table, how they are covered, and by what or why not. `ALL`: those not named elsewhere."""

    table: str
    columns: str
    how: How
    why: str


_GAME: Final = (
    "the hashes of the game’s log; its opening, its last entry and, while it runs, its newest one each "
    "minute are in the signed log"
)
_COMPETITION: Final = "the competition’s log, all of whose entries are in the signed log"
_CLUB: Final = "the club’s record, all of whose changes are in the signed log"
_PLAYER: Final = "the player’s record, all of which is in the signed log"
_FROM_GAME: Final = (
    "from the game’s log; not of practice games, and of one in an archive only the number of entries and the "
    "head, and the result if a competition’s log has it"
)
_FROM_COMPETITION: Final = "from the competition’s log"
ROW: Final = "a number of the row; nothing depends on it"
PRACTICE: Final = "practice games are removed after 30 days"
NEVER_COUNTS: Final = "no result depends on it"
LOG_IN: Final = (
    "how accounts log in: who can write here can log in as anybody, and then makes entries in that name"
)
OUTSIDE: Final = "what is told to people and programs"

COVERAGE: Final[list[Covered]] = [
    Covered("games.Move", "game_id seq role seat account move at hash", "log", _GAME),
    Covered("games.Move", "id", "not", ROW),
    Covered("games.Seed", "game_id secret", "log", "the commitment in the game’s opening"),
    Covered("games.Game", ALL, "recomputed", _FROM_GAME),
    Covered("games.Seat", "game_id number player account team", "recomputed", _FROM_GAME),
    Covered("games.Seat", "id", "not", ROW),
    Covered(
        "games.Snapshot",
        ALL,
        "not",
        "signed with a key outside the database; one that is changed is not used",
    ),
    Covered(
        "games.Archive",
        ALL,
        "not",
        "but that so many games and entries are missing here, and that `archive_logs` could have moved them "
        "then; its file is compared with the signed log when it is restored",
    ),
    Covered("games.PracticeSeed", ALL, "not", PRACTICE),
    Covered("games.PracticeMove", ALL, "not", PRACTICE),
    Covered("league.Event", "competition_id seq role account event at hash", "log", _COMPETITION),
    Covered("league.Event", "id", "not", ROW),
    Covered(
        "league.DrawSecret",
        ALL,
        "not",
        "a secret is checked when its draw is published: by the commitment in the log",
    ),
    Covered("league.Competition", "slug", "not", "the address of its pages"),
    Covered("league.Competition", "renamed", "not", "how often names that no log has were changed"),
    Covered("league.Competition", "club_id", "recomputed", "from the clubs of its players"),
    Covered("league.Competition", ALL, "recomputed", _FROM_COMPETITION),
    *(
        Covered(f"league.{table}", ALL, "recomputed", _FROM_COMPETITION)
        for table in ("Entry", "EntryPlayer", "Stage", "Round", "Bye", "Table", "TableSeat", "RoundStandings")
    ),
    *(
        Covered(
            f"league.{table}",
            ALL,
            "recomputed",
            "what lags behind the log for half an hour is told; before, what it is as of is believed",
        )
        for table in ("Standings", "Ratings")
    ),
    Covered("league.Rating", ALL, "recomputed", "from the logs of the club’s competitions"),
    Covered("league.GameRating", ALL, "recomputed", "from the logs of the club’s competitions"),
    Covered(
        "league.ClubGame",
        ALL,
        "recomputed",
        "from the competition’s log; of a casual game from its opening and the players of its seats",
    ),
    Covered("league.Club", "slug name timezone quiet mail_note bots embed_on names", "log", _CLUB),
    Covered("league.Club", "id created_at", "not", "rows that belong to another club are named"),
    Covered("league.Member", "club_id account_id role", "log", _CLUB),
    Covered("league.Member", "id agrees_to_games", "not", NEVER_COUNTS),
    Covered("league.Player", "id account_id merged_into_id anonymous", "log", _PLAYER),
    Covered(
        "league.Player",
        "name",
        "log",
        f"{_CLUB}, removals among them; a change of before 28 November 2026 doesn’t say of whom it is",
    ),
    Covered("league.Player", "club_id", "log", _PLAYER),
    Covered("league.Player", "appeared", "recomputed", "from the logs that name players"),
    Covered("league.Player", "public_name", "recomputed", "from the names and choices of the club’s people"),
    Covered(
        "league.Player",
        "search_name active bot audience findable names number calendar_salt created_at changed_at",
        "not",
        "what lists show of a player; no result depends on it",
    ),
    Covered("league.PlayerRecord", "player seq club account merged_into removed at", "log", _PLAYER),
    Covered("league.PlayerRecord", "id", "not", ROW),
    Covered("league.ClubChange", "id club_id kind subject values account_id about at", "log", _CLUB),
    Covered("league.PeriodicRun", ALL, "not", "when workers swept last is believed with `--stopped` alone"),
    Covered("league.Import", ALL, "not", "what was imported; no date of that is compared"),
    Covered("league.BeaconValue", ALL, "not", "draws depend on it; compare it with the beacon itself"),
    Covered(
        "league.VerifiedLog", ALL, "not", "what `--changed` leaves out: without it everything is checked"
    ),
    *(
        Covered(table, ALL, "not", LOG_IN)
        for table in (
            "league.Account",
            "league.Account_groups",
            "league.Account_user_permissions",
            "league.Token",
            "league.Passkey",
            "league.LogIn",
            "league.FailedLogIns",
            "league.KnownPlace",
            "league.App",
            "league.Invitation",
            "sessions.Session",
            "auth.Permission",
            "auth.Group",
            "auth.Group_permissions",
        )
    ),
    *(
        Covered(f"league.{table}", ALL, "not", OUTSIDE)
        for table in (
            "AccountFeed",
            "AccountEvent",
            "Email",
            "Contact",
            "StoppedEmails",
            "StoppedInvitations",
        )
    ),
    *(
        Covered(table, ALL, "not", NEVER_COUNTS)
        for table in (
            "league.FormerAddress",
            "league.Details",
            "league.Picture",
            "league.Job",
            "league.MadeOnce",
            "league.WatchedGames",
            "admin.LogEntry",
            "contenttypes.ContentType",
        )
    ),
]
"""An app adds its own tables."""


def of_column(table: str, column: str) -> Covered | None:
    """Return how a column is covered, None where nothing says so."""
    rows = [row for row in COVERAGE if row.table == table]
    named = next((row for row in rows if column in row.columns.split()), None)
    return named or next((row for row in rows if row.columns == ALL), None)


def in_docs() -> Iterator[tuple[str, str, str]]:
    """Yield tables and columns, how they are covered, and by what or why not, by reason."""
    reasons = dict[tuple[str, str], list[str]]()
    for row in COVERAGE:
        columns = "" if row.columns == ALL else f" ({', '.join(row.columns.split())})"
        reasons.setdefault((row.how, row.why), []).append(f"`{row.table}`{columns}")
    titles = {"log": "a log", "recomputed": "computed again", "not": "**not covered**"}
    for (how, why), tables in reasons.items():
        yield ", ".join(tables), titles[how], why


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


def coverage_table() -> str:
    """Return what each column of the database is checked against."""
    return table(("tables", "checked against", "which, or why not"), in_docs())


TABLES: Final[dict[str, Callable[[], str]]] = {
    "coverage": coverage_table,
    "events": events_table,
    "formats": formats_table,
    "scopes": scopes_table,
    "taken_back": taken_back_table,
    "tie_breaks": tie_breaks_table,
    "verbs": verbs_table,
}
"""The tables of the docs by name; apps add theirs."""
