"""An organiser's desk over the API."""

from typing import Any

from games.models import Game
from league import tasks
from league.models import Player
from tests.api.web import ROOT, bearer, get, move, say
from tests.factories import Cast

STAGE = {"name": "League", "format": "rounds", "rounds": 2, "table_size": 2}


def opening(cast: Cast, **changes: object) -> dict[str, object]:
    response = {"club": cast.club.slug, "name": "Winter", "ruleset": "tally", "stages": [STAGE]}
    return {**response, **changes}


class Desk:
    """Olga's desk: a competition that she directs over the API."""

    def __init__(self, cast: Cast, **changes: object) -> None:
        self.olga = bearer(cast.olga, "organise")
        answer = self.olga.post(f"{ROOT}/competitions/", opening(cast, **changes))
        assert answer.status_code == 201, answer.content
        self.path = f"/competitions/{answer.json()['id']}"

    def does(self, verb: str, status: int = 201, **body: object) -> Any:
        answer = self.olga.post(f"{ROOT}{self.path}/{verb}/", body)
        assert answer.status_code == status, answer.content
        return answer.json()

    def reads(self, what: str) -> Any:
        return get(f"{self.path}/{what}")

    def enters(self, players: list[Player]) -> None:
        for player in players:
            self.does("enter", players=[str(player.pk)])

    def plays(self, cast: Cast) -> None:
        """Let Paul and Petra, alone in the club, play the round that is published: Petra always wins."""
        (game,) = Game.objects.filter(status="active")
        for seq in (2, 3):
            seat = get(f"/games/{game.pk}/")["to_act"][0]
            sits = game.seats.get(number=seat).player
            paul = sits == cast.paul_plays.pk
            move(bearer(cast.paul if paul else cast.petra), game, seq, say(1 if paul else 9))
        tasks.sweep()
