"""A competition imported on another server has the same rows to the byte."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.utils import timezone

from games import log as games
from games import rebuilding
from games.engine.refusals import Illegal, Malformed
from games.models import Game
from league import log
from league.apps.exchange import services
from league.apps.exchange.services import import_competition, import_game
from league.core.details import NewDetails, Prize
from league.models import Club, Competition, Player
from league.projections import ratings as rating_lists
from league.projections.standings import compute_standings
from league.queries import verification
from league.queries.competitions import details_of, told_by
from league.services.competitions import change_details, values_of
from tests.factories import Cast, ClubFactory
from tests.games.test_log import at_once
from tests.killed import command, killed
from tests.league.playing import finished, in_play, opened
from tests.league.test_commands import said
from tests.league.test_names_at_once import entering, meanwhile, newcomer
from tests.league.test_projections import dumped, of_logs, wiped
from tests.league.test_restoring import everything, season
from tests.league.test_verify import exported, rechained
from tests.recorded import FILES

__all__ = ["season"]


class TestImport:
    def test_restores_logs_rows_and_standings_to_the_byte(self, cast: Cast) -> None:
        competition = finished(cast)
        compute_standings(competition.pk)
        lines, before = exported(competition), (of_logs(), dumped())
        assert before[1]["league_roundstandings"]
        wiped()
        assert import_competition(club=cast.club, lines=lines).created
        assert (of_logs(), dumped()) == before
        assert exported(Competition.objects.get()) == lines

    def test_restores_what_the_competition_told(self, cast: Cast) -> None:
        competition = finished(cast)
        told = NewDetails(
            "2026-05-03", "19:30:00", None, "Hall", "Bring a pen.", "Olga", (Prize("a cup", 1, 1),)
        )
        change_details(by=cast.olga, competition=competition, values=values_of(told))
        lines = exported(Competition.objects.get())
        wiped()
        import_competition(club=cast.club, lines=lines)
        assert told_by(details_of(Competition.objects.get())) == told
        assert exported(Competition.objects.get()) == lines

    def test_refuses_wrong_details(self, cast: Cast) -> None:
        first, *rest, last = exported(finished(cast))
        wiped()
        count = json.loads(last)["lines"] + 1
        for told in ({"place": 7}, {"begins_on": "2026-02-30"}, {"ends_on": "2026-05-03"}, {"host": "x"}):
            lines = [first, json.dumps({"details": told}), *rest, json.dumps({"lines": count})]
            with pytest.raises(Malformed):
                import_competition(club=cast.club, lines=lines)
        assert not Competition.objects.exists()

    def test_creates_players_without_accounts(self, cast: Cast) -> None:
        lines = exported(finished(cast))
        wiped(players=True)
        import_competition(club=ClubFactory.create(), lines=lines)
        players = Player.objects.filter(name__startswith="P")
        assert {player.account for player in players} == {None}
        assert {"Paul Pike", "Petra Plum"} < {player.name for player in players}

    def test_of_the_same_file_again_changes_nothing(self, cast: Cast) -> None:
        lines = exported(finished(cast))
        before = (of_logs(), dumped())
        imported = import_competition(club=cast.club, lines=lines)
        assert (imported.created, imported.row) == (False, Competition.objects.get())
        assert (of_logs(), dumped()) == before

    def test_chooses_another_slug_if_its_own_is_in_use(self, cast: Cast) -> None:
        lines = exported(finished(cast))
        wiped()
        finished(cast, 2, name="Autumn", stages=[PAIR])
        imported = import_competition(club=cast.club, lines=lines)
        assert imported.row.slug == "autumn-2"

    @pytest.mark.usefixtures("own_folder")
    def test_results_in_a_log_that_verifies(self, cast: Cast) -> None:
        lines = exported(finished(cast))
        wiped()
        import_competition(club=cast.club, lines=lines)
        assert said("verify_logs") == "Every log is correct: games 4, competitions 1.\n"


PAIR = {"name": "Duel", "format": "rounds", "rounds": 1, "table_size": 2}


def renamed(lines: list[str]) -> list[str]:
    """Return the file as if it were another competition's of the same log."""
    header = json.loads(lines[0])
    return [json.dumps({**header, "competition": str(Game.objects.all()[0].pk)}), *lines[1:]]


def slower(lines: list[str]) -> list[str]:
    return rechained(lines, 1, lambda event: event.update(name="Spring"))


class TestImportIsRefused:
    def test_while_the_competition_runs(self, cast: Cast) -> None:
        lines = exported(in_play(cast))
        wiped()
        with pytest.raises(Illegal, match="that is over"):
            import_competition(club=cast.club, lines=lines)

    def test_with_an_invalid_file(self, cast: Cast) -> None:
        lines = exported(finished(cast))
        wiped()
        with pytest.raises(Malformed, match="are missing"):
            import_competition(club=cast.club, lines=lines[:-3])
        assert not Game.objects.exists()

    def test_if_it_names_a_player_twice(self, cast: Cast) -> None:
        lines = exported(finished(cast))
        wiped()
        lines.insert(1, json.dumps({**json.loads(lines[1]), "name": "Somebody else"}))
        with pytest.raises(Malformed, match="line 3: the file names this player twice"):
            import_competition(club=cast.club, lines=[*lines[:-1], json.dumps({"lines": len(lines) - 1})])

    def test_while_others_write_the_same_again_and_again(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        competition, game = exported(finished(cast)), [*games.lines(Game.objects.all()[0])]
        wiped()
        monkeypatch.setattr(services, "take_in_player", Mock(side_effect=IntegrityError))
        monkeypatch.setattr(rebuilding, "restore", Mock(side_effect=IntegrityError))
        for take_in, lines in ((import_competition, competition), (import_game, game)):
            with pytest.raises(Illegal, match="Import it again"):
                take_in(club=cast.club, lines=lines)

    def test_if_it_is_dated_ahead(self, cast: Cast) -> None:
        with time_machine.travel(timezone.now() + timedelta(days=2), tick=True):
            lines = exported(finished(cast))
        wiped()
        with pytest.raises(Malformed, match="is dated"):
            import_competition(club=cast.club, lines=lines)

    @pytest.mark.parametrize(
        ("change", "expected"),
        [(slower, "exists already, with another log"), (renamed, "another competition")],
    )
    def test_if_it_contradicts_existing_data(
        self, cast: Cast, change: Callable[[list[str]], list[str]], expected: str
    ) -> None:
        lines = exported(finished(cast))
        before = dumped()
        with pytest.raises(Illegal, match=expected):
            import_competition(club=cast.club, lines=change(lines))
        assert dumped() == before

    @pytest.mark.parametrize("gone", [(), ("competition",)])
    def test_if_it_belongs_to_another_club(self, cast: Cast, gone: tuple[str, ...]) -> None:
        lines = exported(finished(cast))
        if gone:
            wiped()
        with pytest.raises(Illegal, match="exists already, in another club"):
            import_competition(club=Club.objects.exclude(pk=cast.club.pk)[0], lines=lines)


class TestTheCommands:
    def test_move_a_competition_to_another_server(self, cast: Cast, tmp_path: Path) -> None:
        competition = finished(cast)
        file = tmp_path / "autumn.jsonl"
        assert said("export_competition", competition.slug, str(file)).startswith(f"{file}: ")
        wiped()
        expected = said("import_competition", str(file), "--club", cast.club.slug)
        assert expected == "Autumn: imported, at /competitions/autumn/\n"
        assert "unchanged" in said("import_competition", str(file), "--club", cast.club.slug)

    @pytest.mark.parametrize(
        "arguments",
        [
            ["export_competition", "nowhere", "/tmp/nothing"],
            ["export_competition", "autumn", "/nowhere/file"],
            ["import_competition", "/nowhere/file", "--club", "harbour"],
            ["import_competition", "/nowhere/file", "--club", "nowhere"],
            ["import_competition", __file__, "--club", "harbour"],
        ],
    )
    def test_print_what_is_wrong(self, cast: Cast, arguments: list[str]) -> None:
        Club.objects.filter(pk=cast.club.pk).update(slug="harbour")
        in_play(cast)
        with pytest.raises(CommandError):
            call_command(*arguments)


@pytest.mark.django_db(transaction=True)
def test_the_same_file_imported_twice_at_once_is_imported_once(cast: Cast) -> None:
    lines = exported(finished(cast))
    wiped()
    answers = at_once([lambda: import_competition(club=cast.club, lines=lines)] * 3)
    assert sorted(answer.created for answer in answers) == [False, False, True]
    assert log.verified(Competition.objects.get()).over
    assert list(verification.lines(Competition.objects.get())) == lines


@pytest.mark.django_db(transaction=True)
def test_who_comes_does_not_wait_while_games_of_a_file_are_replayed(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (FILES / "swiss-01.jsonl").read_text(encoding="utf-8").splitlines()
    evening, player = opened(cast, 2), newcomer(cast, 0)
    came = meanwhile(monkeypatch, rebuilding, "restore", entering(cast, player, evening))
    assert import_competition(club=cast.club, lines=lines).created
    assert len(came) == 1 and Player.objects.get(pk=player.pk).appeared


def test_a_season_is_imported_from_its_file_to_the_byte(cast: Cast, season: Competition) -> None:
    Competition.objects.update(renamed=0)  # how often that was is in no log (docs/trust.md)
    before, lines = everything(), exported(season)
    wiped()
    import_competition(club=cast.club, lines=lines)
    rating_lists.rebuild(cast.club.pk)
    assert everything() == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("at", ['INSERT INTO "games_move"', 'INSERT INTO "league_import"'])
def test_an_import_is_done_whole_by_the_same_command_again(cast: Cast, tmp_path: Path, at: str) -> None:
    file, competition = tmp_path / "all.jsonl", finished(cast)
    before = dumped()
    file.write_text("".join(f"{line}\n" for line in exported(competition)))
    wiped()
    assert killed(command, "import_competition", str(file), f"--club={cast.club.slug}", at=at)
    assert not Competition.objects.exists()
    said("import_competition", str(file), f"--club={cast.club.slug}")
    rating_lists.rebuild(cast.club.pk)
    assert dumped() == before
