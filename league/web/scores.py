"""Scores of games with real cards: what is to be entered, a card, and all cards of a round.

A card, or those of a round, are one form with one Save. With scripts each row is sent by itself as soon as it
is typed, and what the answer says of it replaces what the page shows (`static/trefoil/scorecards.js`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final, TypeAlias
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.engine.messages import filled
from games.engine.refusals import Malformed, Refusal, Stale
from games.engine.textinput import number
from league.callers import ByAccount
from league.core.verbs.rulings import RuledSeat, SetResult
from league.queries import permissions, score_cards
from league.queries.accounts import zone_for
from league.queries.clubs import clubs_of
from league.queries.competitions import competitions_to_check, state_of
from league.queries.games import all_games, seat_of, seated_at, seats_of
from league.queries.rounds import DECIDED
from league.queries.verbs import checkable
from league.requests import account_in, number_in
from league.services.score_cards import confirm_round, write_round
from league.services.verbs import perform
from league.web.score_cards import MOST_TABLES, TOTALS, Card, Part, Sheet
from league.web.score_rows import PostedRow, Refused, posted_rows, result_in
from league.words.competitions import tables_to_check
from league.words.messages import name_at_table, translated
from league.words.moves import seat_name, shown
from league.words.values import marked, on_paper

if TYPE_CHECKING:
    from league.models import Account, Club, Competition, Round, Table

# ---- Home of scorekeepers ------------------------------------------------------------------------

MOST: Final = 30
"""The most rounds and cards that the home lists."""


@dataclass(frozen=True)
class RoundShown:
    """A round that is being played, its undecided tables, and whether its games are on paper."""

    round: Round
    tables: int
    missing: tuple[Table, ...]
    on_paper: bool


@never_cache
@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what a scorekeeper has to do: rounds to enter, results to check, disputed and missing cards."""
    account = account_in(request)
    clubs = clubs_of(account, *permissions.SCOREKEEPERS)
    if not clubs:
        raise PermissionDenied(permissions.SCOREKEEPERS_ONLY)
    context = {
        "clubs": clubs,
        "to_check": [*_to_check(account, clubs)],
        "rounds": list(_rounds(score_cards.rounds_played(clubs)[:MOST])),
        "disputed": score_cards.unconfirmed_score_cards(clubs, disputed=True)[:MOST],
        "unconfirmed": score_cards.unconfirmed_score_cards(clubs, disputed=False)[:MOST],
        "zone": zone_for(account, clubs[0]),
    }
    return render(request, "scores/home.html", context)


def _to_check(account: Account, clubs: Iterable[Club]) -> Iterator[tuple[Competition, list[tuple[str, str]]]]:
    """Yield the competitions in which the account can check results, with the tables of these."""
    for each in competitions_to_check(clubs)[:MOST]:
        if tables := tables_to_check(state_of(each), checkable(account, each)):
            yield each, tables


def _rounds(rounds: QuerySet[Round]) -> Iterator[RoundShown]:
    found = list(rounds)
    tables = score_cards.tables_of_rounds(found)
    for each in found:
        its_tables = tables[each.pk]
        missing = tuple(table for table in its_tables if table.status not in DECIDED)
        yield RoundShown(each, len(its_tables), missing, on_paper(each.stage.competition.ruleset))


AllRefused: TypeAlias = Mapping[UUID, Mapping[int, Refused]]
"""What was typed and not saved, by the key of the card and the number of the round."""

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

    part, only_totals = number_in(request, "part") or 1, number_in(request, "totals") == 1

    def load(refused: AllRefused) -> Sheet:
        tables = score_cards.tables_of_rounds([found])[found.pk]
        here = tables[(part - 1) * MOST_TABLES :][:MOST_TABLES]
        directs = role in permissions.DIRECTORS
        cards = _cards(here, account, refused, only_totals=only_totals)
        parts = _parts(tables, part)
        return Sheet(account, True, directs, competition, found, cards, parts, only_totals)

    return _filled_in(request, load)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def card(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Show a card, and save what a scorekeeper, or a player at its table, typed into it."""
    account = account_in(request)

    def load(refused: AllRefused) -> Sheet:
        club_game = all_games().filter(pk=game_id).first()
        if club_game is None:
            raise Http404
        role = permissions.role_in(club_game.club_id, account)
        keeps, mine = role in permissions.SCOREKEEPERS, seat_of(account, game_id)
        if not keeps and mine is None:
            raise PermissionDenied(
                _("Only the players at this table, scorekeepers and organisers enter scores.")
            )
        position, table = score_cards.cards_of([club_game.game]).get(game_id), club_game.table
        if position is None:
            raise Http404
        names = {
            seat.seat: marked(seat_name(seat), bot=bool(seat.player and seat.player.bot))
            for seat in seated_at([club_game.game])[game_id]
        }
        shown_card = Card(club_game, table, names, position, mine, keeps, refused.get(game_id, {}))
        its_round, directs = table.round if table else None, role in permissions.DIRECTORS
        return Sheet(account, keeps, directs, club_game.competition, its_round, [shown_card])

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


def _cards(
    tables: Sequence[Table], account: Account, refused: AllRefused, *, only_totals: bool
) -> list[Card]:
    games = {table.pk: club_game for table in tables for club_game in table.games.all()}
    positions = score_cards.cards_of([club_game.game for club_game in games.values()])
    own = seats_of(account, [club_game.pk for club_game in games.values()])
    cards = []
    for table in tables:
        known = games.get(table.pk)
        position = positions.get(known.pk) if known else None
        kept, mine = known if position else None, own.get(known.pk) if known else None
        turn, its = known.turn if known else 0, refused.get(kept.pk if kept else table.pk, {})
        seats = sorted(table.seats.all(), key=lambda seat: seat.number ^ turn)
        names = {at: marked(name_at_table(seat), bot=seat.player.bot) for at, seat in enumerate(seats)}
        cards.append(Card(kept, table, names, position, mine, True, its, only_totals))
    return cards


def _filled_in(request: HttpRequest, load: Callable[[AllRefused], Sheet]) -> HttpResponse:
    """Save what was posted and show the sheet, as JSON where a script asks for that."""
    filled = load({})
    refused: dict[UUID, dict[int, Refused]] = {}
    posted: set[UUID] | None = None
    if request.method == "POST":
        _confirm(request, filled)
        rows = list(posted_rows(request.POST.dict()))
        refused, posted = _saved(filled, [row for row in rows if row.touched]), {row.card for row in rows}
        filled = load(refused)
    if "application/json" in request.headers.get("Accept", ""):
        wanted = [card.as_json() for card in filled.cards if posted is None or card.key in posted]
        comes = filled.closing
        return JsonResponse({"cards": wanted, "closing": asdict(comes) if comes else None})
    if request.method == "POST" and not refused:
        messages.success(request, _("Saved."))
        return redirect(request.get_full_path())
    context = {
        "sheet": filled,
        "open": any(card.writable or card.totals for card in filled.cards),
        "refused": sum(map(len, refused.values())),
        "one": _is_card(request),
        "zone": filled.zone,
    }
    return render(request, "scores/sheet.html", context, status=422 if refused else 200)


def _is_card(request: HttpRequest) -> bool:
    """Return whether the page is that of a single card."""
    return request.resolver_match is not None and request.resolver_match.url_name == "card_scores"


# ---- Saving --------------------------------------------------------------------------------------


def _saved(filled: Sheet, rows: Sequence[PostedRow]) -> dict[UUID, dict[int, Refused]]:
    """Save rows, in order; return those that were refused."""
    cards = {card.key: card for card in filled.cards}
    refused: dict[UUID, dict[int, Refused]] = {}
    for row in rows:
        if (its := cards.get(row.card)) and (no := _tried(filled, its, row)):
            refused.setdefault(row.card, {})[row.number] = no
    return refused


def _tried(filled: Sheet, its: Card, row: PostedRow) -> Refused | None:
    try:
        if row.number == TOTALS:
            _save_totals(filled, its, row)
        elif its.position is not None:
            shape = its.position.ruleset.moves["round"]
            write_round(
                by=filled.account,
                game_id=row.card,
                number=row.number,
                version=row.version,
                result=result_in(shape, row),
            )
    except Stale:
        return Refused(row.values, [_meanwhile(its, row)], conflict=True)
    except Refusal as refusal:
        errors = {
            path: [translated(each, its.names.get) for each in sentences]
            for path, sentences in refusal.errors.items()
        }
        sentences = _sentences(refusal, errors, its.names)
        if "reason" in errors:
            sentences.append(_("With a reason it is set on the desk: “Set the result”."))
        return Refused(row.values, sentences, errors)
    return None


def _save_totals(filled: Sheet, its: Card, row: PostedRow) -> None:
    """Set the result of a whole table; raise `Stale` where it is no longer the one that was shown."""
    if its.table is None or filled.competition is None:
        return
    typed = {at: row.values.get(f"seats-{at}-score", "").strip() for at in its.sharing}
    if [*typed.values()] == [*its.whole.now.values()]:
        return
    if its.whole.seen != row.seen:
        raise Stale(filled.competition.seq + 1, "competition")
    wrong = {
        f"seats.{seat}.score": [_("Enter a whole number.")]
        for seat, text in typed.items()
        if not (isinstance(number(text), int) or (seat in its.gone and not text))
    }
    if wrong:
        raise Malformed(wrong)
    seats = tuple(
        RuledSeat(its.seats_at[seat].number, int(number(text)) if text else None)
        for at, text in typed.items()
        for seat in its.sharing[at]
    )
    verb = SetResult(str(its.table.pk), seats)
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


def _meanwhile(its: Card, row: PostedRow) -> str:
    """Return what somebody else has written in a row meanwhile."""
    if row.number == TOTALS or its.club_game is None:
        return _("Meanwhile somebody else has set this result.")
    entry = score_cards.last_written(its.club_game.game, row.number)
    if entry is None:
        return _("Meanwhile somebody else has changed this card.")
    (line,) = shown(its.club_game.game, [entry], its.names)
    who = line.who if entry.seat is not None else score_cards.name_of(entry.account) or line.who
    what = translated(line.text, its.names.get)
    return filled(_("Meanwhile: %(who)s %(what)s."), {"who": who, "what": what})


def _confirm(request: HttpRequest, filled: Sheet) -> None:
    """Confirm the rounds that the button names, with the versions that the page showed."""
    game, *rounds = (request.POST.get("confirm", "") or "-").split()
    known = {str(card.key) for card in filled.cards if card.position is not None}
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
