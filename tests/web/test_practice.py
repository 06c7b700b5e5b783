"""Play now: a guest begins a game without an account, and nobody else sees it."""

import re
from types import SimpleNamespace

from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from games.models import Game
from league.models import Seek
from tests.factories import Cast
from tests.web.test_seeks import browsing

SCOOPS = {"ruleset": "scoops", "level": "easy", "seats": 2, "length": "short"}


def test_a_guest_plays_without_an_account_and_alone(db: None) -> None:
    guest, other = Client(), Client()
    assert reverse("practice") in guest.get("/").content.decode()
    assert guest.post("/play/", {**SCOOPS, "level": "clever"}).status_code == 422
    begun = guest.post("/play/", SCOOPS)
    page, game = begun["Location"], Game.objects.get()
    assert page == reverse("game", args=[game.pk])
    assert guest.cookies["guest"]["httponly"] and guest.cookies["guest"]["samesite"] == "Lax"
    assert "Easy bot 1" in guest.get(page).content.decode() and page in guest.get("/play/").content.decode()
    assert "First deal:" in guest.get(reverse("news", args=[game.pk]), {"after": 1}).content.decode()
    for address in (
        page,
        f"{page}news/?after=1",
        f"/api/v1/games/{game.pk}/",
        f"/api/v1/games/{game.pk}/log/",
    ):
        assert other.get(address).status_code == 404
    other.cookies["guest"] = guest.cookies["guest"].value[:-1]
    assert other.get(page).status_code == 404
    left = guest.post(f"{page}play/", {"type": "resign", "seq": game.seq + 1}, follow=True)
    text = left.content.decode()
    assert "Play again" in text and "studio.js" not in text and f"{page}log/" not in text
    assert "Proof of fair play" not in text


def test_the_bots_and_the_length_are_chosen_and_remembered(db: None) -> None:
    guest = Client()
    chosen = {"ruleset": "scamper", "level": "medium", "seats": 3, "length": "medium"}
    guest.post("/play/", chosen)
    game = Game.objects.get()
    assert game.options["rounds"] == 5 and game.seats.count() == 3
    forms = {form.ruleset.key: form.initial for form in guest.get("/play/").context["forms"]}
    assert forms["scamper"] == {"level": "medium", "seats": 3, "length": "medium"}
    assert forms["scoops"] == {"level": "easy", "seats": 2, "length": "short"}


def test_the_same_game_is_played_again(db: None) -> None:
    guest, chosen = Client(), {**SCOOPS, "level": "strong", "length": "medium"}
    table = guest.post("/play/", chosen)["Location"]
    seq = Game.objects.get().seq
    left = guest.post(f"{table}play/", {"type": "resign", "seq": seq + 1}, follow=True).content.decode()
    again = dict(re.findall(r'name="(\w+)" value="(\w+)"', left.partition("Play again")[0]))
    assert {name: again[name] for name in chosen} == {name: str(value) for name, value in chosen.items()}


def test_a_game_is_not_begun_with_seats_that_it_has_not(db: None) -> None:
    for wrong in ({"seats": 10}, {"seats": ""}, {"length": "endless"}):
        refused = Client().post("/play/", {**SCOOPS, **wrong})
        assert refused.status_code == 422 and "errorlist" in refused.content.decode()


def test_who_looks_for_players_lets_bots_take_the_empty_seats(cast: Cast) -> None:
    page, paul, petra = reverse("seeks", args=[cast.club.slug]), browsing(cast.paul), browsing(cast.petra)
    paul.post(page, {"ruleset": "scoops", "seats": 3, "minutes": 60})
    fill = reverse("fill_seek", args=[Seek.objects.get().pk])
    assert fill in paul.get(page).content.decode() and fill not in petra.get(page).content.decode()
    begun = paul.post(fill, {"level": "medium"}, follow=True).content.decode()
    assert "Medium bot 2" in begun


def test_the_lesson_tells_what_to_do_in_the_middle_of_a_turn() -> None:
    """What a card's action or a knock asks for is told, and never that the others move."""

    def told(ruleset: str, *offered: str, **view: object) -> str:
        mine = SimpleNamespace(number=0, to_act=True)
        table = {"offered": offered, "mine": mine, "view": {"down": [], **view}}
        return render_to_string(f"rulesets/{ruleset}/guide.html", {"table": table, "view": table["view"]})

    assert "action of the card" in told("scram", "act")
    assert "or use its action" in told("scram", "replace", "act", "discard")
    assert "takes the place of one of yours" in told("scram", "replace")
    assert "Knock with it" in told("scoops", "discard", goal="Coffee")
    for ruleset, offered in (("scram", "resign"), ("scoops", "resign"), ("scamper", "concede")):
        assert "The buttons show what you can do now." in told(ruleset, offered)
