"""My evening on the desk: who has a code, and slips, emails and new codes."""

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.debug import sensitive_variables

from games.engine.messages import filled
from games.engine.refusals import Refusal
from league.admin.base import AppPage
from league.admin.competitions import CompetitionAdmin
from league.apps.my_evening import queries, services
from league.apps.prints.contents import Slip
from league.apps.prints.desk import AddressForm
from league.apps.prints.score_sheets import drawn
from league.files.file import File, as_answer
from league.models import Competition
from league.queries.clubs import gets_emails
from league.requests import account_in, site_address
from league.words.emails import kept_here
from league.words.messages import translated


@sensitive_variables("context")
def evenings(admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """Show who has a code; on POST send, print, show or end codes."""
    # A slip says where its code is typed, so it waits for an address that phones reach.
    prints, site = request.POST.get("do") == "print", site_address(request)
    form = AddressForm(request.POST if prints and not site else None, request=request)
    context: dict[str, Any] = {"codes": [], "form": form}
    if request.method == "POST" and (not form.is_bound or form.is_valid()):
        try:
            answer = _done(request, competition, context)
        except Refusal as refusal:
            messages.error(request, translated(refusal.sentence))
            answer = redirect(request.path)
        if answer is not None:
            return answer
    passes = queries.passes_of(competition)
    people = queries.people_of(competition)
    gone = {pk: each.player for pk, each in passes.items()}
    for each in people:
        gone.pop(each.pk, None)
    context |= {
        "competition": competition,
        "original": competition,
        "people": [(each, passes.get(each.pk)) for each in people],
        "left": sorted(gone.values(), key=lambda each: (each.sort_name, each.pk)),
        "passes": len(passes),
        "mailed": people.filter(gets_emails(services.KIND)).count(),
        "known": site_address(request),
    }
    answer = admin.render_page(request, "my_evening/desk.html", _("Own pages on phones"), context)
    answer["Cache-Control"] = "no-store"
    return answer


def _done(request: HttpRequest, competition: Competition, context: dict[str, Any]) -> HttpResponse | None:
    """Do what a form asks; return the answer, None where the page itself shows a code."""
    by, named = account_in(request), request.POST.get("player", "")
    people = [each for each in queries.people_of(competition) if not named or str(each.pk) == named]
    match request.POST.get("do"):
        case "send":
            count = services.send_passes(by=by, competition=competition)
            told = ngettext("%(count)d email is on its way.", "%(count)d emails are on their way.", count)
            if files := kept_here():
                messages.warning(request, files)
            else:
                messages.success(request, told % {"count": count})
        case "print":
            return _printed(request, competition)
        case "show" if named:
            made = services.make_passes(by=by, competition=competition, people=people)
            context["codes"] = [
                queries.shown_code(site_address(request), each, made[each.pk]) for each in people
            ]
            return None
        case "end" | "end-all":
            # Also of somebody who was replaced or has withdrawn, and is not among those who take part.
            held = [pk for pk in queries.passes_of(competition) if str(pk) == named]
            one = request.POST["do"] == "end"
            ended = services.revoke(by=by, competition=competition, people=held if one else None)
            told = _("The codes no longer work, and what was opened with them is closed.")
            messages.info(request, told if ended else _("There is no code to end."))
    return redirect(request.path)


@sensitive_variables()
def _printed(request: HttpRequest, competition: Competition) -> HttpResponse:
    people = list(queries.people_of(competition))
    made = services.make_passes(by=account_in(request), competition=competition, people=people)
    codes = [(each.name, queries.code_of(made[each.pk])) for each in people]
    slips = [
        Slip(name, queries.shown(code), queries.link_of(site_address(request), code)) for name, code in codes
    ]
    pdf = drawn("handouts.slips", competition.name, slips, competition.club.paper)
    answer = as_answer(File(pdf, f"{competition.slug}-slips.pdf"))
    answer["Cache-Control"] = "no-store"
    return answer


def _what_ends(request: HttpRequest, competition: Competition) -> str:
    passes, named = queries.passes_of(competition), request.POST.get("player")
    name = next((each.player.name for pk, each in passes.items() if str(pk) == named), "")
    if not name:
        return _("There is no code to end.")
    told = _("The link and the code of %(name)s work no more, and a phone with the own page is logged out.")
    return filled(told, {"name": name})


ENDS: Final = {
    "do=end": (gettext_lazy("End the code"), _what_ends),
    "do=end-all": (
        gettext_lazy("End all codes"),
        gettext_lazy(
            "No link or code of an own page works any more, and phones on which one is open are logged out. "
            "Everybody needs a new one."
        ),
    ),
}
CompetitionAdmin.app_pages["evenings"] = AppPage(evenings, asks=ENDS)
