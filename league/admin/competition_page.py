"""What the desk's page of a competition shows: what it waits for, its verbs, a round, its entries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games import database_time
from league.admin.consequences import (
    Warned,
    warnings_about,
)
from league.admin.details import prizes_to_note
from league.admin.needs import (
    CHECK_IN,
    OPEN_ENDED,
    PUT_OFF,
    STEPS,
    TOO_FEW,
    NextStep,
    Waiting,
    next_step,
    waiting_for,
)
from league.admin.swaps import last_swap
from league.admin.verbs import Offer, offered
from league.core.agreed import on_request
from league.core.course import absent_entries, too_few_present
from league.core.drawing.cost import history_of
from league.core.state.competition import Competition as State
from league.core.verb import Button
from league.core.verbs.cut_off import Recommit
from league.core.verbs.results import AwardWalkover, ForfeitEntry
from league.core.verbs.rounds import PublishRound
from league.models import Competition, Entry, Round, Table
from league.models.names import search_key
from league.queries import rounds
from league.queries.competitions import details_of, entries_of, stages_of, state_of
from league.queries.events import events_of, with_names_then
from league.queries.rounds import apart_in, filled_in, in_turns, keeps_secret, rounds_of, tables_put_off
from league.queries.verbs import as_drawn, checkable, declined, unmailed
from league.requests import account_in
from league.words import competitions, draw_reports
from league.words.competitions import who_enters
from league.words.desks import entered_by
from league.words.event_text import event_lines
from league.words.messages import shown_name
from league.words.options import ahead_in_words, left_tables, next_seating_in_words, opens_tables, options_of
from league.words.values import on_paper

EVENTS_SHOWN = 15


@dataclass(frozen=True)
class TableRow:
    """A table on the desk: whose turn it is, and the buttons of its verbs, each with its title.

    ``entered_by`` says whose desks entered its result, where clubs did.
    ``again`` are the pairs at a drawn table who have met before, ``unmailed`` the people who got no email
    about a table that was opened for them.
    """

    table: Table
    waits: Waiting
    buttons: Sequence[tuple[str, str]]
    again: Sequence[tuple[str, str]] = ()
    unmailed: Sequence[str] = ()
    entered_by: str = ""

    @property
    def key(self) -> str:
        """Return the table's id as text."""
        return mark_safe(str(self.table.pk))


@dataclass(frozen=True)
class EntryRow:
    """An entry on the desk, whether it misses the next round, and whether as it asked.

    ``declined``: before the start, one of its players has said not to come.
    """

    entry: Entry
    absent: bool
    asked: bool
    declined: bool


def shown_on_page(request: HttpRequest, competition: Competition, *, directs: bool) -> dict[str, Any]:
    """Return what the page shows to who directs the competition, or only sees it."""
    available = offered(competition) if directs else []
    selected = _selected_round(request, competition, available)
    events = list(events_of(competition, withheld=True)[:EVENTS_SHOWN])
    step = _next_step(competition)
    put_off = list(tables_put_off(competition))
    to_play = bool(put_off) or any(each.status != Round.Status.CLOSED for each in selected["rounds"])
    due = next((offer.button for offer in available if offer.button.key == step.verb), None)
    return {
        "competition": competition,
        "original": competition,
        "step": step,
        "to_check": _to_check(request, competition) if competition.unchecked else (),
        "due": due,
        "seating": next_seating_in_words(as_drawn(competition.pk, state_of(competition)))
        if available
        else "",
        "ahead": ahead_in_words(competition),
        "left": left_tables(state_of(competition)) if available else (),
        "ways": [
            offer.button
            for offer in available
            if offer.verb in (AwardWalkover, ForfeitEntry) and "playing" in offer.button.tables
        ],
        "nobody_here": _nobody_is_here(state_of(competition)),
        "parts": _parts(_needed(competition, available), due, any_round=bool(selected["rounds"])),
        "bulk": [offer.button for offer in available if offer.button.several],
        "entries": _entry_rows(competition, request.GET.get("find", "")),
        "find": request.GET.get("find", ""),
        "stages": stages_of(competition),
        "events": event_lines(events),
        "last_swap": last_swap(events, competition),
        "zone": competition.club.timezone,
        "entering": who_enters(state_of(competition).opening),
        "partners": state_of(competition).opening.lineup == "partners",
        "options": options_of(competition),
        "details": details_of(competition),
        "to_note": prizes_to_note(competition) if directs else (),
        "directs": directs,
        "put_off": put_off,
        "available": bool(available),
        "on_paper": on_paper(competition.ruleset),
        "to_play": to_play,
        "doubles": rounds.double_bookings(competition),
        **selected,
    }


def _next_step(competition: Competition) -> NextStep:
    """Return what the competition waits for; some texts depend on the state."""
    step, state = next_step(competition), state_of(competition)
    if step is STEPS["start"] and state.opening.entering.check_in:
        return replace(step, text=CHECK_IN)
    if any(step is steps["draw"] for steps in (STEPS, OPEN_ENDED)) and too_few_present(state):
        return replace(step, text=TOO_FEW)
    between_rounds = state.stage is not None and state.stage.open_round is None
    return replace(step, text=PUT_OFF) if step.key == "play" and between_rounds else step


def _nobody_is_here(state: State) -> bool:
    """Return whether nobody has checked in yet for a competition that needs it and has not started."""
    waiting = state.opening.entering.check_in and not state.started and not state.over
    entered = sum(entry.status == "entered" for entry in state.entries)
    return waiting and 0 < entered == len(state.not_checked_in)


def _needed(competition: Competition, available: Sequence[Offer]) -> list[Offer]:
    """Return the offers without the one to commit again, unless the server has lost the secret."""
    lost = not keeps_secret(competition)
    return [offer for offer in available if lost or offer.verb is not Recommit]


def _parts(
    available: Sequence[Offer], due: Button | None, *, any_round: bool
) -> list[tuple[str, list[Button], list[Button]]]:
    """Return the buttons outside the lists of tables and entries but that which is due, part by part.

    Those of rounds come first once there is one, and last before. Rare ones come by themselves.
    """
    titles = {"entries": _("Entries"), "competition": _("Competition")}
    of_rounds = {"round": _("Round")}
    titles = {**of_rounds, **titles} if any_round else {**titles, **of_rounds}
    buttons = sorted((offer.button for offer in available), key=lambda each: (each.rank, not each.steps))
    single = [each for each in buttons if not each.tables and not each.several and each != due]
    parts = [(title, [each for each in single if each.part == part]) for part, title in titles.items()]
    return [
        (title, [each for each in inside if not each.rare], [each for each in inside if each.rare])
        for title, inside in parts
        if inside
    ]


def _entry_rows(competition: Competition, find: str) -> list[EntryRow]:
    """Return the entries whose names have every word of a text, ignoring accents and case."""
    state, words = state_of(competition), search_key(find).split()
    absent, asked = absent_entries(state), on_request(state, state.round_point(state.next_change))
    entries = entries_of(competition).prefetch_related(None)
    no = set() if state.started else {str(player) for player in declined(competition.pk)}
    said_no = {each.id for each in state.entries if each.live and not no.isdisjoint(each.players)}
    return [
        EntryRow(entry, str(entry.pk) in absent, str(entry.pk) in asked, str(entry.pk) in said_no)
        for entry in entries
        if _has_all(entry.name, words)
    ]


def _has_all(name: str, words: Sequence[str]) -> bool:
    return not words or all(word in search_key(name) for word in words)


def _selected_round(
    request: HttpRequest, competition: Competition, available: Sequence[Offer]
) -> dict[str, Any]:
    """Return the round of ``?round=``, otherwise the last one, with its tables."""
    rounds = rounds_of(competition, drawn=True)
    names = list(
        rounds.prefetch_related(None).only("number", "status", "stage__number", "stage__name", "stage__plan")
    )
    wanted = request.GET.get("round", "")
    chosen = next((each for each in names if str(each.pk) == wanted), names[0] if names else None)
    (selected,) = with_names_then(competition, [rounds.get(pk=chosen.pk)]) if chosen else (None,)
    tables = in_turns(selected.tables.all()) if selected else ()
    state = state_of(competition)
    opened = [each.pk for each in tables if each.status == Table.Status.PLAYING]
    one_by_one = selected and opens_tables(selected.stage.format)
    unmailed_at = unmailed(opened) if one_by_one else {}
    by_desks = entered_by(state, [str(each.pk) for each in tables if each.ruled])
    beside_tables = [(offer, escape(_(offer.button.title))) for offer in available if offer.button.tables]
    return {
        "rounds": names[::-1],
        "shown_round": selected,
        "sheet": _sheet(competition, names),
        "tables": [
            replace(
                _table_row(table, beside_tables, state, unmailed_at),
                entered_by=by_desks.get(str(table.pk), ""),
            )
            for table in tables
        ],
        "told_at": next((each.pk for each in tables if str(each.pk) == request.GET.get("table")), None),
        "late": bool(selected and _is_late(selected)),
        "abandoned": sum(table.status == Table.Status.ABANDONED for table in tables),
        "warnings": _since_draw(competition, available) if selected and _is_proposal(selected) else (),
        "quality": _quality(selected, state) if selected and _is_proposal(selected) else (),
    }


def _quality(drawn: Round, state: State) -> tuple[str, ...]:
    teams, apart = state.opening.lineup == "partners", apart_in(drawn.stage.competition, drawn)
    filled_by = filled_in(drawn.stage.competition, drawn)
    return draw_reports.sentences(drawn.report, teams=teams, apart=apart, filled_by=filled_by)


def _since_draw(competition: Competition, available: Sequence[Offer]) -> Sequence[Warned]:
    """Return what happened since the round was drawn, as the page that publishes it says."""
    publish = next((offer for offer in available if issubclass(offer.verb, PublishRound)), None)
    return warnings_about(competition, publish) if publish else ()


def _sheet(competition: Competition, rounds: Sequence[Round]) -> Round | None:
    """Return the round that is being played with real cards, whose results are typed in; None for none."""
    if not on_paper(competition.ruleset):
        return None
    return next((each for each in rounds if each.status == Round.Status.PUBLISHED), None)


def _is_late(shown: Round) -> bool:
    """Return whether the round is still played after its deadline."""
    played = shown.status == Round.Status.PUBLISHED
    return played and shown.deadline is not None and shown.deadline < database_time.now()


def _to_check(request: HttpRequest, competition: Competition) -> list[tuple[str, str]]:
    among = checkable(account_in(request), competition)
    return competitions.tables_to_check(state_of(competition), among)


def _is_proposal(shown: Round) -> bool:
    """Return whether the round is an unpublished draw; rounds of open play have none."""
    return shown.status == Round.Status.DRAWN and bool(shown.report)


def _table_row(
    table: Table,
    available: Sequence[tuple[Offer, str]],
    state: State,
    unmailed_at: Mapping[UUID, Sequence[str]],
) -> TableRow:
    now = state.any_table(str(table.pk))
    buttons = [
        (mark_safe(offer.button.key), title)
        for offer, title in available
        if table.status in offer.button.tables and offer.verb.fits(now, state)
    ]
    again = _who_meet_again(table, state)
    return TableRow(table, waiting_for(table), buttons, again, unmailed_at.get(table.pk, ()))


def _who_meet_again(table: Table, state: State) -> list[tuple[str, str]]:
    """Return the names of the pairs at a table of the unpublished draw who have met in the stage."""
    drawn = state.drawn_round
    if drawn is None or state.stage is None or all(each.id != str(table.pk) for each in drawn.tables):
        return []
    met = history_of(state.stage).opponents
    names = {str(seat.entry_id): shown_name(seat.entry.name) for seat in table.seats.all()}
    pairs = combinations(names, 2)
    return [(names[one], names[other]) for one, other in pairs if met[one][other]]
