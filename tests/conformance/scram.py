"""The lines of play of Scram!"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from games.rules.scram.table import Table
from tests.conformance.recorder import Missing, Play, searched
from tests.rules.scram.notation import targets


def scram(*shows: str, seats: int = 4, **options: Any) -> Callable[[Callable[[Play], None]], None]:
    """Register a line of Scram!."""
    return searched("scram", *shows, seats=seats, **options)


def table(play: Play) -> Table:
    return play.state.table  # type: ignore[no-any-return]


def in_play(play: Play) -> int:
    return play.state.seat  # type: ignore[no-any-return]


def row(play: Play, seat: int) -> list[str]:
    """Return the faces of a campsite."""
    return [table(play).face(lying) for lying in table(play).campsites[seat]]


def top(play: Play) -> str:
    return table(play).faces[table(play).deck[0]]


def worth(cards: Sequence[str]) -> int:
    """Return the sum of a campsite, each = counting as its lowest number (B15)."""
    lowest = min((int(card) for card in cards if card != "="), default=0)
    return sum(lowest if card == "=" else int(card) for card in cards)


def sums(play: Play) -> list[int]:
    return [worth(row(play, seat)) for seat in range(play.position.seats)]


def draw(play: Play, source: str = "deck") -> int:
    """Let the seat in play draw; return the seat."""
    seat = in_play(play)
    play.seat(seat, "draw", source=source)
    return seat


def turn(play: Play) -> int:
    """Let the seat in play draw and discard; return the seat."""
    seat = draw(play)
    play.seat(seat, "discard")
    return seat


def until(play: Play, *faces: str) -> int:
    """Let seats draw and discard until one has drawn one of these cards; return that seat."""
    while top(play) not in faces:
        turn(play)
        if play.state.rows:
            raise Missing
    return draw(play)


def at(text: str) -> list[dict[str, int]]:
    """Return the JSON of ``"0.1 2.3"`` and ``"deck.0"``."""
    return targets(text)


def down(play: Play, seat: int) -> list[int]:
    """Return the indexes of the face-down cards of a campsite."""
    return [index for index, lying in enumerate(table(play).campsites[seat]) if not lying.up]


DEALS: Final = {
    3: (37, [8, 5, 5], [0, 1, 1], 3),
    4: (35, [5] * 4, [0, 1] * 2, 4),
    6: (39, [5] * 6, [0, 1] * 3, 3),
}


def _deal(seats: int) -> None:
    deck, sizes, teams, rounds = DEALS[seats]

    def script(play: Play) -> None:
        """The pack, teams and campsites by the number of campers; the number of rounds."""
        each = 5 if seats == 6 else 4
        if Counter(table(play).faces) != dict.fromkeys([*map(str, range(1, 14)), "="], each):
            raise AssertionError("the pack is wrong (B1)")
        play.look()
        play.sees(None, deck=deck, teams=teams, rounds=rounds, round=1)
        for seat, size in enumerate(sizes):
            if [lying.up for lying in table(play).campsites[seat]] != [False] * (size - 2) + [True] * 2:
                raise AssertionError("the campsites are wrong (B3)")
        if seats == 3:
            play.sees(None, turn=0, start=0)
        name = play.position.ruleset.name
        for wrong in (2, 5, 7):
            play.ask(
                do="open", ruleset=name, seats=wrong, options={}, entropy=False, secret="00" * 32, must=False
            )

    script.__name__ = f"the_deal_for_{seats}"
    scram("B1", "B2", "B3", "B4", "B5", seats=seats)(script)


for _seats in DEALS:
    _deal(_seats)


@scram("B4", rounds=10, turn_limit=1)
def as_many_rounds_as_the_club_says(play: Play) -> None:
    """An option gives the number of rounds."""
    for number in range(1, 11):
        play.sees(None, round=number, rounds=10)
        for _ in range(4):
            turn(play)
    play.look()


@scram("B5", "B15", "B17", rounds=3, turn_limit=1, seats=4)
def who_begins_the_next_round(play: Play) -> None:
    """The team with the lower score begins, its camper with the lowest own score, ties to the left."""
    totals = [0] * 4
    for number in range(3):
        start = in_play(play)
        play.sees(None, start=start)
        own = sums(play)
        teams = [own[0] + own[2], own[1] + own[3]]
        for _ in range(4):
            turn(play)
        play.row(sums=own, scores=[teams[seat % 2] for seat in range(4)])
        totals = [total + teams[seat % 2] for seat, total in enumerate(totals)]
        better = [seat for seat in range(4) if teams[seat % 2] == min(teams)]
        lowest = [seat for seat in better if own[seat] == min(own[each] for each in better)]
        following = min(lowest, key=lambda seat: (seat - start - 1) % 4)
        if number < 2:
            play.sees(None, start=following, turn=following, scores=totals)
    play.ends(totals)


@scram("B6", seats=3, turn_limit=2, rounds=2)
def turns_of_three(play: Play) -> None:
    """With 3 campers the solo plays after each of the duo."""
    played = [turn(play) for _ in range(4)]
    if played != [0, 1, 0, 2] or in_play(play) != 1:
        raise Missing
    play.row(ended="turn_limit")
    assert [turn(play) for _ in range(4)] == [1, 0, 2, 0]


@scram("B6", seats=6)
def turns_of_six(play: Play) -> None:
    """Turns go clockwise."""
    start = in_play(play)
    assert [turn(play) for _ in range(7)] == [(start + step) % 6 for step in range(7)]
    play.refused((in_play(play) + 1) % 6, "B6", "draw", source="deck")


@scram("B7", "B13", "B15", rounds=1)
def the_deck_runs_out(play: Play) -> None:
    """With the deck empty at the start of a turn the round ends at once; the drawn card tops the pile."""
    card = top(play)
    turn(play)
    play.sees(None, discard=[*[table(play).faces[each] for each in table(play).discard[:-1]], card])
    while len(table(play).deck) > 1:
        turn(play)
    seat = draw(play)
    play.sees(None, deck=0, turn=seat)
    own = sums(play)
    play.seat(seat, "discard")
    scores = [own[seat % 2] + own[seat % 2 + 2] for seat in range(4)]
    play.row(ended="deck", sums=own, scores=scores)
    play.ends(scores, [1 if score == min(scores) else 3 for score in scores])


@scram("B8", "B9", "B14")
def a_turn_begins_with_a_card(play: Play) -> None:
    """A turn begins with a card, which its drawer alone sees; a card from the pile only replaces."""
    seat = in_play(play)
    if top(play) not in ("1", "2", "3", "4", "="):
        raise Missing
    play.offered(seat, "draw")
    play.refused(seat, "B8", "discard")
    play.refused(seat, "B8", "replace", cards=at(f"{seat}.0"))
    play.refused(seat, "B14", "scram")
    play.malformed(seat, "draw", source="pile")
    draw(play)
    play.look()
    play.sees((seat + 1) % 4, drawn=None)
    play.sees(seat, drawn=table(play).faces[table(play).drawn.card])  # type: ignore[union-attr]
    play.offered(seat, "discard", "replace")
    play.refused(seat, "B8", "draw", source="deck")
    play.refused(seat, "B14", "scram")
    play.refused(seat, "B9", "act", targets=at("deck.0"))
    play.refused(seat, "A0", "exchange", do=True)
    play.seat(seat, "discard")
    second = draw(play, "discard")
    play.look()
    play.offered(second, "replace")
    play.refused(second, "B9", "discard")
    play.refused(second, "B9", "act", targets=at("deck.0"))
    play.seat(second, "replace", cards=at(f"{second}.0"))
    play.sees(None, turn=(second + 1) % 4)


@scram("B10", "B11")
def cards_that_match(play: Play) -> None:
    """Cards that match go to the pile, = below the others; the new card fills one of the holes."""
    seat = in_play(play)
    own, mate = row(play, seat), row(play, (seat + 2) % 4)
    equal = [(one, two) for one in range(5) for two in range(5) if one != two and own[one] == "=" != own[two]]
    if not equal or own[equal[0][1]] not in mate:
        raise Missing
    (sign, number), other = equal[0], mate.index(own[equal[0][1]])
    mates, opponent = (seat + 2) % 4, (seat + 1) % 4
    drawn = top(play)
    draw(play)
    chosen = f"{seat}.{number} {seat}.{sign} {mates}.{other}"
    play.refused(seat, "B10", "replace", cards=at(f"{seat}.0 {opponent}.0"), end="left")
    play.refused(seat, "B10", "replace", cards=at(f"{mates}.0 {seat}.0"), end="left")
    play.refused(seat, "B10", "replace", cards=at(f"{seat}.0 {seat}.0"), end="left")
    free = next(index for index in range(5) if index not in (sign, number))
    play.refused(seat, "B11", "replace", cards=at(chosen), end="left", slot=free)
    play.refused(seat, "B12", "replace", cards=at(chosen))
    play.malformed(seat, "replace", cards=[])
    play.seat(seat, "replace", cards=at(chosen), end="left", slot=sign)
    pile = [table(play).faces[card] for card in table(play).discard]
    assert pile[-3:] == ["=", own[number], own[number]]
    expected = [drawn if index == sign else card for index, card in enumerate(own) if index != number]
    assert row(play, seat) == expected
    play.look()


@scram("B10", "B11", "B12")
def one_card_always_matches(play: Play) -> None:
    """One card alone always matches; a card from the pile fills the hole face up."""
    seat = in_play(play)
    gone = row(play, seat)[0]
    draw(play, "discard")
    play.seat(seat, "replace", cards=at(f"{seat}.0"))
    assert table(play).campsites[seat][0].up
    play.sees(None, discard=[gone])
    second = draw(play)
    play.refused(second, "B12", "replace", cards=at(f"{second}.4"), end="left")
    play.seat(second, "replace", cards=at(f"{second}.4"))
    assert not table(play).campsites[second][4].up
    play.look()


def mismatch(numbers: int, added: int) -> None:
    def script(play: Play) -> None:
        """Cards that don't match stay, face up; the new card and further ones of the deck are added."""
        seat = in_play(play)
        own = row(play, seat)
        if len({*own} - {"="}) < numbers or len({*own[:numbers]} - {"="}) != numbers:
            raise Missing
        deck, pile = len(table(play).deck), len(table(play).discard)
        draw(play)
        chosen = " ".join(f"{seat}.{index}" for index in range(numbers))
        play.seat(seat, "replace", cards=at(chosen), end="right")
        laid = table(play).campsites[seat]
        assert [lying.up for lying in laid] == [i < numbers or 3 <= i < 5 for i in range(5)] + [False] * (
            1 + added
        )
        assert row(play, seat)[:5] == own
        assert len(table(play).discard) == pile
        play.sees(None, deck=deck - 1 - added)
        play.look()

    script.__name__ = f"{numbers}_numbers_that_do_not_match"
    scram("B12")(script)


for _numbers, _added in ((2, 0), (3, 1), (4, 2), (5, 3)):
    mismatch(_numbers, _added)


@scram("B12")
def each_extra_card_takes_an_end(play: Play) -> None:
    """The ends of the further cards are chosen beforehand, in the deck's order, each outermost."""
    seat = in_play(play)
    own = row(play, seat)
    if len({*own[:4]} - {"="}) != 4:
        raise Missing
    drawn, first, second = (table(play).faces[card] for card in table(play).deck[:3])
    draw(play)
    chosen = at(" ".join(f"{seat}.{index}" for index in range(4)))
    play.refused(seat, "B12", "replace", cards=chosen, end="left", extra_ends=["left"] * 3)
    play.malformed(seat, "replace", cards=chosen, end="left", extra_ends=["left"] * 4)
    play.seat(seat, "replace", cards=chosen, end="left", extra_ends=["right", "left"])
    assert row(play, seat) == [second, drawn, *own, first]
    play.look()


@scram("B12")
def equals_is_no_number(play: Play) -> None:
    """= is no number: with two different numbers and a =, nothing more is added."""
    seat = in_play(play)
    own = row(play, seat)
    if len({*own[:3]} - {"="}) != 2 or "=" not in own[:3]:
        raise Missing
    deck = len(table(play).deck)
    draw(play)
    play.seat(seat, "replace", cards=at(f"{seat}.0 {seat}.1 {seat}.2"), end="left")
    play.sees(None, deck=deck - 1)
    assert row(play, seat)[1:] == own


def shrink(play: Play, seat: int, size: int, most: int = 12) -> None:
    """Play until it is the seat's turn and its campsite has so few cards, seeing all cards."""
    for _ in range(most * 6):
        if play.state.rows:
            raise Missing
        if in_play(play) != seat:
            turn(play)
        elif len(row(play, seat)) <= size:
            return
        else:
            one_smaller(play, seat)
    raise Missing


def one_smaller(play: Play, seat: int) -> None:
    """Let the seat draw and get rid of cards that match, or prepare that, or just discard."""
    own, drawn = row(play, seat), top(play)
    numbers = Counter(card for card in own if card != "=").most_common(1) or [("=", 0)]
    number = numbers[0][0]
    chosen = [index for index, card in enumerate(own) if card in (number, "=")]
    draw(play)
    if len(chosen) > 1:
        play.seat(seat, "replace", cards=at(" ".join(f"{seat}.{index}" for index in chosen)), end="left")
    elif drawn in own or drawn == "=":
        other = next(index for index, card in enumerate(own) if card != drawn)
        play.seat(seat, "replace", cards=at(f"{seat}.{other}"))
    else:
        play.seat(seat, "discard")


def scram_scored(play: Play, outcome: int) -> None:
    """Let a seat declare Scram and all have their last turns; its sum compared must be the outcome."""
    seat = in_play(play)
    shrink(play, seat, 2)
    own = sums(play)
    ours, theirs = own[seat] + own[(seat + 2) % 4], own[(seat + 1) % 4] + own[(seat + 3) % 4]
    if (ours > theirs) - (ours < theirs) != outcome:
        raise Missing
    play.offered(seat, "draw", "scram")
    play.seat(seat, "scram")
    play.look()
    play.sees(None, scram=seat, last_turns=[(seat + step) % 4 for step in (1, 2, 3)])
    for step in (1, 2, 3):
        play.refused((seat + step) % 4, "B14", "scram")
        assert turn(play) == (seat + step) % 4
    scores = [0, 0, 0, 0]
    for each in range(4):
        is_ours = each % 2 == seat % 2
        scores[each] = (0 if outcome <= 0 else ours + 10) if is_ours else theirs
    play.row(scram=seat, ended="last_turns", scores=scores)
    play.ends(scores, [1 if score == min(scores) else 3 for score in scores])


@scram("B14", "B16", "B15", rounds=1)
def scram_won(play: Play) -> None:
    """Scram with two or fewer cards; every other camper has a last turn; lower: the team scores 0."""
    scram_scored(play, -1)


@scram("B14", "B16", rounds=1)
def scram_level(play: Play) -> None:
    """A level sum scores 0, too."""
    scram_scored(play, 0)


@scram("B14", "B16", rounds=1)
def scram_lost(play: Play) -> None:
    """A higher sum scores itself and 10 more."""
    scram_scored(play, 1)


@scram("B14", "B6", "B16", seats=3, rounds=1)
def scram_of_the_duo(play: Play) -> None:
    """A duo camper's Scram gives the solo, the other of the duo and the solo a last turn each."""
    shrink(play, 1, 2, most=8)
    play.seat(1, "scram")
    play.sees(None, last_turns=[0, 2, 0])
    own = sums(play)
    assert [turn(play) for _ in range(3)] == [0, 2, 0]
    duo, solo = own[1] + own[2], own[0]
    scored = 0 if duo <= solo else duo + 10
    play.row(scores=[solo, scored, scored])


@scram("B14", seats=3, rounds=1)
def scram_of_the_solo(play: Play) -> None:
    """The solo's Scram gives each of the duo one last turn, clockwise."""
    shrink(play, 0, 2, most=20)
    play.seat(0, "scram")
    play.sees(None, last_turns=[1, 2])


@scram("B16", "B7", rounds=1)
def scram_and_then_the_deck(play: Play) -> None:
    """B16 holds also when the deck runs out during the last turns."""
    seat = (in_play(play) + 1) % 4
    shrink(play, seat, 2)
    while in_play(play) != seat or not 1 <= len(table(play).deck) <= 2:
        turn(play)
        if play.state.rows:
            raise Missing
    own = sums(play)
    play.seat(seat, "scram")
    while not play.state.rows:
        turn(play)
    ours, theirs = own[seat] + own[(seat + 2) % 4], own[(seat + 1) % 4] + own[(seat + 3) % 4]
    scored = 0 if ours <= theirs else ours + 10
    play.row(ended="deck", scores=[scored if each % 2 == seat % 2 else theirs for each in range(4)])


def levelled(play: Play, *rounds: tuple[int, int]) -> None:
    """Play rounds of one turn each that penalties bring to these scores."""
    for wanted in rounds:
        own = sums(play)
        seats = play.position.seats
        teams = [
            sum(own[seat] for seat in range(seats) if play.position.teams[seat] == team) for team in (0, 1)
        ]
        for team in (0, 1):
            points = wanted[team] - teams[team]
            if points < 0:
                raise Missing
            if points:
                play.arbiter("penalty", seat=team, points=points, reason="To level the score.")
        for _ in range(seats if seats > 3 else 4):
            turn(play)


@scram("B17", "B18", rounds=2, turn_limit=1)
def level_but_for_the_last_round(play: Play) -> None:
    """Level teams: the lower score in the last round wins; a penalty is added to its team's score."""
    levelled(play, (150, 170), (170, 150))
    play.ends([320] * 4, [3, 1, 3, 1])


@scram("B17", rounds=3, turn_limit=1)
def level_but_for_a_round_before(play: Play) -> None:
    """Level in the last round too: the round before decides, and so on."""
    levelled(play, (160, 150), (150, 160), (150, 150))
    play.ends([460] * 4, [1, 3, 1, 3])


@scram("B17", rounds=2, turn_limit=1)
def nobody_wins(play: Play) -> None:
    """Level in every round: all lose."""
    levelled(play, (150, 150), (160, 160))
    play.ends([310] * 4, [3] * 4)


@scram("B17", seats=3, rounds=1, turn_limit=2)
def level_for_the_solo(play: Play) -> None:
    """With 3 campers the solo wins whenever the scores are level."""
    levelled(play, (150, 150))
    play.ends([150] * 3, [1, 2, 2])
