"""Entering many players at once: those of the club whom an organiser chose, and newcomers by name."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Annotated

from django.db import transaction

from games.engine.refusals import Malformed
from games.engine.shapes import Length
from league import log
from league.callers import ByAccount
from league.core.verbs.entering import EnterPlayers
from league.files.file import Progress, no_progress
from league.models import Account, Club, Competition, Player
from league.queries.names import MOST_NAMES, name_list
from league.services.players import NewPlayer, create_players
from league.services.verbs import perform

_STAYING = ("applied", "waiting", "entered")


@dataclass(frozen=True)
class Entrants:
    """Who enters: players by id, then names in their order; ``add`` makes players of unknown names.

    A name that comes again is another person's where it is among the names of ``several``. ``meant`` has for
    each name the id of the player who is meant, "new", or an empty text where only one can be. With
    ``newcomers`` all names are those of people who are new to the club, even where a player has the name.
    ``teams`` are the names of the teams that these make, in their order, empty for a team without a name.
    """

    players: Annotated[tuple[Annotated[str, Length(36, 36)], ...], Length(0, MOST_NAMES)] = ()
    names: Annotated[tuple[Annotated[str, Length(1, 1000)], ...], Length(0, MOST_NAMES)] = ()
    add: bool = False
    several: Annotated[tuple[Annotated[str, Length(1, 1000)], ...], Length(0, MOST_NAMES)] = ()
    meant: Annotated[tuple[Annotated[str, Length(0, 36)], ...], Length(0, MOST_NAMES)] = ()
    newcomers: bool = False
    teams: Annotated[tuple[Annotated[str, Length(0, 100)], ...], Length(0, MOST_NAMES)] = ()


@transaction.atomic
def enter_players(
    *,
    by: Account,
    competition: Competition,
    entrants: Entrants,
    seq: int | None = None,
    progress: Progress = no_progress,
) -> int:
    """Enter those who have not entered yet, each on their own or in teams; return how many entries those are.

    Raises what `entering` and the verb raise; then nobody has entered and nobody was made.
    """
    verbs = entering(by=by, competition=competition, entrants=entrants)
    if verbs:
        perform(ByAccount(by), competition=competition, verb=verbs, seq=seq, progress=progress)
    return len(verbs)


@transaction.atomic
def entering(*, by: Account, competition: Competition, entrants: Entrants) -> Sequence[EnterPlayers]:
    """Make players of new names; return the verbs that enter those who have not entered yet.

    Raises `Malformed` with ``names`` where a name stands for nobody or for several players.
    """
    listed = name_list(competition.club, entrants.names, several=entrants.several, meant=entrants.meant)
    known = [None] * len(listed.names) if entrants.newcomers else listed.chosen()
    errors = [] if entrants.newcomers else listed.errors()
    if not (entrants.add or entrants.newcomers):
        errors += listed.errors_of_unknown()
    if errors:
        raise Malformed({"names": errors})
    named = _with_new(by, competition.club, listed.names, known)
    ids = [*entrants.players, *(str(player.pk) for player in named)]
    state = log.latest(Competition.objects.get(pk=competition.pk))
    entered = {frozenset(entry.players) for entry in state.entries if entry.status in _STAYING}
    teams = zip(*[iter(ids)] * state.opening.team_size, strict=True)
    named_teams = dict.fromkeys(zip(teams, entrants.teams or repeat(""), strict=False))
    return [EnterPlayers(team, name) for team, name in named_teams if frozenset(team) not in entered]


def _with_new(
    by: Account, club: Club, names: Sequence[str], known: Sequence[Player | None]
) -> Sequence[Player]:
    """Return the player of each name; where it has none, one is made."""
    new = [NewPlayer(name) for name, player in zip(names, known, strict=True) if player is None]
    made = iter(create_players(by=by, club=club, new=new) if new else ())
    return [player or next(made) for player in known]
