"""A person's friends, with whom they played, whom they don't hear, and the form that reports somebody."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.engine.refusals import Malformed, Refusal
from league import hooks
from league.apps.company import acts, queries, services
from league.apps.company.models import MOST_WORDS
from league.forms import add_errors
from league.models import Account, Player
from league.queries import permissions
from league.queries.clubs import clubs_of
from league.queries.competitions import next_of
from league.queries.own_tables import running_tables
from league.queries.rounds import rounds_due
from league.requests import account_in, spectator_or_account, visitor_in
from league.web.account import with_names
from league.words.messages import translated
from league.words.values import ruleset_title

if TYPE_CHECKING:
    from collections.abc import Mapping

    from league.models import TableSeat


@never_cache
@login_required
def friends(request: HttpRequest) -> HttpResponse:
    """Show the account's friends and with whom it played; a POST does one thing with one of them."""
    account = account_in(request)
    if request.method == "POST":
        try:
            return _done(request, account)
        except Refusal as refusal:
            messages.error(request, translated(refusal.sentence))
            return _back(request)
        except (ObjectDoesNotExist, ValueError):
            raise Http404 from None
    services.touch(account)
    name = request.GET.get("name", "").strip()[:100]
    context = {
        "friends": queries.friends_of(account),
        "before": queries.played_as_two(account),
        "played": queries.played_with(account),
        "muted": queries.muted_by(account),
        "hidden": queries.hides(account.pk),
        "games": [(key, ruleset_title(key)) for key in queries.games_for_two()],
        "name": name,
        "found": queries.people_named(account, name),
    }
    return render(request, "company/friends.html", context)


def _done(request: HttpRequest, by: Account) -> HttpResponse:
    """Do what a button says; raises refusals, and ValueError for an id that is none."""
    what, given = request.POST.get("do", ""), request.POST.get("id", "")
    match what:
        case "hide" | "show":
            services.choose_to_hide(by=by, hidden=what == "hide")
        case "ask":
            services.ask_friend(by=by, player_id=UUID(given))
            messages.success(request, _("Asked. You are friends once that is accepted."))
            return _back(request)
        case "accept":
            services.accept_friend(by=by, friendship_id=UUID(given))
        case "end":
            services.end_friendship(by=by, friendship_id=UUID(given))
        case "mute" | "block":
            services.mute(by=by, player_id=UUID(given), blocks=what == "block")
        case "hear":
            services.hear_again(by=by, muted_id=UUID(given))
        case "invite":
            ruleset = request.POST.get("ruleset", "")
            game = services.invite_friend(by=by, friendship_id=UUID(given), ruleset=ruleset)
            return redirect("game", game.pk)
        case _:
            raise Http404
    messages.success(request, _("Saved."))
    return _back(request)


def _back(request: HttpRequest) -> HttpResponse:
    """Go back to the table where somebody was muted, otherwise to the friends."""
    try:
        return redirect("game", UUID(request.POST.get("game", "")))
    except ValueError:
        return redirect("friends")


class ReportForm(forms.Form):
    """A sentence about what happened."""

    words = forms.CharField(
        label=gettext_lazy("What happened?"),
        max_length=MOST_WORDS,
        widget=forms.Textarea({"rows": 3}),
        help_text=gettext_lazy(
            "A sentence. The club’s organisers read it, with your name; nobody else does."
        ),
    )


@never_cache
@login_required
def report(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Ask what happened with a player; a POST tells it to the organisers of the player's club."""
    account = account_in(request)
    player = Player.objects.select_related("club").filter(pk=player_id, anonymous=False).first()
    if player is None or permissions.role_in(player.club_id, account) is None:
        raise Http404
    form = ReportForm(request.POST or None)
    if form.is_bound and form.is_valid() and _reported(request, form, player_id):
        messages.success(
            request, _("Reported. The organisers of %(club)s decide what to do.") % {"club": player.club}
        )
        return _back(request)
    context: dict[str, Any] = {"form": form, "player": player, "game": request.GET.get("game", "")}
    return render(request, "company/report.html", context, status=422 if form.errors else 200)


def _reported(request: HttpRequest, form: ReportForm, player_id: UUID) -> bool:
    """Report somebody; return whether that was not refused, which the form says."""
    game, by = request.POST.get("game", ""), account_in(request)
    try:
        words = form.cleaned_data["words"]
        services.report(by=by, player_id=player_id, words=words, game_id=UUID(game) if game else None)
    except Malformed as refusal:
        add_errors(
            form, {"words" if path == "words" else "": [*each] for path, each in refusal.errors.items()}
        )
    except Refusal as refusal:
        form.add_error(None, translated(refusal.sentence))
    except (ObjectDoesNotExist, ValueError):
        raise Http404 from None
    return form.is_valid()


def _own_tables(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return how many friends are here; who asks for this part of the page, which each page does, is here."""
    account = page["user"]
    if not account.is_authenticated:
        return {"here": 0, "asks": 0}
    services.touch(account)
    known = queries.friends_of(account)
    return {
        "here": sum(each.is_here for each in known),
        "asks": sum(each.asks_me for each in known),
    }


_PLACE: Final = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})")


@login_required
@require_POST
def say(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Say a phrase at one's table; a script is answered without a page, or with a sentence why not."""
    quiet, status = request.headers.get("Accept") == "text/plain", 422
    try:
        place = _PLACE.fullmatch(request.POST.get("at", ""))
        at = (int(place[1]), int(place[2])) if place else None
        acts.say(by=account_in(request), game_id=game_id, phrase=request.POST.get("phrase", ""), at=at)
        return HttpResponse(status=204) if quiet else redirect("game", game_id)
    except acts.TooOften as refusal:
        status, sentence = 429, translated(refusal.sentence)
    except Refusal as refusal:
        sentence = translated(refusal.sentence)
    except ObjectDoesNotExist:
        raise Http404 from None
    if quiet:
        return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
    messages.error(request, sentence)
    return redirect("game", game_id)


def _at_table(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return who sits at a table and what can be said there; for its players the club's room, too.

    Nothing at a table with real cards, where people sit together.
    """
    table, account = page["table"], spectator_or_account(page["request"])
    if not table.ruleset.dealt:
        return {}
    club_game = table.club_game
    phrases = acts.phrases_at(club_game) if table.live and club_game else ()
    mine = table.mine if account else None
    muted = queries.muted_accounts(account.pk) if account and mine else {}
    return {
        "phrases": phrases,
        "speaks": mine is not None and not table.unanswered,
        "room": queries.company_of(club_game.club_id).room if mine and club_game else "",
        "people": [(seat, seat.player and muted.get(seat.player.account_id)) for seat in table.seats],
    }


def _home(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what waits for the reader: who asks, tables, what comes next in each club, who is here."""
    account: Account = page["user"]
    seats: dict[UUID, list[TableSeat]] = {}
    for seat in queries.seats_now(account):
        seats.setdefault(seat.table.round.stage.competition.club_id, []).append(seat)
    clubs = [
        (
            club,
            next_of(club, club.today),
            rounds_due(club).first(),
            seats.get(club.pk, ()),
        )
        for club in clubs_of(account)[:MOST_CLUBS]
    ]
    tables = [with_names(table) for table in running_tables(visitor_in(page["request"], account))]
    friends = queries.friends_of(account) if clubs else ()
    here = [each for each in friends if each.is_here]
    return {
        "tables": tables,
        "clubs": clubs,
        "asking": [each for each in friends if each.asks_me],
        "here": here,
        "before": queries.played_as_two(account) if here else (),
        "member_pages": hooks.MEMBER_PAGES,
    }


MOST_CLUBS: Final = 5
hooks.GIVEN["company/at_my_home.html"] = _home
hooks.GIVEN["company/at_own_tables.html"] = _own_tables
hooks.GIVEN["company/at_table.html"] = _at_table
urlpatterns = [
    path("friends/", friends, name="friends"),
    path("games/<uuid:game_id>/say/", say, name="say"),
    path("friends/report/<uuid:player_id>/", report, name="report_person"),
]
