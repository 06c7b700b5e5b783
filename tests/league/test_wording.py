"""What the desk, the pages and the prints say, in plain words."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import translation

from games import log, rules
from games.engine import replay
from games.engine.describing import describe
from games.engine.replay import Actor
from games.models import Game
from league.admin.needs import next_step
from league.core.verbs.course import CancelCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition
from league.templatetags.cards import spoken
from league.words.options import options_in_words
from league.words.values import against_average, column, exact, numbers_within, path_in_words, words
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, finished, in_play, opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk import close
from tests.league.walking import text_of
from tests.web.conftest import record_all


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def page_text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def page(client: Client, competition: Competition) -> str:
    return page_text(client, f"/admin/league/competition/{competition.pk}/change/")


class TestNextStep:
    def test_of_the_automatic_pace_names_what_happens(self, cast: Cast) -> None:
        competition = opened(cast, 4, pace="automatic")
        said = []
        for verb in (StartCompetition, DrawRound, PublishRound):
            act(cast.olga, competition, verb)
            competition.refresh_from_db()
            said.append(str(next_step(competition).text))
        close(competition)
        competition.refresh_from_db()
        said.append(str(next_step(competition).text))
        assert said == [
            "Round 1 is drawn automatically in a moment.",
            "Round 1 is published automatically in a moment.",
            "Games are being played.",
            "Round 1 is closed automatically in a moment.",
        ]

    @pytest.mark.parametrize("step", ["start_stage", "draw", "publish", "close_round", "finish"])
    def test_of_the_automatic_pace_has_words_for_every_verb(self, cast: Cast, step: str) -> None:
        competition = opened(cast, 4, pace="automatic")
        competition.step, competition.wait = step, 0
        assert "automatically in a moment." in str(next_step(competition).text)

    def test_of_the_automatic_pace_tells_when_a_round_closes_and_offers_to_close_it_now(
        self, olga: Client, cast: Cast
    ) -> None:
        waits = {"close_round": 30, "finish": 60}
        with time_machine.travel(datetime(2026, 6, 1, 20, 10, tzinfo=UTC), tick=False):
            competition = in_play(cast, 4, pace="automatic", waits=waits)
            close(competition)
            desk, public = page(olga, competition), olga.get(f"/competitions/{competition.slug}/")
        # The club's zone is an hour ahead of UTC in summer.
        assert "Round 1 closes at 21:40." in desk
        assert "Close now" in desk
        assert "the round closes on" in public.content.decode()

    def test_after_the_end_does_not_repeat_the_status(self, olga: Client, cast: Cast) -> None:
        over, cancelled = finished(cast, 4), in_play(cast, 4, name="Snowed in")
        act(cast.olga, cancelled, CancelCompetition, reason="snow")
        assert "The standings are final." in page(olga, over)
        assert "Nothing more is played." in page(olga, cancelled)
        assert "Finished." not in page(olga, over) + page(olga, cancelled)

    @pytest.mark.parametrize("check_in", [True, False])
    def test_before_the_start_names_the_check_in(self, olga: Client, cast: Cast, check_in: bool) -> None:
        competition = opened(cast, 4, entering={"check_in": check_in})
        assert ("check in those who are here, then start." in page(olga, competition)) is check_in


class TestTheDesk:
    def test_counts_in_singular_and_plural(self, olga: Client, cast: Cast) -> None:
        assert "The only log entry" in page(olga, opened(cast))
        assert "All 3 log entries" in page(olga, opened(cast, 2, name="Two"))

    def test_counts_the_rounds_before_an_early_finish(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        record_all(competition)
        act(cast.olga, competition, CloseRound)
        asked = page_text(olga, f"/admin/league/competition/{competition.pk}/do/finish/")
        assert "Rounds played: 1 of 2." in asked

    def test_shows_options_rounds_and_table_size_in_words(self, olga: Client, cast: Cast) -> None:
        options = {"wild_cards": "jokers_and_deuces", "packs": None, "first_dealer": 1}
        stages = [{**PLAN, "rounds": 3, "table_size": 4}]
        competition = opened(cast, 4, ruleset="scamper-scorecard", options=options, stages=stages)
        shown = page(olga, competition)
        assert "Jokers and twos are wild" in shown
        assert "jokers_and_deuces" not in shown
        assert re.search(r"First dealer’s seat</dt><dd>2</dd>", shown)
        assert "Packs</dt>" not in shown
        assert "3 rounds, tables of 4" in shown

    @pytest.mark.parametrize(
        ("address", "title"),
        [
            ("league/player", "Players"),
            ("league/competition", "Competitions"),
            ("games/move", "Moves"),
            ("league/invitation", "Invitations"),
        ],
    )
    def test_names_a_list_in_the_tab_and_itself_in_the_trail(
        self, olga: Client, cast: Cast, address: str, title: str
    ) -> None:
        shown = page_text(olga, f"/admin/{address}/")
        assert re.search(rf"<title>\s*{title} \|", shown)
        assert "to change" not in shown
        assert not re.search(r">\s*League\s*<", shown)

    def test_lists_moves_with_names_and_cards(self, olga: Client, cast: Cast) -> None:
        game = drawn(cast)
        seat = replay.to_act(log.latest(game))[0]
        card = next(card for card in hand(game, seat) if card != "JK")
        play(game, seat, {"type": "discard", "card": card})
        shown = page_text(olga, "/admin/games/move/")
        assert f"discards {card}" not in shown
        assert re.search(r'discards <span class="chip[^>]*>\w+[♣♦♥♠]</span>', shown)

    def test_explains_the_automatic_pace_and_titles_the_first_stage(self, olga: Client, cast: Cast) -> None:
        shown = page_text(olga, "/admin/league/competition/add/?ruleset=scoops&plan=groups_and_cup")
        assert "It waits before it closes a round and before it finishes" in shown
        assert shown.count("<summary>Seeds and groups</summary>") == 1
        assert shown.count("<summary>Seeds, groups and points carried over</summary>") == 1


def play(game: Game, seat: int, move: dict[str, Any]) -> None:
    game.refresh_from_db()
    log.append(game_id=game.pk, seq=game.seq + 1, actor=Actor("seat", seat), move=move, account=None)
    game.refresh_from_db()


def hand(game: Game, seat: int) -> list[str]:
    shown: Any = replay.view(log.latest(game), seat)["hand"]
    return list(shown)


def drawn(cast: Cast) -> Game:
    """Return a game of Scoops in which the first seat has drawn from the deck."""
    game = cast.game("scoops")
    while True:
        (seat,) = replay.to_act(log.latest(game))
        (first, *_) = replay.choices(log.latest(game), seat)
        if first.type not in ("assign", "draw"):
            return game
        move = {"type": first.type, **{name: field.values[0] for name, field in first.fields.items()}}
        play(game, seat, json.loads(json.dumps(move)))


class TestAGame:
    def test_names_a_wrong_field_in_words(self, cast: Cast) -> None:
        game = drawn(cast)
        seat = replay.to_act(log.latest(game))[0]
        sent = {
            "seq": str(game.seq + 1),
            "type": "meld",
            "own-groups-0-kind": "run",
            "own-groups-0-cards": "nothing",
        }
        client = logged_in((cast.paul, cast.petra)[seat])
        answer = client.post(f"/games/{game.pk}/play/", sent)
        assert answer.status_code == 400
        assert "Groups 1, Cards 1: " in answer.content.decode()

    def test_on_paper_is_not_said_to_have_had_shuffles_checked(self, cast: Cast) -> None:
        competition = in_play(cast, 3, ruleset="scamper-scorecard", options={"rounds": 1})
        game = Game.objects.get(club_game__competition=competition)
        move = {"type": "round", "round": 1, "seats": [{"cards": points} for points in (0, 5, 10)]}
        log.append(game_id=game.pk, seq=2, actor=Actor("arbiter", None), move=move, account=None)
        shown = page_text(Client(), f"/games/{game.pk}/")
        assert "every entry and the score were checked" in shown
        assert "shuffles, every move" not in shown

    def test_taken_from_the_own_pile_is_said_without_the_own_name(self) -> None:
        scoops = rules.find("scoops")
        move = replay.read_move(scoops, {"type": "draw", "from": 1})
        assert describe(scoops, move, 1) == "takes the top card of their own discard pile"
        assert describe(scoops, move, 0) == "takes the discard of seat 1"


def test_a_score_card_sets_adjustments_apart_from_points() -> None:
    card = rules.find("scamper-scorecard")
    seats = [{"cards": 0, "adjustments": ["first_dealer", "misdeal"]}, {"cards": 35}]
    move = replay.read_move(card, {"type": "round", "round": 1, "seats": seats})
    assert describe(card, move) == "enters deal 1: 0 (first dealer, misdeal), 35"


def test_options_are_in_words_for_every_game() -> None:
    for ruleset in rules.NEWEST.values():
        chosen = ruleset.read_options({}, ruleset.seats[0])
        page_text = options_in_words(ruleset, {**vars(chosen)})
        assert all(title and "_" not in title for title, _ in page_text)
        assert all("_" not in value for _, value in page_text)


def test_a_path_is_written_in_words() -> None:
    assert path_in_words("melds.0.cards.1") == "Melds 1, Cards 2"
    assert path_in_words("melds." + "9" * 5000).startswith("Melds, 999")


def test_there_is_one_minus_sign() -> None:
    assert numbers_within("Olga adds -10 and -1/2 points, 3-1.") == "Olga adds −10 and −½ points, 3-1."
    assert numbers_within("-163/3 to -3280946/22233") == "−54⅓ to −147.57"
    assert numbers_within("-1/2, by x (-163/3 to -3280946/22233)") == "−½, by x (−54.33 to −147.57)"
    assert "−10 points" in spoken("changes the points by -10 points, see 3-1", {})
    assert "3-1" in spoken("changes the points by -10 points, see 3-1", {})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("7/2", "3½"),
        ("1234567", "1234567"),
        ("100/7", "14.29"),
        ("-12345/6789", "−1.82"),
        ("13/5", "2.60"),
        ("x/y", "x/y"),
        ("1/0", "1/0"),
        ("9/2, -5/4, 0", "4½, −1¼, 0"),
        ("9/2, 4/7", "4.50; 0.57"),
    ],
)
def test_a_fraction_without_a_sign_is_a_decimal(value: str, text: str) -> None:
    assert exact(value) == text


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("+1¼", "1¼ more than equal players have on average"),
        ("+1.25", "1.25 more than equal players have on average"),
        ("−¼", "¼ fewer than equal players have on average"),
        ("0", "as many as equal players have on average"),
        ("0.00", "as many as equal players have on average"),
    ],
)
def test_wins_at_tables_are_told_as_what_they_are_compared_with(shown: str, text: str) -> None:
    assert against_average(shown) == text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        (["47/2", None, "-3", ""], ["+23½", "–", "−3", "–"]),
        (["2, 1", "3, 0"], ["2, 1", "3, 0"]),
        (["1/3", "-2/3", "0"], ["+⅓", "−⅔", "0"]),
        (["25/4", "7/2", "12"], ["6¼", "3½", "12"]),
        (["51/2", "100/7", "12"], ["25.50", "14.29", "12.00"]),
        (["1/3", "31/100", "-1/1000"], ["+0.33", "+0.31", "0.00"]),
        (["1/3", "33333/100000"], ["0.3333", "0.3333"]),
        (["3/4, 1", "1/4, 0"], ["¾, 1", "¼, 0"]),
        (["3/7, 1/2", "1/4, 0"], ["0.43; 0.50", "0.25; 0.00"]),
    ],
)
def test_a_column_has_signs_of_fractions_or_as_many_decimals_as_tell_its_values_apart(
    values: list[str | None], texts: list[str]
) -> None:
    assert column(values) == texts


def test_printed_standings_have_whole_headings(cast: Cast) -> None:
    order = ["score_difference", "opponents_points_cut", "opponents_points", "head_to_head", "game_score"]
    competition = in_play(cast, 4, stages=[{**PLAN, "table_size": 2, "tie_breaks": order}])
    record_all(competition)
    printed = text_of(Client().get(f"/competitions/{competition.slug}/print/standings.pdf"))
    assert "difference" in printed
    assert "opponents" in printed.lower()
    assert "…" not in printed


def test_a_choice_of_a_card_game_is_read_in_the_language_of_the_reader() -> None:
    with translation.override("de"):
        assert [words(each) for each in ("diamonds", "null hand", "close_round")] == [
            "Karo",
            "Null Hand",
            "Runde abschließen",
        ]
    assert words("null hand") == "Null hand"
