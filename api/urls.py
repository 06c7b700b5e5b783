"""The addresses below ``/api/``."""

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from api.views import games, problems, rulesets, tokens

app_name = "api"

version_1 = [
    path("rulesets/", rulesets.Rulesets.as_view(), name="rulesets"),
    path("rulesets/<str:key>/", rulesets.Ruleset.as_view(), name="ruleset"),
    path("games/", games.Games.as_view(), name="games"),
    path("games/<uuid:id>/", games.GameDetail.as_view(), name="game"),
    path("games/<uuid:id>/moves/", games.Moves.as_view(), name="moves"),
    path("games/<uuid:id>/at/<int:seq>/", games.GameAt.as_view(), name="at"),
    path("games/<uuid:id>/log/", games.GameLog.as_view(), name="game-log"),
    path("games/<uuid:id>/events/", games.GameEvents.as_view(), name="game-events"),
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/<uuid:id>/", tokens.TokenDetail.as_view(), name="token"),
    path("problems/<str:code>/", problems.ProblemKind.as_view(), name="problem"),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api:schema"), name="docs"),
]

urlpatterns = [
    path("v1/", include(version_1)),
    re_path("", problems.nowhere),
]
