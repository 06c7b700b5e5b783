"""What a game of Scram! shows, read off its replay, to say what the golden games show between them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from games.engine import replay
from games.engine.common_moves import COMMON
from games.engine.replay import Position
from games.rules.scram.actions import ACTIONS
from games.rules.scram.moves import Act, At, Draw, Exchange, Replace, Target
from games.rules.scram.scoring import team_sums, totals
from games.rules.scram.state import Row, State, teams_of
from tests.rules.recording import replayed


def of_file(path: Path) -> set[str]:
    """Return all that a finished game's file shows."""
    seen, before = set[str](), None
    for entry, position in replayed(path):
        seen |= {*of_entry(entry, before, position)}
        before = position
    return seen | ({*of_end(before)} if before else set())


def of_entry(entry: Any, before: Position | None, after: Position) -> Iterator[str]:
    """Yield what an entry shows; the opening comes after no position."""
    kind, role = entry["move"]["type"], entry["role"]
    if before is None:
        yield f"{after.seats} campers"
        yield from (f"option {name}" for name, value in entry["move"]["options"].items() if value)
        return
    if kind in COMMON:
        yield f"{kind} by the {role}"
    if kind == "timeout" and before.state:
        taken = before.state.table.drawn and before.state.table.drawn.taken
        yield f"timeout in {before.state.phase}{' with a card from the pile' if taken else ''}"
    if role == "system":
        yield "a move for a seat that is out"
    if kind in before.ruleset.moves:
        yield from of_move(before.state, before.ruleset.read_move(entry["move"]), after.state)
    if before.state and len(after.state.rows) > len(before.state.rows):
        yield from of_round(after.state.rows[-1], before.seats)


def of_move(before: State, move: Any, after: State) -> Iterator[str]:
    """Yield what a seat's move shows."""
    match move:
        case Draw():
            yield f"draw from the {move.source}"
        case Replace():
            yield from of_replace(before, move, after)
        case Act():
            yield from of_act(before, move, after)
        case Exchange():
            yield f"exchange {'done' if move.do else 'left'}"
        case _:
            yield type(move).__name__.lower()


def of_replace(before: State, move: Replace, after: State) -> Iterator[str]:
    faces = [before.table.face(before.table.card_at(at)) for at in move.cards]
    drawn = before.table.drawn
    yield (
        "replace with a card from the pile" if drawn and drawn.taken else "replace with a card from the deck"
    )
    if len(faces) == 1:
        yield "replace one"
        return
    numbers = {*faces} - {"="}
    how = "match" if len(numbers) <= 1 else f"{min(len(numbers), 5)} numbers"
    yield f"replace several: {how}"
    if len(numbers) > 1:
        yield f"no match: added at the {move.end}"
        if len({move.end, *move.extra_ends}) == 2:
            yield "no match: added at both ends"
    if len(numbers) <= 1 and len({place.seat for place in move.cards}) > 1:
        yield "replace a team-mate's card"
    if len(numbers) == 1 and "=" in faces:
        yield "replace = with numbers"
    if move.slot is not None:
        yield "replace into a slot"


def of_act(before: State, move: Act, after: State) -> Iterator[str]:
    """Yield what an action, or a step of it, shows."""
    table = before.table
    card = before.acting.card if before.acting else table.faces[table.drawn.card] if table.drawn else "?"
    if before.acting:
        yield f"{card} one by one"
    if move.seat is None:
        chosen = (*before.acting.targets, *move.targets) if before.acting else move.targets
        yield from of_targets(card, chosen, done=after.acting is None)
    elif card == "13":
        yield "13 in a campsite" if table.campsites[move.seat] else "13 in an empty campsite"
        yield f"13 at the {move.end}"
    else:
        yield f"9 for {len(move.cards)} at the {move.end}"
        if "=" in {table.face(table.campsites[move.seat][index]) for index in move.cards}:
            yield "9 for ="


def of_targets(card: str, chosen: Sequence[Target], *, done: bool) -> Iterator[str]:
    kinds = {type(target) for target in chosen}
    where = "both" if len(kinds) == 2 else "campsites" if kinds == {At} else "the deck"
    yield f"{card} on {where}"
    if card == "12" and len(chosen) == 2 and done:
        yield "12 in one campsite"
    if done and len(chosen) < ACTIONS[card].count:
        yield "fewer targets than the card says"


def of_round(row: Row, seats: int) -> Iterator[str]:
    """Yield how a round ended."""
    yield f"the round ends: {row.ended}"
    if row.scram is None:
        return
    teams, sums = teams_of(seats), team_sums(row.sums)
    own, other = sums[teams[row.scram]], sums[1 - teams[row.scram]]
    yield f"scram is {'lost' if own > other else 'level' if own == other else 'won'}"
    yield f"scram, then {row.ended}"
    if seats == 3:
        yield f"scram of the {'solo' if row.scram == 0 else 'duo'}"


def of_end(position: Position) -> Iterator[str]:
    """Yield how the game ended."""
    result = replay.result(position)
    if result is None:
        yield "no result"
        return
    if len(position.teams_left) == 1:
        yield "a whole team is out"
        if any(position.state.penalties):
            yield "a penalty of a round without an end"
        return
    if all(placing.rank > 1 for placing in result.seats):
        yield "nobody wins"
        return
    yield f"decided by {decider(position.state.rows, position.seats)}"


def decider(rows: tuple[Row, ...], seats: int) -> str:
    """Return what told the teams apart (B17)."""
    if len({*totals(rows, (0,) * seats)}) > 1:
        return "the total"
    if seats == 3:
        return "the solo's right"
    return "the last round" if rows[-1].scores[0] != rows[-1].scores[1] else "a round before"
