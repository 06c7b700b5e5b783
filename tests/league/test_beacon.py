"""Draws that wait for the public beacon: its values come from its servers or from a file."""

import hashlib
import json
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
import time_machine
from django.core.management import CommandError, call_command

from games.engine.refusals import Illegal
from league import log, tasks
from league.core import commitment, portable, verifier
from league.core.verbs.draw import DrawRound
from league.core.verbs.stages import StartStage
from league.core.verbs.start import StartCompetition
from league.models import BeaconValue, Competition
from league.queries import verification
from league.services.automatic import complete, fetch
from tests import patience
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened


def answer(number: int) -> dict[str, Any]:
    """Return what a server of the beacon would answer; no beacon has signed it."""
    signature = hashlib.sha256(str(number).encode()).hexdigest() + "ab" * 16
    randomness = hashlib.sha256(bytes.fromhex(signature)).hexdigest()
    return {"round": number, "randomness": randomness, "signature": signature}


class Drand(BaseHTTPRequestHandler):
    wrong: ClassVar[dict[str, Any]] = {}

    def do_GET(self) -> None:
        chain, _, number = self.path.strip("/").split("/")
        body = json.dumps({**answer(int(number)), **self.wrong} if chain == commitment.CHAIN else {}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as it is declared
        pass


@pytest.fixture
def server(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Drand]]:
    monkeypatch.setattr("league.services.automatic.SECONDS", patience.SECONDS)
    served = HTTPServer(("127.0.0.1", 0), Drand)
    Thread(target=served.serve_forever, args=(0.01,), daemon=True).start()
    settings.BEACON_URLS = ["http://127.0.0.1:1", f"http://127.0.0.1:{served.server_port}"]
    yield Drand
    served.shutdown()
    served.server_close()
    Drand.wrong = {}


@pytest.fixture
def waiting(cast: Cast) -> Competition:
    """Return a competition whose groups wait for the beacon."""
    competition = opened(cast, 8, entropy="beacon")
    act(cast.olga, competition, StartCompetition)
    competition.refresh_from_db()
    return competition


def kinds(competition: Competition) -> list[str]:
    return [entry.event["type"] for entry in log.entries(competition)]


def later(number: int) -> Any:
    return time_machine.travel(commitment.round_time(number) + timedelta(seconds=1), tick=False)


def test_a_draw_waits_until_its_round_is_due(waiting: Competition, server: type[Drand]) -> None:
    assert waiting.awaited_beacon and kinds(waiting)[-1] == "cut_off"
    at = log.entries(waiting)[-1].at
    assert commitment.round_time(waiting.awaited_beacon) >= at + commitment.LEAD
    complete(competition_id=waiting.pk)
    assert kinds(waiting)[-1] == "cut_off"


@pytest.mark.usefixtures("server")
def test_the_worker_completes_it_and_the_file_is_verified(cast: Cast, waiting: Competition) -> None:
    with later(waiting.awaited_beacon):
        tasks.sweep()
        act(cast.olga, waiting, DrawRound)
    waiting.refresh_from_db()
    assert kinds(waiting)[-2:] == ["stage_started", "cut_off"]
    with later(waiting.awaited_beacon):
        tasks.sweep()
        tasks.sweep()
    assert kinds(waiting)[-1] == "drawn" and kinds(waiting).count("drawn") == 1
    waiting.refresh_from_db()
    lines = list(verification.lines(waiting))
    report = verifier.check(portable.read(lines))
    assert (report.events_with("different"), len(report.beacons)) == ([], 1)


@pytest.mark.django_db
def test_a_server_that_answers_something_else_is_not_believed(server: type[Drand]) -> None:
    for wrong in ({"randomness": "00" * 32}, {"round": 7}, {"signature": "ab"}, {"signature": 5}):
        server.wrong = wrong
        assert not fetch(1000)
    assert not BeaconValue.objects.exists()


def test_without_a_server_the_draw_is_refused_with_the_round_that_it_needs(
    cast: Cast, waiting: Competition
) -> None:
    with later(waiting.awaited_beacon), pytest.raises(Illegal, match=f"{waiting.awaited_beacon}"):
        act(cast.olga, waiting, StartStage)


def test_a_file_has_values_for_a_server_without_a_connection(
    cast: Cast, waiting: Competition, tmp_path: Path, settings: Any
) -> None:
    settings.BEACON_URLS = []
    file = tmp_path / "beacon.jsonl"
    file.write_text(json.dumps(answer(waiting.awaited_beacon)) + "\n", encoding="utf-8")
    call_command("beacon", str(file), stdout=StringIO())
    act(cast.olga, waiting, StartStage)
    assert kinds(waiting)[-1] == "stage_started"
    file.write_text('{"round": 5}\n', encoding="utf-8")
    with pytest.raises(CommandError, match="not a round of the beacon"):
        call_command("beacon", str(file))


def test_verify_logs_says_which_values_of_the_beacon_are_unchecked(waiting: Competition) -> None:
    said = StringIO()
    call_command("verify_logs", "--processes=1", stdout=said)
    number = log.latest(waiting).awaited_beacon
    assert f"Unchecked: the values of the beacon's rounds {number}." in said.getvalue()
