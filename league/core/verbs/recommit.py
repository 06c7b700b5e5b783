"""Commit again: draws from here on use another secret, because the server has lost the first."""

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.competition import Competition
from league.core.verb import LIVE, Button, Events, Given, Verb


class Recommitted(Event, type="recommitted"):
    """The server commits to another secret, for cut-offs from here on."""

    title = "New secret for draws"
    found_by = "commitment"
    text = "The server commits to another secret for its draws."
    root: v.Hash
    reason: v.Reason

    def apply(self, state: Competition) -> Competition:
        if self.root == state.root:
            raise Illegal("The competition has this commitment already.")
        return replace(state, root=self.root)


class Recommit(Verb, key="recommit"):
    """Commit to another secret for later draws, because the server has lost the one it had.

    This happens when a database is restored from a backup, which never contains secrets. Everybody sees the
    reason, and the verifier reports it.
    """

    taken_back_by = ("recommit",)
    uses_secret = True
    recommit = Button(
        "Commit to another secret",
        "Later draws use another secret. Do this if the server has lost the secret, for example because its "
        "database was restored from a backup. Everybody sees the reason.",
        "This can’t be undone.",
        statuses=LIVE,
        asks=("reason",),
        danger=True,
    )

    reason: v.Reason

    def decide(self, state: Competition, given: Given) -> Events:
        if not given.new_root:
            raise Illegal("The server has made no other secret.")
        return (Recommitted(given.new_root, self.reason),)
