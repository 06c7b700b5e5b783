"""Players brought along in a file: chosen, previewed row by row, and then all made and changed at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminSelectWidget

from games.engine import shapes
from games.engine.refusals import Malformed, Refusal
from league import exports, selectors, services
from league.admin.scope import OfClubs, directed
from league.exports import Listing
from league.exports.answers import as_file
from league.imports import players, reading
from league.imports.players import NEW, SKIP, Line, Lines, Plan, Seen
from league.models import Club, Player
from league.views.callers import caller

_SALT: Final = "players from a file"
_HOUR: Final = 3600

TEMPLATE: Final = Listing(
    "players",
    ("name", "account", "active"),
    (("Ada Example", None, "yes"), ("Bo Example", None, "yes")),
)


class FileForm(forms.Form):
    """A file of players, and whose players they are."""

    club = forms.ModelChoiceField(
        Club.objects.none(), label=gettext_lazy("Club"), widget=UnfoldAdminSelectWidget
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "A spreadsheet (.xlsx) or a text file (.csv). Its first row names the columns."
        ),
        # The theme hides the field itself, and with it the name of the chosen file.
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx", "class": "tf-select"}),
    )

    def __init__(self, *args: Any, clubs: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["club"].queryset = clubs  # type: ignore[attr-defined]
        if len(clubs) == 1:
            self.fields["club"].initial, self.fields["club"].empty_label = clubs[0], None  # type: ignore[attr-defined]

    def clean_file(self) -> bytes:
        """Take the file for what it holds, unless it is bigger than what is read."""
        file = self.cleaned_data["file"]
        if file.size > reading.MAX_BYTES:
            raise forms.ValidationError(_("The file is too big: at most 1 MB can be read."))
        held: bytes = file.read()
        return held


# ---- What the preview shows ----------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """Whom a row may mean."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class Shown:
    """A row of the preview: what will happen, in one word and in more, and what is wrong with which cell.

    ``options`` are there where the row may mean somebody else.
    """

    number: int
    name: str
    outcome: str
    text: str
    options: tuple[Option, ...] = ()
    wrong: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> Any:
        """Return the outcome for people."""
        return OUTCOMES[self.outcome]


OUTCOMES: Final = {
    "new": gettext_lazy("new"),
    "changed": gettext_lazy("changed"),
    "unchanged": gettext_lazy("unchanged"),
    "choose": gettext_lazy("to be chosen"),
    "wrong": gettext_lazy("wrong"),
}


def shown(plan: Plan) -> tuple[Shown, ...]:
    """Return the rows of a plan in the order of the file."""
    accounts = selectors.account_names(
        account
        for line in plan.lines.lines
        for account in (line.account, *(seen.account for seen in line.seen))
    )
    rows = [_line(line, accounts) for line in plan.lines.lines]
    names = {row.number: row.cells.get("name", "") for row in plan.contents.rows}
    rows += [
        Shown(number, names[number], "wrong", "", wrong=tuple(wrong.items()))
        for number, wrong in plan.wrong.items()
    ]
    return tuple(sorted(rows, key=lambda row: row.number))


def _line(line: Line, accounts: Mapping[str, str]) -> Shown:
    meant = next((seen for seen in line.seen if seen.id == line.choice), None)
    if meant is not None:
        changes = _changes(line, meant, accounts)
        outcome, text = ("changed" if changes else "unchanged"), "; ".join(changes)
    else:
        outcome = "new" if line.choice == NEW else "choose"
        text = f"{_('account')}: {accounts.get(line.account, '–')}" if line.account else ""
    return Shown(line.number, line.name, outcome, text, _options(line, accounts) if line.seen else ())


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
    same = [(seen.id, _("the same: %(who)s") % {"who": _who(seen, accounts)}) for seen in line.seen]
    others = [(NEW, _("another person of this name")), (SKIP, _("leave this row out"))]
    return tuple(Option(value, label, value == line.choice) for value, label in (*same, *others))


def _who(seen: Seen, accounts: Mapping[str, str]) -> str:
    told = [seen.name, accounts.get(seen.account or "", ""), "" if seen.active else _("not active")]
    return ", ".join(part for part in told if part)


# ---- The pages -----------------------------------------------------------------------------------


class FromFile(OfClubs[Player]):
    """An admin of players who can be brought along in a file."""

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses, and those of a file of players and of an empty one to fill in."""
        view = self.admin_site.admin_view
        return [
            path("import/", view(self.import_view), name="league_player_import"),
            path("import/players.<slug:suffix>", view(self.template_view), name="league_player_template"),
            *super().get_urls(),
        ]

    def tools(self, request: HttpRequest) -> Sequence[tuple[str, Any]]:
        """Return the way to bring players along, for those who may make some."""
        if not self.has_add_permission(request):
            return ()
        return ((reverse("admin:league_player_import"), _("Players from a file")),)

    def template_view(self, request: HttpRequest, suffix: str) -> HttpResponse:
        """Return a file whose columns are those that can be read."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if suffix not in exports.FORMATS:
            raise Http404
        return as_file(TEMPLATE, exports.FORMATS[suffix], "players")

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for a file, show what it would do, and do it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if "lines" in request.POST:
            return self._confirmed(request)
        clubs = selectors.clubs().filter(pk__in=directed(request))
        form = FileForm(request.POST or None, request.FILES or None, clubs=clubs)
        if request.method != "POST" or not form.is_valid():
            return self._page(request, {"form": form})
        try:
            contents = reading.read(form.cleaned_data["file"], players.COLUMNS)
        except Malformed as refusal:
            form.add_error("file", refusal.errors["file"])
            return self._page(request, {"form": form})
        return self._preview(request, players.plan(form.cleaned_data["club"], contents), form)

    def _preview(self, request: HttpRequest, plan: Plan, form: FileForm) -> HttpResponse:
        rows = shown(plan)
        counts = [(key, label, sum(row.outcome == key for row in rows)) for key, label in OUTCOMES.items()]
        signed = signing.dumps(_sealed(request, plan.lines), salt=_SALT, compress=True)
        context = {
            "rows": rows,
            "counts": [each for each in counts if each[2]],
            "contents": plan.contents,
            "club": form.cleaned_data["club"],
            "wrong": bool(plan.wrong),
            "lines": signed,
        }
        return self._page(request, context)

    def _confirmed(self, request: HttpRequest) -> HttpResponse:
        try:
            lines = players.chosen(_unsealed(request), _choices(request))
            done = services.import_players(by=caller(request), lines=lines)
        except signing.BadSignature:
            return self._again(request, _("This preview is too old, or not yours. Choose the file again."))
        except Malformed as refusal:
            open_rows = ", ".join(path.removeprefix("row-") for path in refusal.errors)
            return self._again(request, _("Rows %(rows)s: choose whom they mean.") % {"rows": open_rows})
        except Refusal as refusal:
            return self._again(request, refusal.sentence)
        told = {"new": done.new, "changed": done.changed, "unchanged": done.unchanged}
        messages.success(request, _("%(new)d new, %(changed)d changed, %(unchanged)d as they were.") % told)
        return redirect("admin:league_player_changelist")

    def _again(self, request: HttpRequest, sentence: str) -> HttpResponseRedirect:
        messages.error(request, _("Nothing was imported. %(why)s") % {"why": sentence})
        return redirect("admin:league_player_import")

    def _page(self, request: HttpRequest, context: dict[str, Any]) -> TemplateResponse:
        request.current_app = self.admin_site.name
        title = {"opts": self.opts, "title": _("Players from a file")}
        told = {**self.admin_site.each_context(request), **title, **context}
        return TemplateResponse(request, "admin/import_players.html", told)


def _sealed(request: HttpRequest, lines: Lines) -> Mapping[str, Any]:
    return {"by": str(caller(request).pk), "lines": shapes.write(lines)}


def _unsealed(request: HttpRequest) -> Lines:
    """Return the lines that were previewed; raise BadSignature where they are not this account's."""
    told = signing.loads(request.POST["lines"], salt=_SALT, max_age=_HOUR)
    if told["by"] != str(caller(request).pk):
        raise signing.BadSignature
    return shapes.read(Lines, told["lines"])


def _choices(request: HttpRequest) -> Mapping[int, str]:
    numbers = (key.removeprefix("row-") for key in request.POST if key.startswith("row-"))
    return {int(number): request.POST[f"row-{number}"] for number in numbers if number.isdecimal()}
