"""Opening, entering and managing competitions: input, permissions and results."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied

from games.engine.clocks import Clock
from games.engine.refusals import Illegal, Malformed, Stale
from league import log
from league.core.verbs import ORGANISER_VERBS
from league.core.verbs.course import CancelCompetition
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import SubstitutePlayer, WithdrawEntry
from league.core.verbs.start import StartCompetition
from league.models import Competition, Entry, EntryPlayer, Stage
from league.models.events import Event
from league.projections.standings import compute_standings
from league.queries.competitions import with_entry_counts
from league.services.competitions import open_competition
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, opened


def entries(competition: Competition) -> list[tuple[str, str]]:
    """Return name and status of each entry, in the order of entering."""
    return list(Entry.objects.filter(competition=competition).values_list("name", "status"))


class TestOpening:
    def test_records_every_option_and_a_seed_of_its_own(self, cast: Cast) -> None:
        first, second = opened(cast), opened(cast)
        assert (first.ruleset, first.options, first.status) == ("tally@1", {"rounds": 1}, "preparing")
        assert log.latest(first).root != log.latest(second).root

    def test_makes_a_unique_slug_from_the_name(self, cast: Cast) -> None:
        slugs = [opened(cast, name=name).slug for name in ("Été 2026!", "Été 2026", "ete 2026", "王")]
        assert slugs == ["ete-2026", "ete-2026-2", "ete-2026-3", "competition"]

    def test_creates_all_stages_at_once(self, cast: Cast) -> None:
        competition = opened(cast, stages=[PLAN, {**PLAN, "name": "Final", "rounds": 1}])
        shown = Stage.objects.filter(competition=competition).values_list("number", "name", "status")
        assert list(shown) == [(1, "League", "planned"), (2, "Final", "planned")]

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
    def test_with_errors_is_refused_with_its_fields(
        self, cast: Cast, wrong: dict[str, Any], field: str
    ) -> None:
        with pytest.raises(Malformed) as refused:
            opened(cast, **wrong)
        assert field in refused.value.errors
        assert not Competition.objects.exists()

    def test_with_a_slug_in_use_is_refused(self, cast: Cast) -> None:
        opened(cast, slug="league")
        with pytest.raises(Malformed) as refused:
            opened(cast, slug="league")
        assert list(refused.value.errors) == ["slug"]

    def test_sets_the_time_zone_of_quiet_hours(self, cast: Cast) -> None:
        competition = opened(cast, clock=Clock(move=60, quiet="22:00-08:00"))
        assert log.latest(competition).opening.clock["zone"] == "Europe/Dublin"

    @pytest.mark.parametrize("who", ["paul", "nora"])
    def test_is_for_organisers(self, cast: Cast, who: str) -> None:
        with pytest.raises(PermissionDenied):
            open_competition(
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
        act(cast.olga, competition, EnterPlayers, players=pair)
        act(cast.olga, competition, EnterPlayers, players=others, name="The Rest")
        assert [name for name, _ in entries(competition)] == ["Paul Pike & Petra Plum", "The Rest"]
        members = EntryPlayer.objects.filter(entry__name="The Rest").values_list("player", flat=True)
        assert list(members) == others

    def test_distinguishes_players_with_the_same_name(self, cast: Cast) -> None:
        competition = opened(cast)
        for player in PlayerFactory.create_batch(3, club=cast.club, name="Anna Berg"):
            act(cast.olga, competition, EnterPlayers, players=[player.pk])
        assert [name for name, _ in entries(competition)] == ["Anna Berg", "Anna Berg (2)", "Anna Berg (3)"]

    def test_shortens_the_name_of_a_team_with_long_names(self, cast: Cast) -> None:
        competition = opened(cast, lineup="boards", team_size=4)
        team = [player.pk for player in PlayerFactory.create_batch(4, club=cast.club, name="x" * 100)]
        act(cast.olga, competition, EnterPlayers, players=team)
        assert [name for name, _ in entries(competition)] == ["x" * 89 + "…"]

    def test_names_each_player_who_is_not_in_the_club(self, cast: Cast) -> None:
        competition = opened(cast)
        away = PlayerFactory.create(club=cast.club, active=False)
        elsewhere = PlayerFactory.create()
        with pytest.raises(Malformed) as refused:
            act(
                cast.olga,
                competition,
                EnterPlayers,
                players=[cast.paul_plays.pk, uuid4(), away.pk, elsewhere.pk],
            )
        assert list(refused.value.errors) == ["players.1", "players.2", "players.3"]

    def test_a_player_again_changes_nothing_and_under_another_name_is_refused(self, cast: Cast) -> None:
        competition = opened(cast, players=2)
        act(cast.olga, competition, EnterPlayers, players=[cast.paul_plays.pk])
        assert len(entries(competition)) == 2
        with pytest.raises(Illegal):
            act(cast.olga, competition, EnterPlayers, players=[cast.paul_plays.pk], name="The other Paul")

    def test_beyond_the_limit_joins_the_waiting_list_until_an_entry_withdraws(self, cast: Cast) -> None:
        competition = opened(cast, players=3, entering={"places": 2})
        assert [status for _, status in entries(competition)] == ["entered", "entered", "waiting"]
        first = Entry.objects.get(competition=competition, number=1)
        act(cast.olga, competition, WithdrawEntry, entry=first.pk)
        assert [status for _, status in entries(competition)] == ["withdrawn", "entered", "entered"]

    def test_a_retry_with_the_same_seq_enters_nobody_twice(self, cast: Cast) -> None:
        competition = opened(cast)
        both = [
            act(cast.olga, competition, EnterPlayers, players=[cast.paul_plays.pk], seq=2) for _ in range(2)
        ]
        assert [answer.created for answer in both] == [True, False]
        assert len(entries(competition)) == 1

    def test_with_a_seq_in_use_is_stale(self, cast: Cast) -> None:
        competition = opened(cast, players=2)
        late = PlayerFactory.create(club=cast.club)
        with pytest.raises(Stale) as refused:
            act(cast.olga, competition, EnterPlayers, players=[late.pk], seq=2)
        assert refused.value.seq == 4

    def test_late_counts_from_the_next_round(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        late = PlayerFactory.create(club=cast.club)
        act(cast.olga, competition, EnterPlayers, players=[late.pk])
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
            act(verb=SubstitutePlayer, into=PlayerFactory.create().pk, **change)
        into = PlayerFactory.create(club=cast.club)
        act(verb=SubstitutePlayer, into=into.pk, **change)
        assert EntryPlayer.objects.get(entry=entry).player == into


class TestSteering:
    @pytest.mark.parametrize("who", ["paul", "nora"])
    @pytest.mark.parametrize(
        "verb",
        [
            "open",
            "close-entries",
            "start",
            "draw",
            "publish",
            "close-round",
            "pause",
            "resume",
            "finish",
        ],
    )
    def test_is_for_organisers(self, cast: Cast, who: str, verb: str) -> None:
        competition = opened(cast, players=2)
        with pytest.raises(PermissionDenied):
            act(getattr(cast, who), competition, ORGANISER_VERBS[verb])
        assert Event.objects.filter(competition=competition).count() == 3

    def test_opens_and_closes_entries_pauses_and_resumes(self, cast: Cast) -> None:
        competition = opened(cast, players=2)
        seen = []
        for verb in ("open", "close-entries", "start", "pause", "resume"):
            act(cast.olga, competition, ORGANISER_VERBS[verb])
            competition.refresh_from_db()
            seen.append(competition.status)
        assert seen == ["entering", "preparing", "running", "paused", "running"]

    def test_a_cancelled_competition_has_a_reason_and_takes_no_more_events(self, cast: Cast) -> None:
        competition = opened(cast, players=2)
        act(cast.olga, competition, CancelCompetition, reason="flood")
        with pytest.raises(Illegal):
            act(cast.olga, competition, StartCompetition)
        assert Event.objects.latest("seq").event == {"type": "cancelled", "reason": "flood"}

    def test_the_log_has_role_and_account(self, cast: Cast) -> None:
        competition = opened(cast)
        entry = Event.objects.get(competition=competition)
        assert (entry.role, entry.account) == ("organiser", str(cast.olga.pk))


def test_the_number_of_entries_has_those_who_left_after_the_start(cast: Cast) -> None:
    def counted(competition: Competition) -> int:
        return int(vars(with_entry_counts(Competition.objects.all()).get(pk=competition.pk))["entry_count"])

    early, late = opened(cast, 4), in_play(cast, 4)
    for competition in (early, late):
        compute_standings(competition.pk)
        act(cast.olga, competition, WithdrawEntry, entry=competition.entries.order_by("number")[0].pk)
    assert (counted(early), counted(late)) == (3, 4)
