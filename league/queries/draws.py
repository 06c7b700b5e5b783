"""How the rounds of a competition were drawn, for everybody who wants to check it (docs/draws.md)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from league import log
from league.core import commitment
from league.core.state.stages import Origin, Reveal
from league.models import Competition, Entry, Round
from league.queries.competitions import state_of

At: TypeAlias = tuple[int, int]
"""The numbers of a stage and a round; round 0 is the draw of the stage's groups."""


@dataclass(frozen=True)
class HowDrawn:
    """A draw: its cut-off, what went into it by name, its secret value, and the drafts before it.

    A text without a name is the organisers'. ``replaced`` are the drafts with the reasons why they were
    replaced. ``earlier`` are the numbers of this draw's cut-offs that were discarded or withdrawn before.
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
    earlier: tuple[int, ...]


def how_drawn(competition: Competition, rounds: Iterable[Round]) -> Mapping[At, HowDrawn]:
    """Return how published rounds and the groups of their stages were drawn; four queries at most.

    Groups that no lot made have none.
    """
    state = state_of(competition)
    wanted = {(each.stage.number, each.number) for each in rounds}
    entries = Entry.objects.filter(competition=competition).values_list("pk", "name")
    names = {str(pk): name for pk, name in entries}
    origins = {
        (stage.number, each.number): each.origins
        for stage in state.stages
        for each in stage.shown_rounds
        if (stage.number, each.number) in wanted
    }
    stages = {number for number, _ in wanted}
    origins |= {
        (stage.number, 0): (stage.origin,)
        for stage in state.stages
        if stage.number in stages and stage.origin is not None
    }
    last = {at: drafts[-1] for at, drafts in origins.items()}
    times = log.times(competition, [origin.seq for origin in last.values()])
    made = _cut_offs(competition)
    return {
        at: _how(origin, times[origin.seq], names, origins[at], made.get(at, ()))
        for at, origin in last.items()
    }


def _cut_offs(competition: Competition) -> Mapping[At, tuple[int, ...]]:
    """Return the numbers of the public cut-offs of rounds and groups, those of discarded draws too."""
    cut_offs = log.rows(competition).filter(event__type="cut_off", event__purpose__in=("groups", "round"))
    made: dict[At, tuple[int, ...]] = {}
    for seq, event in cut_offs.order_by("seq").values_list("seq", "event"):
        at = event["stage"], event.get("round", 0)
        made[at] = (*made.get(at, ()), seq)
    return made


def _how(
    origin: Origin,
    at: datetime,
    names: Mapping[str, str],
    drafts: Sequence[Origin],
    made: Iterable[int],
) -> HowDrawn:
    cut_off = origin.cut_off
    published_with = {draft.seq for draft in drafts}
    return HowDrawn(
        seq=origin.seq,
        at=at,
        root=origin.root,
        reveal=origin.reveal,
        present=tuple(names[entry] for entry in cut_off.present),
        texts=tuple((names[each.entry] if each.entry else "", each.words) for each in cut_off.texts),
        beacon=cut_off.beacon,
        beacon_at=commitment.round_time(cut_off.beacon) if cut_off.beacon else None,
        replaced=tuple((draft.reveal, draft.dropped) for draft in drafts[:-1]),
        earlier=tuple(seq for seq in made if seq < drafts[0].seq and seq not in published_with),
    )


def keeps_secret(competition: Competition) -> bool:
    """Return whether this server has the secret to which the competition's draws are committed."""
    return log.latest(competition).root in log.trees(competition.pk)
