"""Reports of errors to a server that speaks Sentry's protocol, where one is configured.

https://docs.sentry.io/platforms/python/configuration/options/

A report says where in the code an error happened and what kind it is. Nothing that players, cards or clubs
could be known by leaves the server: no values of variables, no text of exceptions, no request but its id, by
which the server's log tells the rest.
"""

from collections import deque
from collections.abc import Mapping
from time import monotonic
from typing import Any, Final

import sentry_sdk
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.utils import BadDsn
from structlog.contextvars import get_contextvars

from league.ops.environment import BadSetting

MOST_A_MINUTE: Final = 30
"""How many reports a process sends in a minute; the log has all errors."""
_KEPT: Final = ("event_id", "timestamp", "level", "platform", "logger", "release", "environment", "sdk")
_TAGS: Final = ("request_id", "game", "competition", "task", "task_id", "subject")
_OF_FRAME: Final = ("filename", "function", "module", "lineno", "in_app")
_sent: Final[deque[float]] = deque(maxlen=MOST_A_MINUTE)


def begin(dsn: str, release: str) -> None:
    """Report errors of this process from now on; raise `BadSetting` for an address that is none."""
    try:
        sentry_sdk.init(**options(dsn, release))
    except BadDsn as error:
        raise BadSetting(f"SENTRY_DSN is no address of error reports: {error}.") from None


def options(dsn: str, release: str) -> dict[str, Any]:
    """Return the options of the client."""
    return {
        "dsn": dsn,
        "release": release,
        "before_send": reported,
        "include_local_variables": False,
        "include_source_context": False,
        "max_request_body_size": "never",
        "max_breadcrumbs": 0,
        "auto_session_tracking": False,
        "send_client_reports": False,
        # No header of ours goes to servers that receive webhooks.
        "trace_propagation_targets": [],
        "transport_queue_size": MOST_A_MINUTE,
        "auto_enabling_integrations": False,
        "integrations": [DjangoIntegration(middleware_spans=False), CeleryIntegration()],
    }


def reported(event: Any, _hint: Mapping[str, Any]) -> Any:
    """Return what is sent of an event: only what is named here; None for what is not sent."""
    exceptions = (event.get("exception") or {}).get("values")
    if not exceptions or not _has_room():
        return None
    known = get_contextvars()
    return {
        **{name: event[name] for name in _KEPT if name in event},
        "tags": {name: known[name] for name in _TAGS if name in known},
        "exception": {"values": [_exception(each) for each in exceptions]},
    }


def _has_room() -> bool:
    now = monotonic()
    if len(_sent) == MOST_A_MINUTE and now - _sent[0] < 60:
        return False
    _sent.append(now)
    return True


def _exception(value: Mapping[str, Any]) -> dict[str, Any]:
    frames = (value.get("stacktrace") or {}).get("frames", [])
    return {
        **{name: value.get(name) for name in ("type", "module")},
        "stacktrace": {"frames": [{name: frame.get(name) for name in _OF_FRAME} for frame in frames]},
    }
