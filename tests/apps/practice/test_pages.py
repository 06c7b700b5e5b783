"""Play now: a guest begins a game without an account, and nobody else sees it."""

import re
from types import SimpleNamespace

from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from games.models import Game
from games.verifier import check
from league.callers import ByAccount
from league.services.play import make_move
from tests.factories import Cast
from tests.league.test_admin_scope import logged_in

API_PARTS = ("", "log/", "draws/", "moves/", "at/1/")
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
    for address in (page, f"{page}news/?after=1", f"/api/v1/games/{game.pk}/"):
        assert other.get(address).status_code == 404
    other.cookies["guest"] = guest.cookies["guest"].value[:-1]
    assert other.get(page).status_code == 404
    left = guest.post(f"{page}play/", {"type": "resign", "seq": game.seq + 1}, follow=True)
    assert "Play again" in left.content.decode()


def test_a_game_can_be_left_on_its_page(db: None) -> None:
    guest = Client()
    page = guest.post("/play/", SCOOPS)["Location"]
    assert 'name="type" value="resign"' in guest.get(page).content.decode()


def test_a_table_says_what_resigning_does_there_and_asks_once_more(db: None) -> None:
    for seats, said, unsaid in (
        (2, "the game ends at once", "play on"),
        (3, "The others play on.", "ends at once"),
    ):
        guest = Client()
        page = guest.get(guest.post("/play/", {**SCOOPS, "seats": seats})["Location"]).content.decode()
        leaving = page.partition("<summary>Leave this game")[2].partition("</form>")[0]
        assert said in leaving and unsaid not in leaving
        assert leaving.index("<details>") < leaving.index("Do you really want to resign?")


def test_whoever_left_a_game_that_bots_finish_is_offered_another(db: None) -> None:
    guest = Client()
    page = guest.post("/play/", {**SCOOPS, "seats": 3})["Location"]
    left = guest.post(f"{page}play/", {"type": "resign", "seq": Game.objects.get().seq + 1}, follow=True)
    assert Game.objects.get().status == "active" and "Play again" in left.content.decode()


def ended(player: Client) -> str:
    """Return the address of a practice game that was resigned."""
    page = player.post("/play/", SCOOPS)["Location"]
    seq = Game.objects.get(pk=page.split("/")[2]).seq
    player.post(f"{page}play/", {"type": "resign", "seq": seq + 1})
    return page


def test_own_tables_lead_to_the_last_games_where_none_is_played(cast: Cast) -> None:
    game, guest = cast.game("scoops"), Client()
    make_move(ByAccount(cast.petra), game_id=game.pk, seq=2, move={"type": "resign"})
    assert f"/games/{game.pk}/" in logged_in(cast.paul).get("/tables/mine/").content.decode()
    assert "#ended" not in guest.get("/tables/mine/").content.decode()
    ended(guest)
    assert "/play/#ended" in guest.get("/tables/mine/").content.decode()
    page = guest.get("/play/").content.decode()
    assert page.index('id="ended"') < page.index('<form method="post" class="setting"')
    assert "Easy bot 1: 0</span> · " in page or "Easy bot 1: 1</span> · " in page


def test_a_game_that_is_over_has_the_studio_and_its_log(db: None) -> None:
    guest = Client()
    page = ended(guest)
    text = guest.get(page).content.decode()
    assert "+studio+" in text and "+check.js" in text and "is deleted after 30 days" in text
    assert 'id="share-link"' not in text and "og:" not in text and '"robots" content="noindex"' in text
    frames = guest.get(f"{page}frames/").json()
    assert len(frames["tables"]) == Game.objects.get().seq and "Play again" not in str(frames["lines"])
    lines = guest.get(f"{page}log/").content.decode().splitlines()
    draws = guest.get(f"{page}draws/").json()["draws"]
    assert check(lines).status == "finished" and draws


def test_nobody_else_gets_anything_of_a_practice_game(cast: Cast) -> None:
    guest, paul = Client(), logged_in(cast.paul)
    for player in (guest, paul):
        page = ended(player)
        other_guest = Client()
        other_guest.post("/play/", SCOOPS)
        others = (Client(), other_guest, logged_in(cast.petra), logged_in(cast.olga))
        own = (page, *(f"{page}{part}/" for part in ("frames", "log", "draws")), f"{page}news/?after=1")
        api = f"/api/v1{page}"
        everybodys = (f"/embed{page}", f"/embed{page}frames/", *(f"{api}{part}" for part in API_PARTS))
        for address in (*own, *everybodys, f"{api}events/?wait=0"):
            for other in others:
                assert other.get(address).status_code == 404, address
            if address in everybodys:
                assert player.get(address).status_code == 404, address
            else:
                assert player.get(address).status_code == 200, address
        for other in others:
            assert page not in other.get("/play/").content.decode()
            assert other.post(f"{page}play/", {"type": "resign", "seq": 9}).status_code in (302, 404)
        public = ("/sitemap.xml", "/", f"/clubs/{cast.club.slug}/games/", f"/clubs/{cast.club.slug}/feed/")
        assert all(page not in Client().get(address).content.decode() for address in public)


def test_an_account_finds_its_games_on_every_device_and_nobody_does_once_it_is_logged_out(cast: Cast) -> None:
    paul, other_device = logged_in(cast.paul), logged_in(cast.paul)
    page = ended(paul)
    assert other_device.get(page).status_code == 200
    assert page in other_device.get("/play/").content.decode()
    paul.logout()
    assert paul.get(page).status_code == 404


def test_games_that_are_over_are_listed_with_their_result(db: None) -> None:
    guest = Client()
    page = ended(guest)
    listed = guest.get("/play/").content.decode().partition('id="ended"')[2]
    assert f'href="{page}?at=1#replay"' in listed and "You lost" in listed and "Easy bot 1: " in listed
    assert "30 days" in listed
    assert 'id="ended"' not in Client().get("/play/").content.decode()


def test_running_practice_games_of_an_account_are_among_its_tables(cast: Cast) -> None:
    paul = logged_in(cast.paul)
    page = paul.post("/play/", SCOOPS)["Location"]
    assert page in paul.get("/tables/mine/").content.decode()
    assert page not in logged_in(cast.petra).get("/tables/mine/").content.decode()


def test_the_bots_and_the_length_are_chosen_and_remembered(db: None) -> None:
    guest = Client()
    chosen = {"ruleset": "scamper", "level": "medium", "seats": 3, "length": "medium"}
    guest.post("/play/", chosen)
    game = Game.objects.get()
    assert game.options["rounds"] == 5 and game.seats.count() == 3
    forms = {form.ruleset.key: form.initial for form in guest.get("/play/").context["forms"]}
    assert forms["scamper"] == {"level": "medium", "seats": 3, "length": "medium"}
    assert forms["scoops"] == {"level": "easy", "seats": 2, "length": "medium"}
    assert forms["scram"] == {"level": "easy", "seats": 4, "length": "short"}


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


def test_the_lesson_tells_what_to_do_in_the_middle_of_a_turn() -> None:
    """What a card's action or a knock asks for is told, and never that the others move."""

    def told(ruleset: str, *offered: str, **view: object) -> str:
        mine = SimpleNamespace(number=0, to_act=True)
        table = {"offered": offered, "mine": mine, "view": {"down": [], **view}}
        return render_to_string(f"rulesets/{ruleset}/guide.html", {"table": table, "view": table["view"]})

    assert "what the card’s action is for" in told("scram", "act")
    assert "or what the action is for" in told("scram", "replace", "act", "discard")
    assert "takes the place of one of yours" in told("scram", "replace")
    assert "Knock with it" in told("scoops", "discard", goal="Coffee")
    for ruleset, offered in (("scram", "resign"), ("scoops", "resign"), ("scamper", "concede")):
        assert "The buttons show what you can do now." in told(ruleset, offered)


def test_times_of_a_guest_are_in_the_zone_that_the_browser_tells(db: None) -> None:
    guest = Client()
    guest.post("/play/", SCOOPS)
    for zone, shown in (("", "UTC"), ("Asia/Tokyo", "JST"), ("Asia/Atlantis", "UTC"), ("../passwd", "UTC")):
        guest.cookies["zone"] = zone
        assert f" {shown}<" in guest.get("/play/").content.decode()
        page = guest.get(reverse("game", args=[Game.objects.get().pk]))
        assert page.context["zone"] == ("Asia/Tokyo" if shown == "JST" else "UTC")
