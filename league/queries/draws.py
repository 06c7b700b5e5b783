"""How the rounds of a competition were drawn, for everybody who wants to check it (docs/draws.md)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from league import log
from league.core import beacon
from league.core.state.cut_off import Origin, Reveal
from league.models import Competition, Round

At: TypeAlias = tuple[int, int]
"""The numbers of a stage and a round."""


@dataclass(frozen=True)
class HowDrawn:
    """A draw: its cut-off, what went into it by name, its secret value, and the drafts before it.

    A text without a name is the organisers'. ``replaced`` are the drafts with the reasons why they were
    replaced.
    """

    seq: int
    at: datetime
    root: str
    reveal: Reveal
    present: tuple[str, ...]
    texts: tuple[tuple[str, str], ...]
    beacon: int
    beacon_at: datetime | None
    replaced: tuple[tuple[Reveal, str], ...]


def how_drawn(competition: Competition, rounds: Iterable[Round]) -> Mapping[At, HowDrawn]:
    """Return how published rounds were drawn, by stage and round; two queries at most."""
    state = log.latest(competition)
    wanted = {(each.stage.number, each.number) for each in rounds}
    names = {entry.id: entry.name for entry in state.entries}
    origins = {
        (stage.number, each.number): each.origins
        for stage in state.stages
        for each in stage.shown_rounds
        if (stage.number, each.number) in wanted
    }
    last = {at: drafts[-1] for at, drafts in origins.items()}
    times = log.times(competition, [origin.seq for origin in last.values()])
    return {at: _how(origin, times[origin.seq], names, origins[at][:-1]) for at, origin in last.items()}


def _how(origin: Origin, at: datetime, names: Mapping[str, str], before: tuple[Origin, ...]) -> HowDrawn:
    cut_off = origin.cut_off
    return HowDrawn(
        seq=origin.seq,
        at=at,
        root=origin.root,
        reveal=origin.reveal,
        present=tuple(names[entry] for entry in cut_off.present),
        texts=tuple((names[each.entry] if each.entry else "", each.words) for each in cut_off.texts),
        beacon=cut_off.beacon,
        beacon_at=beacon.time_of(cut_off.beacon) if cut_off.beacon else None,
        replaced=tuple((draft.reveal, draft.dropped) for draft in before),
    )
