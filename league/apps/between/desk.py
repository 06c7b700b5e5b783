"""The desk's pages: which clubs take part in a competition, and a club's teams in those of others."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import database_time
from games.engine.refusals import Refusal
from league import hooks
from league.admin.base import PAGES, AppPage, Page, directed_clubs
from league.admin.competitions import CompetitionAdmin
from league.apps.between import queries, services
from league.apps.between.forms import BoardForm, ClubForm, LineUpForm, ObjectionForm
from league.apps.between.models import Partner
from league.core.state.competition import Competition as State
from league.core.state.competition import Entry
from league.core.verbs.checking import CheckResult
from league.core.verbs.objections import Object, open_at
from league.core.verbs.rulings import RuledSeat, SetResult
from league.models import Club, Competition
from league.queries.competitions import state_of
from league.requests import account_in
from league.services.verbs import perform
from league.words.competitions import posted_tables
from league.words.messages import in_one_text

# ---- The clubs of a competition ------------------------------------------------------------------


def clubs_page(admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """Show which clubs take part; on POST let one in, or shut one out."""
    by, sent = account_in(request), request.POST if request.method == "POST" else None
    form = ClubForm(sent if sent and "out" not in sent else None)

    def done() -> None:
        if sent and (out := sent.get("out")):
            services.shut_out(by=by, competition=competition, club=_id(out))
        else:
            services.let_in(by=by, competition=competition, club=form.cleaned_data["club"])

    if sent and ("out" in sent or form.is_valid()) and _said(request, done):
        return redirect("admin:league_competition_clubs", competition.pk)
    context = {"original": competition, "competition": competition, "form": form}
    context |= {"partners": queries.partners_of(competition)}
    return admin.render_page(request, "between/clubs.html", _("Clubs that take part"), context)


def _said(request: HttpRequest, act: Callable[[], object]) -> bool:
    """Do something; return whether it was done, and tell it, or why not."""
    try:
        act()
    except Refusal as refusal:
        messages.error(request, in_one_text(refusal))
        return False
    messages.success(request, _("Saved."))
    return True


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Http404 from None


# ---- A club's desk in a competition --------------------------------------------------------------


def list_page(admin: CompetitionAdmin, request: HttpRequest) -> HttpResponse:
    """Show in which competitions the caller's clubs take part."""
    parts = queries.parts_of(directed_clubs(request))
    title = _("Team matches with other clubs")
    return admin.render_page(request, "between/list.html", title, {"parts": parts})


def desk_page(admin: CompetitionAdmin, request: HttpRequest, pk: UUID, club: UUID) -> HttpResponse:
    """Show a club's teams and matches in a competition; on POST do what the form says."""
    own = next((each for each in directed_clubs(request) if each.pk == club), None)
    part = Partner.objects.filter(competition=pk, club=club).select_related("competition__club")
    found = part.first()
    if own is None or found is None:
        raise Http404
    desk = _Desk(request, found.competition, own)
    if request.method == "POST" and desk.posted():
        return redirect(request.path)
    return admin.render_page(request, "between/desk.html", found.competition.name, desk.context())


class _Desk:
    """One look at the page, with the form that was sent and refused."""

    def __init__(self, request: HttpRequest, competition: Competition, club: Club) -> None:
        self.request, self.competition, self.club = request, competition, club
        self.state: State = state_of(competition)
        self.sent: dict[str, forms.Form] = {}

    def posted(self) -> bool:
        """Do what was sent; return whether it was done."""
        what, _colon, about = self.request.POST.get("do", "").partition(":")
        acts = {"enter": self._enter, "line": self._line_up, "object": self._object}
        acts |= {"result": self._result, "confirm": self._confirm}
        if what not in acts:
            raise Http404
        done: bool = acts[what](about)
        return done

    def _enter(self, _about: str) -> bool:
        form = self.sent["enter"] = self._line_up_form("enter", self.request.POST)
        return form.is_valid() and _said(
            self.request,
            lambda: services.enter_team(**self._by, name=form.cleaned_data["name"], players=form.players),
        )

    def _line_up(self, entry: str) -> bool:
        team = next((each for each in queries.teams_of(self.state, self.club.pk) if each.id == entry), None)
        if team is None:
            raise Http404
        form = self.sent[entry] = self._line_up_form(entry, self.request.POST, team)
        return form.is_valid() and _said(
            self.request, lambda: services.line_up(**self._by, entry=entry, players=form.players)
        )

    def _result(self, table: str) -> bool:
        form = self.sent[table] = BoardForm(self.request.POST, prefix=table)
        board = self._board(table)
        if not form.is_valid():
            return False
        scores = dict(zip(board.players, (form.cleaned_data["home"], form.cleaned_data["away"]), strict=True))
        seats = tuple(RuledSeat(at, scores[seat.player]) for at, seat in enumerate(board.table.seats))
        return self._performed(SetResult(table, seats))

    def _confirm(self, about: str) -> bool:
        table, _space, result = about.partition(" ")
        self._board(table)
        if not result.isdecimal():
            raise Http404
        return self._performed(CheckResult(table, int(result[:8])))

    def _object(self, _about: str) -> bool:
        form = self.sent["object"] = self._objection_form(self.request.POST)
        if not form.is_valid():
            return False
        table, what = form.cleaned_data["table"], form.cleaned_data["what"]
        own = next(each for each in self.state.table(table)[2].entries if each in self._own_entries())
        return self._performed(Object(entry=own, table=table, what=what))

    def _own_entries(self) -> Sequence[str]:
        return [each.id for each in self.state.entries if each.club == str(self.club.pk)]

    def _objection_form(self, data: Any = None) -> ObjectionForm:
        own = {*self._own_entries()}
        listed = posted_tables(self.state)
        tables = [each for each in listed if not own.isdisjoint(self.state.table(each[0])[2].entries)]
        return ObjectionForm(data, prefix="object", tables=tables)

    def _performed(self, verb: SetResult | CheckResult | Object) -> bool:
        caller = services.ByClub(account_in(self.request), self.club)
        return _said(self.request, lambda: perform(caller, competition=self.competition, verb=verb))

    def _board(self, table: str) -> queries.Board:
        """Return a board of the club's own matches; raise Http404."""
        matches = queries.matches_in(self.state, club=str(self.club.pk))
        boards = (board for match in matches for board in match.boards)
        found = next((board for board in boards if board.table.id == table), None)
        if found is None:
            raise Http404
        return found

    @property
    def _by(self) -> dict[str, Any]:
        return {"by": account_in(self.request), "club": self.club, "competition": self.competition}

    def _line_up_form(self, prefix: str, data: Any = None, team: Entry | None = None) -> LineUpForm:
        known = queries.at_home(self.club, team.players) if team else {}
        lineup = [known[player].pk for player in team.players if player in known] if team else []
        size = self.state.opening.team_size
        return LineUpForm(data, prefix=prefix, club=self.club, size=size, lineup=lineup)

    # ---- As it is shown ---------------------------------------------------------------------------

    def context(self) -> dict[str, Any]:
        """Return what the page shows."""
        over, mine = self.state.over, queries.teams_of(self.state, self.club.pk)
        matches = queries.told(self.competition, self.state, self.club)
        for row in (row for match in matches for row in match["boards"]):
            row |= self._acts(row["board"])
        return {
            "competition": self.competition,
            "club": self.club,
            "teams": [
                (team, self.sent.get(team.id) or self._line_up_form(team.id, team=team)) for team in mine
            ],
            "new": None if self.state.started else self.sent.get("enter") or self._line_up_form("enter"),
            "over": over,
            "objection": self._objection(),
            "matches": matches,
            "fixtures": queries.fixtures(self.state, self.club),
        }

    def _objection(self) -> forms.Form | None:
        """Return the form of an objection as long as results of the club are posted."""
        form = self._objection_form()
        if not (form.tables and open_at(self.state, database_time.now())):
            return None
        return self.sent.get("object") or form

    def _acts(self, board: queries.Board) -> dict[str, Any]:
        """Return the form of a board whose result the club can write, and the result that it can confirm."""
        table, result = board.table, board.waiting
        own = queries.entered_by(self.state, board, self.club)
        open_now = self.state.table(table.id)[1].status == "published" and not self.state.over
        to_agree = table.ruling is not None and bool(table.ruling.side) and result is not None
        writable = open_now and (not table.decided or to_agree)
        home, away = board.scores or (None, None)
        form = self.sent.get(table.id) or BoardForm(prefix=table.id, initial={"home": home, "away": away})
        return {
            "form": form if writable else None,
            "confirm": result.seq if result and not own else None,
            "own": own,
        }


def _clubs(page: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"between": state_of(page["competition"]).opening.lineup == "boards"}


CompetitionAdmin.app_pages["clubs"] = AppPage(clubs_page)
hooks.GIVEN["between/at_desk_about.html"] = _clubs
PAGES.extend(
    (
        Page("between/", list_page, "between", Competition, gettext_lazy("Team matches with other clubs")),
        Page("between/<uuid:pk>/<uuid:club>/", desk_page, "between_club", Competition),
    )
)
