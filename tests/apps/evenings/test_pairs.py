"""Evenings of pairs that are run again: stand-ins, and people who are paired anew."""

from datetime import date
from typing import Any

import time_machine

from league.apps.attendance.queries import wishing
from league.apps.away.services import say_away
from league.apps.evenings.lines import next_day
from league.apps.evenings.models import Evening
from league.apps.evenings.partners import people_of_pairs
from league.apps.evenings.queries import former_entries
from league.apps.evenings.services import run_again
from league.core.verbs.entries import SubstitutePlayer
from league.models import Competition, Player
from league.queries.competitions import state_of
from tests.apps.evenings.test_again import LAST, again, page, told
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import opened, pairs_in_play
from tests.league.test_admin_scope import logged_in


def test_pairs_stay_together(cast: Cast) -> None:
    like = pairs_in_play(cast)
    fresh = again(cast, like)
    pairs = [{*state.players} for state in state_of(like).entries]
    assert [{*state.players} for state in state_of(fresh).entries] == pairs


def test_a_pair_one_of_whom_is_away_comes_with_a_stand_in_for_that_evening_alone(cast: Cast) -> None:
    like = told(cast, pairs_in_play(cast))
    first = like.entries.order_by("number")[0]
    away, partner = (member.player for member in first.members.order_by("pk"))
    stand_in = PlayerFactory.create(club=cast.club, name="Sam Spare")
    say_away(by=cast.olga, player=away, since=next_day(like), until=next_day(like))
    client = logged_in(cast.olga)
    form = client.get(page(like)).context["form"]
    assert form[f"instead-{away.pk}"].label == f"In place of {away.name}" and first.pk not in form.ticked
    sent = {"name": "Again", "at": "", "entries": form.ticked, "day": next_day(like)}
    client.post(page(like), {**sent, f"instead-{away.pk}": stand_in.pk})
    made = Evening.objects.get().competition
    lineups = [{*each.players} for each in state_of(made).entries]
    assert len(lineups) == 2 and {str(partner.pk), str(stand_in.pk)} in lineups
    assert {away.pk, partner.pk} in [{*each.players} for each in former_entries(made)]


def evening_of_changing_pairs(cast: Cast) -> tuple[Competition, list[Player]]:
    """Return the second of two evenings of four people each, with the five of both: Bea left, Eve came."""
    first = told(cast, pairs_in_play(cast), begins_on=date(2027, 2, 25))
    ann, bea, cid, dan = (each.player for each in members_of(first))
    eve = PlayerFactory.create(club=cast.club, name="Eve")
    pairs = [(ann.pk, cid.pk), (dan.pk, eve.pk)]
    last = run_again(by=cast.olga, like=first, name="Last", day=LAST, at=None, new_pairs=pairs)
    return last, [ann, bea, cid, dan, eve]


def members_of(competition: Competition) -> list[Any]:
    entries = competition.entries.order_by("number")
    return [member for each in entries for member in each.members.order_by("pk")]


def pairs_of(competition: Competition) -> set[frozenset[str]]:
    return {frozenset(each.players) for each in state_of(competition).entries}


def test_all_people_of_the_last_evenings_can_be_paired_anew(cast: Cast) -> None:
    last, (ann, bea, cid, dan, eve) = evening_of_changing_pairs(cast)
    spare = PlayerFactory.create(club=cast.club, name="Sam Spare")
    entry = last.entries.order_by("number")[1]
    act(cast.olga, last, SubstitutePlayer, entry=str(entry.pk), out=str(eve.pk), into=str(spare.pk))
    found = people_of_pairs(last, date(2027, 3, 11))
    assert {pk for pk, each in found.items() if not each.earlier} == {
        each.pk for each in (ann, cid, dan, eve, spare)
    }
    assert [pk for pk, each in found.items() if each.earlier] == [bea.pk]
    entry.refresh_from_db(fields=["competition"])
    form = logged_in(cast.olga).get(page(last)).context["form"]
    labels = [label for _value, label in form.fields["entries"].choices]
    names = [
        [Player.objects.get(pk=pk).name for pk in each.players] for each in former_entries(entry.competition)
    ]
    assert all(name in label for label, its in zip(labels, names, strict=True) for name in its)


@time_machine.travel("2027-03-05T12:00Z", tick=False)
def test_new_pairs_take_the_place_of_those_of_last_time_and_who_is_left_is_named(cast: Cast) -> None:
    last, (ann, bea, cid, dan, eve) = evening_of_changing_pairs(cast)
    client = logged_in(cast.olga)
    form = client.get(page(last)).context["form"]
    sent = {"name": "Next", "at": "", "day": "2027-03-11", "ticked_for": "2027-03-11", "entries": form.ticked}
    sent |= {f"partner-{bea.pk}": ann.pk, f"partner-{ann.pk}": bea.pk}
    looked = client.post(page(last), {**sent, "look": "1"})
    assert "Without a partner: Cid" in looked.content.decode().replace(cid.name, "Cid")
    assert "2 entries: 1 table of 2" in looked.content.decode()
    answer = client.post(page(last), sent, follow=True)
    noted = f"Not entered, without a partner, and noted as looking for one: {cid.name}."
    assert noted in answer.content.decode()
    made = Competition.objects.get(name="Next")
    assert [(each.player_id, each.wish, each.reply) for each in wishing(made)] == [(cid.pk, "partner", "yes")]
    assert pairs_of(made) == {
        frozenset((str(ann.pk), str(bea.pk))),
        frozenset((str(dan.pk), str(eve.pk))),
    }


def test_nobody_plays_in_two_pairs(cast: Cast) -> None:
    last, (ann, bea, cid, *_others) = evening_of_changing_pairs(cast)
    sent = {"name": "Next", "at": "", "day": "2027-03-11", "ticked_for": "2027-03-11"}
    chosen = {f"partner-{ann.pk}": bea.pk, f"partner-{cid.pk}": ann.pk}
    answer = logged_in(cast.olga).post(page(last), {**sent, **chosen})
    assert f"Chosen twice: {ann.name}. Each plays in one pair or team." in answer.content.decode()
    assert not Competition.objects.filter(name="Next").exists()


def test_somebody_whose_own_pair_does_not_come_can_stand_in(cast: Cast) -> None:
    like = told(cast, pairs_in_play(cast, 4))
    ann, away, cid, gone, ema, *_others = (each.player for each in members_of(like))
    for each in (away, gone):
        say_away(by=cast.olga, player=each, since=next_day(like), until=next_day(like))
    form = logged_in(cast.olga).get(page(like)).context["form"]
    offered = set(form.fields[f"instead-{away.pk}"].queryset)
    assert cid in offered and not {ema, away, ann} & offered


def test_nobody_is_offered_in_place_of_who_plays_alone(cast: Cast) -> None:
    like = told(cast, opened(cast, 4))
    gone = like.entries.order_by("number")[0].members.get().player
    say_away(by=cast.olga, player=gone, since=next_day(like), until=next_day(like))
    assert "In place of" not in logged_in(cast.olga).get(page(like)).content.decode()


def test_who_came_to_none_of_the_last_evenings_can_be_paired_with_anybody(cast: Cast) -> None:
    last, (ann, bea, cid, *_others) = evening_of_changing_pairs(cast)
    zoe, yve = (PlayerFactory.create(club=cast.club, name=name) for name in ("Zoe", "Yve"))
    client = logged_in(cast.olga)
    form = client.get(page(last)).context["form"]
    sent = {"name": "Next", "at": "", "day": "2027-03-11", "ticked_for": "2027-03-11", "entries": form.ticked}
    sent |= {"partner-one-1": ann.pk, "partner-other-1": zoe.pk, "partner-one-2": yve.pk}
    refused = client.post(page(last), sent)
    assert [*refused.context["form"].errors] == ["partner-other-2"]
    assert '<details class="tf-apart" open>' in refused.content.decode()
    looked = client.post(page(last), {**sent, "partner-other-2": bea.pk, "look": "1"})
    assert "Plays with Zoe." in looked.content.decode() and len(looked.context["form"].more) == 5
    client.post(page(last), {**sent, "partner-other-2": bea.pk})
    pairs = pairs_of(Competition.objects.get(name="Next"))
    assert {frozenset((str(ann.pk), str(zoe.pk))), frozenset((str(yve.pk), str(bea.pk)))} < pairs
    assert len(pairs) == 3 and not any(str(cid.pk) in each for each in pairs)
