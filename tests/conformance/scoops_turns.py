"""The lines of Scoops about turns, goals and ends."""

from collections.abc import Sequence
from typing import Any, Final

from games.engine.cards import JOKER, rank
from tests.conformance.recorder import Play, first_deal, line
from tests.conformance.scoops import collect, draw, games, having, opened, prepared, table, turn, won_bowl
from tests.rules.scoops.tables import groups
from tests.rules.scoops.test_turns import WRONG

JOKERS_ARE_WILD: Final = ("Banana", "Raspberry", "Strawberry")


def drop(play: Play, keep: str = "") -> None:
    """Let the seat in play discard a card that it need not keep."""
    now = table(play)
    free = [card for card in now.hand if card != now.taken and card not in keep.split()]
    play.seat(now.seat, "discard", card=free[0])


def point(play: Play, winner: int, points: int = 1) -> list[int]:
    """Return the scores of a game whose only round a seat has won."""
    return [points if seat == winner else 0 for seat in range(play.position.seats)]


@line("scoops", "C11", "C12", "C16")
def a_scoop_bonus() -> Play:
    """Each book wholly of the special rank gives the winner one more point; the target ends the game."""
    play, seat = having("4C 4D 4H 9C 9D 9H JC JD JH", "Bowl", "Vanilla", "4", target=2)
    play.seat(seat, "lay_down", groups=groups("book 4C 4D 4H + book 9C 9D 9H + book JC JD JH"))
    play.row(winner=seat, bonus=1, scores=point(play, seat, 2))
    play.ends(point(play, seat, 2), [1 if each == seat else 2 for each in range(2)])
    play.refused(seat, None, "draw", source="deck")
    return play


@line("scoops", "C12")
def below_the_target() -> Play:
    """A round is worth one point; below the target the next round is dealt."""
    play, seat = won_bowl(target=2)
    play.row(winner=seat, scores=point(play, seat), ending="lay_down")
    play.sees(None, round=2, scores=point(play, seat))
    return play


@line("scoops", "C13", "C15")
def the_deck_runs_out() -> Play:
    """With the deck empty at the start of a turn the round ends without a winner; all share the rank."""
    play = Play("scoops", 3, 1, round_limit=1)
    while len(table(play).deck) > 1:
        turn(play)
    seat = draw(play)
    play.sees(None, deck=0, turn=seat)
    drop(play)
    play.row(winner=None, ending="deck", scores=[0, 0, 0])
    play.ends([0, 0, 0], [1, 1, 1])
    return play


@line("scoops", "C14")
def one_card_from_the_deck_or_a_pile() -> Play:
    """A turn begins with one card, from the deck or the top of any pile; nothing comes before it."""
    play = opened("Float", "Vanilla", seats=3)
    seat = table(play).seat
    play.offered(seat, "draw")
    for pile in (seat, (seat + 1) % 3, 8):
        play.refused(seat, "C14", "draw", source=pile)
    card = table(play).hand[0]
    play.refused(seat, "C14", "discard", card=card)
    play.refused(seat, "C14", "keep")
    play.refused(seat, "C14", "meld", groups=groups("book 2C 2D 2H"))
    play.refused(seat, "C14", "lay_down", groups=groups("book 2C 2D 2H"))
    play.refused(seat, "C14", "float", meld=0, cards=[card])
    play.malformed(seat, "draw", source=9)
    play.malformed(seat, "draw", source="pile")
    play.malformed(seat, "draw")
    turn(play)
    second = table(play).seat
    draw(play, seat)
    play.refused(second, "C14", "draw", source="deck")
    play.look()
    drop(play)
    third = turn(play)
    draw(play)
    drop(play)
    turn(play)
    own = turn(play)
    assert own == third
    turn(play)
    turn(play)
    draw(play, own)
    play.look()
    return play


@line("scoops", "C15")
def no_discard_of_the_card_just_taken() -> Play:
    """A card taken from a pile can't be discarded in the same turn; in the next it may be."""
    play = opened("Bowl", "Vanilla", seats=2)
    first = turn(play)
    seat, card = table(play).seat, table(play).discards[first][-1]
    draw(play, first)
    play.sees(seat, taken=card)
    play.sees(first, taken=None)
    play.refused(seat, "C15", "discard", card=card)
    play.refused(seat, "C15", "discard", card=min({*table(play).hands[first]} - {*table(play).hand}))
    play.malformed(seat, "discard", card="1C")
    drop(play)
    turn(play)
    draw(play)
    play.seat(seat, "discard", card=card)
    play.sees(None, turn=first)
    return play


@line("scoops", "C15")
def the_like_of_a_card_taken() -> Play:
    """A card taken may be discarded at once where the hand held another of the same code before."""

    def same(play: Play) -> bool:
        start = table(play).start
        return bool({*table(play).hands[start]} & {*table(play).hands[(start + 1) % 4]})

    play = first_deal(lambda number: Play("scoops", 4, number), same)
    first = table(play).start
    seat = (first + 1) % 4
    card = min({*table(play).hands[first]} & {*table(play).hands[seat]})
    draw(play)
    play.seat(first, "discard", card=card)
    draw(play, first)
    play.sees(seat, taken=None)
    play.seat(seat, "discard", card=card)
    return play


GOALS: Final = {
    "Bowl": ("book 4C 4D 4H + run 8C 9C TC + book QC QD QS", None),
    "Shake": ("book 4C 4D 4H 4S + run 8C 9C TC JC", "QS"),
    "Cone": ("book 4C 4D 4H 4S + run 8C 9C TC + pair QC QD", None),
    "Sandwich": ("run 5C 6C 7C 8C 9C + pair QC QD + pair 4C 4D", None),
}


def a_goal(goal: str) -> Play:
    """Return a round that is won by this goal, after all that is no such lay-down was refused."""
    laid, discard = GOALS[goal]
    cards = " ".join(part.partition(" ")[2] for part in laid.split(" + "))
    play, seat = having(f"{cards} {discard or ''}", goal, "Vanilla", round_limit=1)
    wrong = [row for row in WRONG.values() if row[0] == goal and row[3] == "C16"]
    for _, groups_laid, thrown, rule in wrong:
        extra: dict[str, Any] = {"discard": thrown} if thrown else {}
        play.refused(seat, rule, "lay_down", groups=groups(groups_laid), **extra)
    play.refused(seat, "C17", "meld", groups=groups("book 4C 4D 4H"))
    play.refused(seat, "C17", "keep")
    play.refused(seat, "C18", "discard", card="4C", knock=True)
    play.look()
    play.seat(seat, "lay_down", groups=groups(laid), **({"discard": discard} if discard else {}))
    play.row(winner=seat, ending="lay_down")
    play.ends(point(play, seat))
    return play


@line("scoops", "C16")
def bowl() -> Play:
    """Bowl: three sets of exactly three, without a discard."""
    return a_goal("Bowl")


@line("scoops", "C16")
def shake() -> Play:
    """Shake: two sets of exactly four, then the discard."""
    return a_goal("Shake")


@line("scoops", "C16")
def cone() -> Play:
    """Cone: a set of four, a set of three and a pair."""
    return a_goal("Cone")


@line("scoops", "C16")
def sandwich() -> Play:
    """Sandwich: two pairs and a run of five."""
    return a_goal("Sandwich")


@line("scoops", "C15", "C16")
def no_shake_with_the_card_just_taken() -> Play:
    """The discard of Shake is a discard: it can't be the card just taken from a pile."""
    play = opened("Shake", "Vanilla")
    first = table(play).seat
    collect(play, first, "4C 4D 4H 4S 8C 9C TC JC")
    drop(play, "4C 4D 4H 4S 8C 9C TC JC")
    given = turn(play)
    draw(play, given)
    laid = groups("book 4C 4D 4H 4S + run 8C 9C TC JC")
    play.refused(first, "C15", "lay_down", groups=laid, discard=table(play).hand[-1])
    return play


def a_run_to_float_onto(play: Play) -> None:
    """Let the first seat lay a run of diamonds, and the next collect what goes onto it."""
    first = table(play).start
    collect(play, first, "6D 7D 8D")
    play.refused(first, "C17", "float", meld=0, cards=["6D"], end="high")
    play.seat(first, "meld", groups=groups("run 6D 7D 8D"))
    play.refused(first, "C17", "keep")
    drop(play, "KC KD KH 9D TD JD QD 5D 4D")
    collect(play, (first + 1) % 4, "KC KD KH 9D TD JD QD 5D 4D")


@line("scoops", "C7", "C9", "C17")
def float_cards() -> Play:
    """In Float a seat that has laid a set floats cards onto other seats' sets; an empty hand wins."""
    play = prepared(games("Float", "Banana", seats=4, round_limit=1), a_run_to_float_onto)
    seat = table(play).seat
    play.refused(seat, "C16", "lay_down", groups=groups("book KC KD KH"))
    play.refused(seat, "C17", "float", meld=0, cards=["9D"], end="high")
    play.seat(seat, "meld", groups=groups("book KC KD KH"))
    play.look()
    play.refused(seat, "C17", "float", meld=1, cards=["9D"])
    play.refused(seat, "C17", "float", meld=9, cards=["9D"], end="high")
    play.refused(seat, "C17", "float", meld=0, cards=["9D"])
    play.refused(seat, "C17", "float", meld=0, cards=["AD"], end="high")
    play.refused(seat, "C7", "float", meld=0, cards=["9D"], end="low")
    play.refused(seat, "C7", "float", meld=0, cards=["TD"], end="high")
    play.refused(seat, "C7", "float", meld=0, cards=["TD", "9D"], end="high")
    play.malformed(seat, "float", meld=0, cards=["9D"], end="top")
    play.seat(seat, "float", meld=0, cards=["9D", "TD"], end="high")
    play.seat(seat, "float", meld=0, cards=["4D", "5D"], end="low")
    play.seat(seat, "float", meld=0, cards=["JD", "QD"], end="high")
    play.row(winner=seat, ending="float")
    play.ends(point(play, seat))
    return play


@line("scoops", "C17")
def the_last_card_is_kept() -> Play:
    """In Float a discard must not empty the hand: a seat with one card left keeps it."""
    play, seat = having("4C 4D 4H 4S 9C 9D 9H 9S", "Float", "Vanilla")
    play.seat(seat, "meld", groups=groups("book 4C 4D 4H 4S"))
    play.refused(seat, "C17", "keep")
    play.seat(seat, "meld", groups=groups("book 9C 9D 9H 9S"))
    play.refused(seat, "C17", "discard", card=table(play).hand[0])
    play.offered(seat, "keep")
    play.seat(seat, "keep")
    play.sees(None, turn=1 - seat, hands=[1 if each == seat else 8 for each in range(2)])
    turn(play)
    play.clock(seat)
    play.sees(None, turn=1 - seat)
    return play


@line("scoops", "C17")
def a_hand_emptied_by_melds() -> Play:
    """In Float the hand emptied by a meld wins."""
    play, seat = having("4C 4D 4H 8C 9C TC QC QD QS", "Float", "Vanilla", round_limit=1)
    play.seat(seat, "meld", groups=groups("book 4C 4D 4H + run 8C 9C TC"))
    play.seat(seat, "meld", groups=groups("book QC QD QS"))
    play.row(winner=seat, ending="meld")
    play.ends(point(play, seat))
    return play


@line("scoops", "C9", "C17")
def a_wild_card_counts_for_the_whole_set() -> Play:
    """The one wild card of a set still counts when cards are floated onto it."""
    play, first = having("4C 4D JK", "Float", "Banana")
    play.seat(first, "meld", groups=groups("book 4C 4D JK"))
    drop(play, "JK 4S 4H KC KD KH")
    seat = 1 - first
    collect(play, seat, "KC KD KH JK 4S")
    play.seat(seat, "meld", groups=groups("book KC KD KH"))
    play.refused(seat, "C9", "float", meld=0, cards=["JK"])
    play.refused(seat, "C17", "float", meld=0, cards=["4S"], end="low")
    play.seat(seat, "float", meld=0, cards=["4S"])
    return play


def count(hand: Sequence[str], rule: str, special: str | None) -> int:
    """Return the count of a hand: 1 a card, 2 for specials and wild jokers (C18)."""
    doubled = [card for card in hand if (rank(card) or None) == special and special]  # type: ignore[arg-type]
    wild = [card for card in hand if card == JOKER and rule in JOKERS_ARE_WILD]
    return len(hand) + len(doubled) + len(wild)


@line("scoops", "C18", "C10")
def coffee_is_counted() -> Play:
    """In Coffee a discard may knock; every other seat has one last turn; the lowest count wins."""
    play, seat = having("4C 4D 4H", "Coffee", "Raspberry", "7", seats=3, round_limit=1)
    held = [card for card in table(play).hand if card not in ("4C", "4D", "4H") and card != table(play).taken]
    laid = groups("book 4C 4D 4H")
    play.refused(seat, "C16", "lay_down", groups=laid)
    play.refused(seat, "C18", "discard", card=held[0], melds=laid)
    play.refused(seat, "C10", "discard", card=held[0], knock=True, melds=groups("pair 4C 4D"))
    play.refused(seat, "C18", "discard", card="4C", knock=True, melds=laid)
    play.refused(seat, "C7", "discard", card=held[0], knock=True, melds=groups(f"book 4C 4D {held[1]}"))
    play.seat(seat, "discard", card=held[0], knock=True, melds=laid)
    play.look()
    play.sees(None, knocker=seat, last_turns=True)
    second = draw(play)
    play.refused(second, "C18", "discard", card=table(play).hand[-1], knock=True)
    play.offered(second, "discard")
    drop(play)
    third = draw(play)
    card = table(play).hand[-1]
    hands = [list(hand) for hand in table(play).hands]
    hands[third].remove(card)
    play.seat(third, "discard", card=card)
    counts = [count(hand, "Raspberry", "7") for hand in hands]
    play.row(winner=seat, knocker=seat, counts=counts, ending="count")
    play.ends(point(play, seat))
    return play


def level_coffee() -> Play:
    """Return a game of Coffee for four in which every hand counts eight."""

    def level(play: Play) -> bool:
        now = table(play)
        tame = now.contract.rule.name in ("Vanilla", "Cherry") and now.contract.goal.name == "Coffee"
        special = now.contract.special
        return tame and not any(rank(card) == special for hand in now.hands for card in hand)

    return first_deal(lambda number: Play("scoops", 4, number, round_limit=1), level)


@line("scoops", "C18")
def a_tie_goes_to_the_knocker() -> Play:
    """Equal counts go to the knocker; where nothing is wild and nobody lays, all count eight."""
    play = level_coffee()
    knocker = turn(play, knock=True)
    for _ in range(3):
        turn(play)
    play.row(winner=knocker, counts=[8] * 4)
    return play


@line("scoops", "C18")
def anybody_knocks() -> Play:
    """With the option, any seat may knock after a discard until the next draw; those to its left go first."""
    play = opened("Coffee", "Vanilla", "7", seats=3, round_limit=1, knocking="anybody")
    first = table(play).start
    second, third = (first + 1) % 3, (first + 2) % 3
    play.refused(third, "C2", "knock")
    play.refused(first, "C18", "knock")
    turn(play)
    play.sees(None, may_knock=True, turn=second)
    play.offered(third, "knock")
    play.refused(third, "C2", "draw", source="deck")
    play.refused(third, "C10", "knock", melds=groups(f"pair {' '.join(table(play).hands[third][:2])}"))
    draw(play)
    play.refused(third, "C2", "knock")
    play.refused(second, "C18", "knock")
    drop(play)
    play.seat(second, "knock")
    play.sees(None, knocker=second, may_knock=False, turn=third)
    turn(play)
    turn(play)
    play.row(knocker=second, ending="count")
    return play


@line("scoops", "C18")
def another_wins_the_count() -> Play:
    """A seat that lays sets in its last turn wins with the lowest count, though another knocked."""
    play = opened("Coffee", "Vanilla", "7", seats=2, round_limit=1)
    first = table(play).start
    seat = 1 - first
    collect(play, seat, "4C 4D 4H 8C 9C TC")
    drop(play, "4C 4D 4H 8C 9C TC")
    turn(play, knock=True)
    draw(play)
    card = next(card for card in table(play).hand if card not in ("4C", "4D", "4H", "8C", "9C", "TC"))
    play.seat(seat, "discard", card=card, melds=groups("book 4C 4D 4H + run 8C 9C TC"))
    play.row(winner=seat, knocker=first, ending="count")
    play.ends(point(play, seat))
    return play


@line("scoops", "C19", "C13")
def the_knock_comes_too_late() -> Play:
    """When the deck runs out in the middle of last turns, nobody wins."""
    play = opened("Coffee", "Cherry", seats=3, round_limit=1)
    while len(table(play).deck) > 2:
        turn(play)
    knocker = turn(play, knock=True)
    turn(play)
    play.row(winner=None, knocker=knocker, ending="deck", scores=[0, 0, 0])
    play.ends([0, 0, 0])
    return play


@line("scoops", "C12")
def the_limit_of_turns() -> Play:
    """House: after so many turns a seat the round ends without a winner."""
    play = opened("Float", seats=2, turn_limit=2, round_limit=1)
    for _ in range(4):
        turn(play)
    play.row(winner=None, ending="turns")
    play.ends([0, 0], [1, 1])
    return play


@line("scoops", "C14", "C15")
def the_clock_plays() -> Play:
    """The clock draws from the deck and discards that card, or finishes a turn that was begun."""
    play = opened("Bowl", seats=3)
    for begun in (None, "deck", 0):
        seat = table(play).seat
        if begun is not None:
            source = begun if begun == "deck" else next(i for i in range(3) if table(play).discards[i])
            draw(play, source)
        other = (seat + 1) % 3
        play.ask(do="move", role="clock", seat=other, move={"type": "timeout"}, must=False)
        play.clock(seat)
        play.sees(None, turn=other)
    return play


@line("scoops", "C1")
def everybody_adds_to_the_seed() -> Play:
    """With entropy the first deal waits for every seat; the texts and the secret make the seed."""
    play = Play("scoops", 3, 5, entropy=True, round_limit=1)
    play.look()
    play.refused(0, None, "draw", source="deck")
    play.seat(2, "ready", entropy="rain on the roof ☕")
    play.refused(2, None, "ready")
    play.seat(0, "ready")
    play.clock(1)
    play.look()
    play.refused(1, None, "ready")
    return play
