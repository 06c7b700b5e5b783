"""What would become of a player who is merged into another one, or removed."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KT

from games.engine.messages import Message, plural, text
from games.models import Game, Seat
from league import log
from league.models import Competition, Entry, Player
from league.queries.clubs import ids_of
from league.queries.events import ids_as_text

_OVER = (Competition.Status.FINISHED, Competition.Status.CANCELLED)
_SHOWN = 5


@dataclass(frozen=True)
class Merging:
    """What merging ``merged`` into ``kept`` would do: ``refusals`` say why it can't be done.

    ``competitions`` and ``games`` are how many pass to the player who is kept.
    """

    kept: Player
    merged: Player
    competitions: int
    games: int
    refusals: Sequence[Message]


def merging(kept: Player, merged: Player) -> Merging:
    """Return what merging two players of a club would do, and what stands against it."""
    competitions, games = competitions_with(merged), _seats(merged)
    refusals = [
        *_of_accounts(kept, merged),
        *_of_shared(kept, merged),
        *still_playing(merged),
    ]
    return Merging(kept, merged, competitions.count(), games.count(), refusals)


def competitions_with(player: Player) -> QuerySet[Competition]:
    """Return the competitions in which the player is in a line-up, or has sat at a table."""
    mine = ids_of(pk=player.pk)
    entered = Q(entries__members__player__in=mine)
    seated = Q(stages__rounds__tables__seats__player__in=mine)
    pks = Competition.objects.filter(club=player.club_id).filter(entered | seated).values("pk")
    return Competition.objects.filter(pk__in=pks).order_by("-opened_at", "pk")


def logs_naming(player: Player) -> int:
    """Return the number of competitions in whose logs an entry of the player was given a name with theirs."""
    own = Entry.objects.filter(members__player__in=ids_of(pk=player.pk))
    events = log.rows_of(competitions_with(player).values_list("pk", flat=True)).annotate(
        entered=KT("event__entry")
    )
    named = Q(event__name__icontains=player.name) | Q(event__former__icontains=player.name)
    found = events.filter(named, entered__in=ids_as_text(own)).order_by()
    return found.values("competition").distinct().count()


def has_played(player: Player) -> bool:
    """Return whether a competition or a game has the player."""
    return competitions_with(player).exists() or _seats(player).exists()


def still_playing(player: Player) -> Sequence[Message]:
    """Return why nothing can become of a player now: competitions and games that are not over."""
    running = competitions_with(player).exclude(status__in=_OVER)
    names = _listed(running.values_list("name", flat=True))
    refusals = []
    if names:
        refusals.append(
            text(
                "%(name)s is in a competition that is not over: %(competitions)s.",
                name=player.name,
                competitions=names,
            )
        )
    games = Seat.objects.filter(player__in=ids_of(pk=player.pk), game__status=Game.Status.ACTIVE).count()
    if games and not names:
        refusals.append(
            plural(
                "%(name)s sits in a game that is not over.",
                "%(name)s sits in %(count)d games that are not over.",
                games,
                name=player.name,
            )
        )
    return refusals


def _of_accounts(kept: Player, merged: Player) -> Sequence[Message]:
    if kept.pk == merged.pk or kept.club_id != merged.club_id:
        return [text("Choose two players of one club.")]
    if kept.anonymous or merged.anonymous:
        return [text("A player who was removed can't be merged.")]
    if kept.account_id and merged.account_id:
        return [text("Both have an account: take it from one of them first.")]
    return []


def _of_shared(kept: Player, merged: Player) -> Sequence[Message]:
    """Return that two players are two people: they were in one competition, or at one table."""
    both = competitions_with(kept).filter(pk__in=competitions_with(merged).values("pk"))
    if names := _listed(both.values_list("name", flat=True)):
        return [
            text(
                "Both are in the same competition, so they are two people there: %(competitions)s.",
                competitions=names,
            )
        ]
    games = _seats(kept).filter(game__in=_seats(merged).values("game")).count()
    if not games:
        return []
    return [
        plural(
            "Both sat in the same game, so they are two people.",
            "Both sat in the same %(count)d games, so they are two people.",
            games,
        )
    ]


def _seats(player: Player) -> QuerySet[Seat]:
    return Seat.objects.filter(player__in=ids_of(pk=player.pk))


def _listed(names: QuerySet[Competition, str]) -> str:
    """Return the first names of a list, and a sign that there are more."""
    found = list(names[: _SHOWN + 1])
    return ", ".join(found[:_SHOWN]) + (" …" if len(found) > _SHOWN else "")
