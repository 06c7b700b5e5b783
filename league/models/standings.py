"""Standings and ratings: computed from the logs by tasks."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Game
from league.core.ratings import Rating as RatingValue
from league.models.clubs import Club, Player
from league.models.competitions import Competition, Stage

# ---- Standings -----------------------------------------------------------------------------------


class Standings(models.Model):
    """How far into a competition's log its standing rows reach: they are old while ``as_of`` lags behind."""

    competition = models.OneToOneField(
        Competition, models.CASCADE, primary_key=True, related_name="standings"
    )
    as_of = models.PositiveIntegerField(_("as of entry"), default=0)

    class Meta:
        ordering: ClassVar = ["competition"]

    def __str__(self) -> str:
        return f"{self.competition_id} {self.as_of}"


class RoundStandings(models.Model):
    """The standings of a stage after a round, 0 before its first one; those after the last round are current.

    ``order`` is that of its entries, as `league.core.standings.rows.read` reads it: what was counted for each
    and what separates neighbours, from which ranks and reasons follow where they are read. ``to_come`` counts
    the tables of entries that are put off. ``ahead`` is about the current standings alone (empty otherwise):
    the best and the worst ``ranks`` that can still be reached, in the order of the entries, where anybody can
    tell; and in ``next`` the group of the next stage where each entry goes (0: it is out) and why, once all
    rounds are played. The group is null as long as a play-off has to decide.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="round_standings")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="round_standings")
    round = models.PositiveSmallIntegerField(_("round"))
    order = models.JSONField(_("order"))
    to_come = models.JSONField(_("tables to come"))
    ahead = models.JSONField(_("what is ahead"))

    class Meta:
        ordering: ClassVar = ["stage", "round"]
        verbose_name = _("standings after a round")
        verbose_name_plural = _("standings after rounds")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["stage", "round"], name="unique_round_standings"),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id} {self.round}"


# ---- Ratings -------------------------------------------------------------------------------------


class Ratings(models.Model):
    """How far into a competition's log the ratings reach: they are old while ``as_of`` lags behind."""

    competition = models.OneToOneField(Competition, models.CASCADE, primary_key=True, related_name="ratings")
    as_of = models.PositiveIntegerField(_("as of entry"), default=0)

    class Meta:
        ordering: ClassVar = ["competition_id"]

    def __str__(self) -> str:
        return f"{self.competition_id} {self.as_of}"


class Rating(models.Model):
    """A player's current rating in a game; ``ruleset`` is the ``game_key``."""

    id = models.UUIDField(primary_key=True, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="ratings")
    player = models.ForeignKey(Player, models.PROTECT, related_name="ratings")
    ruleset = models.CharField(_("game"), max_length=60)
    points = models.IntegerField(_("rating"))
    uncertainty = models.IntegerField(_("uncertainty"))
    sure_points = models.IntegerField(_("conservative rating"))
    games = models.PositiveIntegerField(_("games"))

    class Meta:
        ordering: ClassVar = ["club_id", "ruleset", "-sure_points", "id"]
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        indexes: ClassVar = [
            models.Index(fields=["club", "ruleset", "-sure_points"], name="rating_lists_in_order"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "ruleset"], name="unique_rating_ruleset"),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.points}"


class GameRating(models.Model):
    """A player's rating after a rated game, and the points gained by it.

    The order of a list's games is that in which they ended; ``games`` counts the player's.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="+")
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="+")
    ruleset = models.CharField(_("game"), max_length=60)
    ended_at = models.DateTimeField(_("ended"))
    game = models.ForeignKey(Game, models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField(_("seat"))
    team = models.PositiveSmallIntegerField(_("team"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="game_ratings")
    rank = models.PositiveSmallIntegerField(_("rank"))
    mean = models.FloatField(_("mean"))
    deviation = models.FloatField(_("deviation"))
    games = models.PositiveIntegerField(_("games"))
    gained = models.IntegerField(_("gained"))

    class Meta:
        ordering: ClassVar = ["club_id", "ruleset", "ended_at", "game_id", "seat"]
        indexes: ClassVar = [
            models.Index(fields=["club", "ruleset", "ended_at", "game"], name="rated_games_in_order"),
            models.Index(fields=["player", "ruleset", "ended_at", "game"], name="ratings_of_a_player"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "player"], name="unique_game_rating_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.game_id}"

    @property
    def rating(self) -> RatingValue:
        """Return the rating after the game, as `league.core.ratings` uses it."""
        return RatingValue(self.mean, self.deviation, self.games)
