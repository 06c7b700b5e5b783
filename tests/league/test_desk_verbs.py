"""Running a competition from its page on the desk: every verb is offered, confirmed and done."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from games.models import Game
from league.admin.verbs import offers as all_offers
from league.core.verbs.course import PauseCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.presence import CheckInAllEntries
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import OpenEntries, StartCompetition
from league.models import Competition, Entry, Rating, Round, Table
from league.models.events import Event
from tests import factories
from tests.factories import Cast
from tests.league.acting import act, act_own
from tests.league.playing import in_play, opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk import abandon, close

DUELS = {"name": "L", "format": "rounds", "rounds": 3, "table_size": 2}
DIVISIONS = {
    "name": "Season 1",
    "format": "round_robin",
    "rounds": 1,
    "table_size": 4,
    "groups": 2,
    "intake": {"seeding": "order", "divide": "stack"},
}


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def page_text(answer: Any) -> str:
    return str(answer.content.decode())


def kinds(competition: Competition) -> list[str]:
    return [event.event["type"] for event in competition.events.order_by("seq")]


def page(client: Client, competition: Competition, query: str = "") -> Any:
    return client.get(f"/admin/league/competition/{competition.pk}/change/{query}")


def offers(client: Client, competition: Competition) -> set[str]:
    """Return the verbs that the page offers."""
    context = page(client, competition).context
    rows = {key for row in context["tables"] for key, _ in row.buttons}
    parts = [[*verbs, *rare] for _, verbs, rare in context["parts"]] + [
        [context["due"]] if context["due"] else []
    ]
    return rows | {verb.key for verbs in (*parts, context["bulk"]) for verb in verbs}


def test_a_text_for_the_draw_is_the_last_button_of_a_round(olga: Client, cast: Cast) -> None:
    competition = in_play(cast, 4, entropy="texts")
    (_, buttons, _), *_ = page(olga, competition).context["parts"]
    assert len(buttons) > 1 and buttons[-1].key == "give-text"


def test_before_the_first_round_the_buttons_of_entries_come_first(olga: Client, cast: Cast) -> None:
    parts = page(olga, opened(cast, entropy="texts")).context["parts"]
    assert [title for title, *_ in parts] == ["Entries", "Competition", "Round"]


def ask(client: Client, competition: Competition, verb: str, query: str = "") -> Any:
    return client.get(f"/admin/league/competition/{competition.pk}/do/{verb}/{query}")


def post(client: Client, competition: Competition, verb: str, query: str = "", **fields: Any) -> Any:
    return client.post(f"/admin/league/competition/{competition.pk}/do/{verb}/{query}", fields, follow=True)


def is_done(answer: Any) -> bool:
    """Return whether a verb was carried out: the page of the competition follows and says so."""
    (message,) = answer.context["messages"] or [None]
    return bool(answer.redirect_chain and str(message) and "Nothing had to" not in str(message))


def entries(competition: Competition) -> list[Entry]:
    return list(competition.entries.order_by("number"))


def table(competition: Competition) -> str:
    tables = Table.objects.filter(round__stage__competition=competition)
    found = tables.order_by("round__number", "number").first()
    assert found
    return f"?table={found.pk}"


def drawn(cast: Cast, players: int = 8, **announced: Any) -> Competition:
    competition = opened(cast, players, **announced)
    for verb in (StartCompetition, DrawRound):
        act(cast.olga, competition, verb)
    return competition


class TestVerbs:
    def test_take_a_competition_from_entries_to_the_end(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, stages=[{**DUELS, "rounds": 1}])
        post(olga, competition, "enter", players=[player.pk for player in cast.people(8)])
        assert Entry.objects.filter(competition=competition).count() == 8
        for verb in ("start", "draw"):
            assert is_done(post(olga, competition, verb))
        assert "Say why" in page_text(post(olga, competition, "redraw", reason=" "))
        assert is_done(post(olga, competition, "redraw", reason="a table is missing"))
        assert is_done(post(olga, competition, "publish"))
        close(competition)
        for verb in ("close-round", "finish"):
            assert is_done(post(olga, competition, verb))
        competition.refresh_from_db()
        assert competition.status == Competition.Status.FINISHED

    def test_ask_for_confirmation(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 4)
        assert "“Take back the start” works until round 1 is published." in page_text(
            ask(olga, competition, "start")
        )
        assert kinds(competition)[-1] == "entered"

    def test_are_offered_when_they_are_possible(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 4)
        assert {"start", "enter", "withdraw"} <= offers(olga, competition)
        assert not {"draw", "publish", "approve", "check-in", "rule"} & offers(olga, competition)
        act(cast.olga, competition, StartCompetition)
        assert "draw" in offers(olga, competition)
        assert not {"start", "publish", "move-seat"} & offers(olga, competition)

    def test_that_come_next_are_highlighted(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 4)
        act(cast.olga, competition, StartCompetition)
        assert f'tf-button primary" href="/admin/league/competition/{competition.pk}/do/draw/' in page_text(
            page(olga, competition)
        )

    def test_show_why_they_are_refused_and_keep_the_input(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        values = {"rank.0": 1, "rank.1": 3, "rank.2": 3, "rank.3": 3, "reason": "typed"}
        scores = {f"score.{seat}": 0 for seat in range(4)}
        answer = post(olga, competition, "rule", table(competition), **values, **scores)
        assert "Ranks start at 1." in " ".join(answer.context["form"].non_field_errors())
        assert 'value="typed"' in page_text(answer)
        assert "ruled" not in kinds(competition)

    def test_that_are_submitted_twice_are_done_once(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        fields: dict[str, Any] = {
            "entry": entries(competition)[0].pk,
            "points": "2",
            "reason": "x",
            "seq": competition.seq + 1,
        }
        for _ in range(2):
            assert is_done(post(olga, competition, "adjust", **fields))
        assert kinds(competition).count("adjusted") == 1

    def test_are_done_despite_new_results(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        fields: dict[str, Any] = {
            "entry": entries(competition)[0].pk,
            "points": "2",
            "reason": "x",
            "seq": competition.seq + 1,
        }
        close(competition)
        assert is_done(post(olga, competition, "adjust", **fields))

    def test_ask_again_after_a_change_by_another_organiser(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        seq = competition.seq + 1
        act(cast.olga, competition, PauseCompetition)
        answer = post(
            olga, competition, "adjust", entry=entries(competition)[0].pk, points="2", reason="x", seq=seq
        )
        assert "Somebody else was faster." in page_text(answer)
        assert f'name="seq" value="{seq + 1}"' in page_text(answer)
        assert "adjusted" not in kinds(competition)


class TestEntering:
    def test_offers_nobody_twice(self, olga: Client, cast: Cast) -> None:
        third = factories.PlayerFactory.create(club=cast.club, name="Zora")
        competition = opened(cast)
        post(olga, competition, "enter", players=[cast.paul_plays.pk, cast.petra_plays.pk])
        assert [*ask(olga, competition, "enter").context["form"].fields["players"].queryset] == [third]

    def test_of_several_is_all_or_nothing(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        strangers = factories.PlayerFactory.create()
        post(olga, competition, "enter", players=[cast.paul_plays.pk, strangers.pk])
        assert not competition.entries.exists()

    def test_by_the_rating_list_seeds_the_best_first(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, stages=[DIVISIONS])
        people = [
            cast.paul_plays,
            cast.petra_plays,
            factories.PlayerFactory.create(club=cast.club, name="Abe"),
        ]
        for player, points in zip(people, (1400, 1600), strict=False):
            rated = {"points": points, "uncertainty": 100, "sure_points": points, "games": 9}
            Rating.objects.create(id=uuid4(), club=cast.club, player=player, ruleset="tally", **rated)
        post(olga, competition, "enter", players=[player.pk for player in people], order="rating")
        assert [entry.name for entry in entries(competition)] == ["Petra Plum", "Paul Pike", "Abe"]

    def test_asks_for_no_order_where_seeding_is_by_lot(self, olga: Client, cast: Cast) -> None:
        assert "order" not in ask(olga, opened(cast), "enter").context["form"].fields

    def test_of_a_team_asks_for_as_many_players_as_it_has(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, lineup="partners", team_size=2)
        assert "enter-team" in offers(olga, competition)
        assert "enter" not in offers(olga, competition)
        asked = page_text(ask(olga, competition, "enter-team"))
        assert "/admin/league/player/add/" in asked and "/admin/league/player/import/" in asked
        players: dict[str, Any] = {"player.0": cast.petra_plays.pk, "player.1": cast.paul_plays.pk}
        post(olga, competition, "enter-team", **players, name="The Pikes")
        (team,) = entries(competition)
        names = [member.player.name for member in team.members.all()]
        assert (team.name, names) == ("The Pikes", ["Petra Plum", "Paul Pike"])

    def test_the_same_player_twice_in_a_team_is_refused(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, lineup="partners", team_size=2)
        players: dict[str, Any] = {"player.0": cast.paul_plays.pk, "player.1": cast.paul_plays.pk}
        assert post(olga, competition, "enter-team", **players).context["form"].errors
        assert not competition.entries.exists()


class TestSeveralEntries:
    def asking(self, cast: Cast) -> Competition:
        competition = opened(cast, entering={"approval": True, "check_in": True})
        act(cast.olga, competition, OpenEntries)
        for account in (cast.paul, cast.petra):
            act_own(account, competition, "enter")
        return competition

    def test_many_like_changes_are_one_sentence(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 6, entering={"check_in": True})
        (message,) = post(olga, competition, "check-in-all").context["messages"]
        assert str(message) == "6 entries are checked in."

    def test_that_are_withdrawn_are_not_shown_as_checked_in(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 4, entering={"check_in": True})
        act(cast.olga, competition, CheckInAllEntries)
        act(cast.olga, competition, WithdrawEntry, entry=entries(competition)[0].pk)
        assert page_text(page(olga, competition)).count("checked in</span>") == 3

    def test_that_are_ticked_need_a_confirmation(self, olga: Client, cast: Cast) -> None:
        competition = self.asking(cast)
        paul, _ = entries(competition)
        form = post(olga, competition, "approve", _ask="1", entries=[paul.pk]).context["form"]
        assert [str(box.data["value"]) for box in form["entries"] if box.data["selected"]] == [str(paul.pk)]
        assert kinds(competition)[-1] == "applied"

    def test_are_approved_checked_in_and_rejected(self, olga: Client, cast: Cast) -> None:
        competition = self.asking(cast)
        paul, petra = entries(competition)
        post(olga, competition, "approve", entries=[paul.pk])
        post(olga, competition, "reject", entries=[petra.pk], reason="full house")
        post(olga, competition, "check-in", entries=[paul.pk])
        assert kinds(competition)[-3:] == ["approved", "rejected", "checked_in"]
        assert "checked in" in page_text(page(olga, competition))

    def test_are_absent_withdraw_and_return(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 6)
        chosen = [entry.pk for entry in entries(competition)[:2]]
        for verb in ("absent", "withdraw", "return-entry"):
            post(olga, competition, verb, entries=chosen)
        assert kinds(competition)[-6:] == ["absent"] * 2 + ["withdrawn"] * 2 + ["returned"] * 2
        assert page_text(page(olga, competition)).count("absent next round") == 2

    def test_can_be_present_again(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 6)
        chosen = [entry.pk for entry in entries(competition)[:2]]
        assert "Mark as present" not in page_text(page(olga, competition))
        post(olga, competition, "absent", entries=chosen)
        post(olga, competition, "present", entries=chosen[:1])
        assert kinds(competition)[-3:] == ["absent"] * 2 + ["present"]
        assert page_text(page(olga, competition)).count("absent next round") == 1

    def test_are_admitted_from_the_waiting_list(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 3, entering={"places": 2})
        first, _, waiting = entries(competition)
        post(olga, competition, "withdraw", entries=[first.pk])
        waiting.refresh_from_db()
        assert waiting.status == Entry.Status.ENTERED

    def test_are_admitted_after_the_start_when_a_place_is_free(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 5, entering={"places": 4})
        first, *_, waiting = entries(competition)
        assert "are taken" in page_text(post(olga, competition, "admit", entries=[waiting.pk]))
        post(olga, competition, "withdraw", entries=[first.pk])
        post(olga, competition, "admit", entries=[waiting.pk])
        waiting.refresh_from_db()
        assert (waiting.status, waiting.from_round) == (Entry.Status.ENTERED, 2)

    def test_of_another_competition_are_refused(self, olga: Client, cast: Cast) -> None:
        competition, other = opened(cast, 4), opened(cast, 4, name="Other")
        post(olga, competition, "withdraw", entries=[entries(other)[0].pk], reason="x")
        assert not Event.objects.filter(event__type="withdrawn").exists()

    def test_have_a_substitute(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, 2)
        paul = entries(competition)[0]
        new = factories.PlayerFactory.create(club=cast.club)
        out = f"{paul.pk} {cast.paul_plays.pk}"
        post(olga, competition, "substitute", out=out, into=new.pk, reason="flu")
        assert [member.player for member in paul.members.all()] == [new]


class TestADraw:
    def test_has_a_report_in_words_before_it_is_published(self, olga: Client, cast: Cast) -> None:
        shown = page_text(page(olga, drawn(cast)))
        assert "Quality of the draw" in shown
        assert "2 tables of 4" in shown
        assert "Nobody meets the same opponent again." in shown

    def test_says_what_an_exchange_does_to_the_draw_first(self, olga: Client, cast: Cast) -> None:
        competition = drawn(cast, 4, stages=[DUELS])
        act(cast.olga, competition, PublishRound)
        close(competition)
        for verb in (CloseRound, DrawRound):
            act(cast.olga, competition, verb)
        one, other = self.repeating(competition)
        fields = {"one": one, "other": other, "reason": "they share a car"}
        asked = post(olga, competition, "move-seat", **fields)
        assert "2 more pairs meet again." in page_text(asked)
        assert "seats_moved" not in kinds(competition)
        shown = asked.context["form"]["weighed"].value()
        post(olga, competition, "move-seat", **fields, weighed=shown)
        assert kinds(competition)[-1] == "seats_moved"

    def repeating(self, competition: Competition) -> tuple[str, str]:
        """Return the first entry of a drawn round, and whoever sits where its opponent of round 1 should."""
        before, now = (
            [
                [str(seat.entry_id) for seat in each.seats.order_by("number")]
                for each in Table.objects.filter(
                    round__stage__competition=competition, round__number=number
                ).order_by("number")
            ]
            for number in (1, 2)
        )
        one, opponent = now[0]
        (met,) = (other for pair in before if one in pair for other in pair if other != one)
        return opponent, met

    def test_shows_the_cost_of_another_exchange_too(self, olga: Client, cast: Cast) -> None:
        competition = drawn(cast)
        first, second = (
            [str(seat.entry_id) for seat in each.seats.all()]
            for each in Table.objects.filter(round__stage__competition=competition)
        )
        fields = {"one": first[0], "other": second[0], "reason": "x", "weighed": f"{first[1]} {second[1]}"}
        assert "Nothing becomes worse" in page_text(post(olga, competition, "move-seat", **fields))
        assert "seats_moved" not in kinds(competition)

    def test_is_published_with_a_deadline_in_the_time_of_the_club(self, olga: Client, cast: Cast) -> None:
        cast.club.timezone = "Pacific/Auckland"
        cast.club.save()
        competition = drawn(cast)
        post(olga, competition, "publish", deadline="2099-01-31T20:00")
        assert Round.objects.get().deadline == datetime(2099, 1, 31, 20, tzinfo=cast.club.zone)
        assert 'value="2099-01-31T20:00"' in page_text(ask(olga, competition, "set-deadline"))
        post(olga, competition, "set-deadline", deadline="2099-02-07T20:00", reason="snow")
        assert Round.objects.get().deadline == datetime(2099, 2, 7, 20, tzinfo=cast.club.zone)


class TestATable:
    def test_shows_who_must_move_and_since_when(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        (row,) = page(olga, competition).context["tables"]
        seat = row.table.seats.get(number=0)
        assert row.waits.names == (seat.player.name,)
        assert timezone.now() - row.waits.since < timedelta(minutes=1)
        assert f"waiting for {seat.player.name}" in page_text(page(olga, competition))

    @pytest.mark.parametrize("query", ["", "?table=x", "?table=00000000-0000-0000-0000-000000000000"])
    @pytest.mark.parametrize("verb", ["rule", "void", "no-show", "forfeit", "walk-over", "replay"])
    def test_that_is_unknown_is_not_found(self, olga: Client, cast: Cast, verb: str, query: str) -> None:
        assert post(olga, in_play(cast, 4), verb, query, reason="x").status_code == 404

    @pytest.mark.parametrize(
        ("verb", "event", "status"),
        [
            ("no-show", "no_show", "playing"),
            ("forfeit", "forfeited", "playing"),
            ("walk-over", "walked_over", "walkover"),
            ("void", "voided", "void"),
            ("replay", "replayed", "playing"),
        ],
    )
    def test_can_be_decided_differently_with_a_reason(
        self, olga: Client, cast: Cast, verb: str, event: str, status: str
    ) -> None:
        competition = in_play(cast, 4)
        entry = entries(competition)[0].pk
        post(olga, competition, verb, table(competition), entry=entry, entries=[entry], reason="fire alarm")
        found = Event.objects.get(competition=competition, event__type=event)
        assert found.event["reason"] == "fire alarm"
        assert Table.objects.get(round__stage__competition=competition).status == status

    def test_of_another_competition_is_not_found(self, olga: Client, cast: Cast) -> None:
        competition, other = in_play(cast, 4), in_play(cast, 4, name="Other")
        assert post(olga, competition, "void", table(other), reason="x").status_code == 404

    def test_that_was_abandoned_is_ruled_on_or_replayed(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        abandon(competition)
        assert {"rule", "replay", "void"} <= offers(olga, competition)
        post(olga, competition, "replay", table(competition))
        assert Game.objects.filter(club_game__competition=competition, status="active").count() == 1

    def test_that_was_abandoned_is_shown_while_others_play(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 8)
        assert "abandoned" not in page_text(page(olga, competition))
        abandon(competition)
        assert "1 table was abandoned: set its result" in page_text(page(olga, competition))

    def test_of_an_earlier_round_is_found_under_its_round(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        close(competition)
        for verb in (CloseRound, DrawRound):
            act(cast.olga, competition, verb)
        first = Round.objects.get(number=1)
        address = f"/admin/league/competition/{competition.pk}/change/"
        assert olga.get(address).context["shown_round"].number == 2
        assert olga.get(f"{address}?round={first.pk}").context["shown_round"] == first
        assert olga.get(f"{address}?round=nonsense").context["shown_round"].number == 2

    def test_of_open_play_is_opened_once_by_repeated_clicks(self, olga: Client, cast: Cast) -> None:
        ladder = {"name": "Ladder", "format": "ladder", "rounds": 1, "table_size": 2}
        competition = in_play(cast, 4, stages=[ladder])
        assert "adjust" not in offers(olga, competition)  # points decide nothing there
        chosen = [entry.pk for entry in entries(competition)[:2]]
        for _ in range(2):
            post(olga, competition, "open-table", entries=chosen, seq=competition.seq + 1)
        assert Table.objects.filter(round__stage__competition=competition).count() == 1


class TestTheEndOfARound:
    def test_is_suggested_once_its_deadline_has_passed(self, olga: Client, cast: Cast) -> None:
        competition = drawn(cast)
        due = timezone.now() + timedelta(hours=2)
        act(cast.olga, competition, PublishRound, deadline=due)
        sentence = "The round’s deadline has passed"
        assert sentence not in page_text(page(olga, competition))
        with time_machine.travel(due + timedelta(minutes=1)):
            assert sentence in page_text(page(olga, competition))

    def test_needs_no_reason_on_a_ladder_without_undecided_tables(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 2, stages=[{**DUELS, "format": "ladder", "rounds": 1}])
        desk = page(olga, competition).content.decode()
        assert "/do/close-round/" in desk and "/do/close-early/" not in desk
        post(olga, competition, "close-round")
        assert kinds(competition)[-1] == "round_closed"

    def test_before_every_table_is_decided_needs_a_reason(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 8)
        refused = post(olga, competition, "close-early").context["form"]
        assert refused.errors == {"void_undecided": ["This field is required."]}
        assert kinds(competition)[-1] == "published"
        post(olga, competition, "close-early", void_undecided="the hall closes")
        assert kinds(competition)[-3:] == ["voided", "voided", "round_closed"]


def test_points_are_adjusted_by_fractions(olga: Client, cast: Cast) -> None:
    competition = in_play(cast)
    entry = entries(competition)[0]
    answer = post(olga, competition, "adjust", entry=entry.pk, points="half", reason="x")
    assert [*answer.context["form"].errors] == ["points"]
    post(olga, competition, "adjust", entry=entry.pk, points="-1/2", reason="late")
    assert competition.events.get(event__type="adjusted").event["points"] == "-1/2"


def test_every_verb_says_how_to_undo_it() -> None:
    buttons = [offer.button for offer in all_offers().values()]
    assert all(button.title and button.effect and button.undo for button in buttons)


def test_the_number_of_queries_does_not_depend_on_the_size_of_the_competition(
    olga: Client, cast: Cast, django_assert_max_num_queries: Any
) -> None:
    big = in_play(cast, 120)
    close(big)
    with django_assert_max_num_queries(30):
        page(olga, big)
