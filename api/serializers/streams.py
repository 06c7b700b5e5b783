"""The data of streams' events, as the document describes them (`api.events` makes them)."""

from collections.abc import Mapping, Sequence
from typing import Final

from api.contract import Schema, an_object, list_of, named, nullable, ref
from games.choices import GameStatus
from league.choices import AccountEventKind, CompetitionStatus, SeekStatus
from league.hooks import GoingOn
from league.hooks.app import modules

_ID: Final[Schema] = {"type": "string"}
_NUMBER: Final[Schema] = {"type": "integer"}
_TIME: Final[Schema] = {"type": "string", "format": "date-time"}
_STATUS: Final[Schema] = {"enum": [*GameStatus.values]}

# ---- A game --------------------------------------------------------------------------------------

_OVER: Final = named(
    "GameOver",
    "The end of a game; `result` is null if it was abandoned.",
    ruleset={"type": "string"},
    status=_STATUS,
    result=nullable(ref("GameResult")),
)
_WATCHING: Final = named(
    "GameWatching", "How many watch a game, never who.", watching={"type": "integer", "minimum": 0}
)
OF_GAME: Final[Mapping[str, Schema]] = {"move": ref("GameEntry"), "over": _OVER}
SIGNS: Final[Mapping[str, Schema]] = {"alive": an_object("A heartbeat.", {})}
"""What each stream also has for those who ask for it, and a long poll never."""
_SAID: Final = named(
    "GameSaid",
    "What somebody at the table says: one of the phrases of `company/`, and the place of a card where it "
    "points at one.",
    seat=_NUMBER,
    phrase={"type": "string"},
    at=nullable(an_object("", {"seat": _NUMBER, "index": _NUMBER})),
)
_PRESENT: Final = named(
    "GamePresent",
    "Who is at the table, for its players; nobody is here who hides.",
    seats=list_of(
        an_object("`left_at` is null of who is here now.", {"seat": _NUMBER, "left_at": nullable(_TIME)})
    ),
)
WATCHED: Final[Mapping[str, Schema]] = {"watching": _WATCHING, "said": _SAID, "present": _PRESENT}
"""What the stream of a game also has for those who ask for it, and a long poll never."""

# ---- An account ----------------------------------------------------------------------------------

_NOW: Final = named(
    "AwaitedGames",
    "The ids of the games that wait for the caller's move, and for an answer to an invitation.",
    awaited=list_of(_ID),
    invited=list_of(_ID),
)
_GAME: Final = named(
    "GameNews",
    "Something about a game in which the caller has the seat.",
    game=_ID,
    ruleset={"type": "string"},
    status=_STATUS,
    seat=_NUMBER,
    club=_ID,
    competition=nullable(_ID),
    at=_TIME,
)
_COMPETITION: Final = named(
    "CompetitionNews", "Something about a competition.", competition=_ID, club=_ID, at=_TIME
)
_ROUND: Final = named(
    "RoundNews", "Something about a round.", competition=_ID, club=_ID, stage=_NUMBER, round=_NUMBER, at=_TIME
)
_TABLE: Final = named(
    "TableNews", "Something about a table of the caller.", competition=_ID, club=_ID, table=_ID, at=_TIME
)
_SEEK: Final = named(
    "SeekNews",
    "Something about a seek that the caller has joined.",
    seek=_ID,
    club=_ID,
    status={"enum": [*SeekStatus.values]},
    game=nullable(_ID),
    at=_TIME,
)
_CALL: Final = named(
    "TableCalls",
    "A table calls for whoever keeps scores.",
    call=_ID,
    competition=_ID,
    round=_NUMBER,
    table=_ID,
    number=_NUMBER,
    at=_TIME,
)


def _about(kind: AccountEventKind) -> Schema:
    """Return what an event of an account tells."""
    match kind.value.partition("_")[0]:
        case "competition":
            return _COMPETITION
        case "round":
            return _ROUND
        case "result":
            return _TABLE
        case "seek":
            return _SEEK
        case "call":
            return _CALL
        case _:
            return _GAME


OF_ACCOUNT: Final[Mapping[str, Schema]] = {
    "now": _NOW,
    "reset": _NOW,
    **{kind.value: _about(kind) for kind in AccountEventKind},
}

# ---- A competition -------------------------------------------------------------------------------

_HEAD: Final = named(
    "CompetitionHead",
    "How far a competition is; `standings` is the last entry of the log that they include.",
    seq=_NUMBER,
    head=_ID,
    status={"enum": [*CompetitionStatus.values]},
    stage=_NUMBER,
    round=_NUMBER,
    standings=_NUMBER,
)
OF_COMPETITION: Final[Mapping[str, Schema]] = {"event": ref("Event"), "head": _HEAD}

# ---- A club --------------------------------------------------------------------------------------

_CLUB_COMPETITION: Final = named(
    "ClubCompetition",
    "A competition that goes on in a club, with the head of its log.",
    id=_ID,
    slug=_ID,
    name=_ID,
    status={"enum": [*CompetitionStatus.values]},
    stage=_NUMBER,
    round=_NUMBER,
    seq=_NUMBER,
    head=_ID,
)
_CLUB_GAME: Final = named(
    "ClubGame",
    "A game that goes on in a club, with the head of its log; `awaited` are the seats that may move.",
    id=_ID,
    ruleset={"type": "string"},
    status=_STATUS,
    competition=nullable(_ID),
    table=nullable(_ID),
    seq=_NUMBER,
    head=_ID,
    awaited=list_of(_NUMBER),
)
OF_APPS: Final[Sequence[GoingOn]] = [each.GOING_ON for each in modules("streams")]
_STATE: Final = named(
    "ClubState",
    "All that goes on in a club.",
    competitions=list_of(_CLUB_COMPETITION),
    games=list_of(_CLUB_GAME),
    **{each.kinds: list_of(ref(each.component)) for each in OF_APPS},
)
OF_CLUB: Final[Mapping[str, Schema]] = {
    "state": _STATE,
    "competition": _CLUB_COMPETITION,
    "game": _CLUB_GAME,
    **{each.kind: ref(each.component) for each in OF_APPS},
}
