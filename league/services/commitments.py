"""The secrets behind a competition's draws (docs/draws.md): made, and handed to the verbs that draw."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from league import log
from league.core.commitment import SECRET_BYTES, Tree
from league.core.state.competition import Competition as State
from league.core.verb import Given, Verb
from league.core.verbs.cut_off import Recommit
from league.core.verbs.rounds import PublishRound
from league.models import BeaconValue, Competition


def new_tree() -> Tree:
    """Return the tree of a new secret, drawn from the operating system."""
    return Tree(secrets.token_bytes(SECRET_BYTES))


def with_secrets(given: Given, verb: Verb, state: State) -> Given:
    """Return what a verb may know that draws: the secrets, and the beacon's values; to publish, the zone."""
    if isinstance(verb, PublishRound):
        club = Competition.objects.select_related("club").get(pk=given.competition).club
        return replace(given, zone=club.timezone)
    if not verb.uses_secret:
        return given
    competition = UUID(given.competition)
    return replace(
        given,
        trees=log.trees(competition),
        beacon=_beacon(state),
        new_root=_unused_root(competition, state) if isinstance(verb, Recommit) else "",
    )


def _beacon(state: State) -> Mapping[int, str]:
    """Return the signature of the beacon's round that a draw waits for, once it is known."""
    wanted = state.pending.cut_off.beacon if state.pending else 0
    return dict(BeaconValue.objects.filter(round=wanted).values_list("round", "signature"))


def _unused_root(competition: UUID, state: State) -> str:
    """Return the root of the newest secret, if it is not in force; else that of another, which is kept.

    So a retry commits to the same one.
    """
    *_, newest = ("", *log.trees(competition))
    if newest not in ("", state.root, state.opening.root):
        return newest
    tree = new_tree()
    log.keep_secret(competition, tree)
    return tree.root
