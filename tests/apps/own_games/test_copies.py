"""Games of a club: made from copies on the desk, offered in the set-up, played by their own definition."""

import json
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils.translation import override

from games import rules
from games.engine import shapes
from games.engine.refusals import Malformed
from games.rules.card_game import ruleset_of
from games.rules.card_game.definition import JUST_POINTS, Definition
from games.rules.card_game.shipped import CANASTA, HEARTS, SHIPPED, SKAT
from league.apps.own_games.copy_form import DOUBTED
from league.apps.own_games.models import OwnGame
from league.apps.own_games.services import keep_game, retire_game
from league.apps.own_games.trying import preview
from league.models import Competition
from tests.factories import Cast
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_setting_up import ADD, send

MAKE = "/admin/own_games/owngame/add/"


def at(game: Definition) -> str:
    return f"{MAKE}?of={ruleset_of(game).key}"


def copied(client: Client, game: Definition, *more: str, **changes: Any) -> Any:
    """Send the form of a copy as it is offered, but for some fields."""
    form = client.get(at(game)).context["form"]
    fields = {each.html_name: each.value() for each in form}
    sent = {**fields, **changes, **dict.fromkeys(more, "1")}
    return client.post(
        at(game), {name: value for name, value in sent.items() if value is not None and value is not False}
    )


def saved(client: Client, game: Definition, **changes: Any) -> OwnGame:
    """Return the game that the form of a copy makes, where texts with old numbers are kept as they are."""
    answer = copied(client, game, DOUBTED, **changes)
    assert answer.status_code == 302, answer.context["form"].errors
    return OwnGame.objects.get(retired_at=None)


def kept(cast: Cast, **changes: Any) -> OwnGame:
    game = shapes.read(Definition, {**shapes.write(HEARTS), "title": "Black Maria", **changes})
    return keep_game(by=cast.olga, club=cast.club, game=game)


@pytest.mark.parametrize("game", [JUST_POINTS, *SHIPPED.values()], ids=lambda game: game.title)
def test_a_copy_in_which_nothing_is_changed_is_the_same_game(cast: Cast, game: Definition) -> None:
    assert saved(logged_in(cast.olga), game).ruleset == ruleset_of(game).name


@pytest.mark.parametrize("game", SHIPPED.values(), ids=lambda game: game.title)
def test_a_copy_that_is_made_in_german_keeps_the_words_that_nobody_changed(
    cast: Cast, game: Definition
) -> None:
    client = logged_in(cast.olga)
    client.cookies["django_language"] = "de"
    assert saved(client, game).definition == shapes.write(game)


def test_names_numbers_bounds_and_tables_are_changed_in_the_form(cast: Cast) -> None:
    changes = {
        "title": "Black Maria",
        "seats": "3; 4",
        "target": "50",
        "fields.0.title": "Penalty",
        "fields.0.most": "43",
        "steps.2.cases.1.then": "43",
        "steps.2.cases.0.then": "−10",
        "checks.0.one_of": "43",
    }
    game = shapes.read(Definition, saved(logged_in(cast.olga), HEARTS, **changes).definition)
    assert (game.title, game.seats, game.target, game.checks[0].one_of) == ("Black Maria", (3, 4), 50, (43,))
    assert (game.fields[0].title, game.fields[0].most, game.fields[0].name) == ("Penalty", 43, "taken")
    cases: Any = game.steps[2]
    assert [case.then[0].times for case in cases.cases] == [-10, 43, 1]


def test_a_deal_of_a_copy_must_add_up_to_what_was_typed(cast: Cast) -> None:
    made = saved(logged_in(cast.olga), CANASTA, title="Our Canasta", adds_up="0; 500")
    game = shapes.read(Definition, made.definition)
    assert [(each.of, each.one_of) for each in game.checks] == [("sum_of_deal", (0, 500))]


def test_a_check_whose_numbers_are_taken_away_is_gone(cast: Cast) -> None:
    changes = {"title": "Our Hearts", "checks.0.one_of": ""}
    assert "checks" not in saved(logged_in(cast.olga), HEARTS, **changes).definition


def test_a_changed_definition_under_more_counts_instead_of_the_fields(cast: Cast) -> None:
    whole = json.dumps({**shapes.write(SKAT), "title": "Our Skat"})
    assert saved(logged_in(cast.olga), SKAT, definition=whole).title == "Our Skat"


def test_the_name_that_is_typed_beside_a_definition_is_kept(cast: Cast) -> None:
    whole = json.dumps({**shapes.write(SKAT), "rounds_of_dealers": 6})
    game = saved(logged_in(cast.olga), SKAT, title="Short Skat", definition=whole)
    assert (game.title, game.definition["rounds_of_dealers"]) == ("Short Skat", 6)


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"title": "Other"}, "title"),
        ({"target": "50"}, "definition"),
        ({"title": "Skat", "steps.0.name": "x"}, "definition"),
    ],
)
def test_what_is_typed_beside_a_definition_is_never_dropped(
    cast: Cast, changes: dict[str, str], wrong: str
) -> None:
    whole = json.dumps({**shapes.write(SKAT), "title": "Our Skat"})
    form = copied(logged_in(cast.olga), SKAT, **changes, definition=whole).context["form"]
    assert [*form.errors] == [wrong]
    assert form["definition"].value() == whole


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"seats": "4; 3"}, "seats"),
        ({"seats": "many"}, "seats"),
        ({"title": ""}, "title"),
        ({"title": "www.club.example"}, "title"),
        ({"fields.0.least": "30"}, "fields.0.least"),
        ({"fields.0.most": "100001"}, "fields.0.most"),
        ({"checks.0.one_of": "all"}, "checks.0.one_of"),
        ({"definition": "{"}, "definition"),
        ({"steps.2.cases.1.then": "taken +"}, "steps.2.cases.1.then"),
        ({"steps.2.cases.1.when": ""}, "steps.2.cases.1.when"),
        ({"steps.2.cases.1.then": "99999"}, "score"),
        ({"steps.0.of": "hearts"}, "steps.0.of"),
        ({"steps.2.name": "highest"}, "steps.2.name"),
    ],
)
def test_what_is_wrong_is_told_at_its_field_and_what_was_typed_stays(
    cast: Cast, changes: dict[str, str], wrong: str
) -> None:
    form = copied(logged_in(cast.olga), HEARTS, **changes).context["form"]
    assert [*form.errors] == [wrong]
    assert {name: form[name].value() for name in changes} == changes
    assert not OwnGame.objects.exists()


def test_a_formula_that_could_grow_too_large_is_refused_with_its_step(cast: Cast) -> None:
    form = copied(logged_in(cast.olga), HEARTS, **{"steps.2.cases.1.then": "99999"}).context["form"]
    assert "million" in str(form.errors)


def test_its_sheet_and_a_deal_are_shown_before_it_is_kept(cast: Cast) -> None:
    answer = copied(logged_in(cast.olga), HEARTS, "_preview", title="Black Maria")
    assert len(answer.context["preview"].scores) == 3
    assert answer.context["form"]["title"].value() == "Black Maria"
    assert not OwnGame.objects.exists()


def test_it_is_offered_first_where_a_competition_is_set_up_and_plays_by_its_definition(cast: Cast) -> None:
    game, client = kept(cast), logged_in(cast.olga)
    heading, first = client.get(ADD).context["games"][0]
    assert (heading, [each["ruleset"].title for each in first]) == ("Games of the club", ["Black Maria"])
    send(client, f"{ADD}?ruleset={first[0]['ruleset'].key}&plan=club_night", name="Autumn")
    made = Competition.objects.get()
    assert made.ruleset == game.ruleset
    assert made.options["definition"] == game.definition


def test_a_process_that_has_not_met_it_finds_it_by_its_name(cast: Cast, monkeypatch: Any) -> None:
    game = kept(cast)
    monkeypatch.setattr(rules, "_DEFINED", {})
    assert rules.find(game.ruleset).title == "Black Maria"


def test_one_that_is_retired_is_offered_no_more_until_it_is_kept_again(cast: Cast) -> None:
    game, client = kept(cast), logged_in(cast.olga)
    client.post(f"/admin/own_games/owngame/{game.pk}/retire/", {"sure": "1"})
    client.get(ADD)  # which tells that it is retired
    assert "Black Maria" not in client.get(ADD).content.decode()
    assert "Black Maria" in client.get(MAKE).content.decode()
    assert kept(cast).pk == game.pk
    assert "Black Maria" in client.get(ADD).content.decode()


def test_a_copy_takes_the_place_of_the_game_that_is_copied(cast: Cast) -> None:
    game, client = kept(cast), logged_in(cast.olga)
    definition = shapes.read(Definition, game.definition)
    assert not client.get(at(definition)).context["form"]["instead"].value()
    offered = saved(client, definition, target="50", instead="1")
    assert (offered.title, offered.definition["target"]) == ("Black Maria", 50)
    before = shapes.read(Definition, offered.definition)
    refused = copied(client, before, DOUBTED, target="60", instead="")
    assert [*refused.context["form"].errors] == ["title"]


def test_another_game_of_the_same_name_is_refused(cast: Cast) -> None:
    kept(cast)
    for name in ("Black Maria", "BLACK  maria", "Hearts", "skat", "Schieber-Jass"):
        with override("de"), pytest.raises(Malformed) as caught:
            kept(cast, target=50, title=name)
        assert [*caught.value.errors] == ["title"]


def test_organisers_of_other_clubs_neither_see_copy_nor_retire_it(cast: Cast) -> None:
    game, nora = kept(cast), logged_in(cast.nora)
    assert "Black Maria" not in nora.get(MAKE).content.decode()
    assert nora.get(f"/admin/own_games/owngame/{game.pk}/change/").status_code == 404
    nora.post(f"/admin/own_games/owngame/{game.pk}/retire/")
    game.refresh_from_db()
    assert game.retired_at is None
    with pytest.raises(PermissionDenied):
        retire_game(by=cast.nora, game=game)


def test_an_unknown_game_is_not_copied(cast: Cast) -> None:
    assert logged_in(cast.olga).get(f"{MAKE}?of=scoops").status_code == 404
    assert logged_in(cast.olga).get(f"{MAKE}?of=card-game-0000").status_code == 404


def test_a_preview_tells_the_new_numbers_and_asks_about_a_summary_that_has_not_changed(cast: Cast) -> None:
    number = "steps.6.cases.0.then"
    html = copied(logged_in(cast.olga), SKAT, "_preview", **{number: "counted + 60"}).content.decode()
    assert "Points = Counted + 60 if" in html and "Points = Counted + 50 if" not in html
    asked = "this is still the text of the game that is copied"
    assert asked in html
    same = copied(logged_in(cast.olga), SKAT, "_preview").content.decode()
    new = copied(logged_in(cast.olga), SKAT, "_preview", **{number: "counted + 60", "summary": "By 60."})
    assert asked not in same and asked not in new.content.decode()


def test_a_preview_doubts_texts_that_have_an_old_number(cast: Cast) -> None:
    check, doubt = "checks.0.", "this still has the old ones"
    wrong = {f"{check}one_of": "52"}
    assert doubt in copied(logged_in(cast.olga), HEARTS, "_preview", **wrong).content.decode()
    said = {**wrong, f"{check}says": "The points of a deal add up to 52."}
    shown = copied(logged_in(cast.olga), HEARTS, "_preview", **said)
    assert not shown.context["form"][f"{check}says"].help_text
    assert doubt not in copied(logged_in(cast.olga), HEARTS, "_preview").content.decode()


def test_a_copy_whose_texts_have_old_numbers_is_kept_once_that_was_asked(cast: Cast) -> None:
    client, changes = logged_in(cast.olga), {"title": "Hearts to 50", "target": "50"}
    asked = copied(client, HEARTS, **changes)
    told = [field.name for field in asked.context["form"].in_doubt]
    assert told == ["summary"] and f'name="{DOUBTED}"' in asked.content.decode()
    assert not OwnGame.objects.exists()
    assert copied(client, HEARTS, **changes, summary="The game ends at 50.").status_code == 302
    assert copied(client, HEARTS, DOUBTED, **{**changes, "title": "Hearts at 50"}).status_code == 302


def test_another_number_of_deals_is_refused_where_those_of_each_dealer_count(cast: Cast) -> None:
    client = logged_in(cast.olga)
    refused = copied(client, SKAT, title="Skat 24", deals="24")
    assert [*refused.context["form"].errors] == ["deals"]
    made = saved(client, SKAT, title="Skat 24", deals="24", rounds_of_dealers="0")
    assert shapes.read(Definition, made.definition).dealt(3) == 24


@pytest.mark.parametrize("game", SHIPPED.values(), ids=lambda game: game.title)
def test_the_deal_of_a_preview_brings_somebody_points(game: Definition) -> None:
    assert any(preview(game).scores)


@pytest.mark.parametrize(("sent", "target"), [({}, 50), ({"rules": "old"}, 100)])
def test_an_evening_that_is_run_again_asks_whether_the_changed_rules_count(
    cast: Cast, sent: dict[str, str], target: int
) -> None:
    game, client = kept(cast), logged_in(cast.olga)
    like = opened(cast, ruleset=game.ruleset, options={"rounds": 7})
    page = f"/admin/league/competition/{like.pk}/again/"
    assert "rules" not in client.get(page).context["form"].fields
    changed = {"title": "Black Maria", "target": 50}
    new = shapes.read(Definition, {**shapes.write(HEARTS), **changed})
    keep_game(by=cast.olga, club=cast.club, game=new, instead_of=game)
    form = client.get(page).context["form"]
    assert "Black Maria" in form["rules"].label and form["rules"].value() == "new"
    typed = {each.html_name: each.value() for each in form if each.value() is not None}
    answer = client.post(page, {**typed, "day": "2027-03-11", "name": "Again", **sent, "ticked_for": ""})
    assert answer.status_code == 302, answer.context["form"].errors
    made = Competition.objects.get(name="Again")
    assert (made.options["definition"]["target"], made.options["rounds"]) == (target, 7)


def test_a_new_name_asks_again_whether_the_game_that_is_copied_is_retired(cast: Cast) -> None:
    game, client = kept(cast), logged_in(cast.olga)
    page = f"{at(shapes.read(Definition, game.definition))}&instead=1"
    assert "instead=1" in client.get(f"/admin/own_games/owngame/{game.pk}/change/").content.decode()
    typed = {each.html_name: each.value() for each in client.get(page).context["form"]}
    assert (typed["instead"], typed["ticked_for"]) == (True, "Black Maria")
    typed = {name: value for name, value in typed.items() if value not in (None, False)}
    asked = client.post(page, {**typed, "title": "Red Maria", DOUBTED: "1"}).context["form"]
    assert [*asked.errors] == ["instead"] and not asked["instead"].value() and not asked["ticked_for"].value()
    again = {**typed, "title": "Red Maria", DOUBTED: "1", "ticked_for": ""}
    done = client.post(page, again, follow=True).content.decode()
    game.refresh_from_db()
    assert game.retired_at and "Black Maria is offered no more." in done


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"checks.0.one_of": "7000"}, ["checks.0.one_of"]),
        ({"checks.1.of": "highest"}, ["checks.1.one_of", "checks.1.says"]),
        ({"checks.1.says": "No."}, ["checks.1.of", "checks.1.one_of"]),
        (
            {
                "checks.0.one_of": "",
                "checks.1.of": "highest",
                "checks.1.one_of": "-9",
                "checks.1.says": "No.",
            },
            ["checks.1.one_of"],
        ),
    ],
)
def test_a_check_that_is_half_or_never_holds_is_refused_at_its_field(
    cast: Cast, changes: dict[str, str], wrong: list[str]
) -> None:
    form = copied(logged_in(cast.olga), HEARTS, DOUBTED, title="Ours", **changes).context["form"]
    assert sorted(form.errors) == wrong


def test_points_that_can_never_add_up_so_and_titles_that_are_there_twice_are_refused(cast: Cast) -> None:
    client, twice = logged_in(cast.olga), {"fields.1.title": "Melds", "fields.0.title": "melds"}
    refused = copied(client, JUST_POINTS, DOUBTED, title="Ours", adds_up="99999").context["form"]
    assert [*refused.errors] == ["adds_up"]
    assert [*copied(client, CANASTA, DOUBTED, title="Ours", **twice).context["form"].errors] == [
        "fields.1.title"
    ]
