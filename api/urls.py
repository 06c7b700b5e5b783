"""The addresses below ``/api/``."""

from typing import TypeAlias

from django.urls import URLPattern, URLResolver, include, path, re_path

from api.views import clubs, competitions, docs, games, me, streams, verbs
from league.hooks.app import addresses_of

app_name = "api"

Addresses: TypeAlias = list[URLPattern | URLResolver]

of_game: Addresses = [
    path("moves/", games.Moves.as_view(), name="moves"),
    path("moves/batch/", games.MovesBatch.as_view(), name="moves-batch"),
    path("", games.GameDetail.as_view(), name="game"),
    path("accept/", games.Accept.as_view(), name="accept"),
    path("decline/", games.Decline.as_view(), name="decline"),
    path("rematch/", games.Rematch.as_view(), name="rematch"),
    path("at/<int:seq>/", games.GameAt.as_view(), name="at"),
    path("draws/", games.Draws.as_view(), name="game-draws"),
    path("log/", games.GameLog.as_view(), name="game-log"),
    path("events/", streams.GameEvents.as_view(), name="game-events"),
]

of_club: Addresses = [
    path("", clubs.ClubDetail.as_view(), name="club"),
    path("players/", clubs.Players.as_view(), name="players"),
    path("ratings/", clubs.RatingList.as_view(), name="rating-list"),
    path("games.ndjson", games.GamesNDJSON.as_view(), name="games-ndjson"),
    path("stream/", streams.ClubStream.as_view(), name="club-stream"),
]

of_player: Addresses = [
    path("calendar.ics", clubs.PlayerCalendar.as_view(), name="player-calendar"),
    path("ratings/", clubs.RatingHistory.as_view(), name="rating-history"),
    path("games.ndjson", games.PlayerGamesNDJSON.as_view(), name="player-games-ndjson"),
    path("", clubs.PlayerDetail.as_view(), name="player"),
]

of_competition: Addresses = [
    path("", competitions.CompetitionDetail.as_view(), name="competition"),
    path("details/", competitions.CompetitionDetails.as_view(), name="details"),
    path("timetable/", competitions.CompetitionTimetable.as_view(), name="timetable"),
    path("picture/", competitions.CompetitionPicture.as_view(), name="picture"),
    path("prizes/", competitions.Prizes.as_view(), name="prizes"),
    path("entries/", competitions.Entered.as_view(), name="entries"),
    path("stages/", competitions.Stages.as_view(), name="stages"),
    path("rounds/", competitions.Rounds.as_view(), name="rounds"),
    path("tables/", competitions.Tables.as_view(), name="tables"),
    path("double-bookings/", competitions.DoubleBookings.as_view(), name="double-bookings"),
    path("challenges/", verbs.Challenges.as_view(), name="challenges"),
    path("objections/", verbs.Objections.as_view(), name="objections"),
    path("games/", competitions.CompetitionGames.as_view(), name="played"),
    path("standings/", competitions.Standings.as_view(), name="standings"),
    path("standings.json", competitions.StandingsJSON.as_view(), name="standings-json"),
    path("calendar.ics", clubs.CompetitionCalendar.as_view(), name="calendar"),
    path("cross-table/", competitions.CrossTable.as_view(), name="cross-table"),
    path("events/", competitions.Events.as_view(), name="events"),
    path("log/", competitions.CompetitionLog.as_view(), name="log"),
    path("export/", competitions.CompetitionExport.as_view(), name="export"),
    path("me/", verbs.Me.as_view(), name="me"),
    *verbs.addresses(),
    path("stream/", streams.CompetitionStream.as_view(), name="competition-stream"),
]

version_1: Addresses = [
    path("games/<uuid:id>/", include(of_game)),
    path("clubs/<slug:slug>/", include(of_club)),
    path("players/<uuid:id>/", include(of_player)),
    path("competitions/<uuid:id>/", include(of_competition)),
    path("games/", games.Games.as_view(), name="games"),
    path("rulesets/", games.Rulesets.as_view(), name="rulesets"),
    path("rulesets/<str:key>/", games.Ruleset.as_view(), name="ruleset"),
    path("rulesets/<str:key>/<int:version>/schema/", games.Schema.as_view(), name="ruleset-schema"),
    path("clubs/", clubs.Clubs.as_view(), name="clubs"),
    path("players/", clubs.PlayerSearch.as_view(), name="player-search"),
    path("competitions/", competitions.Competitions.as_view(), name="competitions"),
    path("competitions/presets/", competitions.Presets.as_view(), name="presets"),
    path("competitions/formats/", competitions.Formats.as_view(), name="formats"),
    path("me/events/", streams.MyEvents.as_view(), name="my-events"),
    path("me/bot/", me.MyBot.as_view(), name="my-bot"),
    path("me/", me.Me.as_view(), name="who"),
    path("me/clubs/<slug:slug>/privacy/", me.MyPrivacy.as_view(), name="my-privacy"),
    path("me/clubs/<slug:slug>/calendar/", me.MyCalendar.as_view(), name="my-calendar"),
    path("me/clubs/<slug:slug>/", me.MyClub.as_view(), name="my-club"),
    path("tokens/", me.Tokens.as_view(), name="tokens"),
    path("tokens/<uuid:id>/", me.TokenDetail.as_view(), name="token"),
    path("problems/<str:code>/", docs.ProblemType.as_view(), name="problem"),
    path("schema/", docs.Schema.as_view(), name="schema"),
    path("docs/", docs.Docs.as_view(), name="docs"),
    *addresses_of("api"),
]

urlpatterns = [
    path("v1/", include(version_1)),
    re_path("", docs.unknown_address),
]
