"""Winners of another table of the club are left out of a series, as that table is when they are noted."""

from uuid import uuid4

import pytest
from django.test import Client

from games.engine.refusals import Illegal
from league.apps.people.services import merge_players
from league.apps.series import queries
from league.apps.series.core import verifier
from league.apps.series.core.events import WinnersLeftOut
from league.apps.series.core.rule import Rule
from league.apps.series.models import Series
from league.models import Player
from tests.apps.series.test_desk import errors, filled_in, olga, page, send, text
from tests.apps.series.year import evening, say, totals, typed, year
from tests.factories import Cast, PlayerFactory

__all__ = ["olga"]


def test_winners_of_another_table_are_left_out_and_taken_over_when_it_changes(
    olga: Client, cast: Cast
) -> None:
    rows = tuple(zip(cast.people(3), "987", strict=True))
    paul, petra, pia = (str(each.pk) for each, _points in rows)
    cup, league = year(cast, name="Cup"), say(cast, year(cast, name="League"), typed(*rows))
    nobody = send(olga, league, "leave-out", of=str(cup.pk))
    assert "Nobody has a rank there yet." in str(errors(nobody))
    say(cast, cup, typed(*rows))
    send(olga, league, "leave-out", of=str(cup.pk), first=1)
    assert ranks(league) == {petra: 1, pia: 2, paul: None}
    told = text(olga.get(page(league)))
    assert "No rank, as a winner of another table: Cup." in told and "That table has changed." not in told
    say(cast, cup, typed(rows[1], on="2026-10-01"))
    told = text(olga.get(page(league)))
    assert "That table has changed." in told and ranks(league)[paul] is None
    refreshed = page(league, "leave-out", f"?of={cup.pk}")
    olga.post(refreshed, {"seq": league.seq + 1, **filled_in(olga, refreshed)})
    assert ranks(league) == {paul: 1, pia: 2, petra: None}
    in_file = verifier.check(verifier.read([*queries.lines(league)])).table.rows
    assert {row.person: row.rank for row in in_file} == ranks(league)
    send(olga, league, "leave-out", of=str(cup.pk), first=0)
    assert not queries.state_of(league).left_out and ranks(league)[petra] == 2


def test_winners_of_a_competition_are_left_out_under_the_names_they_have_now(
    olga: Client, cast: Cast
) -> None:
    played = evening(cast, name="Open")
    winner = next(iter(totals(year(cast, Rule(), played))))
    another = PlayerFactory.create(club=cast.club)
    league = say(cast, year(cast), typed((Player.objects.get(pk=winner), "9"), (another, "1")))
    send(olga, league, "leave-out", of=str(played.pk), first=1)
    assert ranks(league)[str(winner)] is None
    kept = PlayerFactory.create(club=cast.club)
    merge_players(by=cast.olga, kept=kept, merged=Player.objects.get(pk=winner))
    league.refresh_from_db()
    assert ranks(league)[str(kept.pk)] is None and "has changed" not in text(olga.get(page(league)))
    wrong = send(olga, league, "leave-out", of=str(uuid4()))
    assert "of" in errors(wrong)
    elsewhere = WinnersLeftOut(of=str(uuid4()), table="Cup", first=1, players=(str(kept.pk),))
    with pytest.raises(Illegal, match="no such series or competition"):
        say(cast, league, elsewhere)


def ranks(series: Series) -> dict[str, int | None]:
    """Return the rank of each person."""
    series.refresh_from_db()
    return {row.person: row.rank for row in queries.table_of(series).table.rows}
