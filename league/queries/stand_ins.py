"""Who played in an entry for a part of the rounds, beside those after whom it is called."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from uuid import UUID

from django.db.models import Count, F
from django.utils.translation import ngettext

from league.core.entering import named_after
from league.core.state.entries import Entry as EntryState
from league.core.state.stages import Stage
from league.models import Competition, Entry, Player
from league.queries.competitions import state_of
from league.queries.readers import names_of


def stand_ins(competition: Competition, stage: int | None = None) -> Mapping[str, str]:
    """Return by entry who else played in which rounds, of a stage or of all: "Ben in round 1".

    A pair is called as it was last, who entered alone as they did. An entry with a name of its own has none:
    that names nobody.
    """
    state = state_of(competition)
    changed = [each for each in state.entries if len(each.lineups) > 1]
    if not changed:
        return {}
    ids = {player for each in changed for _since, players in each.lineups for player in players}
    of_club = names_of(Player.objects.filter(pk__in=ids), competition.club_id)
    names = {str(player): name for player, name in of_club.items()}
    of = [each for number, each in enumerate(state.stages, 1) if stage in (None, number)]
    several = stage is None and len(state.stages) > 1
    told: dict[str, list[str]] = {}
    for each in of:
        for pk, who in _of_stage(each, changed, names):
            told.setdefault(pk, []).append(f"{each.plan.name}: {who}" if several else who)
    return {entry: " · ".join(parts) for entry, parts in told.items()}


def stand_ins_in(entries: Collection[Entry]) -> Mapping[UUID, str]:
    """Return of entries of any competitions who else played in which rounds, by their ids."""
    seated = Count("seats__player", distinct=True), Count("members", distinct=True)
    found = Entry.objects.filter(pk__in=[each.pk for each in entries]).annotate(sat=seated[0], size=seated[1])
    changed = found.filter(sat__gt=F("size")).select_related("competition").order_by("pk")
    told = {each.pk: stand_ins(each.competition).get(str(each.pk), "") for each in changed}
    return {entry: who for entry, who in told.items() if who}


def _of_stage(
    stage: Stage, changed: Sequence[EntryState], names: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the entries whose rounds others played, each with these as they sat at the tables."""
    rounds: dict[tuple[str, str], list[int]] = {}
    wanted = {each.id for each in changed}
    for played in stage.shown_rounds:
        seats = {(seat.entry, seat.player) for table in played.tables for seat in table.seats}
        for pk, player in seats:
            if pk in wanted:
                rounds.setdefault((pk, player), []).append(played.number)
    for entry in changed:
        called = named_after(entry, names) if entry.own_name else entry.eponyms
        ever = dict.fromkeys(player for _since, players in entry.lineups for player in players)
        others = [each for each in ever if called and each not in called and (entry.id, each) in rounds]
        if others:
            yield entry.id, ", ".join(_in_rounds(names[each], rounds[entry.id, each]) for each in others)


def _in_rounds(name: str, numbers: Sequence[int]) -> str:
    told = ngettext("%(name)s in round %(rounds)s", "%(name)s in rounds %(rounds)s", len(numbers))
    return told % {"name": name, "rounds": _spans(numbers)}


def _spans(numbers: Sequence[int]) -> str:
    """Return rising numbers in words: "1–3, 5"."""
    grouped = groupby(enumerate(numbers), lambda each: each[1] - each[0])
    runs = [[number for _at, number in run] for _key, run in grouped]
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
