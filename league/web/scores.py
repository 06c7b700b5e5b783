"""Results typed in: the sheet of a round and the grid of a card.

Both are one form with one Save. With scripts each row is sent by itself as soon as it is typed, and what the
answer says of it replaces what the page shows (`static/trefoil/scorecards.js`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.engine.messages import filled
from games.engine.refusals import Malformed, Refusal, Stale
from games.engine.textinput import number
from league.callers import ByAccount
from league.core.verbs.rulings import RuledSeat, SetResult
from league.queries import permissions, score_cards
from league.queries.games import all_games, seat_of, seated_at, seats_of
from league.queries.rounds import DECIDED
from league.requests import account_in, number_in
from league.services.score_cards import confirm_round, write_round
from league.services.verbs import perform
from league.web.scoregrids import PostedRow, Refused, posted_rows, result_in, seen
from league.web.scoresheets import (
    MOST_TABLES,
    TOTALS,
    Key,
    Part,
    Place,
    Sheet,
    as_json,
    card_shown,
    closing,
    totals_now,
)
from league.words.messages import translated
from league.words.moves import seat_name, shown
from league.words.names import name_at_table
from league.words.values import marked

if TYPE_CHECKING:
    from league.models import Account, ClubGame, Table


# ---- The pages -----------------------------------------------------------------------------------


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """Show the cards of a round, and save what was typed into them."""
    found = score_cards.published_round(round_id)
    if found is None:
        raise Http404
    account, competition = account_in(request), found.stage.competition
    role = permissions.role_in(competition.club_id, account)
    if role not in permissions.SCOREKEEPERS:
        raise PermissionDenied(permissions.SCOREKEEPERS_ONLY)

    part = number_in(request, "part") or 1

    def load() -> Sheet:
        tables = score_cards.tables_of_rounds([found])[found.pk]
        here = tables[(part - 1) * MOST_TABLES :][:MOST_TABLES]
        directs = role in permissions.DIRECTORS
        parts = _parts(tables, part)
        return Sheet(account, True, directs, competition, found, _places(here, account), parts)

    return _filled_in(request, load)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def card(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Show a card, and save what a scorekeeper, or a player at its table, typed into it."""
    account = account_in(request)

    def load() -> Sheet:
        club_game = all_games().filter(pk=game_id).first()
        if club_game is None:
            raise Http404
        role = permissions.role_in(club_game.club_id, account)
        keeps, mine = role in permissions.SCOREKEEPERS, seat_of(account, game_id)
        if not keeps and mine is None:
            raise PermissionDenied(
                _("Only the players at this table, scorekeepers and organisers enter scores.")
            )
        place = _place(club_game, club_game.table, mine)
        if place.position is None:
            raise Http404
        its_round = club_game.table.round if club_game.table else None
        directs = role in permissions.DIRECTORS
        return Sheet(account, keeps, directs, club_game.competition, its_round, [place])

    return _filled_in(request, load)


def _parts(tables: Sequence[Table], here: int) -> list[Part]:
    """Return the sheets of a round that has too many tables for one, else none."""
    if len(tables) <= MOST_TABLES:
        return []
    firsts = range(0, len(tables), MOST_TABLES)
    return [_part(at, tables[first : first + MOST_TABLES], here) for at, first in enumerate(firsts, 1)]


def _part(at: int, tables: Sequence[Table], here: int) -> Part:
    rel = {1: "next", -1: "prev"}.get(at - here, "")
    decided = sum(table.status in DECIDED for table in tables)
    return Part(at, tables[0].number, tables[-1].number, at == here, rel, len(tables), decided)


def _places(tables: Sequence[Table], account: Account) -> list[Place]:
    games = {table.pk: club_game for table in tables for club_game in table.games.all()}
    cards = score_cards.cards_of([club_game.game for club_game in games.values()])
    own = seats_of(account, [club_game.pk for club_game in games.values()])
    places = []
    for table in tables:
        known = games.get(table.pk)
        names = {seat.number: marked(name_at_table(seat), bot=seat.player.bot) for seat in table.seats.all()}
        position = cards.get(known.pk) if known else None
        mine = own.get(known.pk) if known else None
        places.append(Place(known if position else None, table, names, position, mine))
    return places


def _place(club_game: ClubGame, table: Table | None, mine: int | None) -> Place:
    names = {
        seat.seat: marked(seat_name(seat), bot=bool(seat.player and seat.player.bot))
        for seat in seated_at([club_game.game])[club_game.pk]
    }
    position = score_cards.cards_of([club_game.game]).get(club_game.pk)
    return Place(club_game, table, names, position, mine)


def _filled_in(request: HttpRequest, load: Any) -> HttpResponse:
    """Save what was posted and show the sheet, as JSON where a script asks for that."""
    filled: Sheet = load()
    refused: dict[Key, Refused] = {}
    posted: set[UUID] | None = None
    if request.method == "POST":
        _confirm(request, filled)
        rows = list(posted_rows(request.POST.dict()))
        refused, posted = _saved(filled, [row for row in rows if row.touched]), {row.card for row in rows}
        filled = load()
    shown_cards = [card_shown(filled, place, refused) for place in filled.places]
    if "application/json" in request.headers.get("Accept", ""):
        wanted = [each for each in shown_cards if posted is None or _ids(each.place) & posted]
        comes = closing(filled)
        return JsonResponse(
            {"cards": [as_json(each) for each in wanted], "closing": asdict(comes) if comes else None}
        )
    if request.method == "POST" and not refused:
        messages.success(request, _("Saved."))
        return redirect(request.get_full_path())
    context = {
        "sheet": filled,
        "cards": shown_cards,
        "open": any(each.writable or each.totals for each in shown_cards),
        "refused": len(refused),
        "one": _is_card(request),
        "closing": closing(filled),
        "zone": filled.competition.club.timezone if filled.competition else "UTC",
    }
    return render(request, "scores/sheet.html", context, status=422 if refused else 200)


def _is_card(request: HttpRequest) -> bool:
    """Return whether the page is that of a single card."""
    return request.resolver_match is not None and request.resolver_match.url_name == "card_scores"


def _ids(place: Place) -> set[UUID]:
    return {each.pk for each in (place.club_game, place.table) if each is not None}


# ---- Saving --------------------------------------------------------------------------------------


def _saved(filled: Sheet, rows: Sequence[PostedRow]) -> dict[Key, Refused]:
    """Save rows, in order; return those that were refused."""
    cards = {place.key: place for place in filled.places if place.position is not None}
    tables = {place.table.pk: place for place in filled.places if place.table is not None}
    refused: dict[Key, Refused] = {}
    for row in rows:
        place = tables.get(row.card) if row.number == TOTALS else cards.get(row.card)
        if place is None:
            continue
        save = _save_totals if row.number == TOTALS else _save_round
        if no := _tried(save, filled, place, row):
            refused[row.card, row.number] = no
    return refused


def _tried(save: Any, filled: Sheet, place: Place, row: PostedRow) -> Refused | None:
    try:
        save(filled, place, row)
    except Stale:
        return Refused(row.values, [_meanwhile(place, row)], conflict=True)
    except Refusal as refusal:
        errors = {
            path: [translated(each, place.names.get) for each in sentences]
            for path, sentences in refusal.errors.items()
        }
        return Refused(row.values, _sentences(refusal, errors, place.names), errors)
    return None


def _save_round(filled: Sheet, place: Place, row: PostedRow) -> None:
    assert place.position is not None
    write_round(
        by=filled.account,
        game_id=row.card,
        number=row.number,
        version=row.version,
        result=result_in(place.position.ruleset, row),
    )


def _save_totals(filled: Sheet, place: Place, row: PostedRow) -> None:
    """Set the result of a whole table; raise `Stale` where it is no longer the one that was shown."""
    assert place.table is not None and filled.competition is not None
    typed = {seat: row.values.get(f"score-{seat}", "").strip() for seat in place.names}
    now = totals_now(place.table)
    if {f"score-{seat}": text for seat, text in typed.items()} == now:
        return
    if seen(0, now) != row.seen:
        raise Stale(filled.competition.seq + 1, "competition")
    wrong = {
        f"seats.{seat}.score": [_("Enter a whole number.")]
        for seat, text in typed.items()
        if not (isinstance(number(text), int) or (seat in place.gone and not text))
    }
    if wrong:
        raise Malformed(wrong)
    seats = tuple(RuledSeat(seat, int(number(text)) if text else None) for seat, text in typed.items())
    verb = SetResult(str(place.table.pk), seats)
    perform(ByAccount(filled.account), competition=filled.competition, verb=verb)


def _sentences(refusal: Refusal, errors: Mapping[str, Sequence[str]], names: Mapping[int, str]) -> list[str]:
    """Return what is wrong, each sentence once, with the names of those whose fields it is about."""
    if not errors:
        return [translated(refusal.sentence, names.get)]
    about: dict[str, list[str]] = {}
    for path, sentences in errors.items():
        seats = [int(part) for part in path.split(".") if part.isdecimal()]
        for sentence in sentences:
            about.setdefault(sentence, []).extend(names.get(seat, "") for seat in seats[:1])
    return [
        _("%(names)s: %(sentence)s") % {"names": ", ".join(dict.fromkeys(whose)), "sentence": sentence}
        if whose and len(whose) < len(names)
        else sentence
        for sentence, whose in about.items()
    ]


def _meanwhile(place: Place, row: PostedRow) -> str:
    """Return what somebody else has written in a row meanwhile."""
    if row.number == TOTALS or place.club_game is None:
        return _("Meanwhile somebody else has set this result.")
    entry = score_cards.last_written(place.club_game.game, row.number)
    if entry is None:
        return _("Meanwhile somebody else has changed this card.")
    (line,) = shown(place.club_game.game, [entry], place.names)
    who = line.who if entry.seat is not None else score_cards.name_of(entry.account) or line.who
    what = translated(line.text, place.names.get)
    return filled(_("Meanwhile: %(who)s %(what)s."), {"who": who, "what": what})


def _confirm(request: HttpRequest, filled: Sheet) -> None:
    """Confirm the rounds that the button names, with the versions that the page showed."""
    game, *rounds = (request.POST.get("confirm", "") or "-").split()
    known = {str(place.key) for place in filled.places if place.position is not None}
    for numbers in rounds if game in known else ():
        round_, _colon, version = numbers.partition(":")
        if not (round_.isdecimal() and version.isdecimal() and len(numbers) < 10):
            continue
        try:
            confirm_round(by=filled.account, game_id=UUID(game), number=int(round_), version=int(version))
        except Stale:
            messages.error(
                request, _("Deal %(round)s has changed meanwhile: check it again.") % {"round": round_}
            )
        except Refusal as refusal:
            messages.error(request, translated(refusal.sentence))
