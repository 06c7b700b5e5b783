"""Evenings of card games as clubs have them: typed into the sheet of a round, sums worked out by hand."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.test import Client

from games import rules
from games.rules.card_game import CardGame
from league.core.presets import CLUB_NIGHT
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Round, Table
from league.projections.standings import compute_standings
from league.services.automatic import record_result
from league.web.score_cards import TOTALS, Card
from tests.core.test_evenings_of_card_games import SKAT
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act, enter
from tests.league.playing import AT_ONCE, opened, stands
from tests.league.test_admin_scope import logged_in
from tests.rules.card_game.scenarios import jass, skat, winners

Deals = Sequence[Mapping[str, Any]]
SERIES: Final = [
    {each.split()[0]: each.split()[1] for each in series.replace("; ", " > ").split(" > ")} for series in SKAT
]
"""What each of 22 players has in two series."""


def evening(
    cast: Cast, game: str, names: Sequence[str], rounds: int = 1, deals: int | None = None
) -> Competition:
    """Return an evening of a shipped game whose first round is to be entered, as the desk proposes it."""
    defined = {**CardGame.shipped[game], "rounds": deals}
    ruleset = rules.of(CardGame.key, defined)
    announced: dict[str, Any] = {**CLUB_NIGHT.for_game(ruleset).announced()}
    stages: Any = [{**each, "rounds": rounds} for each in announced["stages"]]
    del announced["entering"]  # nobody has to check in
    given = {**announced, "stages": stages, "waits": AT_ONCE, "ruleset": ruleset.key, "options": defined}
    competition = opened(cast, **given)
    people = [PlayerFactory.create(club=cast.club, name=name) for name in names]
    enter(cast.olga, competition, people, StartCompetition(), DrawRound(), PublishRound())
    return competition


def sheet(client: Client, competition: Competition, number: int, more: str = "") -> tuple[str, list[Card]]:
    its_round = Round.objects.get(stage__competition=competition, number=number)
    address = f"/rounds/{its_round.pk}/scores/{more}"
    return address, client.get(address).context["sheet"].cards


def posted(card: Card, number: int, typed: Mapping[str, object]) -> dict[str, str]:
    """Return what the sheet sends of a row of a card with what was typed into it."""
    row = card.totals if number == TOTALS else card.rows[number - 1]
    assert row is not None
    values = {**row.now, **{name: str(value) for name, value in typed.items()}}
    return {f"{row.prefix}seen": row.seen, **{f"{row.prefix}{name}": each for name, each in values.items()}}


def inputs(result: Mapping[str, Any]) -> dict[str, object]:
    """Return a result by the names of its inputs; who passes in a deal chooses nobody."""
    found: dict[str, object] = {name: value for name, value in result.items() if name != "seats"}
    for seat, line in enumerate(result.get("seats", ())):
        found |= {f"seats-{seat}-{name}": value for name, value in line.items()}
    return found or {"declarer": "nobody"}


def points(competition: Competition) -> dict[str, int]:
    """Return the points of everybody in the standings, best first."""
    compute_standings(competition.pk)
    return {row.entry.name: int(row.points) for row in stands(competition)}


def scores(competition: Competition) -> list[list[int | None]]:
    tables = Table.objects.filter(round__stage__competition=competition).order_by("number")
    return [[seat.score for seat in table.seats.order_by("number")] for table in tables]


def entered(cast: Cast, competition: Competition, *tables: Deals) -> list[list[int | None]]:
    """Type the deals of each table into the sheet of round 1; return the scores of the tables' seats."""
    client = logged_in(cast.olga)
    address, cards = sheet(client, competition, 1)
    sent: dict[str, str] = {}
    for card, deals in zip(cards, tables, strict=True):
        for number, deal in enumerate(deals, 1):
            sent |= posted(card, number, inputs(deal))
    answer = client.post(address, sent)
    assert answer.status_code == 302, [
        row.refused for card in answer.context["sheet"].cards for row in card.rows if row.refused
    ]
    for table in Table.objects.filter(round__stage__competition=competition):
        record_result(game_id=table.games.get().game_id)
    act(cast.olga, competition, CloseRound)
    return scores(competition)


def test_a_hall_of_22_skat_players_in_fours_and_threes_for_two_series(cast: Cast) -> None:
    competition, client = evening(cast, "skat", [*SERIES[0]], rounds=2), logged_in(cast.olga)
    for number, series in enumerate(SERIES, 1):
        if number > 1:
            act(cast.olga, competition, DrawRound)
            act(cast.olga, competition, PublishRound)
        address, cards = sheet(client, competition, number, "?totals=1")
        assert sorted(len(card.names) for card in cards) == [3, 3, 4, 4, 4, 4]
        for card in cards:
            totals = {f"seats-{seat}-score": series[name] for seat, name in card.names.items()}
            assert client.post(address, posted(card, TOTALS, totals)).status_code == 302
        act(cast.olga, competition, CloseRound)
    sums = {name: sum(int(series[name]) for series in SERIES) for name in SERIES[0]}
    listed = points(competition)
    assert listed == sums
    assert [*listed][:3] == ["B", "E", "A"]
    assert (sums["B"], sums["E"], sums["A"], sums["O"]) == (2036, 1965, 1904, 346)
    page = client.get(f"/competitions/{competition.slug}/").content.decode()
    assert "2,036" in page or "2036" in page


def test_a_table_of_four_and_one_of_three_at_skat_are_scored_deal_by_deal(cast: Cast) -> None:
    """22 is 2 × 11, 30 lost is 3 × 10, 48 is 2 × 24; the other loses 66 at 33 bid, with 22 in hand."""
    competition = evening(cast, "skat", ["Ann", "Ben", "Cem", "Dana", "Eva", "Finn", "Gus"], rounds=1)
    four = [skat(1, "hearts", 3, won=False), skat(0, "spades", 2), {}, skat(2, "grand", 2)]
    three = [skat(0, "spades", 2, bid=33), skat(2, "null", 1)]
    client = logged_in(cast.olga)
    address, cards = sheet(client, competition, 1)
    sent: dict[str, str] = {}
    for card in cards:
        for number, deal in enumerate(four if len(card.names) == 4 else three, 1):
            sent |= posted(card, number, inputs(deal))
    assert client.post(address, sent).status_code == 302
    _address, cards = sheet(client, competition, 1)
    found = {len(card.names): [*card.totals_so_far.values()] for card in cards}
    # at four: 72 for A; −110; 98; the others 30 each for B's loss. At three: −(2 × 33 + 50); 40; 40 + 23 + 50
    assert found == {4: [102, -110, 128, 30], 3: [-116, 40, 113]}


def test_a_doppelkopf_evening(cast: Cast) -> None:
    competition = evening(
        cast, "doppelkopf", ["Ann", "Ben", "Cem", "Dana", "Eva", "Finn", "Gus", "Hal"], deals=4
    )
    first = [winners(3, 0, 1), winners(2, 2), winners(4, 0, 1, 2), winners(1, 1, 3)]
    second = [winners(5, 2, 3), winners(1, 0), winners(2, 0, 2, 3), winners(3, 0, 2)]

    assert entered(cast, competition, first, second) == [
        [3 - 2 + 4 - 1, 3 - 2 + 4 + 1, -3 + 6 + 4 - 1, -3 - 2 - 12 + 1],
        [-5 + 3 + 2 + 3, -5 - 1 - 6 - 3, 5 - 1 + 2 + 3, 5 - 1 + 2 - 3],
    ]
    assert [*points(competition).values()] == [9, 6, 6, 4, 3, 3, -15, -16]


def test_a_jass_evening_of_partners_that_change(cast: Cast) -> None:
    competition = evening(cast, "jass", ["Ann", "Ben", "Cem", "Dana", "Eva", "Finn", "Gus", "Hal"], deals=3)
    first = [jass(2, 97, 60, stock=0), jass(1, 0, 257, weis=50), jass(3, 100, 57)]
    second = [jass(1, 80, 77), jass(4, 57, 100, stock=1), jass(2, 156, 1)]
    one, two = (97 + 20) * 2 + 50 + 300, 120 + 257 + 171
    three, four = 80 + 228 + 312, 77 + (100 + 20) * 4 + 2
    assert entered(cast, competition, first, second) == [[one, two] * 2, [three, four] * 2]
    assert [*points(competition).values()] == [620, 620, 584, 584, 559, 559, 548, 548]
