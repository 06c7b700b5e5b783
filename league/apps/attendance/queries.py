"""Reads of who comes to an evening: how it is asked, the answers, their links, and who a guest may be."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.crypto import constant_time_compare

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal
from league.apps.attendance.models import COMING, Answer, Asking, Guest, PartnerRequest, Reply, Wish
from league.core.course import has_next_round
from league.core.sizes import fitted
from league.core.state.entries import BEGINNING
from league.hooks import papers
from league.hooks.papers import PlayerColumns
from league.models import Account, Club, Competition, Entry, Player
from league.models.names import search_key
from league.projections.public_names import lock
from league.queries.clubs import away, players_of
from league.queries.competitions import OVER, details_of, state_of
from league.queries.links import derived, reader_of
from league.queries.names import near_players

KIND: Final = "coming"
"""The kind of the emails."""
CLOSED: Final = text("The answers are closed: round 1 is drawn, or the evening is over or was called off.")
_HOUR: Final = time(9)
"""When emails ask, of the day on which they do."""
_MORNING: Final = time(6)
"""Until when an evening lasts at most, on the day after it."""


# ---- An evening, and how it is asked -------------------------------------------------------------


def asking_of(competition: Competition) -> Asking:
    """Return how a competition asks; an unsaved row, as the club's own says, where nothing else was said."""
    own = Q(competition=competition) | Q(competition=None, club=competition.club_id)
    found = {each.competition_id: each for each in Asking.objects.filter(own)}
    if competition.pk in found:
        return found[competition.pk]
    usual = found.get(None) or Asking(club_id=competition.club_id)
    return Asking(competition=competition, **settings_of(usual))


def settings_of(asking: Asking) -> dict[str, Any]:
    """Return what another evening of the club that asks in the same way has of it."""
    same = ("club_id", "asks", "enters", "days", "most_visits", "language")
    return {name: getattr(asking, name) for name in same}


def asks_as_club(asking: Asking) -> bool:
    """Return whether what was kept for all evenings of the club is what this one says."""
    usual = Asking.objects.filter(club=asking.club_id, competition=None).first()
    same = ("asks", "enters", "days", "most_visits")
    return usual is not None and all(getattr(usual, each) == getattr(asking, each) for each in same)


def locked(competition: Competition) -> Competition:
    """Return the competition as it is now; answers and guests of one are written one after the other.

    The club is locked before it: who answers may enter or withdraw by that, and is then called otherwise.
    """
    lock(competition.club_id)
    rows = Competition.objects.select_related("club").select_for_update(of=("self",), no_key=True)
    return rows.get(pk=competition.pk)


def last_day(competition: Competition) -> date | None:
    """Return the last day of a competition that has a date, None for others."""
    details = details_of(competition)
    return details.ends_on or details.begins_on


def ends_at(competition: Competition) -> datetime | None:
    """Return when the evening is over at the latest: on the morning after its last day."""
    day = last_day(competition)
    if day is None:
        return None
    return datetime.combine(day + timedelta(days=1), _MORNING, competition.club.zone)


def is_open(competition: Competition) -> bool:
    """Return whether answers count: before the first draw, of a competition with a date that is not over."""
    return is_to_come(competition) and is_undrawn(competition)


def takes_requests(competition: Competition, *, of_organisers: bool) -> bool:
    """Return whether somebody can be asked: by players before the first draw, by organisers until the end."""
    if of_organisers:
        return is_to_come(competition) and competition.status not in OVER
    return is_open(competition)


def is_to_come(competition: Competition) -> bool:
    """Return whether a competition has a date that is not over."""
    end = ends_at(competition)
    return end is not None and database_time.now() < end


_UNDRAWN: Final = Q(status__in=(Competition.Status.PREPARING, Competition.Status.ENTERING)) | Q(
    status=Competition.Status.RUNNING, stage__lte=1, round=0, awaited_beacon=0, withheld_from=None
)
"""A competition that is prepared, or has started and round 1 is not being drawn yet."""


def is_undrawn(competition: Competition) -> bool:
    """Return whether a competition is prepared, or has started and round 1 is not being drawn yet."""
    return Competition.objects.filter(_UNDRAWN, pk=competition.pk).exists()


def asked_in(clubs: Iterable[Club]) -> QuerySet[Competition]:
    """Return the clubs' competitions that ask now whether people come, the next evening first."""
    own, usual = (Asking.objects.filter(asks=True).values(each) for each in ("competition", "club"))
    told = Asking.objects.exclude(competition=None).values("competition")
    asks = Q(pk__in=own.exclude(competition=None))
    asks |= Q(club__in=usual.filter(competition=None)) & ~Q(pk__in=told)
    today = database_time.now().date() - timedelta(days=2)
    dated = Q(stored_details__begins_on__gte=today) | Q(stored_details__ends_on__gte=today)
    found = Competition.objects.filter(asks, dated, _UNDRAWN, club__in=clubs)
    found = found.exclude(stored_details__begins_on=None).select_related("club", "stored_details")
    return found.order_by("stored_details__begins_on", "stored_details__begins_at", "pk")


# ---- Answers -------------------------------------------------------------------------------------


def token_of(answer: Answer, reader: str | None = None) -> str:
    """Return the token of the link to an answer, which is in one person's emails alone."""
    reader = reader_of(answer.player) if reader is None else reader
    return derived("answer", answer.pk, answer.salt, reader)


def former_token(token: str, reader: str) -> str:
    """Return what is kept of a token that stays good while a person's emails have a reader."""
    return derived("former answer", token, reader)


def present_answer(row: Answer | None) -> Answer | None:
    """Return the answer of whom a row's player is now, None where the club has them no more."""
    if row is None:
        return None
    rows = Answer.objects.select_related("competition__club", "player__account", "player__contact")
    player = row.player.merged_into_id or row.player_id
    return rows.filter(competition=row.competition_id, player=player, player__active=True).first()


def read_link(*, answer_id: UUID, token: str) -> Answer:
    """Return the answer of a link; raises `Illegal` for a wrong one, and one that ended or was revoked."""
    row = Answer.objects.select_related("player").filter(pk=answer_id).first()
    answer = present_answer(row)
    if row is None or answer is None or not _opens(row, token, reader_of(answer.player)):
        raise Illegal("This link is wrong, or was revoked. If you have a newer email, use its link.")
    end = ends_at(answer.competition)
    if end is None or end <= database_time.now():
        raise Illegal("This link has expired: the evening is over.")
    return answer


def _opens(row: Answer, token: str, reader: str) -> bool:
    former = constant_time_compare(row.former, former_token(token, reader))
    return constant_time_compare(token_of(row, reader), token) or former


def answers_of(competition: Competition) -> Sequence[Answer]:
    """Return the club's active players with their answers: who answered first comes first, then by name.

    Those who have not answered have an unsaved answer without a reply, or the one that they were asked for.
    """
    rows = Answer.objects.filter(competition=competition).select_related("by")
    given = {each.player_id: each for each in rows}
    people = players_of(competition.club, active=True).filter(bot=False)  # by name
    gone = away_at(competition, [player.pk for player in people])
    found = []
    for player in people:
        answer = given.get(player.pk) or Answer(competition=competition, player=player)
        answer.player, answer.away_until = player, gone.get(player.pk)
        found.append(answer)
    return sorted(found, key=lambda each: (each.seq is None, each.seq or 0))


def answer_of(competition: Competition, player: Player) -> Answer:
    """Return a player's answer; an unsaved one without a reply where there is none."""
    rows = Answer.objects.filter(competition=competition, player=player)
    found = rows.first() or Answer(competition=competition, player=player)
    found.away_until = away_at(competition, [player.pk]).get(player.pk)
    return found


def away_at(competition: Competition, players: Collection[UUID]) -> Mapping[UUID, date]:
    """Return until when those of the players are away who are away on the first day of a competition."""
    return away(players, details_of(competition).begins_on)


def unanswered(account: Account, clubs: Iterable[Club]) -> Sequence[Competition]:
    """Return the evenings of clubs that ask an account's player, who has not answered, the next one first."""
    mine = Player.objects.filter(account=account, active=True, club__in=clubs)
    told = Answer.objects.filter(player__in=mine).exclude(reply="").values("competition")
    found = asked_in(clubs).filter(club__in=mine.values("club")).exclude(pk__in=told)
    return [each for each in found if is_to_come(each) and not _is_away(each, mine)]


def _is_away(competition: Competition, players: QuerySet[Player]) -> bool:
    its_own = players.filter(club=competition.club_id).values_list("pk", flat=True)
    return bool(away_at(competition, list(its_own)))


@dataclass(frozen=True)
class Expected:
    """How many come: by their answers, and how many guests; and the sizes of tables that this makes.

    ``people`` are the players who have entered or answered that they come, each once, and the guests; who has
    entered and answered not to come is none of them. An evening that is over, or cancelled, has no tables.
    ``over`` are the entries for which these have no seats; ``alone`` are those who come and are in no team.
    """

    yes: int
    unsure: int
    no: int
    guests: int
    people: int
    sizes: Mapping[int, int]
    over: int
    alone: int
    teams: bool


def expected_at(competition: Competition) -> Expected:
    """Return how many are expected at an evening."""
    replies = [(each.taken_as, each.player_id) for each in answers_of(competition)]
    coming = {player for reply, player in replies if reply in COMING}
    guests = waiting(competition).count()
    absent = {player for reply, player in replies if reply == Reply.NO}
    entered = {*_playing(competition)}
    playing = entered - {*declined(competition.pk)} - absent
    state = state_of(competition)
    opening = state.opening
    people = len(coming | playing) + guests
    plan = state.plans[0]
    entries = people // opening.team_size
    counted = {each: sum(reply == each for reply, _player in replies) for each in Reply}
    sizes = () if state.over else fitted([entries], opening, plan, state.rooms.tables)[0]
    return Expected(
        len(coming),
        counted[Reply.UNSURE],
        counted[Reply.NO],
        guests,
        people,
        Counter(sizes),
        entries - sum(sizes),
        len(coming - entered) + guests if opening.team_size > 1 else 0,
        opening.lineup == "partners",
    )


def ticked(competition: Competition, so_far: frozenset[UUID]) -> frozenset[UUID]:
    """Return who is ticked where players are entered: who comes is, who doesn’t or is away isn’t.

    Where members are asked, nobody else is.
    """
    if asking_of(competition).asks:
        so_far = frozenset()
    rows = Answer.objects.filter(competition=competition).exclude(reply="")
    replies = dict(rows.values_list("player", "reply"))
    coming = {player for player, reply in replies.items() if reply in COMING}
    return (so_far - replies.keys() - away_at(competition, so_far).keys()) | coming


# ---- Partners and who fills in -------------------------------------------------------------------


def declined(competition: UUID) -> Collection[UUID]:
    """Return the players who have said not to come."""
    rows = Answer.objects.filter(competition=competition, reply=Reply.NO)
    return rows.order_by().values_list("player", flat=True)


def comes_not(competition: Competition, player: Player) -> bool:
    """Return whether a player has said not to come."""
    return Answer.objects.filter(competition=competition, player=player, reply=Reply.NO).exists()


def wishes(competition: Competition) -> Sequence[tuple[str, Any]]:
    """Return what one can wish, each with its title: a partner where pairs or teams enter."""
    teams = state_of(competition).opening.team_size > 1
    return [each for each in Wish.choices if teams or each[0] != Wish.PARTNER]


def wishing(competition: Competition) -> QuerySet[Answer]:
    """Return the answers of those who look for a partner or can fill in, the first one first.

    Who does not come looks for no partner any more.
    """
    rows = Answer.objects.filter(competition=competition, player__active=True).exclude(wish="")
    rows = rows.exclude(wish=Wish.PARTNER, reply=Reply.NO)
    return rows.exclude(player__in=_playing(competition)).select_related("player").order_by("seq")


def fill_in(competition: Competition) -> Collection[UUID]:
    """Return the players who can fill in and do not play."""
    return [each.player_id for each in wishing(competition) if each.wish == Wish.FILLS_IN]


def _playing(competition: Competition) -> QuerySet[Entry, UUID]:
    """Return the players who take part, wait or have applied."""
    entries = Entry.objects.filter(competition=competition, status__in=("entered", "applied", "waiting"))
    return entries.order_by().values_list("members__player", flat=True)


def requests_to(competition: Competition, player: Player) -> QuerySet[PartnerRequest]:
    """Return what a player is asked for an evening, can answer and has not answered, by who is still free."""
    rows = PartnerRequest.objects.filter(competition=competition, asked=player, status="open")
    if not is_open(competition):
        rows = rows.filter(asker=None) if takes_requests(competition, of_organisers=True) else rows.none()
    rows = rows.exclude(asker__in=_playing(competition))
    return rows.select_related("asker").order_by("made_at", "pk")


def asked_by(competition: Competition, asker: Player | None) -> dict[UUID, PartnerRequest]:
    """Return what a player, or with None the organisers, asked others for, by whom they asked."""
    rows = PartnerRequest.objects.filter(competition=competition, asker=asker)
    return {each.asked_id: each for each in rows}


def agreed_with(competition: Competition, asker: Player) -> Sequence[Player]:
    """Return who has agreed to play with a player, comes and is still free, the first one first."""
    rows = PartnerRequest.objects.filter(competition=competition, asker=asker, status="agreed")
    away = Answer.objects.filter(competition=competition, reply=Reply.NO).values("player")
    rows = rows.exclude(asked__in=_playing(competition)).exclude(asked__in=away)
    return [each.asked for each in rows.select_related("asked").order_by("made_at", "pk")]


def teams_forming(competition: Competition) -> QuerySet[PartnerRequest]:
    """Return whom players have asked to play with them, by who asks; those who play already are left out."""
    rows = PartnerRequest.objects.filter(competition=competition).exclude(asker=None)
    rows = rows.exclude(asker__in=_playing(competition)).select_related("asker", "asked")
    return rows.order_by("asker__sort_name", "asker", "made_at", "pk")


def ready_teams(competition: Competition) -> Sequence[Sequence[Player]]:
    """Return the teams that have agreed and that nobody has entered, each with who asked first.

    Whoever has agreed to several is in each. Who has withdrawn together is no team any more.
    """
    state = state_of(competition)
    if (size := state.opening.team_size) == 1:
        return ()
    away = Answer.objects.filter(competition=competition, reply=Reply.NO).values("player")
    agreed = teams_forming(competition).filter(status=PartnerRequest.Status.AGREED)
    agreed = agreed.exclude(asked__in=_playing(competition)).exclude(asker__in=away).exclude(asked__in=away)
    forming: dict[UUID | None, list[Player]] = {}
    for each in agreed:
        team = forming.setdefault(each.asker_id, [each.asker] if each.asker else [])
        if len(team) < size:
            team.append(each.asked)
    entered = {frozenset(entry.players) for entry in state.entries}
    teams: dict[frozenset[str], Sequence[Player]] = {}
    for team in forming.values():
        teams.setdefault(frozenset(str(each.pk) for each in team), team)
    return [team for people, team in teams.items() if len(people) == size and people not in entered]


# ---- Guests --------------------------------------------------------------------------------------


def token_at_door(asking: Asking) -> str:
    """Return the token in the address at the door."""
    return derived("door", asking.competition_id, asking.door_salt)


def read_door(*, competition_id: UUID, token: str) -> Asking:
    """Return how an evening asks, by the address at its door; raises `Illegal` for one that does not work."""
    rows = Asking.objects.select_related("competition__club")
    asking = rows.filter(competition=competition_id).exclude(competition__status__in=OVER).first()
    if asking is None or not constant_time_compare(token_at_door(asking), token) or not asking.door_is_open:
        raise Illegal("This address has ended, or is wrong. Tell an organiser that you are here.")
    return asking


def waiting(competition: Competition) -> QuerySet[Guest]:
    """Return the guests who wait to be let in, or are expected, the first one first."""
    rows = Guest.objects.filter(competition=competition, status=Guest.Status.WAITING)
    return rows.select_related("brought_by").order_by("made_at", "pk")


def asked(competition: UUID) -> QuerySet[Player]:
    """Return who was asked whether they come, or has said so, but for those who don't come.

    Who is away on that day and has not answered doesn't come either. Once members are asked, those whom no
    email asks are among them: they come, or not, all the same. Of an evening that was cancelled before that
    all are, for its page and an invitation to enter told them of it.
    """
    found = Competition.objects.select_related("club", "stored_details").get(pk=competition)
    answers = Answer.objects.filter(competition=found)
    told = Q(pk__in=answers.exclude(reply=Reply.NO).values("player"))
    called_off = asking_of(found).asks and found.events.filter(event__type="cancelled").exists()
    if called_off or has_asked(found):
        told |= Q(club=found.club, active=True) & ~Q(pk__in=answers.values("player"))
    people = Player.objects.filter(told, merged_into=None)
    silent = people.exclude(pk__in=answers.exclude(reply="").values("player")).values_list("pk", flat=True)
    return people.exclude(pk__in=away_at(found, list(silent)))


def has_asked(competition: Competition) -> bool:
    """Return whether members are asked by now: on the page alone at once, by email some days before."""
    asking, since = asking_of(competition), asked_from(competition)
    return asking.asks and since is not None and (not asking.days or database_time.now() >= since)


def asked_from(competition: Competition, days: int | None = None) -> datetime | None:
    """Return from when on emails ask, by how the evening asks or so many days before; None without a date."""
    first = details_of(competition).begins_on
    if first is None:
        return None
    days = asking_of(competition).days if days is None else days
    return datetime.combine(first - timedelta(days=days), _HOUR, competition.club.zone)


def at_doors(clubs: Iterable[Club]) -> QuerySet[Guest]:
    """Return who stands at a door of the clubs and waits to be let in."""
    rows = Guest.objects.filter(competition__club__in=clubs, status=Guest.Status.WAITING, brought_by=None)
    rows = rows.exclude(competition__status__in=OVER)
    return rows.select_related("competition").order_by("made_at", "pk")


def who_it_may_be(club: Club, name: str) -> Sequence[tuple[Player, int]]:
    """Return the club's active players of a name, and of near names, with how often each was a guest.

    The nearest is first; of one name those who were guests most often, then by id.
    """
    people = players_of(club, active=True).filter(bot=False)
    near = [*near_players(people, name)] if name else []
    meant = Q(search_name=search_key(name)) | Q(name__in=near)
    found = list(people.filter(meant)) if name else []
    visits = Guest.objects.filter(player__in=found, status=Guest.Status.LET_IN).values_list(
        "player", "competition"
    )
    came = {*visits}
    told = [(each, sum(player == each.pk for player, _competition in came)) for each in found]
    at = {name: place for place, name in enumerate(near)}
    return sorted(told, key=lambda each: (at.get(each[0].name, -1), -each[1], each[0].pk))


def has_name(club: Club, name: str) -> bool:
    """Return whether an active player of the club has a name, which is compared as search does."""
    return bool(name) and players_of(club, active=True).filter(search_name=search_key(name)).exists()


def said_at_door(competition: Competition, key: UUID, name: str, said: Collection[UUID]) -> Guest | None:
    """Return the guest of a form at the door, or of one that the same browser ``said`` with the same name."""
    rows = Guest.objects.filter(competition=competition, key__in=[key, *said]).order_by("made_at", "pk")
    called = search_key(name)
    found = [each for each in rows if each.key == key or (called and search_key(each.name) == called)]
    return next((each for each in found if each.key == key), found[0] if found else None)


def guest_at_door(competition: UUID, key: UUID) -> Guest | None:
    """Return the guest of a form at the door, None for a key that nobody has sent."""
    rows = Guest.objects.filter(competition=competition, key=key)
    return rows.select_related("competition__club").first()


def plays_from(guest: Guest) -> int | None:
    """Return the first round of a guest who was let in once the competition had started, else None."""
    state = state_of(guest.competition)
    own = next((each for each in state.entries if str(guest.player_id) in each.players), None)
    if own is None or not own.spells or not (state.started and has_next_round(state)):
        return None
    return max(own.spells[-1][0], own.here_from or BEGINNING)[1]


def place_of(competition: Competition, player: UUID | None) -> str:
    """Return what became of who was let in: the status of the entry, or "partner" for who waits for one."""
    entry = state_of(competition).entry_with(str(player))
    if entry and entry.live:
        return entry.status
    return "partner" if wishing(competition).filter(player=player, wish=Wish.PARTNER).exists() else ""


def guest_columns() -> Sequence[PlayerColumns]:
    """Return what keeps that somebody is a guest of the club; nothing where no app knows that."""
    return [each for each in papers.PLAYER_COLUMNS if {"membership", "since"} <= each.titles.keys()]


def guest_of(competition: Competition, player: Player) -> Guest | None:
    """Return the guest whom a player brings, None where they bring nobody."""
    rows = Guest.objects.filter(competition=competition, brought_by=player)
    return rows.exclude(status=Guest.Status.TURNED_AWAY).first()
