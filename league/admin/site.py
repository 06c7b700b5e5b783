"""The organiser's desk: an admin site for those who direct a club, and for the platform's owners."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from unfold.sites import UnfoldAdminSite

from league import selectors
from league.admin.needs import needs_of
from league.admin.scope import directed, sees_all, zone_of
from league.admin.steps import in_order_of_need, with_steps
from league.views.happenings import happenings

EVENTS_SHOWN = 10
COMPETITIONS_SHOWN = 60
CLUBS_SHOWN = 30


class Desk(UnfoldAdminSite):
    """Open to organisers of any club; what each of them finds there is limited by `OfClubs`."""

    index_title = _("What needs you now")
    index_template = "admin/desk.html"

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the account directs a club, or owns the platform."""
        return request.user.is_active and (sees_all(request) or bool(directed(request)))

    def admin_view(
        self, view: Callable[..., HttpResponse], cacheable: bool = False
    ) -> Callable[..., HttpResponse]:
        """Return the view for those who may enter, with times in the zone of their club."""
        guarded = super().admin_view(view, cacheable)

        @wraps(guarded)
        def in_zone(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            with timezone.override(zone_of(request)):
                response: HttpResponse = guarded(request, *args, **kwargs)
                return response.render() if isinstance(response, TemplateResponse) else response

        return in_zone

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show what needs the caller, the competitions that go on, the clubs, and what happened last."""
        mine = selectors.clubs() if sees_all(request) else selectors.clubs().filter(pk__in=directed(request))
        chosen = request.GET.get("club", "")
        shown = mine.filter(slug=chosen) if chosen else mine
        going_on = in_order_of_need(selectors.running_competitions().filter(club__in=shown))
        context = {
            "needs": needs_of(shown.filter(pk__in=directed(request))),
            "competitions": with_steps(going_on[:COMPETITIONS_SHOWN]),
            "more": going_on[COMPETITIONS_SHOWN:].exists(),
            "clubs": list(selectors.with_players(mine)[:CLUBS_SHOWN]),
            "chosen": chosen,
            "directs": directed(request),
            "happenings": happenings(list(selectors.last_events(shown)[:EVENTS_SHOWN])),
            **(extra_context or {}),
        }
        response: HttpResponse = super().index(request, context)
        return response

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send to the site's one log-in page, and from there back to where the caller wanted to go."""
        if self.has_permission(request):
            return redirect("admin:index")
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send to the site's one page for it."""
        return redirect("password_change")


desk = Desk()
