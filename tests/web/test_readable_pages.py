"""Pages, screens and prints of standings can be read aloud in both languages: of each preset and format."""

from typing import Any

import pytest
from django.test import Client

from games import rules
from league.apps.prints.printing import PRINTS
from league.core import formats
from league.core.presets import PRESETS
from league.core.standings.tie_breaks import BY_KEY, LOT
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.core.verbs.tables import OpenTable
from league.models import Competition
from league.projections.standings import compute_standings
from league.services.automatic import record_result
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened, play, stands, tables
from tests.readable import unread

PAGES = ("", "?round=1", "rounds/", "cross-table/", "charts/", "hall/")
SCORES = (9, 4, 4, 1, 0, 7, 2)


def two_rounds(cast: Cast, players: int, **announced: Any) -> Competition:
    """Return a competition of which two rounds are played, a place shared at tables of three or four."""
    competition = opened(cast, players, **announced)
    act(cast.olga, competition, StartCompetition)
    one_by_one = formats.BY_KEY[competition.stages.get(number=1).format].open_tables
    for number in (1,) if one_by_one else (1, 2):
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, PublishRound)
        if one_by_one:
            compute_standings(competition.pk)
            competition.refresh_from_db()
            pair = [str(row.entry_id) for row in stands(competition)[:2]]
            act(cast.olga, competition, OpenTable, entries=pair)
        for table in tables(competition, number):
            place = table.games.get()
            play(place.game, *SCORES[: table.seats.count()])
            record_result(game_id=place.game_id)
        # Tables that open by themselves open anew as long as somebody waits.
        act(cast.olga, competition, CloseRound, void_undecided="it is late")
    compute_standings(competition.pk)
    competition.refresh_from_db()
    return competition


def wrong(competition: Competition, language: str) -> dict[str, Any]:
    """Return what is wrong in the texts of a competition's pages and prints."""
    client = Client(headers={"accept-language": language})
    found: dict[Any, list[str]] = {}
    for page in PAGES:
        answer = client.get(f"/competitions/{competition.slug}/{page}")
        assert answer.status_code == 200, page
        found |= {(page, each): why for each, why in unread(answer, language).items()}
    for kind in PRINTS:
        answer = client.get(f"/competitions/{competition.slug}/print/{kind}.pdf")
        if answer.status_code == 200:
            found |= {(kind, each): why for each, why in unread(answer, language).items()}
    return found


@pytest.mark.parametrize("key", PRESETS)
def test_standings_of_a_preset(key: str, cast: Cast) -> None:
    announced = PRESETS[key].for_game(rules.find("tally")).announced()
    competition = two_rounds(cast, 11, **{**announced, "pace": "manual", "entering": {}})
    assert [wrong(competition, language) for language in ("en", "de")] == [{}, {}]


@pytest.mark.parametrize("key", formats.BY_KEY)
def test_standings_of_a_format_with_every_tie_break(key: str, cast: Cast) -> None:
    order = [each for each in BY_KEY if each != LOT.key]
    size = 2 if formats.BY_KEY[key].pairs_only else 4
    plan = {"name": "Cup", "format": key, "rounds": 2, "table_size": size, "tie_breaks": order}
    if not formats.BY_KEY[key].rounds_asked:
        plan["rounds"] = 0
    competition = two_rounds(cast, 7, stages=[plan])
    assert [wrong(competition, language) for language in ("en", "de")] == [{}, {}]
