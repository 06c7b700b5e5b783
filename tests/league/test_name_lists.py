"""Players enter a competition by a list of names, and new ones are added to the club on the way."""

import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.start import StartCompetition
from league.models import ClubChange, Competition, Player
from league.queries.names import lines_of, wrong_lines
from league.services.players import change_player, create_player
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, entries, page_text, post

pytestmark = pytest.mark.usefixtures("locks_in_order")
NEW = "Add them as new players of the club"


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def names(competition: Competition) -> list[str]:
    return [entry.name for entry in entries(competition)]


def enter(client: Client, competition: Competition, *listed: str, **more: Any) -> str:
    return page_text(post(client, competition, "enter-names", names="\n".join(listed), **more))


def test_known_names_are_entered_in_the_order_of_the_list(olga: Client, cast: Cast) -> None:
    competition = opened(cast)
    assert NEW in page_text(ask(olga, competition, "enter-names"))
    assert "2 entries were added." in enter(olga, competition, "PETRA  PLUM", "", "paul pike")
    assert names(competition) == ["Petra Plum", "Paul Pike"]
    assert "Nothing had to be changed." in enter(olga, competition, "Petra Plum")


@pytest.mark.parametrize("written", ["Pe\u200btra Plum", "\u2068Petra Plum\u2069", "Petra\u00a0Plum"])
def test_a_name_copied_with_marks_is_the_players(olga: Client, cast: Cast, written: str) -> None:
    competition = opened(cast)
    enter(olga, competition, written)
    assert names(competition) == ["Petra Plum"]


@pytest.mark.parametrize("written", ["• Petra Plum", "- Petra Plum", "Petra\u2028Plum", "-\nPetra Plum\n–"])
def test_bullets_dashes_and_broken_lines_are_no_part_of_a_name(
    olga: Client, cast: Cast, written: str
) -> None:
    competition = opened(cast)
    enter(olga, competition, written)
    assert names(competition) == ["Petra Plum"]


def test_a_name_that_is_too_long_is_told_with_its_line(olga: Client, cast: Cast) -> None:
    competition = opened(cast)
    assert "Line 2: Ensure this value has at most 100 characters" in enter(
        olga, competition, "Petra Plum", "Pe" * 60
    )
    assert not entries(competition)


@pytest.mark.parametrize("written", ["Siobhan O'Brien", "Siobhán O’Brien", "SIOBHAN O´BRIEN"])
def test_apostrophes_and_accents_make_no_difference(olga: Client, cast: Cast, written: str) -> None:
    competition = opened(cast)
    create_player(by=cast.olga, club=cast.club, name="Siobhán O’Brien")
    enter(olga, competition, written)
    assert names(competition) == ["Siobhán O’Brien"]


def test_unknown_names_are_listed_with_the_nearest_name_and_a_box_to_add_them(
    olga: Client, cast: Cast
) -> None:
    competition = opened(cast)
    page = enter(olga, competition, "Paul Pyke", "Zsa Zsa Gray", "Petra Plum")
    assert "2 names are unknown in the club." in page
    assert "Paul Pyke (did you mean Paul Pike?)" in page
    assert "<li>Zsa Zsa Gray</li>" in page and NEW in page
    assert not entries(competition) and not Player.objects.filter(name="Zsa Zsa Gray").exists()


def test_a_name_that_is_unknown_twice_counts_once(olga: Client, cast: Cast) -> None:
    assert "1 name is unknown in the club." in enter(
        olga, opened(cast), "Zsa Gray", "zsa gray", namesakes="one"
    )


def test_all_names_like_known_ones_are_asked_about_on_one_page(olga: Client, cast: Cast) -> None:
    competition = opened(cast)
    listed = ("Paul Pyke", "Petra Plumm", "Peter Plumm")
    page = enter(olga, competition, *listed)
    assert all(f'name="is:{name}" value=""' in page for name in listed)
    assert 'name="is:Paul Pyke" value="Paul Pike"' in page
    page = enter(olga, competition, *listed, **{"is:Paul Pyke": "Paul Pike", "is:Petra Plumm": ""})
    assert '<input type="hidden" name="is:Petra Plumm" value="">' in page and not entries(competition)
    said = {"is:Paul Pyke": "Paul Pike", "is:Petra Plumm": "Petra Plum", "is:Peter Plumm": ""}
    enter(olga, competition, *listed, **said)
    assert names(competition) == ["Paul Pike", "Petra Plum", "Peter Plumm"]


def test_a_club_without_players_is_offered_to_add_them_from_the_start(olga: Client, cast: Cast) -> None:
    competition = opened(cast)
    box = r'<input type="checkbox" name="add"[^>]*>'
    (shown,) = re.findall(box, page_text(ask(olga, competition, "enter-names")))
    assert "checked" not in shown
    Player.objects.filter(club=cast.club).delete()
    (shown,) = re.findall(box, page_text(ask(olga, competition, "enter-names")))
    assert "checked" in shown


def test_the_box_adds_and_enters_unknown_players_once(olga: Client, cast: Cast) -> None:
    competition = opened(cast)
    sent = {"add": "on", "seq": competition.seq + 1}
    for _ in range(2):
        enter(olga, competition, "Zsa Zsa Gray", "Petra Plum", **sent)
    assert names(competition) == ["Zsa Zsa Gray", "Petra Plum"]
    assert Player.objects.get(name="Zsa Zsa Gray").club == cast.club


@pytest.mark.parametrize("said", [{"is:Paul Pyke": ""}, {"others": "new"}])
def test_new_names_near_known_ones_are_added_once_that_is_said_of_each_or_of_all(
    olga: Client, cast: Cast, said: dict[str, str]
) -> None:
    competition = opened(cast)
    for _again in range(2):
        page = enter(olga, competition, "Paul Pyke", "Zsa Zsa Gray", add="on")
        assert "Paul Pyke (did you mean Paul Pike?)" in page and "All who have no answer are new" in page
    assert not entries(competition)
    enter(olga, competition, "Paul Pyke", "Zsa Zsa Gray", add="on", **said)
    assert names(competition) == ["Paul Pyke", "Zsa Zsa Gray"]


def test_names_of_one_list_that_are_alike_are_asked_about_in_a_club_without_players(
    olga: Client, cast: Cast
) -> None:
    Player.objects.filter(club=cast.club).delete()
    competition = opened(cast)
    listed = ("Hans Müller", "Guest 1", "Guest 2", "Hans Mueller", "Max Huber", "Mia Huber")
    page = enter(olga, competition, *listed, add="on")
    assert re.findall(r"([\w ]+) \(did you mean ([\w ]+)\?\)", page) == [("Hans Mueller", "Hans Müller")]
    enter(olga, competition, *listed, add="on", **{"is:Hans Mueller": "Hans Müller"})
    assert names(competition) == ["Hans Müller", "Guest 1", "Guest 2", "Max Huber", "Mia Huber"]


def test_a_long_list_needs_no_more_queries_than_a_short_one(olga: Client, cast: Cast) -> None:
    asked = []
    for count in (5, 60):
        competition = opened(cast, name=f"Of {count}")
        listed = [f"Guest {count}.{number}" for number in range(count)]
        with CaptureQueriesContext(connection) as queries:
            enter(olga, competition, *listed, add="on", others="new")
        assert names(competition) == listed
        asked.append(len(queries))
    assert asked[1] <= asked[0]
    assert ClubChange.objects.filter(kind="player_made").count() == 65


def test_a_name_that_nobody_can_have_adds_nobody(olga: Client, cast: Cast) -> None:
    competition = opened(cast)
    assert "at most 100 characters" in enter(olga, competition, "Ada Able", "x" * 101, add="on")
    assert not Player.objects.filter(name="Ada Able").exists()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Pike Paul", "Paul Pike"), ("Petr Plumm", "Petra Plum")],
)
def test_swapped_names_and_slips_of_the_pen_are_recognised(
    olga: Client, cast: Cast, typed: str, meant: str
) -> None:
    assert f"{typed} (did you mean {meant}?)" in enter(olga, opened(cast), typed)


def test_where_entering_is_refused_nobody_is_added(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 2)
    page = enter(olga, competition, "Zsa Zsa Gray", add="on", seq=1)
    assert "Somebody else was faster." in page
    assert not Player.objects.filter(name="Zsa Zsa Gray").exists()


def test_a_player_who_is_not_active_is_not_added_again(olga: Client, cast: Cast) -> None:
    competition, paul = opened(cast), cast.paul_plays
    change_player(by=cast.olga, player=paul, name=paul.name, account=None, active=False)
    page = enter(olga, competition, "Paul Pike", add="on")
    assert "Paul Pike is a player of the club, but not active." in page
    assert Player.objects.filter(name="Paul Pike").count() == 1


class TestANameThatIsThereTwice:
    """Two people, or one: that is asked before anybody enters."""

    LISTED = ("Zsa", "PAUL PIKE", "zsa", "Paul Pike")

    def test_is_asked_about_with_a_warning(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        page = enter(olga, competition, *self.LISTED, add="on")
        assert re.findall(r"<legend>(.*?)</legend>", page) == ["Zsa", "PAUL PIKE"]
        assert 'name="twice:paul pike" value="several"' in page
        assert "These are different people: enter them all" in page
        assert not entries(competition)
        page = enter(olga, competition, "Zsa", "Zsa", add="on")
        assert "These are two people: enter both" in page

    def test_is_entered_once_where_it_is_one_person(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        assert "2 entries were added." in enter(olga, competition, *self.LISTED, add="on", namesakes="one")
        assert names(competition) == ["Zsa", "Paul Pike"]

    def test_is_entered_as_often_as_people_have_it(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        sent = {"add": "on", "namesakes": "several", "seq": competition.seq + 1}
        for _ in range(2):
            enter(olga, competition, *self.LISTED, **sent)
        assert names(competition) == ["Zsa", "Paul Pike", "zsa", "Paul Pike (2)"]
        assert Player.objects.filter(name="Paul Pike").count() == 2

    def test_has_an_answer_of_its_own_beside_others(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        answers = {"twice:zsa": "several", "twice:paul pike": "one"}
        enter(olga, competition, *self.LISTED, add="on", **answers)
        assert names(competition) == ["Zsa", "Paul Pike", "zsa"]

    def test_keeps_the_answer_while_another_question_is_open(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        page = enter(olga, competition, "Zsa", "Zsa", namesakes="several")
        assert "1 name is unknown in the club." in page
        assert '<input type="hidden" name="twice:zsa" value="several">' in page
        enter(olga, competition, "Zsa", "Zsa", namesakes="several", add="on")
        assert names(competition) == ["Zsa", "Zsa (2)"]


def test_who_is_meant_of_players_of_one_name_is_asked_about_all_names_at_once(
    olga: Client, cast: Cast
) -> None:
    competition = opened(cast)
    listed = ("Petra Plum", "Paul Pike")
    _petra, paul = (create_player(by=cast.olga, club=cast.club, name=name) for name in listed)
    page = enter(olga, competition, *listed)
    assert re.findall(r"<legend>(.*?)</legend>", page) == [*listed]
    assert [page.count(f"(never entered, added as number {at} of 2)") for at in (1, 2)] == [2, 2]
    assert not entries(competition)
    meant = {"who:paul pike": paul.pk, "who:petra plum": cast.petra_plays.pk}
    enter(olga, competition, *listed, **meant)
    entered = [entry.members.get().player for entry in entries(competition)]
    assert entered == [cast.petra_plays, paul]


def test_numbers_before_pasted_names_are_dropped() -> None:
    pasted = "1. Xaver Huber\n2) Berta Maier\n\n 10.Ada\n11\tBo\n12.\tCy\nLouis 14.\n2Pac\n13."
    assert lines_of(pasted) == (
        *("Xaver Huber", "Berta Maier", "Ada", "Bo", "Cy"),
        *("Louis 14.", "2Pac", "13."),
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("3. Bo Bell\tbo@example.org", "There is a tab after “Bo Bell”."),
        ("Bo\x07 Bell", "The character after “Bo” cannot be printed (U+0007)."),
        ("Bo\ue000 Bell", "A name must not have characters that cannot be seen."),
    ],
)
def test_a_wrong_line_of_a_pasted_list_is_told_by_its_number(line: str, why: str) -> None:
    (said,) = wrong_lines(f"Ada\n\n{line}\n")
    assert said.startswith(f"Line 3: {why}")


def test_who_has_withdrawn_is_not_offered_again_but_can_return(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 5)
    act(cast.olga, competition, StartCompetition)
    petra = competition.entries.get(name="Petra Plum")
    act(cast.olga, competition, WithdrawEntry, entry=str(petra.pk))
    page = page_text(ask(olga, competition, "enter"))
    link = f"do/return-entry/?entries={petra.pk}"
    assert "Let Petra Plum return from round 1 on" in page
    assert link in page
    assert f'value="{cast.petra_plays.pk}"' not in page
    assert re.search(
        rf'value="{petra.pk}"[^>]*checked', page_text(ask(olga, competition, *link[3:].split("/")))
    )
    assert "Withdrawn already: Petra Plum. Use “Return” instead" in enter(olga, competition, "Petra Plum")
    assert competition.entries.filter(name="Petra Plum").count() == 1


def test_where_a_club_has_no_players_the_page_leads_to_a_list_of_names(olga: Client, cast: Cast) -> None:
    competition = opened(cast)
    Player.objects.filter(club=cast.club).delete()
    page = page_text(ask(olga, competition, "enter"))
    assert "The club has no players yet. Enter a list of names" in page
    assert "All players have entered." not in page
    link = f'<a class="tf-button primary" href="/admin/league/competition/{competition.pk}/do/enter-names/">'
    assert link in page


def test_where_everybody_has_entered_the_page_says_how_to_add_more(olga: Client, cast: Cast) -> None:
    competition = opened(cast)
    assert "All players have entered." not in page_text(ask(olga, competition, "enter"))
    enter(olga, competition, *Player.objects.filter(club=cast.club).values_list("name", flat=True))
    page = page_text(ask(olga, competition, "enter"))
    assert "All players have entered. Add players, or enter a list of names." in page
    assert 'href="/admin/league/player/add/"' in page
    assert f"/admin/league/competition/{competition.pk}/do/enter-names/" in page


class TestNewcomers:
    """The form with the list of players takes people who are new to the club, too."""

    def enter(self, olga: Client, competition: Competition, newcomers: str, **more: Any) -> str:
        return page_text(post(olga, competition, "enter", newcomers=newcomers, **more))

    def test_are_added_and_entered_after_those_who_are_ticked(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        said = self.enter(olga, competition, "Zsa Zsa\nAda", players=[cast.petra_plays.pk])
        assert "3 entries were added." in said
        assert names(competition) == ["Petra Plum", "Zsa Zsa", "Ada"]

    @pytest.mark.parametrize("entered", [(), ("Paul Pike",)])
    def test_of_names_that_players_have_are_asked_about_each_with_an_answer_of_its_own(
        self, olga: Client, cast: Cast, entered: tuple[str, ...]
    ) -> None:
        competition = opened(cast)
        if entered:
            enter(olga, competition, *entered)
        said = self.enter(olga, competition, "Paul Pike\nPetra Plum\nZsa")
        assert re.findall(r"<legend>(.*?)</legend>", said)[:2] == ["Paul Pike", "Petra Plum"]
        assert ("Paul Pike, who has entered already" in said) == bool(entered)
        answers = {"who:paul pike": "new", "who:petra plum": str(cast.petra_plays.pk)}
        self.enter(olga, competition, "Paul Pike\nPetra Plum\nZsa", **answers)
        paul = "Paul Pike (2)" if entered else "Paul Pike"
        assert names(competition) == [*entered, "Petra Plum", paul, "Zsa"]
        assert Player.objects.filter(name="Paul Pike").count() == 2
        assert Player.objects.filter(name="Petra Plum").count() == 1

    def test_two_of_the_name_of_two_who_have_entered_add_nobody(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        other = create_player(by=cast.olga, club=cast.club, name="Paul Pike")
        act(cast.olga, competition, EnterPlayers, players=[other.pk])
        act(cast.olga, competition, EnterPlayers, players=[cast.paul_plays.pk])
        page = self.enter(olga, competition, "Paul Pike\nPaul Pike\nZsa", namesakes="several")
        assert page.count('type="checkbox" name="who:paul pike"') == 3
        both = [str(other.pk), str(cast.paul_plays.pk)]
        self.enter(
            olga, competition, "Paul Pike\nPaul Pike\nZsa", namesakes="several", **{"who:paul pike": both}
        )
        assert names(competition)[2:] == ["Zsa"]
        said = enter(olga, competition, "Paul Pike", "paul pike", "Zsa")
        assert "Nothing had to be changed." in said

    def test_two_of_one_name_are_asked_about(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        assert "These are two people: enter both" in self.enter(olga, competition, "Zsa\nZsa")
        self.enter(olga, competition, "Zsa\nZsa", namesakes="several")
        assert names(competition) == ["Zsa", "Zsa (2)"]

    def test_with_a_name_near_to_a_known_one_are_asked_about(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        asked = self.enter(olga, competition, "Paul Pyke")
        assert f'name="who:paul pyke" value="{cast.paul_plays.pk}"> Paul Pike' in asked
        assert not entries(competition)
        self.enter(olga, competition, "Paul Pyke", **{"who:paul pyke": "new"})
        assert names(competition) == ["Paul Pyke"]

    def test_nobody_at_all_is_an_error(self, olga: Client, cast: Cast) -> None:
        assert "Choose somebody." in self.enter(olga, opened(cast), "")


class TestSearch:
    """Long lists have a search field, which works without scripts too."""

    @pytest.fixture
    def many(self, cast: Cast) -> Competition:
        cast.people(20)
        return opened(cast)

    def test_narrows_the_players_to_tick(self, olga: Client, many: Competition) -> None:
        page = page_text(ask(olga, many, "enter"))
        assert 'name="find-players"' in page
        assert "Petra Plum" in page
        narrowed = page_text(ask(olga, many, "enter", "?find-players=PIKE+p%C3%A1ul"))
        assert "Paul Pike" in narrowed
        assert "Petra Plum" not in narrowed

    def test_narrows_the_seats_of_an_exchange(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 16)
        for verb in (StartCompetition, DrawRound):
            act(cast.olga, competition, verb)
        competition.refresh_from_db()
        page = ask(olga, competition, "move-seat", "?find-one=pike")
        one, other = (page.context["form"].fields[name].choices for name in ("one", "other"))
        assert [label.partition(": ")[2] for _, label in one] == ["Paul Pike"]
        assert len(list(other)) == 16

    def test_narrows_the_entries_of_a_competition(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 16)
        shown = olga.get(f"/admin/league/competition/{competition.pk}/change/?find=plum")
        assert [row.entry.name for row in shown.context["entries"]] == ["Petra Plum"]

    def test_is_left_out_of_short_lists(self, olga: Client, cast: Cast) -> None:
        assert "find-players" not in page_text(ask(olga, opened(cast), "enter"))


class TestTeams:
    """Lines of a list of names where entries are teams: each is one team."""

    @pytest.fixture
    def pairs(self, cast: Cast) -> Competition:
        cast.people(4)
        return opened(cast, lineup="partners", team_size=2)

    @pytest.mark.parametrize(
        "line",
        [
            "paul pike & PETRA  PLUM",
            "1. Paul Pike, Petra Plum",
            "• Paul Pike / Pe\u200btra Plum",
            "1\tPaul Pike\tPetra Plum",
            "Paul Pike ; Petra Plum",
            "Paul Pike + Petra Plum",
            "Paul Pike und Petra Plum",
            "Paul Pike and Petra Plum",
        ],
    )
    def test_are_entered_as_the_teams_of_their_lines_once(
        self, olga: Client, pairs: Competition, line: str
    ) -> None:
        enter(olga, pairs, line, "")
        assert names(pairs) == ["Paul Pike & Petra Plum"]
        assert "Nothing had to be changed." in enter(olga, pairs, line)

    @pytest.mark.parametrize("line", ["The Aces: Paul Pike & Petra Plum", "The Aces\tPaul Pike\tPetra Plum"])
    def test_have_the_name_before_their_players(self, olga: Client, pairs: Competition, line: str) -> None:
        enter(olga, pairs, line)
        assert names(pairs) == ["The Aces"]

    def test_with_too_few_or_too_many_players_are_told_and_nobody_enters(
        self, olga: Client, pairs: Competition
    ) -> None:
        page = enter(olga, pairs, "Paul Pike & Petra Plum", "Zsa Gray", "A & B & C", add="on")
        assert "Line 2: 1 name (Zsa Gray), but a team here has 2 players." in page
        assert "Line 3: 3 names (A, B, C), but a team here has 2 players." in page
        assert "Paul Pike &amp; Petra Plum\nZsa Gray" in page
        assert not pairs.entries.exists()
        assert not Player.objects.filter(name="Zsa Gray").exists()

    def test_may_have_the_word_for_the_sign_in_a_name(self, olga: Client, pairs: Competition) -> None:
        line = "Wolf Zeh von und zu Hohen, Berg & Petra Plum"
        page = enter(olga, pairs, line, "Paul Pyke und Zsa Gray", **{"is:Paul Pyke": "Paul Pike"})
        assert line in unescape(page) and not pairs.entries.exists()
        enter(olga, pairs, line, add="on", others="new")
        assert names(pairs) == ["Wolf Zeh von und zu Hohen, Berg & Petra Plum"]

    def test_with_two_readings_are_asked_about(self, olga: Client, pairs: Competition) -> None:
        enter(olga, pairs, "Paul Pike & Petra Plum")
        page = enter(olga, pairs, "Paul Pike & Petra Plum", "Ann und Bo Berg, Cy Li", add="on")
        assert (
            "Line 2: This can be read as “Ann und Bo Berg & Cy Li” or as “Ann & Bo Berg, Cy Li”. "
            "Write it like one of them." in unescape(page)
        )
        assert "1 line is skipped, because it has entered already: 1 (Paul" in unescape(page)
        assert pairs.entries.count() == 1

    def test_keep_their_line_where_a_suggestion_is_taken(self, olga: Client, pairs: Competition) -> None:
        lines = ["Aces: Paul Pyke + Petra Plum", "Zsa Gray + Ada Lane"]
        page = enter(olga, pairs, *lines, **{"is:Paul Pyke": "Paul Pike"})
        assert re.search(r">\s*Aces: Paul Pike &amp; Petra Plum\nZsa Gray \+ Ada Lane</textarea>", page)

    def test_add_players_whom_the_club_does_not_know(self, olga: Client, pairs: Competition) -> None:
        assert "1 name is unknown in the club." in enter(olga, pairs, "Paul Pike & Zsa Gray")
        enter(olga, pairs, "Paul Pike & Zsa Gray", add="on")
        assert names(pairs) == ["Paul Pike & Zsa Gray"]

    def test_ask_who_is_meant_by_a_name(self, olga: Client, cast: Cast, pairs: Competition) -> None:
        other = create_player(by=cast.olga, club=cast.club, name="Paul Pike")
        page = enter(olga, pairs, "Paul Pike & Petra Plum")
        assert "Who is meant?" in page
        enter(olga, pairs, "Paul Pike & Petra Plum", **{"who:paul pike": str(other.pk)})
        assert other.entered.get().entry == pairs.entries.get()

    def test_have_nobody_twice(self, olga: Client, cast: Cast, pairs: Competition) -> None:
        create_player(by=cast.olga, club=cast.club, name="Ada Able")
        lines = ["Ada Able & Paul Pike", "Ada Able & Petra Plum"]
        assert "On the list more than once: Ada Able" in enter(olga, pairs, *lines)
        assert "Ada Able is on the list more than once." in enter(olga, pairs, *lines, namesakes="one")
        assert not pairs.entries.exists()

    def test_have_a_link_from_the_page_of_one_team(self, olga: Client, pairs: Competition) -> None:
        assert "/do/enter-names/" in page_text(ask(olga, pairs, "enter-team"))
