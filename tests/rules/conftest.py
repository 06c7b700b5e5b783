"""What the tests over every ruleset have: the small games of the tests, registered."""

from collections.abc import Iterator, Sequence

import pytest

from games import rules
from tests.rules.folders import HERE
from tests.toys import TOYS


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Let ``-k`` with the key of a game choose the tests in its folder, too, which is called otherwise."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.extra_keyword_matches.add(item.path.relative_to(HERE).parts[0].replace("_", "-"))


@pytest.fixture
def toys() -> Iterator[None]:
    """Register the small games."""
    with rules.registered(*TOYS):
        yield
