"""A format is one file and a line in the registry: the example draws, and all faces offer it."""

from collections.abc import Callable

import pytest

from league import tasks
from league.admin.stage_form import ONLY
from league.core import verifier
from league.words.reference import formats_table
from tests.api.web import ROOT, bearer, get
from tests.core import deciding as commands
from tests.core.crosstable import after, plan, played, seated, started
from tests.core.formats import test_chance, test_draws
from tests.core.formats.played import competition, drawn
from tests.examples.pages import code_on
from tests.factories import Cast
from tests.league.playing import PLAN, in_play, play_all
from tests.league.test_admin_scope import logged_in

DANISH = plan(format="danish", rounds=3, table_size=2)
LAWS = (
    test_draws.test_every_entry_has_one_table_or_bye_in_every_round,
    test_draws.test_the_same_log_gives_the_same_draw,
    test_draws.test_another_seed_gives_another_draw,
    test_draws.test_a_stage_ends_despite_withdrawals_and_absences,
    test_chance.test_a_draw_reads_back_from_the_log,
)


def test_neighbours_in_the_standings_meet_in_every_round() -> None:
    state = played(started("Ann Ben Cem Dana", DANISH), "Ann > Cem; Ben > Dana")
    assert seated(drawn(state)) == [{"Ann", "Ben"}, {"Cem", "Dana"}]
    state = played(state, "Ann = Ben; Cem = Dana")
    assert seated(drawn(state)) == [{"Ann", "Ben"}, {"Cem", "Dana"}]


@pytest.mark.parametrize("law", LAWS)
def test_it_passes_the_tests_of_all_formats(law: Callable[[str], None]) -> None:
    law("danish")


def test_its_draws_can_be_repeated_from_the_log() -> None:
    state = competition(9, DANISH)
    cut_off, event = commands.draw(state)
    assert verifier.verdict(after(state, cut_off), event) == "given"


def test_it_can_be_played_to_its_standings(cast: Cast) -> None:
    danish = in_play(cast, stages=[{**PLAN, "format": "danish", "tie_breaks": ["best_round"]}])
    play_all(danish)
    tasks.sweep()
    rows = get(f"/competitions/{danish.pk}/standings/")["results"]
    assert [row["played"] for row in rows] == [1] * 8
    assert "best_round" in rows[0]["tiebreaks"]


def test_the_api_and_the_admin_offer_it(cast: Cast) -> None:
    assert "danish" in [each["key"] for each in bearer(cast.olga).get(f"{ROOT}/competitions/formats/").json()]
    form = logged_in(cast.olga).get(f"/admin/league/competition/add/?ruleset=tally&plan={ONLY}danish")
    assert '<option value="danish" selected>' in form.content.decode()
    assert '<option value="best_round">' in form.content.decode()


def test_the_docs_list_it() -> None:
    assert "| `danish` | as asked | A set number of rounds; neighbours" in formats_table()


def test_the_page_shows_the_code_that_runs_here() -> None:
    assert code_on("adding-a-format.md") == ["danish.py"]
