"""The moves that every game has, beside its own: of seats, the arbiter, the clock and the system."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.messages import Message, text
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Length

Role: TypeAlias = Literal["seat", "code", "kiosk", "arbiter", "clock", "system"]
"""Who makes an entry. With ``code`` and ``kiosk`` no account proves whose seat it is: somebody had the seat's
code, or stood at a kiosk and named the seat."""
Reason: TypeAlias = Annotated[str, Length(1, 200), Help("why, for everyone to read")]
AnySeat: TypeAlias = Annotated[int, Between(0, 99)]


@dataclass(frozen=True)
class Ready:
    """A seat is ready for the first deal, and may add a text to the seed."""

    entropy: Annotated[str, Length(0, 200), Help("any text; it goes into the seed of every shuffle")] = ""


Alone: TypeAlias = Annotated[
    bool,
    Help("written by the server: those who are left are partners in a competition, and the game ends"),
]


@dataclass(frozen=True)
class Resign:
    """A seat leaves the game for good."""

    alone: Alone = False


@dataclass(frozen=True)
class Penalty:
    """The arbiter worsens a seat's score in the current round."""

    seat: AnySeat
    points: Annotated[
        int,
        Between(1, 1000),
        Help("added to the score where the lowest score wins, subtracted where the highest wins"),
    ]
    reason: Reason


@dataclass(frozen=True)
class Forfeit:
    """The arbiter takes a seat out of the game, or the clock does if the competition has it so."""

    seat: AnySeat
    reason: Annotated[str, Length(0, 200)] = ""
    alone: Alone = False


@dataclass(frozen=True)
class Abandon:
    """The arbiter ends the game without a result."""

    reason: Reason


@dataclass(frozen=True)
class HandOver:
    """The arbiter changes the account that plays a seat; from here on only that one sees the seat's cards."""

    seat: AnySeat
    reason: Reason
    account: Annotated[
        Annotated[str, Length(1, 64)] | None,
        Help("written by the server: the account that the seat's player has"),
    ] = None


@dataclass(frozen=True)
class Timeout:
    """The clock plays the default moves of the seat's turn."""


@dataclass(frozen=True)
class StopClocks:
    """The clocks of all seats stop; moves can be made without them."""


@dataclass(frozen=True)
class StartClocks:
    """The clocks go on: those of the awaited seats begin their move again."""


MOST_MORE: Final = 240
"""The most minutes that all seats of a game are given in all."""


@dataclass(frozen=True)
class GiveTime:
    """The clocks of all seats get some minutes more, or lose some of those that they got."""

    minutes: Annotated[int, Between(-MOST_MORE, MOST_MORE), Help("fewer again if negative")]


@dataclass(frozen=True)
class AcceptInvitation:
    """An invited seat agrees to play; once all have, the game begins."""


@dataclass(frozen=True)
class DeclineInvitation:
    """A seat does not want to play: the game ends before it has begun."""


@dataclass(frozen=True)
class Lapse:
    """The clock ends an invitation that somebody left unanswered."""


@dataclass(frozen=True)
class Begin:
    """The arbiter begins the game without the answers that are missing."""


Inviting: TypeAlias = AcceptInvitation | DeclineInvitation | Lapse | Begin
CommonMove: TypeAlias = (
    Ready
    | Resign
    | Penalty
    | Forfeit
    | Abandon
    | HandOver
    | Timeout
    | StopClocks
    | StartClocks
    | GiveTime
    | Inviting
)

COMMON: Final[Mapping[str, type]] = {
    "ready": Ready,
    "resign": Resign,
    "penalty": Penalty,
    "forfeit": Forfeit,
    "abandon": Abandon,
    "hand_over": HandOver,
    "timeout": Timeout,
    "stop_clocks": StopClocks,
    "start_clocks": StartClocks,
    "give_time": GiveTime,
    "accept_invitation": AcceptInvitation,
    "decline_invitation": DeclineInvitation,
    "lapse": Lapse,
    "begin": Begin,
}
INVITING: Final = (AcceptInvitation, DeclineInvitation, Lapse, Begin, HandOver, Abandon)
"""The moves that are possible before a game has begun, while players are invited."""
SEAT_MOVES: Final = ("ready", "resign")
Left: TypeAlias = Literal["resigned", "late"]
LEAVING: Final[Mapping[str, Left]] = {"resign": "resigned", "forfeit": "late"}
"""The moves with which a seat leaves, and why it did: the clock lets a seat forfeit whose time ran out."""
BY_SERVER: Final = ("account", "alone")
"""The fields of these moves that the server writes: nobody else may send them."""
RULINGS: Final = ("penalty", "forfeit", "hand_over", "abandon")
"""The arbiter's moves in a game that has begun."""
CARD_ROLES: Final[tuple[Role, ...]] = ("code", "kiosk")
"""The roles that make the moves of a score card for a seat, and no other moves."""
ALLOWED: Final[Mapping[Role, tuple[str, ...]]] = {
    "seat": (*SEAT_MOVES, "accept_invitation", "decline_invitation"),
    "code": (),
    "kiosk": (),
    "arbiter": (*RULINGS, "begin"),
    "clock": ("timeout", "forfeit", "stop_clocks", "start_clocks", "give_time", "lapse"),
    "system": ("ready",),
}
NOT_FOR: Final[Mapping[Role, Message]] = {
    "seat": text("This is not a move for the seat."),
    "code": text("This needs an account: a seat’s code is for its score card only."),
    "kiosk": text("This needs an account: a kiosk is for score cards only."),
    "arbiter": text("This is not a move for the arbiter."),
    "clock": text("This is not a move for the clock."),
    "system": text("This is not a move for the system."),
}


def stopping(stopped: bool, move: StopClocks | StartClocks) -> bool:
    """Return whether clocks are stopped after a move; raise `Illegal` where that changes nothing."""
    stops = isinstance(move, StopClocks)
    if stopped == stops:
        raise Illegal("The clocks are stopped already." if stops else "The clocks are running.")
    return stops


def with_more(minutes: int, more: int) -> int:
    """Return the minutes that seats have got in all with some more; raise `Illegal`."""
    if not 0 <= minutes + more <= MOST_MORE:
        raise Illegal("The seats can have from 0 to %(most)d minutes more in all.", most=MOST_MORE)
    return minutes + more
