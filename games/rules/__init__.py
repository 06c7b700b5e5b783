"""The registry of rulesets, by key and version. Each ruleset is a package; `RULESETS` lists them."""

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from games.engine.outcomes import among_sides
from games.engine.replay import AnyRuleset
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
)

BY_NAME: Final = {ruleset.name: ruleset for ruleset in RULESETS}
NEWEST: Final = {ruleset.key: ruleset for ruleset in sorted(RULESETS, key=lambda ruleset: ruleset.version)}


def find(name: str) -> AnyRuleset:
    """Return the ruleset of a name (``"rummy@1"``), or the newest of a key (``"rummy"``); raise KeyError."""
    return BY_NAME[name] if "@" in name else NEWEST[name]


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
    known, count = BY_NAME.get(name), len(entries)
    shared = len({*entries}) < count
    return entries if shared or not known or count not in known.seats else known.teams(count)


def best_first(rank: int, score: int, *, low_wins: bool) -> tuple[int, int]:
    """Return what sorts the seats of a side, the best first: this one's score is the side's."""
    return rank, score if low_wins else -score


def scores_by_team(name: str, seats: int) -> Sequence[int]:
    """Return the team of each seat in a game: those of one team have its score."""
    known = BY_NAME.get(name)
    return known.teams(seats) if known and seats in known.seats else range(seats)


def has_teams(name: str) -> bool:
    """Return whether seats play in teams in a game of a ruleset's name, at tables of any size."""
    known = BY_NAME.get(name) or NEWEST.get(name)
    return known is not None and any(len({*known.teams(seats)}) < seats for seats in known.seats)


@contextmanager
def registered(*rulesets: AnyRuleset) -> Iterator[None]:
    """Register more rulesets within a context, each as the newest of its key."""
    by_name, newest = {**BY_NAME}, {**NEWEST}
    BY_NAME.update((ruleset.name, ruleset) for ruleset in rulesets)
    NEWEST.update((ruleset.key, ruleset) for ruleset in rulesets)
    try:
        yield
    finally:
        for known, before in ((BY_NAME, by_name), (NEWEST, newest)):
            known.clear()
            known.update(before)
