"""The organiser’s desk: an admin site for owners and organisers of clubs, and for platform owners."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.contrib.contenttypes.views import shortcut
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from league.admin.base import directed_clubs, directed_ids, may_enter, sees_all, zone_of
from league.admin.needs import in_order_of_need, needs_of, with_steps
from league.admin.well import all_told, of_addresses
from league.models import Club
from league.queries.clubs import all_clubs, jobs_at_work, with_players
from league.queries.competitions import all_competitions, running_competitions
from league.queries.events import last_events
from league.requests import account_in
from league.words.event_text import event_lines

# ---- Links to the lists --------------------------------------------------------------------------


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


# ---- The site ------------------------------------------------------------------------------------

EVENTS_SHOWN = 10
COMPETITIONS_SHOWN = 60
CLUBS_SHOWN = 30


def _on_site(request: HttpRequest, content_type_id: str, object_id: str) -> HttpResponse:
    """Lead to the page of a row."""
    try:
        return shortcut(request, content_type_id, object_id)
    except ValidationError:
        raise Http404 from None


def _clubs(request: HttpRequest) -> tuple[QuerySet[Club], QuerySet[Club]]:
    """Return the clubs that the caller sees, and those of them that were chosen."""
    visible = all_clubs() if sees_all(request) else all_clubs().filter(pk__in=directed_ids(request))
    chosen = request.GET.get("club", "")
    return visible, visible.filter(slug=chosen) if chosen else visible


def _attention(request: HttpRequest, clubs: QuerySet[Club]) -> dict[str, Any]:
    """Return what needs attention in those of the clubs that the caller directs."""
    return {
        "needs": needs_of(clubs.filter(pk__in=directed_ids(request)), account_in(request)),
        "chosen": request.GET.get("club", ""),
        "directs": directed_ids(request),
    }


def _there_is(clubs: QuerySet[Club], *, runs: bool = False) -> dict[str, bool]:
    """Return whether the clubs have competitions, over or not; yes where one runs."""
    return {"any_competition": runs or all_competitions().filter(club__in=clubs).exists()}


class Desk(AdminSite):
    """Open to organisers of any club; `ClubScopedAdmin` limits what each of them sees."""

    site_title = site_header = "Trefoil"
    index_title = _("Desk")
    index_template = "admin/desk.html"

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the account directs a club, or owns the platform."""
        return request.user.is_active and may_enter(request)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Return the view for those who may enter, with times in the zone of their club."""
        guarded: Callable[..., Any] = super().admin_view(view, cacheable)

        @wraps(guarded)
        def in_zone(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            with timezone.override(zone_of(request)):
                response: HttpResponse = guarded(request, *args, **kwargs)
                return response.render() if isinstance(response, TemplateResponse) else response

        return in_zone

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return what every page of the desk shows, with the navigation."""
        return {
            **super().each_context(request),
            "navigation": navigation(request),
            "club_in_utc": next((club for club in directed_clubs(request) if club.timezone == "UTC"), None),
        }

    def app_index(  # type: ignore[override]  # a redirect, not a page
        self, request: HttpRequest, app_label: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Redirect to the first page: the desk is not divided by Django's apps."""
        return redirect("admin:index")

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return Django's addresses; that of *View on site* answers 404 for what is no id."""
        address = "r/<path:content_type_id>/<path:object_id>/"
        return [
            path(address, self.admin_view(_on_site), name="view_on_site"),
            path("well/", self.admin_view(self.well), name="well"),
            path("needs/", self.admin_view(self.needs), name="needs"),
            *super().get_urls(),
        ]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show what needs attention, the running competitions, the clubs, and the latest events."""
        visible, clubs = _clubs(request)
        running = in_order_of_need(running_competitions().filter(club__in=clubs))
        found = list(running[: COMPETITIONS_SHOWN + 1])
        competitions = with_steps(found[:COMPETITIONS_SHOWN])
        context = {
            **_attention(request, clubs),
            **_there_is(clubs, runs=bool(competitions)),
            "competitions": competitions,
            "more": len(found) > COMPETITIONS_SHOWN,
            "clubs": list(with_players(visible)[:CLUBS_SHOWN]),
            "jobs": list(jobs_at_work(clubs.filter(pk__in=directed_ids(request)))),
            "events": event_lines(list(last_events(clubs)[:EVENTS_SHOWN])),
            **(extra_context or {}),
        }
        return super().index(request, context)

    def well(self, request: HttpRequest) -> HttpResponse:
        """Show the platform's owners whether all is well: what runs, and what to do."""
        if not sees_all(request):
            raise PermissionDenied
        told = sorted([*all_told(), *of_addresses(request)], key=lambda each: each.well)
        bad = sum(not each.well for each in told)
        context = {**self.each_context(request), "title": _("Is all well?"), "told": told, "bad": bad}
        return TemplateResponse(request, "admin/well.html", context)

    def needs(self, request: HttpRequest) -> HttpResponse:
        """Return what needs attention now, with which the first page keeps itself up to date."""
        _visible, clubs = _clubs(request)
        context = {**_attention(request, clubs), **_there_is(clubs)}
        return TemplateResponse(request, "admin/needs.html", context)

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect to the site's only log-in page, and from there back to the requested page."""
        if self.has_permission(request):
            return redirect("admin:index")
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))

    def password_change(  # type: ignore[override]  # a redirect, not a page
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Redirect to the site's only page for it."""
        return redirect("password_change")


desk = Desk()
