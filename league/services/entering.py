"""Entering many players at once: those of the club whom an organiser chose, and newcomers by name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from django.db import transaction

from games.engine.refusals import Malformed
from games.engine.shapes import Length
from league import log
from league.core.verbs.enter import EnterPlayers
from league.files.file import Progress, no_progress
from league.models import Account, Club, Competition, Player
from league.queries.name_lists import MOST_NAMES, NameList, name_list
from league.services.clubs import NewPlayer, create_players
from league.services.verbs import perform_together

_STAYING = ("applied", "waiting", "entered")


@dataclass(frozen=True)
class Entrants:
    """Who enters: players by id, then names in their order; ``add`` makes players of unknown names."""

    players: Annotated[tuple[Annotated[str, Length(36, 36)], ...], Length(0, MOST_NAMES)] = ()
    names: Annotated[tuple[Annotated[str, Length(1, 1000)], ...], Length(0, MOST_NAMES)] = ()
    add: bool = False


@transaction.atomic
def enter_players(
    *,
    by: Account,
    competition: Competition,
    entrants: Entrants,
    seq: int | None = None,
    progress: Progress = no_progress,
) -> int:
    """Enter those who have not entered yet, each on their own; return how many those are.

    Raises `Malformed` with ``names`` where a name stands for nobody or for several players, and what the verb
    raises; then nobody has entered and nobody was made.
    """
    listed = name_list(competition.club, entrants.names)
    errors = [*listed.errors(), *([] if entrants.add else listed.errors_of_unknown())]
    if errors:
        raise Malformed({"names": errors})
    ids = [*entrants.players, *(str(player.pk) for player in _named(by, competition.club, listed))]
    entered = _entered(competition)
    verbs = [EnterPlayers((player,)) for player in dict.fromkeys(ids) if player not in entered]
    if not verbs:
        return 0
    perform_together(by=by, competition=competition, verbs=verbs, seq=seq, progress=progress)
    return len(verbs)


def _named(by: Account, club: Club, listed: NameList) -> Sequence[Player]:
    """Return the player of each name on a list without errors; unknown ones are made."""
    known = listed.chosen()
    new = [name for name in listed.names if name not in known]
    made = create_players(by=by, club=club, new=[NewPlayer(name) for name in new]) if new else ()
    known |= dict(zip(new, made, strict=True))
    return [known[name] for name in listed.names]


def _entered(competition: Competition) -> frozenset[str]:
    """Return the players of all entries that take part, wait, or have applied."""
    state = log.latest(Competition.objects.get(pk=competition.pk))
    return frozenset(
        player for entry in state.entries if entry.status in _STAYING for player in entry.players
    )
