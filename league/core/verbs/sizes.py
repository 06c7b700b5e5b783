"""Set the sizes of the next round's tables before it is drawn, which the server may do by itself."""

from collections.abc import Mapping
from typing import Annotated

from games.engine.refusals import Illegal
from games.engine.shapes import Label
from games.engine.values import replace
from league.core.events import Event
from league.core.sizes import checked, fixed_ahead
from league.core.state import values as v
from league.core.state.competition import Competition, RoundSizes
from league.core.state.cut_offs import Sizes
from league.core.verb import LIVE, Button, Events, Given, Verb


class SizesSet(Event, type="sizes_set"):
    """A round that is not drawn yet will have tables of these sizes, or as planned."""

    title = "Sizes of tables"
    found_by = "table sizes, number of tables"
    text = "Round %(round)s will be drawn at %(sizes)s."
    text_none = "Round %(round)s will be drawn at tables as planned."
    stage: v.Count
    round: v.Count
    sizes: Sizes = ()

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text if fields.get("sizes") else cls.text_none

    def apply(self, state: Competition) -> Competition:
        at = state.round_point(state.next_round)
        if at != (self.stage, self.round):
            raise Illegal("The next round to draw is round %(round)d.", round=at[1])
        if why := fixed_ahead(state):
            raise Illegal(why, fields=["sizes"])
        if checked(state, self.sizes) != self.sizes:
            raise Illegal("Give the biggest tables first.", fields=["sizes"])
        return replace(state, ahead=RoundSizes(at, self.sizes) if self.sizes else None)


class SetSizes(Verb, key="set-sizes"):
    """Say of which sizes the tables of the next round will be, where the server draws it by itself.

    Where another number of entries plays then, the round has as many tables, as even ones as there can be; or
    tables as planned where that is impossible. None at all: as planned, or as the rooms allow. ``draw`` with
    sizes of its own goes before.
    """

    taken_back_by = ("set-sizes",)
    set_sizes = Button(
        "Tables of the next round",
        "The next round is drawn at tables of these sizes. If more or fewer play then, it has as many "
        "tables, as even ones as there can be.",
        "Set other sizes, or as planned, until the round is drawn.",
        statuses=LIVE,
        part="round",
        asks=("sizes",),
        rank=80,
        rare=True,
    )

    sizes: Annotated[Sizes, Label("Sizes")] = ()

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.opening.pace == "automatic" and fixed_ahead(state) is None

    def decide(self, state: Competition, given: Given) -> Events:
        if why := fixed_ahead(state):
            raise Illegal(why, fields=["sizes"])
        stage, number = state.round_point(state.next_round)
        return (SizesSet(stage, number, checked(state, self.sizes)),)
