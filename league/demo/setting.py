"""The club of the demo, made by the same services as any other."""

import secrets
from dataclasses import dataclass

from django.db import transaction
from django.utils.text import slugify

from games import rules
from league.callers import ByAccount
from league.core.drawing.draw import table_sizes
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.start import StartCompetition
from league.demo.clients import Player
from league.models import Account, Club, Competition
from league.services.accounts import create_account, create_token
from league.services.clubs import create_club
from league.services.competitions import open_competition
from league.services.players import create_player
from league.services.verbs import perform

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Juniper", "Larch", "Maple", "Oak", "Pine", "Rowan")


@dataclass(frozen=True)
class Setting:
    """The club and league that were made, and a player with a token for each bot."""

    club: Club
    competition: Competition
    players: tuple[Player, ...]
    games: int


@transaction.atomic
def set_up(*, ruleset: str, players: int, rounds: int, table_size: int) -> Setting:
    """Return a new club with players and a league that has started, independent of earlier ones."""
    mark = secrets.token_hex(3)
    owner = create_account(username=f"demo-{mark}")
    title = rules.find(ruleset).title
    club = create_club(by=owner, name=f"Demo club {mark}", slug=f"demo-{mark}", timezone="UTC")
    cast = tuple(_player(owner, club, number) for number in range(players))
    competition = _league(owner, club, f"{title} league {mark}", ruleset, rounds, table_size)
    for player in cast:
        perform(ByAccount(owner), competition=competition, verb=EnterPlayers((player.id,)))
    perform(ByAccount(owner), competition=competition, verb=StartCompetition())
    tables = len(table_sizes(players, rules.find(ruleset).seats, table_size))
    return Setting(club, competition, cast, rounds * tables)


def _league(owner: Account, club: Club, name: str, ruleset: str, rounds: int, size: int) -> Competition:
    plan = {
        "name": "League",
        "format": "rounds",
        "rounds": rounds,
        "table_size": size,
        "tie_breaks": ["head_to_head", "wins", "places", "score_difference"],
    }
    return open_competition(
        by=owner,
        club=club,
        name=name,
        ruleset=ruleset,
        options={},
        stages=[plan],
        pace="automatic",
        waits={"close_round": 0, "finish": 0},
    )


def _player(owner: Account, club: Club, number: int) -> Player:
    name = (
        f"{NAMES[number % len(NAMES)]} {number // len(NAMES) + 1}" if number >= len(NAMES) else NAMES[number]
    )
    account = create_account(username=f"{club.slug}-{slugify(name)}")
    player = create_player(by=owner, club=club, name=name, account=account)
    token = create_token(by=account, name="demo", scopes=["read", "play"])
    return Player(str(player.pk), token.secret)
