"""What the tests over every ruleset have: the small games of the tests, registered."""

from collections.abc import Iterator

import pytest

from games import rules
from tests.toys import TOYS


@pytest.fixture
def toys() -> Iterator[None]:
    """Register the small games."""
    with rules.registered(*TOYS):
        yield
