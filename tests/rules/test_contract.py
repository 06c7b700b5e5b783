"""What every registered ruleset must hold; a new one is tested here by being registered."""

import itertools
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias

import jsonschema_rs
import pytest

from games import verifier
from games.engine import replay, schemas, shapes
from games.engine.cards import pack
from games.engine.choosing import Choice
from games.engine.common_moves import COMMON, Abandon, Forfeit, Penalty, Resign, Timeout
from games.engine.describing import describe
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal, Malformed
from games.engine.replay import Actor, AnyRuleset, Position
from tests.rules.randomplay import opened, plays
from tests.rules.recording import SECRET, Recorder, as_clients_see
from tests.toys import EVERY

Step: TypeAlias = tuple[Position, int, JsonObject]

pytestmark = pytest.mark.usefixtures("toys")

COMMON_VIEW = {"round", "rounds", "scores", "sheet", "turn", "phase"}


class Table:
    """A random game, played to its end once for all the tests of this table."""

    def __init__(self, ruleset: AnyRuleset, seats: int, options: JsonObject) -> None:
        self.ruleset, self.seats, self.options = ruleset, seats, options
        self.steps = list(plays(ruleset, seats, seed=seats, options=options))

    @property
    def end(self) -> Position:
        position, seat, move = self.steps[-1]
        return replay.played(position, Actor("seat", seat), replay.read_move(self.ruleset, move))

    def sampled(self, most: int) -> list[Step]:
        """Return at most so many steps, spread over the whole game."""
        return self.steps[:: 1 + len(self.steps) // most]


def sizes(ruleset: AnyRuleset) -> list[int]:
    """Return the smallest, a middle and the largest table."""
    return sorted({ruleset.seats[0], ruleset.seats[len(ruleset.seats) // 2], ruleset.seats[-1]})


def tables(rulesets: Sequence[AnyRuleset]) -> list[Any]:
    """Return a parameter for each table that is played: smallest, middle, largest, and each preset."""
    return [
        pytest.param((ruleset, seats, options), id=f"{ruleset.key}-{seats}-{preset or 'defaults'}")
        for ruleset in rulesets
        for preset, options in {"": {}, **ruleset.presets}.items()
        for seats in (sizes(ruleset) if not preset else ruleset.seats[:1])
    ]


DEALT = [ruleset for ruleset in EVERY if ruleset.dealt]
EACH = pytest.mark.parametrize("ruleset", EVERY, ids=lambda ruleset: ruleset.key)
EACH_DEALT = pytest.mark.parametrize("ruleset", DEALT, ids=lambda ruleset: ruleset.key)
EACH_DEALT_TABLE = pytest.mark.parametrize("table", tables(DEALT), indirect=True)


@pytest.fixture(params=tables(EVERY))
def table(request: pytest.FixtureRequest) -> Table:
    ruleset, seats, options = request.param
    return played(ruleset, seats, json.dumps(options))


@cache
def played(ruleset: AnyRuleset, seats: int, options: str) -> Table:
    """Return the table of a ruleset, which is played once for all tests and all their parameters."""
    return Table(ruleset, seats, json.loads(options))


def viewers(seats: int) -> list[int | None]:
    return [None, *range(seats)]


def test_random_legal_play_ends_with_a_result_for_every_seat(table: Table) -> None:
    result = replay.result(table.end)
    assert result is not None
    assert [placing.seat for placing in result.seats] == list(range(table.seats))
    assert all(1 <= placing.rank <= table.seats for placing in result.seats)


@EACH_DEALT_TABLE
def test_cards_are_conserved_within_a_round(table: Table) -> None:
    ruleset, states = table.ruleset, [position.state for position, _, _ in table.steps]
    counted = [(ruleset.deal_number(state), Counter(ruleset.cards(state))) for state in states]
    for (number, held), (following, holds) in itertools.pairwise(counted):
        if number != following:
            continue
        assert not held - holds
        assert holds - held in (Counter(), Counter(pack()))


def test_every_combination_of_listed_values_is_legal(table: Table) -> None:
    ruleset = table.ruleset
    for position, _, _ in table.sampled(20):
        for seat, choice in offered(position):
            assert choice.type in {**ruleset.moves, **COMMON}
            for move in itertools.islice(combinations(choice), 40):
                replay.played(position, Actor("seat", seat), replay.read_move(ruleset, move))


def offered(position: Position) -> Iterator[tuple[int, Choice]]:
    """Yield each choice, and one of the seats that have it: on paper many seats have the same."""
    tried: list[Choice] = []
    for seat in replay.to_act(position):
        for choice in replay.choices(position, seat):
            if choice not in tried:
                tried.append(choice)
                yield seat, choice


def combinations(choice: Any) -> Iterator[JsonObject]:
    named = {name: field.values for name, field in choice.fields.items() if not field.optional}
    assert all(named.values()), f"a required field of {choice.type} has no value"
    for values in itertools.product(*named.values()):
        move = {"type": choice.type, **dict(zip(named, values, strict=True))}
        yield move
        for name, field in choice.fields.items():
            if field.optional:
                yield from ({**move, name: value} for value in field.values)


def test_moves_print_and_parse_and_fit_their_schema(table: Table) -> None:
    ruleset = table.ruleset
    described = {
        kind: jsonschema_rs.Draft202012Validator(dict(schema))
        for kind, schema in schemas.move_schemas(ruleset).items()
    }
    for _, _, data in table.sampled(400):
        move = replay.read_move(ruleset, data)
        written = replay.write_move(ruleset, move)
        assert replay.read_move(ruleset, as_clients_see(written)) == move
        assert written == as_clients_see(written)
        described[str(written["type"])].validate(as_clients_see(written))
        assert describe(ruleset, move)


def test_a_view_is_json_and_has_the_common_names(table: Table) -> None:
    for position, _, _ in table.sampled(20):
        seen: list[Any] = [replay.view(position, viewer) for viewer in viewers(table.seats)]
        for view in (*seen, replay.full_view(position)):
            assert {*view} >= COMMON_VIEW
            assert len(view["scores"]) == table.seats
            json.dumps(view)


def test_a_step_mutates_nothing(table: Table) -> None:
    ruleset = table.ruleset
    for position, seat, move in table.sampled(150):
        before = repr(position)
        replay.played(position, Actor("seat", seat), replay.read_move(ruleset, move))
        assert repr(position) == before


def test_another_seats_moves_are_refused_or_legal_and_change_nothing(table: Table) -> None:
    ruleset = table.ruleset
    moves: list[JsonObject] = []
    for position, seat, move in table.sampled(50):
        moves = [*moves[-12:], move]
        before = repr(position)
        listed = {
            other: {choice.type for choice in replay.choices(position, other)}
            for other in replay.to_act(position)
        }
        for other, tried in itertools.product(range(table.seats), moves):
            try:
                replay.played(position, Actor("seat", other), replay.read_move(ruleset, tried))
                assert tried["type"] in listed[other]
            except Illegal as refusal:
                assert refusal.sentence
                assert other == seat or other in replay.to_act(position) or refusal.rule == ruleset.turn_rule
        assert repr(position) == before


BROKEN: list[Any] = [
    None,
    [],
    7,
    "draw",
    {},
    {"type": None},
    {"type": ["draw"]},
    {"type": "nonsense"},
    {"type": "resign", "extra": 1},
    {"type": "penalty", "seat": True, "points": 20, "reason": "advice"},
    {"type": "penalty", "seat": 0, "points": 20},
    {"type": "penalty", "seat": 0, "points": 0, "reason": "nothing"},
    {"type": "penalty", "seat": 0, "points": -1, "reason": "praise"},
    {"type": "penalty", "seat": 0, "points": 1001, "reason": "much"},
    {"type": "abandon", "reason": "nul \x00"},
    {"type": "abandon", "reason": "half \ud800"},
    {"type": "ready", "entropy": "x" * 201},
]


@EACH
@pytest.mark.parametrize("data", BROKEN, ids=repr)
def test_what_is_no_move_is_malformed(ruleset: AnyRuleset, data: Any) -> None:
    with pytest.raises(Malformed) as caught:
        replay.read_move(ruleset, data)
    assert caught.value.errors


@EACH
def test_a_move_with_one_field_more_less_or_broken_is_malformed(ruleset: AnyRuleset) -> None:
    for _, _, move in Table(ruleset, ruleset.seats[0], {}).sampled(200):
        required = shapes.record(ruleset.moves[str(move["type"])]).fields
        broken: list[Any] = [{**move, "extra": 1}]
        broken += [{**move, field.name: {"a": 1.5}} for field in required]
        broken += [{k: v for k, v in move.items() if k != f.name} for f in required if f.required]
        for data in broken:
            with pytest.raises(Malformed):
                replay.read_move(ruleset, data)


@EACH
def test_options_print_and_parse_fill_defaults_and_fit_their_schema(ruleset: AnyRuleset) -> None:
    schema: Any = shapes.schema(ruleset.options)
    for preset in ({}, *ruleset.presets.values()):
        options = ruleset.read_options(preset, ruleset.seats[0])
        filled = as_clients_see(ruleset.write_options(options))
        jsonschema_rs.Draft202012Validator(schema).validate(filled)
        assert ruleset.read_options(filled, ruleset.seats[0]) == options
    assert all("description" in described for described in schema["properties"].values())
    with pytest.raises(Malformed):
        ruleset.read_options({"nonsense": 1}, ruleset.seats[0])


@EACH
def test_a_table_of_the_wrong_size_is_malformed(ruleset: AnyRuleset) -> None:
    for seats in {0, 1, 11, *range(2, 11)} - {*ruleset.seats}:
        with pytest.raises(Malformed):
            ruleset.read_options({}, seats)


@EACH_DEALT_TABLE
def test_the_clock_alone_ends_the_game(table: Table) -> None:
    position = opened(table.ruleset, table.seats, 3, table.options)
    while position.status == "active":
        seat = replay.awaited(position)[0]
        position = replay.played(position, Actor("clock", seat), Timeout())
    assert replay.result(position) is not None


def test_the_game_waits_for_a_seat_where_cards_are_dealt_and_for_none_elsewhere(table: Table) -> None:
    for position, _, _ in table.sampled(40):
        awaited, to_act = replay.awaited(position), replay.to_act(position)
        assert bool(awaited) == table.ruleset.dealt
        assert {*awaited} <= {*to_act}


@EACH_DEALT_TABLE
def test_seats_that_leave_at_any_moment_rank_last(table: Table) -> None:
    for number, (position, _, _) in enumerate(table.sampled(7)):
        leaver = number % table.seats
        leave: Any = Resign() if number % 2 else None
        if leave:
            position = replay.played(position, Actor("seat", leaver), leave)
        else:
            position = replay.played(position, Actor("arbiter"), Forfeit(leaver))
        position = by_the_clock(position)
        result = replay.result(position)
        assert result is not None
        team = position.teams[leaver]
        if team not in position.teams_left:
            assert result.seats[leaver].rank == max(placing.rank for placing in result.seats)


def by_the_clock(position: Position) -> Position:
    """Return the finished game when nobody but the clock and the system moves."""
    while position.status == "active":
        due = replay.due(position)
        actor, move = due or (Actor("clock", replay.awaited(position)[0]), Timeout())
        position = replay.played(position, actor, move)
    return position


@EACH
def test_the_last_team_left_has_won(ruleset: AnyRuleset) -> None:
    seats = ruleset.seats[-1]
    position = opened(ruleset, seats, 5)
    for seat in (seat for seat in range(1, seats) if position.teams[seat] != position.teams[0]):
        position = replay.played(position, Actor("arbiter"), Forfeit(seat))
        while due := replay.due(position):
            position = replay.played(position, *due)
    result = replay.result(position)
    assert result is not None
    assert [placing.rank == 1 for placing in result.seats] == [
        position.teams[seat] == position.teams[0] for seat in range(seats)
    ]


@EACH
def test_a_penalty_counts_for_its_seat_at_any_moment(ruleset: AnyRuleset) -> None:
    for position, seat, _ in Table(ruleset, ruleset.seats[0], {}).sampled(50):
        worse = 20 if ruleset.low_wins else -20
        before = position
        after = replay.played(position, Actor("arbiter"), Penalty(seat, 20, "advice"))
        mates = [position.teams[seat] == position.teams[other] for other in range(position.seats)]
        assert changed(before, after) == [worse if mate else 0 for mate in mates]
        seen: Any = replay.view(after, None)
        assert seen["scores"] == [*ruleset.scores(after.state)]
        assert seen["penalties_given"] == [
            {"round": seen["round"], "seat": seat, "points": 20, "reason": "advice"}
        ]
        others = [other for other in range(position.seats) if position.teams[other] != position.teams[seat]]
        assert changed(forfeited(before, others), forfeited(after, others)) == changed(before, after)


def changed(before: Position, after: Position) -> list[int]:
    """Return how much higher each seat's score is."""
    scores = zip(before.ruleset.scores(before.state), after.ruleset.scores(after.state), strict=True)
    return [late - early for early, late in scores]


def forfeited(position: Position, seats: Sequence[int]) -> Position:
    """Return the game after all of these seats have left."""
    for seat in seats:
        if position.status == "active":
            position = replay.played(position, Actor("arbiter"), Forfeit(seat))
        while due := replay.due(position):
            position = replay.played(position, *due)
    return position


@EACH_DEALT
def test_nobody_may_make_the_move_of_another_role(ruleset: AnyRuleset) -> None:
    position = opened(ruleset, ruleset.seats[0], 1)
    awaited = replay.awaited(position)[0]
    for actor, move in (
        (Actor("seat", awaited), Penalty(0, 20, "advice")),
        (Actor("seat", awaited), Abandon("bored")),
        (Actor("seat", awaited), Timeout()),
        (Actor("arbiter"), Resign()),
        (Actor("arbiter"), ruleset.default_move(position.state, awaited)),
        (Actor("system", awaited), ruleset.default_move(position.state, awaited)),
        (Actor("clock", awaited), Abandon("late")),
        (Actor("seat", 99), Resign()),
    ):
        with pytest.raises(Illegal):
            replay.played(position, actor, move)


@EACH
def test_a_game_that_is_over_takes_no_move(ruleset: AnyRuleset) -> None:
    position = opened(ruleset, ruleset.seats[0], 1)
    over = replay.played(position, Actor("arbiter"), Abandon("fire alarm"))
    assert over.status == "abandoned"
    assert replay.result(over) is None
    assert replay.to_act(over) == replay.awaited(over) == ()
    with pytest.raises(Illegal):
        replay.played(over, Actor("arbiter"), Abandon("again"))


@EACH_DEALT
def test_entropy_of_the_seats_changes_the_deal_and_the_clock_can_stand_in(ruleset: AnyRuleset) -> None:
    seats = ruleset.seats[0]
    said = Recorder(ruleset.key, seats, entropy=True)
    assert replay.view(said.position, None)["phase"] == "joining"
    assert replay.to_act(said.position) == tuple(range(seats))
    silent = Recorder(ruleset.key, seats, entropy=True)
    for seat in range(seats):
        said.seat(seat, {"type": "ready", "entropy": f"words of {seat}"})
        silent.clock(seat)
    assert not said.position.joining
    assert not silent.position.joining
    plain = Recorder(ruleset.key, seats)
    deals = [replay.full_view(game.position) for game in (said, silent, plain)]
    assert deals[0] != deals[1]
    assert deals[1] != deals[2]


@EACH
def test_a_seat_that_resigns_while_joining_does_not_hold_up_the_deal(ruleset: AnyRuleset) -> None:
    seats = ruleset.seats[-1]
    game = Recorder(ruleset.key, seats, entropy=True)
    game.seat(0, {"type": "resign"})
    if seats == 2:
        assert game.position.is_over  # The other one has won.
        return
    for seat in range(1, seats):
        game.seat(seat, {"type": "ready"})
    assert not game.position.joining


@EACH_DEALT
def test_the_log_of_a_played_game_is_verified_and_every_tampering_is_named(ruleset: AnyRuleset) -> None:
    game = Recorder(ruleset.key, ruleset.seats[0], secret=SECRET)
    game.play()
    lines = list(game.lines())
    report = verifier.check(lines)
    assert report.replayed
    assert report.entries == len(game.entries)
    for number in range(1, len(lines), max(1, len(lines) // 9)):
        entry = json.loads(lines[number - 1])
        entry["at"] = "2026-01-01T00:00:00.000000Z"
        with pytest.raises(verifier.WrongLog) as caught:
            verifier.check([*lines[: number - 1], json.dumps(entry), *lines[number:]])
        assert caught.value.seq == number
