"""Every ruleset's table, moves and score sheet are rendered from its golden games, for each kind of seat."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest
from django.template.loader import render_to_string

from games.engine import replay
from games.engine.chance import Shuffle
from games.engine.replay import Position
from games.models import Game
from league.models import ClubGame
from league.ops.folders import TOP
from league.web.gametable import TableShown
from league.web.moveforms import Chooser, move_forms
from league.web.score_rows import grid_forms
from league.web.seats import SeatShown
from tests.rules.folders import golden_of
from tests.rules.recording import replayed, viewers
from tests.toys import EVERY

pytestmark = pytest.mark.usefixtures("toys")

ENTRIES: Final = 4
GOLDEN: Final = [
    pytest.param(path, id=f"{ruleset.key}/{path.stem}") for ruleset in EVERY for path in golden_of(ruleset)
]
HANDS: Final = (
    "A finished game's table marks each hand, for the check in the browser: docs/adding-a-game.md, The pages."
)
UNFILLED: Final = re.compile(r"\{[{%#]|\bNone\b|\bundefined\b")


@pytest.mark.parametrize("path", GOLDEN)
def test_the_table_the_moves_and_the_sheet_are_shown(path: Path) -> None:
    positions = [position for _, position in replayed(path)]
    for at in chosen(len(positions)):
        for viewer in viewers(positions[at]):
            check(shown(positions[at], at + 1, viewer, over=False))
        check(shown(positions[at], at + 1, None, over=True))


def chosen(length: int) -> list[int]:
    """Return the indexes of some entries, the first and the last among them."""
    return sorted({(length - 1) * step // (ENTRIES - 1) for step in range(ENTRIES)})


def shown(position: Position, at: int, viewer: int | None, *, over: bool) -> TableShown:
    """Return the table as a seat, or a spectator (None), sees it; with all cards once the game is over."""
    seats = tuple(seats_of(position, viewer))
    choices = () if over or viewer is None else replay.choices(position, viewer)
    choices = choices or (replay.ruling_choices(position) if viewer is None and not over else ())
    status = Game.Status.FINISHED if over else Game.Status.ACTIVE
    game = Game(id=uuid4(), ruleset=position.ruleset.name, seq=at, status=status)
    return TableShown(
        club_game=ClubGame(game=game),
        position=position,
        at=at,
        seats=seats,
        mine=None if viewer is None else seats[viewer],
        view=replay.full_view(position) if over else replay.view(position, viewer),
        forms=move_forms(Chooser(position.ruleset, viewer, position), choices, {}),
        grids=grid_forms(game.pk, position.ruleset, choices, "", {}, {}),
        may_resign=viewer is not None and not over,
        entries=(),
        whole=True,
        seed=None,
        check=None,
        rulings=(),
        sent="",
        how={},
        written={},
    )


def seats_of(position: Position, viewer: int | None) -> Iterator[SeatShown]:
    """Yield the seats with a name each, without players."""
    scores: Any = replay.view(position, None)["scores"]
    for seat in range(position.seats):
        acts, out = seat in replay.to_act(position), "left the game" * (seat in position.out)
        yield SeatShown(seat, f"Player {seat}", None, scores[seat], None, acts, out, seat == viewer)


def check(table: TableShown) -> None:
    """Assert that the table's parts are rendered, and name what they must."""
    rendered = render_to_string(list(table.table_templates), {"table": table, "view": table.view})
    play = render_to_string(list(table.play_templates), {"table": table, "view": table.view})
    sheet = render_to_string("games/sheet.html", {"table": table})
    for text in map(visible, (rendered, play, sheet)):
        assert not UNFILLED.search(text), text
    if table.ruleset.dealt:
        assert all(seat.name in visible(rendered) for seat in table.seats)
    deals = any(isinstance(draw, Shuffle) and draw.hands for draw in table.ruleset.draws)
    if table.game.is_over and deals and not table.position.joining:
        assert rendered.count("data-cards-of-hand") == len(table.seats), HANDS
    assert {form.type for form in table.forms} <= {*re.findall(r'name="type" value="(\w+)"', play)}
    check_sheet(table, visible(sheet))


def check_sheet(table: TableShown, sheet: str) -> None:
    """Assert that the sheet has the total of each seat and the reason of each penalty."""
    view: Any = table.view
    if view["sheet"]:
        totals = sheet[sheet.index("Total") :].split()
        assert [str(score).replace("-", "−") for score in view["scores"]] == totals[1 : 1 + len(table.seats)]
    assert all(given["reason"] in sheet for given in view["penalties_given"])


def visible(page: str) -> str:
    """Return the text of a part of a page."""
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


def test_every_line_of_the_rules_in_short_cites_rules_that_exist() -> None:
    shorts = sorted((TOP / "games" / "rules").glob("*/templates/short*.html"))
    assert shorts
    for short in shorts:
        lines = re.findall("<li>.*</li>", short.read_text())
        known = set(re.findall(r'id="(\w+)"', short.with_name("rules.html").read_text()))
        cited = [re.findall(r"#([A-Z]\d+)", line) for line in lines]
        assert lines and all(cited)
        assert {rule for rules in cited for rule in rules} <= known


def test_what_was_left_unfilled_is_found() -> None:
    assert UNFILLED.search(visible("<p>None</p>"))
    assert UNFILLED.search(visible("<p>{{ view.hand }}</p>"))
    assert not UNFILLED.search(visible('<p class="None">nobody</p>'))


def test_the_first_and_the_last_entry_are_chosen() -> None:
    assert chosen(1) == [0]
    assert chosen(3) == [0, 1, 2]
    assert chosen(100) == [0, 33, 66, 99]
