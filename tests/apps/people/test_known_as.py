"""What people are in a club: guest or member, one who was two, and in a category that a prize names."""

from datetime import date, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from games.engine.refusals import Malformed
from league.admin.needs import needs_of
from league.apps.people.membership import add_period
from league.apps.people.models import Rule
from league.apps.people.queries import Facts, contradicted, facts_of
from league.apps.people.services import merge_players
from league.core.details import from_lines
from league.core.verbs.course import FinishCompetition
from league.core.verbs.rounds import CloseRound
from league.models import Club, Competition, Player
from league.projections.standings import compute_standings
from league.queries.prizes import awards_of, won_in_categories
from league.queries.standings import standings_of
from league.services.automatic import record_result
from league.services.competitions import change_details
from tests.apps.people.test_membership import A, B, C, D, G, M, P, category, keep, olga, page_of
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import finished, pairs_in_play, play_all
from tests.league.walking import text_of

__all__ = ["olga"]


def test_merging_two_players_merges_what_is_known_of_them(cast: Cast) -> None:
    again = PlayerFactory.create(club=cast.club, name="P. Pike")
    keep(cast, cast.paul_plays, (M, A, B), born=1990)
    keep(cast, again, (M, C, None), (P, A, D), born=1991, pass_number="17")
    merge_players(by=cast.olga, kept=cast.paul_plays, merged=again)
    known = facts_of([cast.paul_plays.pk, again.pk])
    assert known == {
        cast.paul_plays.pk: Facts(1990, "17", periods=(("member", None, A, None), ("paid", None, A, D)))
    }
    assert list(contradicted({})) == []


@pytest.mark.parametrize(
    ("guest", "member", "left"),
    [
        ((A, None), (C, None), [(A, B)]),
        ((A, D), (C, C), [(A, B), (date(2025, 4, 2), D)]),
        ((None, B), (C, None), [(None, B)]),
        ((C, D), (A, None), []),
        ((None, None), (None, B), [(C, None)]),
    ],
)
def test_who_becomes_a_member_is_a_guest_no_more(cast: Cast, guest: Any, member: Any, left: Any) -> None:
    again = PlayerFactory.create(club=cast.club, name="P. Plum")
    keep(cast, cast.paul_plays, (G, *guest))
    keep(cast, cast.petra_plays, (G, *guest))
    keep(cast, again, (M, *member))
    since, until = member
    add_period(by=cast.olga, club=cast.club, players=[cast.paul_plays], what=M, since=since, until=until)
    merge_players(by=cast.olga, kept=cast.petra_plays, merged=again)
    whole = Facts(periods=(*(("guest", None, *span) for span in left), ("member", None, *member)))
    assert facts_of([cast.paul_plays.pk, cast.petra_plays.pk]) == {
        cast.paul_plays.pk: whole,
        cast.petra_plays.pk: whole,
    }
    if member[1] is None:
        with pytest.raises(Malformed, match="Paul Pike would be a guest and a member"):
            add_period(by=cast.olga, club=cast.club, players=[cast.paul_plays], what=G, since=D, until=None)


@pytest.mark.parametrize("name", ["Member", "guests", "PAID UP"])
def test_no_category_says_again_who_is_a_member(cast: Cast, name: str) -> None:
    with pytest.raises(Malformed, match="kept on each player’s page"):
        category(cast, Rule.TICKED, name=name)


@pytest.mark.parametrize("prize", ["Best junior", "juniors", "Beste Junior"])
def test_a_prize_of_a_category_is_filled_in_from_the_standings(cast: Cast, olga: Client, prize: str) -> None:
    competition = finished(cast, 8)
    compute_standings(competition.pk)
    category(cast, Rule.BORN, name="Juniors", least=2008)
    ranks = {row.entry.name: row.rank for row in standings_of(competition.stages.get())}
    juniors = [*ranks][3::2]
    for name in juniors:
        keep(cast, Player.objects.get(club=cast.club, name=name), born=2010)
    change_details(by=cast.olga, competition=competition, values={"prizes": from_lines(f"{prize}: wine")})
    (won,) = won_in_categories(Competition.objects.get(pk=competition.pk))
    best = [name for name in juniors if ranks[name] == ranks[juniors[0]]]
    assert (won.place, [*won.names], won.among) == (ranks[juniors[0]], best, 3)
    ((_group, (award,)),) = awards_of(Competition.objects.get(pk=competition.pk))
    assert [*award.winners] == best
    desk = f"/admin/league/competition/{competition.pk}/"
    shown, sheet = page_of(olga, details := f"{desk}details/"), text_of(olga.get(f"{desk}print/evening.pdf"))
    assert f"{prize}: wine = {', '.join(best)}</textarea>" in shown and "of 3 in “Juniors”" in shown
    assert f"{prize}: wine – {best[0]}" in sheet
    to_note = f'<a class="tf-button" href="{details}#id_details.prizes">Note who won the prizes</a>'
    assert to_note in (shown := page_of(olga, f"{desk}change/")) and "of 3 in “Juniors”" in shown
    needs = [need for need in needs_of(Club.objects.filter(pk=cast.club.pk)) if "prize" in str(need.text)]
    assert [(need.text, need.address) for need in needs] == [
        ("Nobody has noted yet who won 1 prize.", f"{details}#id_details.prizes")
    ]
    with time_machine.travel(timezone.now() + timedelta(days=61)):
        assert not any("prize" in str(need.text) for need in needs_of(Club.objects.all()))
    typed = from_lines(f"{prize}: wine = Zoe")
    change_details(by=cast.olga, competition=competition, values={"prizes": typed})
    assert "Zoe</textarea>" in page_of(olga, details) and to_note not in page_of(olga, f"{desk}change/")
    assert not any("prize" in str(need.text) for need in needs_of(Club.objects.all()))
    jam = {"prizes": from_lines("Best hat: jam")}
    change_details(by=cast.olga, competition=competition, values=jam)
    assert "Best hat: nobody yet." in (shown := page_of(olga, f"{desk}change/")) and to_note in shown


def test_who_was_in_a_category_on_the_evening_wins_its_prize_whoever_is_in_it_today(cast: Cast) -> None:
    competition = finished(cast, 4)
    compute_standings(competition.pk)
    day = competition.opened_at.astimezone(cast.club.zone).date()
    first, second, *_others = (row.entry.name for row in standings_of(competition.stages.get()))
    newcomers = category(cast, Rule.TICKED, name="Newcomers")
    for name, since, until in ((first, day + timedelta(days=1), None), (second, None, day)):
        player = Player.objects.get(club=cast.club, name=name)
        add_period(by=cast.olga, club=cast.club, players=[player], what=newcomers, since=since, until=until)
    prizes = from_lines("Best newcomer: wine")
    change_details(by=cast.olga, competition=competition, values={"prizes": prizes})
    with time_machine.travel(timezone.now() + timedelta(days=30)):
        (won,) = won_in_categories(Competition.objects.get(pk=competition.pk))
    assert ([*won.names], won.among) == ([second], 1)


def test_in_an_evening_of_pairs_who_of_a_pair_is_in_the_category_wins_its_prize(
    cast: Cast, olga: Client
) -> None:
    competition = pairs_in_play(cast, 4)
    for game in play_all(competition):
        record_result(game_id=game)
    for verb in (CloseRound, FinishCompetition):
        act(cast.olga, competition, verb)
    competition = Competition.objects.get(pk=competition.pk)
    compute_standings(competition.pk)
    category(cast, Rule.BORN, name="Juniors", least=2008)
    best, *_others, last = standings_of(competition.stages.get())
    members = [Player.objects.filter(entered__entry=each.entry_id).order_by("pk") for each in (best, last)]
    (alma, bea), (sam, _tina) = members
    values = {"prizes": from_lines("Best junior: wine")}
    change_details(by=cast.olga, competition=competition, values=values)
    for number, junior in enumerate((sam, alma), 1):
        keep(cast, junior, born=2010)
        (won,) = won_in_categories(Competition.objects.get(pk=competition.pk))
        assert ([*won.names], won.among) == ([junior.name], number)
    shown = page_of(olga, f"/admin/league/competition/{competition.pk}/details/")
    assert f"Best junior: wine = {alma.name}</textarea>" in shown
    keep(cast, bea, born=2010)
    (won,) = won_in_categories(Competition.objects.get(pk=competition.pk))
    assert [*won.names] == [best.entry.name]
