"""What a competition waits for and the verb that is due; and what needs an organiser."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, Final, TypeAlias

from django.db.models import Case, Count, Q, QuerySet, When
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import database_time
from games.engine.messages import both, filled, plural
from league.models import Account, Club, ClubGame, Competition, Entry, Invitation, Round, Table
from league.queries.competitions import left_to_draw, running_competitions, state_of
from league.queries.links import masked
from league.queries.prizes import unnoted_prizes
from league.queries.rounds import with_seats_and_games
from league.queries.score_cards import unconfirmed_score_cards
from league.queries.verbs import checkable
from league.words.competitions import does_later, does_soon
from league.words.messages import name_at_table, shown_name, translated
from league.words.values import in_room, on_paper

# ---- Steps ---------------------------------------------------------------------------------------

STEP_PATIENCE: Final = timedelta(minutes=2)
"""How long an automatic step may take before the organiser is told."""


@dataclass(frozen=True)
class NextStep:
    """What a competition waits for, keyed as in `league.core.course.next_step`.

    ``verb`` is the organiser's verb that is due and ``action`` its title; None where none is due. ``at`` is
    when the automatic pace takes the step, where it waits before that.
    """

    key: str
    text: Any
    verb: str | None
    action: Any
    urgent: bool
    at: datetime | None = None

    @property
    def seconds(self) -> int:
        """Return in how many seconds the automatic pace takes the step."""
        return round((self.at - database_time.now()).total_seconds()) if self.at else 0


_STEPS: Final = (
    NextStep("start", gettext_lazy("Enter all players, then start."), "start", gettext_lazy("Start"), False),
    NextStep(
        "start_stage",
        gettext_lazy("The next stage can begin."),
        "start-stage",
        gettext_lazy("Start the next stage"),
        True,
    ),
    NextStep(
        "draw", gettext_lazy("The next round can be drawn."), "draw", gettext_lazy("Draw the round"), True
    ),
    NextStep(
        "publish",
        gettext_lazy("Review and publish the draw."),
        "publish",
        gettext_lazy("Publish the round"),
        True,
    ),
    NextStep("play", gettext_lazy("Games are being played."), None, None, False),
    NextStep(
        "rule", gettext_lazy("A game was abandoned: set the table’s result, or void it."), None, None, True
    ),
    NextStep(
        "close_round",
        gettext_lazy("All tables are decided. The round can be closed."),
        "close-round",
        gettext_lazy("Close the round"),
        True,
    ),
    NextStep(
        "finish",
        gettext_lazy("All rounds are played. You can finish it."),
        "finish",
        gettext_lazy("Finish"),
        True,
    ),
    NextStep("none", gettext_lazy("The standings are final."), None, None, False),
)
STEPS: Final = {step.key: step for step in _STEPS}
OPEN_ENDED: Final = {
    "draw": NextStep(
        "draw",
        gettext_lazy("The round can be prepared and published."),
        "open-round",
        gettext_lazy("Prepare the round"),
        True,
    ),
    "publish": NextStep(
        "publish",
        gettext_lazy("Publish the round: then its tables are opened."),
        "publish",
        gettext_lazy("Publish the round"),
        True,
    ),
    "play": NextStep(
        "play", gettext_lazy("The round is open: tables are opened while it lasts."), None, None, False
    ),
}
"""The steps of a stage whose tables are opened one by one."""
PAUSED: Final = NextStep("paused", gettext_lazy("It is paused."), "resume", gettext_lazy("Resume"), True)
CANCELLED: Final = NextStep("none", gettext_lazy("Nothing more is played."), None, None, False)
CHECK_IN: Final = gettext_lazy("Enter all players, check in those who are here, then start.")
PUT_OFF: Final = gettext_lazy("All rounds are played, but tables that were put off are still to be decided.")
TOO_FEW: Final = gettext_lazy("Too few entries are present to draw the next round.")
EMPTY: Final = NextStep(
    "start", gettext_lazy("Nobody has entered yet."), "enter", gettext_lazy("Enter players"), False
)
ALONE: Final = replace(EMPTY, text=gettext_lazy("There is only one entry yet."))
NOW: Final = {"close_round": gettext_lazy("Close now"), "finish": gettext_lazy("Finish now")}
STUCK: Final = gettext_lazy(
    "This should have happened automatically. Do it yourself and check what went wrong."
)


@dataclass(frozen=True)
class WithStep:
    """A competition and what it waits for."""

    competition: Competition
    step: NextStep


def in_order_of_need(competitions: QuerySet[Competition]) -> QuerySet[Competition]:
    """Return the competitions, first those that may need their organiser, then the newest first."""
    quiet = [key for key, step in STEPS.items() if not step.urgent]
    waits = Case(
        When(status=Competition.Status.PAUSED, then=0),
        When(step__in=quiet, time_over=False, then=1),
        default=0,
    )
    return competitions.order_by(waits, "-opened_at", "pk")


def with_steps(competitions: Iterable[Competition]) -> list[WithStep]:
    """Return the competitions with what each waits for, those that need their organiser first."""
    rows = [WithStep(competition, next_step(competition)) for competition in competitions]
    return sorted(rows, key=lambda row: not row.step.urgent)


def next_step(competition: Competition) -> NextStep:
    """Return what the competition waits for now; its log is read only where the automatic pace is due."""
    if competition.status == Competition.Status.PAUSED:
        return PAUSED
    if competition.status == Competition.Status.CANCELLED:
        return CANCELLED
    at, now = competition.acts_at, database_time.now()
    time_over = getattr(competition, "time_over", False) or (at and competition.step == Competition.Step.PLAY)
    key = "close_round" if time_over else competition.step
    opened = getattr(competition, "opens_tables", False)
    step = _too_few(competition) or (OPEN_ENDED if opened else {}).get(key) or STEPS[key]
    if at is None:
        return step
    if now >= at and (names := left_to_draw(state_of(competition), competition)):
        return replace(step, text=_left_in_words(names))
    if now > at + STEP_PATIENCE:
        return replace(step, text=STUCK)
    if now < at:
        return replace(step, text=does_later(competition, at), action=NOW[step.key], urgent=False, at=at)
    return replace(step, text=does_soon(competition), verb=None, urgent=False)


def _left_in_words(names: Sequence[str]) -> str:
    told = plural(
        "It does not go on automatically: %(names)s is no longer in the club, and would play. Withdraw the "
        "entry, or go on yourself.",
        "It does not go on automatically: %(names)s are no longer in the club, and would play. Withdraw "
        "their entries, or go on yourself.",
        len(names),
        names=both([shown_name(name) for name in names]),
    )
    return translated(told)


def _too_few(competition: Competition) -> NextStep | None:
    """Return that there are too few entries to start, as counted by `with_entry_counts`; None for enough."""
    if competition.step != Competition.Step.START:
        return None
    return {0: EMPTY, 1: ALONE}.get(getattr(competition, "entry_count", 0))


# ---- Needs ---------------------------------------------------------------------------------------

MOST: Final = 20
"""The most needs of one kind that are shown."""
PATIENCE: Final = timedelta(days=7)
"""How long a table without a deadline may go without a move before it counts as late."""
PRIZES_NOTED: Final = timedelta(days=60)
"""How long after a competition it is asked who won its prizes."""
CARD_PATIENCE: Final = timedelta(minutes=30)
"""How long the players of a score card have to confirm it themselves."""


@dataclass(frozen=True)
class Need:
    """Something that needs an organiser: where, what, since when, and the button that leads to it.

    A button that is ``posted`` does it at once; ``possible`` says whether an account can do it.
    """

    where: str
    text: Any
    action: Any
    address: str
    since: datetime | None = None
    posted: bool = False
    possible: Callable[[Account], bool] = lambda by: True


Clubs: TypeAlias = QuerySet[Club]
Provider: TypeAlias = Callable[[Clubs], Iterable[Need]]


def needs_of(clubs: Clubs, by: Account | None = None) -> list[Need]:
    """Return what needs the organisers of these clubs, or this one of them, kind by kind."""
    found = (need for provider in PROVIDERS for need in provider(clubs))
    return [need for need in found if by is None or need.possible(by)]


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


def _checks(competition: Competition, by: Account) -> bool:
    return bool(checkable(by, competition))


def results_to_check(clubs: Clubs) -> Iterator[Need]:
    """Yield the competitions with results that wait for a second person, and with open objections."""
    for each in _running(clubs).filter(unchecked__gt=0).order_by("opened_at", "pk")[:MOST]:
        text = ngettext(
            "%(count)d result is to be checked.", "%(count)d results are to be checked.", each.unchecked
        )
        page, can = _page(each, "#to-check"), partial(_checks, each)
        yield Need(each.name, text % {"count": each.unchecked}, _("Check"), page, possible=can)
    objected = Competition.objects.filter(club__in=clubs, objections__gt=0).exclude(status="cancelled")
    for each in objected.order_by("opened_at", "pk")[:MOST]:
        text = ngettext(
            "%(count)d objection waits for a decision.",
            "%(count)d objections wait for a decision.",
            each.objections,
        )
        address = _verb_page(each, "decide-objection")
        yield Need(each.name, text % {"count": each.objections}, _("Decide"), address)


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
    ordered = late.order_by("round__deadline", "round__stage__competition", "number", "pk")
    for table in ordered.distinct()[:MOST]:
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
    numbers = {"round": table.round.number, "table": table.number}
    return in_room(_("Round %(round)d, table %(table)d") % numbers, table.room)


@dataclass(frozen=True)
class Waiting:
    """The players whose turn it is at a table, and since when it is the turn of the first of them.

    On a score card they are all its players but who has left it; ``rounds`` are the deals to be confirmed.
    """

    names: tuple[str, ...]
    since: datetime | None
    rounds: str = ""


def waiting_for(table: Table) -> Waiting:
    """Return whose turn it is at a table loaded with its seats and games; no names where no game runs."""
    playing = [seat for seat in table.seats.all() if not seat.has_left]
    names = {seat.number: name_at_table(seat) for seat in playing}
    for club_game in table.games.all():
        if not club_game.game.is_over:
            if on_paper(club_game.game.ruleset):
                rounds = ", ".join(map(str, club_game.game.unconfirmed))
                return Waiting(tuple(dict.fromkeys(names.values())), None, rounds)
            since = [moment for moment in club_game.game.since if moment]
            awaited = tuple(names.get(seat ^ club_game.turn, "?") for seat in club_game.game.awaited)
            return Waiting(awaited, min(since, default=None))
    return Waiting((), None)


def prizes_without_winners(clubs: Clubs) -> Iterator[Need]:
    """Yield the competitions that finished lately and have prizes of categories without a noted winner."""
    since = database_time.now() - PRIZES_NOTED
    over = Competition.objects.filter(club__in=clubs, status="finished", changed_at__gt=since)
    found = over.exclude(stored_details=None).exclude(stored_details__prizes=[])
    ordered = found.select_related("stored_details").order_by("changed_at", "pk")
    for each in islice(filter(unnoted_prizes, ordered), MOST):
        count = len(unnoted_prizes(each))
        text = ngettext(
            "Nobody has noted yet who won %(count)d prize.",
            "Nobody has noted yet who won %(count)d prizes.",
            count,
        )
        address = reverse("admin:league_competition_details", args=[each.pk]) + "#id_details.prizes"
        yield Need(each.name, text % {"count": count}, _("Note who won"), address, each.changed_at)


PROVIDERS: Final[list[Provider]] = [
    disputed_score_cards,
    abandoned_tables,
    results_to_check,
    entries_to_approve,
    invitations_to_confirm,
    steps_to_take,
    late_tables,
    score_cards_to_confirm,
    prizes_without_winners,
]
