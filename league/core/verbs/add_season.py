"""Add a season: the last stage is repeated, with promotion and relegation between divisions."""

from typing import Annotated

from games.engine.shapes import Between, Help
from games.engine.values import replace
from league.core.state import values as v
from league.core.state.competition import Competition
from league.core.state.plan import Editions, Fill, Intake, Sizes
from league.core.verb import Events, Given, Verb
from league.core.verbs.add_stage import StageAdded, checked


class AddSeason(Verb, key="add-season"):
    """Announce the next season of a league: the last stage again, with promotion and relegation.

    The best ``promoted`` entries of each division go up, then the last ``relegated`` of those left go down.
    Divisions keep their ``sizes``: ``fill`` says who fills a free place. New entries begin in the last
    division; `place` places an entry elsewhere. ``carry`` is the part of the points that entries keep.
    `start-stage` starts the season. With the automatic pace add it before the competition finishes, or reopen
    the competition.
    """

    taken_back_by = ("remove-stage",)

    name: v.Name
    promoted: Annotated[int, Between(0, 100), Help("how many of each division go up")] = 1
    relegated: Annotated[int, Between(0, 100), Help("how many of each division go down")] = 1
    carry: Annotated[v.Points, Help("the part of the points that entries keep")] = "0"
    sizes: Sizes = ()
    fill: Fill = "promote"

    def decide(self, state: Competition, given: Given) -> Events:
        intake = Intake(
            "promotion",
            promoted=self.promoted,
            relegated=self.relegated,
            carry=self.carry,
            sizes=self.sizes,
            fill=self.fill,
        )
        season = replace(state.plans[-1], name=self.name, intake=intake, editions=Editions())
        return (StageAdded(checked(state, season)),)
