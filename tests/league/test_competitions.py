"""A competition through its verbs: what it takes, who may, and what stands afterwards."""

from league import log
from tests.factories import Cast
from tests.league.playing import opened


def test_a_competition_is_opened_with_every_option_and_a_seed_of_its_own(cast: Cast) -> None:
    first, second = opened(cast), opened(cast)
    assert (first.slug, second.slug) == ("autumn", "autumn-2")
    assert (first.ruleset, first.options, first.status) == ("tally@1", {"rounds": 1}, "preparing")
    assert log.latest(first).opening.seed != log.latest(second).opening.seed
