"""The picture of a finished game beside links to it on other sites."""

from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from games.models import Game, Seat
from league.apps.prints.share_picture import FinalTable, Placed, painted
from league.apps.prints.sharing import final_table
from league.models import Player
from tests.factories import Cast
from tests.league.test_admin_scope import logged_in
from tests.web.test_replays import golden


@pytest.fixture
def over(cast: Cast) -> Game:
    """A game that Paul Pike has played to its end."""
    game = golden(cast, "scamper/no-passing")
    Seat.objects.filter(game=game, number=0).update(player=cast.paul_plays.pk)
    return game


def address(game: Game) -> str:
    return reverse("game_picture", args=[game.pk])


def test_is_named_on_the_page_and_made_once(client: Client, over: Game) -> None:
    page = client.get(f"/games/{over.pk}/").content.decode()
    assert f'<meta property="og:image" content="http://testserver{address(over)}">' in page
    assert '<meta name="twitter:card" content="summary_large_image">' in page
    answer = client.get(address(over))
    with Image.open(BytesIO(answer.content)) as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 630))
    assert client.get(address(over), headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_says_what_was_played_where_and_who_has_won(cast: Cast, over: Game) -> None:
    shown = final_table(over.pk)
    said = painted(shown).said
    result = {seat["seat"]: seat for seat in (over.result or {})["seats"]}
    assert said[:2] == ["Scamper", cast.club.name]
    assert ("PP", "Paul Pike", str(result[0]["score"])) in zip(
        said[3::3], said[4::3], said[5::3], strict=True
    )
    assert [seat.won for seat in shown.seats] == sorted(
        (each["rank"] == 1 for each in result.values()), reverse=True
    )


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 10])
def test_has_room_for_all_names_in_any_script(seats: int) -> None:
    names = ["محمد علي", "田中 太郎", "प्रिया शर्मा", "Anna-Katharina von und zu Hohenstein " * 3]
    placed = tuple(Placed(names[at % 4], "AB", at, "12,345½", at == 0) for at in range(seats))
    said = painted(FinalTable("Scoops", "Club " * 30, "Somebody wins", placed)).said
    assert len(said) == 3 + 3 * seats
    assert all(
        text.endswith("…") or text in (*names, "AB", "12,345½", "Scoops", "Somebody wins") for text in said
    )


def test_tells_members_and_strangers_the_same(client: Client, cast: Cast, over: Game) -> None:
    Player.objects.filter(pk=cast.paul_plays.pk).update(public_name="Paul P.")
    assert "Paul P." in {seat.name for seat in final_table(over.pk).seats}
    tags = {asks.get(address(over))["ETag"] for asks in (client, logged_in(cast.paul), logged_in(cast.olga))}
    assert len(tags) == 1


def test_there_is_none_of_a_game_that_is_not_over_or_of_no_club(
    client: Client, cast: Cast, over: Game
) -> None:
    running = cast.game("scoops")
    assert "og:image" not in client.get(f"/games/{running.pk}/").content.decode()
    over.club_game.delete()
    for game in (running, over):
        assert client.get(address(game)).status_code == 404
