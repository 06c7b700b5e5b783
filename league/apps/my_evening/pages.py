"""The page of a person's evening, how a code opens it, and the code shown at the door."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.cache import add_never_cache_headers
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import condition, require_http_methods, require_POST, require_safe

from games import database_time
from games.engine.messages import filled, text
from games.engine.names import one_line
from games.engine.refusals import Illegal, Malformed, Refusal
from league.apps.hall.holders import kiosk_in
from league.apps.hall.models import Hall
from league.apps.hall.pages import OTHER_CODES
from league.apps.my_evening import holders, push, queries, services
from league.apps.my_evening.models import EveningPush, Pass
from league.apps.notifications.push import FOLLOWED, WORDS, Told, is_offered, is_told, push_key
from league.callers import AsPlayer, Caller
from league.core.agreed import free_rounds, next_free, plan_now
from league.core.state.challenges import waiting
from league.core.verb import Given, Verb
from league.core.verbs.answers import ANSWERS
from league.core.verbs.byes import RequestBye
from league.core.verbs.objections import Object, objector, posted
from league.core.verbs.presence import MarkAbsent, MarkPresent
from league.forms import NumberField
from league.models import Competition, Entry, Player
from league.ops.answers import tag_of
from league.queries import permissions, versions
from league.queries.competitions import all_competitions, state_of
from league.queries.standings import public_seq, standings_as_of
from league.requests import account_in, site_address, spectator_or_account
from league.services.verbs import perform
from league.web.holders import WAYS_IN, WayIn, client_of
from league.words.challenges import challenge_later, costs_in_words
from league.words.competitions import objections_of, posted_tables
from league.words.messages import in_one_text, translated
from league.words.values import on_paper

# ---- Opening it ----------------------------------------------------------------------------------


def _opened(request: HttpRequest, code: str) -> HttpResponse:
    """Let this browser in to the evening of a code; raises `Refusal`."""
    held = services.open_pass(code=code, client=client_of(request))
    holders.let_in(request, held)
    former = push.follow(held=held, session_key=request.session.session_key or "")
    if former and former != held.player:
        told = _("This phone now tells of the evening of %(name)s, no longer of that of %(former)s.")
        messages.info(request, filled(told, {"name": held.player.called, "former": former.called}))
    return redirect("my_evening", held.competition.slug)


@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the evening on this device, which is told of it no more."""
    competition = get_object_or_404(all_competitions(), slug=slug)
    push.unsubscribe(session_key=request.session.session_key or "", competition=competition)
    holders.forget(request, competition)
    messages.success(request, _("Your evening is closed on this device."))
    return redirect("competition", slug)


# ---- The page ------------------------------------------------------------------------------------


def _tag(request: HttpRequest, slug: str, competition: Competition, _player: Player) -> str | None:
    """Return an ETag that changes with the competition, its hall, and whose evening it is.

    None before it begins: who comes, and who asks whom to play together, is in no log.
    """
    found = versions.at_address(slug)
    begun = competition.status not in queries.NOT_BEGUN
    if found is None or not begun or len(messages.get_messages(request)):
        return None
    # Without the log's head, which an unpublished draw changes too.
    _club, _head, version = found
    hall = Hall.objects.filter(competition__slug=slug).values_list("changed_at", flat=True).first()
    kept = request.session.get(holders.SESSION, {})
    account = request.user.pk if request.user.is_authenticated else ""
    return tag_of(
        version,
        hall,
        kept,
        _made_here(request, competition),
        account,
        get_language(),
        request.get_full_path(),
    )


def _made_here(request: HttpRequest, competition: Competition) -> Sequence[str]:
    """Return the ids of what this browser is told by, and of the codes of seats that its page shows."""
    kept = request.session.get(holders.SESSION, {})
    found = _browser(request).order_by().values_list("pk", flat=True)
    if let_in := kept.get(str(competition.pk)):
        found = found.union(queries.seat_codes(let_in[0]).order_by().values_list("pk", flat=True))
    return sorted(map(str, found)) if kept else ()


def _shown(request: HttpRequest, slug: str) -> tuple[Competition, Player] | None:
    """Return the competition, and whose evening this browser may see: a pass's, or the account's own."""
    competition = get_object_or_404(all_competitions(), slug=slug)
    if held := holders.pass_in(request, competition.pk):
        return competition, held.player
    account = spectator_or_account(request)
    if account is None:
        return None
    club = competition.club_id
    player = permissions.player_in(club, account) or permissions.guest_in(club, account)
    return (competition, player) if player else None


@require_safe
@cache_control(private=True, no_cache=True)
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a person's evening; who may see none is asked for a code."""
    shown = _shown(request, slug)
    return _page(request, slug, *shown) if shown else redirect("enter")


@condition(etag_func=_tag)
def _page(request: HttpRequest, slug: str, competition: Competition, player: Player) -> HttpResponse:
    return _rendered(request, competition, player)


@sensitive_variables("code", "context")
def _rendered(
    request: HttpRequest, competition: Competition, player: Player, refused: forms.Form | None = None
) -> HttpResponse:
    """Return the page of a person's evening, with an objection that was ``refused`` as it was typed."""
    held, evening = holders.pass_in(request, competition.pk), queries.evening_of(player, competition)
    writes = bool(held and evening.open and on_paper(competition.ruleset))
    code = queries.code_of_seat(held, evening.seat) if writes and held and evening.seat else ""
    context = {
        "competition": competition,
        "zone": competition.club.timezone,
        "player": player,
        "evening": evening,
        **_offer(request, held),
        "writes": writes,
        "seat_code": code,
        "head": public_seq(competition, competition.seq),
        "as_of": standings_as_of(competition),
        **_objections(competition, player, refused),
        **_byes(competition, player),
        **_break(competition, player),
        "challenges": _challenges(competition, player),
        **_as_guest(request, competition),
    }
    answer = render(request, "my_evening/page.html", context, status=422 if refused else 200)
    if code:
        add_never_cache_headers(answer)
    return answer


def _as_guest(request: HttpRequest, competition: Competition) -> Mapping[str, Any]:
    """Return the forms as none where somebody reads who is no member: another club's desk acts for them."""
    account = spectator_or_account(request)
    if account is None or holders.pass_in(request, competition.pk):
        return {}
    guest = permissions.guest_in(competition.club_id, account)
    return dict.fromkeys(("object_form", "bye_rounds", "byes_asked", "can_rest", "resting")) if guest else {}


@require_POST
def show_code(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the code of the person's seat on the page from now on, for another device than this one."""
    competition = get_object_or_404(all_competitions(), slug=slug)
    held = holders.pass_in(request, competition.pk)
    if held is None:
        return redirect("enter")
    try:
        services.show_seat_code(held)
    except Refusal as refusal:
        messages.error(request, translated(refusal.sentence))
    return redirect("my_evening", slug)


class ObjectionForm(forms.Form):
    """The table whose posted result is wrong, and what is wrong."""

    table = forms.ChoiceField(label=gettext_lazy("Table"))
    what = forms.CharField(
        label=gettext_lazy("What is wrong"),
        max_length=500,
        help_text=gettext_lazy("Everybody can read it; an organiser decides."),
    )

    def clean_what(self) -> str:
        """Return it as one line, as the log has it."""
        return one_line(self.cleaned_data["what"])


def _objection_form(competition: Competition, player: Player, sent: QueryDict | None = None) -> forms.Form:
    state = state_of(competition)
    entry = objector(state, str(player.pk))
    form = ObjectionForm(sent)
    field = form.fields["table"]
    assert isinstance(field, forms.ChoiceField)
    field.choices = posted_tables(state, entry.id if entry else "")
    return form


def _objections(competition: Competition, player: Player, refused: forms.Form | None) -> Mapping[str, Any]:
    """Return what the page shows of objections: those of the person, and a form while there is time."""
    if competition.objections_until is None:
        return {}
    state = state_of(competition)
    entry = objector(state, str(player.pk))
    open_now = entry is not None and competition.takes_objections and posted(state)
    return {
        "objections": objections_of(state, entry.id) if entry else (),
        "object_form": refused or _objection_form(competition, player) if open_now else None,
    }


def _challenges(competition: Competition, player: Player) -> list[tuple[int, str, str]]:
    """Return the open challenges of a person: number, sentence, and what an answer costs who is asked."""
    state = state_of(competition)
    entry = state.entry_with(str(player.pk))
    listed = [each for each in waiting(state.challenges) if entry and entry.id in each.entries]
    return [
        (
            each.number,
            challenge_later(state, each),
            costs_in_words(state, each) if entry and entry.id == each.entry else "",
        )
        for each in listed
    ]


def _performed(request: HttpRequest, slug: str, said: Callable[[], Verb], done: str) -> HttpResponse:
    """Carry out what the person says, by the account or by the pass that opened the evening."""
    shown = _shown(request, slug)
    if shown is None:
        return redirect("enter")
    competition, _player = shown
    try:
        caller = _caller(request, holders.pass_in(request, competition.pk))
        perform(caller, competition=competition, verb=said())
        messages.success(request, done)
    except forms.ValidationError as error:
        messages.error(request, " ".join(error.messages))
    except Refusal as refusal:
        messages.error(request, in_one_text(refusal))
    return redirect("my_evening", slug)


def _number(request: HttpRequest, field: str) -> int:
    number: int = NumberField(min_value=1).clean(request.POST.get(field, ""))
    return number


@require_POST
def answer_here(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept or refuse a challenge of a person."""
    verb = ANSWERS.get(request.POST.get("answer", ""))
    if verb is None:
        return redirect("my_evening", slug)
    done = _("Your answer is written down.")
    return _performed(request, slug, lambda: verb(_number(request, "challenge")), done)


@require_POST
def object_here(request: HttpRequest, slug: str) -> HttpResponse:
    """Write down a person's objection, by the account or by the pass that opened the evening."""
    shown = _shown(request, slug)
    if shown is None:
        return redirect("enter")
    competition, player = shown
    held, form = holders.pass_in(request, competition.pk), _objection_form(competition, player, request.POST)
    try:
        if form.is_valid():
            said = Object.of_player(**form.cleaned_data)
            perform(_caller(request, held), competition=competition, verb=said)
            messages.success(request, _("Your objection is written down. An organiser decides."))
            return redirect("my_evening", slug)
    except Refusal as refusal:
        messages.error(request, in_one_text(refusal))
    return _rendered(request, competition, player, form)


def _caller(request: HttpRequest, held: Pass | None) -> Caller:
    return holders.ByEvening(held) if held else AsPlayer(account_in(request))


# ---- Byes on request -----------------------------------------------------------------------------


def _byes(competition: Competition, player: Player) -> Mapping[str, Any]:
    """Return the rounds for which the person can ask for a bye, and those to come with one."""
    state = state_of(competition)
    entry = state.entry_with(str(player.pk))
    if entry is None or state.over or not plan_now(state).requested_byes:
        return {}
    stage, first = state.round_point(next_free(state))
    asked = sorted(number for at, number in entry.requested if at == stage and number >= first)
    return {"bye_rounds": free_rounds(state, entry), "byes_asked": asked}


@require_POST
def bye_here(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a bye in a round, or with ``back`` take that back."""
    kind, done = (
        (MarkPresent, _("You will play in that round."))
        if "back" in request.POST
        else (RequestBye, _("You have a bye in that round."))
    )
    return _performed(request, slug, lambda: kind.of_player(round=_number(request, "round")), done)


# ---- A break where tables open by themselves -----------------------------------------------------


def _break(competition: Competition, player: Player) -> Mapping[str, Any]:
    """Return whether the person can take a break now, or takes one and can come back."""
    state = state_of(competition)
    entry, current = state.entry_with(str(player.pk)), state.current_round
    if entry is None or not entry.checked_in or current is None or current.queue is None:
        return {}
    given = Given(str(competition.pk), database_time.now(), "player", str(player.pk))
    rests, returns = (each.open_to_player(state, given, entry) for each in (MarkAbsent, MarkPresent))
    return {"can_rest": rests, "resting": returns}


@require_POST
def break_here(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a break: no table opens for the person; or with ``back`` wait for one again.

    Where tables are drawn that would be to miss a round, of which this page shows nothing.
    """
    kind, done = (
        (MarkPresent, _("You wait for a table again."))
        if "back" in request.POST
        else (MarkAbsent, _("You take a break: no table opens for you until you are back."))
    )

    def said() -> Verb:
        current = state_of(get_object_or_404(all_competitions(), slug=slug)).current_round
        if current is None or current.queue is None:
            raise Illegal(
                text("No tables open by themselves now. To miss a round that is drawn, ask an organiser.")
            )
        return kind.of_player()

    return _performed(request, slug, said, done)


# ---- Messages of the browser ---------------------------------------------------------------------


def _browser(request: HttpRequest) -> QuerySet[EveningPush]:
    return EveningPush.objects.filter(session=request.session.session_key).order_by("pk")


def _offer(request: HttpRequest, held: Pass | None) -> Mapping[str, Any]:
    """Return what the page offers who was let in by a pass; to be told only under https."""
    if held is None or not is_offered(request):
        return {"with_code": held is not None}
    told = _browser(request).filter(held=held).exists()
    return {"with_code": True, "push_key": push_key(), "told": told}


@require_POST
@never_cache
def push_here(request: HttpRequest, slug: str) -> HttpResponse:
    """Tell this browser of the evening that it was let in to, or with no endpoint no more."""
    competition = get_object_or_404(all_competitions(), slug=slug)
    key, endpoint = request.session.session_key or "", request.POST.get("endpoint", "")
    if not endpoint:
        push.unsubscribe(session_key=key, competition=competition)
        return JsonResponse({"told": is_told(key)})
    held = holders.pass_in(request, competition.pk)
    if held is None or not is_offered(request):
        raise PermissionDenied(text("This code is not good any more. Ask an organiser for a new one."))
    try:
        language = get_language() or ""
        push.subscribe(held=held, session_key=key, endpoint=endpoint, language=language)
    except Malformed as refusal:
        return JsonResponse({"refused": translated(refusal.sentence)}, status=422)
    except (Illegal, Session.DoesNotExist):
        raise PermissionDenied from None
    return JsonResponse({})


def _told(request: HttpRequest) -> Told | None:
    key = request.session.session_key or ""
    found = (push.told(held=held, session_key=key) for held in holders.passes_in(request))
    return max((each for each in found if each), key=lambda each: each.at, default=None)


WORDS.append(_told)
FOLLOWED.append(push.follows)


# ---- A code at the door --------------------------------------------------------------------------


@never_cache
@sensitive_variables("codes", "context")
@require_http_methods(["GET", "HEAD", "POST"])
def door(request: HttpRequest, slug: str, entry_id: UUID) -> HttpResponse:
    """Ask at a kiosk or an organiser's device whether to show an entry's codes; on POST show them."""
    competition = get_object_or_404(all_competitions(), slug=slug)
    found = Entry.objects.filter(competition=competition, status=Entry.Status.ENTERED, checked_in=True)
    entry = get_object_or_404(found, pk=entry_id)
    account = spectator_or_account(request)
    keeper = account and permissions.role_in(competition.club_id, account) in permissions.SCOREKEEPERS
    if not keeper and kiosk_in(request, competition) is None:
        raise PermissionDenied(text("Only a scorekeeper or a kiosk shows this."))
    people = [each.player for each in entry.members.select_related("player") if not each.player.bot]
    codes: list[queries.ShownCode] = []
    if request.method == "POST":
        try:
            if account and keeper:
                made = services.make_passes(by=account, competition=competition, people=people)
            else:
                made = services.make_passes_at_kiosk(competition=competition, people=people)
            codes = [queries.shown_code(site_address(request), each, made[each.pk]) for each in people]
        except Refusal as refusal:
            messages.error(request, translated(refusal.sentence))
    context = {"competition": competition, "entry": entry, "codes": codes, "zone": competition.club.timezone}
    return render(request, "my_evening/door.html", context)


OTHER_CODES[queries.LENGTH] = _opened
WAYS_IN.append(WayIn(holders.holder_here, holders.refusal_here))

urlpatterns = [
    path("competitions/<slug:slug>/my-evening/", page, name="my_evening"),
    path("competitions/<slug:slug>/my-evening/challenge/", answer_here, name="challenge_evening"),
    path("competitions/<slug:slug>/my-evening/object/", object_here, name="object_evening"),
    path("competitions/<slug:slug>/my-evening/bye/", bye_here, name="bye_evening"),
    path("competitions/<slug:slug>/my-evening/seat-code/", show_code, name="seat_code_evening"),
    path("competitions/<slug:slug>/my-evening/break/", break_here, name="break_evening"),
    path("competitions/<slug:slug>/my-evening/push/", push_here, name="push_evening"),
    path("competitions/<slug:slug>/my-evening/leave/", leave, name="leave_evening"),
    path("competitions/<slug:slug>/my-evening/code/<uuid:entry_id>/", door, name="evening_code"),
]
