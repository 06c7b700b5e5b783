"""Several moves at once: all or none, and no way to look before one decides."""

from typing import Any

from games import log
from games.engine import replay
from games.models import Game
from games.models.moves import Move
from league.models import Account
from tests.api.web import ROOT, assert_problem, bearer, get, logged_in
from tests.factories import Cast


def send(client: Any, game: Game, seq: int, moves: list[Any]) -> Any:
    return client.post(f"{ROOT}/games/{game.pk}/moves/batch/", {"seq": seq, "moves": moves})


def dealt(cast: Cast) -> tuple[Game, Account, dict[str, Any]]:
    """Return a game of Scamper, whose turn it is, and the discard that this account may take."""
    game = cast.game("scamper")
    (seat,) = replay.awaited(log.latest(game))
    account = (cast.paul, cast.petra)[seat]
    return game, account, get(f"/games/{game.pk}/", bearer(account))


def test_moves_that_show_nothing_new_are_made_together(cast: Cast) -> None:
    game, account, seen = dealt(cast)
    natural = next(card for card in seen["view"]["hand"] if card[0] not in "2J*" and len(card) == 2)
    moves = [{"type": "take"}, {"type": "discard", "card": natural}]
    client = bearer(account)
    made = send(client, game, 2, moves)
    assert (made.status_code, made.json()["seq"]) == (201, 3), made.content
    assert made["Location"] == f"{ROOT}/games/{game.pk}/at/3/"
    assert made.json() == get(f"/games/{game.pk}/", client)
    again = send(client, game, 2, moves)
    assert (again.status_code, again.json()) == (200, made.json())
    assert send(client, game, 2, moves[:1]).status_code == 200
    assert_problem(send(client, game, 2, [moves[0], moves[0]]), 409, "stale")
    assert log.verified(Game.objects.get(pk=game.pk))


def test_no_move_follows_one_that_shows_a_card(cast: Cast) -> None:
    game, account, seen = dealt(cast)
    refused = []
    # Of what lies in the stock the answer says nothing: it is the same for a card that is there or not.
    for card in (seen["view"]["hand"][0], "AS", "7H", "7D"):
        moves = [{"type": "draw"}, {"type": "discard", "card": card}]
        refused.append(assert_problem(send(bearer(account), game, 2, moves), 422, "illegal"))
    assert all(each == refused[0] and [*each["errors"]] == ["moves.1"] for each in refused)
    assert Move.objects.filter(game=game).count() == 1
    assert get(f"/games/{game.pk}/", bearer(account)) == seen


def test_one_wrong_move_undoes_all(cast: Cast) -> None:
    game, account, seen = dealt(cast)
    client = bearer(account)
    wrong = send(client, game, 2, [{"type": "take"}, {"type": "take"}])
    assert [*assert_problem(wrong, 422, "illegal")["errors"]] == ["moves.1"]
    wrong = send(client, game, 2, [{"type": "take"}, {"type": "discard", "card": 5}])
    assert [*assert_problem(wrong, 400, "malformed")["errors"]] == ["moves.1.card"]
    penalty = {"type": "penalty", "seat": 0, "points": 5, "reason": "late"}
    assert_problem(send(logged_in(cast.olga), game, 2, [penalty]), 422, "illegal")
    assert_problem(send(client, game, 2, []), 400, "malformed")
    assert_problem(send(client, game, 2, [{"type": "take"}] * 101), 400, "malformed")
    other = cast.petra if account == cast.paul else cast.paul
    assert_problem(send(bearer(other), game, 2, [{"type": "take"}]), 422, "illegal")
    assert_problem(send(bearer(cast.nora), game, 2, [{"type": "take"}]), 403, "not_allowed")
    assert get(f"/games/{game.pk}/", client) == seen


def test_a_score_card_is_entered_at_once(cast: Cast) -> None:
    game, olga = cast.game("scamper-scorecard", {"rounds": 3}), bearer(cast.olga)
    seats = [{"cards": 0}, {"cards": 35}]
    rounds = [{"type": "round", "round": number, "seats": seats} for number in (1, 2, 3)]
    assert_problem(send(olga, game, 2, [*rounds, rounds[0]]), 422, "illegal")
    for status in (201, 200):
        entered = send(olga, game, 2, rounds)
        assert (entered.status_code, entered.json()["status"]) == (status, "finished"), entered.content
    assert len(entered.json()["result"]["sheet"]) == 3
