"""What a game looks like before it is kept: its printed sheet, and a deal that is scored at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

from django.utils.translation import gettext as _

from games.engine import shapes
from games.engine.textinput import number
from games.rules.card_game import ruleset_of
from games.rules.card_game.definition import Definition, Options, Written
from games.rules.card_game.examples import scoring_example
from games.rules.card_game.formula import worked_out
from games.rules.card_game.score_card import lined, numbers, of_deal, of_seats
from games.rules.card_game.telling import title_of
from league.words.messages import translated

ROWS_SHOWN: Final = 3
TRIED: Final = "try."


@dataclass(frozen=True)
class Preview:
    """The beginning of a game's printed sheet, and a deal that can be: what is written and what it scores."""

    heading: str
    rows: Sequence[tuple[int, str, str]]
    legend: Sequence[str]
    formula: Sequence[str]
    deal: str
    scores: Sequence[int]


def preview(game: Definition) -> Preview:
    """Return the preview of a game that can be played."""
    ruleset, seats = ruleset_of(game), game.seats[0]
    form = ruleset.form(Options(game))
    found = scoring_example(game, seats)
    deal, scores = "", tuple[int, ...]()
    if found is not None:
        result: Any = shapes.read(ruleset.result, found)
        deal = translated(ruleset.in_words(result))
        scores = worked_out(game, seats, 1, numbers(game, seats, result))[game.score]
    return Preview(
        translated(form.heading),
        [(row.round, translated(row.task), translated(row.hint)) for row in form.rows[:ROWS_SHOWN]],
        [translated(each) for each in form.legend],
        [translated(each) for each in ruleset.explained],
        deal,
        scores,
    )


# ---- A deal that is tried --------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """An input of a tried deal: its name, its text, what it is chosen from, and whether it can't be read."""

    name: str
    label: str
    value: str
    choices: Sequence[tuple[str, str]] = ()
    wrong: bool = False


@dataclass(frozen=True)
class Trial:
    """A deal of a game: what is written once and for each seat, what every line gives, and what can't be."""

    seats: Sequence[int]
    once: Sequence[Cell]
    rows: Sequence[tuple[str, Sequence[Cell | None]]]
    lines: Sequence[tuple[str, Sequence[int]]]
    scores: Sequence[int]
    broken: Sequence[str]


def trial(game: Definition, typed: Mapping[str, Any]) -> Trial:
    """Return the deal that was typed, or one that can be, as it scores at the smallest table."""
    seats = game.seats[0]
    example: Any = {} if any(name.startswith(TRIED) for name in typed) else scoring_example(game, seats) or {}
    lines = example.get("seats", [{}] * seats)
    once = [_cell(each, seats, "", typed, example) for each in of_deal(game)]
    cells = [
        [
            _cell(each, seats, f".{seat}", typed, lines[seat]) if each in lined(game, seat) else None
            for seat in range(seats)
        ]
        for each in of_seats(game)
    ]
    deal: Any = SimpleNamespace(
        **{each.name: _value(each, cell) for each, cell in zip(of_deal(game), once, strict=True)}
    )
    deal.seats = [
        SimpleNamespace(
            **{each.name: _value(each, row[seat]) for each, row in zip(of_seats(game), cells, strict=True)}
        )
        for seat in range(seats)
    ]
    known = worked_out(game, seats, 1, numbers(game, seats, deal))
    return Trial(
        range(1, seats + 1),
        once,
        [(translated(each.title), row) for each, row in zip(of_seats(game), cells, strict=True)],
        [(title_of(step.name), known[step.name]) for step in game.steps if step.name != game.score],
        known[game.score],
        [translated(rule.says) for rule in game.checks if not {*known[rule.of]} <= {*rule.one_of}],
    )


def _cell(each: Written, seats: int, place: str, typed: Mapping[str, Any], example: Any) -> Cell:
    name, value = f"{TRIED}{each.name}{place}", example.get(each.name)
    text = str(typed.get(name, "" if value is None or value is False else "1" if value is True else value))
    label = f"{translated(each.title)} {place[1:] and int(place[1:]) + 1}".strip()
    wrong = (
        each.kind == "number"
        and bool(text.strip())
        and not (isinstance(found := number(text), int) and each.least <= found <= each.most)
    )
    return Cell(name, label, text, [*_choices(each, seats)], wrong)


def _choices(each: Written, seats: int) -> Iterator[tuple[str, str]]:
    if each.kind == "number":
        return
    yield "", "–" if each.kind != "tick" else _("no")
    if each.kind == "tick":
        yield "1", _("yes")
    elif each.kind == "player":
        yield from ((str(seat), str(seat + 1)) for seat in range(seats))
    else:
        yield from ((str(value.name), translated(value.name)) for value in each.values)


def _value(each: Written, cell: Cell | None) -> Any:
    text = cell.value.strip() if cell else ""
    if not text or (cell and cell.wrong):
        return None
    if each.kind == "choice":
        return text if text in {str(value.name) for value in each.values} else None
    found = number(text)
    return found if isinstance(found, int) else None
