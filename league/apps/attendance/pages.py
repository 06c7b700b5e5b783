"""Pages of who is coming: by the link of an email, for a member who is logged in, and at the door."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from games.engine.messages import filled
from games.engine.refusals import Illegal, Malformed, Refusal
from league import hooks
from league.apps.attendance import desk, limits, partners, queries, services
from league.apps.attendance.models import Reply, Wish
from league.queries import permissions
from league.queries.clubs import clubs_of
from league.queries.competitions import OVER, all_competitions, details_of, state_of
from league.queries.readers import reading_as_people_of
from league.requests import spectator_or_account
from league.web.holders import client_of
from league.words.emails import stopping
from league.words.messages import in_one_text

if TYPE_CHECKING:
    from league.apps.attendance.models import Answer
    from league.models import Account, Competition, Player

_WRITES = require_http_methods(["GET", "HEAD", "POST"])


def _told(request: HttpRequest, act: Callable[[], str]) -> bool:
    """Carry out what was posted, say what came of it, and return whether it was not refused."""
    try:
        messages.success(request, act())
    except Refusal as refusal:
        messages.error(request, in_one_text(refusal))
    except ObjectDoesNotExist:
        messages.error(request, _("This is not there any more. Look at the page again."))
    else:
        return True
    return False


def _evening(competition: Competition, answer: Answer | None) -> dict[str, Any]:
    """Return what both pages of somebody's own answer show."""
    return {
        "competition": competition,
        "club": competition.club,
        "details": details_of(competition),
        "zone": competition.club.timezone,
        "answer": answer,
        "open": queries.is_open(competition),
        "replies": Reply.choices,
        "wishes": queries.wishes(competition),
        "teams": state_of(competition).opening.team_size > 1,
        "guest": queries.guest_of(competition, answer.player) if answer else None,
        "requests": list(queries.requests_to(competition, answer.player)) if answer else (),
    }


def _no_link(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    return render(request, "attendance/no_link.html", {"why": in_one_text(refusal)}, status=410)


# ---- By the link of an email ---------------------------------------------------------------------


@never_cache
@_WRITES
def answer(request: HttpRequest, answer_id: UUID, token: str) -> HttpResponse:
    """Show what the link answers, and ask once more; on POST keep it. No log-in is needed.

    A GET changes nothing: programs that look into emails open their links before people do.
    """
    try:
        found = queries.read_link(answer_id=answer_id, token=token)
    except Illegal as refusal:
        return _no_link(request, refusal)
    posted = request.method == "POST"

    def keep(**said: Any) -> Answer:
        return services.answer_by_link(answer_id=answer_id, token=token, **said)

    if posted and _told(request, lambda: _acted(request, found.competition, found.player, None, keep)):
        return redirect("answer", answer_id, token)
    chosen = request.GET.get("reply", "")
    context = {
        **_evening(found.competition, found),
        **(_partners(found.competition, found.player, found) if found.wish == Wish.PARTNER else {}),
        "chosen": chosen if chosen in Reply.values and chosen != found.reply else "",
        "chosen_title": dict(Reply.choices).get(chosen, ""),
        **(stopping(found.player, queries.KIND) or {}),
        "typed": request.POST,
    }
    with reading_as_people_of(found.competition.club_id):
        return render(request, "attendance/answer.html", context, status=422 if posted else 200)


def _acted(
    request: HttpRequest,
    competition: Competition,
    player: Player,
    by: Account | None,
    keep: Callable[..., Answer],
) -> str:
    """Do what a form of a person's own answer asks, and return what is said then; raises `Refusal`."""
    sent = request.POST
    if "request" in sent:
        asked, agrees = _id(sent["request"]), sent.get("agrees") == "yes"
        made = partners.answer_request(
            by=by, competition=competition, player=player, request_id=asked, agrees=agrees
        )
        if not agrees:
            return _("You have declined.")
        ready = made.asker and any(team[0] == made.asker for team in queries.ready_teams(competition))
        return _("You have agreed. An organiser enters you.") if ready else _("You have agreed.")
    if "ask" in sent:
        request_made = partners.ask_partner(asker=player, competition=competition, asked=_id(sent["ask"]))
        # Whether an email reaches somebody only organisers may know.
        told = _("%(name)s is asked, and can answer on the page of the evening. Tell them, too.")
        return filled(told, {"name": request_made.asked.name})
    given = keep(reply=sent.get("reply", ""), wish=sent.get("wish"), guest=sent.get("guest", ""))
    return filled(_("Your answer is kept: %(reply)s."), {"reply": str(given.get_reply_display())})


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Http404 from None


# ---- For who is logged in, or has opened the own evening -----------------------------------------


def _here(request: HttpRequest, competition: Competition) -> tuple[Player | None, Account | None]:
    """Return who answers in this browser, and with which account: none for whose evening was opened."""
    account = spectator_or_account(request)
    player = permissions.player_in(competition.club_id, account) if account else None
    if player:
        return player, account
    opened = (held(request, competition.pk) for held in hooks.OWN_EVENING)
    return next((each for each in opened if each), None), None


@never_cache
@_WRITES
def coming(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a player their answer, and who looks for a partner or can fill in; on POST change that."""
    competition = get_object_or_404(all_competitions(), slug=slug)
    player, account = _here(request, competition)
    if player is None and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if player is None or not queries.asking_of(competition).asks:
        raise PermissionDenied(
            _("Only players of the club are asked, where an organiser has switched it on.")
        )

    def keep(**said: Any) -> Answer:
        if account:
            return services.answer_myself(by=account, competition=competition, **said)
        return services.answer_by_pass(player=player, competition=competition, **said)

    posted = request.method == "POST"
    if posted and _told(request, lambda: _acted(request, competition, player, account, keep)):
        return redirect("coming", slug)
    own = queries.answer_of(competition, player)
    context = {
        **_evening(competition, own),
        **_partners(competition, player, own),
        "typed": request.POST,
        "named": account is None,
    }
    return render(request, "attendance/coming.html", context, status=422 if posted else 200)


def _partners(competition: Competition, player: Player, own: Answer) -> Mapping[str, Any]:
    """Return who looks for a partner or can fill in, and whether the player can ask them."""
    asked, size = queries.asked_by(competition, player), state_of(competition).opening.team_size
    return {
        "wishing": [(each, asked.get(each.player_id)) for each in queries.wishing(competition)],
        "player": player,
        "asks_partner": size > 1 and own.wish != Wish.FILLS_IN,
        "agreed": queries.agreed_with(competition, player) if size > 2 else (),
        "size": size,
    }


def _in_evening(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the answer of a person whose own evening is shown, where it is this browser that answers."""
    competition, player = page["competition"], page["player"]
    if not queries.asking_of(competition).asks:
        return {"asked": False}
    if not (queries.is_open(competition) or queries.requests_to(competition, player).exists()):
        return {"asked": False}
    if _here(page["request"], competition)[0] != player:
        return {"asked": False}
    own = queries.answer_of(competition, player)
    return {"asked": True, **_evening(competition, own), **_partners(competition, player, own)}


def _panel(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return whether a competition's page asks its reader, a player of the club, whether they come."""
    competition, user = page["competition"], page.get("user")
    if user is None or not user.is_authenticated or not queries.is_undrawn(competition):
        return {"asked": False}
    asked = queries.asking_of(competition).asks and queries.is_open(competition)
    return {
        "asked": asked and permissions.player_in(competition.club_id, user) is not None,
        "replies": Reply.choices,
    }


def _own_evenings(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the evenings for which the reader of *My tables* has not answered."""
    account = spectator_or_account(page["request"]) if "request" in page else None
    found = queries.unanswered(account, clubs_of(account)) if account else ()
    return {"evenings": [(each, details_of(each)) for each in found]}


def _in_hall(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the code of the door for the hall, where an organiser wants it there."""
    competition, wanted = page["competition"], page["request"].GET.get("show", "")
    asking = queries.asking_of(competition)
    shown = asking.door_shown and competition.status not in OVER and "door" in (wanted or "door").split(",")
    return {"door_code": desk.code_of(desk.door_of(page["request"], asking)) if shown else ""}


hooks.GIVEN["attendance/at_hall_screens.html"] = _in_hall
hooks.GIVEN["attendance/at_my_evening.html"] = _in_evening
hooks.GIVEN["attendance/at_competition.html"] = _panel
hooks.GIVEN["attendance/at_own_tables.html"] = _own_evenings


# ---- At the door ---------------------------------------------------------------------------------


@never_cache
@sensitive_post_parameters("name")
@_WRITES
def door(request: HttpRequest, competition_id: UUID, token: str) -> HttpResponse:
    """Ask who is here; on POST let them wait for an organiser. With ``?here=`` show what became of it."""
    try:
        asking = queries.read_door(competition_id=competition_id, token=token)
        if request.method == "POST":
            key, name = _id(request.POST.get("key", "")), request.POST.get("name", "")
            client, said = client_of(request), _said(request)
            sent = services.arrive(
                competition_id=competition_id, token=token, key=key, name=name, client=client, said=said
            )
            return _remembered(request, redirect(f"{request.path}?here={sent.key}"), [*said, key])
    except limits.TooManyNames as refusal:
        answer = _at_door(request, asking.competition, in_one_text(refusal), 429)
        answer["Retry-After"] = str(refusal.seconds)
        return answer
    except Malformed as refusal:
        return _at_door(request, asking.competition, in_one_text(refusal), 422)
    except Illegal as refusal:
        here = request.GET.get("here", "")
        guest = queries.guest_at_door(competition_id, _id(here)) if here else None
        return _at_door(request, guest.competition, ended=True) if guest else _no_link(request, refusal)
    return _at_door(request, asking.competition)


_SAID: Final = "said-at-door"
_MOST_SAID: Final = 10


def _said(request: HttpRequest) -> list[UUID]:
    """Return the keys of the last forms that this browser has sent at the door."""
    kept = request.get_signed_cookie(_SAID, "", salt=request.path) or ""
    return [UUID(each) for each in kept.split()]


def _remembered(request: HttpRequest, answer: HttpResponse, said: list[UUID]) -> HttpResponse:
    """Let the browser keep what it has said, for this door and as long as it is open."""
    kept = " ".join(str(each) for each in [*dict.fromkeys(said)][-_MOST_SAID:])
    answer.set_signed_cookie(
        _SAID,
        kept,
        salt=request.path,
        path=request.path,
        max_age=timedelta(days=1),
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return answer


def _at_door(
    request: HttpRequest,
    competition: Competition | None,
    error: str = "",
    status: int = 200,
    *,
    ended: bool = False,
) -> HttpResponse:
    here = request.GET.get("here", "")
    guest = queries.guest_at_door(competition.pk, _id(here)) if competition and here else None
    context = {
        "competition": competition,
        "guest": guest,
        "place": queries.place_of(guest.competition, guest.player_id) if guest and guest.player else "",
        "from_round": queries.plays_from(guest) if guest and guest.player else None,
        "ended": ended,
        "error": error,
        "name": request.POST.get("name", "")[:200],
        "key": request.POST.get("key") or uuid4(),
        "zone": competition.club.timezone if competition else "",
    }
    return render(request, "attendance/door.html", context, status=status)


urlpatterns = [
    path("coming/<uuid:answer_id>/<str:token>/", answer, name="answer"),
    path("competitions/<slug:slug>/coming/", coming, name="coming"),
    path("door/<uuid:competition_id>/<str:token>/", door, name="door"),
]
