"""The verbs of players on a competition's page, without scripts and safe from a second click."""

import re
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from games.engine.refusals import Illegal
from league.core.verbs.draw import DrawRound
from league.core.verbs.presence import CheckInEntry
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.stages import StartStage
from league.core.verbs.start import OpenEntries, StartCompetition
from league.core.verbs.tables import OpenTable
from league.models import Competition, Entry
from league.models.events import Event
from league.services.players import change_player
from tests.browsing import LogIn
from tests.factories import Cast, MemberFactory, PlayerFactory
from tests.league.acting import act, act_own, enter
from tests.league.playing import in_play, opened
from tests.league.test_deadlines import later, with_hours
from tests.web.conftest import Visit
from tests.web.test_browser import violations

LADDER = {"name": "Ladder", "format": "ladder", "rounds": 1, "table_size": 2}


def entering(cast: Cast, players: int = 0, **announced: Any) -> Competition:
    """Return a competition that players may enter."""
    competition = opened(cast, players, **announced)
    act(cast.olga, competition, OpenEntries)
    return competition


def shown(client: Client, competition: Competition) -> str:
    """Return the own part on the page, empty where there is none."""
    response = client.get(f"/competitions/{competition.slug}/").content.decode()
    found = re.search(r'<section class="panel" id="own".*?</section>', response, re.DOTALL)
    return found.group() if found else ""


def post(client: Client, competition: Competition, verb: str, **fields: str) -> str:
    """Press a button; return the page that follows."""
    given = {f"{verb}-{name}": value for name, value in fields.items()}
    answer = client.post(f"/competitions/{competition.slug}/me/{verb}/", given, follow=True)
    assert answer.redirect_chain == [(f"/competitions/{competition.slug}/", 302)]
    return answer.content.decode()


def test_a_refused_form_keeps_what_is_seen_of_it_until_its_competition_is_shown(
    cast: Cast, as_account: Visit
) -> None:
    competition, paul = in_play(cast, 4, stages=[LADDER]), as_account(cast.paul)
    other = entering(cast)
    paul.post(f"/competitions/{competition.slug}/me/open-table/", {"open-table-key": "stale"})
    assert "You have not entered yet" in shown(paul, other)
    again = shown(paul, competition)
    assert "<details open" in again and 'name="open-table-key"' in again and 'value="stale"' not in again
    assert "<details open" not in shown(paul, competition)


def test_a_player_enters_once_with_repeated_clicks(cast: Cast, as_account: Visit) -> None:
    competition, paul = entering(cast), as_account(cast.paul)
    before = shown(paul, competition)
    assert "You have not entered yet" in before
    assert "Enter this competition</button>" in before
    assert "You take part" not in before
    assert "Your entry" not in before
    for _ in range(2):
        assert "You have entered." in post(paul, competition, "enter")
    assert Event.objects.filter(event__type="entered").count() == 1
    after = shown(paul, competition)
    assert "takes part" in after
    assert "Your entry" in after
    assert "not entered yet" not in after


@pytest.mark.parametrize(
    ("announced", "said"),
    [({"approval": True}, "waits for an organiser’s approval"), ({"places": 1}, "waiting list")],
)
def test_an_applicant_is_told_what_comes_next(
    cast: Cast, as_account: Visit, announced: dict[str, Any], said: str
) -> None:
    competition = entering(cast, entering=announced)
    act_own(cast.petra, competition, "enter")
    assert said in post(as_account(cast.paul), competition, "enter")


def test_a_player_checks_in_is_absent_and_withdraws(cast: Cast, as_account: Visit) -> None:
    competition, paul = opened(cast, 5, entering={"check_in": True}), as_account(cast.paul)
    assert "checked in" in post(paul, competition, "check-in")
    for _ in range(2):
        post(paul, competition, "absent", round="1", reason="at the dentist")
    assert "You are absent from round 1." in shown(paul, competition)
    assert Event.objects.filter(event__type="absent").count() == 1
    assert "You will play in that round." in post(paul, competition, "present", round="1")
    assert "You have withdrawn." in post(paul, competition, "withdraw")


def test_a_latecomer_checks_in_while_a_round_is_played(cast: Cast, as_account: Visit) -> None:
    competition, paul = opened(cast, 5, entering={"check_in": True}), as_account(cast.paul)
    for entry in competition.entries.exclude(name="Paul Pike"):
        act(cast.olga, competition, CheckInEntry, entry=entry.pk)
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    page = shown(paul, competition)
    assert "You are absent from round 2." in page
    assert "Until you check in you miss every round." in page
    assert "Play after all" not in page
    assert "Miss a round" not in page
    page = post(paul, competition, "check-in")
    assert "You are absent" not in page
    assert "Miss a round" in page


def test_a_player_opens_one_table_of_a_ladder_with_one_form(cast: Cast, as_account: Visit) -> None:
    competition, paul = in_play(cast, 3, stages=[LADDER]), as_account(cast.paul)
    petra = Entry.objects.get(name="Petra Plum")
    for _ in range(2):
        assert "The table is open." in post(paul, competition, "open-table", key="k", with1=str(petra.pk))
    assert competition.games.count() == 1
    assert "Go to your table" in shown(paul, competition)


def test_ways_to_own_tables_have_the_numbers_of_the_tables(cast: Cast, as_account: Visit) -> None:
    competition, paul = in_play(cast, 4, stages=[LADDER]), as_account(cast.paul)
    by_number = [entry.pk for entry in competition.entries.order_by("number")]
    for pair in ((0, 1), (2, 3), (0, 2)):
        act(cast.olga, competition, OpenTable, entries=[by_number[each] for each in pair])
    page = shown(paul, competition)
    assert re.findall("Go to your table ([0-9])", page) == ["1", "3"]


def test_who_did_not_come_into_the_stage_is_told_so_and_offered_nothing_in_it(
    cast: Cast, as_account: Visit
) -> None:
    first = {**LADDER, "intake": {"seeding": "order"}}
    best = {**LADDER, "name": "Final", "intake": {"source": "best", "best": 2}}
    competition = opened(cast, stages=[first, best])
    people = [*cast.people(4)[2:], *cast.people(2)]
    begin = (StartCompetition(), DrawRound(), PublishRound(), CloseRound())
    enter(cast.olga, competition, people, *begin, StartStage(), DrawRound(), PublishRound())
    paul, first_of_all = (competition.entries.get(number=number).pk for number in (3, 1))
    page = shown(as_account(cast.paul), competition)
    assert "does not play in this stage" in page and "takes part" not in page
    assert "Open a table" not in page and "Miss a round" not in page
    with pytest.raises(Illegal, match="Not playing in this stage"):
        act_own(cast.paul, competition, "open-table", entries=[first_of_all, paul])


def test_a_challenge_is_refused_in_words_that_are_true(cast: Cast, as_account: Visit) -> None:
    competition, paul = in_play(cast, 3, stages=[LADDER]), as_account(cast.paul)
    form = shown(paul, competition)
    assert "Opponent" in form and "Opponent 1" not in form
    own, petra = (str(Entry.objects.get(name=name).pk) for name in ("Paul Pike", "Petra Plum"))
    with pytest.raises(Illegal, match="at least two entries"):
        act_own(cast.paul, competition, "open-table", entries=[own, own], once="k")
    act(cast.olga, competition, CloseRound)
    with pytest.raises(Illegal, match="No round is being played"):
        act_own(cast.paul, competition, "open-table", entries=[petra, own], once="k")


def test_a_player_of_a_ladder_is_away_and_leaves_at_once(cast: Cast, as_account: Visit) -> None:
    competition, paul = in_play(cast, 3, stages=[LADDER]), as_account(cast.paul)
    assert "Petra Plum</option>" in shown(paul, competition)
    act_own(cast.petra, competition, "absent")
    assert "Petra Plum</option>" not in shown(paul, competition)
    petra = Entry.objects.get(name="Petra Plum")
    stale = post(paul, competition, "open-table", key="k", with1=str(petra.pk))
    assert "Opponent: Petra Plum can’t be chosen any more (away). Choose again." in stale
    act_own(cast.petra, competition, "withdraw")
    stale = post(paul, competition, "open-table", key="k", with1=str(petra.pk))
    assert "Petra Plum can’t be chosen any more (withdrawn). Choose again." in stale
    assert "You have withdrawn." in post(paul, competition, "withdraw")


def test_a_team_enters_with_its_partner(cast: Cast, as_account: Visit) -> None:
    competition = entering(cast, lineup="partners", team_size=2)
    paul = as_account(cast.paul)
    post(paul, competition, "enter", partner2=str(cast.petra_plays.pk), name="The Pier")
    assert Entry.objects.get().name == "The Pier"
    account = MemberFactory.create(club=cast.club).account
    PlayerFactory.create(club=cast.club, account=account)
    late = post(as_account(account), competition, "enter", partner2=str(cast.petra_plays.pk))
    assert "Player 2: Petra Plum can’t be chosen any more (entered as The Pier). Choose again." in late
    assert "Player 2" in post(as_account(cast.petra), entering(cast, team_size=2, lineup="boards"), "enter")


def test_a_refused_verb_shows_an_error_and_changes_nothing(cast: Cast, as_account: Visit) -> None:
    competition = opened(cast)
    assert "Entries are not open." in post(as_account(cast.paul), competition, "enter")
    assert not Entry.objects.exists()


def test_anonymous_users_are_asked_to_log_in_and_strangers_to_ask_an_organiser(
    client: Client, cast: Cast, as_account: Visit
) -> None:
    address = f"/competitions/{entering(cast).slug}/"
    assert f"/account/login/?next={address}" in client.get(address).content.decode()
    assert "ask an organiser" in as_account(cast.nora).get(address).content.decode()


@pytest.mark.parametrize("verb", ["enter", "withdraw", "check-in", "absent", "present", "open-table"])
def test_only_players_of_the_club_get_buttons(
    client: Client, cast: Cast, as_account: Visit, verb: str
) -> None:
    address = f"/competitions/{entering(cast).slug}/me/{verb}/"
    assert client.post(address)["Location"].startswith("/account/login/")
    assert as_account(cast.nora).post(address).status_code == 403
    assert as_account(cast.paul).get(address).status_code == 405


def test_a_kept_page_offers_no_table_after_the_deadline(cast: Cast, as_account: Visit) -> None:
    competition, paul = with_hours(cast, stages=[{**LADDER, "hours": 24}]), as_account(cast.paul)
    address = f"/competitions/{competition.slug}/"
    with later(23):
        kept = {"If-None-Match": paul.get(address)["ETag"]}
        assert paul.get(address, headers=kept).status_code == 304
    with later(26):
        assert "Open a table" not in paul.get(address, headers=kept).content.decode()
        assert paul.get(address, headers=kept).status_code == 200


def test_an_unknown_verb_is_not_found(cast: Cast, as_account: Visit) -> None:
    address = f"/competitions/{entering(cast).slug}/me/win/"
    assert as_account(cast.paul).post(address).status_code == 404


def test_the_page_changes_when_an_account_becomes_a_player(cast: Cast, as_account: Visit) -> None:
    competition = entering(cast)
    change_player(by=cast.olga, player=cast.paul_plays, name="Paul Pike", account=None, active=True)
    paul, address = as_account(cast.paul), f"/competitions/{competition.slug}/"
    tag = paul.get(address)["ETag"]
    change_player(by=cast.olga, player=cast.paul_plays, name="Paul Pike", account=cast.paul, active=True)
    assert paul.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_the_number_of_queries_does_not_depend_on_the_number_of_entries(
    cast: Cast, as_account: Visit, django_assert_max_num_queries: Any
) -> None:
    competition, paul = in_play(cast, 24, stages=[LADDER]), as_account(cast.paul)
    with django_assert_max_num_queries(32):
        assert "Open a table" in shown(paul, competition)


@pytest.mark.parametrize("width", [1280, 360])
def test_the_form_works_at_any_width_by_keyboard(cast: Cast, page: Page, log_in: LogIn, width: int) -> None:
    competition = entering(cast, 0, entering={"check_in": True})
    log_in(page, cast.paul)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/competitions/{competition.slug}/")
    page.get_by_role("button", name="Enter").press("Enter")
    expect(page.get_by_text("You have entered.")).to_be_visible()
    page.get_by_role("button", name="Check in").press("Enter")
    expect(page.get_by_text("checked in", exact=True)).to_be_visible()
    page.get_by_text("Miss a round").first.press("Enter")
    page.get_by_role("textbox", name="Reason").first.fill("at the dentist")
    assert violations(page) == []
    page.get_by_role("button", name="Miss a round").press("Enter")
    expect(page.get_by_text("You are absent from round 1.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
