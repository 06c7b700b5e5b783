"""What cards that are picked one after the other can be for in Scram!: to be replaced, or an action."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.engine.gestures import Note
from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.rules.scram.acting import campsites_for, can_act, not_open, open_targets, put_elsewhere
from games.rules.scram.actions import Action
from games.rules.scram.moves import At, Target
from games.rules.scram.state import State, teams_of
from games.rules.scram.turns import OWN_TEAM

OWN_TOO: Final = Note(text("To replace it, tap a card of your own campsite, too."), "B10")
ONE_CAMPSITE: Final = text("The %(card)s is for cards of one campsite.", card="9")
PUT_ONCE: Final = text("The %(card)s is put in one campsite.", card="13")

Fault: TypeAlias = Illegal | None


@dataclass(frozen=True)
class Picking:
    """What a seat may pick cards for now: to replace them, for the action ``row``, or both.

    ``before`` are the targets that an action under way has had.
    """

    state: State
    row: Action | None
    before: tuple[Target, ...]
    may_replace: bool

    def fault(self, picked: Sequence[Target], target: Target) -> Fault:
        """Return why a card can't be picked after others, None where it can (B10, A0)."""
        chosen = [*picked, target]
        for_action, as_replaced = self._act_fault(chosen), self._replace_fault(chosen)
        if for_action is None or as_replaced is None:
            return None
        is_for_action = self.row is not None and self._act_fault(picked) is None
        return for_action if is_for_action else as_replaced

    def replaced(self, picked: Sequence[Target]) -> tuple[At, ...]:
        """Return the picked cards as a `Replace` names them, an own one first, or none (B10)."""
        if not picked or self._replace_fault(picked):
            return ()
        places = [at for at in picked if isinstance(at, At)]
        first = next((at for at in places if at.seat == self.state.seat), None)
        return (first, *(at for at in places if at != first)) if first else ()

    def is_act(self, picked: Sequence[Target]) -> bool:
        """Return whether the picked cards are what the action, or its next step, needs (A0 to A2)."""
        row = self.row
        if row is None or not picked or self._act_fault(picked):
            return False
        return row.stepwise or row.deed == "place" or len(picked) == self._wanted(row, picked)

    def _wanted(self, row: Action, picked: Sequence[Target]) -> int:
        """Return how many cards an action needs at once (A0)."""
        here = picked[0]
        if row.deed == "clear" and isinstance(here, At):
            return min(row.count, len(self.state.table.campsites[here.seat]))
        return row.count

    def open_after(self, picked: Sequence[Target]) -> tuple[Target, ...]:
        """Return what else can be picked for the action (A0 to A2)."""
        if self.row is None:
            return ()
        every = open_targets(self.state.table, self.row, self.before)
        return tuple(each for each in every if each not in picked and not self._act_fault([*picked, each]))

    def notes(self, picked: Sequence[Target]) -> list[Note]:
        """Return what can be picked next, where the picked cards are no move yet or can be a greater one."""
        replaces = bool(picked) and self._replace_fault(picked) is None
        found = [OWN_TOO] if replaces and not self.replaced(picked) else []
        if self.row and picked and not self._act_fault(picked):
            found += [Note(said, rule) for said, rule in self._more(self.row, picked)]
        return found

    def _more(self, row: Action, picked: Sequence[Target]) -> Iterator[tuple[Message, str]]:
        left = min(row.count - len(self.before) - len(picked), len(self.open_after(picked)))
        if left <= 0 or row.deed == "place":
            return
        if row.deed == "clear":
            yield (
                text("For the action of the %(card)s tap another card of that campsite.", card=row.card),
                "A0",
            )
        elif row.deed == "exchange":
            yield (
                text("For the action of the %(card)s tap the card to exchange it with.", card=row.card),
                "A0",
            )
        elif not self.replaced(picked):
            said = plural(
                "Use the action now, or pick %(count)s more card first.",
                "Use the action now, or pick up to %(count)s more cards first.",
                left,
            )
            yield said, "A2"

    def _replace_fault(self, picked: Sequence[Target]) -> Fault:
        """Return why cards can't be replaced, even with others beside them (B10)."""
        table, seat = self.state.table, self.state.seat
        if not self.may_replace or not table.campsites[seat]:
            return Illegal(OWN_TEAM, "B10")
        for target in picked:
            if not isinstance(target, At) or not table.has(target) or not is_own(self.state, target):
                return Illegal(OWN_TEAM, "B10")
        return Illegal("Choose each card once.", "B10") if len({*picked}) < len(picked) else None

    def _act_fault(self, picked: Sequence[Target]) -> Fault:
        """Return why cards can't be for the action, one after the other and with more to come (A0, A1)."""
        row = self.row
        if row is None:
            return Illegal(OWN_TEAM, "B10")
        for place, target in enumerate(picked):
            before = picked[:place]
            if row.deed in ("clear", "place") and _meets_another_seat(before, target):
                return Illegal(PUT_ONCE if row.deed == "place" else ONE_CAMPSITE, "A0")
            if row.deed == "place" and not self._may_be_put(row, target):
                return put_elsewhere(row)
            chosen = () if row.deed == "place" else (*self.before, *before)
            if fault := not_open(self.state.table, row, chosen, target):
                return fault
        return None

    def _may_be_put(self, row: Action, target: Target) -> bool:
        return isinstance(target, At) and target.seat in campsites_for(self.state, row)


def _meets_another_seat(before: Sequence[Target], target: Target) -> bool:
    return len({each.seat for each in (*before, target) if isinstance(each, At)}) > 1


def picking(state: State, kind: str | None) -> Picking:
    """Return what the seat in play may pick cards for; ``kind`` is the type of move that it has chosen."""
    if state.acting:
        return Picking(state, state.game.actions[state.acting.card], state.acting.targets, may_replace=False)
    row = drawn_action(state) if kind in (None, "act") else None
    usable = row if row and can_act(state, row) else None
    return Picking(state, usable, (), may_replace=kind in (None, "replace"))


def drawn_action(state: State) -> Action | None:
    """Return the action that the drawn card may be used for (B9)."""
    drawn = state.table.drawn
    return state.game.actions.get(state.table.faces[drawn.card]) if drawn and not drawn.taken else None


def is_own(state: State, at: At) -> bool:
    """Return whether a card lies before a seat of the team whose turn it is."""
    teams = teams_of(state.game.seats)
    return at.seat < len(teams) and teams[at.seat] == teams[state.seat]
