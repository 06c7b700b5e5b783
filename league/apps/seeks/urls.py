"""The addresses of the pages."""

from django.urls import path

from league.apps.seeks import pages

urlpatterns = [
    path("clubs/<slug:slug>/seeks/", pages.page, name="seeks"),
    path("seeks/<uuid:seek_id>/join/", pages.join, name="join_seek"),
    path("seeks/<uuid:seek_id>/bots/", pages.fill, name="fill_seek"),
    path("seeks/<uuid:seek_id>/invite/", pages.invite, name="invite_to_seek"),
    path("seeks/<uuid:seek_id>/links/<uuid:invitation_id>/", pages.withdraw_link, name="withdraw_seek_link"),
    path("seats/<uuid:invitation_id>/<str:token>/", pages.invitation, name="seat_invitation"),
    path("seeks/<uuid:seek_id>/withdraw/", pages.withdraw, name="withdraw_seek"),
]
