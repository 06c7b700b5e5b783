"""The addresses of the site."""

from django.contrib.auth.views import LogoutView
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import include, path
from django.views.generic import RedirectView, TemplateView

from league.admin import desk
from league.web import (
    account,
    check_in,
    clubs,
    competitions,
    games,
    hall,
    invitations,
    kiosks,
    languages,
    lists,
    my_entry,
    notices,
    rules,
    sheets,
)

urlpatterns = [
    path("", clubs.home, name="home"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/players/", lists.players, name="club_players"),
    path("clubs/<slug:slug>/competitions/", lists.competitions, name="club_competitions"),
    path("clubs/<slug:slug>/games/", lists.games, name="club_games"),
    path("clubs/<slug:slug>/ratings/", clubs.ratings, name="ratings"),
    path("players/<uuid:player_id>/", clubs.player, name="player"),
    path("competitions/<slug:slug>/", competitions.page, name="competition"),
    path("competitions/<slug:slug>/cross-table/", competitions.cross_table, name="competition_cross_table"),
    path("competitions/<slug:slug>/me/<slug:verb>/", my_entry.act, name="own"),
    path("competitions/<slug:slug>/rounds/", competitions.rounds, name="competition_rounds"),
    path("competitions/<slug:slug>/entries/", competitions.entries, name="competition_entries"),
    path("competitions/<slug:slug>/check-in/", check_in.page, name="competition_check_in"),
    path("competitions/<slug:slug>/hall/", hall.page, name="competition_hall"),
    path("competitions/<slug:slug>/hall/screens/", hall.screens, name="competition_hall_screens"),
    path("competitions/<slug:slug>/print/<slug:kind>.pdf", sheets.competition, name="competition_print"),
    path("competitions/<slug:slug>/log/", competitions.log, name="competition_log"),
    path("games/<uuid:game_id>/", games.page, name="game"),
    path("games/<uuid:game_id>/play/", games.play, name="play"),
    path("games/<uuid:game_id>/news/", games.news, name="news"),
    path("language/", languages.choose, name="language"),
    path("rules/", rules.index, name="rules_index"),
    path("rules/<slug:key>/", rules.page, name="rules"),
    path("rules/<slug:key>/sheet-<int:players>.pdf", sheets.blank, name="sheet"),
    path("account/", account.page, name="account"),
    path("account/login/", account.LogIn.as_view(), name="login"),
    path("account/logout/", LogoutView.as_view(), name="logout"),
    path("account/password/", account.ChangePassword.as_view(), name="password_change"),
    path("account/notices/", notices.page, name="notices"),
    path("account/notices/address/<str:token>/", notices.confirm, name="confirm_address"),
    path("account/notices/stop/<str:token>/", notices.stop, name="stop_notices"),
    path("account/forgotten/", account.ForgotPassword.as_view(), name="password_reset"),
    path(
        "account/forgotten/<uidb64>/<token>/",
        account.ResetPassword.as_view(),
        name="password_reset_confirm",
    ),
    path("invitations/<uuid:invitation_id>/<str:token>/", invitations.page, name="invitation"),
    path("kiosks/<uuid:kiosk_id>/<str:token>/", kiosks.open_link, name="open_kiosk"),
    path("account/tokens/<uuid:token_id>/revoke/", account.revoke, name="revoke_token"),
    path("admin/", desk.urls),
    path("api/", include("api.urls")),
    path("robots.txt", TemplateView.as_view(template_name="robots.txt", content_type="text/plain")),
    path("favicon.ico", RedirectView.as_view(url=staticfiles_storage.url("trefoil/trefoil.svg"))),
]
