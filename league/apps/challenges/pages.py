"""The page of a challenge that an email's link opens: it asks, and answers on POST."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from games.engine.refusals import Illegal, Refusal
from league.apps.challenges.holders import ByLink
from league.apps.challenges.queries import Link, read_link
from league.core.formats import of
from league.core.verbs.answers import ANSWERS
from league.core.verbs.challenges import answer_by
from league.models import ClubGame, Competition
from league.queries.competitions import state_of
from league.services.verbs import perform
from league.words.challenges import became, costs_in_words
from league.words.messages import in_one_text, translated


@never_cache
@sensitive_variables("token")
@require_http_methods(["GET", "HEAD", "POST"])
def challenge(
    request: HttpRequest, competition_id: UUID, number: int, player_id: UUID, token: str
) -> HttpResponse:
    """Show a challenge and ask; on POST answer it. No log-in is needed.

    A GET changes nothing: programs that look into emails open their links before people do.
    """

    def found() -> Link:
        return read_link(competition_id=competition_id, number=number, player_id=player_id, token=token)

    try:
        posted, link = request.method == "POST", found()
        if posted and _answered(request, link):
            return redirect(request.path)
        return _page(request, found(), 422 if posted else 200)
    except Illegal as refusal:
        messages.error(request, translated(refusal.sentence))
        return render(request, "challenges/wrong.html", status=404)


def _answered(request: HttpRequest, link: Link) -> bool:
    """Answer as the button says; return whether that was done, and tell why not."""
    verb = ANSWERS.get(request.POST.get("answer", ""))
    if verb is None:
        return False
    try:
        perform(ByLink(link), competition=link.competition, verb=verb(link.number))
    except Refusal as refusal:
        messages.error(request, in_one_text(refusal))
        return False
    messages.success(request, _("Your answer is written down."))
    return True


def _page(request: HttpRequest, link: Link, status: int) -> HttpResponse:
    found, state = link.challenge, state_of(link.competition)
    stage = state.stage_numbered(found.stage)
    context = {
        "competition": link.competition,
        "zone": link.competition.club.timezone,
        "challenge": found,
        "by": state.entry(found.by).name,
        "entry": state.entry(found.entry).name,
        "until": answer_by(state, found),
        "costs": costs_in_words(state, found) if found.status == "open" else "",
        "became": became(state, found),
        "rules": of(stage.plan).rules(stage.plan),
        "game": _game(link.competition, found.table),
    }
    return render(request, "challenges/answer.html", context, status=status)


def _game(competition: Competition, table: str) -> UUID | None:
    """Return the first game of the table that opened, None without one."""
    games = (
        ClubGame.objects.filter(competition=competition, table=UUID(table))
        if table
        else ClubGame.objects.none()
    )
    return games.order_by("game__opened_at", "game").values_list("game", flat=True).first()


urlpatterns = [
    path(
        "challenge/<uuid:competition_id>/<int:number>/<uuid:player_id>/<str:token>/",
        challenge,
        name="challenge",
    ),
]
