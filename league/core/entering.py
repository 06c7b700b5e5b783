"""New entries: the checks that they share, their names, and the round from which they take part."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Annotated, Final

from games.engine.refusals import Illegal
from games.engine.shapes import Help
from games.engine.values import replace
from league.core import formats
from league.core.course import has_next_round, next_step
from league.core.intake import due_play_offs
from league.core.public_names import tells
from league.core.state import values as v
from league.core.state.competition import BEGINNING, Competition, Entries, Entry, EntryStatus, Point
from league.core.state.entries import JOIN, is_named_after
from league.core.state.updates import arrived, refuse_double, refuse_taken_name

_LONGEST: Final = 90
"""Characters of a name made from players' names: a number may still be added to it."""


@dataclass(frozen=True)
class NewEntry:
    """The fields of an event that adds an entry; without a name it is shown by its players' names."""

    entry: v.EntryId
    name: v.OwnName
    players: v.Team
    affiliation: v.Affiliation = ""
    club: Annotated[v.Id | None, Help("the other club that entered it, whose desk may act for it")] = None

    def joining(self) -> tuple[str, ...]:
        """Return the players of the entry."""
        return self.players

    def added(self, state: Competition, status: EntryStatus, since: Point) -> Competition:
        """Return the state with the entry; raise `Illegal` where its id, name or players forbid it."""
        if state.entries.get(self.entry):
            raise Illegal("This entry exists already.")
        refuse_taken_name(state, self.name)
        size = state.opening.team_size
        if len({*self.players}) != len(self.players) or len(self.players) != size:
            raise Illegal("An entry here has %(size)d different players.", size=size)
        refuse_double(state, self.players, since)
        _refuse_withdrawn(state, self.players, since)
        entry = Entry(
            id=self.entry,
            name=self.name,
            own_name=self.name,
            lineups=((BEGINNING, self.players),),
            status=status,
            affiliation=self.affiliation,
            club=self.club or "",
            spells=((since, None),),
            here_from=None if state.opening.entering.check_in else BEGINNING,
            turns=((state.seq + 1, True),) if state.started and status == "entered" else (),
        )
        return replace(state, entries=state.entries.added(arrived(state, entry, since)))


def withdrawn_entry(state: Competition, players: Sequence[str], stage: int) -> Entry | None:
    """Return the withdrawn entry with which these players have a part in a begun stage; None for none."""
    begun = state.stages[stage - 1 : stage] if stage else ()
    theirs = [
        entry
        for entry in state.entries.found(players[0])
        if entry.status == "withdrawn" and {*entry.players} == {*players}
    ]
    return next((entry for entry in theirs for each in begun if entry.id in each.entries), None)


def only_return(state: Competition) -> tuple[Entry, ...]:
    """Return the withdrawn entries whose players can't enter a second time now, in the order of entry."""
    stage = len(state.stages) + _for_next_stage(state)
    playing = {player for entry in state.entries if entry.live for player in entry.players}
    found = (withdrawn_entry(state, entry.players, stage) for entry in state.entries)
    return tuple(each for each in dict.fromkeys(found) if each and playing.isdisjoint(each.players))


def _refuse_withdrawn(state: Competition, players: Sequence[str], since: Point) -> None:
    """Raise `Illegal` where the points of the same players in one stage would belong to two entries."""
    if withdrawn := withdrawn_entry(state, players, since[0]):
        raise Illegal(
            "Withdrawn already: %(name)s. Use “Return” instead: a second entry would have points of its own.",
            fields=["players"],
            name=withdrawn.name,
        )


def start_point(state: Competition, from_round: int, next_stage: bool) -> Point:
    """Return the point from which a new entry takes part; raise `Illegal` for a published round."""
    if next_stage:
        state.refuse_while_grouping()
        return len(state.stages) + 1, 1
    return state.joining(from_round)


def first_round(state: Competition, from_round: int | None) -> tuple[int, bool]:
    """Return from which round a new entry takes part, and whether it is one of the next stage.

    Raises `Illegal` where the format of the current stage allows no late entries.
    """
    if _for_next_stage(state):
        return 1, True
    if state.stage and not formats.of(state.stage.plan).late_entries:
        raise Illegal("Nobody can enter once a stage of this format has begun.")
    return from_round or state.joining_round(), False


def _for_next_stage(state: Competition) -> bool:
    """Return whether no round of the current stage is left for a new entry."""
    played = next_step(state) in ("start_stage", "finish") or due_play_offs(state)
    return state.stage is not None and (bool(played) or _plays_off(state))


def _plays_off(state: Competition) -> bool:
    """Return whether all that is left of the current stage are play-offs for the next one."""
    stage = state.stage
    return bool(stage and stage.open_round and stage.open_round.play_off and not has_next_round(state))


def own_name(name: str, players: Sequence[str], hidden: Set[str] = frozenset()) -> str:
    """Return the name that is logged of an entry: none where it says no more than its players' names.

    Nor is one that has ``hidden`` words, those of names that are not public.
    """
    return "" if is_named_after(name, joined(players)) or tells(name, hidden) else name


def with_names(
    state: Competition,
    names: Mapping[str, str],
    removed: Set[str] = frozenset(),
    public: Mapping[str, str] | None = None,
    hidden: Set[str] = frozenset(),
) -> Competition:
    """Return the state with the present names of the entries all of whose eponyms have ``names``.

    An entry without a name of its own has theirs, and a number where an earlier entry of others has the same.
    In one that was given a name, that of a ``removed`` player is replaced. By the ``public`` names of players
    entries have public names; a name of their own is public unless it has one of the ``hidden`` words.
    """
    public = names if public is None else public
    taken: dict[str, tuple[str, ...]] = {}
    taken_in_public: dict[str, tuple[str, ...]] = {}
    entries: list[Entry] = []
    for entry in state.entries:
        players = entry.eponyms
        if names.keys() >= {*players}:
            entry = replace(entry, name=_named(entry, names, removed, taken))
            tells_none = (
                not tells(entry.own_name, hidden)
                if entry.own_name
                else all(public[player] == names[player] for player in players)
            )
            shown = entry.name if tells_none else _after(players, public, taken_in_public)
            entry = replace(entry, public_name=shown)
        taken.setdefault(entry.name, players)
        taken_in_public.setdefault(entry.public_name, players)
        entries.append(entry)
    return replace(state, entries=Entries(entries))


def _after(players: tuple[str, ...], names: Mapping[str, str], taken: Mapping[str, tuple[str, ...]]) -> str:
    """Return the name that is made of players' names, with a number where others have it."""
    name = joined([names[player] for player in players])
    numbered = (f"{name} ({number})" for number in range(2, len(taken) + 3))
    return next(each for each in (name, *numbered) if taken.get(each, players) == players)


def _named(
    entry: Entry, names: Mapping[str, str], removed: Set[str], taken: Mapping[str, tuple[str, ...]]
) -> str:
    players = entry.eponyms
    if not entry.own_name:
        return _after(players, names, taken)
    told = entry.own_name.split(JOIN) if len(players) > 1 else [entry.own_name]
    if removed.isdisjoint(players) or len(told) != len(players):
        return entry.own_name
    shown = zip(players, told, strict=True)
    return JOIN.join(names[player] if player in removed else own for player, own in shown)


def named_after(entry: Entry, names: Mapping[str, str]) -> tuple[str, ...] | None:
    """Return the line-up after whose names the name of an entry was made; None for a name of its own.

    ``names`` are those of the players by their ids.
    """
    for _since, players in entry.lineups if entry.own_name else ():
        name = joined([names.get(player, "") for player in players])
        if is_named_after(entry.own_name, name):
            return players
    return None


def joined(players: Sequence[str]) -> str:
    """Return the name of an entry that is made from the names of its players."""
    names = JOIN.join(players)
    return names if len(names) <= _LONGEST else f"{names[: _LONGEST - 1]}…"
