"""What a knockout goes on by: results as others were drawn by them, and seats that were exchanged."""

from collections.abc import Mapping, Sequence

from games.engine.values import replace
from league.core.state.competition import Round, Stage, Table, Tables


def as_gone_on(stage: Stage) -> Stage:
    """Return the stage with each table as it was when one of its entries was drawn for a later round.

    A later decision about it changes scores and points, not who went on. Tables from which nobody has gone on
    are as they are now; play-offs are part of the round before.
    """
    rounds: list[Round] = []
    following: dict[str, Round] = {}
    for each in reversed(stage.rounds):
        then = {table.id: found for table in each.tables if (found := _then(table, each, following)) != table}
        tables = Tables(then.get(table.id, table) for table in each.tables) if then else each.tables
        rounds.insert(0, replace(each, tables=tables))
        if not each.play_off:
            playing = (*each.placed_byes, *(entry for table in each.placed for entry in table.entries))
            following |= dict.fromkeys(playing, each)
    return replace(stage, rounds=tuple(rounds))


def _then(table: Table, its_round: Round, following: Mapping[str, Round]) -> Table:
    """Return a table as it was at the first draw in which one of its entries plays on."""
    drawn = [following[entry] for entry in table.entries if entry in following]
    if not drawn:
        return table
    first = min(drawn, key=lambda each: each.number)
    return first.before[its_round.number - 1].get(table.id) or table


def exchanged(stage: Stage, through: int) -> Sequence[Mapping[str, str]]:
    """Return for each published round up to ``through``, apart from play-offs, who took whose slot in it.

    These are the entries that an organiser exchanged between tables, or with a bye, after the draw.
    """
    return [_exchanges(each) for each in stage.shown_rounds[:through] if not each.play_off]


def _exchanges(each: Round) -> Mapping[str, str]:
    found = dict(zip(each.proposed_byes, each.placed_byes, strict=True))
    for before, now in zip(each.proposed, each.placed, strict=True):
        if {*before.entries} != {*now.entries}:
            found |= zip(before.entries, now.entries, strict=True)
    return {one: other for one, other in found.items() if one != other}
