"""The addresses of the site."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.views import LogoutView
from django.contrib.sitemaps.views import index, sitemap
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http.response import HttpResponseBase
from django.urls import include, path, re_path
from django.utils.module_loading import autodiscover_modules
from django.views.decorators.cache import cache_control
from django.views.generic import RedirectView, TemplateView

from league.admin import desk
from league.hooks.app import addresses_of
from league.web import (
    account,
    checks,
    clubs,
    competitions,
    endings,
    feeds,
    games,
    gestures,
    invitations,
    languages,
    lists,
    log_in,
    my_entry,
    passkeys,
    replays,
    rules,
    scores,
    site,
    stops,
)

autodiscover_modules("desk")
_STATIC = settings.STATIC_URL.strip("/")
handler400 = "league.web.site.refused"
handler500 = "league.web.site.failed"


def _shown(template: str, content_type: str | None = None) -> Callable[..., HttpResponseBase]:
    """Return the view of a template, which browsers ask for again each time."""
    view = TemplateView.as_view(template_name=template, content_type=content_type)
    return cache_control(no_cache=True)(view)


urlpatterns = [
    # First, because the requests of bots are the most.
    path("api/", include("api.urls")),
    path("", clubs.home, name="home"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/feed/", feeds.ClubNews(), name="club_feed"),
    path("clubs/<slug:slug>/calendar.ics", feeds.club_calendar, name="club_calendar"),
    path("clubs/<slug:slug>/seasons/<int:year>/", clubs.season, name="season"),
    path("clubs/<slug:slug>/players/", lists.players, name="club_players"),
    path("clubs/<slug:slug>/competitions/", lists.competitions, name="club_competitions"),
    path("clubs/<slug:slug>/games/", lists.games, name="club_games"),
    path("clubs/<slug:slug>/ratings/", clubs.ratings, name="ratings"),
    path("players/", lists.find_players, name="find_players"),
    path("players/<uuid:player_id>/", clubs.player, name="player"),
    path("competitions/", clubs.current, name="current"),
    path("competitions/<slug:slug>/", competitions.page, name="competition"),
    path("competitions/<slug:slug>/feed/", feeds.CompetitionNews(), name="competition_feed"),
    path("competitions/<slug:slug>/cross-table/", competitions.cross_table, name="competition_cross_table"),
    path("competitions/<slug:slug>/live/", competitions.wall, name="competition_wall"),
    path("competitions/<slug:slug>/charts/", competitions.charts, name="competition_charts"),
    path("competitions/<slug:slug>/winners/", competitions.winners, name="competition_winners"),
    path("competitions/<slug:slug>/me/<slug:verb>/", my_entry.act, name="own"),
    path(
        "competitions/<slug:slug>/picture-<slug:digest>.jpg", competitions.picture, name="competition_picture"
    ),
    path("competitions/<slug:slug>/rounds/", competitions.rounds, name="competition_rounds"),
    path("competitions/<slug:slug>/entries/", competitions.entries, name="competition_entries"),
    path("competitions/<slug:slug>/log/", competitions.log, name="competition_log"),
    path("games/<uuid:game_id>/log/", replays.log, name="game_log"),
    path("games/<uuid:game_id>/draws/", replays.draws, name="game_draws"),
    path("emails/stop/<str:token>/", stops.stop_invitations, name="stop_invitations"),
    path("emails/stop/<uuid:player_id>/<slug:kind>/<str:token>/", stops.stop, name="stop_kind"),
    path("tables/mine/", account.own_tables, name="own_tables"),
    path("games/<uuid:game_id>/", games.page, name="game"),
    path("games/<uuid:game_id>/play/", games.play, name="play"),
    path("games/<uuid:game_id>/accept/", games.accept, name="accept_game"),
    path("games/<uuid:game_id>/decline/", games.decline, name="decline_game"),
    path("games/<uuid:game_id>/gestures/", gestures.meaning, name="gestures"),
    path("games/<uuid:game_id>/rematch/", endings.rematch, name="rematch"),
    path("games/<uuid:game_id>/frames/", replays.frames, name="frames"),
    path("embed/games/<uuid:game_id>/", replays.embedded, name="embedded"),
    path("embed/games/<uuid:game_id>/frames/", replays.embedded_frames, name="embedded_frames"),
    path("games/<uuid:game_id>/news/", games.news, name="news"),
    path("language/", languages.choose, name="language"),
    path("games/<uuid:game_id>/scores/", scores.card, name="card_scores"),
    path("rounds/<uuid:round_id>/scores/", scores.sheet, name="round_scores"),
    path("competitions/<slug:slug>/check/<uuid:table_id>/", checks.check, name="check_scores"),
    path("scores/", scores.home, name="scores"),
    path("rules/", rules.index, name="rules_index"),
    path("rules/<slug:key>/", rules.page, name="rules"),
    path("rules/<slug:key>/chance.md", rules.purposes, name="purposes"),
    path("account/", account.page, name="account"),
    path("account/login/", log_in.LogIn.as_view(), name="login"),
    path("account/logout/", LogoutView.as_view(), name="logout"),
    path("account/password/", account.ChangePassword.as_view(), name="password_change"),
    path("account/devices/", account.devices_page, name="devices"),
    path("account/devices/others/end/", account.end_others, name="end_other_sessions"),
    path("account/devices/<uuid:log_in>/end/", account.log_out_device, name="end_session"),
    path("account/login/passkey/", passkeys.log_in, name="passkey_log_in"),
    path("account/login/passkey/question/", passkeys.ask_known, name="ask_passkey"),
    path("account/passkeys/", passkeys.make, name="make_passkey"),
    path("account/passkeys/question/", passkeys.ask_new, name="ask_new_passkey"),
    path("account/passkeys/<uuid:passkey_id>/remove/", passkeys.remove, name="remove_passkey"),
    path("account/zone/", languages.zone_page, name="zone"),
    path("account/bot/", account.bot, name="bot"),
    path("calendars/<uuid:player_id>/<str:token>/player.ics", feeds.secret_calendar, name="secret_calendar"),
    path("account/clubs/<slug:slug>/asking/", games.choose_asking, name="asking"),
    path("account/notices/", account.notifications, name="notifications"),
    path("account/notices/again/", stops.start_again, name="emails_again"),
    path("account/notices/address/<str:token>/", invitations.confirm, name="confirm_address"),
    path("account/forgotten/", account.ForgotPassword.as_view(), name="password_reset"),
    path(
        "account/forgotten/<uidb64>/<token>/",
        account.ResetPassword.as_view(),
        name="password_reset_confirm",
    ),
    path("invitations/<uuid:invitation_id>/<str:token>/", invitations.page, name="invitation"),
    path("account/tokens/<uuid:token_id>/revoke/", account.revoke, name="revoke_token"),
    path("admin/", desk.urls),
    *addresses_of("pages"),
    # A page of an earlier release that is still open asks for its static files.
    re_path(
        rf"^(?!{_STATIC}/)static/[0-9a-f]{{16}}/(?P<path>.+)$",
        RedirectView.as_view(url=f"/{_STATIC}/%(path)s"),
        name="earlier_static",
    ),
    path("sitemap.xml", index, {"sitemaps": site.SITEMAPS, "sitemap_url_name": "sitemap"}),
    path("sitemap-<slug:section>.xml", sitemap, {"sitemaps": site.SITEMAPS}, name="sitemap"),
    path("manifest.webmanifest", _shown("manifest.txt", "application/manifest+json"), name="manifest"),
    path("worker.js", _shown("worker.txt", "text/javascript"), name="worker"),
    path("offline/", _shown("offline.html"), name="offline"),
    path("robots.txt", TemplateView.as_view(template_name="robots.txt", content_type="text/plain")),
    path("favicon.ico", RedirectView.as_view(url=staticfiles_storage.url("trefoil/trefoil.svg"))),
]
