"""The demo: a club whose players are bots, which play a league over HTTP like any client."""
