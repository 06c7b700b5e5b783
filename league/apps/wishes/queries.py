"""Wishes of a club's people: those of a player, those that count in a draw, and the record's commitments."""

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Any, Final, cast
from uuid import UUID

from django.db.models import Q, QuerySet

from games.engine.chain import canonical
from games.engine.values import replace
from games.transparency.proofs import commitment
from league.apps.wishes.models import PlayerWish, WishKind
from league.core.drawing.wishes import opposed
from league.core.state.competition import Competition as State
from league.core.state.cut_offs import FixedTable, Wish, Wishes
from league.core.state.cut_offs import WishKind as InDraws
from league.models import ClubChange, Competition, Player
from league.queries.clubs import ids_of
from league.queries.competitions import state_of

SEAL: Final = "wish_sealed"
"""The field of the club's record with the commitment."""
WISH: Final = "wish_id"


def wishes_of(player: Player) -> QuerySet[PlayerWish]:
    """Return the wishes of a player, or about one, those for a table first."""
    mine = ids_of(pk=player.pk)
    found = PlayerWish.objects.filter(Q(player__in=mine) | Q(other__in=mine))
    return found.select_related("player", "other").order_by("other", "pk")


def against(wish: PlayerWish) -> list[PlayerWish]:
    """Return the wishes that one replaces: of its kind about the same, and those that contradict it."""
    if wish.other is None:
        return [*wishes_of(wish.player).filter(other=None)]
    about = wishes_of(wish.player) & wishes_of(wish.other)
    return [each for each in about if each.kind == wish.kind or opposed(_in_draw(each), _in_draw(wish))]


def _in_draw(wish: PlayerWish) -> Wish:
    return Wish((str(wish.player_id), str(wish.other_id)), cast(InDraws, wish.kind), wish.always)


def in_draws(competition: UUID, state: State) -> Wishes:
    """Return what the people of a club wish for a competition, by ids of players as its entries have them."""
    club = Competition.objects.filter(pk=competition).values("club")
    found = list(PlayerWish.objects.filter(club__in=club))
    if not found:
        return Wishes()
    entered = [UUID(player) for entry in state.entries if entry.live for player in entry.players]
    merged = Player.objects.filter(merged_into__isnull=False, club__in=club)
    now = dict(merged.values_list("pk", "merged_into"))
    known = {now.get(player, player): player for player in entered}

    def player(wishes: UUID) -> str:
        is_now = now.get(wishes, wishes)
        return str(known.get(is_now, is_now))

    between = [
        replace(_in_draw(each), entries=(player(each.player_id), player(each.other_id)))
        for each in found
        if each.other_id
    ]
    tables = [FixedTable(player(each.player_id), each.table) for each in found if each.table]
    return Wishes(tuple(between), tuple(tables))


def partners_apart(competition: UUID, among: Collection[str] | None = None) -> list[tuple[str, str]]:
    """Return the names of partners of one entry who wish never to be at one table, by the entry's order.

    ``among``: only of entries with one of these players.
    """
    state = state_of(Competition.objects.get(pk=competition))
    if state.opening.lineup != "partners":
        return []
    club = Competition.objects.filter(pk=competition).values("club")
    apart = PlayerWish.objects.filter(club__in=club).exclude(other=None).exclude(kind=WishKind.TOGETHER)
    found = apart.select_related("player", "other")
    wishes = {frozenset((str(each.player_id), str(each.other_id))): each for each in found}
    return [
        (each.player.called, each.other.called)
        for entry in state.entries
        if entry.live and (among is None or any(each in among for each in entry.players))
        for pair in combinations(entry.players, 2)
        if (each := wishes.get(frozenset(pair))) and each.other
    ]


def sealed(wish: PlayerWish) -> str:
    """Return the commitment to a wish that the club's record keeps."""
    held = {
        "player": str(wish.player_id),
        "other": str(wish.other_id) if wish.other_id else None,
        "kind": str(wish.kind),
        "always": wish.always,
        "table": wish.table,
    }
    return commitment(bytes.fromhex(wish.salt), canonical(held))


def contradicted(_options: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each wish that says something else than the club's record."""
    noted = ClubChange.objects.filter(kind=ClubChange.Kind.PLAYER_CHANGED, values__has_key=SEAL)
    last = {
        each.values[WISH][-1] or each.values[WISH][0]: each.values[SEAL][-1] for each in noted.order_by("pk")
    }
    rows = {str(each.pk): sealed(each) for each in PlayerWish.objects.all()}
    for pk in sorted({*rows, *(pk for pk, seal in last.items() if seal)}):
        if rows.get(pk) != last.get(pk):
            yield f"wish {pk}: it was changed past the service"
