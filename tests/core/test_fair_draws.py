"""Draws that nobody can foretell or choose (docs/draws.md), and the attacks on them."""

import hashlib
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from games.engine import chain
from games.engine.chain import canonical
from games.engine.chance import Chance
from games.engine.refusals import Illegal, Malformed
from games.verifier import WrongLog
from league.core import commitment, events, verifier
from league.core.commitment import DEPTH, LEAVES, Tree, root_of
from league.core.state.competition import Competition
from league.core.state.cut_offs import GivenText
from league.core.verb import Given
from league.core.verbs.course import FinishCompetition
from league.core.verbs.cut_off import CutOffMade, GiveText, Recommitted, TextGiven, seed_of
from league.core.verbs.draw import DiscardDraw, Drawn, DrawRound, draw_round
from league.core.verbs.entries import Withdrawn
from league.core.verbs.presence import Absent, Present
from league.core.verbs.rounds import Published, PublishRound, WithdrawRound
from league.core.verbs.stages import StageStarted, StartStage
from league.core.verbs.start import EntriesOpened, StartCompetition
from tests.core import deciding as commands
from tests.core.committed import committed
from tests.core.crosstable import after, enter, entered, opening, plan, played, seated, started
from tests.core.ids import uid

NAMES = "Ann Ben Cem Dana Eva Finn Gus Hana"
DUELS = plan(table_size=2)
BEACON = {"entropy": "beacon"}
SIGNATURE = "ab" * 48


def drawn(names: str = NAMES, **more: Any) -> Competition:
    state = started(names, plan(table_size=4), **more)
    return after(state, *commands.draw(state))


def publish(state: Competition) -> Competition:
    return after(state, *commands.decide(state, PublishRound()))


def tables_without(state: Competition, *names: str) -> list[set[str]]:
    return [table - {*names} for table in seated(state)]


class TestTheTree:
    TREE = Tree(bytes(32))

    @pytest.mark.parametrize("k", [0, 1, 2, 1234, LEAVES - 1])
    def test_each_path_leads_to_the_root(self, k: int) -> None:
        path = self.TREE.path(k)
        assert len(path) == DEPTH
        assert root_of(k, self.TREE.preimage(k).hex(), path) == self.TREE.root
        assert root_of(k ^ 1, self.TREE.preimage(k).hex(), path) != self.TREE.root
        assert root_of(k, self.TREE.preimage(k ^ 2).hex(), path) != self.TREE.root

    def test_two_levels_are_those_of_the_specification(self) -> None:
        leaves = [hashlib.sha256(self.TREE.preimage(k)).digest() for k in range(4)]
        pair = hashlib.sha256(b"\x01" + leaves[2] + leaves[3]).hexdigest()
        assert self.TREE.path(0)[:2] == (leaves[1].hex(), pair)

    def test_its_secret_is_in_no_text(self) -> None:
        tree = Tree(b"not to be read by any person ...")
        assert "not to be" not in repr(tree) + str(Given("", commands.NOW, trees={tree.root: tree}))


class TestACutOff:
    def test_holds_who_is_present_and_the_texts_in_order(self) -> None:
        state = after(started("Ann Ben Cem Dana"), Absent(uid("Ben"), 1))
        given = [TextGiven("by Cem", uid("Cem")), TextGiven("by all"), TextGiven("first", uid("Ann"))]
        state = after(state, *given, TextGiven("again", uid("Ann")))
        cut_off, _ = commands.draw(state)
        assert isinstance(cut_off, CutOffMade)
        assert {*cut_off.present} == {uid("Ann"), uid("Cem"), uid("Dana")}
        texts = (GivenText("by all"), GivenText("again", uid("Ann")), GivenText("by Cem", uid("Cem")))
        assert (cut_off.k, cut_off.texts) == (1, texts)
        assert after(state, cut_off).texts == ()

    @pytest.mark.parametrize(
        "change", [{"k": 0}, {"k": 2}, {"present": ()}, {"texts": (GivenText("x"),)}, {"reason": "none"}]
    )
    def test_that_holds_anything_else_is_refused(self, change: dict[str, Any]) -> None:
        state = started(NAMES)
        cut_off, _ = commands.draw(state)
        assert isinstance(cut_off, CutOffMade)
        with pytest.raises(Illegal):
            after(state, replace(cut_off, **change))

    def test_uses_the_next_value_whatever_became_of_the_draws_before(self) -> None:
        state = drawn()
        state = after(state, *commands.draw(state, "a table is missing"))
        state = after(state, *commands.decide(state, DiscardDraw("snow")))
        state = publish(after(state, *commands.draw(state)))
        state = after(state, *commands.decide(state, WithdrawRound("too early")))
        state = after(state, *commands.draw(state))
        assert state.pending and (state.pending.cut_off.k, state.next_k) == (4, 5)

    def test_sent_again_makes_no_second_one(self) -> None:
        state = drawn()
        assert commands.draw(state) == ()
        state = after(state, *commands.draw(state, "a table is missing"))
        assert commands.draw(state, "a table is missing") == ()


class TestADraw:
    def test_follows_from_the_cut_off_and_the_revealed_value_alone(self) -> None:
        state = drawn()
        pending = state.pending
        assert pending
        reveal = state.drafts[-1].reveal
        json = canonical(events.write(CutOffMade(**vars(pending.cut_off))))
        seed = commitment.seed(bytes.fromhex(reveal.preimage), json)
        again = draw_round(pending, seed, reveal)
        assert [table.as_table(state.plans[0]) for table in again.tables] == list(
            state.stages[0].rounds[0].proposed
        )

    @pytest.mark.parametrize("change", [{"k": 0}, {"preimage": "0" * 64}, {"signature": SIGNATURE}])
    def test_with_another_value_is_refused(self, change: dict[str, Any]) -> None:
        state = started(NAMES)
        cut_off, event = commands.draw(state)
        assert isinstance(event, Drawn)
        with pytest.raises(Illegal):
            after(state, cut_off, replace(event, reveal=replace(event.reveal, **change)))

    def test_without_a_cut_off_of_its_own_is_refused(self) -> None:
        state = started(NAMES)
        cut_off, event = commands.draw(state)
        with pytest.raises(Illegal, match="cut-off of its own"):
            after(state, event)
        with pytest.raises(Illegal, match="new cut-off"):
            after(state, cut_off, event, event)

    def test_is_published_with_the_values_of_all_its_drafts_and_the_reasons(self) -> None:
        state = drawn()
        state = after(state, *commands.draw(state, "a table is missing"))
        (event,) = commands.decide(state, PublishRound())
        assert isinstance(event, Published)
        assert [(each.k, each.reason) for each in event.reveals] == [(1, "a table is missing"), (2, "")]
        for reveals in (event.reveals[1:], event.reveals[::-1]):
            with pytest.raises(Illegal, match="all its draws"):
                after(state, replace(event, reveals=reveals))

    def test_of_lots_comes_when_the_stage_closes(self) -> None:
        state = played(started("Ann Ben Cem Dana", plan(rounds=1)), "Ann > Ben > Cem > Dana")
        decided = commands.decide(state, FinishCompetition())
        assert [event.type for event in decided] == ["cut_off", "lots_drawn", "finished"]
        assert verifier.verdict(after(state, decided[0]), decided[1]) == "given"


class TestForetelling:
    """What everybody can read before the publication does not give the draw."""

    def candidates(self, state: Competition, public: list[bytes]) -> list[bytes]:
        """Seeds made of all that is public, by the formula of the draw and by simpler ones."""
        assert state.pending
        cut_off = canonical(events.write(CutOffMade(**vars(state.pending.cut_off))))
        return [
            *(commitment.seed(key, cut_off) for key in public),
            *(hashlib.sha256(key + cut_off).digest() for key in public),
            *(key for key in public if len(key) == 32),
        ]

    def test_from_the_public_log_is_impossible(self) -> None:
        first = publish(drawn(NAMES))
        (round_,) = first.stages[0].rounds
        results = commands.close_round(first, void_undecided="dinner")
        state = after(first, *results)
        cut_off, event = commands.draw(state)
        assert isinstance(event, Drawn)
        state = after(state, cut_off)
        assert state.pending
        known = [
            bytes.fromhex(each)
            for origin in (*round_.origins, state.stages[0].origin)
            if origin
            for each in (state.root, origin.reveal.preimage, *origin.reveal.path)
        ]
        numbers = [n.to_bytes(size, "big") for n in range(50) for size in (1, 4, 8, 32)]
        names = [entry.id.encode() for entry in state.entries]
        seed = seed_of(state.pending.cut_off, event.reveal)
        assert seed not in self.candidates(state, [*known, *numbers, *names])

    def test_finds_no_secret_value_before_it_is_revealed(self) -> None:
        state = started(NAMES)
        cut_off, event = commands.draw(state)
        assert isinstance(event, Drawn)
        public = json.dumps([events.write(opening()), events.write(cut_off)])
        assert event.reveal.preimage not in public
        assert event.reveal.preimage not in str(after(state, cut_off))


class TestTogglingPresence:
    def test_after_the_cut_off_changes_no_other_table(self) -> None:
        state = drawn()
        before = tables_without(state, "Ann")
        for number in range(12):
            change = Absent(uid("Ann"), 1) if number % 2 == 0 else Present(uid("Ann"), 1)
            state = after(state, change)
            assert tables_without(state, "Ann") == before
        assert seated(state) == seated(drawn())

    def test_before_the_cut_off_uses_no_value(self) -> None:
        state = started(NAMES)
        for _ in range(6):
            state = after(state, Absent(uid("Ann"), 1), Present(uid("Ann"), 1))
        assert state.next_k == started(NAMES).next_k

    def test_of_others_present_waits_for_the_next_round(self) -> None:
        away = after(started(NAMES), Absent(uid("Ann"), 1))
        state = after(away, *commands.draw(away))
        with pytest.raises(Illegal, match="from round 2 on"):
            after(state, Present(uid("Ann"), 1))

    def test_a_withdrawal_leaves_the_others_a_bye_where_no_table_is_left(self) -> None:
        state = started("Ann Ben Cem Dana", DUELS, seats=(2,))
        state = after(state, *commands.draw(state))
        round_ = state.stages[0].rounds[0]
        gone, other = round_.tables[0].entries
        left = after(state, Withdrawn(gone, 1)).stages[0].rounds[0]
        assert ((*left.tables,), left.byes) == (round_.tables[1:], (other,))
        assert left.proposed == round_.proposed


class TestDrawingAgain:
    def test_after_a_published_round_was_withdrawn_uses_another_value(self) -> None:
        state = publish(drawn())
        origin = state.stages[0].rounds[0].origins[-1]
        state = after(state, *commands.decide(state, WithdrawRound("too early")))
        cut_off, event = commands.draw(state)
        assert isinstance(cut_off, CutOffMade) and isinstance(event, Drawn)
        assert cut_off.k > origin.cut_off.k
        reused = replace(event, reveal=origin.reveal)
        with pytest.raises(Illegal, match="not the one that was committed to"):
            after(state, cut_off, reused)

    def test_makes_the_discarded_draft_public_at_once_and_with_the_round(self) -> None:
        state = drawn()
        assert state.withheld_from
        state = after(state, *commands.decide(state, DiscardDraw("snow")))
        assert (state.withheld_from, state.drafts[0].dropped) == (None, "snow")
        state = after(state, *commands.draw(state))
        origins = state.stages[0].rounds[0].origins
        assert [origin.dropped for origin in origins] == ["snow", ""]


class TestTexts:
    def test_change_the_draw_in_a_way_that_needs_the_secret_value(self) -> None:
        """Whoever tries texts sees no seed: with each secret another text would be the best."""
        best = []
        for secret in range(2):
            state = started(NAMES, plan(table_size=4), root=committed(secret))
            firsts = []
            for number in range(16):
                given = after(state, TextGiven(f"text {number}", uid("Ann")))
                firsts.append(seated(after(given, *commands.draw(given)))[0])
            best.append([index for index, table in enumerate(firsts) if {"Ann", "Ben"} <= table])
        assert best[0] != best[1]

    def test_after_the_cut_off_are_for_the_next_draw(self) -> None:
        state = drawn()
        late = after(state, TextGiven("late", uid("Ann")))
        assert late.stages == state.stages
        assert late.texts == (GivenText("late", uid("Ann")),)

    def test_are_at_most_64_bytes_long(self) -> None:
        with pytest.raises(Malformed, match="64 letters"):
            commands.decide(started(NAMES), GiveText("ä" * 33))
        assert commands.decide(started(NAMES), GiveText("ä" * 32))

    def test_are_refused_with_a_beacon(self) -> None:
        with pytest.raises(Illegal, match="beacon"):
            commands.decide(entered(NAMES, **BEACON), GiveText("x"))


class TestABeacon:
    def waiting(self) -> Competition:
        return after(entered(NAMES, **BEACON), *commands.decide(entered(NAMES, **BEACON), StartCompetition()))

    def known(self, state: Competition) -> Given:
        assert state.pending
        return Given(uid("competition"), commands.NOW, beacon={state.pending.cut_off.beacon: SIGNATURE})

    def test_is_waited_for_at_least_30_seconds_after_the_cut_off(self) -> None:
        state = self.waiting()
        assert state.pending and state.stage is None
        due = commitment.round_time(state.pending.cut_off.beacon)
        assert timedelta(seconds=30) <= due - commands.NOW <= timedelta(seconds=40)
        with pytest.raises(Illegal, match="waits for round"):
            commands.decide(state, StartStage())

    def test_completes_the_draw_with_its_value(self) -> None:
        state = self.waiting()
        (event,) = commands.decide(state, StartStage(), self.known(state))
        assert isinstance(event, StageStarted) and event.reveal and event.reveal.signature == SIGNATURE
        assert verifier.verdict(state, event) == "given"
        state = after(state, event)
        (cut_off,) = commands.decide(state, DrawRound())
        state = after(state, cut_off)
        assert commands.decide(state, DrawRound()) == ()
        (round_,) = commands.decide(state, DrawRound(), self.known(state))
        assert verifier.verdict(state, round_) == "given"

    def test_changes_the_seed(self) -> None:
        state = self.waiting()
        (event,) = commands.decide(state, StartStage(), self.known(state))
        assert isinstance(event, StageStarted) and event.reveal and state.pending
        other = replace(event.reveal, signature="cd" * 48)
        assert seed_of(state.pending.cut_off, event.reveal) != seed_of(state.pending.cut_off, other)
        assert verifier.verdict(state, replace(event, reveal=other)) == "different"

    def test_who_enters_while_groups_wait_is_refused(self) -> None:
        with pytest.raises(Illegal, match="groups are being drawn"):
            commands.enter(self.waiting(), entry=uid("Zoe"), name="Zoe", players=[uid("player Zoe")])

    def test_has_a_round_every_three_seconds(self) -> None:
        number = commitment.round_for(commands.NOW)
        assert commitment.round_time(number + 1) - commitment.round_time(number) == timedelta(seconds=3)


class TestCommittingAgain:
    def test_counts_for_later_cut_offs_only(self) -> None:
        state = drawn()
        state = after(state, Recommitted(committed(7), "restored from a backup"))
        published = publish(state)
        assert published.stages[0].rounds[0].origins[-1].root == committed()
        state = after(published, *commands.close_round(published, void_undecided="dinner"))
        state = after(state, *commands.draw(state))
        assert state.drafts[-1].root == committed(7)
        assert state.drafts[-1].cut_off.k == 2

    def test_is_refused_with_the_same_secret(self) -> None:
        with pytest.raises(Illegal, match="already"):
            after(drawn(), Recommitted(committed(), "again"))

    def test_is_what_a_draw_needs_on_a_server_that_has_no_secret(self) -> None:
        with pytest.raises(Illegal, match="Commit to a new one"):
            DrawRound().decide(started(NAMES), Given(uid("competition"), commands.NOW))


def test_seeds_of_chance_are_those_of_the_draw() -> None:
    state = after(entered(NAMES), *commands.start(entered(NAMES)))
    stage = state.stages[0]
    assert stage.origin
    seed = seed_of(stage.origin.cut_off, stage.origin.reveal)
    assert stage.groups[0] == Chance(seed).shuffled("groups", sorted(stage.origin.cut_off.present))


# ---- The file ------------------------------------------------------------------------------------


def entries(*kinds: tuple[str, events.Event]) -> list[dict[str, Any]]:
    """The entries of a log: the time of each, and its event."""
    head, made = chain.ORIGIN, []
    for seq, (at, event) in enumerate(kinds, 1):
        entry: dict[str, Any] = {"seq": seq, "role": "organiser", "account": None}
        entry |= {"event": events.write(event), "at": f"2026-09-01T{at}.000000Z"}
        head = chain.link(head, entry)
        made.append({**entry, "hash": head})
    return made


def test_times_that_run_backwards_are_refused() -> None:
    opened = opening()
    good = entries(("18:00:00", opened), ("18:00:00", EntriesOpened()), ("18:00:01", TextGiven("x")))
    assert len(list(verifier.steps(good))) == 3
    wrong = entries(("18:00:00", opened), ("18:00:01", EntriesOpened()), ("18:00:00", TextGiven("x")))
    with pytest.raises(WrongLog, match="entry 3 is wrong: it is earlier"):
        list(verifier.steps(wrong))


def test_a_beacon_less_than_30_seconds_away_is_refused() -> None:
    log: list[events.Event] = [opening(**BEACON)]
    for name in NAMES.split():
        log.extend(enter(events.fold(log), name))
    log.extend(commands.decide(events.fold(log), StartCompetition()))
    assert len(list(verifier.steps(entries(*(("18:00:00", event) for event in log))))) == len(log)
    with pytest.raises(WrongLog, match="less than 30 seconds"):
        list(verifier.steps(entries(*(("18:00:20", event) for event in log))))
    *_, cut_off = log
    assert isinstance(cut_off, CutOffMade)
    for number in (cut_off.beacon + 30_000, 10**12):
        log[-1] = replace(cut_off, beacon=number)
        with pytest.raises(WrongLog, match="more than a day after"):
            list(verifier.steps(entries(*(("18:00:00", event) for event in log))))


def test_a_text_is_asked_for_only_where_something_is_still_drawn() -> None:
    ladder = plan(format="ladder", rounds=1, table_size=2, params={"reach": 2})
    assert GiveText.offered(started(NAMES), GiveText.give_text)
    assert not GiveText.offered(started(NAMES, ladder), GiveText.give_text)
    assert GiveText.offered(started(NAMES, ladder, plan()), GiveText.give_text)
