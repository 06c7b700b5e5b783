"""A crowd from one address, over HTTP: `benchmarks.crowd` with a small competition; that measures time."""

from collections import Counter
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import pytest

from benchmarks import crowd
from benchmarks.moves import a_club, moves
from league.ops import asgi, processes
from tests import patience

MOVES = 9


@pytest.mark.long
def test_moves_are_made_while_one_address_asks_for_what_is_costly_and_gets_one_thread(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    application, at_work, most = vars(asgi._threaded)["_application"], Counter[str](), Counter[str]()

    async def watched(scope: Any, *messages: Any) -> None:
        address = scope["client"][0]
        at_work[address] += 1
        most[address] = max(most[address], at_work[address])
        try:
            await application(scope, *messages)
        finally:
            at_work[address] -= 1

    def settle(asks: bool) -> None:
        assert processes.eventually(lambda: bool(most[crowd.ADDRESS]) is asks, patience.SECONDS)

    monkeypatch.setattr(asgi._threaded, "_application", watched)
    house, players, tokens = a_club()
    paths = crowd.paths_of(crowd.a_competition(house, 16))
    queue = moves(house, players, tokens, "scoops", 2 * MOVES)
    with closing(crowd.measured(urlsplit(site).port or 80, queue, paths, 20, MOVES, settle)) as rounds:
        found = next(rounds)
    assert len(found.crowded) == MOVES  # each was answered 201
    assert most[crowd.ADDRESS] == 1
