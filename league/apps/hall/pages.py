"""Pages of the hall without an account: check-in, kiosks, and the codes of seats."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.timezone import override as override_zone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.generic import RedirectView

from games.engine.messages import filled, text
from games.engine.refusals import Illegal, Refusal
from league import hooks
from league.apps.hall import at_tables, holders, queries, screens, services, totals
from league.apps.hall.models import Call, Kiosk
from league.callers import ByAccount, Caller
from league.core.verb import Verb
from league.core.verbs.presence import CheckInAllEntries, CheckInEntry, CheckOutEntry
from league.forms import add_errors
from league.models import Account, Club, ClubGame, Competition, Entry
from league.queries import permissions
from league.queries.competitions import all_competitions, competitions_not_over, state_of
from league.queries.games import all_games, seated_at, sides_of_seats
from league.queries.score_cards import rounds_of_tables
from league.queries.verbs import not_expected
from league.requests import spectator_or_account
from league.services.verbs import perform
from league.web.gametable import TableShown
from league.web.holders import WAYS_IN, WayIn, client_of
from league.words.messages import translated
from league.words.moves import names_by_side
from league.words.values import on_paper

# ---- Check-in ----------------------------------------------------------------------------------

LONGEST_NAME: Final = 100


@dataclass(frozen=True)
class Door:
    """Who checks people in on this device.

    ``account`` is that of an organiser or scorekeeper, who alone checks all in at once; a kiosk and they can
    take a check-in back. Everybody else can only check in, and that if ``self_check_in`` is on.
    """

    competition: Competition
    account: Account | None
    kiosk: Kiosk | None
    self_check_in: bool

    @property
    def open(self) -> bool:
        return bool(self.account or self.kiosk or self.self_check_in)

    @property
    def takes_back(self) -> bool:
        return bool(self.account or self.kiosk)

    @property
    def caller(self) -> Caller:
        """Return who stands at the door."""
        if self.account:
            return ByAccount(self.account)
        return holders.AtKiosk(self.kiosk) if self.kiosk else holders.OnOwnPhone()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who has checked in, by name; on POST check an entry in, or take that back.

    A script gets the list alone, on POST with what was done.
    """
    competition = get_object_or_404(all_competitions(), slug=slug)
    door = _door(request, competition)
    of_script = "XMLHttpRequest" in (request.headers.get("X-Requested-With"), request.GET.get("by"))
    said, done = "", False
    if request.method == "POST":
        said, done = _carried_out(request, door)
        if not of_script:
            (messages.success if done else messages.error)(request, said)
            return redirect("competition_check_in", slug)
    context = {**_shown(request, door), "said": said, "just": _just(request, competition) if done else None}
    return render(request, f"hall/check_in{'_list' if of_script else ''}.html", context)


def _just(request: HttpRequest, competition: Competition) -> Entry | None:
    """Return the entry that was checked in just now, for what apps offer it."""
    entry = request.POST.get("in")
    return Entry.objects.filter(competition=competition, pk=entry).first() if entry else None


def _door(request: HttpRequest, competition: Competition) -> Door:
    account = spectator_or_account(request)
    if account and permissions.role_in(competition.club_id, account) not in permissions.SCOREKEEPERS:
        account = None
    kiosk = None if account else holders.kiosk_in(request, competition)
    return Door(competition, account, kiosk, queries.hall_of(competition).self_check_in)


def _carried_out(request: HttpRequest, door: Door) -> tuple[str, bool]:
    """Carry out what was posted; return what was done, or else why not, and which of the two."""
    verb = _verb(request)
    try:
        appended = perform(door.caller, competition=door.competition, verb=verb)
    except Refusal as refusal:
        return translated(refusal.sentence), False
    except PermissionDenied as refusal:
        return translated(str(refusal)) or _("You can’t do this here."), False
    if isinstance(verb, CheckInEntry) and not appended.events:
        return _already(door.competition, verb.entry), False
    return _done(door.competition, verb), True


def _already(competition: Competition, entry: str) -> str:
    """Return when an entry checked in, and the question whether another person of its name stands here."""
    with override_zone(competition.club.zone):
        at = time_format(localtime(queries.checked_in_at(competition, entry)), "TIME_FORMAT")
    people = queries.check_in_of(competition).people
    (tapped,) = (each for each in people if str(each.entry.pk) == entry)
    told = {"name": tapped.entry.called, "time": at}
    if any(each.players_key == tapped.players_key and not each.entry.checked_in for each in people):
        return _("%(name)s already checked in at %(time)s: are you the other one? Then tap the other.") % told
    return filled(_("%(name)s already checked in at %(time)s."), told)


def _verb(request: HttpRequest) -> Verb:
    sent = request.POST
    if "in" in sent:
        return CheckInEntry(sent["in"])
    if "out" in sent:
        return CheckOutEntry(sent["out"])
    if "all" in sent:
        return CheckInAllEntries()
    raise BadRequest("Nobody is named.")


def _done(competition: Competition, verb: Verb) -> str:
    competition.refresh_from_db()
    people = queries.check_in_of(competition).people
    names = {str(each.entry.pk): each.entry.called for each in people}
    match verb:
        case CheckInEntry():
            if first := queries.counts_from(competition, verb.entry):
                told = {"name": names.get(verb.entry, ""), "round": first}
                return filled(_("Checked in, and here from round %(round)d on: %(name)s."), told)
            return filled(_("Checked in: %(name)s."), {"name": names.get(verb.entry, "")})
        case CheckOutEntry():
            return filled(_("Not checked in any more: %(name)s."), {"name": names.get(verb.entry, "")})
        case _ if left := [each.entry.called for each in people if not each.entry.checked_in]:
            sentence = _("All are checked in, but for those who are not expected: %(names)s.")
            return filled(sentence, {"names": ", ".join(left)})
        case _:
            return _("Everybody is checked in.")


def _shown(request: HttpRequest, door: Door) -> dict[str, object]:
    """Return what the page shows; ``?name=`` and ``?show=missing`` leave entries out of the list."""
    competition = door.competition
    state = state_of(competition)
    # Whom nobody waits for is for the organisers.
    unexpected = not_expected(competition.pk, state) if door.account else ()
    check_in = queries.check_in_of(competition, unexpected)
    wanted = request.GET.get("name", "")[:LONGEST_NAME]
    only_missing = request.GET.get("show") == "missing"
    return {
        "competition": competition,
        "club": competition.club,
        "zone": competition.club.timezone,
        "door": door,
        "directs": door.account and permissions.is_organiser(competition.club_id, door.account),
        "open": door.open and queries.checks_in(competition),
        "checks_in": queries.checks_in(competition),
        "started": state.started,
        "over": state.over,
        "check_in": check_in,
        "name": wanted,
        "only_missing": only_missing,
        "people": [each for each in check_in.people if _is_listed(each, wanted, only_missing)],
    }


def _is_listed(person: queries.Present, wanted: str, only_missing: bool) -> bool:
    return person.is_named(wanted) and not (only_missing and person.entry.checked_in)


# ---- Kiosks ------------------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_kiosk(request: HttpRequest, kiosk_id: UUID, token: str) -> HttpResponse:
    """Show what the link does; on POST make this device the kiosk and log its account out.

    A GET changes nothing: programs that show links look at them before people do.
    """
    try:
        if request.method != "POST":
            kiosk = queries.read_link(kiosk_id=kiosk_id, token=token)
            context = {"kiosk": kiosk, "zone": kiosk.competition.club.timezone}
            return render(request, "hall/kiosk_open.html", context)
        kiosk = services.start_kiosk(kiosk_id=kiosk_id, token=token)
    except Illegal as refusal:
        return render(request, "hall/kiosk_no_link.html", {"why": translated(refusal.sentence)}, status=410)
    # Whoever stands at the device must not act for the organiser who set it up.
    logout(request)
    answer = redirect("kiosk", kiosk.competition.slug)
    answer.set_cookie(
        holders.COOKIE,
        queries.cookie_of(kiosk),
        expires=kiosk.expires_at,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return answer


@never_cache
@require_safe
def kiosk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables whose scores can be entered; 403 where the device is no kiosk of the competition."""
    competition = get_object_or_404(all_competitions(), slug=slug)
    here = holders.kiosk_in(request, competition)
    if here is None:
        return _no_kiosk(request)
    holders.forget_seats(request)
    context = {
        "competition": competition,
        "kiosk": here,
        "games": queries.running_at_open_tables(competition) if on_paper(competition.ruleset) else (),
        "checks_in": queries.checks_in(competition),
        "zone": competition.club.timezone,
    }
    return render(request, "hall/kiosk.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def kiosk_table(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Ask at a kiosk whose scores are entered; on POST lead to the score card."""
    club_game = get_object_or_404(all_games(), pk=game_id)
    if club_game.competition is None or holders.kiosk_in(request, club_game.competition) is None:
        return _no_kiosk(request)
    if not queries.open_tables().filter(games=club_game).exists():
        messages.error(request, _its_end(club_game))
        return redirect("kiosk", club_game.competition.slug)
    seats = club_game.table.seats.select_related("entry", "player") if club_game.table else ()
    chosen = [seat for seat in seats if str(seat.number) == request.POST.get("seat")]
    if request.method == "POST" and chosen:
        holders.name_seat(request, club_game, chosen[0].number ^ club_game.turn)
        return redirect(f"{reverse('game', args=[game_id])}#play")
    context = {"club_game": club_game, "seats": seats, "zone": club_game.club.timezone}
    return render(request, "hall/kiosk_table.html", context)


def _its_end(club_game: ClubGame) -> str:
    """Return what happened to a table for which no scores are entered any more, with its players' names."""
    seats = seated_at([club_game.game])[club_game.pk]
    players = names_by_side(seats, sides_of_seats(club_game, [(each.seat, each.team) for each in seats]))
    return f"{players}: {translated(queries.ended(club_game.table_id).sentence)}"


def _no_kiosk(request: HttpRequest) -> HttpResponse:
    why = _("This device is no kiosk of this competition, or no longer. Ask the organiser for a link.")
    return render(request, "hall/kiosk_no_link.html", {"why": why}, status=403)


# ---- Codes ---------------------------------------------------------------------------------------

OTHER_CODES: Final[dict[int, Callable[[HttpRequest, str], HttpResponse]]] = {}
"""What codes of other lengths than a seat's open, by length; each raises `Refusal`."""


class CodeForm(forms.Form):
    """A code of a seat, or of an app."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        help_text=gettext_lazy("Letters and digits in fours, as they are printed."),
        widget=forms.TextInput(
            {"autocapitalize": "characters", "autocomplete": "off", "spellcheck": "false", "autofocus": True}
            | {"placeholder": "K7QD-2M9X", "data-code": "1"}
        ),
    )


@never_cache
@sensitive_post_parameters("code")
@sensitive_variables("form")
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest) -> HttpResponse:
    """Ask for a code; lead the holder of a right one to the score card of its table, or elsewhere.

    The link of a QR code has the code after a ``#``, which browsers send to nobody: programs that look at
    links learn and change nothing. The page's script fills it in, and sends it where it is a seat's.
    """
    form = CodeForm(request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound and form.is_valid():
        try:
            return _let_in(request, form.cleaned_data["code"])
        except services.TooManyTries as refusal:
            form.add_error("code", translated(refusal.sentence))
            answer = render(request, "hall/enter.html", {"form": form}, status=429)
            answer["Retry-After"] = str(refusal.seconds)
            return answer
        except Refusal as refusal:
            add_errors(form, refusal.errors or {"code": [refusal.sentence]})
            status = 422
    return render(request, "hall/enter.html", {"form": form}, status=status)


def _let_in(request: HttpRequest, typed: str) -> HttpResponse:
    """Let this browser write for the seat of a code, or open what another code opens; raises `Refusal`."""
    read = queries.read_code(typed, *OTHER_CODES)
    if opens := OTHER_CODES.get(len(read)):
        return opens(request, read)
    code = services.try_code(typed=read, client=client_of(request))
    club_game = all_games().filter(table=code.table).first()
    if club_game is None:
        raise Illegal(text("There is no game at this table now. Ask an organiser."))
    holders.use_code(request, code, club_game)
    return redirect(f"{reverse('game', args=[club_game.pk])}#play")


@require_POST
def leave(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Forget the codes that this browser holds."""
    holders.forget_seats(request)
    messages.success(request, _("This device no longer enters scores."))
    return redirect("game", game_id)


# ---- On pages of the spine -----------------------------------------------------------------------

MOST: Final = 30
"""The most calls and competitions that the scorekeepers' page lists."""


def _arriving(clubs: Iterable[Club]) -> Iterator[tuple[Competition, str]]:
    """Yield competitions for which somebody may still check in, with how many of all are here."""
    for competition in competitions_not_over(clubs)[:MOST]:
        state = state_of(competition)
        if state.opening.entering.check_in and (state.not_checked_in or not state.started):
            here = [entry.checked_in for entry in state.entries if entry.status == "entered"]
            yield competition, queries.checked_in_in_words(sum(here), len(here))


def _open_calls(clubs: Iterable[Club]) -> Sequence[tuple[Call, UUID | None, str]]:
    """Return the calls that nobody has seen, each with its table's round, and the totals typed there."""
    found = list(queries.open_calls(clubs)[:MOST])
    rounds, typed = rounds_of_tables(each.table for each in found), totals.in_words(found)
    return [(each, rounds.get(each.table), typed.get(each.pk, "")) for each in found]


def _of_seat(table: TableShown) -> dict[str, object]:
    """Return the last call of the reader's table with its totals, and until when the timer lets it play."""
    own = table.club_game.table if table.mine else None
    if own is None:
        return {}
    call = queries.last_call(own.pk)
    typed = totals.in_words([call]).get(call.pk, "") if call else ""
    takes = on_paper(table.game.ruleset) and own.match is None
    return {"call": call, "until": queries.table_ends(own), "typed": typed, "takes_totals": takes}


WAYS_IN.append(WayIn(holders.holder_here, holders.refusal_here))
hooks.GIVEN.update(
    {
        "hall/at_call.html": lambda page: _of_seat(page["table"]),
        "hall/at_competition.html": lambda page: {
            "announcements": queries.announcements_of(page["competition"])
        },
        "hall/at_urgent.html": lambda page: {"calls": _open_calls(page["clubs"])},
        "hall/at_arriving.html": lambda page: {"arriving": list(_arriving(page["clubs"]))},
    }
)

urlpatterns = [
    path("competitions/<slug:slug>/check-in/", check_in, name="competition_check_in"),
    path("in/<slug:slug>/", RedirectView.as_view(pattern_name="competition_check_in"), name="check_in"),
    path("competitions/<slug:slug>/hall/", screens.page, name="competition_hall"),
    path("competitions/<slug:slug>/hall/screens/", screens.screens, name="competition_hall_screens"),
    path("competitions/<slug:slug>/kiosk/", kiosk, name="kiosk"),
    path("kiosks/<uuid:kiosk_id>/<str:token>/", open_kiosk, name="open_kiosk"),
    path("games/<uuid:game_id>/kiosk/", kiosk_table, name="kiosk_table"),
    path("games/<uuid:game_id>/leave/", leave, name="leave_seat"),
    path("games/<uuid:game_id>/call/", at_tables.call, name="call"),
    path("games/<uuid:game_id>/totals/", at_tables.table_totals, name="table_totals"),
    path("calls/<uuid:call_id>/seen/", at_tables.see_call, name="see_call"),
    path("calls/<uuid:call_id>/take/", at_tables.take_totals, name="take_totals"),
    path("enter/", enter, name="enter"),
]
