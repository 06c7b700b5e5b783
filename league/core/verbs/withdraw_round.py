"""Withdraw a round that was published by mistake and that nobody has played."""

from collections.abc import Iterable, Sequence

from games.engine.messages import Message, plural
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Ending, EndsGames
from league.core.state import values as v
from league.core.state.checks import begun_stage, played_round, refuse_unless_under_way
from league.core.state.competition import Competition, Round, Table
from league.core.state.updates import with_stage
from league.core.verb import UNDER_WAY, Button, Caution, Events, Given, Verb
from league.core.verbs.pause import held
from league.core.verbs.presence import Present


class RoundWithdrawn(EndsGames, type="round_withdrawn"):
    """A published round that nobody has played does not take place; its number is free again.

    Its games are abandoned and count for nothing. The next draw of the round is a new draw.
    """

    title = "Round withdrawn"
    found_by = "unpublished, taken back, undone"
    text = "Round %(round)s is withdrawn."
    announces = notice = "round_withdrawn"
    stage: v.Count
    round: v.Count
    reason: v.Reason

    def apply(self, state: Competition) -> Competition:
        refuse_unless_under_way(state)
        stage, published = played_round(state, self.stage, self.round)
        refuse_begun(published, frozenset())
        before = with_stage(state, replace(stage, rounds=stage.rounds[:-1]))
        return replace(before, withdrawn=(*state.withdrawn, published))

    def endings(self, state: Competition) -> Iterable[Ending]:
        return (Ending(table.id, self.reason) for table in state.withdrawn[-1].tables)


def refuse_begun(published: Round, begun: frozenset[str]) -> None:
    """Raise `Illegal` where a table of the round has a result or is one of those that have begun."""
    numbers = [
        number
        for number, table in enumerate(published.tables, 1)
        if table.id in begun or table.ruling or any(game.result for game in table.games)
    ]
    if numbers:
        raise Illegal(lost_at(numbers))


def lost_at(numbers: Sequence[int]) -> Message:
    """Return that what was played at the tables of a round with these numbers would be lost."""
    listed = ", ".join(map(str, numbers))
    return plural(
        "The game at table %(tables)s has begun; what was played there would be lost.",
        "The games at tables %(tables)s have begun; what was played there would be lost.",
        len(numbers),
        tables=listed,
    )


class WithdrawRound(Verb, key="withdraw-round"):
    """Withdraw the current round, which was published by mistake and which nobody has played.

    Its games are abandoned, its players are told, and its number is free again: the next draw is a new one,
    with those who have checked in meanwhile. Refused once a game has begun. With the automatic pace the
    competition is paused too.
    """

    taken_back_by = ("draw",)
    withdraw_round = Button(
        "Withdraw the round",
        "The round does not take place: its games end without a result, and its players are told.",
        "Draw the round again; that is a new draw.",
        statuses=UNDER_WAY,
        part="round",
        asks=("reason",),
        danger=True,
    )

    reason: v.Reason

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        published = state.current_round
        return published is not None and not any(
            table.ruling or game.result for table in published.tables for game in table.games
        )

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        published = state.current_round
        if published is None:
            return ()
        games = sum(len(table.games) for table in published.tables)
        sentence = plural("%(count)d game ends.", "%(count)d games end.", games)
        return (Caution(sentence),)

    @classmethod
    def ends(cls, state: Competition, button: Button, table: str) -> Iterable[Table]:
        return state.current_round.tables if state.current_round else ()

    def decide(self, state: Competition, given: Given) -> Events:
        stage = begun_stage(state)
        if stage.current_round is None:
            raise Illegal("No round is being played.")
        refuse_begun(stage.current_round, given.begun)
        number = stage.current_round.number
        withdrawn = RoundWithdrawn(stage.number, number, self.reason)
        return withdrawn, *_arrived_since(state, stage.number, number), *held(state, self.reason)


def _arrived_since(state: Competition, stage: int, number: int) -> Iterable[Present]:
    """Yield that those who have checked in since the round was drawn are here for it: it is drawn again."""
    for entry in state.entries:
        here = entry.here_from == (stage, number + 1) and (stage, number) not in entry.absences
        if here and entry.takes_part((stage, number)):
            yield Present(entry.id, number)
