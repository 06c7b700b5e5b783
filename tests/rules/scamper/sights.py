"""What a game of Scamper shows, read off its replay, to say what the golden games show between them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from games.engine import replay
from games.engine.cards import Card, rank
from games.engine.common_moves import COMMON
from games.engine.replay import Position
from games.rules.scamper import judging, laying
from games.rules.scamper.moves import Accept, Challenge, Discard, Group, LayOff, Meld, Swap
from games.rules.scamper.options import CONTRACTS, Options
from games.rules.scamper.state import Round, Row, State, TableMeld
from tests.rules.recording import replayed

SHOWN_BY: Final[Mapping[str, Sequence[str]]] = {
    "S1": ("2 seats", "3 seats", "4 seats", "6 seats", "10 seats"),
    "S2": ("2 packs of 54", "3 packs of 54", "6 packs of 54"),
    "S3": ("a hand of every value counted",),
    "S4": ("all ten contracts",),
    "S5": ("a second drawing", "a card drawn again", "the deal passes left"),
    "S6": ("a bonus for the first dealer", "no bonus for the first dealer"),
    "S7": ("the seat left of the dealer begins", "hands of 8", "hands of 11"),
    "S8": ("take", "draw"),
    "S9": (
        *("accept", "decline", "passed on unasked", "passed on in the first turn only"),
        "nothing passed on",
    ),
    "S10": ("melds, then a lay-off, then the discard",),
    "S11": ("one card kept",),
    "S12": ("a set", "a set with a wild card"),
    "S13": (
        "a run",
        "a run from the two",
        "a run to the ace",
        "a run from the ace",
        "a run with a wild card",
    ),
    "S14": ("a natural deuce where deuces are wild",),
    "S15": ("the contract", "more than the contract asks for"),
    "S16": ("melds after the contract",),
    "S17": ("as many wild cards as a contract may have",),
    "S18": ("other melds with the contract",),
    "S19": ("onto a set", "onto the low end", "onto the high end", "onto one's own", "onto another's"),
    "S20": ("more wild cards than a contract may have", "strict ratio kept"),
    "S21": ("a swap in a run", "a swap in a set"),
    "S22": ("what lies stays while others play",),
    "S23": ("a wild card discarded going out", "a wild card discarded by a hand of nothing else"),
    "S24": ("out", "out in the turn of the contract"),
    "S25": ("nothing for the one who is out",),
    "S26": ("the lowest total wins", "equal totals share"),
    "S27": ("the stock runs out, the discards stay",),
    "S28": ("dealt again", "a pack added"),
    "S29": ("no more replays", "no more packs", "no more turns"),
    "S30": (
        *("challenge: wrong_meld", "challenge: too_many_wilds", "challenge: wrong_challenge"),
        *("concede", "going out undone", "a vain doubt of going out"),
        "a turn undone after the system has played",
    ),
    "S31": ("scamper said", "scamper not said", "scamper not asked for"),
    "S32": ("points kept over a replay",),
    "S33": ("a penalty for advice",),
}
"""What the golden games must show of each rule."""

OTHER_SIGHTS: Final = {
    *(f"option {name}" for name in Options.__dataclass_fields__),
    *(f"timeout in {phase}" for phase in ("begin", "offer", "play", "answer")),
    *("resign by the seat", "forfeit by the arbiter", "abandon by the arbiter", "ready by the seat"),
    *("ready by the clock", "a move for a seat that is out", "no result", "one seat left"),
}


def rules_shown(folder: Path) -> set[str]:
    """Return the rules of which the golden games of a folder show all that they must."""
    seen = seen_in(folder)
    return {rule for rule, sights in SHOWN_BY.items() if seen >= {*sights}}


@cache
def seen_in(folder: Path) -> frozenset[str]:
    """Return all that the golden games of a folder show between them."""
    return frozenset(sight for path in sorted(folder.glob("*.jsonl")) for sight in of_file(path))


def of_file(path: Path) -> set[str]:
    """Return all that a finished game's file shows."""
    seen, before = set[str](), None
    for entry, position in replayed(path):
        seen |= {*(of_entry(entry, before, position) if before else of_opening(entry, position))}
        before = position
    return seen | ({*of_end(before)} if before else set())


def of_opening(entry: Any, position: Position) -> Iterator[str]:
    yield f"{position.seats} seats"
    defaults = position.ruleset.write_options(Options())
    yield from (
        f"option {name}" for name, value in entry["move"]["options"].items() if value != defaults[name]
    )


def of_entry(entry: Any, before: Position, after: Position) -> Iterator[str]:
    kind, role = entry["move"]["type"], entry["role"]
    if kind in COMMON:
        yield f"{'ready' if before.joining else kind} by the {role}"
    if role == "system":
        yield "a move for a seat that is out"
    if before.joining:
        return
    if kind == "timeout":
        yield f"timeout in {before.state.round.phase}"
    if kind == "penalty" and entry["move"]["reason"] == "advice":
        yield "a penalty for advice"
    if kind in before.ruleset.moves:
        yield kind
        yield from of_move(before.state, before.ruleset.read_move(entry["move"]), after.state)
    yield from of_deal(before.state, after.state)
    if len(after.state.rows) > len(before.state.rows):
        yield from of_row(before.state.round, after.state.rows[-1], entry["move"], after.state.options)


def of_deal(before: State, after: State) -> Iterator[str]:
    """Yield what a deal, or the end of the stock, shows."""
    old, new = before.round, after.round
    if not before.rows and old.turn == 1 and old.attempt == 0:
        yield from of_first_deal(before)
    if (new.number, new.attempt, new.added) == (old.number, old.attempt, old.added):
        return
    if new.number > old.number and new.dealer == (old.dealer + 1) % old.seats:
        yield "the deal passes left"
    if new.attempt > old.attempt:
        yield "dealt again"
        yield from ("points kept over a replay" for each in old.adjustments if each in new.adjustments)
    if new.added > old.added:
        yield "a pack added"
        yield from ["the stock runs out, the discards stay"] * (len(new.discards) > len(old.discards) > 1)


def of_first_deal(state: State) -> Iterator[str]:
    table = state.round
    if state.options.packs is None:
        total = sum(map(len, (*table.hands, table.stock, table.discards)))
        yield f"{total // 54} packs of {54 if total % 54 == 0 else total}"
    yield from ["a second drawing"] * (len(state.draws) > 1)
    yield from ["a card drawn again"] * any(len(cards) > 1 for draws in state.draws for cards in draws.cards)
    names = {each.name for each in table.adjustments}
    yield f"{'a' if 'first_dealer' in names else 'no'} bonus for the first dealer"
    yield from ["the seat left of the dealer begins"] * (table.seat == (table.dealer + 1) % table.seats)
    yield f"hands of {max(map(len, table.hands))}" if table.phase == "begin" else "a turn begun"


def of_move(before: State, move: Any, after: State) -> Iterator[str]:
    table = before.round
    match move:
        case Meld():
            yield from of_meld(before, move)
        case LayOff():
            yield from of_lay_off(before, move)
        case Swap():
            yield f"a swap in a {named(table.melds, move.meld).kind}"
        case Discard():
            yield from of_discard(before, move, after)
        case Challenge():
            yield from of_challenge(before, after)
        case _:
            yield from of_beginning(before, move, after)


def of_beginning(before: State, move: Any, after: State) -> Iterator[str]:
    old, new, passing = before.round, after.round, before.options.passing
    if new.phase == "play" and not isinstance(move, Accept) and len(old.stock) - len(new.stock) == 2:
        yield "passed on unasked"
    if passing == "first" and old.turn > 1 and old.discards and len(old.stock) - len(new.stock) == 1:
        yield "passed on in the first turn only"
    if passing == "off" and old.phase == "begin" and old.discards and len(old.stock) > len(new.stock):
        yield "nothing passed on"


def of_meld(before: State, move: Meld) -> Iterator[str]:
    table = before.round
    if laying.fault(table.melds, table.seat, move, before.contract, before.options, down=is_down(table)):
        return
    for group in move.melds:
        yield from of_group(group, before.options)
    if is_down(table):
        yield "melds after the contract"
        return
    yield "the contract"
    asked = before.contract
    if sum(len(group.cards) for group in move.melds) > asked.asked:
        yield "more than the contract asks for"
    if len(move.melds) > len(asked.sets) + len(asked.runs):
        yield "other melds with the contract"
    if len(move.melds) == len(asked.sets) + len(asked.runs):
        full = any(at_limit(group, before.options) for group in move.melds)
        yield from ["as many wild cards as a contract may have"] * full
    yield from ["one card kept"] * (len(table.hand) - len(laying.given(move)) == 1)


def of_group(group: Group, options: Options) -> Iterator[str]:
    read = judging.reading(group.kind, group.cards, options)
    assert read is not None
    yield f"a {group.kind}"
    yield from [f"a {group.kind} with a wild card"] * bool(read.wild)
    if group.kind == "run":
        yield from ["a run from the two"] * (read.rank == "2")
        yield from ["a run from the ace"] * (rank(group.cards[0]) == "A")
        yield from ["a run to the ace"] * (rank(group.cards[-1]) == "A")
        natural = group.cards[0] in options.wild and 0 not in read.wild
        yield from ["a natural deuce where deuces are wild"] * natural


def of_lay_off(before: State, move: LayOff) -> Iterator[str]:
    table, target = before.round, named(before.round.melds, move.meld)
    yield "onto a set" if move.end is None else f"onto the {move.end} end"
    yield "onto one's own" if target.seat == table.seat else "onto another's"
    yield from ["one card kept"] * (len(table.hand) - len(move.cards) == 1)
    group = Group(target.kind, judging.extended(target, move))
    if before.options.strict_ratio:
        yield "strict ratio kept"
    elif count_wild(group, before.options) > judging.wild_limit(len(group.cards)):
        yield "more wild cards than a contract may have"


def of_discard(before: State, move: Discard, after: State) -> Iterator[str]:
    table, options = before.round, before.options
    if move.card in options.wild:
        going_out = len(table.hand) == 1
        yield f"a wild card discarded {'going out' if going_out else 'by a hand of nothing else'}"
    if len(table.hand) == 2:
        said = "said" if move.scamper else "not said" if options.declare_scamper else "not asked for"
        yield f"scamper {said}"
    new = after.round
    if table.melds and (new.number, new.attempt) == (table.number, table.attempt) and new.phase == "begin":
        yield from ["what lies stays while others play"] * (table.melds == new.melds)
    if table.lays and [type(lay) for lay in table.lays.moves][:2] == [Meld, LayOff]:
        yield "melds, then a lay-off, then the discard"


def of_challenge(before: State, after: State) -> Iterator[str]:
    given = after.round.adjustments or after.rows[-1].adjustments
    yield f"challenge: {given[-1].name}"
    lays = before.round.lays
    later = lays is not None and before.round.turn > 1 and lays.discard != before.round.discards[-1]
    yield from ["a turn undone after the system has played"] * (later and given[-1].name == "wrong_meld")
    if before.round.phase == "answer":
        vain = given[-1].name == "wrong_challenge"
        yield "a vain doubt of going out" if vain else "going out undone"


def of_row(table: Round, row: Row, move: Any, options: Options) -> Iterator[str]:
    """Yield what the end of a round shows; ``table`` is as it was before the round's last entry."""
    if row.out is None:
        yield from of_an_end_without_winner(table, options)
    else:
        yield "out"
        yield from ["nothing for the one who is out"] * (row.cards[row.out] == 0)
        at_once = table.lays is not None and row.out not in table.lays.down
        yield from ["out in the turn of the contract"] * at_once
    left = [held for seat, held in enumerate(table.hands) if seat != table.seat]
    by_hand = [count_by_hand(hand) for hand in left]
    if by_hand == [points for seat, points in enumerate(row.cards) if seat != table.seat]:
        values = {count_by_hand([card]) for hand in left for card in hand}
        yield from ["a hand of every value counted"] * (values == {5, 10, 20, 50})


def of_an_end_without_winner(table: Round, options: Options) -> Iterator[str]:
    if table.turn == 60 * table.seats:
        yield "no more turns"
    elif options.stock_out == "replay":
        yield from ["no more replays"] * (table.attempt == options.max_replays)
    else:
        yield from ["no more packs"] * (table.added == 6)


def of_end(position: Position) -> Iterator[str]:
    result = replay.result(position)
    if result is None:
        yield "no result"
        return
    if len(position.teams_left) == 1:
        yield "one seat left"
        return
    rows = position.state.rows
    if [row.contract for row in rows] == [*CONTRACTS]:
        yield "all ten contracts"
    best = [placing for placing in result.seats if placing.rank == 1]
    if not position.out and best[0].score == min(placing.score for placing in result.seats):
        yield "the lowest total wins"
    yield from ["equal totals share"] * (len(best) > 1)


def count_by_hand(cards: Sequence[Card]) -> int:
    """Return the points of cards as a scorekeeper counts them (S3)."""
    values = {"": 50, "2": 20, "A": 20, **dict.fromkeys("34567", 5)}
    return sum(values.get(rank(card), 10) for card in cards)


def count_wild(group: Group, options: Options) -> int:
    read = judging.reading(group.kind, group.cards, options)
    return len(read.wild) if read else 0


def at_limit(group: Group, options: Options) -> bool:
    return count_wild(group, options) == judging.wild_limit(len(group.cards))


def is_down(table: Round) -> bool:
    return table.seat in table.down


def named(melds: Sequence[TableMeld], name: str) -> TableMeld:
    return next(meld for meld in melds if meld.id == name)
