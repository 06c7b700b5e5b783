"""The page of a game: the live table or a replay, the forms that make moves, and answers to an invitation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.cache import cache
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal, Malformed, NotReplayable, Refusal, Stale, of_field
from games.engine.replay import AnyRuleset
from league.callers import ByAccount, Caller
from league.ops.scripts import inline
from league.queries import permissions
from league.queries.accounts import zone_for
from league.queries.games import last_end, ruleset_of, seat_of, seated
from league.queries.readers import knows
from league.requests import account_in, spectator_or_account
from league.services.casual_games import accept_game, choose_to_be_asked, decline_game
from league.services.play import make_move, make_moves
from league.web import gametable, gestures
from league.web.endings import changed_by
from league.web.gametable import TableRequest
from league.web.gestures import Meaning
from league.web.holders import Holder, holder_in, refusal_in, table_of
from league.web.moveforms import MOST_OFFERS, posted_move
from league.web.replays import at_in, is_number, snippet
from league.web.site import of_club
from league.words.messages import errors_in_words, translated
from league.words.options import asked_in_words
from league.words.values import on_paper, path_in_words

if TYPE_CHECKING:
    from games.log import Appended
    from games.models import Game
    from league.models import Account, Club, ClubGame

NEWS_SECONDS: Final = 60
STATUS: Final = {"malformed": 400, "illegal": 422, "stale": 409}


@require_safe
def page(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Show the table now, or after the move in ``?at=``; 404 for a move that does not exist."""
    return _shown(request, game_id)


@require_safe
def news(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Show the parts of the page that change in a running game, with the moves after ``?after=``.

    With ``?to=`` the table is that after a move on the way to the last, as the reader may see the past.
    """
    return _changes(request, game_id)


def _changes(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Return the parts that change; spectators all get the same, rendered once for each move and language."""
    club_game, account = table_of(request, game_id), spectator_or_account(request)
    holder = holder_in(request, club_game)
    after, form = request.GET.get("after", ""), request.GET.get("form", "")
    if not is_number(after):
        raise Http404
    try:
        at, ending = _on_the_way(request, club_game.game, int(after))
        passing = ending or at < club_game.game.seq
        wanted = TableRequest(at, form=form, since=int(after), passing=passing, ending=ending)
        if account is None and holder is None:
            named = "club" if knows(club_game.club_id) else "public"
            key = f"news:{game_id}:{club_game.game.head}:{int(after)}:{at}:{get_language()}:{named}"
            html = cache.get_or_set(key, lambda: _news(_context(club_game, wanted)), NEWS_SECONDS)
        else:
            html = _news(_context(club_game, wanted, account, holder), request)
    except NotReplayable:
        return _without_rules(request, club_game)
    return _private(HttpResponse(html))


def _on_the_way(request: HttpRequest, game: Game, after: int) -> tuple[int, bool]:
    """Return the move after which the table is asked for, and whether as the end of the deal that it ended.

    The last end of a deal that the page has not seen is shown first; of a game that is over always the last
    move is shown. Raises `NotReplayable`.
    """
    to = request.GET.get("to", "")
    if game.is_over:
        return game.seq, False
    at = max(1, min(int(to), game.seq)) if is_number(to) else game.seq
    unseen = last_end(game, after, at)
    return unseen or at, unseen is not None


def _news(context: dict[str, Any], request: HttpRequest | None = None) -> str:
    return render_to_string("games/news.html", context, request)


def _context(
    club_game: ClubGame, wanted: TableRequest, account: Account | None = None, holder: Holder | None = None
) -> dict[str, Any]:
    """Return what the page of a game shows to an account or the holder of a seat, otherwise to anybody."""
    table = gametable.table(club_game, wanted, account=account, holder=holder)
    return {
        "table": table,
        "holder": holder,
        "zone": zone_for(account, club_game.club),
        "asked": asked_in_words(club_game, seated(club_game.game))
        if table.game.status == "invited"
        else None,
    }


@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Make the posted move and show the table; where it is refused, show the reason and the filled-in form.

    With ``?after=`` the answer has only what has changed since that entry, for a page that is there. A posted
    ``gesture`` that is just one move makes it; otherwise the answer is what the gesture means, as JSON.

    A GET leads to the table's forms, or a scorekeeper to the whole card: tables link here, so that people log
    in first, unless they hold a seat.
    """
    club_game = table_of(request, game_id)
    holder = holder_in(request, club_game)
    if holder is None and spectator_or_account(request) is None:
        if request.method == "POST" and (refusal := refusal_in(request, club_game)):
            return _shown(request, game_id, refusal)
        return redirect_to_login(request.get_full_path())
    if request.method != "POST":
        at_table = holder or _has_seat(request, club_game)
        return _to_the_forms(game_id) if at_table else redirect("card_scores", game_id)
    try:
        ruleset = ruleset_of(club_game.game)
        move = _posted(request, club_game, ruleset, holder)
        if isinstance(move, Meaning):
            return gestures.answer(move)
        by = holder.caller if holder else ByAccount(account_in(request))
        made = _made(request, by, club_game, move)
    except Refusal as refusal:
        return _shown(request, game_id, refusal)
    except NotReplayable:
        return _without_rules(request, club_game)
    if holder and (elsewhere := holder.after(request, move)):
        return elsewhere
    if "after" in request.GET:
        return _changes(request, game_id)
    if move["type"] in ruleset.entry_moves:
        return _to_the_message(request, made)
    return redirect("game", game_id)


def _made(request: HttpRequest, by: Caller, club_game: ClubGame, move: JsonObject) -> Appended:
    """Make the move; where a form sent several, all of them or none, and have the next page say how many."""
    seq, game_id = _seq(request), club_game.pk
    several = [*dict.fromkeys(request.POST.getlist("offer"))][:MOST_OFFERS]
    if len(several) < 2:
        return make_move(by, game_id=game_id, seq=seq, move=move)
    ruleset = ruleset_of(club_game.game)
    moves = [posted_move(ruleset, {"offer": each}) for each in several]
    made = make_moves(by.checked(), game_id=game_id, seq=seq, moves=moves)
    told = ngettext(
        "Saved. %(count)s deal is confirmed.", "Saved. %(count)s deals are confirmed.", len(moves)
    )
    messages.success(request, told % {"count": len(moves)})
    return made


def _posted(
    request: HttpRequest, club_game: ClubGame, ruleset: AnyRuleset, holder: Holder | None
) -> JsonObject | Meaning:
    """Return the move of a form or of a gesture, or what a gesture means that is not just one move."""
    if "gesture" not in request.POST:
        return posted_move(ruleset, request.POST.dict())
    account, posted = spectator_or_account(request), request.POST["gesture"]
    meaning = gestures.sent(club_game, _seq(request), posted, account=account, holder=holder)
    return meaning.move or meaning


def _has_seat(request: HttpRequest, club_game: ClubGame) -> bool:
    """Return whether the caller plays, or the game has no card that a scorekeeper could fill in instead."""
    account = account_in(request)
    keeps = on_paper(club_game.game.ruleset) and permissions.keeps_scores(club_game.club_id, account)
    return not keeps or seat_of(account, club_game.pk) is not None


def _to_the_forms(game_id: UUID) -> HttpResponse:
    """Redirect to the forms on the table's page, so that neither Tab nor a phone starts at its top."""
    return redirect(f"{reverse('game', args=[game_id])}#play")


def _to_the_message(request: HttpRequest, made: Appended) -> HttpResponse:
    """Redirect to a message at the top, which gets the focus: what is to be confirmed stands below it."""
    counts = made.entry.seat is None
    text = _("Saved.") if counts else _("Saved. An opponent, a scorekeeper or an organiser confirms it.")
    messages.success(request, text, "saved")
    return redirect(f"{reverse('game', args=[made.game.pk])}#messages")


def _seq(request: HttpRequest) -> int:
    text = request.POST.get("seq", "")
    if not is_number(text):
        raise Malformed({"": [_("This form is damaged. Reload the page.")]})
    return int(text)


def _shown(request: HttpRequest, game_id: UUID, refusal: Refusal | None = None) -> HttpResponse:
    club_game = table_of(request, game_id)
    try:
        wanted = _wanted(request, club_game.game, refusal)
        shown = _context(club_game, wanted, spectator_or_account(request), holder_in(request, club_game))
    except ObjectDoesNotExist:
        raise Http404 from None
    except NotReplayable:
        return _without_rules(request, club_game)
    context = {
        **shown,
        "refusal": refusal,
        "sentence": _sentence(refusal) if refusal else "",
        "unsaved": _unsaved(request, club_game, shown["table"]) if refusal else "",
        "embed": snippet(request, shown["table"]),
        "studio": club_game.game.status == "finished",
        "changed": changed_by(club_game, shown["table"].mine),
        "address": request.build_absolute_uri(reverse("game", args=[game_id])),
        "opened": next((form.key for form in shown["table"].grids if form.open), ""),
    }
    status = STATUS[refusal.code] if refusal else 200
    answer = render(request, "games/page.html", context, status=status)
    if shown["table"].one_screen:
        answer._csp_update = {"script-src": [inline("laidout")[1]]}  # type: ignore[attr-defined]
    return _private(answer)


def _unsaved(request: HttpRequest, club_game: ClubGame, table: gametable.TableShown) -> str:
    """Return in words what was typed into a form that the page has no more, empty where it still has it."""
    if request.POST.get("type") in table.offered:
        return ""
    try:
        move = posted_move(ruleset_of(club_game.game), request.POST.dict())
    except Refusal:
        return ""
    rows = next((part for part in move.values() if isinstance(part, list)), [])
    cells = ([*row.values()] if isinstance(row, Mapping) else [row] for row in rows)
    told = ((table.names.get(seat, seat + 1), ", ".join(map(str, row))) for seat, row in enumerate(cells))
    return "; ".join(f"{name}: {numbers}" for name, numbers in told)


def _sentence(refusal: Refusal) -> str:
    """Return why a move is refused; a wrong field is named in words, not by its path."""
    if isinstance(refusal, Stale):
        return _("The game has gone on meanwhile, so what you sent was not taken. This is the table now.")
    path = next(iter(refusal.errors), "")
    if refusal.code != "malformed" or not path:
        return refusal.sentence
    return of_field(path_in_words(path), refusal.errors[path][0])


def _private(response: HttpResponse) -> HttpResponse:
    """Keep a page out of every cache, so that Back shows the table as it is then."""
    patch_cache_control(response, private=True, no_cache=True, no_store=True)
    return response


def _without_rules(request: HttpRequest, club_game: ClubGame) -> HttpResponse:
    """Show the players and the result of a game whose rules this server doesn't have."""
    results = {seat["seat"]: seat for seat in (club_game.game.result or {}).get("seats", ())}
    seats = [(seat, results.get(seat.seat)) for seat in seated(club_game.game)]
    context = {"club_game": club_game, "seats": seats}
    return render(request, "games/without_rules.html", context, status=501)


def _wanted(request: HttpRequest, game: Game, refusal: Refusal | None) -> TableRequest:
    """Return what the address asks for; after a refusal with the values and errors of the sent form."""
    return TableRequest(
        at=at_in(request, game),
        whole="moves" in request.GET,
        form=request.GET.get("form", ""),
        typed=request.POST.dict() if refusal else {},
        errors=errors_in_words(refusal.errors) if refusal else {},
        ending="at" in request.GET,
    )


# ---- Invitations ---------------------------------------------------------------------------------


@login_required
@require_POST
def accept(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Accept the invitation and show the game."""
    game = _answered(request, lambda: accept_game(by=account_in(request), game_id=game_id))
    if game is not None:
        begun = _("You accepted: the game begins.")
        waits = _("You accepted. The game begins when the others have accepted, too.")
        messages.success(request, waits if game.unanswered else begun)
    return redirect("game", game_id)


@login_required
@require_POST
def decline(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Call the game off and show the account's page."""
    if _answered(request, lambda: decline_game(by=account_in(request), game_id=game_id)) is None:
        return redirect("game", game_id)
    messages.success(request, _("The game is called off."))
    return redirect("account")


def _answered(request: HttpRequest, answer: Callable[[], Game]) -> Game | None:
    """Return the game after an answer; None where it is refused, which a message says."""
    try:
        return answer()
    except Illegal as refusal:
        messages.error(request, translated(refusal.sentence))
        return None
    except ObjectDoesNotExist:
        raise Http404 from None


@login_required
@require_POST
@of_club
def choose_asking(request: HttpRequest, club: Club) -> HttpResponse:
    """Save whether casual games of the club wait for the account's answer."""
    choose_to_be_asked(by=account_in(request), club=club, asked=request.POST.get("ask") != "no")
    messages.success(request, _("Saved."))
    return redirect("account")
