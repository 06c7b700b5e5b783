"""Imports and exports on the desk: every list and a competition's listings as files, players from a file.

A file is uploaded or names are pasted, previewed row by row, and then everything is imported at once.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
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
from django.db.models import QuerySet
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
from league.admin.fields import RadioField, RowField, SizedFileField, offer_clubs
from league.apps.exchange import players, reading
from league.apps.exchange.formats import SUFFIXES, download, extent, file_of
from league.apps.exchange.listings import (
    DOWNLOADS,
    Listing,
    Value,
    players_with_accounts,
)
from league.apps.exchange.players import (
    Lines,
    Plan,
)
from league.apps.exchange.preview import OUTCOMES, preview_rows
from league.files.file import as_answer
from league.hooks.papers import PLAYER_COLUMNS
from league.models import Club, Competition, Job, Player
from league.queries.clubs import all_clubs
from league.requests import account_in, made_once
from league.services.jobs import job_for_file, run, start_job
from league.words.messages import errors_in_words, translated

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


class _ClubForm(forms.Form):
    """Players for a club."""

    club = RowField(Club.objects.none(), label=gettext_lazy("Club"))

    def __init__(self, *args: Any, clubs: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_clubs(self.fields["club"], clubs)


class FileForm(_ClubForm):
    """A file of players, and their club."""

    file = SizedFileField(
        most=reading.MAX_BYTES,
        accept=".csv,.tsv,.txt,.xlsx",
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "A spreadsheet (.xlsx) or a text file (.csv). One of its first rows has the names of the columns."
        ),
    )

    def clean_file(self) -> bytes:
        """Return the content of the file."""
        content: bytes = self.cleaned_data["file"].read()
        return content

    def given(self) -> Mapping[str, Any]:
        """Return how the file is read."""
        return {}


class PasteForm(_ClubForm):
    """Names of players as text, and their club; ``file`` is the text, as in the other form."""

    file = forms.CharField(
        label=gettext_lazy("Names"),
        strip=False,
        max_length=_SMALL,
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=gettext_lazy(
            "One person per line: “Ada Berg” or “Berg, Ada”, with or without numbers. Email address and "
            "phone number can stand beside the name; anything else becomes the note."
        ),
    )
    order = RadioField(
        label=gettext_lazy("If the name is in two columns"),
        choices=[
            ("first", gettext_lazy("first name, then last name")),
            ("last", gettext_lazy("last name, then first name")),
        ],
        initial="first",
    )

    def clean_file(self) -> bytes:
        """Return the text as the content of a file."""
        return str(self.cleaned_data["file"]).encode()

    def given(self) -> Mapping[str, Any]:
        """Return how the text is read."""
        return {"last_first": self.cleaned_data["order"] == "last"}


# ---- Its pages -----------------------------------------------------------------------------------


def template_file(admin: Players, request: HttpRequest, suffix: str) -> HttpResponse:
    """Return a file with the columns that can be imported."""
    if not admin.has_add_permission(request):
        raise PermissionDenied
    if suffix not in SUFFIXES:
        raise Http404
    return as_answer(file_of(suffix, "players", TEMPLATE))


def import_page(admin: Players, request: HttpRequest) -> HttpResponse:
    """Ask for a file of players and have it read."""
    return _read(admin, request, FileForm)


def paste_page(admin: Players, request: HttpRequest) -> HttpResponse:
    """Ask for names as text and have it read; a list that was previewed can be corrected."""
    pasted = _previews(request).filter(pk=of).first() if (of := _id(request.GET.get("of", ""))) else None
    initial = {"club": pasted.club, "file": pasted.result.get("pasted", "")} if pasted else {}
    if pasted and pasted.given.get("last_first"):
        initial["order"] = "last"
    return _read(admin, request, PasteForm, initial)


def _id(text: str) -> UUID | None:
    with suppress(ValueError):
        return UUID(text)
    return None


def _read(
    admin: Players,
    request: HttpRequest,
    kind: type[FileForm | PasteForm],
    initial: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Have what a form is given read: a small text at once, anything else by a worker."""
    if not admin.has_add_permission(request):
        raise PermissionDenied
    clubs = all_clubs().filter(pk__in=directed_ids(request))
    form = kind(request.POST or None, request.FILES or None, clubs=clubs, initial=initial)
    if request.method != "POST" or not form.is_valid():
        return _page(admin, request, {"form": form})
    data = form.cleaned_data["file"]
    job = start_job(
        by=account_in(request),
        club=form.cleaned_data["club"],
        kind=Job.Kind.READ_PLAYERS,
        given=form.given(),
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


def _previews(request: HttpRequest) -> QuerySet[Job]:
    return Job.objects.filter(club__in=directed_ids(request), kind=Job.Kind.READ_PLAYERS)


def preview_page(admin: Players, request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what a file that was read would change; on POST import it as the organiser chose."""
    job = _previews(request).filter(pk=pk).first()
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
        "pasted": job.pk if job.given else None,
        "errors": [
            (path.removeprefix("row-"), sentence)
            for path, sentences in (errors or {}).items()
            for sentence in sentences
        ],
    }
    return _page(admin, request, context)


def _page(admin: Players, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    context = {**context, "of_apps": PLAYER_COLUMNS}
    pasted = context.get("pasted") or isinstance(context.get("form"), PasteForm)
    title = _("Paste names") if pasted else _("Import players")
    return admin.render_page(request, "exchange/import_players.html", title, context)


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
        Page("paste/", paste_page, "paste", Player, gettext_lazy("Paste names")),
        Page("import/<uuid:pk>/", preview_page, "preview", Player),
        Page("import/players.<slug:suffix>", template_file, "template", Player),
    ]
)
CompetitionAdmin.app_pages["file"] = AppPage(
    competition_file, "export/<slug:listing>.<slug:suffix>", for_all=True
)
