"""Open play: tables at any time, with whoever is there, while a round lasts."""

from games.engine.chance import Chance
from league.competition.state import Competition, Stage
from league.formats.base import Draw, Format


class OpenPlay(Format):
    """Nothing is drawn: people open tables, and the best of their results count where the scoring says so."""

    key = "open_play"
    title = "Open play"
    summary = "Play when and with whom you like while the round lasts; the best results can be made to count."
    open_tables = True

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        playing = [entry for group in state.field(stage, number) for entry in group]
        return Draw((), {}, idle=tuple(playing))
