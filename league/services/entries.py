"""Entries, as organisers (and at the door scorekeepers) see to them: `league.services.own` is for players.

Each verb is idempotent where it can be: what is so already writes nothing, and `Appended.created` is False.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID, uuid5

from django.utils.translation import gettext as _

from games.engine.refusals import Malformed
from league import permissions
from league.competition import commands
from league.competition.state import Competition as State
from league.log import Appended
from league.models import Account, Competition, Player
from league.services.writing import direct, organiser, scorekeeper, write

_LONGEST: Final = 90
"""Characters of a name that is made of players' names; an entry's may have a few more."""


def enter(
    *,
    by: Account,
    competition: Competition,
    players: Sequence[UUID],
    name: str = "",
    affiliation: str = "",
    from_round: int | None = None,
    seq: int | None = None,
) -> Appended:
    """Enter a player, or a team of players, of the club; a team without a name is called by its players.

    The players of a team are in the order of its line-up: at boards the first sits at board 1. Entries of one
    affiliation are kept apart by draws. When all places are taken it joins the waiting list. After the start
    it is a late entry, from the next round to be published unless a later one is named.
    """
    names = names_of(competition, players)

    def command(state: State) -> commands.Events:
        return commands.enter(
            state,
            entry=new_entry(competition, state),
            name=name or name_of(names, state),
            players=[str(player) for player in players],
            affiliation=affiliation,
            from_round=from_round,
        )

    return direct(by=by, competition=competition, command=command, seq=seq)


def new_entry(competition: Competition, state: State) -> str:
    """Return an entry's id, named by its place in the log so that a retry enters nobody a second time."""
    return str(uuid5(competition.pk, f"entry {state.seq + 1}"))


def name_of(players: Sequence[str], state: State) -> str:
    """Return what an entry is called by its players; with a number where another one is called so."""
    told = " & ".join(players)
    stem = told if len(told) <= _LONGEST else f"{told[: _LONGEST - 1]}…"
    taken = {entry.name for entry in state.entries if entry.live}
    numbered = (f"{stem} ({number})" for number in range(2, len(taken) + 3))
    return next(name for name in (stem, *numbered) if name not in taken)


def names_of(competition: Competition, players: Sequence[UUID]) -> Sequence[str]:
    """Return the names of active players of the club, in order; raise `Malformed`."""
    names = dict(
        Player.objects.filter(club=competition.club_id, active=True, pk__in=players).values_list("pk", "name")
    )
    unknown = [number for number, player in enumerate(players) if player not in names]
    if unknown:
        raise Malformed(
            {f"players.{number}": [_("The club has no such active player.")] for number in unknown}
        )
    return [names[player] for player in players]


# ---- Who gets a place ----------------------------------------------------------------------------


def approve(*, by: Account, competition: Competition, entry: UUID, seq: int | None = None) -> Appended:
    """Approve an applicant before the start: into the field, or the waiting list when it is full."""

    def command(state: State) -> commands.Events:
        return commands.approve(state, entry=str(entry))

    return direct(by=by, competition=competition, command=command, seq=seq)


def reject(
    *, by: Account, competition: Competition, entry: UUID, reason: str = "", seq: int | None = None
) -> Appended:
    """Turn an applicant away; the reason stands in the log for everyone to read."""

    def command(state: State) -> commands.Events:
        return commands.reject(state, entry=str(entry), reason=reason)

    return direct(by=by, competition=competition, command=command, seq=seq)


def admit(
    *,
    by: Account,
    competition: Competition,
    entry: UUID,
    from_round: int | None = None,
    seq: int | None = None,
) -> Appended:
    """Give an entry of the waiting list a place that is free, out of turn too; `Illegal` where none is.

    Before the start the first in the list moves up by itself when somebody withdraws. After the start nobody
    does: admitting makes a late entry, from the next round to be published unless a later one is named.
    """

    def command(state: State) -> commands.Events:
        return commands.admit(state, entry=str(entry), from_round=from_round)

    return direct(by=by, competition=competition, command=command, seq=seq)


# ---- Who is there --------------------------------------------------------------------------------


def check_in(*, by: Account, competition: Competition, entry: UUID, seq: int | None = None) -> Appended:
    """Note before the start that an entry is there; for scorekeepers at the door as well."""
    permissions.require_scorekeeper(competition.club_id, by)
    directs = permissions.is_organiser(competition.club_id, by)
    author = organiser(by) if directs else scorekeeper(by)

    def command(state: State) -> commands.Events:
        return commands.check_in(state, entry=str(entry))

    return write(competition_id=competition.pk, author=author, command=command, seq=seq)


def absent(
    *,
    by: Account,
    competition: Competition,
    entry: UUID,
    round: int | None = None,  # noqa: A002 - the field of the event
    reason: str = "",
    seq: int | None = None,
) -> Appended:
    """Keep an entry out of a round that is not published yet, the next one unless another is named."""

    def command(state: State) -> commands.Events:
        return commands.miss(state, entry=str(entry), number=round, reason=reason)

    return direct(by=by, competition=competition, command=command, seq=seq)


def present(
    *,
    by: Account,
    competition: Competition,
    entry: UUID,
    round: int | None = None,  # noqa: A002 - the field of the event
    seq: int | None = None,
) -> Appended:
    """Take an absence back, that of the next round unless another is named, while it is not published."""

    def command(state: State) -> commands.Events:
        return commands.attend(state, entry=str(entry), number=round)

    return direct(by=by, competition=competition, command=command, seq=seq)


def withdraw(
    *,
    by: Account,
    competition: Competition,
    entry: UUID,
    reason: str = "",
    from_round: int | None = None,
    seq: int | None = None,
) -> Appended:
    """Withdraw an entry from a round on; before the start its place goes to the first that waits."""

    def command(state: State) -> commands.Events:
        return commands.withdraw(state, entry=str(entry), reason=reason, from_round=from_round)

    return direct(by=by, competition=competition, command=command, seq=seq)


def return_entry(
    *,
    by: Account,
    competition: Competition,
    entry: UUID,
    from_round: int | None = None,
    seq: int | None = None,
) -> Appended:
    """Let a withdrawn entry play again from a round on, the next to be published unless another is named.

    `Illegal` where all places are taken, or one of its players plays for another entry by now.
    """

    def command(state: State) -> commands.Events:
        return commands.take_back(state, entry=str(entry), from_round=from_round)

    return direct(by=by, competition=competition, command=command, seq=seq)


def substitute(
    *,
    by: Account,
    competition: Competition,
    entry: UUID,
    out: UUID,
    into: UUID,
    reason: str = "",
    from_round: int | None = None,
    seq: int | None = None,
) -> Appended:
    """Let another player of the club play for an entry, from the next round or a later one on."""
    names_of(competition, [into])

    def command(state: State) -> commands.Events:
        return commands.substitute(
            state, entry=str(entry), out=str(out), into=str(into), reason=reason, from_round=from_round
        )

    return direct(by=by, competition=competition, command=command, seq=seq)
