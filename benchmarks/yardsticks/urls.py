"""The site's addresses, and those of the yardsticks."""

from django.urls import include, path

from benchmarks.yardsticks import views

urlpatterns = [
    path("idiomatic/<uuid:id>/", views.Entries.as_view()),
    path("bare/<uuid:id>/", views.bare),
    path("", include("league.urls")),
]
