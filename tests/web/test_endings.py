"""What pages say of the end of a deal and of a game."""

import re
from typing import Final

import pytest
from django.db.models import F
from django.test import Client

from games import log
from games.models import Game
from league.models import ClubGame, Standings
from league.projections.ratings import compute_ratings
from league.projections.standings import compute_standings
from league.web.endings import Side, SideSeat, headline
from league.web.seats import SeatShown
from tests.factories import Cast
from tests.league.playing import finished
from tests.web.conftest import Visit
from tests.web.test_game import page_text, play
from tests.web.test_replays import golden

ENDS: Final = [
    ("scoops/bowl-vanilla", "lays down everything that Bowl asks for and wins the deal. (C16)"),
    ("scoops/float-strawberry-last-meld", "lays down the last cards and wins the deal. (C17)"),
    ("scoops/float-chocolate-last-float", "floats the last cards and wins the deal. (C17)"),
    ("scoops/coffee-for-the-knocker", "knocked, has the lowest count,"),
    ("scoops/coffee-for-another", "has the lowest count,"),
    (
        "scoops/the-knock-comes-too-late",
        "but the deck ran out during the last turns: nobody wins the deal. (C19)",
    ),
    ("scoops/nobody-draws", "nobody wins"),
    ("scamper/no-passing", "went out. What the others hold counts against them. (S25)"),
    ("scamper/dealt-again", "the deal counts for nothing and is dealt again. (S28)"),
    ("scram/scram-won", "was right: the team scores 0 (B16)"),
    ("scram/scram-lost", "more (B16)"),
    ("scram/scram-then-the-deck", "and the deck ran out during the last turns. (B7)"),
    ("scamper/nobody-draws", "Nobody went out: the deal has reached its limit"),
]


def words(html: str) -> str:
    """Return the text of a page, without what only screen readers hear."""
    plain = re.sub(r'<span class="spoken">.*?</span>', "", html)
    return " ".join(re.sub(r"<[^>]+>", "", plain).split())


@pytest.mark.parametrize(("name", "sentence"), ENDS, ids=[name for name, _ in ENDS])
def test_the_end_of_a_deal_is_told_in_a_sentence_with_its_rule(
    name: str, sentence: str, client: Client, cast: Cast
) -> None:
    game = golden(cast, name)
    ends = [seq for seq, _ in log.latest(game).ends]
    assert any(sentence in words(page_text(client.get(f"/games/{game.pk}/?at={seq}"))) for seq in ends)


def side(team: int, rank: int | None, *, mine: bool = False, seats: int = 1) -> Side:
    """Return a side of players who are called by the number of their side."""
    seat = SeatShown(team, f"Side {team}", None, 0, rank, to_act=False, out="", mine=mine)
    return Side(team, (SideSeat(seat, None),) * seats, None, 0, rank)


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        ([side(1, 1, mine=True), side(2, 2)], "You won"),
        ([side(1, 1), side(2, 2, mine=True)], "You lost"),
        ([side(1, 1), side(2, 2), side(3, 3, mine=True), side(4, 4)], "You are 3rd of 4"),
        ([side(1, 1), side(2, 2), side(3, 3, mine=True), side(4, 3)], "You share 3rd place"),
        ([side(1, 1, seats=2), side(2, 2, mine=True, seats=2), side(3, 3, seats=2)], "Your team is 2nd of 3"),
        ([side(1, 1, mine=True), side(2, 1)], "You share first place"),
        ([side(1, 1, mine=True, seats=2), side(2, 1, seats=2)], "Your team shares first place"),
        ([side(1, 1), side(2, 2), side(3, 2, mine=True, seats=2)], "Your team shares 2nd place"),
        ([side(1, 1, mine=True, seats=2), side(2, 2, seats=2)], "Your team won"),
        ([side(1, 1, seats=2), side(2, 2, mine=True, seats=2)], "Your team lost"),
        ([side(1, None, mine=True, seats=2), side(2, None, seats=2)], "Nobody wins"),
        ([side(1, 1), side(2, 2)], "Side 1 wins"),
        ([side(1, 1, seats=2), side(2, 2, seats=2)], "Side 1, Side 1 win"),
        ([side(1, 1), side(2, 1)], "Side 1, Side 2 share first place"),
        ([side(1, 1), side(2, 1), side(3, 3, mine=True)], "You are 3rd of 3"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_headline_says_who_won_to_the_reader(sides: list[Side], said: str) -> None:
    assert headline(sides) == said


def ended(cast: Cast) -> Game:
    """Return a game of Scoops in which a deal has just ended."""
    game = cast.game("scoops")
    while not log.latest(game).ends:
        play(game, 1)
        game.refresh_from_db()
    return game


def test_news_show_the_end_of_a_deal_before_the_next_deal(as_account: Visit, cast: Cast) -> None:
    game, paul = ended(cast), as_account(cast.paul)
    address = f"/games/{game.pk}/news/?after="
    end = page_text(paul.get(f"{address}{game.seq - 1}"))
    assert 'data-ending="1"' in end
    assert "Deal 1 is over" in end
    assert 'id="hand"' not in end
    following = page_text(paul.get(f"{address}{game.seq}"))
    assert "data-ending" not in following
    assert "Deal 2 · first to" in following
    assert 'data-hand="1"' in following


def test_the_end_of_a_deal_has_a_page_without_scripts(as_account: Visit, cast: Cast) -> None:
    game, paul = ended(cast), as_account(cast.paul)
    page = page_text(paul.get(f"/games/{game.pk}/"))
    assert f'<noscript><p class="small"><a href="?at={game.seq}">See how the last deal ended</a>' in page
    end = page_text(paul.get(f"/games/{game.pk}/?at={game.seq}"))
    assert "Deal 1 is over" in end
    assert "Your move" not in end


def test_the_end_of_a_deal_shows_no_hand(as_account: Visit, client: Client, cast: Cast) -> None:
    game = ended(cast)
    address = f"/games/{game.pk}/?at={game.seq}"
    seen, watched = (page_text(reader.get(address)) for reader in (as_account(cast.paul), client))
    assert seen.count("data-code") == watched.count("data-code")
    assert 'data-hand="1"' not in seen


def test_a_finished_game_tells_each_deal_and_what_has_changed_for_the_reader(
    cast: Cast, as_account: Visit
) -> None:
    competition = finished(cast)
    game = ClubGame.objects.filter(table__seats__player=cast.paul_plays).first()
    assert game is not None
    before = words(page_text(as_account(cast.paul).get(f"/games/{game.pk}/")))
    assert "By deal:" in before and "Your rating:" not in before
    compute_standings(competition.pk)
    compute_ratings(competition.pk)
    after = words(page_text(as_account(cast.paul).get(f"/games/{game.pk}/")))
    assert re.search(r"Your rating: \d+ \([+−±]\d+\)", after)
    assert re.search(rf"Place \d of \d in {competition.name} now", after)
    Standings.objects.update(as_of=F("as_of") - 1)
    assert (
        "Place"
        not in words(page_text(as_account(cast.paul).get(f"/games/{game.pk}/"))).split("Your rating")[1][:80]
    )
    others = words(page_text(Client().get(f"/games/{game.pk}/")))
    assert "By deal:" in others and "Your rating:" not in others and " now" not in others


@pytest.mark.parametrize(
    "name",
    [
        "card_game/skat-at-three",
        "scamper_scorecard/two-seats",
        "scoops_scorecard/a-club-night",
        "scram_scorecard/six-campers",
    ],
)
def test_a_finished_game_with_real_cards_ends_as_one_that_is_dealt_here(
    client: Client, cast: Cast, name: str
) -> None:
    seen = page_text(client.get(f"/games/{golden(cast, name).pk}/"))
    for part in ("deal-end finished", 'class="finish"', 'class="crown"', "By deal:"):
        assert seen.count(part) >= 1, part
    assert 'class="sides' not in seen


def test_who_leads_is_marked_and_said_while_the_game_runs(client: Client, cast: Cast) -> None:
    start = page_text(client.get(f"/games/{golden(cast, 'scoops/bowl-vanilla').pk}/?at=1"))
    game = golden(cast, "scamper/no-passing")
    assert "Leads:" not in start and "Leads:" not in page_text(client.get(f"/games/{game.pk}/"))
    ends = [seq for seq, _ in log.latest(game).ends]
    middle = page_text(client.get(f"/games/{game.pk}/?at={ends[0] + 1}"))
    assert '<span class="spoken">Leads: the lowest total wins</span>' in middle
