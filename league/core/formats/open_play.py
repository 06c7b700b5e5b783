"""Open play: players open tables at any time while a round lasts."""

from games.engine.chance import Chance
from league.core.drawing.draw import Draw
from league.core.formats.base import Format
from league.core.state.competition import Competition, Stage


class OpenPlay(Format):
    """No tables are drawn; the scoring can let only the best results count."""

    key = "open_play"
    title = "Open play"
    summary = "Play when and with whom you like while the round lasts; the best results can be made to count."
    open_tables = True
    ignores = frozenset({"scoring.bye"})

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        return Draw(idle=tuple(entry for group in state.field(stage, number) for entry in group))
