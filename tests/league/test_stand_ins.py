"""Who played for whom in which rounds: one sentence wherever an entry stands in an order."""

import csv
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from games.engine.refusals import Illegal
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import SubstitutePlayer
from league.core.verbs.rounds import CloseRound, PublishRound
from league.models import Competition
from league.projections.standings import compute_standings
from league.queries.pictures import places_of
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, pairs_in_play, stands
from tests.league.test_admin_scope import logged_in
from tests.league.walking import text_of
from tests.web.conftest import record_all


def goes_home(cast: Cast, competition: Competition) -> tuple[str, str]:
    """Let Cem stand in after round 1 for a player of the first entry; return its id and who goes home."""
    record_all(competition)
    entry, cem = competition.entries.order_by("number")[0], PlayerFactory.create(club=cast.club, name="Cem")
    gone = entry.members.order_by("number")[0].player
    act(cast.olga, competition, SubstitutePlayer, entry=str(entry.pk), out=str(gone.pk), into=str(cem.pk))
    compute_standings(competition.pk)
    competition.refresh_from_db()
    return str(entry.pk), gone.name


def replaced(cast: Cast, competition: Competition) -> tuple[str, str]:
    """Let Cem play round 2 for the first player of the first entry; return its id and who went home."""
    entry, gone = goes_home(cast, competition)
    for verb in (CloseRound, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    record_all(competition, 2)
    compute_standings(competition.pk)
    competition.refresh_from_db()
    return entry, gone


def test_nobody_earns_points_of_their_own_where_no_round_follows(cast: Cast) -> None:
    competition = in_play(cast, 8, stages=[{**PLAN, "rounds": 1}])
    entry, cem = competition.entries.order_by("number")[0], PlayerFactory.create(club=cast.club)
    given: dict[str, Any] = {
        "entry": str(entry.pk),
        "out": str(entry.members.get().player_id),
        "into": str(cem.pk),
    }
    with pytest.raises(Illegal, match="No further round"):
        act(cast.olga, competition, SubstitutePlayer, **given, points="stand_in")


@pytest.fixture
def pairs(cast: Cast) -> Competition:
    """An evening of two rounds of pairs, whose first round is being played."""
    return pairs_in_play(cast, stages=[{**PLAN, "rounds": 2, "table_size": 2}])


def test_every_face_of_the_standings_says_who_left_a_pair_and_when(cast: Cast, pairs: Competition) -> None:
    _entry, gone = replaced(cast, pairs)
    page, api = f"/competitions/{pairs.slug}/", f"/api/v1/competitions/{pairs.pk}/standings"
    for address in (
        page,
        f"{page}print/standings.pdf",
        f"{page}print/evening.pdf",
        f"{page}hall/",
        f"{page}entries/",
    ):
        answer = Client().get(address)
        shown = text_of(answer) if address.endswith("pdf") else answer.content.decode()
        assert shown.count(f"{gone} in round 1") == 1, address
    rows = Client().get(f"{api}/").json()["results"]
    assert sorted(row["stood_in"] for row in rows) == ["", f"{gone} in round 1"]
    rows = list(csv.DictReader(StringIO(Client().get(f"{api}.csv").content.decode())))
    assert sorted(row["stood_in"] for row in rows) == ["", f"{gone} in round 1"]


def test_who_entered_alone_is_named_and_the_stand_in_beside(cast: Cast) -> None:
    entry, gone = replaced(cast, competition := in_play(cast, 4))
    (row,) = (each for each in stands(competition) if str(each.entry_id) == entry)
    assert (row.entry.name, row.stood_in) == (gone, "Cem in round 2")


def test_the_winners_and_their_text_to_share_name_who_left_too(cast: Cast, pairs: Competition) -> None:
    entry, gone = replaced(cast, pairs)
    act(cast.olga, pairs, CloseRound)
    act(cast.olga, pairs, FinishCompetition)
    pairs.refresh_from_db()
    assert {each.entry: each.stood_in for each in places_of(pairs)}[entry] == f"{gone} in round 1"
    page = f"/competitions/{pairs.slug}/"
    assert Client().get(f"{page}winners/").content.decode().count(f"{gone} in round 1") == 3
    sheet = f"/admin/league/competition/{pairs.pk}/print/certificates.pdf"
    assert f"{gone} in round 1" in text_of(logged_in(cast.olga).get(sheet))


def test_a_stand_in_is_told_once_they_sit_at_a_table(cast: Cast) -> None:
    goes_home(cast, competition := in_play(cast, 4))
    assert not any(each.stood_in for each in stands(competition))
