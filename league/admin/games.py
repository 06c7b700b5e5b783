"""Games on the desk: to be read, with the result of checking their logs."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from games.engine.refusals import NotReplayable
from games.models import Game
from league.admin.base import ClubScopedAdmin, display
from league.admin.site import desk
from league.queries.games import all_games, entries_after, ruleset_of, seated
from league.queries.verification import game_in_words
from league.words.moves import seat_name, shown
from league.words.values import ruleset_title


@admin.register(Game, site=desk)
class GameAdmin(ClubScopedAdmin[Game]):
    """The club's games: those of competitions and casual ones."""

    club_path = "club_game__club"
    list_display = ("title", "state", "competition", "seq", "opened_at", "moved_at")
    list_filter = ("status", ("club_game__competition", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("club_game__competition", "club_game__table__round")
    search_fields = ("id", "club_game__competition__name")
    search_help_text = _("A competition’s name, or a game’s id")
    fields = ("title", "status", "verified", "competition", "opened_at", "moved_at", "options", "clock")
    below_form = "admin/game_log.html"

    @display(description=_("game"), ordering="ruleset")
    def title(self, game: Game) -> str:
        """Return what is played, with round and table."""
        title, table = ruleset_title(game.ruleset), game.club_game.table
        if table is None:
            return title
        where = _("round %(round)d, table %(table)d") % {"round": table.round.number, "table": table.number}
        return f"{title}, {where}"

    @display(
        description=_("status"),
        ordering="status",
        label={"invited": "warn", "active": "good", "finished": "", "abandoned": "bad"},
    )
    def state(self, game: Game) -> tuple[str, str]:
        if game.is_over and game.club_game.ruled:
            return "finished", str(_("set by hand"))
        return game.status, game.get_status_display()

    @display(description=_("competition"), ordering="club_game__competition__name")
    def competition(self, game: Game) -> str:
        """Return a link to the game's competition."""
        competition = game.club_game.competition
        if competition is None:
            return str(_("casual"))
        address = reverse("admin:league_competition_change", args=[competition.pk])
        return format_html('<a href="{}">{}</a>', address, competition.name)

    @display(description=_("check"))
    def verified(self, game: Game) -> str:
        """Return what the verifier says about the log."""
        return game_in_words(game)

    def view_on_site(self, game: Game) -> str:
        return reverse("game", args=[game.pk])

    def row_context(self, request: HttpRequest, row: Game | None) -> dict[str, Any]:
        return {"log": _log(row) if row else None}


def _log(row: Game) -> Mapping[str, Any] | None:
    """Return the game's log in words, the last entry first; None where the server lacks the game's rules."""
    club_game = all_games().get(pk=row.pk)
    game, names = club_game.game, {seat.seat: seat_name(seat) for seat in seated(club_game.game)}
    try:
        ruleset_of(game)
    except NotReplayable:
        return None
    entries = shown(game, entries_after(game, 0)[::-1], names)
    return {"club_game": club_game, "names": names, "entries": entries}
