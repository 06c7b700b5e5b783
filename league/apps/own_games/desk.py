"""The games of clubs on the desk: their list, a game made from a copy, and one that is retired."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import rules
from games.engine.base import listed
from games.engine.refusals import Malformed
from games.rules.card_game import CardGame
from games.rules.card_game.definition import Definition
from league.admin.base import ClubScopedAdmin, directed_ids, display
from league.admin.site import CLUB, desk
from league.apps.own_games.copy_form import DOUBTED, INSTEAD, CopyForm
from league.apps.own_games.drafting import CHANGE, changed, draft_in
from league.apps.own_games.models import OwnGame
from league.apps.own_games.services import keep_game, read_definition, retire_game
from league.apps.own_games.trying import Preview, preview, trial
from league.queries.clubs import all_clubs
from league.requests import account_in
from league.words.messages import translated


@admin.register(OwnGame, site=desk)
class OwnGameAdmin(ClubScopedAdmin[OwnGame]):
    """The games that clubs have made for themselves."""

    may_add = True
    add_title = gettext_lazy("Make your own from a copy")
    buttons = ("retire",)
    asks: ClassVar = {
        "retire": (
            gettext_lazy("Retire"),
            gettext_lazy(
                "The game is offered no more until an unchanged copy of it is kept. "
                "What is played with it stays."
            ),
        )
    }
    list_display = ("title", "state", "table_sizes", "club", "made_at")
    list_filter = (("club", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("club",)
    search_fields = ("title",)
    ordering = ("title", "made_at", "pk")

    @display(
        description=gettext_lazy("status"), ordering="retired_at", label={"offered": "good", "retired": ""}
    )
    def state(self, game: OwnGame) -> tuple[str, Any]:
        """Return whether it is offered where a competition is set up."""
        return ("retired", _("retired")) if game.retired_at else ("offered", _("offered"))

    @display(description=gettext_lazy("players at a table"))
    def table_sizes(self, game: OwnGame) -> str:
        return translated(listed(_ruleset(game).seats))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a game: how it is scored, what its sheet looks like, and what can be done with it."""
        game = self.get_row(request, object_id)
        ruleset = _ruleset(game)
        context = {
            "game": game,
            "original": game,
            "ruleset": ruleset,
            "preview": preview(ruleset.game),
            "directs": self.directs(request, game),
        }
        return self.render_page(request, "own_games/game.html", game.title, context)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask which game is copied, then what is different in the copy."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        mine = self.get_queryset(request).filter(club__in=directed_ids(request))
        if "of" not in request.GET:
            shipped = [each for each in rules.games() if isinstance(each, CardGame)]
            context: dict[str, Any] = {"former": mine, "shipped": shipped}
            return self.render_page(request, "own_games/choose.html", self.add_title, context)
        copied = rules.known(request.GET["of"])
        if not isinstance(copied, CardGame):
            raise Http404
        former = mine.filter(ruleset=copied.name).first()
        clubs, shown = all_clubs().filter(pk__in=directed_ids(request)), None
        given: dict[str, Any] = {"clubs": clubs, "former": former is not None and not former.retired_at}
        given["instead"] = "instead" in request.GET
        if CHANGE in request.POST:
            form, tried = _redrafted(request, copied.game, given), None
        else:
            draft = draft_in(request.POST, copied.game)
            form, tried = CopyForm(request.POST or None, game=draft, **given), copied.game
        if form.is_bound:
            made, tried, shown = self._made(request, form, former)
            if made:
                messages.success(request, _("%(name)s is offered from now on.") % {"name": made.title})
                if former and former != made and form.cleaned_data.get(INSTEAD):
                    messages.success(request, _("%(name)s is offered no more.") % {"name": former.title})
                return redirect("admin:own_games_owngame_change", made.pk)
        context = {
            "form": form,
            "preview": shown,
            "copied": copied,
            "trial": tried and trial(tried, request.POST),
        }
        title = _("A copy of %(game)s") % {"game": translated(copied.title)}
        return self.render_page(request, "own_games/copy.html", title, context)

    def _made(
        self, request: HttpRequest, form: CopyForm, former: OwnGame | None
    ) -> tuple[OwnGame | None, Definition | None, Preview | None]:
        """Keep the game of a valid form, or make only its preview; where it is refused its fields say why.

        Return the game that is kept, what can be tried, and the preview.
        """
        if not form.is_valid():
            return None, None, None
        values, by = form.cleaned_data, account_in(request)
        instead = former if values.get(INSTEAD) else None
        try:
            game = read_definition(form.whole)
            if "_preview" in request.POST or "_try" in request.POST:
                form.show_made(game)
                return None, game, preview(game) if "_preview" in request.POST else None
            if DOUBTED not in request.POST and (names := [*form.doubted(game)]):
                form.show_made(game)
                form.in_doubt = form.named(*names)
                return None, game, None
            return keep_game(by=by, club=values["club"], game=game, instead_of=instead), game, None
        except Malformed as refusal:
            errors = {form.formula.field_of(path): [*told] for path, told in refusal.errors.items()}
            form.show(errors)
        return None, None, None

    def retire(self, request: HttpRequest, game: OwnGame) -> None:
        """Offer a game no more."""
        retire_game(by=account_in(request), game=game)
        messages.success(request, _("%(name)s is offered no more.") % {"name": game.title})


def _redrafted(request: HttpRequest, copied: Definition, given: dict[str, Any]) -> CopyForm:
    """Return the form with something added or taken away, and all that was typed."""
    draft, typed, lacking = changed(draft_in(request.POST, copied), request.POST)
    form = CopyForm(None, game=draft, **given, initial=typed)
    form.say(lacking)
    return form


def _ruleset(game: OwnGame) -> CardGame:
    found = rules.of(CardGame.key, {CardGame.defined_by: game.definition})
    assert isinstance(found, CardGame)
    return found


CLUB.insert(0, (gettext_lazy("Games of the club"), "own_games_owngame"))
