"""The theme and the sidebar of the organiser's desk."""

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _


def _mark(request: HttpRequest) -> str:
    return static("trefoil/trefoil.svg")


def _styles(request: HttpRequest) -> str:
    return static("trefoil/desk.css")


def _scripts(request: HttpRequest) -> str:
    return static("trefoil/desk.js")


def _owns_the_platform(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False))


def _link(title: Any, icon: str, name: str) -> dict[str, Any]:
    return {"title": title, "icon": icon, "link": reverse_lazy(f"admin:{name}")}


UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Trefoil",
    "SITE_HEADER": "Trefoil",
    "SITE_SUBHEADER": _("The organiser’s desk"),
    "SITE_ICON": _mark,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _mark}],
    "STYLES": [_styles],
    "SCRIPTS": [_scripts],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": True,
    "SHOW_BACK_BUTTON": True,
    "COLORS": {
        "primary": {
            "50": "#eef7f2",
            "100": "#d9eee3",
            "200": "#b4ddc8",
            "300": "#7ad0a6",
            "400": "#43ab7c",
            "500": "#2c9a6d",
            "600": "#17694a",
            "700": "#14573e",
            "800": "#124633",
            "900": "#0f3a2b",
            "950": "#072118",
        },
    },
    "ACCOUNT": {"navigation": [{"title": _("My account"), "link": reverse_lazy("account")}]},
    "SIDEBAR": {
        "show_search": False,
        "navigation": [
            {
                "items": [
                    _link(_("Desk"), "space_dashboard", "index"),
                    _link(_("Competitions"), "emoji_events", "league_competition_changelist"),
                    _link(_("Players"), "groups", "league_player_changelist"),
                    _link(_("Games"), "playing_cards", "games_game_changelist"),
                ],
            },
            {
                "title": _("Who did what"),
                "separator": True,
                "items": [
                    _link(_("Competitions’ log"), "history", "league_event_changelist"),
                    _link(_("Moves"), "reorder", "games_move_changelist"),
                    _link(_("The club’s changes"), "manage_history", "league_clubchange_changelist"),
                ],
            },
            {
                "title": _("The club"),
                "separator": True,
                "items": [
                    _link(_("Members"), "badge", "league_member_changelist"),
                    _link(_("Clubs"), "home", "league_club_changelist"),
                    _link(_("Invitations"), "mail", "league_invitation_changelist"),
                    _link(_("Apps"), "smart_toy", "league_app_changelist"),
                    _link(_("Webhooks"), "webhook", "league_webhook_changelist"),
                    _link(_("Jobs"), "hourglass_top", "league_job_changelist"),
                    {
                        **_link(_("Accounts"), "key", "league_account_changelist"),
                        "permission": _owns_the_platform,
                    },
                ],
            },
        ],
    },
}
