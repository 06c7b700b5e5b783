"""Import of players from a file: upload, preview row by row, and then everything at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import URLPattern, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import shapes
from games.engine.refusals import Malformed, Refusal
from league.admin.base import ClubScopedAdmin
from league.admin.fields import RowField, offer_clubs
from league.admin.scope import directed_ids
from league.files import exports
from league.files.exports import Listing
from league.files.exports.answers import as_file
from league.files.imports import players, reading
from league.files.imports.players import NEW, SKIP, Line, Lines, Plan, Seen
from league.models import Club, Player
from league.queries.accounts import account_names
from league.queries.clubs import all_clubs
from league.requests import caller
from league.services.imports import import_players
from league.words.messages import errors_in_words, translated

_SALT: Final = "players from a file"
_HOUR: Final = 3600

TEMPLATE: Final = Listing(
    "players",
    ("name", "account", "active"),
    (("Ada Example", None, "yes"), ("Bo Example", None, "yes")),
)


class FileForm(forms.Form):
    """A file of players, and their club."""

    club = RowField(Club.objects.none(), label=gettext_lazy("Club"))
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "A spreadsheet (.xlsx) or a text file (.csv). The first row has the names of the columns."
        ),
        # The theme's own widget hides the name of the chosen file.
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx", "class": "tf-select"}),
    )

    def __init__(self, *args: Any, clubs: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_clubs(self.fields["club"], clubs)

    def clean_file(self) -> bytes:
        """Return the content of the file; refuse a file that is too large."""
        file = self.cleaned_data["file"]
        if file.size > reading.MAX_BYTES:
            raise forms.ValidationError(_("The file is larger than 1 MB."))
        content: bytes = file.read()
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
    """A row of the preview: its outcome, details, and the errors of its cells, each with its column.

    ``options`` are offered where a player of the same name exists.
    """

    number: int
    name: str
    outcome: str
    text: str
    options: tuple[Option, ...] = ()
    wrong: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> Any:
        """Return the outcome in words."""
        return OUTCOMES[self.outcome]


OUTCOMES: Final = {
    "new": gettext_lazy("new"),
    "changed": gettext_lazy("changed"),
    "unchanged": gettext_lazy("unchanged"),
    "choose": gettext_lazy("your choice"),
    "wrong": gettext_lazy("error"),
}


def preview_rows(plan: Plan) -> tuple[PreviewRow, ...]:
    """Return the rows of the preview in the order of the file."""
    accounts = account_names(
        account
        for line in plan.lines.lines
        for account in (line.account, *(seen.account for seen in line.seen))
    )
    rows = [_row(line, accounts) for line in plan.lines.lines]
    names = {row.number: row.cells.get("name", "") for row in plan.contents.rows}
    rows += [
        PreviewRow(number, names[number], "wrong", "", wrong=tuple(wrong.items()))
        for number, wrong in plan.wrong.items()
    ]
    return tuple(sorted(rows, key=lambda row: row.number))


def _row(line: Line, accounts: Mapping[str, str]) -> PreviewRow:
    player = next((seen for seen in line.seen if seen.id == line.choice), None)
    if player is not None:
        changes = _changes(line, player, accounts)
        outcome, text = ("changed" if changes else "unchanged"), "; ".join(changes)
    else:
        outcome = "new" if line.choice == NEW else "choose"
        text = f"{_('account')}: {accounts.get(line.account, '–')}" if line.account else ""
    options = _options(line, accounts) if line.seen else ()
    return PreviewRow(line.number, line.name, outcome, text, options)


def _changes(line: Line, seen: Seen, accounts: Mapping[str, str]) -> list[str]:
    wanted = line.wanted(seen)
    pairs = (
        (_("name"), seen.name, wanted.name),
        (_("account"), accounts.get(seen.account or "", "–"), accounts.get(wanted.account or "", "–")),
        (_("active"), _yes(seen.active), _yes(wanted.active)),
    )
    return [f"{name}: {before} → {after}" for name, before, after in pairs if before != after]


def _yes(value: bool) -> str:
    return _("yes") if value else _("no")


def _options(line: Line, accounts: Mapping[str, str]) -> tuple[Option, ...]:
    same = [(seen.id, _("the same player: %(who)s") % {"who": _who(seen, accounts)}) for seen in line.seen]
    others = [(NEW, _("a new player with this name")), (SKIP, _("skip this row"))]
    return tuple(Option(value, label, value == line.choice) for value, label in (*same, *others))


def _who(seen: Seen, accounts: Mapping[str, str]) -> str:
    parts = [seen.name, accounts.get(seen.account or "", ""), "" if seen.active else _("not active")]
    return ", ".join(part for part in parts if part)


# ---- The pages -----------------------------------------------------------------------------------


class PlayerImport(ClubScopedAdmin[Player]):
    """The pages that import players from a file."""

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses, that of the import and that of an empty file to fill in."""
        return [
            self.page_url("import/", self.import_view, "import"),
            self.page_url("import/players.<slug:suffix>", self.template_view, "template"),
            *super().get_urls(),
        ]

    def tools(self, request: HttpRequest) -> Sequence[tuple[str, Any]]:
        """Return the link to the import, for those who may add players."""
        if not self.has_add_permission(request):
            return ()
        return ((reverse("admin:league_player_import"), _("Import players")),)

    def template_view(self, request: HttpRequest, suffix: str) -> HttpResponse:
        """Return a file with the columns that can be imported."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if suffix not in exports.FORMATS:
            raise Http404
        return as_file(TEMPLATE, exports.FORMATS[suffix], "players")

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for a file, show its preview, and import it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if "lines" in request.POST:
            return self._import(request)
        clubs = all_clubs().filter(pk__in=directed_ids(request))
        form = FileForm(request.POST or None, request.FILES or None, clubs=clubs)
        if request.method != "POST" or not form.is_valid():
            return self._page(request, {"form": form})
        try:
            contents = reading.read(form.cleaned_data["file"], players.COLUMNS)
        except Malformed as refusal:
            form.add_error("file", errors_in_words(refusal.errors)["file"])
            return self._page(request, {"form": form})
        return self._preview(request, players.plan(form.cleaned_data["club"], contents), form)

    def _preview(self, request: HttpRequest, plan: Plan, form: FileForm) -> HttpResponse:
        rows = preview_rows(plan)
        counts = [(key, label, sum(row.outcome == key for row in rows)) for key, label in OUTCOMES.items()]
        context = {
            "rows": rows,
            "counts": [each for each in counts if each[2]],
            "contents": plan.contents,
            "club": form.cleaned_data["club"],
            "wrong": bool(plan.wrong),
            "lines": signing.dumps(_signed_value(request, plan.lines), salt=_SALT, compress=True),
        }
        return self._page(request, context)

    def _import(self, request: HttpRequest) -> HttpResponse:
        try:
            lines = players.with_choices(_previewed_lines(request), _choices(request))
            done = import_players(by=caller(request), lines=lines)
        except signing.BadSignature:
            return self._again(request, _("This preview has expired or isn’t yours. Choose the file again."))
        except Malformed as refusal:
            open_rows = ", ".join(path.removeprefix("row-") for path in refusal.errors)
            return self._again(
                request, _("Choose which players these rows are: %(rows)s.") % {"rows": open_rows}
            )
        except Refusal as refusal:
            return self._again(request, translated(refusal.sentence))
        counts = {"new": done.new, "changed": done.changed, "unchanged": done.unchanged}
        messages.success(request, _("%(new)d new, %(changed)d changed, %(unchanged)d unchanged.") % counts)
        return redirect("admin:league_player_changelist")

    def _again(self, request: HttpRequest, sentence: str) -> HttpResponseRedirect:
        messages.error(request, _("Nothing was imported. %(why)s") % {"why": sentence})
        return redirect("admin:league_player_import")

    def _page(self, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
        return self.render_page(request, "admin/import_players.html", _("Import players"), context)


def _signed_value(request: HttpRequest, lines: Lines) -> Mapping[str, Any]:
    return {"by": str(caller(request).pk), "lines": shapes.write(lines)}


def _previewed_lines(request: HttpRequest) -> Lines:
    """Return the previewed lines; raise BadSignature where another account previewed them."""
    signed = signing.loads(request.POST["lines"], salt=_SALT, max_age=_HOUR)
    if signed["by"] != str(caller(request).pk):
        raise signing.BadSignature
    return shapes.read(Lines, signed["lines"])


def _choices(request: HttpRequest) -> Mapping[int, str]:
    numbers = (key.removeprefix("row-") for key in request.POST if key.startswith("row-"))
    return {int(number): request.POST[f"row-{number}"] for number in numbers if number.isdecimal()}
