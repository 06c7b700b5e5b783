"""Where days away take part: the rest of the house asks who is away; who is forgotten or merged."""

from league import hooks
from league.apps.away import queries, services

hooks.AWAY.append(queries.away_on)
hooks.players_merged.connect(services.merge_away)
hooks.player_forgotten.connect(services.forget_away)
