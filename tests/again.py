"""A test in a browser that fails is tried once more; a run in which many were tried again fails."""

from typing import Final

import pytest

_MOST: Final = 2
"""How many tests of a run may need it: a test that did is a bug to mend."""


def let_browsers_try_again(items: list[pytest.Item]) -> None:
    """Mark the tests that use a browser, so that each is tried a second time where it fails."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run in which more than two tests were tried again."""
    if len(_tried(session.config)) > _MOST and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the tests that were tried again in the last lines."""
    tried = _tried(terminalreporter.config)
    for name in tried:
        terminalreporter.write_line(f"TRIED AGAIN {name}: a bug to mend")
    if len(tried) > _MOST:
        terminalreporter.write_line(f"FAILED: {len(tried)} tests were tried again, {_MOST} may be")


def _tried(config: pytest.Config) -> list[str]:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return [report.nodeid for report in reporter.stats.get("rerun", ())] if reporter else []
