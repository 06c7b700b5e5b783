"""An organiser's desk over the API."""

from typing import Any

from games.models import Game
from league import tasks
from league.models import Player
from tests.api.web import NOBODY, ROOT, bearer, get, move, say
from tests.factories import Cast

STAGE = {"name": "League", "format": "rounds", "rounds": 2, "table_size": 2}

OF_ENTRY = (
    *("approve", "reject", "admit", "check-in", "check-out", "absent", "present", "withdraw", "return-entry"),
    "request-bye",
    *("take-back-adjustment", "take-back-decision"),
)
WITHOUT_IDS = (
    *("move-seat", "add-stage", "add-season", "set-deadline", "give-text", "recommit", "change-settings"),
    *("set-checking", "post-results", "set-round-day", "set-rooms", "set-sizes"),
)
OF_REASON = (
    *("cancel", "discard-draw", "reopen", "reopen-round", "take-back-stage", "take-back-start"),
    "withdraw-round",
)

BODIES: dict[str, dict[str, object]] = {
    "enter": {"players": [str(NOBODY)]},
    **{verb: {"entry": str(NOBODY)} for verb in OF_ENTRY},
    **{verb: {"reason": "x"} for verb in OF_REASON},
    "reopen-table": {"table": str(NOBODY), "reason": "x"},
    "take-back-outcome": {"table": str(NOBODY), "entry": str(NOBODY), "reason": "x"},
    "add-stage": {"stage": STAGE},
    "add-season": {"name": "Spring"},
    "change-settings": {"settings": {"name": "Spring"}},
    "place": {"entry": str(NOBODY), "group": 1, "reason": "x"},
    "take-back-placement": {"entry": str(NOBODY)},
    "set-deadline": {"deadline": None},
    "correct-name": {"entry": str(NOBODY), "name": "x"},
    "open-table": {"entries": [str(NOBODY)]},
    "challenge": {"entry": str(NOBODY), "opponent": str(NOBODY)},
    **{verb: {"challenge": 1} for verb in ("accept-challenge", "refuse-challenge", "withdraw-challenge")},
    "reopen-challenge": {"challenge": 1},
    "no-show": {"table": str(NOBODY), "entry": str(NOBODY)},
    "forfeit": {"table": str(NOBODY), "entry": str(NOBODY), "reason": "x"},
    "walk-over": {"table": str(NOBODY), "entries": [str(NOBODY)]},
    "replay": {"table": str(NOBODY)},
    "set-checking": {"required": True},
    "check-result": {"table": str(NOBODY), "result": 1},
    "post-results": {"until": "2099-01-31T18:00:00Z"},
    "object": {"entry": str(NOBODY), "table": str(NOBODY), "what": "x"},
    "decide-objection": {"objection": 1, "decision": "dismissed", "reason": "x"},
    "give-time": {"table": str(NOBODY), "minutes": 5},
    "postpone": {"table": str(NOBODY), "reason": "x"},
    "end-postponement": {"table": str(NOBODY)},
    "set-line-up": {"entry": str(NOBODY), "players": [str(NOBODY)]},
    "substitute": {"entry": str(NOBODY), "out": str(NOBODY), "into": str(NOBODY)},
    "move-seat": {"stage": 1, "round": 1, "swaps": [[str(NOBODY), str(NOBODY)]], "reason": "x"},
    "rule": {"table": str(NOBODY), "seats": [{"seat": 0, "rank": 1, "score": 0}], "reason": "x"},
    "expel": {"entry": str(NOBODY), "reason": "x"},
    "adjust": {"entry": str(NOBODY), "points": "1", "reason": "x"},
    "void": {"table": str(NOBODY), "reason": "x"},
    "set-round-day": {"day": "2027-03-01"},
    "set-wish": {"entries": [str(NOBODY), str(NOBODY)], "wish": "apart"},
    "set-seeds": {"by": "entered"},
    "set-seed": {"entry": str(NOBODY), "seed": 1},
    "set-sizes": {"sizes": []},
    "set-rooms": {"rooms": [{"name": "Bar", "last": 4}]},
    "fix-table": {"entry": str(NOBODY), "table": 1},
    "give-text": {"text": "x"},
    "recommit": {"reason": "x"},
}
"""A body for each verb that needs one: well formed, and about nothing that there is."""


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
