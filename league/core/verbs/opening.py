"""The opening of a competition: the first event of its log, with everything announced about it."""

from games import rules
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.values import replace
from league.core import editions
from league.core.events import Event, read, write
from league.core.plans import check_plans, fitting
from league.core.state.competition import Competition
from league.core.state.plan import Opening


class Opened(Opening, Event, type="opened"):
    """The competition is set up, with everything announced about it."""

    title = "Competition set up"
    found_by = "opened, created, new competition"
    text = "%(name)s is set up."
    announces = "competition_opened"

    def check(self) -> None:
        """Raise `Illegal` where line-up and team size contradict each other, or an edition is not known."""
        if self.lineup == "single" and self.team_size != 1:
            raise Illegal("An entry of a single player has a team size of 1.")
        for plan in self.stages:
            editions.check(plan)
        editions.check_roles(self.roles)

    def apply(self, state: Competition) -> Competition:
        raise Illegal("The competition is opened already.")


def opening_of(announced: Opening) -> Opened:
    """Return the event that opens a competition; raise `Malformed` where something does not fit.

    It records the newest version of the ruleset, the editions of each stage and of roles, all options with
    defaults, and the numbers of seats for which the ruleset accepts them.
    """
    try:
        game = rules.find(announced.ruleset)
    except KeyError:
        raise Malformed({"ruleset": [text("There is no such game here.")]}) from None
    seats, options = fitting(game, announced.options)
    fixed = {"ruleset": game.name, "options": options, "seats": seats, "low_wins": game.low_wins}
    opened = Opened(**{**vars(announced), **fixed, "roles": editions.ROLES[-1]})
    read(write(opened))
    check_plans(opened)
    opened = replace(opened, stages=tuple(map(editions.named, opened.stages)))
    opened.check()
    return opened
