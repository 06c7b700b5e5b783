"""What every column of the database is checked against by `manage.py verify_logs`, or that it is not.

The table in docs/trust.md is made from this, and a test walks all columns of all tables.
"""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

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
    Covered("league.Club", "slug name timezone quiet mail_note bots embed_on", "log", _CLUB),
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
    Covered(
        "league.Player",
        "search_name active bot audience findable calendar_salt created_at changed_at",
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
