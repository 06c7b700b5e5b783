"""What needs an organiser's attention now: a list of providers, each of which looks for one kind of need.

A provider takes clubs and returns their needs, the most urgent first, in a number of queries that does not
grow with the clubs. To add a kind of need, write a provider and add it to `PROVIDERS`; an app adds its own.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import database_time
from games.engine.messages import filled
from league.admin.steps import next_step
from league.models import Club, ClubGame, Competition, Entry, Invitation, Round, Table
from league.queries.competitions import running_competitions
from league.queries.links import masked
from league.queries.rounds import with_seats_and_games
from league.queries.score_cards import unconfirmed_score_cards
from league.words.messages import name_at_table
from league.words.values import on_paper

MOST: Final = 20
"""The most needs of one kind that are shown."""
PATIENCE: Final = timedelta(days=7)
"""How long a table without a deadline may go without a move before it counts as late."""
CARD_PATIENCE: Final = timedelta(minutes=30)
"""How long the players of a score card have to confirm it themselves."""


@dataclass(frozen=True)
class Need:
    """Something that needs an organiser: where, what, since when, and the button that leads to it.

    A button that is ``posted`` does it at once.
    """

    where: str
    text: Any
    action: Any
    address: str
    since: datetime | None = None
    posted: bool = False


Clubs: TypeAlias = QuerySet[Club]
Provider: TypeAlias = Callable[[Clubs], Iterable[Need]]


def needs_of(clubs: Clubs) -> list[Need]:
    """Return what needs the organisers of these clubs, kind by kind."""
    return [need for provider in PROVIDERS for need in provider(clubs)]


def _page(competition: Competition, part: str = "") -> str:
    return reverse("admin:league_competition_change", args=[competition.pk]) + part


def _verb_page(competition: Competition, verb: str, query: str = "") -> str:
    return reverse("admin:league_competition_act", args=[competition.pk, verb]) + query


def _running(clubs: Clubs) -> QuerySet[Competition]:
    return running_competitions().filter(club__in=clubs)


# ---- The providers -------------------------------------------------------------------------------


def entries_to_approve(clubs: Clubs) -> Iterator[Need]:
    """Yield the competitions in which entries wait for approval."""
    applied = Count("entries", filter=Q(entries__status=Entry.Status.APPLIED))
    for competition in _running(clubs).annotate(applied=applied).filter(applied__gt=0)[:MOST]:
        count = getattr(competition, "applied", 0)
        text = ngettext("%(count)d entry waits for approval.", "%(count)d entries wait for approval.", count)
        yield Need(competition.name, text % {"count": count}, _("Approve"), _page(competition, "#entries"))


def invitations_to_confirm(clubs: Clubs) -> Iterator[Need]:
    """Yield the invitations that somebody opened whose address is another one; one tap lets them in."""
    waiting = Invitation.objects.filter(club__in=clubs, accepted_at=None, revoked_at=None)
    found = waiting.exclude(accepted_by=None).select_related("club", "player", "accepted_by")
    for each in found.order_by("made_at", "pk")[:MOST]:
        page = reverse("admin:league_invitation_change", args=[each.pk])
        text = format_html('<a href="{}">{}</a>', page, opened_in_words(each))
        yield Need(each.club.name, text, _("Confirm"), path_to_confirm(each), posted=True)


def opened_in_words(invitation: Invitation) -> str:
    """Return who opened an invitation that was sent to an address."""
    opened = _("%(account)s opened the invitation sent to %(address)s.")
    plays = _("%(account)s opened the invitation sent to %(address)s, to play as %(player)s.")
    return filled(
        plays if invitation.player else opened,
        {
            "account": invitation.accepted_by,
            "address": masked(invitation.email),
            "player": invitation.player and invitation.player.name,
        },
    )


def path_to_confirm(invitation: Invitation) -> str:
    """Return where a POST confirms the account that waits, and no other that may wait by then."""
    path = reverse("admin:league_invitation_confirm", args=[invitation.pk])
    return f"{path}?account={invitation.accepted_by_id}"


def steps_to_take(clubs: Clubs) -> Iterator[Need]:
    """Yield the competitions that wait for their organiser's next step."""
    waiting = (Competition.Step.START, Competition.Step.PLAY, Competition.Step.RULE, Competition.Step.NONE)
    due = ~Q(step__in=waiting) | Q(time_over=True)
    for competition in _running(clubs).filter(due).order_by("changed_at", "pk"):
        step = next_step(competition)
        if not (step.urgent and step.verb):
            continue
        review = step.key == "publish"
        address = _page(competition, "#latest") if review else _verb_page(competition, step.verb)
        action = _("Review the round") if review else step.action
        yield Need(competition.name, step.text, action, address, competition.changed_at)


def abandoned_tables(clubs: Clubs) -> Iterator[Need]:
    """Yield the tables whose game was abandoned: an organiser sets the result or lets it be replayed."""
    for table in _tables(clubs).filter(status=Table.Status.ABANDONED)[:MOST]:
        competition = table.round.stage.competition
        address = _verb_page(competition, "rule", f"?table={table.pk}")
        text = _("%(table)s: the game was abandoned.") % {"table": _name_of(table)}
        yield Need(competition.name, text, _("Set the result"), address)


def late_tables(clubs: Clubs) -> Iterator[Need]:
    """Yield the tables past their deadline, or long without a move, and whose turn it is."""
    now = database_time.now()
    overdue = Q(round__deadline__lt=now, status=Table.Status.PLAYING)
    idle = Q(round__deadline=None, games__game__status="active", games__game__moved_at__lt=now - PATIENCE)
    put_off = Q(postponed_until__lt=now, status=Table.Status.POSTPONED)
    late = _tables(clubs).filter(overdue | idle & Q(status=Table.Status.PLAYING) | put_off)
    for table in late.order_by("round__deadline", "round__stage__competition", "number").distinct()[:MOST]:
        competition = table.round.stage.competition
        waits = waiting_for(table)
        names = ", ".join(waits.names) or "–"
        text = filled(
            _late_in_words(table, waits.rounds),
            {"table": _name_of(table), "names": names, "rounds": waits.rounds},
        )
        yield Need(competition.name, text, _("View"), _page(competition, "#latest"), waits.since)


def _late_in_words(table: Table, rounds: str) -> str:
    """Return what a late table waits for; on a score card it is nobody's turn: any player writes."""
    if not on_paper(table.round.stage.competition.ruleset):
        return _("%(table)s is late; waiting for %(names)s.")
    if rounds:
        return _(
            "%(table)s is late; the scores of deal %(rounds)s wait to be confirmed, by one of %(names)s who "
            "did not enter them, or a scorekeeper."
        )
    return _("%(table)s is late; its scores wait to be entered, by one of %(names)s or a scorekeeper.")


def disputed_score_cards(clubs: Clubs) -> Iterator[Need]:
    """Yield the score cards on which players contradict each other, at once."""
    yield from map(need_of_card, unconfirmed_score_cards(clubs, disputed=True)[:MOST])


def score_cards_to_confirm(clubs: Clubs) -> Iterator[Need]:
    """Yield the score cards with rounds that nobody has confirmed for a while."""
    before = database_time.now() - CARD_PATIENCE
    yield from map(need_of_card, unconfirmed_score_cards(clubs, disputed=False, still_since=before)[:MOST])


def need_of_card(card: ClubGame) -> Need:
    """Return what a score card with disputed or unconfirmed rounds needs."""
    rounds = card.game.disputed or card.game.unconfirmed
    if card.game.disputed:
        text = ngettext(
            "%(table)s: the scores of deal %(rounds)s are disputed.",
            "%(table)s: the scores of deals %(rounds)s are disputed.",
            len(rounds),
        )
    else:
        text = ngettext(
            "%(table)s: the scores of deal %(rounds)s are not confirmed.",
            "%(table)s: the scores of deals %(rounds)s are not confirmed.",
            len(rounds),
        )
    table = _name_of(card.table) if card.table else _("Score card")
    sentence = text % {"table": table, "rounds": ", ".join(map(str, rounds))}
    action = _("Decide") if card.game.disputed else _("View")
    address = reverse("card_scores", args=[card.pk])
    return Need(str(card.competition or card.club), sentence, action, address, card.game.moved_at)


def _tables(clubs: Clubs) -> QuerySet[Table]:
    published = Table.objects.filter(
        Q(round__status=Round.Status.PUBLISHED) | ~Q(postponed_reason=""),
        round__stage__competition__in=_running(clubs).values("pk"),
    )
    return with_seats_and_games(published).select_related("round__stage__competition")


def _name_of(table: Table) -> str:
    return _("Round %(round)d, table %(table)d") % {"round": table.round.number, "table": table.number}


@dataclass(frozen=True)
class Waiting:
    """The players whose turn it is at a table, and since when it is the turn of the first of them.

    On a score card they are all its players, and ``rounds`` are the deals that wait to be confirmed.
    """

    names: tuple[str, ...]
    since: datetime | None
    rounds: str = ""


def waiting_for(table: Table) -> Waiting:
    """Return whose turn it is at a table loaded with its seats and games; no names where no game runs."""
    names = {seat.number: name_at_table(seat) for seat in table.seats.all()}
    for club_game in table.games.all():
        if not club_game.game.is_over:
            if on_paper(club_game.game.ruleset):
                rounds = ", ".join(map(str, club_game.game.unconfirmed))
                return Waiting(tuple(dict.fromkeys(names.values())), None, rounds)
            since = [moment for moment in club_game.game.since if moment]
            awaited = tuple(names.get(seat, "?") for seat in club_game.game.awaited)
            return Waiting(awaited, min(since, default=None))
    return Waiting((), None)


PROVIDERS: Final[list[Provider]] = [
    disputed_score_cards,
    abandoned_tables,
    entries_to_approve,
    invitations_to_confirm,
    steps_to_take,
    late_tables,
    score_cards_to_confirm,
]
