"""The addresses of programs: what they ask, and the pages of their people."""

from django.urls import path

from league.apps.programs import endpoints, pages

urlpatterns = [
    path("oauth/token/", endpoints.Token.as_view(), name="oauth-token"),
    path("oauth/revoke/", endpoints.Revoke.as_view(), name="oauth-revoke"),
    path("oauth/device-authorization/", endpoints.Device.as_view(), name="oauth-device"),
    path(".well-known/oauth-authorization-server", endpoints.metadata, name="oauth-metadata"),
    path("oauth/authorize/", pages.Authorize.as_view(), name="authorize"),
    path("oauth/device/", pages.device, name="device"),
    path("account/programs/", pages.developed, name="programs"),
    path("account/programs/<int:program_id>/", pages.program, name="program"),
    path("account/connections/<int:program_id>/disconnect/", pages.end, name="disconnect"),
]
