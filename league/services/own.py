"""What players do for themselves in a competition: entering, leaving, checking in, staying away, playing.

``by`` is the account of a member with a player of its own in the club; PermissionDenied for anybody else. For
a team any of its players speaks. Each verb is idempotent: what is so already writes nothing, so that a second
click is answered like the first, with `Appended.created` False. The log tells the role ``player``.
"""

from collections.abc import Sequence
from uuid import UUID

from games.engine.refusals import Malformed
from league import permissions
from league.competition import commands
from league.competition.state import Competition as State
from league.competition.state import Entry
from league.log import Appended
from league.models import Account, Competition
from league.services.entries import name_of, names_of, new_entry
from league.services.rounds import table_opening
from league.services.writing import own, playing, write


def enter_self(
    *,
    by: Account,
    competition: Competition,
    players: Sequence[UUID] = (),
    name: str = "",
    affiliation: str = "",
    seq: int | None = None,
) -> Appended:
    """Enter oneself, or a team of club players that one is in, while entries are open.

    The entry takes part at once, asks for approval, or joins the waiting list, as the competition says.
    ``players`` left out: oneself alone. Raises `Malformed` for a team without oneself, and `Illegal` where
    entries are not open or a player has entered already.
    """
    me = permissions.require_player(competition.club_id, by).pk
    team = tuple(players) or (me,)
    if me not in team:
        raise Malformed({"players": ["Players enter only teams that they play in."]})
    names = names_of(competition, team)

    def command(state: State) -> commands.Events:
        return commands.apply_for(
            state,
            entry=new_entry(competition, state),
            name=name or name_of(names, state),
            players=[str(player) for player in team],
            affiliation=affiliation,
        )

    return write(competition_id=competition.pk, author=playing(by), command=command, seq=seq)


def withdraw_self(
    *, by: Account, competition: Competition, reason: str = "", seq: int | None = None
) -> Appended:
    """Withdraw the own entry or application, after the start from the next round on."""

    def command(state: State, entry: Entry) -> commands.Events:
        return commands.withdraw(state, entry=entry.id, reason=reason)

    return own(by=by, competition=competition, command=command, seq=seq)


def check_in_self(*, by: Account, competition: Competition, seq: int | None = None) -> Appended:
    """Say before the start that one is there; a team is there when one of its players says so."""

    def command(state: State, entry: Entry) -> commands.Events:
        return commands.check_in(state, entry=entry.id)

    return own(by=by, competition=competition, command=command, seq=seq)


def absent_self(
    *,
    by: Account,
    competition: Competition,
    round: int | None = None,  # noqa: A002 - the field of the event
    reason: str = "",
    seq: int | None = None,
) -> Appended:
    """Say that one will miss a round that is not published yet, the next one unless another is named."""

    def command(state: State, entry: Entry) -> commands.Events:
        return commands.miss(state, entry=entry.id, number=round, reason=reason)

    return own(by=by, competition=competition, command=command, seq=seq)


def present_self(
    *,
    by: Account,
    competition: Competition,
    round: int | None = None,  # noqa: A002 - the field of the event
    seq: int | None = None,
) -> Appended:
    """Take back that one will miss a round, the next one unless another is named."""

    def command(state: State, entry: Entry) -> commands.Events:
        return commands.attend(state, entry=entry.id, number=round)

    return own(by=by, competition=competition, command=command, seq=seq)


def open_table_self(
    *,
    by: Account,
    competition: Competition,
    entries: Sequence[UUID],
    key: str = "",
    seq: int | None = None,
) -> Appended:
    """Open a table of open play or a ladder at which one sits, as `open_table` does."""
    opened = table_opening(competition, entries, key)

    def command(state: State, entry: Entry) -> commands.Events:
        if UUID(entry.id) not in entries:
            raise Malformed({"entries": ["Players open tables at which they sit."]})
        return tuple(opened(state))

    return own(by=by, competition=competition, command=command, seq=seq)
