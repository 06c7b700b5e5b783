"""Competitions opened, entered and steered: what they take, who may, and what stands afterwards."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied

from games.engine.clocks import Clock
from games.engine.refusals import Illegal, Malformed, Stale
from league import log, services
from league.models import Competition, Entry, EntryPlayer, Event, Stage
from tests.factories import Cast, PlayerFactory
from tests.league.playing import PLAN, in_play, opened


def entries(competition: Competition) -> list[tuple[str, str]]:
    """Return name and status of each entry, in the order of entering."""
    return list(Entry.objects.filter(competition=competition).values_list("name", "status"))


class TestOpening:
    def test_records_every_option_and_a_seed_of_its_own(self, cast: Cast) -> None:
        first, second = opened(cast), opened(cast)
        assert (first.ruleset, first.options, first.status) == ("tally@1", {"rounds": 1}, "preparing")
        assert log.latest(first).opening.seed != log.latest(second).opening.seed

    def test_makes_an_address_of_the_name_that_no_other_has(self, cast: Cast) -> None:
        slugs = [opened(cast, name=name).slug for name in ("Été 2026!", "Été 2026", "ete 2026", "王")]
        assert slugs == ["ete-2026", "ete-2026-2", "ete-2026-3", "competition"]

    def test_shows_its_stages_from_the_first_day(self, cast: Cast) -> None:
        competition = opened(cast, stages=[PLAN, {**PLAN, "name": "Final", "rounds": 1}])
        told = Stage.objects.filter(competition=competition).values_list("number", "name", "status")
        assert list(told) == [(1, "League", "planned"), (2, "Final", "planned")]

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"name": ""}, "name"),
            ({"name": "x" * 101}, "name"),
            ({"name": "a\0b"}, "name"),
            ({"ruleset": "whist"}, "ruleset"),
            ({"options": {"rounds": 0}}, "options.rounds"),
            ({"options": {"hats": 1}}, "options.hats"),
            ({"stages": []}, "stages"),
            ({"stages": [{}]}, "stages.0.name"),
            ({"stages": [PLAN, "final"]}, "stages.1"),
            ({"stages": [{**PLAN, "format": "lottery"}]}, "stages.0.format"),
            ({"stages": [{**PLAN, "tie_breaks": ["looks"]}]}, "stages.0.tie_breaks"),
            ({"pace": "brisk"}, "pace"),
            ({"slug": "not an address"}, "slug"),
            ({"slug": "x" * 81}, "slug"),
            ({"entering": {"places": -1}}, "places"),
            ({"clock": Clock(move=60, quiet="22:00-08:00", zone="Mars")}, "zone"),
        ],
    )
    def test_that_cannot_be_is_refused_by_field(self, cast: Cast, wrong: dict[str, Any], field: str) -> None:
        with pytest.raises(Malformed) as refused:
            opened(cast, **wrong)
        assert field in refused.value.errors
        assert not Competition.objects.exists()

    def test_at_an_address_that_is_taken_is_refused(self, cast: Cast) -> None:
        opened(cast, slug="league")
        with pytest.raises(Malformed) as refused:
            opened(cast, slug="league")
        assert list(refused.value.errors) == ["slug"]

    def test_gives_quiet_hours_the_zone_of_the_club(self, cast: Cast) -> None:
        competition = opened(cast, clock=Clock(move=60, quiet="22:00-08:00"))
        assert log.latest(competition).opening.clock["zone"] == "Europe/Dublin"

    @pytest.mark.parametrize("who", ["paul", "nora"])
    def test_is_for_organisers(self, cast: Cast, who: str) -> None:
        with pytest.raises(PermissionDenied):
            services.open_competition(
                by=getattr(cast, who), club=cast.club, name="Mine", ruleset="tally", options={}, stages=[PLAN]
            )


class TestEntering:
    def test_takes_players_of_the_club_by_name(self, cast: Cast) -> None:
        competition = opened(cast, players=2)
        assert entries(competition) == [("Paul Pike", "entered"), ("Petra Plum", "entered")]

    def test_takes_a_team_by_a_name_or_by_its_players(self, cast: Cast) -> None:
        competition = opened(cast, lineup="partners", team_size=2)
        pair = [cast.paul_plays.pk, cast.petra_plays.pk]
        others = [player.pk for player in PlayerFactory.create_batch(2, club=cast.club)]
        services.enter(by=cast.olga, competition=competition, players=pair)
        services.enter(by=cast.olga, competition=competition, players=others, name="The Rest")
        assert [name for name, _ in entries(competition)] == ["Paul Pike & Petra Plum", "The Rest"]
        members = EntryPlayer.objects.filter(entry__name="The Rest").values_list("player", flat=True)
        assert list(members) == others

    def test_tells_players_of_one_name_apart(self, cast: Cast) -> None:
        competition = opened(cast)
        for player in PlayerFactory.create_batch(3, club=cast.club, name="Anna Berg"):
            services.enter(by=cast.olga, competition=competition, players=[player.pk])
        assert [name for name, _ in entries(competition)] == ["Anna Berg", "Anna Berg (2)", "Anna Berg (3)"]

    def test_calls_a_team_of_long_names_by_their_beginning(self, cast: Cast) -> None:
        competition = opened(cast, lineup="boards", team_size=4)
        team = [player.pk for player in PlayerFactory.create_batch(4, club=cast.club, name="x" * 100)]
        services.enter(by=cast.olga, competition=competition, players=team)
        assert [name for name, _ in entries(competition)] == ["x" * 89 + "…"]

    def test_names_each_player_whom_the_club_does_not_have(self, cast: Cast) -> None:
        competition = opened(cast)
        away = PlayerFactory.create(club=cast.club, active=False)
        elsewhere = PlayerFactory.create()
        with pytest.raises(Malformed) as refused:
            services.enter(
                by=cast.olga,
                competition=competition,
                players=[cast.paul_plays.pk, uuid4(), away.pk, elsewhere.pk],
            )
        assert list(refused.value.errors) == ["players.1", "players.2", "players.3"]

    def test_a_player_twice_is_refused(self, cast: Cast) -> None:
        competition = opened(cast, players=2)
        with pytest.raises(Illegal):
            services.enter(by=cast.olga, competition=competition, players=[cast.paul_plays.pk])

    def test_beyond_the_places_waits_until_somebody_leaves(self, cast: Cast) -> None:
        competition = opened(cast, players=3, entering={"places": 2})
        assert [status for _, status in entries(competition)] == ["entered", "entered", "waiting"]
        first = Entry.objects.get(competition=competition, number=1)
        services.withdraw(by=cast.olga, competition=competition, entry=first.pk)
        assert [status for _, status in entries(competition)] == ["withdrawn", "entered", "entered"]

    def test_a_retry_at_its_number_enters_nobody_twice(self, cast: Cast) -> None:
        competition = opened(cast)
        both = [
            services.enter(by=cast.olga, competition=competition, players=[cast.paul_plays.pk], seq=2)
            for _ in range(2)
        ]
        assert [answer.created for answer in both] == [True, False]
        assert len(entries(competition)) == 1

    def test_at_a_number_that_another_took_is_stale(self, cast: Cast) -> None:
        competition = opened(cast, players=2)
        late = PlayerFactory.create(club=cast.club)
        with pytest.raises(Stale) as refused:
            services.enter(by=cast.olga, competition=competition, players=[late.pk], seq=2)
        assert refused.value.seq == 4

    def test_late_counts_from_the_next_round(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        late = PlayerFactory.create(club=cast.club)
        services.enter(by=cast.olga, competition=competition, players=[late.pk])
        assert Entry.objects.get(competition=competition, number=5).from_round == 2

    def test_a_substitute_must_be_of_the_club(self, cast: Cast) -> None:
        competition = opened(cast, players=2)
        entry = Entry.objects.get(competition=competition, number=1)
        change: dict[str, Any] = {
            "by": cast.olga,
            "competition": competition,
            "entry": entry.pk,
            "out": cast.paul_plays.pk,
        }
        with pytest.raises(Malformed):
            services.substitute(**change, into=PlayerFactory.create().pk)
        into = PlayerFactory.create(club=cast.club)
        services.substitute(**change, into=into.pk)
        assert EntryPlayer.objects.get(entry=entry).player == into


class TestSteering:
    @pytest.mark.parametrize("who", ["paul", "nora"])
    @pytest.mark.parametrize(
        "verb",
        [
            "open_entries",
            "close_entries",
            "start",
            "draw",
            "publish",
            "close_round",
            "pause",
            "resume",
            "finish",
        ],
    )
    def test_is_for_organisers(self, cast: Cast, who: str, verb: str) -> None:
        competition = opened(cast, players=2)
        with pytest.raises(PermissionDenied):
            getattr(services, verb)(by=getattr(cast, who), competition=competition)
        assert Event.objects.filter(competition=competition).count() == 3

    def test_opens_and_closes_entries_pauses_and_goes_on(self, cast: Cast) -> None:
        competition = opened(cast, players=2)
        seen = []
        for verb in ("open_entries", "close_entries", "start", "pause", "resume"):
            getattr(services, verb)(by=cast.olga, competition=competition)
            competition.refresh_from_db()
            seen.append(competition.status)
        assert seen == ["entering", "preparing", "running", "paused", "running"]

    def test_a_cancelled_competition_says_why_and_takes_no_more(self, cast: Cast) -> None:
        competition = opened(cast, players=2)
        services.cancel(by=cast.olga, competition=competition, reason="flood")
        with pytest.raises(Illegal):
            services.start(by=cast.olga, competition=competition)
        assert Event.objects.latest("seq").event == {"type": "cancelled", "reason": "flood"}

    def test_the_log_tells_role_and_account(self, cast: Cast) -> None:
        competition = opened(cast)
        entry = Event.objects.get(competition=competition)
        assert (entry.role, entry.account) == ("organiser", str(cast.olga.pk))
