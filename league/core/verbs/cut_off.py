"""The cut-off of a draw: the entries are frozen, texts join the seed, lots are drawn."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.chain import canonical
from games.engine.chance import Chance
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Help, Label, Length, Named
from games.engine.values import replace
from league.core import commitment, formats
from league.core.commitment import LEAVES, SECRET_BYTES
from league.core.drawing.drawing import engine_of
from league.core.drawing.wishes import among, of_entries, refuse_contradiction
from league.core.events import AND_PLAYERS, AND_SERVER, Event, apply, write
from league.core.intake import by_lots, present
from league.core.sizes import chosen
from league.core.standings import ranking
from league.core.state import values as v
from league.core.state.competition import Competition, Entry, Pending
from league.core.state.cut_offs import (
    LONGEST_TEXT,
    NO_SOURCE,
    NO_WISHES,
    CutOff,
    GivenText,
    Lots,
    Order,
    Origin,
    Purpose,
    Reveal,
    Seating,
    Sizes,
    Source,
    Wishes,
)
from league.core.state.plan import StagePlan
from league.core.state.updates import (
    begun_stage,
    current_stage,
    refuse_unless_running,
    refuse_with_tables_to_come,
    with_stage,
    without_draft,
)
from league.core.verb import LIVE, Button, Events, Given, OwnButton, Verb, changes_something
from league.core.verbs.wishes import that_count, with_hopes

# ---- Cut off -------------------------------------------------------------------------------------

Make: TypeAlias = Callable[[Pending, bytes, Reveal], Event]
"""Returns the event of a draw from its cut-off, its seed, and what is revealed with it."""


class CutOffMade(CutOff, Event, type="cut_off"):
    """A draw is prepared: what goes into it is fixed, and no later change can alter it."""

    title = "Cut-off of a draw"
    found_by = "draw prepared, commitment"
    said_by = AND_SERVER
    text = "Round %(round)s is prepared: what goes into it is fixed."
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
        seating: Seated = self.seating or "lots"
        expected = cut_off(
            state,
            self.purpose,
            beacon=self.beacon,
            reason=self.reason,
            wishes=self.wishes,
            filled=filled_by(state, seating, self.order, self.by) if self.purpose == "round" else NOT_FILLED,
            sizes=self.sizes,
        )
        if bool(self.beacon) != (state.opening.entropy == "beacon"):
            raise Illegal("Draws take either texts or the beacon’s value, as the opening says.")
        if bool(self.reason) != _replaces(state, expected):
            raise Illegal("A cut-off has a reason if it replaces another one, and only then.")
        own = CutOff(**vars(self))
        if own != expected:
            raise Illegal("The cut-off does not match the log at this point.")
        frozen = without_draft(state, self.reason)
        pending = Pending(own, state.seq + 1, state.root, replace(frozen, wishes=own.wishes, sizes=own.sizes))
        return replace(frozen, pending=pending, next_k=self.k + 1, texts=())


Seated: TypeAlias = Literal["", "lots", "standing", "given"]
"""How the tables of a round are made: as its stage says, drawn, or filled by an order."""
Filled: TypeAlias = tuple[Seating, Order, Source]
NOT_FILLED: Final[Filled] = ("", (), NO_SOURCE)


def cut_off(
    state: Competition,
    purpose: Purpose,
    *,
    beacon: int,
    reason: str,
    wishes: Wishes = NO_WISHES,
    filled: Filled = NOT_FILLED,
    sizes: Sizes = (),
) -> CutOff:
    """Return the cut-off for the next draw of a purpose; raise `Illegal` where there can be none.

    ``wishes`` are those of the club's people, to which those of the competition come; ``filled`` is the order
    by which a round's tables are filled and its source, ``sizes`` are those of its tables if they are not as
    planned.
    """
    if state.next_k >= LEAVES:
        raise Illegal("All secret values of this competition are used.")
    stage, number, present = _scope(state, purpose)
    seating, order, by = filled
    here = tuple(filter(None, (tuple(one for one in level if one in present) for level in order)))
    tables = chosen(state, sizes) if purpose == "round" else ()
    texts, counting = _texts(state), _wishes(state, purpose, stage, present, wishes, tables)
    made = CutOff(state.next_k, purpose, stage, number, present, texts, beacon, reason, counting, seating)
    return replace(made, order=here, sizes=tables, by=by)


def filled_by(state: Competition, seating: Seated, given: Order = (), source: Source = NO_SOURCE) -> Filled:
    """Return by which order the next round's tables are filled; raise `Illegal` where they can't be.

    ``given`` is the order from elsewhere that there is, if any, and ``source`` where it comes from.
    """
    stage = begun_stage(state)
    if seating == "" and given and planned_order(state):
        seating = "given"
    first = formats.of(stage.plan).by_standing_from(stage.plan)
    planned = bool(first) and state.next_round >= max(first, 2)
    if seating == "lots" or (seating == "" and not planned):
        return NOT_FILLED
    if not can_be_filled(stage.plan):
        raise Illegal("In this stage tables can’t be filled by an order.")
    if seating == "given":
        if not given:
            raise Illegal("There is no other order by which tables could be filled.")
        return "given", given, source
    if not stage.shown_rounds:
        raise Illegal("There are no standings yet.")
    by_rank: dict[tuple[int, int], list[str]] = {}
    for group, entry, rank in ranking.order(state, stage.number).ranks():
        by_rank.setdefault((group, rank), []).append(entry)
    return "standing", tuple(tuple(level) for level in by_rank.values()), NO_SOURCE


def planned_order(state: Competition) -> str:
    """Return by which order from elsewhere the next round is filled if nobody says otherwise."""
    stage = state.stage
    return formats.of(stage.plan).first_by(stage.plan) if stage and state.next_round == 1 else ""


def can_be_filled(plan: StagePlan) -> bool:
    """Return whether the tables of a stage can be filled by an order."""
    return formats.of(plan).fills_by_order and engine_of(plan).knows_wishes


def _wishes(
    state: Competition, purpose: Purpose, stage: int, present: Sequence[str], more: Wishes, sizes: Sizes
) -> Wishes:
    """Return the wishes that count in a draw; raise `Illegal` where two of them contradict each other."""
    plan = state.plans[stage - 1]
    if purpose == "lots" or formats.of(plan).open_tables or not engine_of(plan).knows_wishes:
        return NO_WISHES
    found = among(state.wishes, {*present}, more)
    groups = purpose == "groups"
    refuse_contradiction(that_count(state, found.between, groups=groups), state)
    between = with_hopes(state, found.between, groups=groups, sizes=sizes)
    return Wishes(between, found.tables if purpose == "round" else ())


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
        raise Illegal("Round %(round)d is being played.", round=stage.current_round.number)
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
    state: Competition,
    given: Given,
    purpose: Purpose,
    make: Make,
    reason: str = "",
    filled: Filled = NOT_FILLED,
    sizes: Sizes = (),
) -> tuple[Events, Competition]:
    """Return the events of a draw and the state after them: its cut-off, and if possible the draw.

    A draw that waits for the beacon comes with a second call. With another ``reason`` a new cut-off replaces
    the one before. Raises `Illegal` where the cut-off, or the draw after it, is not possible now.
    """
    pending = _pending(state, purpose)
    if pending and reason in ("", pending.cut_off.reason):
        event = _drawn(pending, given, make)
        return (event,), apply(state, event)
    round_ = commitment.round_for(given.now) if state.opening.entropy == "beacon" else 0
    why = reason if pending else ""
    wishes = of_entries(given.wishes, state)
    new = cut_off(state, purpose, beacon=round_, reason=why, wishes=wishes, filled=filled, sizes=sizes)
    made = CutOffMade(**vars(new))
    state = apply(state, made)
    assert state.pending is not None
    if round_:
        if made.wishes != NO_WISHES:
            # Refuse what no draw can keep before the draw waits: whether it can depends on no seed.
            make(state.pending, bytes(SECRET_BYTES), Reveal(made.k, "", ()))
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
            "The draw waits for round %(round)d of the public beacon, due at %(time)s UTC.",
            round=round_,
            time=commitment.round_time(round_).strftime("%H:%M:%S"),
        )
    k = pending.cut_off.k
    return Reveal(k, tree.preimage(k).hex(), tree.path(k), signature)


def seed_of(cut: CutOff, reveal: Reveal) -> bytes:
    """Return the seed of a draw from its cut-off and what was revealed with it."""
    json = canonical(write(CutOffMade(**vars(cut))))
    return commitment.seed(bytes.fromhex(reveal.preimage), json, commitment.beacon_value(reveal.signature))


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


# ---- Recommit ------------------------------------------------------------------------------------


class Recommitted(Event, type="recommitted"):
    """The server commits to another secret, for cut-offs from here on."""

    title = "New secret for draws"
    found_by = "commitment"
    text = "The server commits to another secret for its draws."
    root: v.Hash
    reason: v.Reason

    def apply(self, state: Competition) -> Competition:
        if self.root == state.root:
            raise Illegal("The competition has this commitment already.")
        return replace(state, root=self.root)


class Recommit(Verb, key="recommit"):
    """Commit to another secret for later draws, because the server has lost the one it had.

    This happens when a database is restored from a backup, which never contains secrets. Everybody sees the
    reason, and the verifier reports it.
    """

    taken_back_by = ("recommit",)
    uses_secret = True
    recommit = Button(
        "Commit to another secret",
        "Later draws use another secret. Do this if the server has lost the secret, for example because its "
        "database was restored from a backup. Everybody sees the reason.",
        "This can’t be undone.",
        statuses=LIVE,
        asks=("reason",),
        danger=True,
    )

    reason: v.Reason

    def decide(self, state: Competition, given: Given) -> Events:
        if not given.new_root:
            raise Illegal("The server has made no other secret.")
        return (Recommitted(given.new_root, self.reason),)


# ---- Give text -----------------------------------------------------------------------------------

Words = Annotated[
    str,
    Length(1, LONGEST_TEXT),
    Named("text"),
    Label("Text"),
    Help("anything short, up to 64 letters; everybody can read it"),
]


class TextGiven(Event, type="text_given"):
    """An entry, or an organiser where none is named, gives a text for the next draw; the last one counts."""

    title = "Text for a draw"
    found_by = "entropy, seed"
    said_by = AND_PLAYERS
    text = "A text is given for the next draw: “%(text)s”."
    words: Words
    entry: v.EntryId | None = None

    def apply(self, state: Competition) -> Competition:
        if state.opening.entropy != "texts":
            raise Illegal("The draws of this competition use a public beacon instead of texts.")
        if len(self.words.encode()) > LONGEST_TEXT:
            raise Illegal("A text has at most 64 letters; some letters count twice or more.")
        if self.entry is not None and not state.entry(self.entry).live:
            raise Illegal("Not taking part: %(name)s.", name=state.entry(self.entry).name)
        others = tuple(each for each in state.texts if each.entry != self.entry)
        return replace(state, texts=(*others, GivenText(self.words, self.entry)))


def _draws_tables(state: Competition) -> bool:
    """Return whether a stage has tables or groups to draw; those of ladders and open play are opened."""
    coming = state.plans[max(len(state.stages) - 1, 0) :]
    drawn = any(by_lots(plan.intake) for plan in state.plans[len(state.stages) :])
    return drawn or not all(formats.of(plan).open_tables for plan in coming)


class GiveText(Verb, key="give-text"):
    """Give a text of at most 64 bytes that goes into the next draw.

    Each entry has one, and so have the organisers; a new one replaces it. It proves that the draw was not
    prepared: its seed depends on every text. Nobody can choose a text that helps, because the secret value of
    the draw is not known before. After the draw it is used up.
    """

    taken_back_by = ("give-text",)
    own = ("text",)
    own_button = OwnButton(
        "Add a text to the draw",
        "Any text that you like goes into the next draw, so that nobody can have prepared it.",
        "Your text goes into the next draw.",
        rank=60,
    )
    give_text = Button(
        "Add a text to the draw",
        "The text goes into the next draw, so that nobody can have prepared it. Everybody can read it.",
        "Give another text; it replaces this one.",
        statuses=LIVE,
        part="round",
        asks=("text",),
        rank=60,
    )

    words: Words

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.opening.entropy == "texts" and _draws_tables(state)

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        return entry is not None and _draws_tables(state) and changes_something(state, cls(words="?"), given)

    def decide(self, state: Competition, given: Given) -> Events:
        if len(self.words.encode()) > LONGEST_TEXT:
            too_long = text("A text has at most 64 letters; some letters count twice or more.")
            raise Malformed({"text": [too_long]})
        if given.player is None or given.role != "player":
            return (TextGiven(self.words),)
        entry = state.entry_with(given.player)
        if entry is None:
            raise Illegal("You have not entered this competition.")
        return (TextGiven(self.words, entry.id),)


# ---- Lots ----------------------------------------------------------------------------------------


class LotsDrawn(Event, type="lots_drawn"):
    """The lots of a stage are drawn: entries that are level on everything else stand in this order."""

    title = "Lots drawn"
    found_by = "tie broken by lot, level"
    said_by = AND_SERVER
    text = "The lots of %(stage)s are drawn; they decide only where entries are level."
    stage: v.Count
    entries: Annotated[v.Entries, Help("the best lot first")]
    reveal: Annotated[Reveal, Help("the secret value of the draw")]

    def apply(self, state: Competition) -> Competition:
        refuse_unless_running(state)
        stage = current_stage(state, self.stage)
        origin = origin_of(state.pending_for("lots", self.stage), self.reveal)
        if sorted(self.entries) != sorted(origin.cut_off.present):
            raise Illegal("Each entry of the stage has one lot.")
        drawn = with_stage(state, replace(stage, lots=Lots(self.entries, origin)))
        return replace(drawn, pending=None)


def draw_lots(pending: Pending, seed: bytes, reveal: Reveal) -> LotsDrawn:
    """Return the draw of the lots of a cut-off."""
    cut_off = pending.cut_off
    engine = engine_of(pending.frozen.plans[cut_off.stage - 1])
    return LotsDrawn(cut_off.stage, engine.lots(cut_off.present, Chance(seed)), reveal)


def lots_events(state: Competition, given: Given) -> tuple[Events, Competition]:
    """Return the events that draw the lots of the stage that closes, and the state after them.

    None where they are drawn already, or for a preview. Only the cut-off where the draw waits for the beacon.
    """
    if state.stage is None or state.stage.lots or given.previewing:
        return (), state
    if state.stage.open_round:
        raise Illegal("A round is still open.")
    refuse_with_tables_to_come(state)
    return by_chance(state, given, "lots", draw_lots)
