"""Verbs carried out by the service, as an organiser's request or a player's would."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from games.engine import shapes
from league.callers import AsPlayer, ByAccount
from league.core.verb import Verb
from league.core.verbs import PLAYER_VERBS
from league.core.verbs.entering import EnterPlayers
from league.log import Appended
from league.models import Account, Competition, Player
from league.services.accounts import create_token, use_token
from league.services.verbs import perform


def calling(account: Account, *scopes: str) -> Account:
    """Return the account as it calls by a token with these scopes."""
    token = use_token(secret=create_token(by=account, name="test", scopes=scopes).secret)
    assert token
    return token.account


def act(
    by: Account, competition: Competition, verb: type[Verb], *, seq: int | None = None, **fields: Any
) -> Appended:
    """Carry out a verb for an organiser or scorekeeper; ids and times may be UUIDs and datetimes."""
    return perform(ByAccount(by), competition=competition, verb=shapes.read(verb, _plain(fields)), seq=seq)


def enter(by: Account, competition: Competition, players: Iterable[Player], *then: Verb) -> None:
    """Enter players, each alone, and do what comes then, with one append, which takes a part of the time."""
    entered = [EnterPlayers(players=(str(player.pk),)) for player in players]
    perform(ByAccount(by), competition=competition, verb=[*entered, *then])


def act_own(
    by: Account, competition: Competition, key: str, *, seq: int | None = None, **fields: Any
) -> Appended:
    """Carry out a verb for a player's own entry."""
    given = {name: _frozen(value) for name, value in _plain(fields).items()}
    verb = PLAYER_VERBS[key].of_player(**given)
    return perform(AsPlayer(by), competition=competition, verb=verb, seq=seq)


def _plain(value: Any) -> Any:
    match value:
        case UUID():
            return str(value)
        case datetime():
            return value.isoformat()
        case Mapping():
            return {name: _plain(part) for name, part in value.items()}
        case str():
            return value
        case Sequence():
            return [_plain(part) for part in value]
        case _:
            return value


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
