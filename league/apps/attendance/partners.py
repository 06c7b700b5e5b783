"""Who plays with whom at an evening, and who fills in: asked, and agreed."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from uuid import UUID

from django.db import transaction

from games.engine.refusals import Illegal, Refusal
from league.apps.attendance import queries
from league.apps.attendance.emails import email_to, reached
from league.apps.attendance.models import COMING, Answer, PartnerRequest, Reply, Wish
from league.apps.attendance.services import ByAnswer, answer_for, by_link, entry_of, keep_answer
from league.callers import ByAccount
from league.core.verbs.entering import ApplyForEntry, EnterPlayers
from league.models import Account, Competition, Player
from league.queries import permissions
from league.queries.competitions import state_of
from league.services import emails
from league.services.verbs import perform


@transaction.atomic
def ask_partner(*, asker: Player, competition: Competition, asked: UUID) -> PartnerRequest:
    """Ask somebody who looks for a partner to play with a player; again changes nothing. Raises `Illegal`."""
    competition = queries.locked(competition)
    if state_of(competition).opening.team_size == 1:
        raise Illegal("Partners are for competitions of teams.")
    if entry_of(competition, asker):
        raise Illegal("You have entered already.")
    return _ask(competition, asker, asked)


@transaction.atomic
def ask_to_fill_in(*, by: Account, competition: Competition, asked: UUID) -> PartnerRequest:
    """Ask somebody who can fill in to come; again changes nothing. Raises `Illegal` and PermissionDenied."""
    permissions.require_organiser(competition.club_id, by)
    return _ask(queries.locked(competition), None, asked)


def _ask(competition: Competition, asker: Player | None, asked: UUID) -> PartnerRequest:
    if not queries.takes_requests(competition, of_organisers=asker is None):
        raise Illegal(queries.CLOSED)
    answer = queries.wishing(competition).filter(player=asked).first()
    if answer is None or (asker and asker.pk == asked):
        raise Illegal("They have a partner by now, or do not look for one any more.")
    made, new = PartnerRequest.objects.get_or_create(competition=competition, asker=asker, asked_id=asked)
    if new and reached(competition).filter(pk=asked).exists():
        emails.write([email_to(answer, f"request:{made.pk}", queries.asking_of(competition).language)])
    return made


@transaction.atomic
def answer_request(
    *, by: Account | None, competition: Competition, player: Player, request_id: UUID, agrees: bool
) -> PartnerRequest:
    """Let the asked player agree, which makes the entry, or decline; again changes nothing.

    Only a request of this competition: a link of another evening answers none.

    Raises `Illegal` and PartnerRequest.DoesNotExist.
    """
    PartnerRequest.objects.get(pk=request_id, asked=player, competition=competition)
    competition = queries.locked(competition)
    request = PartnerRequest.objects.select_related("asker__account").get(pk=request_id)
    wanted = PartnerRequest.Status.AGREED if agrees else PartnerRequest.Status.DECLINED
    if request.status == wanted:
        return request
    if request.status != PartnerRequest.Status.OPEN:
        raise Illegal("You have answered this already.")
    if not queries.takes_requests(competition, of_organisers=request.asker is None):
        raise Illegal(queries.CLOSED)
    if agrees and request.asker and queries.comes_not(competition, request.asker):
        raise Illegal("%(name)s does not come.", name=request.asker.name)
    if agrees and request.asker and entry_of(competition, player):
        raise Illegal("You have entered already.")
    request.status = wanted
    request.save(update_fields=["status"])
    if agrees and queries.is_open(competition):  # later an organiser substitutes who fills in
        caller = ByAnswer(player, by) if by else by_link(player)
        _agree(competition, caller, player, request.asker)
    return request


def _agree(competition: Competition, caller: ByAnswer, player: Player, asker: Player | None) -> None:
    """Enter who asked with those who agreed, once they are a team, or who fills in alone; they come then."""
    others = (asker,) if asker else ()
    said = dict(Answer.objects.filter(competition=competition).values_list("player", "reply"))
    for each in (*others, player):
        # Whoever comes already comes with the guest who was named.
        reply = said.get(each.pk, "")
        keep_answer(competition, caller, each, reply if reply in COMING else Reply.YES, "")
    if asker:
        agreed = queries.agreed_with(competition, asker)
        if len(agreed) + 1 < state_of(competition).opening.team_size:
            return
        if not (caller.by or by_link(asker).by):
            return  # Without an account nobody enters: an organiser finds them as a team.
        team = (str(asker.pk), *(str(each.pk) for each in agreed))
        both = ByAnswer(player, caller.by, team) if caller.by else ByAnswer(asker, asker.account, team)
        perform(both, competition=competition, verb=ApplyForEntry(team))
    elif caller.by and not entry_of(competition, player):
        # Where they cannot enter now, an organiser finds them among those who come.
        with suppress(Refusal), transaction.atomic():
            perform(caller, competition=competition, verb=ApplyForEntry())


@transaction.atomic
def enter_team(*, by: Account, competition: Competition, asker: UUID) -> Sequence[str]:
    """Enter those who have agreed to play with a player; return their names. Again changes nothing.

    Raises `Illegal` and PermissionDenied.
    """
    permissions.require_organiser(competition.club_id, by)
    competition = queries.locked(competition)
    entry = state_of(competition).entry_with(str(asker))
    if entry and entry.live:
        return [entry.name]
    teams = {team[0].pk: team for team in queries.ready_teams(competition)}
    if asker not in teams:
        raise Illegal("They have not all agreed, or one of them does not come.")
    verb = EnterPlayers(tuple(str(each.pk) for each in teams[asker]))
    perform(ByAccount(by), competition=competition, verb=verb)
    return [each.name for each in teams[asker]]


def wish_for(*, by: Account, competition: Competition, player: Player, wish: str) -> Answer:
    """Keep what somebody told an organiser to look for or to offer; raises as `answer_for` does.

    Who looks for a partner comes; who can fill in and has not answered is not sure yet.
    """
    reply = queries.answer_of(competition, player).reply
    if (wish == Wish.PARTNER and reply == Reply.NO) or not reply:
        reply = Reply.UNSURE if wish == Wish.FILLS_IN else Reply.YES
    return answer_for(by=by, competition=competition, player=player, reply=reply, wish=wish)


@transaction.atomic
def enter_seekers(*, by: Account, competition: Competition, players: Collection[UUID]) -> str:
    """Enter together players who look for a partner or can fill in, who come then; return their name.

    Again changes nothing. Raises `Illegal` and PermissionDenied.
    """
    permissions.require_organiser(competition.club_id, by)
    competition = queries.locked(competition)
    state = state_of(competition)
    chosen = {str(each) for each in players}
    entry = state.entry_with(min(chosen)) if chosen else None
    if entry and entry.live and chosen == {*entry.players}:
        return entry.name
    if (size := state.opening.team_size) == 1:
        raise Illegal("Partners are for competitions of teams.")
    if len(chosen) != size:
        raise Illegal("Tick the people of one team. Players of a team: %(size)d.", size=size)
    seekers = [each for each in queries.wishing(competition) if str(each.player_id) in chosen]
    if len(seekers) != size:
        raise Illegal("They have a partner by now, or do not look for one any more.")
    for each in seekers:
        if each.reply not in COMING:
            keep_answer(competition, ByAccount(by), each.player, Reply.YES)
    verb = EnterPlayers(tuple(str(each.player_id) for each in seekers))
    perform(ByAccount(by), competition=competition, verb=verb)
    return " & ".join(each.player.name for each in seekers)
