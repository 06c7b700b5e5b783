"""The registry of rulesets, by key and version. Each ruleset is a package; `RULESETS` lists them."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Final

from games.engine.jsontypes import JsonObject
from games.engine.outcomes import among_sides
from games.engine.replay import AnyRuleset
from games.rules.card_game import CardGame
from games.rules.scamper import Scamper
from games.rules.scamper_scorecard import ScamperScorecard
from games.rules.scoops import Scoops
from games.rules.scoops_scorecard import ScoopsScorecard
from games.rules.scram import Scram
from games.rules.scram_scorecard import ScramScorecard

RULESETS: Final[tuple[AnyRuleset, ...]] = (
    Scamper(),
    Scoops(),
    Scram(),
    ScamperScorecard(),
    ScoopsScorecard(),
    ScramScorecard(),
    CardGame(),
)

BY_NAME: Final = {ruleset.name: ruleset for ruleset in RULESETS}
NEWEST: Final = {ruleset.key: ruleset for ruleset in sorted(RULESETS, key=lambda ruleset: ruleset.version)}


MOST_DEFINED: Final = 2000
_DEFINED: Final[dict[str, AnyRuleset]] = {}
"""The rulesets of definitions that this process has met, by all their names, the latest ones last."""
_LOOK_UPS: Final[list[Callable[[str], JsonObject | None]]] = []
"""Where the options of games can be found whose definition this process has not met."""


def look_up_in(source: Callable[[str], JsonObject | None]) -> None:
    """Let `find` ask for options that define the game of a name; the source returns None for unknown ones."""
    _LOOK_UPS.append(source)


def find(name: str) -> AnyRuleset:
    """Return the ruleset of a name (``"rummy@1"``), or the newest of a key (``"rummy"``); raise KeyError.

    A game that options define has a key of its own, and is found once its options have been met by `of` or
    can be looked up; by its ``game_key`` with any of the words that it has had.
    """
    registry = BY_NAME if "@" in name else NEWEST
    return registry[name] if name in registry else _defined(name)


def of(name: str, options: object) -> AnyRuleset:
    """Return the ruleset of a name or key for a game with these options; raise KeyError and `Malformed`.

    Raises KeyError, too, where the options define another game than the one that is named.
    """
    registry = BY_NAME if "@" in name else NEWEST
    frame = registry[name] if name in registry else _frame(name)
    found = frame.of_options(options)
    if found is frame and name not in registry:
        return find(name)  # a game whose definition was left out
    if name not in registry and name.partition("@")[0] not in (found.key, found.game_key):
        raise KeyError(name)
    if found is not frame:
        for each in _names(found):
            _DEFINED[each] = _DEFINED.pop(each, found)
        while len(_DEFINED) > MOST_DEFINED:
            del _DEFINED[next(iter(_DEFINED))]
    return found


def games() -> list[AnyRuleset]:
    """Return every game that comes with this server, in its newest edition."""
    frames = NEWEST.values()
    return [*frames, *dict.fromkeys(each for frame in frames for each in _shipped(frame).values())]


@cache
def _shipped(frame: AnyRuleset) -> Mapping[str, AnyRuleset]:
    """Return the games whose definitions come with a frame, by all names: they are read and checked once."""
    found = map(frame.of_options, frame.shipped.values())
    return {name: ruleset for ruleset in found for name in _names(ruleset)}


def _names(ruleset: AnyRuleset) -> Sequence[str]:
    """Return the name of a ruleset, and that of its game."""
    return ruleset.name, f"{ruleset.game_key}@{ruleset.version}"


def _frame(name: str) -> AnyRuleset:
    """Return the ruleset whose options define the game of a name; raise KeyError."""
    key, at, version = name.partition("@")
    # A key may come from an address, and no database can be asked for all that stands in one.
    found = find(f"{key.rpartition('-')[0]}{at}{version}") if "-" in key and key.isprintable() else None
    if found is None or not found.defined_by:
        raise KeyError(name)
    return found


def _defined(name: str) -> AnyRuleset:
    frame = _frame(name)
    whole = name if "@" in name else f"{name}@{frame.version}"
    met = _DEFINED.get(whole) or _shipped(frame).get(whole)
    if met is not None:
        return met
    found = next(filter(None, (source(whole) for source in _LOOK_UPS)), None)
    if found is None:
        raise KeyError(name)
    return of(whole, found)


def known(name: str) -> AnyRuleset | None:
    """Return the ruleset of a name or key, None where it is unknown."""
    try:
        return find(name)
    except KeyError:
        return None


def game_key(name: str) -> str:
    """Return by what ratings and records of a ruleset's name or key go; its key where it is unknown."""
    ruleset = known(name)
    return ruleset.game_key if ruleset else name.partition("@")[0]


def places(name: str, ranks: Sequence[int], entries: Sequence[Hashable] = ()) -> tuple[int, ...]:
    """Return the place of each seat's side, counted among the sides, in a game of a ruleset's name.

    A side is an entry where partners share the table, else a team of the game; each seat is one where the
    ruleset is unknown.
    """
    if not ranks:
        return ()
    fits = len(entries) == len(ranks)
    return among_sides(ranks, sides(name, entries if fits else range(len(ranks))))


def sides(name: str, entries: Sequence[Hashable]) -> Sequence[Hashable]:
    """Return the side of each seat at a table, as `places` counts sides."""
    ruleset, count = known(name), len(entries)
    shared = len({*entries}) < count
    return entries if shared or not ruleset or count not in ruleset.seats else ruleset.teams(count)


def best_first(rank: int, score: int, *, low_wins: bool) -> tuple[int, int]:
    """Return what sorts the seats of a side, the best first: this one's score is the side's."""
    return rank, score if low_wins else -score


def scores_by_team(name: str, seats: int) -> Sequence[int]:
    """Return the team of each seat in a game: those of one team have its score."""
    ruleset = known(name)
    return ruleset.teams(seats) if ruleset and seats in ruleset.seats else range(seats)


def has_teams(name: str) -> bool:
    """Return whether seats play in teams in a game of a ruleset's name, at tables of any size."""
    ruleset = known(name)
    return ruleset is not None and any(len({*ruleset.teams(seats)}) < seats for seats in ruleset.seats)


@contextmanager
def registered(*rulesets: AnyRuleset) -> Iterator[None]:
    """Register more rulesets within a context, each as the newest of its key."""
    by_name, newest = {**BY_NAME}, {**NEWEST}
    BY_NAME.update((ruleset.name, ruleset) for ruleset in rulesets)
    NEWEST.update((ruleset.key, ruleset) for ruleset in rulesets)
    try:
        yield
    finally:
        for registry, before in ((BY_NAME, by_name), (NEWEST, newest)):
            registry.clear()
            registry.update(before)
