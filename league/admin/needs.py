"""What needs an organiser now: a list of providers, each of which looks at one kind of thing.

A provider takes the clubs and returns its needs, the most pressing first, in a number of queries that does
not grow with the clubs. Whoever has something else that can need an organiser adds one to `PROVIDERS`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import selectors
from league.admin.steps import next_step
from league.models import Club, Competition, Delivery, Entry, Round, Table, Webhook
from league.score_cards import unconfirmed_score_cards

MOST: Final = 20
"""Needs of one kind that are shown; a desk with more has its lists for it."""
PATIENCE: Final = timedelta(days=7)
"""How long a table without a deadline may be still before it counts as late."""


CARD_PATIENCE: Final = timedelta(minutes=30)
"""How long the players of a score card have to agree among themselves."""


@dataclass(frozen=True)
class Need:
    """Something that waits for an organiser: where, what, since when, and the button that leads to it."""

    place: str
    text: Any
    action: Any
    address: str
    since: datetime | None = None


Clubs: TypeAlias = QuerySet[Club]
Provider: TypeAlias = Callable[[Clubs], Iterable[Need]]


def needs_of(clubs: Clubs) -> list[Need]:
    """Return what needs the organisers of these clubs, kind by kind."""
    return [need for provider in PROVIDERS for need in provider(clubs)]


def _page(competition: Competition, part: str = "") -> str:
    return reverse("admin:league_competition_change", args=[competition.pk]) + part


def verb_page(competition: Competition, verb: str, query: str = "") -> str:
    """Return the address at which a verb of the competition is asked."""
    return reverse("admin:league_competition_act", args=[competition.pk, verb]) + query


def _live(clubs: Clubs) -> QuerySet[Competition]:
    return selectors.running_competitions().filter(club__in=clubs)


# ---- The providers -------------------------------------------------------------------------------


def entries_to_approve(clubs: Clubs) -> Iterator[Need]:
    """Yield the competitions in which players have asked for a place."""
    asking = Count("entries", filter=Q(entries__status=Entry.Status.APPLIED))
    for competition in _live(clubs).annotate(asking=asking).filter(asking__gt=0)[:MOST]:
        count = getattr(competition, "asking", 0)
        text = ngettext("%(count)d player asks for a place.", "%(count)d players ask for a place.", count)
        told = text % {"count": count}
        yield Need(competition.name, told, _("Approve"), _page(competition, "#entries"))


def steps_to_take(clubs: Clubs) -> Iterator[Need]:
    """Yield the competitions that wait for a step of their organiser."""
    waiting = (Competition.Step.START, Competition.Step.PLAY, Competition.Step.RULE, Competition.Step.NONE)
    for competition in _live(clubs).exclude(step__in=waiting).order_by("changed_at", "pk"):
        step = next_step(competition)
        if not (step.urgent and step.verb):
            continue
        reviewed = step.key == "publish"
        address = _page(competition, "#latest") if reviewed else verb_page(competition, step.verb)
        action = _("Look at the draw") if reviewed else step.action
        yield Need(competition.name, step.text, action, address, competition.changed_at)


def abandoned_tables(clubs: Clubs) -> Iterator[Need]:
    """Yield the tables whose game was abandoned: they wait for a ruling, or for being played again."""
    for table in _tables(clubs).filter(status=Table.Status.ABANDONED)[:MOST]:
        competition = table.round.stage.competition
        address = verb_page(competition, "rule", f"?table={table.pk}")
        text = _("%(table)s: its game was abandoned.") % {"table": _named(table)}
        yield Need(competition.name, text, _("Rule"), address)


def late_tables(clubs: Clubs) -> Iterator[Need]:
    """Yield the tables that are past their deadline, or have stood still for long, and for whom they wait."""
    now = timezone.now()
    past = Q(round__deadline__lt=now)
    still = Q(round__deadline=None, games__game__status="active", games__game__moved_at__lt=now - PATIENCE)
    late = _tables(clubs).filter(past | still, status=Table.Status.PLAYING)
    for table in late.order_by("round__deadline", "round__stage__competition", "number").distinct()[:MOST]:
        competition = table.round.stage.competition
        waits = waiting_for(table)
        text = _("%(table)s is late; it waits for %(names)s.") % {
            "table": _named(table),
            "names": ", ".join(waits.names) or "–",
        }
        yield Need(competition.name, text, _("Look"), _page(competition, "#latest"), waits.since)


def score_cards_to_confirm(clubs: Clubs) -> Iterator[Need]:
    """Yield the score cards on which rounds have waited for a while for somebody to agree."""
    still = timezone.now() - CARD_PATIENCE
    for card in unconfirmed_score_cards(clubs, still_since=still)[:MOST]:
        rounds = {"rounds": ", ".join(map(str, card.disputed or card.rounds))}
        text = _("Score card: nobody has confirmed round %(rounds)s.") % rounds
        if card.disputed:
            text = _("Score card: round %(rounds)s was corrected, nobody has agreed.") % rounds
        where = card.place.competition or card.place.club
        address = reverse("play", args=[card.place.pk])
        yield Need(str(where), text, _("Look"), address, card.place.game.moved_at)


def failing_webhooks(clubs: Clubs) -> Iterator[Need]:
    """Yield the webhooks that were stopped, take nothing, or did not take something lately."""
    lately = Q(deliveries__status=Delivery.Status.FAILED, deliveries__tried_at__gt=timezone.now() - PATIENCE)
    given_up = Count("deliveries", filter=lately & ~Q(deliveries__kind=Delivery.Kind.PING))
    webhooks = Webhook.objects.filter(club__in=clubs).select_related("club").annotate(given_up=given_up)
    failing = Q(stopped_at__isnull=False) | Q(active=True, failing_since__isnull=False) | Q(given_up__gt=0)
    for webhook in webhooks.filter(failing).order_by("created_at", "pk")[:MOST]:
        text = _("The webhook at %(host)s takes nothing.") % {"host": webhook.host}
        if webhook.stopped_at:
            text = _("The webhook at %(host)s took nothing for days and is stopped.") % {"host": webhook.host}
        elif not webhook.failing_since:
            text = _("The webhook at %(host)s has not taken everything.") % {"host": webhook.host}
        address = reverse("admin:league_webhook_change", args=[webhook.pk])
        yield Need(webhook.club.name, text, _("Look"), address, webhook.failing_since)


def _tables(clubs: Clubs) -> QuerySet[Table]:
    published = Table.objects.filter(
        round__status=Round.Status.PUBLISHED, round__stage__competition__in=_live(clubs).values("pk")
    )
    return selectors.with_seats_and_games(published).select_related("round__stage__competition")


def _named(table: Table) -> str:
    return _("Round %(round)d, table %(table)d") % {"round": table.round.number, "table": table.number}


@dataclass(frozen=True)
class Waiting:
    """For whom a table waits, and since when the one who was asked first has been."""

    names: tuple[str, ...]
    since: datetime | None


def waiting_for(table: Table) -> Waiting:
    """Return for whom a table waits; its seats and games are loaded with it. Nobody where no game runs."""
    names = {seat.number: seat.player.name for seat in table.seats.all()}
    for place in table.games.all():
        if not place.game.is_over:
            since = [moment for moment in place.game.since if moment]
            awaited = tuple(names.get(seat, "?") for seat in place.game.awaited)
            return Waiting(awaited, min(since, default=None))
    return Waiting((), None)


PROVIDERS: Final[tuple[Provider, ...]] = (
    abandoned_tables,
    entries_to_approve,
    steps_to_take,
    late_tables,
    score_cards_to_confirm,
    failing_webhooks,
)
