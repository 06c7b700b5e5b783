"""Two players of one name in a competition: every page and print tells them apart, each by one name."""

import html
import re

import pytest
from django.test import Client

from league.admin.fields import RowField
from league.core.state.entries import seat_names, seats_told_apart
from league.core.verb import Verb
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import OpenEntries, StartCompetition
from league.models import Competition, Player
from league.services.players import create_player
from tests.factories import Cast
from tests.league.acting import act, enter
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, page, page_text
from tests.league.test_name_lists import enter as enter_names
from tests.league.test_name_lists import names
from tests.league.walking import text_of

NAME = "Ada Able"


def of_two(cast: Cast, *verbs: Verb) -> Competition:
    """Return a competition of four players, two of whom are named Ada Able."""
    adas = [create_player(by=cast.olga, club=cast.club, name=NAME) for _ in range(2)]
    competition = opened(cast, entering={"check_in": not verbs})
    enter(cast.olga, competition, [*adas, *cast.people(2)], *verbs)
    competition.refresh_from_db()
    return competition


def once_each(text: str) -> bool:
    """Return whether a text has "Ada Able" and "Ada Able (2)", and neither twice in a row."""
    return text.count(f"{NAME} (2)") >= 1 and text.count(NAME) == 2 * text.count(f"{NAME} (2)")


@pytest.mark.parametrize(
    ("player", "entry", "said"),
    [
        (NAME, NAME, (NAME, "")),
        (NAME, f"{NAME} (2)", (f"{NAME} (2)", "")),
        (NAME, "The Aces", (NAME, "The Aces")),
        (NAME, f"{NAME} & Bo Bell", (NAME, "")),
        ("Bo Bell", f"{NAME} & Bo Bell (2)", ("Bo Bell", "")),
    ],
)
def test_a_seat_is_named_after_its_player_and_its_entry(
    player: str, entry: str, said: tuple[str, str]
) -> None:
    assert seat_names(player, entry) == said


def test_the_desk_tells_them_apart_in_a_drawn_and_in_a_published_round(cast: Cast) -> None:
    competition, olga = of_two(cast, StartCompetition(), DrawRound()), logged_in(cast.olga)
    drawn = page_text(page(olga, competition))
    assert f">{NAME} (2)</span>" in drawn
    assert f"{NAME} <span" not in drawn
    act(cast.olga, competition, PublishRound)
    seats = page_text(page(olga, competition)).split("<tbody>")[1].split("</tbody>")[0]
    assert f"{NAME} (2)" in seats


def test_the_list_of_players_to_tick_says_who_is_who(cast: Cast) -> None:
    create_player(by=cast.olga, club=cast.club, name=NAME)
    of_two(cast)
    shown = page_text(ask(logged_in(cast.olga), opened(cast, name="Winter"), "enter"))
    for who in ("(never entered)", "(last: Ada Able in Autumn)", "(last: Ada Able (2) in Autumn)"):
        assert f"{NAME} {who}" in shown
    assert "Paul Pike (" not in shown


def test_the_public_page_tells_them_apart(client: Client, cast: Cast) -> None:
    competition = of_two(cast, StartCompetition(), DrawRound(), PublishRound())
    shown = client.get(f"/competitions/{competition.slug}/").content.decode()
    assert f"{NAME} (2)" in shown
    assert f"<small>{NAME}" not in shown
    assert f'<span class="why">{NAME}' not in shown


@pytest.mark.parametrize("name", ["pairings", "names"])
def test_prints_tell_them_apart(client: Client, cast: Cast, name: str) -> None:
    competition = of_two(cast, StartCompetition(), DrawRound(), PublishRound())
    shown = text_of(client.get(f"/competitions/{competition.slug}/print/{name}.pdf"))
    assert once_each(shown)
    assert f"({NAME}" not in shown


@pytest.mark.parametrize("path", ["player/", "invitation/many/"])
def test_lists_of_people_say_who_is_who(cast: Cast, path: str) -> None:
    create_player(by=cast.olga, club=cast.club, name=NAME)
    of_two(cast)
    shown = page_text(logged_in(cast.olga).get(f"/admin/league/{path}"))
    for who in ("(never entered)", "(last: Ada Able in Autumn)", "(last: Ada Able (2) in Autumn)"):
        assert f"{NAME} {who}" in shown


def test_two_who_never_entered_are_told_apart_where_they_are_listed_and_chosen(cast: Cast) -> None:
    for _ in range(2):
        create_player(by=cast.olga, club=cast.club, name=NAME)
    told = [f"{NAME} (never entered, added as number {number} of 2)" for number in (1, 2)]
    field = RowField(Player.objects.filter(name=NAME))
    assert sorted(field.label_from_instance(player) for player in field.queryset or ()) == told
    form = page_text(logged_in(cast.olga).get("/admin/league/invitation/add/"))
    assert all(form.count(f">{each}</option>") == 1 for each in told)
    competition = opened(cast, lineup="partners", team_size=2)
    act(cast.olga, competition, OpenEntries)
    for part in ("players/", ""):
        shown = page_text(logged_in(cast.paul).get(f"/clubs/{cast.club.slug}/{part}"))
        assert all(shown.count(each) == 1 for each in told), part
    shown = page_text(logged_in(cast.paul).get(f"/competitions/{competition.slug}/"))
    assert all(each in shown for each in told)


def test_who_shares_a_name_has_the_partner_also_where_the_other_ones_team_has_a_name() -> None:
    seats = [(NAME, "Reds"), ("Bo", "Reds"), (NAME, f"{NAME} & Cy"), ("Cy", f"{NAME} & Cy")]
    assert seats_told_apart(seats) == [(NAME, "Reds"), ("Bo", "Reds"), (NAME, f"{NAME} & Cy"), ("Cy", "")]


def test_lists_of_people_to_choose_say_who_is_who(cast: Cast) -> None:
    of_two(cast)
    field = RowField(Player.objects.filter(name=NAME))
    labels = [field.label_from_instance(player) for player in field.queryset or ()]
    assert f"{NAME} (last: Ada Able (2) in Autumn)" in labels and NAME not in labels


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


@pytest.fixture
def pairs(cast: Cast) -> Competition:
    return opened(cast, lineup="partners", team_size=2)


def test_teams_of_namesakes_are_asked_about_line_by_line(
    olga: Client, cast: Cast, pairs: Competition
) -> None:
    other = create_player(by=cast.olga, club=cast.club, name="Paul Pike")
    lines = ["Paul Pike & Petra Plum", "", "Paul Pike & Zsa Gray"]
    page = enter_names(olga, pairs, *lines, add="on")
    asked = re.findall(r"<legend>(.*?)</legend>", page)
    assert asked == [
        "Line 1, Paul Pike &amp; Petra Plum: who is Paul Pike?",
        "Line 3, Paul Pike &amp; Zsa Gray: who is Paul Pike?",
    ]
    assert "On the list more than once" not in page
    one, two = re.findall(rf'name="(who:[^"]*)" value="{other.pk}"', page)
    answers = {html.unescape(one): str(other.pk), html.unescape(two): str(other.pk)}
    assert "one player cannot be meant in two lines" in enter_names(olga, pairs, *lines, add="on", **answers)
    assert not pairs.entries.exists()
    answers[html.unescape(two)] = str(cast.paul_plays.pk)
    enter_names(olga, pairs, *lines, add="on", **answers)
    assert other.entered.get().entry.members.filter(player__name="Petra Plum").exists()


def test_teams_of_a_player_and_somebody_new_of_one_name_are_asked_who_is_new(
    olga: Client, cast: Cast, pairs: Competition
) -> None:
    lines = ["Paul Pike & Petra Plum", "Paul Pike & Zsa Gray"]
    sent = {"add": "on", "namesakes": "several"}
    page = enter_names(olga, pairs, *lines, **sent)
    fields = [html.unescape(each) for each in re.findall(r'name="(who:[^"]*)" value="new"', page)]
    who = dict(zip(fields, ("new", str(cast.paul_plays.pk)), strict=True))
    enter_names(olga, pairs, *lines, **sent, **who)
    assert cast.paul_plays.entered.get().entry.members.filter(player__name="Zsa Gray").exists()


def test_teams_that_are_on_the_list_again_are_offered_to_be_left_out_once(
    olga: Client, pairs: Competition
) -> None:
    lines = ["Paul Pike & Petra Plum", "petra plum & Paul Pike"]
    page = enter_names(olga, pairs, *lines)
    assert "Line 2: petra plum &amp; Paul Pike" in page
    assert 'type="radio"' not in page
    assert not pairs.entries.exists()
    enter_names(olga, pairs, *lines, doubled="out")
    assert names(pairs) == ["Paul Pike & Petra Plum"]
