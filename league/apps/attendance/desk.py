"""Who is coming, on the desk: how an evening asks, the list of answers, and guests at the door."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias
from uuid import UUID, uuid4

import segno
from django import forms
from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.messages import filled
from games.engine.refusals import Illegal, Malformed, Refusal
from league import hooks
from league.admin.asking import Asked
from league.admin.base import AppPage
from league.admin.competitions import JOINED, CompetitionAdmin
from league.admin.consequences import OF_APPS
from league.admin.needs import PROVIDERS
from league.apps.attendance import needs, partners, queries, services, taking_back
from league.apps.attendance.emails import reached, to_ask
from league.apps.attendance.models import Asking, Guest, Reply, Wish
from league.apps.attendance.words import asked_in_words, place_in_words
from league.files.file import File, as_answer
from league.hooks import papers
from league.models import Account, Competition, Player
from league.queries.competitions import OVER, details_of, last_entries_of_namesakes, state_of
from league.requests import account_in, keep_site_address, likely_address, site_address
from league.words.competitions import when_and_where
from league.words.draw_reports import tables_in_words
from league.words.emails import kept_here
from league.words.messages import in_one_text, told_apart


def in_words(expected: queries.Expected) -> str:
    """Return how many come, as in "14 yes, 3 not sure, 1 no, 2 guests: 4 tables of 4".

    In a game of teams it says how many of those are in none. Where others have entered without an answer, it
    says at how many people the tables are.
    """
    told = [
        _("%(count)d yes") % {"count": expected.yes},
        _("%(count)d not sure") % {"count": expected.unsure},
        *([_("%(count)d no") % {"count": expected.no}] if expected.no else []),
        ngettext("%(count)d guest", "%(count)d guests", expected.guests) % {"count": expected.guests},
    ]
    if expected.alone:
        told.append(_("%(count)d in no team yet") % {"count": expected.alone})
    answers = ", ".join(told)
    if not expected.sizes:
        return answers
    tables = tables_in_words(expected.sizes, teams=expected.teams)
    if expected.over:
        tables += ", " + _("%(count)d without a table in each round") % {"count": expected.over}
    if expected.people == expected.yes + expected.guests:
        return _("%(answers)s: %(tables)s") % {"answers": answers, "tables": tables}
    counted = {"answers": answers, "people": expected.people, "tables": tables}
    return filled(
        ngettext(
            "%(answers)s. With who has entered %(people)d comes: %(tables)s",
            "%(answers)s. With who has entered %(people)d come: %(tables)s",
            expected.people,
        ),
        counted,
    )


def reach_in_words(competition: Competition) -> str:
    """Return how many people emails ask, or could where the evening asks by none, and whom to ask otherwise.

    These are the ones listed on the same page: who has not answered, and is not away.
    """
    mailed, others = reached(competition).count(), to_ask(competition).count()
    asked = ngettext(
        "%(count)d is to be asked by phone or in person",
        "%(count)d are to be asked by phone or in person",
        others,
    )
    asked %= {"count": others}
    if files := kept_here():
        return f"{files} {asked}."
    asking = queries.asking_of(competition)
    if asking.asks and asking.days:
        told = ngettext("%(count)d person is asked by email", "%(count)d people are asked by email", mailed)
    else:
        told = ngettext(
            "Nobody is asked by email; %(count)d person could be",
            "Nobody is asked by email; %(count)d people could be",
            mailed,
        )
    return f"{told % {'count': mailed}}; {asked}."


def _panel(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a competition's page shows: one line where nothing of it is used."""
    competition: Competition = page["competition"]
    own = getattr(competition, "asking", None)
    offered = queries.last_day(competition) is not None and queries.is_undrawn(competition)
    if own is None and not offered:
        return {"shown": False}
    asking = own or queries.asking_of(competition)
    if competition.status in OVER:
        return {"shown": False}
    guests = _guests(competition, asking) if own or asking.asks else []
    used = asking.asks or asking.door_is_open or bool(guests)
    return {
        "guests": guests,
        "let_in": taking_back.can_be_taken_back(competition) if used else (),
        "ready": queries.ready_teams(competition) if asking.asks and offered else (),
        "as_guests": bool(queries.guest_columns()),
        "used": used,
        "shown": used or offered,
        "expected": in_words(queries.expected_at(competition)) if asking.asks else "",
    }


def _guests(competition: Competition, asking: Asking) -> list[dict[str, Any]]:
    """Return who waits, each with the players of the club who they may be, and what to know of these."""
    found = list(queries.waiting(competition))
    last = last_entries_of_namesakes(competition.club) if found else {}
    most = asking.most_visits
    return [
        {
            "guest": guest,
            "known": [
                (player, told_apart(player, last), visits, bool(most) and visits >= most)
                for player, visits in queries.who_it_may_be(competition.club, guest.name)
            ],
        }
        for guest in found
    ]


def _at_check_in(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the check-in list of an organiser offers for people who have not entered."""
    competition: Competition = page["competition"]
    if not (page["directs"] and page["open"] and state_of(competition).opening.team_size == 1):
        return {"walk_ins": False}
    guests = _guests(competition, queries.asking_of(competition))
    as_guests = bool(queries.guest_columns())
    return {
        "walk_ins": True,
        "guests": guests,
        "let_in": taking_back.can_be_taken_back(competition),
        "key": uuid4(),
        "as_guests": as_guests,
    }


# ---- The page ------------------------------------------------------------------------------------


class AskingForm(forms.ModelForm):  # type: ignore[type-arg]
    """How an evening asks."""

    for_club = forms.BooleanField(
        label=gettext_lazy("For all the club’s evenings from now on"), required=False
    )

    class Meta:
        model = Asking
        fields = ("asks", "enters", "days", "most_visits")
        help_texts: Final = {
            "enters": gettext_lazy(
                "Otherwise, and without an account, they are ticked where you enter players."
            ),
            "days": gettext_lazy("0: nobody is asked by email. Who has not answered is reminded once."),
            "most_visits": gettext_lazy("You are told at the door. 0: as often as they like."),
        }

    def clean_days(self) -> int:
        """Return the days; raise ValidationError for too many."""
        days: int = self.cleaned_data["days"]
        if days > services.MOST_DAYS:
            raise ValidationError(
                filled(_("Choose a number from 0 to %(most)d."), {"most": services.MOST_DAYS})
            )
        return days


_OF_OTHERS: Final[Mapping[str, Any]] = {
    Wish.PARTNER: gettext_lazy("Looks for a partner"),
    Wish.FILLS_IN: gettext_lazy("Can fill in"),
}
"""What somebody else wishes or offers."""


def coming_page(admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """Show how the evening asks, and all answers; on POST carry out one form of it."""
    asking = queries.asking_of(competition)
    usual = {"for_club": queries.asks_as_club(asking)}
    form = AskingForm(request.POST if "save" in request.POST else None, instance=asking, initial=usual)
    if request.method == "POST" and (not form.is_bound or form.is_valid()):
        return _acted(admin, request, competition)
    door = door_of(request, asking)
    asked, state = queries.asked_by(competition, None), state_of(competition)
    context = {
        "competition": competition,
        "original": competition,
        "zone": competition.club.timezone,
        "form": form,
        "asking": asking,
        "dated": queries.last_day(competition) is not None,
        "open": queries.is_open(competition),
        "fillable": queries.takes_requests(competition, of_organisers=True),
        "answers": queries.answers_of(competition) if asking.asks else (),
        "expected": in_words(queries.expected_at(competition)) if asking.asks else "",
        "replies": Reply.choices,
        "reach": reach_in_words(competition),
        "to_ask": list(to_ask(competition)) if queries.last_day(competition) else (),
        "wishes": [(wish, _OF_OTHERS[wish]) for wish, _title in queries.wishes(competition)],
        "wishing": [
            (each, _OF_OTHERS[each.wish], asked.get(each.player_id)) for each in queries.wishing(competition)
        ],
        "size": state.opening.team_size,
        "forming": queries.teams_forming(competition),
        "ready": queries.ready_teams(competition),
        "fills_in": Wish.FILLS_IN,
        "door": door,
        "path": _door(asking) if asking.door_is_open else "",
        "code": code_of(door),
        "likely": likely_address(request),
        "prints": bool(papers.POSTERS),
        "over": state.over,
    }
    return admin.render_page(request, "attendance/desk_coming.html", _("Who is coming?"), context)


def _door(asking: Asking) -> str:
    return reverse("door", args=[asking.competition_id, queries.token_at_door(asking)])


def door_of(request: HttpRequest, asking: Asking) -> str:
    """Return the address at the door for phones; empty where there is none, or none that they reach."""
    site = site_address(request)
    return f"{site}{_door(asking)}" if asking.door_is_open and site else ""


def code_of(address: str) -> str:
    """Return the QR code of an address as SVG, empty for none."""
    if not address:
        return ""
    made = segno.make(address, error="m", micro=False)
    return mark_safe(
        made.svg_inline(scale=8, border=2, dark="#000", light="#fff", omitsize=True, svgclass="code")
    )


# ---- What its forms do ---------------------------------------------------------------------------


def _save(by: Account, competition: Competition, sent: QueryDict) -> str:
    form = AskingForm(sent, instance=queries.asking_of(competition))
    if not form.is_valid():
        raise Malformed({name: [*map(str, sentences)] for name, sentences in form.errors.items()})
    services.set_asking(by=by, competition=competition, **form.cleaned_data)
    asks = form.cleaned_data["asks"] and form.cleaned_data["days"]
    return f"{_('Saved.')} {reach_in_words(competition)}" if asks else _("Saved.")


def _reply(by: Account, competition: Competition, sent: QueryDict) -> str:
    pk, _colon, reply = sent.get("reply", "").partition(":")
    player = Player.objects.get(pk=_id(pk), club=competition.club_id)
    given = services.answer_for(by=by, competition=competition, player=player, reply=reply)
    return _("%(name)s: %(reply)s") % {"name": player.name, "reply": given.get_reply_display()}


_GUEST: Final = "guest"
"""Instead of a player's id: somebody new, whom the club knows as a guest."""


def _wish(by: Account, competition: Competition, sent: QueryDict) -> str:
    pk, _colon, wish = sent.get("wish", "").partition(":")
    player = Player.objects.get(pk=_id(pk), club=competition.club_id)
    given = partners.wish_for(by=by, competition=competition, player=player, wish=wish)
    told = [str(given.get_reply_display()), *([str(_OF_OTHERS[given.wish])] if given.wish else [])]
    return _("%(name)s: %(reply)s") % {"name": player.name, "reply": " · ".join(told)}


def _let_in(by: Account, competition: Competition, sent: QueryDict) -> str:
    pk, _colon, player = sent.get("let_in", "").partition(":")
    as_guest = player == _GUEST
    known = _id(player) if player and not as_guest else None
    name = sent.get("name", "")
    another = sent.get("another") == "yes"
    guest = services.let_in(
        by=by, guest_id=_id(pk), player=known, name=name, as_guest=as_guest, another=another
    )
    return place_in_words(competition, guest.player_id, guest.player.name if guest.player else guest.name)


def _walk_in(by: Account, competition: Competition, sent: QueryDict) -> str:
    key, _colon, kind = sent.get("walk_in", "").partition(":")
    name, as_guest = sent.get("name", ""), kind == _GUEST
    guest = services.walk_in(by=by, competition=competition, key=_id(key), name=name, as_guest=as_guest)
    if guest.player is None:
        return _("The club knows this name, or one like it: choose who has come.")
    return place_in_words(competition, guest.player_id, guest.player.name)


def _take_back(by: Account, competition: Competition, sent: QueryDict) -> str:
    back = taking_back.take_back(by=by, competition=competition, guest_id=_id(sent.get("take_back", "")))
    return _("%(name)s waits at the door again.") % {"name": back.name}


def _turn_away(by: Account, competition: Competition, sent: QueryDict) -> str:
    services.turn_away(by=by, competition=competition, guests=[_id(sent.get("turn_away", ""))])
    return _("The guest was not let in.")


def _turn_several_away(by: Account, competition: Competition, sent: QueryDict) -> str:
    count = services.turn_away(by=by, competition=competition, guests=_several(sent))
    told = ngettext("%(count)d guest was not let in.", "%(count)d guests were not let in.", count)
    return told % {"count": count}


def _several(sent: QueryDict) -> list[UUID]:
    """Return those who are ticked, or all that the page showed: who came since stays."""
    return [*map(_id, sent.getlist("shown" if sent.get("several") == "all" else "ticked"))]


def _fill_in(by: Account, competition: Competition, sent: QueryDict) -> str:
    made = partners.ask_to_fill_in(by=by, competition=competition, asked=_id(sent.get("fill_in", "")))
    return asked_in_words(competition, made.asked)


def _enter_team(by: Account, competition: Competition, sent: QueryDict) -> str:
    asker = _id(sent.get("enter_team", ""))
    names = partners.enter_team(by=by, competition=competition, asker=asker)
    return place_in_words(competition, asker, " & ".join(names))


def _enter_seekers(by: Account, competition: Competition, sent: QueryDict) -> str:
    chosen = [*map(_id, sent.getlist("seeker"))]
    name = partners.enter_seekers(by=by, competition=competition, players=chosen)
    return place_in_words(competition, chosen[0], name)


def _open(by: Account, competition: Competition, _sent: QueryDict) -> str:
    replaced = queries.asking_of(competition).door_is_open
    services.open_door(by=by, competition=competition)
    if replaced:
        return _("The address at the door works. The earlier one has ended.")
    return _("The address at the door works.")


def _in_hall(by: Account, competition: Competition, sent: QueryDict) -> str:
    shown = sent.get("in_hall") == "yes"
    services.show_door(by=by, competition=competition, shown=shown)
    return _("The hall shows the code.") if shown else _("The hall no longer shows the code.")


def _close(by: Account, competition: Competition, _sent: QueryDict) -> str:
    services.close_door(by=by, competition=competition)
    return _("The address at the door has ended.")


def _revoke(by: Account, competition: Competition, _sent: QueryDict) -> str:
    services.revoke_links(by=by, competition=competition)
    return _("The links of earlier emails no longer work.")


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Illegal(_("This is not there any more. Look at the page again.")) from None


Act: TypeAlias = Callable[[Account, Competition, QueryDict], str]
ACTS: Final[Mapping[str, Act]] = {
    "save": _save,
    "reply": _reply,
    "wish": _wish,
    "let_in": _let_in,
    "walk_in": _walk_in,
    "take_back": _take_back,
    "turn_away": _turn_away,
    "several": _turn_several_away,
    "fill_in": _fill_in,
    "enter_team": _enter_team,
    "enter_seekers": _enter_seekers,
    "open": _open,
    "in_hall": _in_hall,
    "close": _close,
    "revoke": _revoke,
}
"""What each form does, by the name of its button; returns what is said then."""


def _poster(request: HttpRequest, competition: Competition) -> HttpResponse:
    """Return the code of the door on paper; raise `Illegal` where phones reach no door."""
    url = door_of(request, queries.asking_of(competition))
    if not url:
        raise Illegal(_("There is no address at the door that phones reach."))
    words, day = _("Scan this and type your name."), when_and_where(details_of(competition))
    pdf = papers.POSTERS[0](competition.name, day, words, url, competition.club.paper)
    answer = as_answer(File(pdf, f"{competition.slug}-door.pdf"))
    answer["Cache-Control"] = "no-store"
    return answer


def _name_known(
    admin: CompetitionAdmin, request: HttpRequest, competition: Competition, known: services.NameKnown
) -> HttpResponse:
    """Ask whether a guest is the player of the same name, or somebody else."""
    last = last_entries_of_namesakes(competition.club)
    here = {each.player_id for each in Guest.objects.filter(competition=competition, status="let_in")}
    context = {
        "competition": competition,
        "original": competition,
        "guest": known.guest,
        "name": known.name,
        "kind": request.POST.get("let_in", "").partition(":")[2],
        "back": request.POST.get("back", ""),
        "known": [
            (player, told_apart(player, last), player.pk in here)
            for player, _visits in queries.who_it_may_be(competition.club, known.name)
        ],
    }
    return admin.render_page(request, "attendance/desk_name_known.html", _("Who is this?"), context)


def _acted(admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    named = next((name for name in ACTS if name in request.POST), "")
    try:
        if "poster" in request.POST and papers.POSTERS:
            return _poster(request, competition)
        if "address" in request.POST:
            keep_site_address(request, request.POST["address"])
        if named:
            messages.success(request, ACTS[named](account_in(request), competition, request.POST))
    except services.NameKnown as known:
        return _name_known(admin, request, competition, known)
    except Refusal as refusal:
        messages.error(request, in_one_text(refusal))
    except ObjectDoesNotExist:
        messages.error(request, _("This is not there any more. Look at the page again."))
    match request.POST.get("back"):
        case "competition":
            return redirect("admin:league_competition_change", competition.pk)
        case "check-in":
            return redirect("competition_check_in", competition.slug)
    page = reverse("admin:league_competition_coming", args=[competition.pk])
    return redirect(f"{page}#answers" if named in ("reply", "wish") else page)


# ---- Where it hangs on the desk ------------------------------------------------------------------

PROVIDERS.extend((needs.guests_at_doors, needs.teams_to_enter))
OF_APPS.append(needs.waits_at_door)
JOINED.append("asking")


def _who_stays_out(request: HttpRequest, competition: Competition) -> str:
    try:
        sent = request.POST
        chosen = _several(sent) if "several" in sent else [_id(sent.get("turn_away", ""))]
    except Illegal:
        chosen = []
    waiting = Guest.objects.filter(competition=competition, pk__in=chosen, status=Guest.Status.WAITING)
    names = ", ".join(guest.who for guest in waiting.select_related("brought_by").order_by("made_at", "pk"))
    if not names:
        return _("Nobody of them waits any more.")
    told = _("Not let in: %(names)s. Who should come in after all has to say the name at the door again.")
    return filled(told, {"names": names})


_NO_DOOR: Final = gettext_lazy(
    "What hangs at the door, and pages that are open on phones, stop working for good."
)
ASKS: Final[Mapping[str, Asked]] = {
    "revoke": (
        gettext_lazy("End all links"),
        gettext_lazy("No link of the emails sent so far for this evening works any more. Answers stay."),
    ),
    "turn_away": (gettext_lazy("Not let in"), _who_stays_out),
    "several": (gettext_lazy("Several not let in"), _who_stays_out),
    "open=again": (gettext_lazy("New address"), _NO_DOOR),
    "close": (gettext_lazy("End the address"), _NO_DOOR),
}
CompetitionAdmin.app_pages.update(coming=AppPage(coming_page, asks=ASKS))
hooks.GIVEN["attendance/at_desk_competition.html"] = _panel
hooks.GIVEN["attendance/at_check_in.html"] = _at_check_in
