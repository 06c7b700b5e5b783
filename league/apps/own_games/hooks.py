"""Where the games of clubs take part: in the set-up of competitions, and where a game is looked up."""

from games import rules
from league import hooks
from league.apps.own_games.queries import defining_options, offered

hooks.OWN_GAMES.append(offered)
rules.look_up_in(defining_options)
