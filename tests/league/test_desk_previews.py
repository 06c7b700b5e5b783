"""A preview on the desk shows what a verb would change, and writes nothing."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from league.core.verb import Verb
from league.core.verbs.entries import ExpelEntry, WithdrawEntry
from league.core.verbs.presence import MarkNoShow
from league.core.verbs.results import ForfeitEntry, VoidTable
from league.models import Competition, Entry
from league.projections.standings import compute_standings
from league.queries.verbs import preview as read_preview
from league.services.automatic import record_result
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, pairs_in_play, play, play_all, stands, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import DUELS, ask, drawn, entries, is_done, page, page_text, post, table


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def preview(client: Client, competition: Competition, verb: str, query: str = "", **fields: Any) -> Any:
    return post(client, competition, verb, query, _preview="1", **fields)


def test_a_preview_of_a_ruling_shows_ranks_and_points_and_changes_nothing(cast: Cast, olga: Client) -> None:
    competition = in_play(cast, 4, stages=[DUELS])
    scores = {"score.0": 3, "score.1": 9, "reason": "on paper"}
    shown = preview(olga, competition, "rule", table(competition), **scores)
    found = shown.context["preview"]
    (told,) = found.sentences
    assert re.fullmatch(
        r"Round 1, table 1: the result is set: .* 1st \(9\), .* 2nd \(3\) \(on paper\)\.", told
    )
    assert (found.changed[0].rank[1], str(found.changed[0].points[1])) == (1, "1")
    assert len(found.lines) == 4
    assert "nothing is written yet" in page_text(shown)
    assert 'value="on paper"' in page_text(shown) or "on paper</textarea>" in page_text(shown)
    seq = competition.seq
    competition.refresh_from_db()
    assert competition.seq == seq


def test_several_withdrawals_are_previewed_together(cast: Cast, olga: Client) -> None:
    competition = in_play(cast, 4, stages=[DUELS])
    both = [str(entry.pk) for entry in entries(competition)[:2]]
    found = preview(olga, competition, "withdraw", entries=both).context["preview"]
    assert len(found.sentences) == 2
    assert not Entry.objects.filter(status="withdrawn").exists()


def test_a_preview_that_is_refused_says_why(cast: Cast, olga: Client) -> None:
    competition = in_play(cast, 4, stages=[DUELS])
    shown = preview(olga, competition, "close-round")
    assert shown.context["preview"] is None
    assert "not decided" in page_text(shown)
    assert "The round is over" not in page_text(shown)
    assert "<h2>Close the round" in page_text(shown)


def test_a_draw_has_no_preview(cast: Cast, olga: Client) -> None:
    competition = in_play(cast, 4, stages=[DUELS])
    play_all(competition)
    assert "_preview" not in page_text(ask(olga, competition, "draw"))
    assert preview(olga, competition, "draw").context["preview"] is None


def test_what_changes_no_standings_says_so(cast: Cast, olga: Client) -> None:
    competition = in_play(cast, 4, stages=[DUELS])
    shown = preview(olga, competition, "pause", reason="rain")
    assert "Ranks and points stay as they are." in page_text(shown)


def test_a_preview_needs_no_reason_but_the_verb_does(cast: Cast, olga: Client) -> None:
    competition = in_play(cast, 4, stages=[DUELS])
    shown = preview(olga, competition, "void", table(competition))
    assert shown.context["preview"] is not None
    assert "…</textarea>" not in page_text(shown) and 'value="…"' not in page_text(shown)
    assert "reason" in post(olga, competition, "void", table(competition)).context["form"].errors


@pytest.mark.parametrize(
    ("verb", "fields"),
    [("enter", {"newcomers": "Nell New"}), ("enter-names", {"names": "Nell New", "add": "on"})],
)
def test_a_preview_of_people_new_to_the_club_says_that_they_enter_and_makes_no_players(
    cast: Cast, olga: Client, verb: str, fields: dict[str, str]
) -> None:
    competition = in_play(cast, 4, stages=[DUELS])
    players = cast.club.players.count()
    found = preview(olga, competition, verb, **fields).context["preview"]
    assert found.sentences == ("Entered from round 2 on: Nell New.",)
    assert [line.name for line in found.changed if line.rank[0] is None] == ["Nell New"]
    assert cast.club.players.count() == players


@pytest.mark.parametrize("annul", [False, True])
def test_a_preview_of_an_expulsion_says_that_it_is_last_and_what_annulled_results_change(
    cast: Cast, olga: Client, annul: bool
) -> None:
    competition = in_play(cast, 4, stages=[DUELS])
    for game in play_all(competition):
        record_result(game_id=game)
    compute_standings(competition.pk)
    winner = stands(competition)[0]
    shown = preview(olga, competition, "expel", entry=winner.entry_id, reason="cheated", annul=annul or "")
    found = shown.context["preview"]
    assert found.sentences[-1] == f"Expelled: {winner.entry.name} (cheated)."
    assert [sentence.startswith("Round 1, table") for sentence in found.sentences[:-1]] == [True] * annul
    (row,) = [row for row in found.changed if row.name == winner.entry.name]
    assert row.rank == (1, 4) and (row.points[0] != row.points[1]) == annul
    assert not Entry.objects.filter(expelled=True).exists()


def test_the_page_to_publish_a_draw_says_what_two_withdrawals_from_a_table_left(
    olga: Client, cast: Cast
) -> None:
    competition = drawn(cast, 12, ruleset="scram", stages=[{**PLAN, "table_size": 4}])
    (first, *_) = tables(competition)
    for seat in first.seats.order_by("number")[:2]:
        act(cast.olga, competition, WithdrawEntry, entry=seat.entry_id)
    gone = " and ".join(entry.name for entry in entries(competition) if entry.status == "withdrawn")
    asked = " ".join(unescape(page_text(ask(olga, competition, "publish"))).split())
    assert f"{gone} left after the draw: check the tables, or draw again." in asked
    assert "2 entries have a bye now; a new draw would make 1 table of 4 and 2 tables of 3." in asked
    assert "Draw again" in asked
    warned, *_ = ask(olga, competition, "publish").context["warnings"]
    desk = unescape(page_text(page(olga, competition)))
    assert "2 tables of 4." in desk and "2 entries have a bye." in desk
    assert "3 tables of 4." not in desk
    assert is_done(post(olga, competition, warned.remedy.key, reason="two left"))
    assert sorted(table.seats.count() for table in tables(competition)) == [3, 3, 4]
    assert not ask(olga, competition, "publish").context["warnings"]


def test_the_page_that_withdraws_a_round_counts_what_was_played_to_its_end(cast: Cast, olga: Client) -> None:
    competition = in_play(cast, 6, stages=[DUELS])
    played, void, _running = tables(competition)
    record_result(game_id=play(played.games.get().game).pk)
    act(cast.olga, competition, VoidTable, table=str(void.pk), reason="wrong cards")
    text = page_text(ask(olga, competition, "withdraw-round"))
    assert "1 game ends." in text and f"The game at table {played.number} has begun" in text


@pytest.mark.parametrize("pairs", [False, True], ids=["single", "pairs"])
@pytest.mark.parametrize("verb", [MarkNoShow, ForfeitEntry, ExpelEntry])
def test_a_preview_counts_the_game_that_ends_when_an_entry_leaves_it(
    cast: Cast, verb: type[Verb], pairs: bool
) -> None:
    competition = pairs_in_play(cast, 4) if pairs else in_play(cast, 4, stages=[DUELS])
    first = tables(competition)[0]
    at: dict[str, Any] = {"entry": str(first.seats.all()[0].entry_id), "reason": "late"}
    if verb is not ExpelEntry:
        at["table"] = str(first.pk)
    foretold = read_preview(by=cast.olga, competition=competition, verbs=[verb(**at)])
    assert Game.objects.filter(status="active").count() == 2
    act(cast.olga, competition, verb, **at)
    record_result(game_id=first.games.get().game_id)
    happened = read_preview(by=cast.olga, competition=competition, verbs=[])
    assert foretold.after == happened.before != foretold.before
