"""Imports and exports on the desk: every list and a competition's listings as files, players from a file.

A file of players is uploaded, previewed row by row, and then everything is imported at once.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import unescape
from typing import Any, Final, TypeAlias
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import label_for_field, lookup_field
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import shapes
from games.engine.refusals import Malformed
from league.admin.base import PAGES, AppPage, ClubScopedAdmin, Page, directed_ids
from league.admin.competitions import CompetitionAdmin
from league.admin.fields import RowField, SizedFileField, offer_clubs
from league.apps.exchange import players, reading
from league.apps.exchange.formats import SUFFIXES, download, extent, file_of
from league.apps.exchange.listings import (
    DOWNLOADS,
    TITLES,
    Listing,
    Value,
    players_with_accounts,
    title_of,
    words_of,
)
from league.apps.exchange.players import (
    NEW,
    RENAMED,
    SAME,
    SKIP,
    Line,
    Lines,
    Plan,
    Repeated,
    Seen,
    WrongCell,
)
from league.files.file import as_answer
from league.hooks import PLAYER_COLUMNS
from league.models import Club, Competition, Job, Player
from league.queries.accounts import account_names
from league.queries.clubs import all_clubs, players_of
from league.queries.competitions import last_entries_of_namesakes
from league.requests import account_in, made_once
from league.services.jobs import job_for_file, run, start_job
from league.words.messages import errors_in_words, told_apart, translated

MOST_ROWS: Final = 20_000
MOST_AT_ONCE: Final = 100
"""More rows than this are imported by a worker."""
_SMALL: Final = 100_000
"""A text file of fewer bytes is read at once."""

TEMPLATE: Final = Listing(
    "players",
    ("name", "account", "active", "email", "phone", "note"),
    (
        ("Ada Example", None, True, "ada@club.example", "01 234 5678", None),
        ("Bo Example", None, True, None, None, "plays on Tuesdays"),
    ),
)
Players: TypeAlias = ClubScopedAdmin[Player]


# ---- Files ---------------------------------------------------------------------------------------


def list_file(admin: ClubScopedAdmin[Any], request: HttpRequest, suffix: str) -> HttpResponse:
    """Return the rows of a list as a file, filtered and searched like the page."""
    if suffix not in SUFFIXES:
        raise Http404
    if not admin.has_view_permission(request):
        raise PermissionDenied
    page = reverse(f"admin:{admin.url_name('changelist')}")
    try:
        shown = admin.get_changelist_instance(request)
    except IncorrectLookupParameters:
        return redirect(f"{page}?{ERROR_FLAG}=1")
    rows = list(shown.get_queryset(request)[: MOST_ROWS + 1])
    if len(rows) > MOST_ROWS:
        messages.error(request, _("The list is too long for a file. Filter it first."))
        return redirect(f"{page}?{request.GET.urlencode()}")
    name = str(admin.opts.model_name)
    if admin.model is Player:
        return as_answer(file_of(suffix, name, players_with_accounts(rows)))
    columns = [str(column) for column in shown.list_display if column != "action_checkbox"]
    headings = tuple(str(label_for_field(column, admin.model, admin)) for column in columns)
    cells = (
        tuple(_value(lookup_field(column, row, admin)) for column in columns) for row in admin.prepared(rows)
    )
    return as_answer(file_of(suffix, name, Listing(name, headings, tuple(cells), get_current_timezone())))


def _value(cell: tuple[Any, Any, Any]) -> Value:
    """Return the plain value of a cell as Django's `lookup_field` returns it."""
    field, _attribute, value = cell
    if field is not None and getattr(field, "flatchoices", None):
        return str(dict(field.flatchoices).get(value, value))
    if value is None or isinstance(value, bool | int | datetime):
        return value
    return unescape(strip_tags(str(value))) if isinstance(value, SafeString) else str(value)


def competition_file(
    admin: CompetitionAdmin, request: HttpRequest, competition: Competition, listing: str, suffix: str
) -> HttpResponse:
    """Return a listing of a competition as a file, of which a worker makes a long one."""
    if listing not in DOWNLOADS or suffix not in SUFFIXES:
        raise Http404
    if not (admin.directs(request, competition) and extent(competition).is_long):
        return as_answer(download(listing, suffix, competition))
    given, by = {"listing": listing, "suffix": suffix, "seq": competition.seq}, account_in(request)
    job = job_for_file(by=by, competition=competition, kind=Job.Kind.DOWNLOAD, given=given)
    return redirect("admin:league_job_change", job.pk)


# ---- A file of players ---------------------------------------------------------------------------


class FileForm(forms.Form):
    """A file of players, and their club."""

    club = RowField(Club.objects.none(), label=gettext_lazy("Club"))
    file = SizedFileField(
        most=reading.MAX_BYTES,
        accept=".csv,.tsv,.txt,.xlsx",
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "A spreadsheet (.xlsx) or a text file (.csv). One of its first rows has the names of the columns."
        ),
    )

    def __init__(self, *args: Any, clubs: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_clubs(self.fields["club"], clubs)

    def clean_file(self) -> bytes:
        """Return the content of the file."""
        content: bytes = self.cleaned_data["file"].read()
        return content


# ---- What the preview shows ----------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """A player that a row may be about, or what else to do with the row."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class PreviewRow:
    """A row of the preview: its outcome, details, and the errors of its cells.

    ``options`` are offered where a player of the same name exists.
    """

    number: int
    name: str
    outcome: str
    text: str
    options: tuple[Option, ...] = ()
    wrong: tuple[WrongCell, ...] = ()
    left_out: bool = False

    @property
    def label(self) -> Any:
        """Return the outcome in words."""
        return OUTCOMES[self.outcome]


OUTCOMES: Final = {
    "new": gettext_lazy("new"),
    "changed": gettext_lazy("changed"),
    "unchanged": gettext_lazy("unchanged"),
    "choose": gettext_lazy("your choice"),
    "repeated": gettext_lazy("left out"),
    "wrong": gettext_lazy("error"),
}


def preview_rows(
    club: Club, plan: Plan, choices: Mapping[int, str], left_out: Collection[int]
) -> tuple[PreviewRow, ...]:
    """Return the rows of the preview in the order of the file, with choices that were made already."""
    accounts = account_names(
        account
        for line in plan.lines.lines
        for account in (line.account, *(seen.account for seen in line.seen))
    )
    lines = [replace(line, choice=choices.get(line.number) or line.choice) for line in plan.lines.lines]
    who = _who(club, lines, accounts)
    rows = [_row(line, accounts, who) for line in lines]
    rows += [PreviewRow(row.number, row.name, "wrong", "", wrong=_titled(row.cells)) for row in plan.wrong]
    rows = [replace(row, left_out=row.number in left_out) for row in rows]
    rows += [_repeated(row) for row in plan.repeated]
    return tuple(sorted(rows, key=lambda row: row.number))


def _titled(cells: Sequence[WrongCell]) -> tuple[WrongCell, ...]:
    return tuple(replace(cell, column=title_of(cell.column)) for cell in cells)


def _row(line: Line, accounts: Mapping[str, str], who: Mapping[str, str]) -> PreviewRow:
    player = line.chosen
    if player is not None:
        changes = _changes(line, player, accounts)
        outcome, text = ("changed" if changes else "unchanged"), "; ".join(changes)
    else:
        outcome = {NEW: "new", SAME: "changed"}.get(line.choice or "", "choose")
        text = "; ".join(_values(line, accounts))
    options = _options(line, who) if line.seen or line.earlier else ()
    return PreviewRow(line.number, line.name, outcome, text, options)


def _repeated(row: Repeated) -> PreviewRow:
    text = _("Row %(row)d has the same.") % {"row": row.earlier}
    return PreviewRow(row.number, row.name, "repeated", text)


def _values(line: Line, accounts: Mapping[str, str]) -> list[str]:
    """Return what a new player has beside a name, and whom of the club the name may mean."""
    account = [(_("account"), accounts.get(line.account, "–"))] if line.account else []
    made = line.made()
    contact = [(TITLES[name], value) for name, value in made.contact.items() if value]
    contact += [(title_of(name), words_of(name, value)) for name, value in (made.more or {}).items()]
    near = [
        _("did you mean %(name)s?") % {"name": seen.name} for seen in line.seen if not line.is_named(seen)
    ]
    others = [
        _("%(name)s here has another email address: is this another person?") % {"name": seen.name}
        for seen in line.seen
        if line.email and not line.earlier and line.choice is None and line.is_named(seen)
    ]
    return [*(f"{title}: {value}" for title, value in (*account, *contact)), *near, *others]


def _changes(line: Line, seen: Seen, accounts: Mapping[str, str]) -> list[str]:
    wanted = line.wanted(seen)
    pairs = (
        (_("name"), seen.name, wanted.name),
        (_("account"), accounts.get(seen.account or "", "–"), accounts.get(wanted.account or "", "–")),
        (_("active"), _yes(seen.active), _yes(wanted.active)),
        *((TITLES[name], seen.contact[name] or "–", wanted.contact[name] or "–") for name in players.CONTACT),
        *(
            (title_of(name), words_of(name, (seen.more or {}).get(name)) or "–", words_of(name, value))
            for name, value in (wanted.more or {}).items()
        ),
    )
    return [f"{name}: {before} → {after}" for name, before, after in pairs if before != after]


def _yes(value: bool) -> str:
    return _("yes") if value else _("no")


def _options(line: Line, known: Mapping[str, str]) -> tuple[Option, ...]:
    """Return whom a row can be about, under their own name or the row's, and what else to do with it."""
    same, renamed = [], []
    if line.earlier:
        merged = _("the same person as row %(row)d: what is filled in here counts") % {"row": line.earlier}
        same.append((SAME, merged))
    for seen in line.seen if len(line.seen) > 1 or not line.earlier else ():
        who = {"who": known[seen.id], "name": line.name}
        if seen.name == line.name:
            same.append((seen.id, _("the same player: %(who)s") % who))
        else:
            same.append((seen.id, _("the same player, keep the name: %(who)s") % who))
            renamed.append((seen.id + RENAMED, _("the same player, now named %(name)s: %(who)s") % who))
    others = [(NEW, _("a new player with this name")), (SKIP, _("skip this row"))]
    return tuple(Option(value, label, value == line.choice) for value, label in (*same, *renamed, *others))


def _who(club: Club, lines: Sequence[Line], accounts: Mapping[str, str]) -> Mapping[str, str]:
    """Return the club's players whom the lines may mean by id, as they are told apart."""
    last = last_entries_of_namesakes(club)
    seen = {seen.id: seen for line in lines for seen in line.seen}
    names = {str(each.pk): told_apart(each, last) for each in players_of(club).filter(pk__in=seen)}
    parts = {
        pk: (names.get(pk, each.name), accounts.get(each.account or "", ""), each.email, _active(each))
        for pk, each in seen.items()
    }
    return {pk: ", ".join(filter(None, told)) for pk, told in parts.items()}


def _active(seen: Seen) -> str:
    return "" if seen.active else _("not active")


# ---- Its pages -----------------------------------------------------------------------------------


def template_file(admin: Players, request: HttpRequest, suffix: str) -> HttpResponse:
    """Return a file with the columns that can be imported."""
    if not admin.has_add_permission(request):
        raise PermissionDenied
    if suffix not in SUFFIXES:
        raise Http404
    return as_answer(file_of(suffix, "players", TEMPLATE))


def import_page(admin: Players, request: HttpRequest) -> HttpResponse:
    """Ask for a file and have it read: a small text at once, anything else by a worker."""
    if not admin.has_add_permission(request):
        raise PermissionDenied
    clubs = all_clubs().filter(pk__in=directed_ids(request))
    form = FileForm(request.POST or None, request.FILES or None, clubs=clubs)
    if request.method != "POST" or not form.is_valid():
        return _page(admin, request, {"form": form})
    data = form.cleaned_data["file"]
    job = start_job(
        by=account_in(request),
        club=form.cleaned_data["club"],
        kind=Job.Kind.READ_PLAYERS,
        given={},
        upload=data,
        at_once=(at_once := len(data) < _SMALL and not reading.is_spreadsheet(data)),
    )
    if at_once:
        run(job.pk)
        job.refresh_from_db()
    if job.status == Job.Status.FAILED:
        form.add_error("file", translated(job.error))
        return _page(admin, request, {"form": form})
    return redirect("admin:league_job_change", job.pk)


def preview_page(admin: Players, request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what a file that was read would change; on POST import it as the organiser chose."""
    job = Job.objects.filter(club__in=directed_ids(request), kind=Job.Kind.READ_PLAYERS, pk=pk).first()
    if job is None:
        raise Http404
    if "plan" not in job.result:
        messages.error(request, _("This preview has expired. Choose the file again."))
        return redirect("admin:league_player_import")
    plan = shapes.read(Plan, job.result["plan"])
    if not (plan.lines.lines or plan.wrong):
        messages.error(request, _("The file has no rows below the column names."))
        return redirect("admin:league_player_import")
    if request.method != "POST":
        return _preview(admin, request, job, plan)
    try:
        lines = players.with_choices(plan, _choices(request), _left_out(request))
    except Malformed as refusal:
        return _preview(admin, request, job, plan, errors_in_words(refusal.errors))
    return redirect("admin:league_job_change", _imported(request, job, lines))


def _imported(request: HttpRequest, job: Job, lines: Lines) -> UUID:
    """Start to import lines, and do it at once if they are few; return the id of the job."""
    at_once = len(lines.lines) <= MOST_AT_ONCE
    made = made_once(
        request,
        lambda: start_job(
            by=account_in(request),
            club=job.club,
            kind=Job.Kind.IMPORT_PLAYERS,
            given={"lines": shapes.write(lines)},
            total=len(lines.lines),
            at_once=at_once,
        ),
    )
    if at_once and made.created:
        run(made.id)
    return made.id


def _preview(
    admin: Players,
    request: HttpRequest,
    job: Job,
    plan: Plan,
    errors: Mapping[str, Sequence[str]] | None = None,
) -> HttpResponse:
    rows = preview_rows(job.club, plan, _choices(request), _left_out(request))
    kept = [row for row in rows if not row.left_out]
    counts = [(key, label, sum(row.outcome == key for row in kept)) for key, label in OUTCOMES.items()]
    context = {
        "rows": rows,
        "counts": [each for each in counts if each[2]],
        "plan": plan,
        "club": job.club,
        "errors": [
            (path.removeprefix("row-"), sentence)
            for path, sentences in (errors or {}).items()
            for sentence in sentences
        ],
    }
    return _page(admin, request, context)


def _page(admin: Players, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    context = {**context, "of_apps": PLAYER_COLUMNS}
    return admin.render_page(request, "exchange/import_players.html", _("Import players"), context)


def _choices(request: HttpRequest) -> Mapping[int, str]:
    """Return the chosen player, or what else to do, by the number of the row."""
    return {number: request.POST[f"row-{number}"] for number in _numbers(request.POST, "row-")}


def _left_out(request: HttpRequest) -> Collection[int]:
    """Return the numbers of the rows that are left out."""
    return frozenset(_numbers(request.POST, "out-"))


def _numbers(fields: Iterable[str], prefix: str) -> list[int]:
    numbers = (name.removeprefix(prefix) for name in fields if name.startswith(prefix))
    return [int(number) for number in numbers if number.isdecimal() and len(number) < 10]


PAGES.extend(
    [
        Page("export.<slug:suffix>", list_file, "export"),
        Page("import/", import_page, "import", Player, gettext_lazy("Import players")),
        Page("import/<uuid:pk>/", preview_page, "preview", Player),
        Page("import/players.<slug:suffix>", template_file, "template", Player),
    ]
)
CompetitionAdmin.app_pages["file"] = AppPage(
    competition_file, "export/<slug:listing>.<slug:suffix>", for_all=True
)
