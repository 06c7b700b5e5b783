"""The page of a game: who sees what, stepping through it, and playing from it."""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from games import log
from games.engine import replay
from games.engine.refusals import Refusal
from games.engine.replay import Actor
from games.models import Game
from games.models.moves import Seed
from games.packages import policy_of
from games.verifier import WrongLog
from league.models import Competition
from league.templatetags.cards import chip
from league.web import gametable
from league.web.gametable import TableRequest
from league.words.moves import name_of
from tests.factories import Cast, playing
from tests.league.playing import moved
from tests.rules.recording import as_clients_see
from tests.web.conftest import Visit

SHORT = {"target": 1}


def play(game: Game, most: int = 10_000) -> Game:
    """Let bots play so many moves, or to the end."""
    for _ in range(most):
        game.refresh_from_db()
        position = log.latest(game)
        if game.is_over:
            break
        (seat, *_) = replay.awaited(position)
        view = as_clients_see(replay.view(position, seat))
        choices = [as_clients_see(choice.as_json()) for choice in replay.choices(position, seat)]
        move = policy_of(position.ruleset).choose(seat, view, choices)
        moved(game, seat, move)
    game.refresh_from_db()
    return game


def seated(cast: Cast, ruleset: str = "scoops", **opening: Any) -> Game:
    """Return a game, Paul against Petra, that is the same in every run."""
    players = [cast.paul_plays.pk, cast.petra_plays.pk]
    page_text = {"options": {}, "secret": bytes(32), **opening}
    game = log.open_game(
        ruleset=ruleset, players=players, account=None, accounts=playing(players), **page_text
    )
    cast.club.games.create(game=game)
    return game


def page_text(answer: Any) -> str:
    return str(answer.content.decode())


def hand(game: Game, seat: int) -> list[str]:
    return list(replay.view(log.latest(game), seat)["hand"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("competition", "offered"),
    [
        (None, [True, True]),
        (Competition(aided=True), [True, True]),
        (Competition(), [True, False]),
    ],
    ids=["casual", "aided", "rated"],
)
def test_melds_are_listed_only_where_players_are_aided(
    cast: Cast, competition: Competition | None, offered: list[bool]
) -> None:
    game = play(seated(cast), 3)
    (seat,) = replay.to_act(log.latest(game))
    club_game = game.club_game
    club_game.competition = competition
    shown = gametable.table(club_game, TableRequest(game.seq), account=(cast.paul, cast.petra)[seat])
    assert [form.type for form in shown.forms] == ["discard", "meld"]
    assert [bool(form.offers) for form in shown.forms] == offered


class TestWhoSeesWhat:
    def test_a_seat_sees_only_its_own_hand(self, as_account: Visit, cast: Cast) -> None:
        game = cast.game("scoops")
        page = page_text(as_account(cast.paul).get(f"/games/{game.pk}/"))
        cards = re.search(r'data-hand="1">(.*?)</div>', page, re.S)
        assert cards
        shown = re.findall(r'data-code="(\w+)"', cards[1])
        assert sorted(shown) == sorted(hand(game, 0))
        assert len(re.findall("data-code", page)) == len(shown)

    def test_a_spectator_sees_no_hand(self, client: Client, cast: Cast) -> None:
        page = page_text(client.get(f"/games/{cast.game('scoops').pk}/"))
        assert "data-code" not in page
        assert "8 cards in hand" in page

    def test_only_the_seat_to_move_gets_forms(self, as_account: Visit, client: Client, cast: Cast) -> None:
        game = cast.game("scoops")
        (seat,) = replay.to_act(log.latest(game))
        acting, other = ((cast.paul, cast.petra), (cast.petra, cast.paul))[seat]
        assert "Your move" in page_text(as_account(acting).get(f"/games/{game.pk}/"))
        assert "Your move" not in page_text(as_account(other).get(f"/games/{game.pk}/"))
        assert "Your move" not in page_text(client.get(f"/games/{game.pk}/"))

    def test_all_cards_are_shown_when_it_is_over(self, client: Client, cast: Cast) -> None:
        game = play(cast.game("scoops", SHORT))
        page = page_text(client.get(f"/games/{game.pk}/?at=1"))
        assert page.count("data-code") >= 16

    def test_the_seed_is_shown_only_when_it_is_over(self, client: Client, cast: Cast) -> None:
        game = cast.game("scoops", SHORT)
        secret = Seed.objects.get(game=game).secret.hex()
        assert secret not in page_text(client.get(f"/games/{game.pk}/"))
        assert secret in page_text(client.get(f"/games/{play(game).pk}/"))

    def test_is_not_stored_by_shared_caches(self, client: Client, cast: Cast) -> None:
        assert "private" in client.get(f"/games/{cast.game('scoops').pk}/")["Cache-Control"]


class TestProof:
    def test_a_finished_game_is_verified(self, client: Client, cast: Cast) -> None:
        game = play(cast.game("scoops", SHORT))
        page = page_text(client.get(f"/games/{game.pk}/"))
        assert "✓ verified" in page
        assert f"/api/v1/games/{game.pk}/log/" in page

    def test_an_invalid_log_is_marked_as_wrong(
        self, client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def wrong(game: Game) -> None:
            raise WrongLog(3, "its hash does not fit")

        monkeypatch.setattr(log, "verified", wrong)
        game = play(cast.game("scoops", SHORT))
        for _ in range(2):
            page = page_text(client.get(f"/games/{game.pk}/"))
            assert "entry 3 is wrong: its hash does not fit" in page
            assert "✓ verified" not in page


class TestStepping:
    def test_goes_from_the_opening_to_the_last_entry(self, client: Client, cast: Cast) -> None:
        game = play(cast.game("scoops"), 5)
        for at in range(1, game.seq + 1):
            assert f"Move {at} of {game.seq}" in page_text(client.get(f"/games/{game.pk}/?at={at}"))

    @pytest.mark.parametrize("at", ["0", "99", "-1", "x", "²", "1" * 30])
    def test_stops_at_both_ends(self, client: Client, cast: Cast, at: str) -> None:
        assert client.get(f"/games/{cast.game('scoops').pk}/?at={at}").status_code == 404

    def test_shows_an_earlier_state(self, client: Client, cast: Cast) -> None:
        game = play(cast.game("scoops"), 2)
        position = log.position_at(game, 1)
        deck = replay.view(position, None)["deck"]
        assert f"deck of {deck} cards" in page_text(client.get(f"/games/{game.pk}/?at=1"))
        assert f"deck of {deck} cards" not in page_text(client.get(f"/games/{game.pk}/"))

    @pytest.mark.parametrize("ruleset", ["scoops", "scamper"])
    def test_shows_a_seat_no_more_of_a_running_games_past_than_a_spectator_saw(
        self, as_account: Visit, client: Client, cast: Cast, ruleset: str
    ) -> None:
        game, paul = play(cast.game(ruleset), 4), as_account(cast.paul)
        now, past = (
            [page_text(reader.get(f"/games/{game.pk}/{at}")).count("data-code") for reader in (paul, client)]
            for at in ("", "?at=1")
        )
        assert now[0] > now[1]
        assert past[0] == past[1]

    def test_lists_the_moves_around_and_all_on_request(self, client: Client, cast: Cast) -> None:
        game = play(seated(cast), 80)
        short, whole = (page_text(client.get(f"/games/{game.pk}/?at=5{more}")) for more in ("", "&moves=all"))
        assert short.count('class="seq"') == 60
        assert whole.count('class="seq"') == game.seq

    def test_names_players_and_cards_in_the_moves(self, client: Client, cast: Cast) -> None:
        game = cast.game("scoops")
        (seat,) = replay.to_act(log.latest(game))
        card = hand(game, seat)[0]
        log.append(
            game_id=game.pk,
            seq=2,
            actor=Actor("seat", seat),
            move={"type": "draw", "from": "deck"},
            account=None,
        )
        game.refresh_from_db()
        log.append(
            game_id=game.pk,
            seq=3,
            actor=Actor("seat", seat),
            move={"type": "discard", "card": card},
            account=None,
        )
        page = page_text(client.get(f"/games/{game.pk}/"))
        assert chip(card) in page
        assert name_of(card) in page


class TestPlaying:
    @pytest.fixture
    def game(self, cast: Cast) -> Game:
        return cast.game("scoops")

    @pytest.fixture
    def acting(self, as_account: Visit, cast: Cast, game: Game) -> Client:
        (seat,) = replay.to_act(log.latest(game))
        return as_account((cast.paul, cast.petra)[seat])

    def send(self, client: Client, game: Game, seq: int = 2, **fields: str) -> Any:
        named = {name.replace("__", "-"): value for name, value in fields.items()}
        return client.post(f"/games/{game.pk}/play/", {"seq": str(seq), **named})

    def test_makes_the_chosen_move(self, acting: Client, game: Game) -> None:
        answer = self.send(acting, game, offer=json.dumps({"type": "draw", "from": "deck"}), type="draw")
        assert answer["Location"] == f"/games/{game.pk}/"
        assert log.entries(game, 1)[0].move == {"type": "draw", "from": "deck"}

    def test_twice_makes_it_once(self, acting: Client, game: Game) -> None:
        for _ in range(2):
            answer = self.send(acting, game, offer=json.dumps({"type": "draw", "from": "deck"}))
            assert answer.status_code == 302
        assert len(log.entries(game)) == 2

    def test_names_the_rule_that_forbids_a_move(self, acting: Client, game: Game) -> None:
        answer = self.send(acting, game, type="discard", own__card="9C")
        assert answer.status_code == 422
        assert re.search(r'/rules/scoops/#C\d+">Rule C\d+', page_text(answer))
        assert 'role="alert"' in page_text(answer)

    def test_reports_a_stale_form(self, acting: Client, game: Game) -> None:
        play(game, 2)
        answer = self.send(acting, game, offer=json.dumps({"type": "draw", "from": 1}))
        assert answer.status_code == 409
        assert "Too late" in page_text(answer)

    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"type": "dance"},
            {"offer": "{"},
            {"offer": "[]"},
            {"offer": "[" * 100_000},
            {"offer": '{"type": "draw", "from": "moon"}'},
            {"seq": "x", "type": "draw"},
            {"seq": "²", "type": "draw"},
            {"type": "draw", "pick-from": "{"},
            {"type": "discard", "own-card": "nothing"},
            {"type": "discard", "own-card": "9C\x00"},
        ],
    )
    def test_reports_a_malformed_form(self, acting: Client, game: Game, fields: dict[str, str]) -> None:
        answer = acting.post(f"/games/{game.pk}/play/", {"seq": "2", **fields})
        assert answer.status_code == 400
        assert len(log.entries(game)) == 1

    def test_is_only_for_players_at_the_table(
        self, as_account: Visit, client: Client, cast: Cast, game: Game
    ) -> None:
        offer = json.dumps({"type": "draw", "from": "deck"})
        assert self.send(as_account(cast.nora), game, offer=offer).status_code == 403
        assert self.send(client, game, offer=offer)["Location"].startswith("/account/login/")
        assert len(log.entries(game)) == 1

    def test_allows_a_seat_to_resign(self, acting: Client, game: Game) -> None:
        self.send(acting, game, type="resign")
        game.refresh_from_db()
        assert game.status == "finished"

    def test_needs_no_script_from_first_to_last_move(self, as_account: Visit, cast: Cast) -> None:
        game = seated(cast, options={"round_limit": 1, "turn_limit": 6})
        clients = [as_account(cast.paul), as_account(cast.petra)]
        while not game.is_over:
            (seat,) = replay.to_act(log.latest(game))
            page = page_text(clients[seat].get(f"/games/{game.pk}/"))
            offers = [offer for offer in re.findall(r'name="offer" value="([^"]*)"', page) if offer]
            answer = self.send(clients[seat], game, seq=game.seq + 1, offer=unescape(offers[-1]))
            assert answer.status_code == 302
            game.refresh_from_db()
        assert game.status == "finished"


class TestRuling:
    def test_is_offered_only_to_organisers_of_the_club(self, as_account: Visit, cast: Cast) -> None:
        address = f"/games/{cast.game('scoops').pk}/"
        assert "Arbiter’s moves" in page_text(as_account(cast.olga).get(address))
        for account in (cast.paul, cast.nora):
            assert "Arbiter’s moves" not in page_text(as_account(account).get(address))

    @pytest.mark.parametrize(
        ("fields", "status"),
        [
            ({"type": "forfeit", "pick-seat": "1", "own-reason": "left the room"}, "finished"),
            ({"type": "abandon", "own-reason": "fire alarm"}, "abandoned"),
            ({"type": "penalty", "pick-seat": "0", "own-points": "2", "own-reason": "talking"}, "active"),
        ],
    )
    def test_is_an_entry_in_the_log(
        self, as_account: Visit, cast: Cast, fields: dict[str, str], status: str
    ) -> None:
        game = cast.game("scoops")
        as_account(cast.olga).post(f"/games/{game.pk}/play/", {"seq": "2", **fields})
        game.refresh_from_db()
        assert (game.status, log.entries(game)[1].role) == (status, "arbiter")
        assert fields["own-reason"] in page_text(as_account(cast.nora).get(f"/games/{game.pk}/"))

    def test_without_a_reason_is_refused(self, as_account: Visit, cast: Cast) -> None:
        game = cast.game("scoops")
        answer = as_account(cast.olga).post(f"/games/{game.pk}/play/", {"seq": "2", "type": "abandon"})
        assert answer.status_code == 400

    def test_by_anybody_else_is_refused(self, as_account: Visit, cast: Cast) -> None:
        game = cast.game("scoops")
        fields = {"seq": "2", "type": "abandon", "own-reason": "losing"}
        assert as_account(cast.paul).post(f"/games/{game.pk}/play/", fields).status_code == 403


class TestNews:
    def test_has_the_changed_parts_of_the_page_and_the_new_entries(self, client: Client, cast: Cast) -> None:
        game = play(seated(cast), 82)
        news = page_text(client.get(f"/games/{game.pk}/news/?after={game.seq - 2}"))
        page = page_text(client.get(f"/games/{game.pk}/"))
        assert news.count('class="seq"') == 2
        assert f'data-seq="{game.seq}"' in news
        for part in ("status", "steps", "table", "play", "sheet"):
            assert f'id="{part}"' in news and f'id="{part}"' in page
        assert f'<p id="head">{game.head}<' in news and 'id="head"' in page
        assert len(news) < len(page) / 2

    def test_shows_each_seat_its_own_hand_and_spectators_none(
        self, client: Client, as_account: Visit, cast: Cast
    ) -> None:
        game = seated(cast)
        address = f"/games/{game.pk}/news/?after=1"
        for visitor, seat in ((client, None), (as_account(cast.paul), 0), (as_account(cast.petra), 1)):
            shown = sorted(re.findall(r'data-code="(\w+)"', page_text(visitor.get(address))))
            assert shown == ([] if seat is None else sorted(hand(game, seat)))

    def test_is_rendered_once_for_all_spectators(
        self, client: Client, cast: Cast, django_assert_num_queries: Any
    ) -> None:
        game = play(cast.game("scoops"), 4)
        address = f"/games/{game.pk}/news/?after=1"
        first = page_text(client.get(address))
        with django_assert_num_queries(1):
            assert page_text(client.get(address)) == first
        play(game, 1)
        assert page_text(client.get(address)) != first

    def test_has_the_table_on_the_way_to_the_last_move(self, as_account: Visit, cast: Cast) -> None:
        game = play(seated(cast), 3)
        news = page_text(as_account(cast.paul).get(f"/games/{game.pk}/news/?after=1&to=2"))
        assert f'data-seq="2" data-last="{game.seq}"' in news
        assert news.count('class="seq"') == 1 and "Move 2 of" in news and "Next move" not in news

    @pytest.mark.parametrize("query", ["", "?after=", "?after=x", "?after=-1"])
    def test_needs_the_last_entry_seen(self, client: Client, cast: Cast, query: str) -> None:
        assert client.get(f"/games/{cast.game('scoops').pk}/news/{query}").status_code == 404

    def test_has_result_and_seed_when_the_game_is_over(self, client: Client, cast: Cast) -> None:
        game = play(cast.game("scoops", SHORT))
        news = page_text(client.get(f"/games/{game.pk}/news/?after={game.seq - 1}"))
        assert "total wins the game." in news and Seed.objects.get(game=game).secret.hex() in news


class TestReadyRoom:
    def test_collects_entropy_from_each_seat(self, as_account: Visit, cast: Cast) -> None:
        game = seated(cast, entropy=True)
        for seq, account in ((2, cast.petra), (3, cast.paul)):
            page = f"/games/{game.pk}/"
            assert "when every seat is ready" in page_text(as_account(account).get(page))
            fields = {"seq": str(seq), "type": "ready", "own-entropy": "a shell from the beach"}
            assert as_account(account).post(f"{page}play/", fields).status_code == 302
        game.refresh_from_db()
        assert not log.latest(game).joining


class TestUnreplayableGame:
    @pytest.fixture
    def unreplayable(self, cast: Cast) -> Game:
        """A finished game whose edition of the rules is not here."""
        game = play(cast.game("scoops", SHORT))
        Game.objects.filter(pk=game.pk).update(ruleset="scoops@0", head="00" * 32)
        return game

    def test_has_a_notice_and_a_link_to_its_log(self, client: Client, unreplayable: Game) -> None:
        answer = client.get(f"/games/{unreplayable.pk}/")
        assert answer.status_code == 501
        wanted = ("This game can’t be shown", "Paul Pike", "rank 1", f"/api/v1/games/{unreplayable.pk}/log/")
        assert [words for words in wanted if words not in page_text(answer)] == []

    def test_accepts_no_move(self, as_account: Visit, cast: Cast, unreplayable: Game) -> None:
        fields = {"seq": str(unreplayable.seq + 1), "type": "resign"}
        answer = as_account(cast.paul).post(f"/games/{unreplayable.pk}/play/", fields)
        assert answer.status_code == 501

    def test_is_shown_on_the_desk_without_its_state(
        self, as_account: Visit, cast: Cast, unreplayable: Game
    ) -> None:
        desk = as_account(cast.olga)
        for address in (f"games/game/{unreplayable.pk}/change/", "games/game/", "games/move/"):
            assert desk.get(f"/admin/{address}").status_code == 200


def test_every_kind_of_refusal_has_a_response() -> None:
    from league.web.games import STATUS

    of_the_engine = [kind for kind in Refusal.__subclasses__() if kind.__module__ == Refusal.__module__]
    assert {*STATUS} == {kind.code for kind in of_the_engine}
