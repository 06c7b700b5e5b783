"""Check everybody in: all entries are present before the start."""

from games.engine.refusals import Illegal
from league.core.state.checks import refuse_after_start
from league.core.state.competition import Competition
from league.core.verb import PREPARING, Button, Events, Given, Verb
from league.core.verbs.check_in import CheckedIn


class CheckInAllEntries(Verb, key="check-in-all"):
    """Check in all entries that take part, in one step."""

    taken_back_by = ("check-out",)
    scope = "club:rule"
    audience = "scorekeepers"
    check_in_all = Button(
        "Check in all entries",
        "All entries that take part are checked in.",
        "“Take back the check-in” of those who are not here works until the start.",
        statuses=PREPARING,
        part="entries",
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.opening.entering.check_in and bool(state.not_checked_in)

    def decide(self, state: Competition, given: Given) -> Events:
        refuse_after_start(state)
        if not state.opening.entering.check_in:
            raise Illegal("This competition has no check-in.")
        return [CheckedIn(entry.id) for entry in state.not_checked_in]
