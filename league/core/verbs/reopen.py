"""Reopen a competition that is finished or cancelled."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.messages import plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.competition import Competition
from league.core.state.updates import discarded
from league.core.verb import Button, Caution, Verb


@dataclass(frozen=True)
class _Fields:
    reason: v.Reason


class Reopened(_Fields, Event, type="reopened"):
    """A finished or cancelled competition goes on as before its end; games that the end abandoned stay so.

    What is changed after it was finished marks the standings as corrected. An unpublished draw of a cancelled
    competition, which everybody could read, is discarded.
    """

    title = "Competition reopened"
    found_by = "correction after the end, open again"
    text = "The competition is reopened."
    announces = "competition_reopened"
    after_end = True

    def apply(self, state: Competition) -> Competition:
        if not state.over:
            raise Illegal("The competition is not over.")
        before = replace(discarded(state, self.reason), status=state.before_end, reason="")
        return replace(before, final_stages=len(state.stages)) if state.status == "finished" else before


class ReopenCompetition(_Fields, Verb, key="reopen"):
    """Reopen a finished competition for a correction, or reinstate a cancelled one.

    It goes on as before its end. What is changed after it was finished marks its standings as corrected.
    """

    taken_back_by = ("finish", "cancel")
    event = Reopened
    reopen = Button(
        "Reopen the competition",
        "The competition continues as before its end. Once something is changed, standings say “corrected”.",
        "Finish or cancel it again.",
        statuses=("finished", "cancelled"),
        asks=("reason",),
        danger=True,
    )

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        found = []
        undecided = sum(not table.decided for _, _, table in state.tables())
        if undecided and state.status == "cancelled":
            sentence = plural(
                "%(count)d table was not decided; its game has ended: replay it, or set the result.",
                "%(count)d tables were not decided; their games have ended: replay them, or set the results.",
                undecided,
            )
            found.append(Caution(sentence))
        if state.opening.pace == "automatic" and state.status == "finished":
            sentence = plural(
                "It finishes again by itself, %(count)d minute after the last change.",
                "It finishes again by itself, %(count)d minutes after the last change.",
                state.opening.waits.finish,
            )
            found.append(Caution(sentence))
        if state.drawn_round:
            found.append(
                Caution(text("The draw of round %(round)d is discarded.", round=state.drawn_round.number))
            )
        return found
