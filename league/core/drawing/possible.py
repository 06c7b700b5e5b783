"""Which ranks a cup still leaves to each entry: where a bracket leads who wins, and who loses, all to come;
in heats, how many go on from the round being played.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from league.core.drawing.bracket import (
    FINAL,
    Heats,
    Played,
    advancing,
    by_match,
    decided_now,
    due_in_heats,
    finishing_classes,
    played_rounds,
    tie_rule,
)
from league.core.drawing.double_bracket import Coming, DoubleBracket, Pair
from league.core.drawing.placing import PlacingBracket
from league.core.lines import Line, line_at
from league.core.state.competition import Competition, Stage, Table

Class: TypeAlias = tuple[int, int]
"""Those who came equally far; the best class is the least."""
Span: TypeAlias = tuple[Class, Class]
"""The best and the worst class that can still be reached."""
Possible: TypeAlias = Mapping[str, tuple[int, int]]
"""The best and the worst rank that each entry can still reach."""
Decided: TypeAlias = Mapping[frozenset[str], str]
"""Who won those matches of the round being played that are over, by who met."""


@dataclass(frozen=True)
class Meeting:
    """A match to come, and the class of who wins or loses it; None where that one plays on."""

    step: int
    pair: Pair
    won: Class | None = None
    lost: Class | None = None

    @property
    def played(self) -> bool:
        """Return whether two come to it."""
        return None not in self.pair


def all_possible(
    state: Competition, stage: Stage, heats: Heats, brackets: Sequence[DoubleBracket | PlacingBracket]
) -> Possible:
    """Return the ranks in its group that the brackets of a stage still leave to each entry."""
    return {
        entry: ranks
        for group, bracket in enumerate(brackets, 1)
        for entry, ranks in possible_in(bracket, decided_now(state, stage, group, heats)).items()
    }


def possible_in(bracket: DoubleBracket | PlacingBracket, decided: Decided) -> Possible:
    """Return the ranks that a bracket still leaves to those who play on in it."""
    if isinstance(bracket, DoubleBracket):
        meetings, closed = [*_of_double(bracket)], _out_of_double(bracket)
        decided = _for_good(bracket, decided)
    else:
        meetings, closed = [*_of_placing(bracket)], _out_of_placing(bracket)
    sizes: dict[Class, int] = {}
    for each, count in (*closed, *_to_come(meetings)):
        sizes[each] = sizes.get(each, 0) + count
    first, ranks = 1, dict[Class, tuple[int, int]]()
    for each in sorted(sizes):
        ranks[each] = first, first + sizes[each] - 1
        first += sizes[each]
    spans = _spans(meetings, decided)
    return {entry: (ranks[best][0], ranks[worst][1]) for entry, (best, worst) in spans.items()}


def _to_come(meetings: Iterable[Meeting]) -> Iterator[tuple[Class, int]]:
    """Yield how many come to each class by the matches to come."""
    for each in meetings:
        if each.won is not None and any(one is not None for one in each.pair):
            yield each.won, 1
        if each.lost is not None and each.played:
            yield each.lost, 1


def _spans(meetings: Sequence[Meeting], decided: Decided) -> Mapping[str, Span]:
    """Return the classes that are left to each entry that has a match to come."""
    spans: dict[object, Span] = {}
    entries = dict[str, Span]()
    for each in sorted(meetings, key=lambda each: -each.step):
        winner, loser = (each.step, id(each.pair), True), (each.step, id(each.pair), False)
        won = (each.won, each.won) if each.won else spans.get(winner)
        lost = (each.lost, each.lost) if each.lost else spans.get(loser)
        for one in each.pair:
            if one is None or not (one or isinstance(one, Coming)):
                continue
            over = decided.get(frozenset(other for other in each.pair if other))
            if not each.played:
                found = won
            elif over and one:
                found = won if one == over else lost
            else:
                found = (won[0], lost[1]) if won and lost else None
            if found:
                spans[_key(one)] = found
                if one:
                    entries[one] = found
    return entries


def _key(one: str) -> object:
    return (one.step, id(one.pair), one.wins) if isinstance(one, Coming) else one


# ---- Double elimination --------------------------------------------------------------------------


def _for_good(bracket: DoubleBracket, decided: Decided) -> Decided:
    """Return what is decided without a final after which a second one follows."""
    if len(bracket.rounds) != 2 * bracket.depth - 1 or not bracket.second_final:
        return decided
    unbeaten = bracket.steps[len(bracket.rounds)].final[0][0]
    return {match: winner for match, winner in decided.items() if winner == unbeaten}


def _of_double(bracket: DoubleBracket) -> Iterator[Meeting]:
    now, last = len(bracket.rounds), 2 * bracket.depth - 1
    if now >= bracket.length:
        return
    for number, step in enumerate(bracket.steps[now : last + 1], now):
        yield from (Meeting(number, pair) for pair in step.upper)
        yield from (Meeting(number, pair, lost=(2 * bracket.depth - number, 0)) for pair in step.lower)
    yield from (Meeting(last, pair, (-1, 0), (0, 0)) for pair in bracket.steps[max(now, last)].final)


def _out_of_double(bracket: DoubleBracket) -> Iterator[tuple[Class, int]]:
    for number, out in enumerate(bracket.out):
        yield (2 * bracket.depth - number, 0), len(out)


# ---- A knockout, with what is played for places --------------------------------------------------


def _of_placing(bracket: PlacingBracket) -> Iterator[Meeting]:
    now = len(bracket.rounds)
    begin = {(part.above, part.begins) for part in bracket.parts}
    for part in bracket.parts:
        for at, pairs in enumerate(part.rounds):
            number, above = part.begins + at, part.above + len(pairs)
            if number < now:
                continue
            won = (part.above, 0) if len(pairs) == 1 else None
            lost = None if (above, number + 1) in begin else (above, 0)
            yield from (Meeting(number, pair, won, lost) for pair in pairs)


def _out_of_placing(bracket: PlacingBracket) -> Iterator[tuple[Class, int]]:
    yield from ((key, len(each.entries)) for key, each in bracket.placed)


# ---- Heats ---------------------------------------------------------------------------------------


def possible_in_heats(state: Competition, stage: Stage, group: int, heats: Heats) -> Possible:
    """Return the ranks that the round being played leaves to those of a group who were in before it.

    Who has a bye, or surely goes on from a table that is over, has at most so many ahead as go on. Who surely
    doesn't, or is absent, is behind them; nobody at the final is behind anyone who isn't.
    """
    each, seeds = stage.current_round, stage.groups[group - 1]
    rounds = played_rounds(state, stage, group, heats, len(stage.rounds))
    if due_in_heats(state, stage, heats) or (each and each.play_off):
        return _playing_off(seeds, rounds)
    matches = by_match([table for table in each.tables if table.group == group] if each else [])
    if each is None or not matches:
        return {}
    left = [entry for entry in seeds if all(entry in closed.advancing for closed in rounds)]
    classes = [_classes_now(state, stage, seeds, boards) for boards in matches]
    sizes = [len(boards[0].entries) for boards in matches]
    on, seated = {*left} & {*each.byes}, {entry for boards in matches for entry in boards[0].entries}
    out = {*left} - on - seated
    if matches[0][0].label == FINAL:
        ranks = _in_final(heats, matches[0][0].entries, classes[0])
        return ranks | dict.fromkeys(out, (sizes[0] + 1, len(left)))
    fewest = most = heats.through(sizes, len(on))
    if heats.ties == "all":
        most = len(on) + sum(sizes) - (0 if heats.all_may_stay else len(sizes))
    places = [advancing(size, heats.advance) for size in sizes]
    # Else the best of all tables fill the places that are left.
    fixed = len(on) + sum(places) == fewest
    for size, own, here in zip(sizes, places, classes, strict=True):
        on |= {*_surely(heats, seeds, here, own if fixed else 1).through}
        out |= {*_surely(heats, seeds, here, own if fixed else size - 1).out}
    unsure = dict.fromkeys(left, (1, len(left)))
    return unsure | dict.fromkeys(on, (1, most)) | dict.fromkeys(out, (fewest + 1, len(left)))


def _playing_off(seeds: Sequence[str], rounds: Sequence[Played]) -> Possible:
    """Return the ranks left to those who play off after a round: any of those who played it."""
    before = sum(all(entry in each.advancing for each in rounds[:-1]) for entry in seeds)
    level = (entry for match in (rounds[-1].matches if rounds else ()) for entry in match.line.level)
    return dict.fromkeys(level, (1, before))


def _classes_now(
    state: Competition, stage: Stage, seeds: Sequence[str], boards: Sequence[Table]
) -> Sequence[Sequence[str]]:
    """Return the entries of a match that is over, best first; none of one that is not."""
    over = all(table.decided for table in boards)
    return finishing_classes(state, stage, seeds, boards) if over else ()


def _surely(heats: Heats, seeds: Sequence[str], classes: Sequence[Sequence[str]], places: int) -> Line:
    """Return the line of a match after so many places, without those who may still play off."""
    rule = tie_rule(heats, "", classes, places) if classes else heats.ties
    line = line_at(classes, places, rule, seeds=seeds, otherwise="seed")
    level = line.level if rule == "play_off" else ()
    through, out = ([one for one in each if one not in level] for each in (line.through, line.out))
    return Line((*through,), (*out,))


def _in_final(
    heats: Heats, entries: Sequence[str], classes: Sequence[Sequence[str]]
) -> dict[str, tuple[int, int]]:
    if not classes or (heats.ties == "play_off" and len(classes[0]) > 1):
        return dict.fromkeys(entries, (1, len(entries)))
    order = [entry for level in classes for entry in level]
    return {entry: (rank, rank) for rank, entry in enumerate(order, 1)}
