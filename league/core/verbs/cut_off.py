"""The cut-off before each draw: what goes into it is fixed, and the next secret value is used up.

docs/draws.md is the specification of the protocol.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from games.engine.chain import canonical
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core import beacon, commitment
from league.core.commitment import LEAVES
from league.core.events import AND_SERVER, Event, apply, write
from league.core.lines import present
from league.core.state.checks import begun_stage, refuse_unless_running
from league.core.state.competition import Competition, Pending
from league.core.state.cut_off import CutOff, GivenText, Origin, Purpose, Reveal
from league.core.state.updates import without_draft
from league.core.verb import Events, Given

Make: TypeAlias = Callable[[Pending, bytes, Reveal], Event]
"""Returns the event of a draw from its cut-off, its seed, and what is revealed with it."""


class CutOffMade(CutOff, Event, type="cut_off"):
    """A draw is prepared: what goes into it is fixed, and no later change can alter it."""

    title = "Cut-off of a draw"
    found_by = "draw prepared, commitment"
    said_by = AND_SERVER
    text = "The cut-off for the draw of round %(round)s has passed."
    text_groups = "The entries of %(stage)s are fixed."
    text_lots = "The cut-off for the lots of %(stage)s has passed."

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        match fields["purpose"]:
            case "groups":
                return cls.text_groups
            case "lots":
                return cls.text_lots
            case _:
                return cls.text

    def apply(self, state: Competition) -> Competition:
        refuse_unless_running(state)
        expected = cut_off(state, self.purpose, beacon=self.beacon, reason=self.reason)
        if bool(self.beacon) != (state.opening.entropy == "beacon"):
            raise Illegal("Draws take either texts or the beacon’s value, as the opening says.")
        if bool(self.reason) != _replaces(state, expected):
            raise Illegal("A cut-off has a reason if it replaces another one, and only then.")
        own = CutOff(**vars(self))
        if own != expected:
            raise Illegal("The cut-off does not match the log at this point.")
        frozen = without_draft(state, self.reason)
        pending = Pending(own, state.seq + 1, state.root, frozen)
        return replace(frozen, pending=pending, next_k=self.k + 1, texts=())


def cut_off(state: Competition, purpose: Purpose, *, beacon: int, reason: str) -> CutOff:
    """Return the cut-off for the next draw of a purpose; raise `Illegal` where there can be none."""
    if state.next_k >= LEAVES:
        raise Illegal("All secret values of this competition are used.")
    stage, number, present = _scope(state, purpose)
    return CutOff(state.next_k, purpose, stage, number, present, _texts(state), beacon, reason)


def _scope(state: Competition, purpose: Purpose) -> tuple[int, int, tuple[str, ...]]:
    """Return stage and round of the next draw of a purpose, and the entries that take part in it."""
    if purpose == "groups":
        number = len(state.stages) + 1
        if number > len(state.plans) or (state.stage and state.stage.open_round):
            raise Illegal("No stage can begin now.")
        here = present(state, number)
        return number, 0, tuple(entry.id for entry in state.entries if entry.id in here)
    stage = begun_stage(state)
    if purpose == "lots":
        if stage.open_round or stage.lots:
            raise Illegal("Lots are drawn once, when no round of the stage is open.")
        return stage.number, 0, stage.entries
    if stage.current_round:
        raise Illegal(text("Round %(round)d is being played.", round=stage.current_round.number))
    number = state.next_round
    playing = tuple(entry for group in state.field(stage, number) for entry in group)
    return stage.number, number, playing


def _texts(state: Competition) -> tuple[GivenText, ...]:
    """Return the texts for the next draw, that of the organisers first, then in the order of entries."""
    order = {entry.id: place for place, entry in enumerate(state.entries)}
    return tuple(sorted(state.texts, key=lambda each: order[each.entry] if each.entry else -1))


def _replaces(state: Competition, new: CutOff) -> bool:
    return state.pending_for(new.purpose, new.stage, new.round) is not None


# ---- Drawing -------------------------------------------------------------------------------------


def by_chance(
    state: Competition, given: Given, purpose: Purpose, make: Make, reason: str = ""
) -> tuple[Events, Competition]:
    """Return the events of a draw and the state after them: its cut-off, and if possible the draw.

    A draw that waits for the beacon comes with a second call. With another ``reason`` a new cut-off replaces
    the one before. Raises `Illegal` where the cut-off, or the draw after it, is not possible now.
    """
    pending = _pending(state, purpose)
    if pending and reason in ("", pending.cut_off.reason):
        event = _drawn(pending, given, make)
        return (event,), apply(state, event)
    round_ = beacon.round_for(given.now) if state.opening.entropy == "beacon" else 0
    made = CutOffMade(**vars(cut_off(state, purpose, beacon=round_, reason=reason if pending else "")))
    state = apply(state, made)
    assert state.pending is not None
    if round_:
        return (made,), state
    event = _drawn(state.pending, given, make)
    return (made, event), apply(state, event)


def _pending(state: Competition, purpose: Purpose) -> Pending | None:
    pending = state.pending
    return pending if pending and pending.cut_off.purpose == purpose else None


def _drawn(pending: Pending, given: Given, make: Make) -> Event:
    reveal = _reveal(pending, given)
    return make(pending, seed_of(pending.cut_off, reveal), reveal)


def _reveal(pending: Pending, given: Given) -> Reveal:
    """Return the secret value of a cut-off; raise `Illegal` where it, or the beacon's value, is missing."""
    tree = given.trees.get(pending.root)
    if tree is None:
        raise Illegal("This server does not have the secret of these draws. Commit to a new one first.")
    round_ = pending.cut_off.beacon
    signature = given.beacon.get(round_, "")
    if round_ and not signature:
        raise Illegal(
            text(
                "The draw waits for round %(round)d of the public beacon, due at %(time)s UTC.",
                round=round_,
                time=beacon.time_of(round_).strftime("%H:%M:%S"),
            )
        )
    k = pending.cut_off.k
    return Reveal(k, tree.preimage(k).hex(), tree.path(k), signature)


def seed_of(cut: CutOff, reveal: Reveal) -> bytes:
    """Return the seed of a draw from its cut-off and what was revealed with it."""
    json = canonical(write(CutOffMade(**vars(cut))))
    return commitment.seed(bytes.fromhex(reveal.preimage), json, beacon.value(reveal.signature))


def origin_of(pending: Pending | None, reveal: Reveal) -> Origin:
    """Return where a draw comes from; raise `Illegal` where the reveal does not fit its cut-off."""
    if pending is None:
        raise Illegal("Each draw needs a cut-off of its own.")
    cut = pending.cut_off
    if reveal.k != cut.k or commitment.root_of(reveal.k, reveal.preimage, reveal.path) != pending.root:
        raise Illegal("The secret value of the draw is not the one that was committed to.")
    if bool(reveal.signature) != bool(cut.beacon):
        raise Illegal("The draw needs the value of the beacon’s round that its cut-off names.")
    return Origin(cut, pending.seq, pending.root, reveal)
