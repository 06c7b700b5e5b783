"""The desk's page on which a planned competition is rehearsed, round by round."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from games import rules
from games.engine.refusals import Refusal
from league import hooks, log
from league.admin.base import AppPage
from league.admin.competitions import CompetitionAdmin
from league.apps.rehearsal.core import MOST_ENTRIES, Rehearsal, opens_by_itself
from league.core import match_view
from league.core.entering import with_names
from league.core.standings import ranking
from league.core.standings.plain import plain
from league.core.standings.rows import rows as as_rows
from league.core.state.competition import Competition as State
from league.core.state.competition import Round, Stage, Table
from league.forms import NumberField
from league.models import Competition, Player
from league.queries.verbs import beside_the_log
from league.words.matches import match_in_words
from league.words.messages import translated
from league.words.plain import plain_columns
from league.words.values import column, numbers_within, table_label

KEPT = 60 * 60
"""For how many seconds a rehearsal can go on from its latest round; after that it is played again."""
MOST_ROUNDS = 100
_USUAL = 8


class RehearsalForm(forms.Form):
    """How many take part, and which of the rehearsals it is."""

    entries = NumberField(
        label=gettext_lazy("Entries"),
        min_value=2,
        max_value=MOST_ENTRIES,
        help_text=gettext_lazy(
            "Those who have entered, the first of them first; others are invented. At most 200, so that each "
            "round is shown within a few seconds."
        ),
    )
    number = NumberField(label=gettext_lazy("Rehearsal"), min_value=1, max_value=1000, initial=1)
    rounds = NumberField(label=gettext_lazy("Rounds"), min_value=0, max_value=MOST_ROUNDS, required=False)


def rehearsal_page(admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """Show the rounds of a rehearsal so far; nothing is stored, but for an hour in the cache."""
    state = log.latest(competition)
    entered = sum(entry.status == "entered" for entry in state.entries)
    usual = entered or state.opening.entering.places or _USUAL
    form = RehearsalForm(request.GET or None, initial={"entries": min(MOST_ENTRIES, max(usual, _USUAL))})
    context: dict[str, Any] = {"original": competition, "competition": competition, "form": form}
    if form.is_bound and form.is_valid():
        asked = {**form.cleaned_data, "rounds": form.cleaned_data["rounds"] or 1}
        try:
            rehearsal = _rehearsal(competition, state, asked["entries"], asked["number"])
            after = with_names(_after(rehearsal, **asked), rehearsal.known)
        except Refusal as refusal:
            form.add_error(None, translated(refusal.sentence))
        else:
            context |= {"rounds": _rounds(after), "asked": asked, "over": after.over}
    answer = admin.render_page(request, "rehearsal/page.html", _("Rehearsal"), context)
    answer["Cache-Control"] = "no-store"
    return answer


def _rehearsal(competition: Competition, state: State, entries: int, number: int) -> Rehearsal:
    players = {player for entry in state.entries for player in entry.players}
    known = {str(pk): name for pk, name in Player.objects.filter(pk__in=players).values_list("pk", "name")}
    stranger = _("Player %(number)d")
    return Rehearsal(state, str(competition.pk), entries, number, known, stranger, beside_the_log)


def _after(rehearsal: Rehearsal, *, entries: int, number: int, rounds: int) -> State:
    """Return the state after so many rounds; the latest one before is taken up from the cache."""
    kept = (*map(str, (rehearsal.competition, rehearsal.planned.seq, entries, number, get_language())),)
    keys = [
        "rehearsal:" + hashlib.sha256(":".join((*kept, str(each))).encode()).hexdigest()
        for each in range(rounds + 1)
    ]
    found = cache.get_many(keys)
    done = max((each for each in range(rounds + 1) if keys[each] in found), default=0)
    state: State = found.get(keys[done]) or rehearsal.begun()
    for each in range(done + 1, rounds + 1):
        state = rehearsal.after_a_round(state)
        cache.set(keys[each], state, KEPT)
    return state


def _rounds(state: State) -> list[dict[str, Any]]:
    """Return each round with its tables, who sits out, and the standings after it."""
    return [_round(state, stage, each) for stage in state.stages for each in stage.rounds]


def _round(state: State, stage: Stage, each: Round) -> dict[str, Any]:
    called = {entry.id: entry.name for entry in state.entries}
    counts = plain(state, stage, each.number)
    rows = [*as_rows(ranking.order(state, stage.number, each.number), called, {}, telling=counts)]
    points = column([str(row.points) for row in rows], signed=False)
    counted = plain_columns(counts, {UUID(row.entry): str(row.points) for row in rows})
    cells = [[one.of(UUID(row.entry)) for one in counted] for row in rows]
    reasons = [numbers_within(translated(row.explanation)) for row in rows]
    tables = [
        (
            number,
            table_label(table.label),
            [(" & ".join(called[entry] for entry in side), score) for side, score in _results(state, table)],
            match_in_words(match_view.as_json(table)),
        )
        for number, table in each.numbered
    ]
    return {
        "stage": translated(stage.plan.name),
        "number": each.number,
        "tables": tables,
        "byes": [called[entry] for entry in (*each.byes, *each.idle)],
        "columns": [(one.title, one.about) for one in counted],
        "rows": [
            (row.rank, called[row.entry], *told)
            for row, *told in zip(rows, points, cells, reasons, strict=True)
        ],
    }


def _results(state: State, table: Table) -> list[tuple[Sequence[str], int | None]]:
    """Return each side of a table, partners together, with its score, the best first.

    Of a match and a walkover they are names alone.
    """
    result = next((game.result for game in table.games if game.result), None)
    entries = [seat.entry for seat in table.seats]
    of_seat = rules.sides(state.opening.ruleset, entries)
    sides = {
        side: [*dict.fromkeys(entry for entry, own in zip(entries, of_seat, strict=True) if own == side)]
        for side in of_seat
    }
    if result is None or table.match:
        return [(side, None) for side in sides.values()]
    placed = sorted(result.placings, key=lambda at: (at.rank, at.seat))
    best = {of_seat[at.seat]: at.score for at in reversed(placed)}
    return [(sides[side], best[side]) for side in dict.fromkeys(of_seat[at.seat] for at in placed)]


def _offered(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return whether a competition can be rehearsed: it has not begun, and no table opens by itself."""
    competition = page["competition"]
    planned = competition.status in (Competition.Status.PREPARING, Competition.Status.ENTERING)
    return {"rehearsed": page["directs"] and planned and not opens_by_itself(log.latest(competition))}


hooks.GIVEN["rehearsal/at_desk_about.html"] = _offered
CompetitionAdmin.app_pages["rehearsal"] = AppPage(rehearsal_page)
