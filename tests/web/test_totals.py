"""The totals of all tables of a round on one page."""

from league.models import Account, Competition, Table
from tests.web.conftest import Visit
from tests.web.test_on_paper import lines
from tests.web.test_score_sheets import address, card_of, competition, games, keeper, row, typed

__all__ = ["competition", "keeper"]


def test_all_totals_are_saved_at_once_without_scripts_and_what_was_refused_stays_typed(
    as_account: Visit, keeper: Account, competition: Competition
) -> None:
    client, page = as_account(keeper), f"{address(competition)}?totals=1"
    first, second = Table.objects.filter(games__game__in=games(competition)).order_by("number")
    shown = client.get(page).content.decode()
    assert shown.count('class="totals-row"') == 2 and "results-grid" not in shown
    sent = typed(client, page, card_of(first), 0, lines("score", "10", "20", "30"))
    wrong = typed(client, page, card_of(second), 0, lines("score", "7", "x"))
    sent |= row(wrong, card_of(second), 0)
    answer = client.post(page, sent)
    assert (answer.status_code, Table.objects.get(pk=first.pk).ruled) == (422, True)
    assert 'value="x"' in answer.content.decode() and 'value="7"' in answer.content.decode()
    assert client.get(page).content.decode().count('value="20"') == 1
