"""Score cards as grids: a row of inputs for each round, its scores and state, and what was posted for it.

The name of an input is the key of its card, the number of the round and the name in the round's own form
(`league.web.gridforms`), separated by dots. Each row has an input ``seen`` with the version of the round that
the page shows and a digest of its values: so a posted row is known to be untouched, and nobody overwrites
what somebody else has written meanwhile without having seen it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias
from uuid import UUID

from games.engine import shapes
from games.engine.jsontypes import JsonObject
from games.engine.paper import PaperCard
from games.engine.results import rank_leavers_last
from league.web.gridforms import LINE, UNCHOSEN, GridForm, Posted, grid_form, grid_move
from league.words.messages import translated

if TYPE_CHECKING:
    from games.engine.paper import GridRow
    from games.engine.replay import AnyRuleset, Position

State: TypeAlias = Literal["coming", "agreed", "unconfirmed", "disputed"]
BLANK_ROWS: Final = 8
"""The most rounds to come that a grid shows of a game that mostly ends before its last round."""
FULL_ROWS: Final = 20
"""The most rounds of a game whose grid shows them all."""
_NAME: Final = re.compile(r"([0-9a-f-]{36})\.(\d{1,3})\.([\w-]{1,80})", re.ASCII)
_SEEN: Final = re.compile(r"(\d{1,4})\.([0-9a-f]{16})", re.ASCII)


@dataclass(frozen=True)
class Refused:
    """What was typed into a row and not saved: sentences about the row, and errors by the path of a field.

    ``conflict`` says that somebody else has written the round meanwhile.
    """

    values: Posted
    sentences: Sequence[str] = ()
    errors: Mapping[str, Sequence[str]] = field(default_factory=dict)
    conflict: bool = False


@dataclass(frozen=True)
class RowShown:
    """A round of a card: its form, each seat's score once it is entered, and its state.

    ``now`` are the values of its inputs as the round is entered, where the form has others that were typed;
    ``wrong`` are sentences on what was typed and refused; ``conflict`` as in `Refused`. ``doubt`` asks about
    an entered round that is possible but unusual.
    """

    prefix: str
    number: int
    version: int
    form: GridForm
    now: Posted
    seen: str
    state: State
    scores: tuple[int, ...]
    wrong: tuple[str, ...]
    conflict: bool
    doubt: str = ""

    @property
    def marked(self) -> tuple[str, ...]:
        """Return the names of the inputs that are wrong."""
        asked = [each.name for each in self.form.asked if each.wrong]
        of_seats = [each.name for line in self.form.lines if line.wrong for each in line.numbers]
        return (*asked, *of_seats)


@dataclass(frozen=True)
class GridShown:
    """A card as a grid: its rows, and each seat's total and place so far."""

    rows: tuple[RowShown, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]
    over: bool
    complete: bool

    @property
    def columns(self) -> tuple[tuple[str, bool], ...]:
        """Return the title of each input that is not of one seat, and whether its values are seats."""
        return tuple((each.title, each.seats) for row in self.rows[:1] for each in row.form.asked)

    @property
    def disputed(self) -> tuple[int, ...]:
        """Return the numbers of the disputed rounds."""
        return tuple(row.number for row in self.rows if row.state == "disputed")


def grid(key: str, position: Position, refused: Mapping[int, Refused]) -> GridShown:
    """Return a card's grid; ``refused`` is what was typed and not saved, by round."""
    ruleset, card = position.ruleset, position.state
    assert isinstance(ruleset, PaperCard)
    all_rounds = ruleset.rounds(card)
    most = all_rounds if all_rounds <= FULL_ROWS else BLANK_ROWS
    disputed = {each.number for each in ruleset.open_rounds(card) if each.disputed}
    rows = tuple(
        _row(f"{key}.{row.number}.", row, row.number in disputed, refused.get(row.number))
        for row in ruleset.grid(card, most)
    )
    entered = len(card.entries)
    scored = [
        replace(row, scores=ruleset.round_scores(card, row.number), doubt=_doubt(ruleset, card, row.number))
        for row in rows[:entered]
    ]
    return GridShown(
        (*scored, *rows[entered:]),
        ruleset.scores(card),
        _places(position) if entered else (),
        over=ruleset.is_over(card),
        complete=ruleset.complete(card),
    )


def _doubt(ruleset: PaperCard[Any, Any, Any], card: Any, number: int) -> str:
    question = ruleset.doubt(card, number)
    return translated(question) if question else ""


def _places(position: Position) -> tuple[int, ...]:
    """Return the rank of each seat so far; a seat that has left is last whatever its scores."""
    ranks = position.ruleset.ranks(position.state)
    return rank_leavers_last(ranks, position.teams, position.teams_left)


def _row(prefix: str, row: GridRow, disputed: bool, refused: Refused | None) -> RowShown:
    now = grid_form(row.choice, "", {}, {})
    form = now
    if refused is not None:
        sent = {**refused.values, "grid": now.grid, "value": str(now.value)}
        form = grid_form(row.choice, "", sent, refused.errors)
    entered = {each.name: each.value for each in now.inputs}
    return RowShown(
        prefix=prefix,
        number=row.number,
        version=row.version,
        form=form,
        now=entered,
        seen=seen(row.version, entered),
        state=_state(row, disputed),
        scores=(),
        wrong=tuple(refused.sentences) if refused else (),
        conflict=refused is not None and refused.conflict,
    )


def _state(row: GridRow, disputed: bool) -> State:
    if not row.version:
        return "coming"
    if row.agreed:
        return "agreed"
    return "disputed" if disputed else "unconfirmed"


def seen(version: int, values: Posted) -> str:
    """Return what recognises a version of a round and the values that were shown of it."""
    filled = sorted(
        (name, text.strip()) for name, text in values.items() if text.strip() not in ("", UNCHOSEN)
    )
    return f"{version}.{hashlib.sha256(json.dumps(filled).encode()).hexdigest()[:16]}"


# ---- What was posted -----------------------------------------------------------------------------


@dataclass(frozen=True)
class PostedRow:
    """The inputs of a row that was posted, by their names in the round's own form."""

    card: UUID
    number: int
    values: Posted
    seen: str

    @property
    def version(self) -> int:
        """Return the version of the round that the page showed; 0 for a damaged row."""
        known = _SEEN.fullmatch(self.seen)
        return int(known[1]) if known else 0

    @property
    def touched(self) -> bool:
        """Return whether the values are other than those that the page showed."""
        return seen(self.version, self.values) != self.seen


def posted_rows(posted: Posted) -> Iterator[PostedRow]:
    """Yield the rows in a posted form, card by card and in order."""
    rows: dict[tuple[str, int], dict[str, str]] = {}
    for name, text in posted.items():
        if found := _NAME.fullmatch(name):
            rows.setdefault((found[1], int(found[2])), {})[found[3]] = text
    for (card, number), values in sorted(rows.items()):
        seen = values.pop("seen", "")
        yield PostedRow(UUID(card), number, values, seen)


def result_in(ruleset: AnyRuleset, row: PostedRow) -> JsonObject:
    """Return the fields of a round's result in a posted row; raise `Malformed`."""
    fields = shapes.record(ruleset.moves["round"]).fields
    by_seat = {name.split("-")[0] for name in row.values} & {LINE}
    lists = [each.name for each in fields if each.shape.kind == "rows"]
    form = {**row.values, "by": "round", "value": str(row.number), "grid": lists[0] if by_seat else ""}
    move = grid_move(fields, form)
    return {name: value for name, value in move.items() if name != "round"}
