"""Where it takes part: ticks of who enters, the emails that time brings, and forgetting."""

from collections.abc import Collection
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db.models import Q

from games import database_time
from league import hooks
from league.apps.attendance import emails, partners, queries
from league.apps.attendance.models import Answer, Asking, Guest, PartnerRequest, Wish
from league.hooks import upkeep
from league.models import Account, Competition, Player
from league.ops.secret import new_salt
from league.queries.links import reader_of, reader_once_one
from league.services import queue
from league.words.emails import SAMPLES

_KEPT: Final = timedelta(days=30)
_SAID: Final = ("reply", "wish", "seq", "at", "by")

hooks.TICKED.append(queries.ticked)
hooks.ASKED.append(queries.asked)
hooks.DECLINED.append(queries.declined)
hooks.FILL_IN.append(queries.fill_in)
hooks.VERSIONS.append(
    "SELECT concat_ws(' ', asking.door_salt, asking.door_until > {clock})"
    " FROM league_asking AS asking WHERE asking.competition_id = competition.id AND asking.door_shown"
)
hooks.ANSWER_LINKS.append(emails.answer_link)
SAMPLES.append(emails.samples)


@upkeep.swept.connect
def sweep() -> None:
    """Queue the emails that ask, each minute."""
    if queue.is_due("ask_who_comes", timedelta(minutes=1)):
        queue.after_commit("ask_who_comes", app=__package__)


@hooks.evening_opened.connect
def ask_again(competition: Competition, like: Competition) -> None:
    """Let an evening ask who is coming as the one before it does; its door has an address of its own."""
    if before := Asking.objects.filter(competition=like).first():
        same = queries.settings_of(before)
        if before.door_salt:
            until = queries.ends_at(competition)
            same |= {"door_salt": new_salt(), "door_until": until, "door_shown": before.door_shown}
        Asking.objects.get_or_create(competition=competition, defaults=same)


def _note_seekers(by: Account, competition: Competition, players: Collection[UUID]) -> bool:
    """Note that players look for a partner, where answers count."""
    if not queries.is_open(competition):
        return False
    for player in Player.objects.filter(pk__in=players).order_by("sort_name", "pk"):
        partners.wish_for(by=by, competition=competition, player=player, wish=Wish.PARTNER)
    return True


hooks.LEFT_ALONE.append(_note_seekers)


@hooks.player_forgotten.connect
def forget_player(player: Player) -> None:
    """Forget the answers of a player who is being forgotten, whom they asked, and whom they brought."""
    for rows in (
        Answer.objects.filter(Q(player=player) | Q(player__merged_into=player)),
        PartnerRequest.objects.filter(Q(asker=player) | Q(asked=player)),
        Guest.objects.filter(Q(player=player) | Q(brought_by=player)),
    ):
        rows.delete()


@hooks.players_merging.connect
def merge_players(kept: Player, merged: Player) -> None:
    """Let a player have the answers, with their links, the requests and the guests of the same person."""
    _keep_links(kept, merged)
    _merge_answers(kept, merged)
    for each in PartnerRequest.objects.filter(Q(asker=merged) | Q(asked=merged)):
        asker, asked = (kept if one == merged else one for one in (each.asker, each.asked))
        _merge_request(each, asker, asked)
    Guest.objects.filter(player=merged).update(player=kept)
    waits = Guest.objects.filter(brought_by=kept, status=Guest.Status.WAITING).values("competition")
    brought = Guest.objects.filter(brought_by=merged)
    brought.filter(status=Guest.Status.WAITING, competition__in=waits).delete()
    brought.update(brought_by=kept)


def _keep_links(kept: Player, merged: Player) -> None:
    """Let the links in emails to either stay good, also where the person's emails have another reader now."""
    now = reader_once_one(kept, merged)
    for player in (kept, merged):
        if (before := reader_of(player)) == now:
            continue
        for each in Answer.objects.filter(Q(player=player) | Q(player__merged_into=player)):
            each.former = queries.former_token(queries.token_of(each, before), now)
            each.save(update_fields=["former"])


def _merge_answers(kept: Player, merged: Player) -> None:
    """Move the answers where the player who stays has no row; of two the reply of who stays counts first."""
    own = {each.competition_id: each for each in Answer.objects.filter(player=kept)}
    for each in Answer.objects.filter(player=merged):
        had = own.get(each.competition_id)
        if had is None:
            Answer.objects.filter(pk=each.pk).update(player=kept)
            continue
        said = {} if had.reply else {name: getattr(each, name) for name in _SAID}
        asked = {name: getattr(had, name) or getattr(each, name) for name in ("asked_at", "reminded_at")}
        Answer.objects.filter(pk=each.pk).update(reply="", wish="", seq=None, at=None, by=None)
        Answer.objects.filter(pk=had.pk).update(**said, **asked)


def _merge_request(each: PartnerRequest, asker: Player | None, asked: Player | None) -> None:
    same = PartnerRequest.objects.filter(competition=each.competition_id, asker=asker, asked=asked)
    if asker == asked or same.exists():
        each.delete()
    else:
        PartnerRequest.objects.filter(pk=each.pk).update(asker=asker, asked=asked)


@upkeep.tidied.connect
def forget_guests() -> None:
    """Remove the names of guests who were never let in, after a while."""
    old = Guest.objects.filter(made_at__lt=database_time.now() - _KEPT)
    old.exclude(status=Guest.Status.LET_IN).delete()
