"""The page from which scorekeepers come to the rounds and cards that wait for them."""

import pytest

from league.callers import ByAccount
from league.models import Account, Competition, Table
from league.services.play import make_move
from tests.factories import Cast
from tests.web.conftest import Visit
from tests.web.test_on_paper import lines
from tests.web.test_score_sheets import _registered, address, card_of, competition, games, keeper, typed

pytestmark = pytest.mark.django_db
__all__ = ["_registered", "competition", "keeper"]


def test_lists_rounds_with_missing_and_disputed_cards(
    as_account: Visit, cast: Cast, keeper: Account, competition: Competition
) -> None:
    client, page = as_account(keeper), address(competition)
    table = Table.objects.get(games__game=games(competition)[0])
    values = lines("score", "5", "5", "5")
    client.post(page, typed(client, page, card_of(table), 0, values))
    game = cast.game("scamper-scorecard", {"rounds": 1})
    entered = {"type": "round", "round": 1, "seats": [{"cards": 0}, {"cards": 35}]}
    corrected = {"type": "correct", "replaces": 1, "seats": [{"cards": 0}, {"cards": 30}]}
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=entered)
    make_move(ByAccount(cast.petra), game_id=game.pk, seq=3, move=corrected)
    home = client.get("/scores/").content.decode()
    assert f'href="{page}"' in home and "Missing results: 1 of 2" in home
    assert f'href="/games/{games(competition)[1].pk}/scores/"' in home
    assert f'<a href="/games/{game.pk}/scores/">' in home
    assert "the scores of deal 1 are disputed" in home
