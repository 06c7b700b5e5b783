"""Options and seats as people read them: in words, and counted from 1; a raw key is on no page."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games import rules
from games.engine import shapes
from games.engine.kinds import Field, OneOf
from games.engine.messages import seat, seat_first, text
from games.engine.replay import AnyRuleset
from league.projections.standings import compute_standings
from league.queries.competitions import state_of
from league.queries.standings import tie_break_order
from league.words.messages import translated
from league.words.options import format_title, option_in_words, options_in_words, scoring_in_words
from tests.factories import Cast
from tests.league.playing import PLAN, in_play, opened
from tests.league.test_admin_scope import logged_in
from tests.league.walking import text_of


def choices(ruleset: AnyRuleset) -> Iterator[tuple[Field, list[str]]]:
    """Yield the options of a game that are one of some keys, with these keys."""
    for field in shapes.record(ruleset.options).fields:
        if isinstance(field.shape.bare, OneOf):
            yield field, [value for value in field.shape.bare.values if isinstance(value, str)]


CHOICES = [(ruleset, field, keys) for ruleset in rules.RULESETS for field, keys in choices(ruleset)]


@pytest.mark.parametrize(("ruleset", "field", "keys"), CHOICES, ids=lambda each: getattr(each, "name", ""))
def test_every_choice_of_an_option_has_a_title(ruleset: AnyRuleset, field: Field, keys: list[str]) -> None:
    said = [option_in_words(field, key) for key in keys]
    assert not {*said} & {*keys}
    assert not any("_" in each for each in said)
    assert len({*said}) == len(keys)


def shown(html: str) -> str:
    """Return what a page shows, without its tags."""
    return re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL)


@pytest.mark.parametrize(
    "ruleset",
    [each for each in rules.NEWEST.values() if [*choices(each)]],
    ids=lambda ruleset: ruleset.key,
)
def test_no_page_shows_the_key_of_an_option(client: Client, cast: Cast, ruleset: AnyRuleset) -> None:
    chosen: dict[str, Any] = {field.name: keys[-1] for field, keys in choices(ruleset)}
    keys = {key for _, all_keys in choices(ruleset) for key in all_keys if "_" in key}
    first = {field.name: keys_of[0] for field, keys_of in choices(ruleset)}
    olga = logged_in(cast.olga)
    for name, options in (("First", first), ("Last", chosen)):
        competition = opened(cast, 2, name=name, ruleset=ruleset.key, options=options, stages=[PLAN])
        pages = [
            client.get(f"/competitions/{competition.slug}/"),
            client.get(f"/competitions/{competition.slug}/log/"),
            client.get(f"/rules/{ruleset.key}/"),
            olga.get(f"/admin/league/competition/{competition.pk}/change/"),
            olga.get(f"/admin/league/competition/add/?ruleset={ruleset.key}&plan=club_night"),
        ]
        said = " ".join(shown(text_of(page)) for page in pages)
        assert [key for key in keys if key in said] == []
        for field, _ in choices(ruleset):
            assert option_in_words(field, options[field.name]) in shown(text_of(pages[0])).replace(
                "&#x27;", "'"
            )


def test_people_count_seats_from_1_and_clients_from_0() -> None:
    sentence = text("%(seat)s passes", seat=seat(0))
    assert (sentence, translated(sentence)) == ("seat 0 passes", "seat 1 passes")
    assert translated(seat_first(2)) == "Seat 3"
    assert translated(sentence, {0: "Anna"}.get) == "Anna passes"


def test_a_format_goes_by_its_title() -> None:
    assert "_" not in format_title("round_robin")
    assert format_title("gone_for_good") == "Gone for good"


@pytest.mark.parametrize("key", ["scamper", "scamper-scorecard"])
def test_only_the_contracts_that_are_played_are_listed(key: str) -> None:
    ruleset = rules.NEWEST[key]
    told = dict(options_in_words(ruleset, ruleset.write_options(ruleset.read_options({"rounds": 2}, 3))))
    assert (told["Contracts"], told["Deals in a game"]) == ("2 sets of 3; 2 runs of 3", "2")
    with translation.override("de"):
        told = dict(options_in_words(ruleset, ruleset.write_options(ruleset.read_options({"rounds": 2}, 3))))
    assert told["Kontrakte"] == "2 Sätze aus 3; 2 Folgen aus 3"


def test_a_ladder_is_ranked_by_rungs_and_by_nothing_else(cast: Cast, client: Client) -> None:
    plan = {**PLAN, "format": "ladder", "table_size": 2, "rounds": 1, "tie_breaks": ["wins"]}
    competition = in_play(cast, 3, stages=[plan])
    compute_standings(competition.pk)
    stage = competition.stages.get()
    assert (
        scoring_in_words(stage, state_of(competition).opening)
        == "The rung is the rank: points and tie-breaks decide nothing. "
        "Who has left comes after, in the order of the rungs left; "
        "in the end, who left without a table is last."
    )
    assert tie_break_order(stage) == []
    assert "tie-breaks mean" not in client.get(f"/competitions/{competition.slug}/").content.decode()


def test_a_round_is_the_competition_s_and_options_of_games_count_deals() -> None:
    titles = [field.title for each in rules.RULESETS for field in shapes.record(each.options).fields]
    assert [title for title in titles if "round" in title.lower()] == []
