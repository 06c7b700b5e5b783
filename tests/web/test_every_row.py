"""Every row that the desk lists opens, whatever is special about it: a player with and without an account."""

from itertools import chain
from typing import Any, Final

import pytest
from django.urls import reverse

from league.admin.site import desk
from league.models import Player
from tests import factories
from tests.web.every_page.world import made
from tests.web.test_every_page import AREAS

MOST: Final = 40
"""How many rows of a kind are opened, the newest first."""


def rows() -> list[tuple[str, Any]]:
    found = []
    for kind in desk._registry:
        name = f"admin:{kind._meta.app_label}_{kind._meta.model_name}_change"
        found += [(name, row.pk) for row in kind._default_manager.order_by("-pk")[:MOST]]
    return found


@pytest.mark.long
def test_every_row_of_the_desk_opens(transactional_db: None) -> None:
    cast = factories.cast()
    parts = chain.from_iterable(parts for _pages, parts in AREAS.values())
    world = made(cast, [*dict.fromkeys(parts)])
    assert Player.objects.filter(club=cast.club, account=None).exists()
    olga = world.visitors["olga"]
    olga.raise_request_exception = False
    answers = {(name, pk): olga.get(reverse(name, args=[pk])).status_code for name, pk in rows()}
    assert len([each for each in answers.values() if each == 200]) > 3 * len({name for name, _ in answers})
    assert {each: status for each, status in answers.items() if status not in (200, 302, 403, 404)} == {}
