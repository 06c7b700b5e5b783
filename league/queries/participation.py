"""An account's own part in a competition."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games import database_time
from league import hooks, log
from league.choices import EntryStatus, TokenScope
from league.core.course import absent_entries, coming_absences
from league.core.state.competition import Competition as State
from league.core.verb import Given, OwnButton, Verb
from league.core.verbs import PLAYER_VERBS
from league.models import Account, Competition, Entry, Player, Table
from league.queries import permissions
from league.queries.clubs import players_of
from league.queries.competitions import entries_of
from league.queries.rounds import tables_put_off

SEES_ITS_PART: Final = (TokenScope.READ_PRIVATE, TokenScope.PLAY_ENTER)
"""With either, an account sees its part in a competition."""


@dataclass(frozen=True)
class OwnPart:
    """A player's part in a competition: their entry, if any, and the keys of verbs that they can use.

    ``next_round`` is the first round that the player can still miss: an open-ended one while it is played.
    ``absences`` are the unpublished rounds that the entry will miss, ``games`` the player's running games,
    with the numbers of their tables, ``put_off`` the player's tables that are put off. ``in_stage`` is False
    for who did not come into the current stage.
    """

    player: Player
    entry: Entry | None
    may: tuple[str, ...]
    next_round: int
    absences: tuple[int, ...]
    games: Mapping[str, int]
    put_off: tuple[Table, ...]
    in_stage: bool

    @property
    def unmailed(self) -> Sequence[str]:
        """Return who gets no email about a table that the player has opened and that is being played."""
        if self.entry is None:
            return ()
        events = self.entry.competition.events.filter(
            event__type="table_opened", account=str(self.player.account_id)
        )
        opened = map(UUID, events.values_list("event__table", flat=True))
        played = Table.objects.filter(pk__in=[*opened], status=Table.Status.PLAYING)
        told = hooks.unmailed([*played.values_list("pk", flat=True)])
        return [name for names in told.values() for name in names]


def own_part(account: Account, competition: Competition) -> OwnPart:
    """Return the account's own part; raises PermissionDenied unless it has a player in the club."""
    player = permissions.require_player(competition.club_id, account, *SEES_ITS_PART)
    state = log.latest(competition)
    entry = state.entry_with(str(player.pk))
    return OwnPart(
        player,
        entries_of(competition).get(pk=entry.id) if entry else None,
        _offered(state, _given(competition, player)),
        state.next_change,
        coming_absences(state, entry) if entry else (),
        _games(state, str(player.pk)),
        tuple(tables_put_off(competition).filter(seats__player=player)),
        entry is None or entry.id not in state.outside,
    )


def _given(competition: Competition, player: Player) -> Given:
    key = str(player.pk)
    return Given(str(competition.pk), database_time.now(), "player", key, {key: player.name})


def _offered(state: State, given: Given) -> tuple[str, ...]:
    """Return the keys of the verbs that ``given.player`` can use now and that would change something."""
    assert given.player is not None
    entry = state.entry_with(given.player)
    live = entry if entry and entry.live else None
    offers = [verb for verb in PLAYER_VERBS.values() if verb.open_to_player(state, given, live)]
    return tuple(verb.key for verb in sorted(offers, key=_rank))


def _rank(verb: type[Verb]) -> tuple[int, str]:
    return (verb.own_button.rank if verb.own_button else OwnButton.rank, verb.key)


def _games(state: State, player: str) -> Mapping[str, int]:
    """Return a player's running games with the numbers of their tables, those of the newest round first."""
    return {
        game.id: [*its_round.tables].index(table) + 1
        for _, its_round, table in state.tables()
        if table.status == "postponed" or (its_round.status == "published" and table.status == "playing")
        for game in table.games
        if not game.result and any(seat.player == player for seat in table.seats)
    }


def free_players(competition: Competition) -> QuerySet[Player]:
    """Return the club's active players who are not in the competition yet."""
    entered = Entry.objects.filter(competition=competition).exclude(
        status__in=(EntryStatus.WITHDRAWN, EntryStatus.REJECTED)
    )
    return players_of(competition.club, active=True).exclude(entered__entry__in=entered)


def why_not_chosen(competition: Competition, row: str, otherwise: str = "") -> str:
    """Return in a sentence why an entry or a player of the club can't be chosen any more.

    Empty for what is neither; ``otherwise`` is why an entry that plays can't.
    """
    told = _("%(name)s can’t be chosen any more (%(why)s). Choose again.")
    try:
        pk = UUID(row)
    except ValueError:
        return ""
    if entry := entries_of(competition).filter(pk=pk).first():
        away = str(pk) in absent_entries(log.latest(competition))
        why = (away and _("away")) or otherwise or _("changed meanwhile")
        return told % {
            "name": entry.name,
            "why": why if entry.status == EntryStatus.ENTERED else entry.status_text,
        }
    if player := players_of(competition.club).filter(pk=pk).first():
        its = entries_of(competition).filter(members__player=player).last()
        why = _("entered as %(entry)s") % {"entry": its.name} if its else _("not active")
        return told % {"name": player.name, "why": why}
    return ""
