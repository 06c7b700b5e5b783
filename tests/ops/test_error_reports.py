"""Error reports: where an error happened, and nothing that cards, seeds, tokens or people are known by."""

import json
from typing import Any

import pytest
import sentry_sdk
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport
from structlog.contextvars import bound_contextvars

from league.ops import error_reports
from league.ops.environment import BadSetting

DSN = "https://key@errors.example/1"


class Kept(Transport):
    """Keeps what would be sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    def capture_envelope(self, envelope: Envelope) -> None:
        self.sent.append(envelope.serialize().decode())


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    error_reports._sent.clear()
    return Kept()


def report(kept: Kept) -> None:
    options: dict[str, Any] = error_reports.options(DSN, "1.0") | {"integrations": []}
    client = sentry_sdk.Client(**options, default_integrations=False, transport=kept)
    with sentry_sdk.new_scope() as scope:
        scope.set_client(client)
        scope.set_user({"email": "petra@example.org"})
        scope.add_breadcrumb(message="hand of petra")
        hand = "petra holds 4C"
        try:
            raise ValueError(f"token s3cret: {hand}")
        except ValueError as error:
            scope.capture_exception(error)


def test_a_report_says_where_an_error_happened_and_nothing_else(kept: Kept) -> None:
    with bound_contextvars(request_id="r-1", game="g-1", ip="192.0.2.1", user_id=7):
        report(kept)
    (sent,) = kept.sent
    event = json.loads(sent.splitlines()[2])
    assert event["tags"] == {"request_id": "r-1", "game": "g-1"}
    (exception,) = event["exception"]["values"]
    assert (exception["type"], exception["stacktrace"]["frames"][-1]["function"]) == ("ValueError", "report")
    assert not any(secret in sent for secret in ("petra", "s3cret", "192.0.2.1", "4C"))


def test_a_process_sends_no_more_than_so_many_a_minute(kept: Kept) -> None:
    for _ in range(error_reports.MOST_A_MINUTE + 5):
        report(kept)
    assert len(kept.sent) == error_reports.MOST_A_MINUTE


def test_lines_of_the_log_are_not_sent() -> None:
    assert error_reports.reported({"logentry": {"message": "petra"}}, {}) is None


def test_a_wrong_address_is_refused_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadSetting, match="SENTRY_DSN"):
        error_reports.begin("nowhere", "1.0")
