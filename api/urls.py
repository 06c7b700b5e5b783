"""The addresses below ``/api/``."""

from django.urls import include, path, re_path

from api.views import (
    calendars,
    clubs,
    competitions,
    docs,
    files,
    games,
    problems,
    rulesets,
    sheets,
    tokens,
    verbs,
)

app_name = "api"

version_1 = [
    path("games/<uuid:id>/moves/", games.Moves.as_view(), name="moves"),
    path("games/<uuid:id>/", games.GameDetail.as_view(), name="game"),
    path("games/", games.Games.as_view(), name="games"),
    path("games/<uuid:id>/accept/", games.Accept.as_view(), name="accept"),
    path("games/<uuid:id>/decline/", games.Decline.as_view(), name="decline"),
    path("games/<uuid:id>/at/<int:seq>/", games.GameAt.as_view(), name="at"),
    path("games/<uuid:id>/draws/", games.Draws.as_view(), name="game-draws"),
    path("games/<uuid:id>/log/", games.GameLog.as_view(), name="game-log"),
    path("games/<uuid:id>/events/", games.GameEvents.as_view(), name="game-events"),
    path("rulesets/", rulesets.Rulesets.as_view(), name="rulesets"),
    path("rulesets/<str:key>/", rulesets.Ruleset.as_view(), name="ruleset"),
    path("rulesets/<str:key>/<int:version>/schema/", rulesets.Schema.as_view(), name="ruleset-schema"),
    path("clubs/", clubs.Clubs.as_view(), name="clubs"),
    path("clubs/<slug:slug>/", clubs.ClubDetail.as_view(), name="club"),
    path("clubs/<slug:slug>/players/", clubs.Players.as_view(), name="players"),
    path("clubs/<slug:slug>/ratings/", clubs.RatingList.as_view(), name="rating-list"),
    path("players/<uuid:id>/calendar.ics", calendars.PlayerCalendar.as_view(), name="player-calendar"),
    path("players/<uuid:id>/ratings/", clubs.RatingHistory.as_view(), name="rating-history"),
    path("clubs/<slug:slug>/ratings.csv", files.RatingsCSV.as_view(), name="ratings-csv"),
    path("clubs/<slug:slug>/players.csv", files.PlayersCSV.as_view(), name="players-csv"),
    path("clubs/<slug:slug>/competitions.csv", files.CompetitionsCSV.as_view(), name="competitions-csv"),
    path("clubs/<slug:slug>/games.csv", files.GamesCSV.as_view(), name="games-csv"),
    path("players/<uuid:id>/games.csv", files.PlayerGamesCSV.as_view(), name="player-games-csv"),
    path("players/<uuid:id>/", clubs.PlayerDetail.as_view(), name="player"),
    path("competitions/", competitions.Competitions.as_view(), name="competitions"),
    path("competitions/presets/", competitions.Presets.as_view(), name="presets"),
    path("competitions/formats/", competitions.Formats.as_view(), name="formats"),
    path("competitions/<uuid:id>/", competitions.CompetitionDetail.as_view(), name="competition"),
    path("competitions/<uuid:id>/details/", competitions.CompetitionDetails.as_view(), name="details"),
    path("competitions/<uuid:id>/prizes/", competitions.Prizes.as_view(), name="prizes"),
    path("competitions/<uuid:id>/entries/", competitions.Entered.as_view(), name="entries"),
    path("competitions/<uuid:id>/stages/", competitions.Stages.as_view(), name="stages"),
    path("competitions/<uuid:id>/rounds/", competitions.Rounds.as_view(), name="rounds"),
    path("competitions/<uuid:id>/tables/", competitions.Tables.as_view(), name="tables"),
    path(
        "competitions/<uuid:id>/double-bookings/",
        competitions.DoubleBookings.as_view(),
        name="double-bookings",
    ),
    path("competitions/<uuid:id>/games/", competitions.CompetitionGames.as_view(), name="played"),
    path("competitions/<uuid:id>/standings/", competitions.Standings.as_view(), name="standings"),
    path(
        "competitions/<uuid:id>/standings.json", competitions.StandingsJSON.as_view(), name="standings-json"
    ),
    path("competitions/<uuid:id>/standings.csv", files.StandingsCSV.as_view(), name="standings-csv"),
    path("competitions/<uuid:id>/results.csv", files.ResultsCSV.as_view(), name="results-csv"),
    path("competitions/<uuid:id>/entries.csv", files.EntriesCSV.as_view(), name="entries-csv"),
    path("competitions/<uuid:id>/events.csv", files.EventsCSV.as_view(), name="events-csv"),
    path("competitions/<uuid:id>/sheets.pdf", sheets.Sheets.as_view(), name="sheets"),
    path("competitions/<uuid:id>/calendar.ics", calendars.CompetitionCalendar.as_view(), name="calendar"),
    path("competitions/<uuid:id>/cross-table/", competitions.CrossTable.as_view(), name="cross-table"),
    path("competitions/<uuid:id>/events/", competitions.Events.as_view(), name="events"),
    path("competitions/<uuid:id>/log/", competitions.CompetitionLog.as_view(), name="log"),
    path("competitions/<uuid:id>/export/", competitions.CompetitionExport.as_view(), name="export"),
    path("competitions/<uuid:id>/me/", verbs.Me.as_view(), name="me"),
    *verbs.addresses(),
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/<uuid:id>/", tokens.TokenDetail.as_view(), name="token"),
    path("problems/<str:code>/", problems.ProblemType.as_view(), name="problem"),
    path("schema/", docs.Schema.as_view(), name="schema"),
    path("docs/", docs.Docs.as_view(), name="docs"),
]

urlpatterns = [
    path("v1/", include(version_1)),
    re_path("", problems.unknown_address),
]
