"""Presets that clubs keep, who of an evening enters the next one, and who was told of its end."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from itertools import takewhile
from typing import Final
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest, TruncDate

from games import rules
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset
from league import hooks
from league.apps.evenings.lines import WEEK, day_of, line_of
from league.apps.evenings.models import Cancellation, Evening, KeptPreset
from league.choices import UNDER_WAY, Outcome
from league.core.presets import CLUB_PRESET, Preset
from league.core.state.entries import JOIN
from league.models import Club, Competition, Email, Entry, Player, TableSeat
from league.models.names import search_key
from league.queries.clubs import away
from league.queries.competitions import concerned, entries_of, state_of, who_can_come
from league.queries.links import folder_of_emails
from league.queries.verbs import declined

# ---- The game of a line of evenings ----------------------------------------------------------------


def changed_game(like: Competition) -> AnyRuleset | None:
    """Return the game that the club now offers under the name of an evening's own one; None for the same."""
    opening = state_of(like).opening
    played = rules.of(opening.ruleset, opening.options)
    now = [ruleset for of_app in hooks.OWN_GAMES for ruleset in of_app([like.club_id])]
    if not played.defined_by or played.key in {each.key for each in now}:
        return None
    return next((each for each in now if search_key(each.title) == search_key(played.title)), None)


# ---- Presets of a club ---------------------------------------------------------------------------


def kept_presets(clubs: Collection[UUID]) -> Mapping[str, Preset]:
    """Return the presets that clubs keep, by their keys, without those of what this release lacks."""
    found = {}
    for each in KeptPreset.objects.filter(club__in=clubs).order_by("name", "pk"):
        with suppress(Malformed):
            key = f"{CLUB_PRESET}{each.pk}"
            found[key] = Preset.read(key, each.name, each.settings)
    return found


def told_apart(competition: UUID) -> str:
    """Return what those who had entered a competition that was cancelled are told, and nobody else."""
    found = Cancellation.objects.filter(competition=competition).values_list("told", flat=True).first()
    return found or ""


# ---- Who played ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Former:
    """An entry of the last time whose players can all enter again, and whether it played to the end.

    ``away`` is until when one of them is away who is away on the day of the next time, and ``missing`` who
    that is. ``first`` names those who came first, where a stand-in has taken the place of one.
    """

    entry: Entry
    players: tuple[UUID, ...]
    own_name: str
    played: bool
    away: date | None = None
    missing: tuple[UUID, ...] = ()
    first: str = ""

    @property
    def called(self) -> str:
        """Return the name of who is entered."""
        return self.first or self.entry.called

    @property
    def ticked(self) -> bool:
        """Return whether the entry is expected to enter again."""
        return self.played and self.away is None


def former_entries(competition: Competition, day: date | None = None) -> Sequence[Former]:
    """Return the entries of a competition that can enter another one on a day, in their order.

    Its players are those who came first: a stand-in for somebody who went home, or who was away all evening,
    comes for that evening alone.
    One of whom a player has left the club, or was forgotten, is none of them. Who withdrew, was expelled, or
    came to no table of a competition that was played has not ``played``.
    """
    state = state_of(competition)
    club = {str(each.pk): each for each in Player.objects.filter(club=competition.club_id)}
    came = TableSeat.objects.filter(entry__competition=competition).exclude(outcome=Outcome.NO_SHOW)
    seated = {*came.values_list("entry", "player")}
    alone = state.opening.team_size == 1
    stood_in = {} if alone else _stood_in(competition)
    found = []
    for entry in entries_of(competition):
        logged = state.entry(str(entry.pk))
        people = [stood_in.get((logged.id, each), each) for each in logged.owners_at(_FIRST)]
        first = [club[each] for each in people if each in club]
        players = [club.get(str(each.merged_into_id), each) for each in first]
        if all(map(can_enter, players)) and len(players) == state.opening.team_size:
            stayed = entry.status == Entry.Status.ENTERED and not entry.expelled
            sat = {player for its, player in seated if its == entry.pk}
            came_first = not sat.isdisjoint(each.pk for each in first) if alone else bool(sat)
            played = stayed and (came_first or not seated)
            replaced = not logged.own_name and {*people} != {*logged.players}
            called = JOIN.join(each.name for each in players) if replaced else ""
            ids = tuple(each.pk for each in players)
            found.append(Former(entry, ids, logged.own_name, played, first=called))
    return _with_away(found, day)


def came_last(competition: Competition) -> frozenset[UUID]:
    """Return who came alone to the evening before one that a rhythm has set up: see `_ticked_last`."""
    last = _ticked_last(competition)
    return frozenset(player for each in last if len(each.players) == 1 for player in each.players)


def teams_came_last(competition: Competition) -> Sequence[str]:
    """Return the teams of the evening before one that a rhythm has set up, as lines of a list of names."""
    teams = [each for each in _ticked_last(competition) if len(each.players) > 1]
    names = dict(Player.objects.filter(club=competition.club_id).values_list("pk", "name")) if teams else {}
    return [
        ": ".join(filter(None, (each.own_name, JOIN.join(names[player] for player in each.players))))
        for each in teams
    ]


def _ticked_last(competition: Competition) -> Sequence[Former]:
    """Return who came to the evening before one that a rhythm has set up, and is not away on its day.

    Nobody once it has started, or an organiser has entered some of them: the others were left out then.
    """
    by_rhythm = Evening.objects.filter(competition=competition, rhythm__isnull=False)
    if state_of(competition).started or not by_rhythm.exists():
        return ()
    day = day_of(competition)
    before = [each for each in line_of(competition) if each.status in _PLAYED and day_of(each) < day]
    came = [each for each in former_entries(before[-1], day) if each.ticked] if before else []
    rows = competition.events.filter(event__type="entered", role="organiser")
    entered = {UUID(each) for event in rows.values_list("event", flat=True) for each in event["players"]}
    return () if any(not entered.isdisjoint(each.players) for each in came) else came


def former_stand_ins(competition: Competition, day: date | None = None) -> Sequence[Former]:
    """Return who played alone for somebody else, for points of their own, as those who can enter on a day.

    Each comes once, by name, with the entry for which they played; none where pairs or teams enter.
    """
    state = state_of(competition)
    owned = {(each.id, owner) for each in state.entries for _since, owners in each.owners for owner in owners}
    if state.opening.team_size > 1 or not owned:
        return ()
    known = {player for each in former_entries(competition) for player in each.players}
    return _with_away(_at_tables(competition, known, owned), day)


def _at_tables(
    competition: Competition, known: Collection[UUID], owned: Collection[tuple[str, str]] | None = None
) -> Sequence[Former]:
    """Return who sat at a table for an entry, by name, but for those who are known.

    Where it is said which players had points of their own for which entries, only they are returned.
    """
    came = TableSeat.objects.filter(entry__competition=competition).exclude(outcome=Outcome.NO_SHOW)
    found: dict[UUID, Former] = {}
    for seat in came.exclude(player=None).select_related("entry", "player__merged_into"):
        player = seat.player and (seat.player.merged_into or seat.player)
        own = owned is None or (str(seat.entry_id), str(seat.player_id)) in owned
        if player and own and player.pk not in known and can_enter(player):
            found[player.pk] = Former(seat.entry, (player.pk,), player.name, played=True)
    ordered = sorted(found.values(), key=lambda each: (search_key(each.own_name), each.players))
    return [replace(each, own_name="") for each in ordered]


def _stood_in(competition: Competition) -> Mapping[tuple[str, str], str]:
    """Return who was away on the day, and replaced before the start, by entry and stand-in."""
    rows = competition.events.filter(event__type__in=("substituted", "started")).order_by("seq")
    events = takewhile(lambda event: event["type"] != "started", rows.values_list("event", flat=True))
    swaps = {(each["entry"], each["into"]): each["out"] for each in events}
    gone = {str(each) for each in away([UUID(out) for out in swaps.values()], day_of(competition))}
    return {place: out for place, out in swaps.items() if out in gone}


MOST_EARLIER: Final = 6
"""Of so many evenings before the last one people are offered who did not come last time."""


def evenings_before(competition: Competition) -> Sequence[Competition]:
    """Return the evenings before a competition whose people are offered, by their days."""
    line = line_of(competition)
    return line[: [each.pk for each in line].index(competition.pk)][-MOST_EARLIER:]


def earlier_entries(competition: Competition, day: date | None = None) -> Sequence[Former]:
    """Return the entries of the evenings before a competition that can enter another one, the latest first.

    Nobody of them was entered last time. They are not expected: none is ticked.
    """
    size = state_of(competition).opening.team_size
    known = {player for each in former_entries(competition) for player in each.players}
    found = []
    for each in reversed(evenings_before(competition)):
        for former in former_entries(each, day):
            if len(former.players) == size and known.isdisjoint(former.players):
                known.update(former.players)
                found.append(replace(former, played=False))
    return found


def earlier_stand_ins(
    competition: Competition, offered: Sequence[Former], day: date | None = None
) -> Sequence[Former]:
    """Return who played alone for somebody else at a competition or before it, and is not offered otherwise.

    They came, for whose points ever they played. None is ticked.
    """
    if state_of(competition).opening.team_size > 1:
        return ()
    known, found = {player for each in offered for player in each.players}, []
    for evening in (competition, *reversed(evenings_before(competition))):
        for each in _at_tables(evening, known):
            known.update(each.players)
            found.append(replace(each, played=False))
    return _with_away(found, day)


def _with_away(former: Sequence[Former], day: date | None) -> Sequence[Former]:
    gone = away([player for each in former for player in each.players], day)
    missing = [tuple(player for player in each.players if player in gone) for each in former]
    return [
        replace(each, away=max((gone[player] for player in players), default=None), missing=players)
        for each, players in zip(former, missing, strict=True)
    ]


_FIRST: Final = (1, 1)
"""The first round of a competition."""


def can_enter(player: Player) -> bool:
    """Return whether a player can enter a competition of the club."""
    return player.active and not player.anonymous and player.merged_into_id is None


# ---- What is run again -----------------------------------------------------------------------------

_LATEST: Final = 10
"""How many of a club's last evenings are looked through."""


def not_followed(club: Club) -> Sequence[Competition]:
    """Return a club's evenings of its last week of play, the latest first, after which none was set up.

    An evening is being played or over, and has one day. A final of a series is none. One that was cancelled
    follows nothing: the evening before it counts as of its day.
    """
    cancelled = Competition.Status.CANCELLED
    later = Evening.objects.exclude(competition__status=cancelled)
    by_rhythm = later.filter(rhythm=OuterRef("evening__rhythm"), day__gt=OuterRef("evening__day"))
    day = Coalesce("stored_details__begins_on", TruncDate("opened_at", tzinfo=club.zone))
    of_one_day = Q(stored_details__ends_on=None) | Q(stored_details__ends_on=F("stored_details__begins_on"))
    dated = Q(status=Competition.Status.FINISHED) | Q(stored_details__begins_on__isnull=False)
    played = Competition.objects.filter(of_one_day, dated, club=club, status__in=_PLAYED)
    over_it = Q(like__status=cancelled, like__evening__like=OuterRef("pk"))
    by_line = later.filter(Q(like=OuterRef("pk")) | over_it)
    fell = Evening.objects.filter(like=OuterRef("pk"), competition__status=cancelled).order_by("-day")
    played = played.annotate(followed=Exists(by_line) | Exists(by_rhythm), on=day)
    played = played.annotate(until=Greatest("on", Subquery(fell.values("day")[:1])))
    last = played.order_by("-on", "-opened_at", "pk")[:_LATEST]
    finals = {pk for of_app in hooks.FINALS for pk in of_app([each.pk for each in last])}
    found = [each for each in last if each.pk not in finals]
    return [each for each in found if found[0].on - each.until < WEEK and not each.followed]


_PLAYED: Final = (*UNDER_WAY, Competition.Status.FINISHED)


# ---- Who was told of an end ----------------------------------------------------------------------


@dataclass(frozen=True)
class Reached:
    """Somebody who had entered a competition that was cancelled, and the email about it, None for none.

    ``phone`` is what the club keeps, which may be nothing.
    """

    player: Player
    email: Email | None
    phone: str

    @property
    def is_told(self) -> bool:
        """Return whether the email was sent, and left the server."""
        sent = self.email is not None and self.email.status == Email.Status.SENT
        return sent and not folder_of_emails()

    @property
    def waits(self) -> bool:
        """Return whether the email is still to be sent."""
        return self.email is not None and self.email.status == Email.Status.WAITING


def invited(competition: UUID) -> QuerySet[Player]:
    """Return who was told that they can enter an evening that a rhythm set up, but for who said No."""
    found = Evening.objects.filter(competition=competition).exclude(rhythm=None).first()
    if found is None:
        return Player.objects.none()
    return who_can_come(found.competition).exclude(pk__in=declined(competition))


def reached(competition: Competition) -> Sequence[Reached]:
    """Return all who are told that a competition is cancelled, those to ring first, by name."""
    last = (
        competition.events.filter(event__type="cancelled")
        .order_by("-seq")
        .values_list("seq", flat=True)
        .first()
    )
    about = {"about__competition": str(competition.pk), "about__seq": last}
    emails = Email.objects.filter(key__startswith="changed:", **about)
    sent = {each.account_id or each.about.get("player"): each for each in emails}
    people = concerned(competition).select_related("contact")
    found = [Reached(each, sent.get(each.account_id or str(each.pk)), _phone(each)) for each in people]
    return sorted(found, key=lambda each: (each.is_told, each.waits))


def _phone(player: Player) -> str:
    return player.contact.phone if hasattr(player, "contact") else ""
