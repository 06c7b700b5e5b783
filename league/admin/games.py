"""Games on the desk: to be read, with what their logs prove. Rulings are moves, made by services."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from games.log import NotReplayable
from games.models import Game
from league import selectors
from league.admin.scope import OfClubs
from league.admin.site import desk
from league.models import ClubGame
from league.templatetags.trefoil import ruleset_title
from league.views import gametable
from league.views.checks import game_in_words


@admin.register(Game, site=desk)
class GameAdmin(OfClubs[Game]):
    """The club's games, in competitions and casual ones."""

    club_path = "place__club"
    list_display = ("title", "state", "competition", "seq", "opened_at", "moved_at")
    list_filter = ("status", ("place__competition", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("place__competition", "place__table__round")
    search_fields = ("id", "place__competition__name")
    search_help_text = _("A competition’s name, or a game’s id")
    fields = ("title", "status", "verified", "competition", "opened_at", "moved_at", "options", "clock")
    change_form_outer_after_template = "admin/game_log.html"

    @display(description=_("game"), ordering="ruleset")
    def title(self, game: Game) -> str:
        """Return what is played, and at which table."""
        title, table = ruleset_title(game.ruleset), game.place.table
        if table is None:
            return title
        place = _("round %(round)d, table %(table)d") % {"round": table.round.number, "table": table.number}
        return f"{title}, {place}"

    @display(
        description=_("status"),
        ordering="status",
        label={"active": "success", "finished": "info", "abandoned": "danger"},
    )
    def state(self, game: Game) -> tuple[str, str]:
        """Return whether it runs."""
        return game.status, game.get_status_display()

    @display(description=_("competition"), ordering="place__competition__name")
    def competition(self, game: Game) -> str:
        """Return the competition that it belongs to."""
        competition = game.place.competition
        if competition is None:
            return str(_("casual"))
        address = reverse("admin:league_competition_change", args=[competition.pk])
        return format_html('<a href="{}">{}</a>', address, competition.name)

    @display(description=_("check"))
    def verified(self, game: Game) -> str:
        """Return what the verifier says of the log."""
        return game_in_words(game)

    def view_on_site(self, game: Game) -> str:
        """Return where the game's page is."""
        return reverse("game", args=[game.pk])

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the game with its log in words."""
        game = self.get_object(request, object_id or "")
        place = selectors.games().filter(pk=game.pk).first() if game else None
        context = {"log": _log(place) if place else None, **(extra_context or {})}
        return super().changeform_view(request, object_id, form_url, context)


def _log(place: ClubGame) -> gametable.TableShown | None:
    try:
        return gametable.table(place, gametable.Asked(place.game.seq, whole=True), account=None)
    except NotReplayable:
        return None
