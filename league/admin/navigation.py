"""The links to the desk's lists, in groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.admin.base import sees_all


@dataclass(frozen=True)
class Link:
    """A link, and whether it leads to the page that is shown or to the list of its row."""

    title: Any
    address: str
    current: bool


@dataclass(frozen=True)
class Group:
    """Some links under a title, "" for the first."""

    title: Any
    links: Sequence[Link]


CLUB: Final = [
    (_("Members"), "league_member"),
    (_("Clubs"), "league_club"),
    (_("Invitations"), "league_invitation"),
    (_("Apps"), "league_app"),
    (_("Jobs"), "league_job"),
    (_("Accounts"), "league_account"),
    (_("Is all well?"), "well"),
]
"""Links of the last group, to which apps add theirs."""
_GROUPS: Final = (
    (
        "",
        (
            (_("Desk"), "index"),
            (_("Competitions"), "league_competition"),
            (_("Players"), "league_player"),
            (_("Games"), "games_game"),
        ),
    ),
    (
        _("Who did what"),
        (
            (_("Competitions’ log"), "league_event"),
            (_("Moves"), "games_move"),
            (_("The club’s changes"), "league_clubchange"),
        ),
    ),
    (_("The club"), CLUB),
)
_FOR_PLATFORM_OWNERS: Final = ("league_account", "well")
_PAGES: Final = ("index", "well")


def navigation(request: HttpRequest) -> list[Group]:
    """Return the links that the caller may follow."""
    match = request.resolver_match
    shown = match.url_name or "" if match else ""
    return [
        Group(title, [_link(text, name, shown) for text, name in links if _offered(request, name)])
        for title, links in _GROUPS
    ]


def _offered(request: HttpRequest, name: str) -> bool:
    return name not in _FOR_PLATFORM_OWNERS or sees_all(request)


def _link(title: Any, name: str, shown: str) -> Link:
    if name in _PAGES:
        return Link(title, reverse(f"admin:{name}"), shown == name)
    return Link(title, reverse(f"admin:{name}_changelist"), shown.startswith(f"{name}_"))
