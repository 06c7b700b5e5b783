"""Rounds: drawing, moving seats, publishing with their games, closing; and the automatic pace."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.refusals import Illegal, Stale
from league import log
from league.competition import commands
from league.competition.events import Finished
from league.competition.state import Competition as State
from league.log import SYSTEM, Appended, Command
from league.models import Account, Competition
from league.services import deadlines
from league.services.writing import direct, told, write


def draw(*, by: Account, competition: Competition, seq: int | None = None) -> Appended:
    """Propose the next round, or a drawn one anew."""
    return direct(by=by, competition=competition, command=commands.draw, seq=seq)


def move_seat(
    *,
    by: Account,
    competition: Competition,
    stage: int,
    round: int,  # noqa: A002 - the field of the event
    swaps: Sequence[tuple[UUID, UUID]],
    reason: str,
    seq: int | None = None,
) -> Appended:
    """Let pairs of entries change places in a proposed round; what was drawn is kept beside it."""
    pairs = [[str(one), str(other)] for one, other in swaps]
    command = told("seats_moved", stage=stage, round=round, swaps=pairs, reason=reason)
    return direct(by=by, competition=competition, command=command, seq=seq)


def publish(
    *,
    by: Account,
    competition: Competition,
    deadline: datetime | None = None,
    seq: int | None = None,
) -> Appended:
    """Publish the drawn round and open its games, one at each table.

    Without a ``deadline`` it is the one that the stage's plan gives, if any, at a full hour; one that has
    passed is `Malformed`.
    """
    until = deadlines.to_come(deadline)

    def command(state: State) -> commands.Events:
        return _published(state, until)

    return direct(by=by, competition=competition, command=command, seq=seq)


def _published(state: State, deadline: str | None = None) -> commands.Events:
    if deadline is None and state.stage:
        deadline = deadlines.planned(state.stage.plan, timezone.now())
    drawn = state.stage.open_round if state.stage else None
    tables = drawn.tables if drawn else ()
    # Named after their tables, so that a retry opens no second game.
    games = {table.id: [str(uuid5(UUID(table.id), "game 1"))] for table in tables}
    return commands.publish(state, games=games, deadline=deadline)


def close_round(
    *, by: Account, competition: Competition, void_undecided: str = "", seq: int | None = None
) -> Appended:
    """Close the round that is played; with a reason in ``void_undecided``, tables still open are voided."""

    def command(state: State) -> commands.Events:
        return commands.close_round(state, void_undecided=void_undecided)

    return direct(by=by, competition=competition, command=command, seq=seq)


def set_deadline(
    *,
    by: Account,
    competition: Competition,
    deadline: datetime | None,
    reason: str = "",
    seq: int | None = None,
) -> Appended:
    """Say anew until when the round that is played is to be played (aware; None: as long as it takes).

    In a pause too. The same again writes nothing. `Illegal` where no round is being played, `Malformed` for a
    time that has passed.
    """
    until = deadlines.to_come(deadline)

    def command(state: State) -> commands.Events:
        return commands.set_deadline(state, deadline=until, reason=reason)

    return direct(by=by, competition=competition, command=command, seq=seq)


def open_table(
    *,
    by: Account,
    competition: Competition,
    entries: Sequence[UUID],
    key: str = "",
    seq: int | None = None,
) -> Appended:
    """Open a table of open play or a ladder with its game, of entries in seat order, while the round lasts.

    ``key`` is any text of the caller's for this one table: the same again with it opens no second one.
    `Illegal` where tables are drawn, the round is not played or its deadline has passed, or the format
    forbids these entries to meet.
    """
    return direct(by=by, competition=competition, command=table_opening(competition, entries, key), seq=seq)


def table_opening(competition: Competition, entries: Sequence[UUID], key: str) -> Command:
    """Return the command that opens a table of open play."""

    def command(state: State) -> commands.Events:
        its_round = state.stage.open_round if state.stage else None
        if deadlines.passed(its_round, timezone.now()):
            raise Illegal(_("The time for this round is over."))
        table = uuid5(competition.pk, f"table {key or state.seq + 1}")
        game = str(uuid5(table, "game 1"))
        ids = [str(entry) for entry in entries]
        return commands.open_table(state, table=str(table), entries=ids, games=[game])

    return command


# ---- The automatic pace --------------------------------------------------------------------------


_STEPS: Final[Mapping[commands.Step, Command]] = {
    "start_stage": commands.start_stage,
    "draw": commands.draw,
    "publish": _published,
    "close_round": commands.close_round,
    "finish": lambda state: commands.perform(state, Finished()),
}


def advance(*, competition_id: UUID) -> None:
    """Carry an automatic competition on until it waits for a player or an organiser, or is over.

    Raises `Illegal` where the next round cannot be drawn; an organiser must see to that.
    """
    while _advanced(competition_id):
        pass


def _advanced(competition_id: UUID) -> bool:
    """Take the next step if it is ours to take; return whether there may be another."""
    competition = Competition.objects.get(pk=competition_id)
    state = log.latest(competition)
    command = _STEPS.get(deadlines.step_now(state))
    if command is None or state.opening.pace != "automatic":
        return False
    # Where somebody else took a step just now, the next look finds what comes after that one.
    with suppress(Stale):
        write(competition_id=competition_id, author=SYSTEM, command=command, seq=competition.seq + 1)
    return True
