"""What tests of challenges have in common."""

import pytest

from tests.factories import Cast


@pytest.fixture(autouse=True)
def awake(cast: Cast) -> None:
    """Let the club have no quiet hours, in which its emails wait until the morning."""
    cast.club.quiet = ""
    cast.club.save(update_fields=["quiet"])
