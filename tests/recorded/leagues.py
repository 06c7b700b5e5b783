"""The leagues that are recorded: each format, tables of several sizes, and stages after each other."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

from games.engine.values import replace
from league.core.formats.ladder import Ladder
from league.core.standings import ranking
from league.core.state.cut_offs import WishKind
from league.core.state.match import GameScores
from league.core.state.plan import Intake, Scoring, StagePlan
from league.core.state.rooms import Room
from league.core.verb import Given
from league.core.verbs.answers import (
    AcceptChallenge,
    ChallengeAccepted,
    LapseChallenges,
    RefuseChallenge,
    WithdrawChallenge,
)
from league.core.verbs.byes import RequestBye
from league.core.verbs.challenges import MakeChallenge, ReopenChallenge
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import ExpelEntry
from league.core.verbs.presence import MarkAbsent, MarkPresent
from league.core.verbs.results import AwardWalkover, ForfeitEntry, VoidTable
from league.core.verbs.rooms import SetRooms
from league.core.verbs.rulings import RuledSeat, SetResult
from league.core.verbs.tables import SeatWaiting
from league.core.verbs.wishes import FixTable, SetWish
from tests.core import deciding as commands
from tests.core.ids import uid
from tests.recorded.recorder import START, League
from tests.rules.recording import Recorder

DUEL: Final = ("head_to_head", "opponents_points_cut", "opponents_points", "wins", "game_score")
SWISS: Final = ("opponents_points_median", "beaten_points", "wins")
MATCHES: Final = ("games", "score_difference")
TABLE: Final = ("score_difference", "places", "most_recent")
BEST: Final = Intake("best", best=2)
BY_MATCH: Final = Scoring(by="win", bye="none", match_points=("2", "1", "0"))

ANSWERED: Final = {"answer_days": 2, "refused": "drop", "lapsed": "lost", "free_refusals": 1}

PLANS: Final[Mapping[str, tuple[int, tuple[StagePlan, ...]]]] = {
    "rounds": (9, (StagePlan("Evening", "rounds", 3, 4, {}, Scoring(best=2), TABLE),)),
    "round_robin": (4, (StagePlan("League", "round_robin", 0, 2, {}, tie_breaks=DUEL),)),
    "swiss": (7, (StagePlan("Swiss", "swiss", 3, 2, {}, tie_breaks=SWISS),)),
    "swiss_lowest": (5, (StagePlan("Swiss", "swiss", 3, 2, {"byes": "lowest"}, tie_breaks=SWISS),)),
    "swiss_at_tables": (8, (StagePlan("Swiss", "swiss", 2, 4, {}, Scoring(by="score"), TABLE),)),
    "knockout": (6, (StagePlan("Cup", "knockout", 0, 2, {}, tie_breaks=DUEL),)),
    "cup_for_all": (
        11,
        (StagePlan("Cup", "knockout", 0, 2, {"placing": 8, "consolation": True}, tie_breaks=DUEL),),
    ),
    "double_elimination": (5, (StagePlan("Cup", "double_elimination", 0, 2, {}, tie_breaks=DUEL),)),
    "open_play": (4, (StagePlan("Open", "open_play", 1, 2, {}, tie_breaks=DUEL),)),
    "ladder": (4, (StagePlan("Ladder", "ladder", 1, 2, {"reach": 3}, tie_breaks=DUEL),)),
    "corrected_cup": (
        4,
        (
            StagePlan("Cup", "knockout", 0, 2, {}, tie_breaks=DUEL),
            StagePlan("Evening", "rounds", 1, 2, {}, tie_breaks=DUEL, intake=BEST),
        ),
    ),
    "cup_at_tables": (6, (StagePlan("Cup", "knockout", 0, 3, {}, tie_breaks=DUEL),)),
    "left_ladder": (6, (StagePlan("Ladder", "ladder", 1, 2, {"reach": 4}, tie_breaks=DUEL),)),
    "corrected_ladder": (6, (StagePlan("Ladder", "ladder", 1, 2, {"reach": 5}, tie_breaks=DUEL),)),
    "voided": (6, (StagePlan("Swiss", "swiss", 3, 2, {}, tie_breaks=DUEL),)),
    "expelled": (6, (StagePlan("Swiss", "swiss", 3, 2, {}, tie_breaks=DUEL),)),
    "never_came": (7, (StagePlan("Swiss", "swiss", 1, 2, {}, tie_breaks=DUEL),)),
    "unchallenged": (6, (StagePlan("Ladder", "ladder", 1, 2, {"reach": 5}, tie_breaks=DUEL),)),
    "challenges": (6, (StagePlan("Ladder", "ladder", 1, 2, ANSWERED, tie_breaks=DUEL),)),
    "partners": (6, (StagePlan("Pairs", "swiss", 2, 2, {}, tie_breaks=TABLE),)),
    "accounts": (4, (StagePlan("Open", "open_play", 1, 2, {}, tie_breaks=DUEL),)),
    "left_games": (4, (StagePlan("Evening", "rounds", 1, 4, {}, tie_breaks=TABLE),)),
    "wishes": (11, (StagePlan("Evening", "rounds", 3, 3, {"by_standing_from": 3}, tie_breaks=TABLE),)),
    "wishes_in_a_round_robin": (6, (StagePlan("League", "round_robin", 0, 2, {}, tie_breaks=DUEL),)),
    "sizes": (11, (StagePlan("Evening", "swiss", 3, 4, {}, tie_breaks=TABLE),)),
    "matches": (6, (StagePlan("Cup", "knockout", 0, 2, {}, tie_breaks=MATCHES, best_of=3),)),
    "matches_in_a_swiss": (
        7,
        (StagePlan("Swiss", "swiss", 3, 2, {}, tie_breaks=MATCHES, best_of=3, drawn_game="replay"),),
    ),
    "pots": (
        8,
        (
            StagePlan(
                "Groups", "round_robin", 0, 2, {}, groups=2, intake=Intake(seeding="order", divide="pots")
            ),
            StagePlan("Cup", "knockout", 0, 2, {}, intake=Intake("best", best=2, divide="lots")),
        ),
    ),
    "drop_in": (
        9,
        (StagePlan("Evening", "drop_in", 1, 4, {"waiting": 5}, Scoring(average=2), tie_breaks=TABLE),),
    ),
    "team_league": (
        3,
        (
            StagePlan(
                *("League", "round_robin", 0, 2, {"legs": 2}, BY_MATCH),
                tie_breaks=("board_points", "head_to_head"),
            ),
        ),
    ),
    "gone_home": (8, (StagePlan("Evening", "rounds", 1, 4, {}, Scoring(by="score", fair=False), TABLE),)),
    "whist": (8, (StagePlan("Evening", "rounds", 6, 4, {}, tie_breaks=TABLE),)),
    "byes": (
        7,
        (
            StagePlan(
                *("Swiss", "swiss", 4, 2, {}, Scoring(by="win", late="last")),
                tie_breaks=SWISS,
                requested_byes=2,
                late_rounds=1,
            ),
        ),
    ),
    "rooms": (12, (StagePlan("Evening", "rounds", 3, 3, {}, tie_breaks=TABLE),)),
    "groups_and_cup": (
        6,
        (
            StagePlan("Groups", "round_robin", 0, 2, {}, Scoring(by="win"), DUEL, groups=2),
            StagePlan("Cup", "knockout", 0, 2, {}, tie_breaks=DUEL, intake=BEST),
        ),
    ),
    "divisions": (
        6,
        (
            StagePlan(
                "Autumn", "rounds", 1, 3, {}, tie_breaks=TABLE, groups=2, intake=Intake(divide="stack")
            ),
            StagePlan(
                "Spring",
                "rounds",
                1,
                3,
                {},
                tie_breaks=TABLE,
                groups=2,
                intake=Intake("promotion", promoted=1, relegated=1, carry="1/2"),
            ),
        ),
    ),
}
"""The number of entries and the stages of each, by the name of its file."""


def _leave(played: League) -> None:
    """Withdraw who is in the middle of a ladder: its ends are a rung closer then, and may meet."""
    stage = played.state.stages[0]
    top, *between, bottom = Ladder().order(played.state, stage, stage.groups[0], 1)
    played.say(commands.withdraw(played.state, entry=between[1], reason="Moved away"))
    played.play_table("after the withdrawal", (top, bottom))


def _challenge_nobody(played: League) -> None:
    """Give the last rung a walkover, and let two leave who have played; who has not keeps the rung."""
    stage = played.state.stages[0]
    top, *_, bottom = Ladder().order(played.state, stage, stage.groups[0], 1)
    played.play_table("walkover", (bottom, top))
    played.say(commands.decide(played.state, AwardWalkover(uid("walkover"), (bottom,))), "organiser")
    stage = played.state.stages[0]
    for at in (-2, 1):
        order = Ladder().order(played.state, stage, stage.groups[0], 1)
        played.say(commands.withdraw(played.state, entry=order[at], reason="Moved away"))


def _challenge(played: League) -> None:
    """Let the last rung challenge all: who refuses twice, withdraws, lets it lapse, or accepts."""
    stage = played.state.stages[0]
    *_, two, three, four, last = Ladder().order(played.state, stage, stage.groups[0], 1)
    refused = _challenged(played, last, four)
    played.say(commands.decide(played.state, RefuseChallenge(refused)))
    given = Given(uid("competition"), START, "system")
    played.say(commands.decide(played.state, ReopenChallenge(refused, "Misheard"), given), "organiser")
    played.say(commands.decide(played.state, RefuseChallenge(refused)))
    again, other = _challenged(played, last, four), _challenged(played, last, three)
    played.say(commands.decide(played.state, RefuseChallenge(again)), "organiser")
    played.say(commands.decide(played.state, WithdrawChallenge(other)))
    _challenged(played, last, two, days=-3)
    played.say(commands.decide(played.state, LapseChallenges(), given), "system")
    number = _challenged(played, four, two)
    accepted = AcceptChallenge(number).decide(played.state, given)[0]
    assert isinstance(accepted, ChallengeAccepted)
    played.say((replace(accepted, table=uid("accepted")),))
    played.play_table("accepted", (two, four))
    _challenged(played, last, two)


def _challenged(played: League, by: str, entry: str, days: int = 0) -> int:
    given = Given(uid("competition"), START + timedelta(days=days))
    played.say(commands.decide(played.state, MakeChallenge(by, entry), given))
    return played.state.challenges[-1].number


def _correct(played: League) -> None:
    """Let the top lose to the bottom, and that one to the middle; then correct the first score."""
    stage = played.state.stages[0]
    top, _, middle, *_, bottom = Ladder().order(played.state, stage, stage.groups[0], 1)
    for winner, loser in ((bottom, top), (middle, bottom)):
        played.play_table(f"{winner} {loser}", (winner, loser))
        _rule(played, (winner, loser), (2, 1))
    _rule(played, (bottom, top), (3, 1))


def _protest(played: League) -> None:
    """Let who leads a cup before its final is closed have lost in the first round after all."""
    first, *later = played.state.stages[-1].rounds
    if later:
        leader = ranking.standings(played.state, 1)[0].entry
        one, other = next(table.entries for table in first.tables if leader in table.entries)
        _rule(played, (one, other), (1, 2) if leader == one else (2, 1))


def _rule(played: League, entries: tuple[str, str], scores: tuple[int, int]) -> None:
    table = next(each for _, _, each in played.state.tables() if each.entries == entries)
    ruling = SetResult(table.id, tuple(map(RuledSeat, (0, 1), scores)), "Wrong card")
    played.say(commands.decide(played.state, ruling), "organiser")


def _void(played: League) -> None:
    """Void a table of the first round, and expel an entry in the second, whose results are annulled."""
    current = played.state.current_round
    assert current
    if current.number == 1:
        played.say(commands.decide(played.state, VoidTable(current.tables[0].id, "Wrong cards")))
    elif current.number == 2:
        played.say(commands.decide(played.state, ExpelEntry(uid("entry 6"), "Cheated", annul=True)))


def _expel(played: League) -> None:
    """Expel the leader in the second round; the results stay."""
    if played.state.current_round and played.state.current_round.number == 2:
        leader = ranking.standings(played.state, 1)[0].entry
        played.say(commands.decide(played.state, ExpelEntry(leader, "Cheated")))


def _leave_as_the_worst(played: League) -> None:
    """Let the last of the first round forfeit with all deals on the card."""
    current = played.state.current_round
    assert current
    if current.number == 1:
        last = ranking.standings(played.state, 1)[-1].entry
        table = next(each for each in current.tables if last in each.entries)
        played.say(commands.decide(played.state, ForfeitEntry(table.id, last, "Gone home")), "organiser")


def _rule_pairs(played: League) -> None:
    """Set the result of each table of two pairs by hand; the second of each has its best score."""
    current = played.state.current_round
    assert current
    for table in current.tables:
        seats = tuple(map(RuledSeat, range(4), (10, 20, 50, 90)))
        played.say(commands.decide(played.state, SetResult(table.id, seats, "Wrong card")), "organiser")


def _type_a_match_in(played: League) -> None:
    """Replace the result of the first table by one that needed a third game."""
    current = played.state.current_round
    assert current
    games = tuple(map(GameScores, ((9, 4), (3, 8), (7, 5))))
    verb = SetResult(current.tables[0].id, (), "Wrong card", games=games)
    played.say(commands.decide(played.state, verb), "organiser")


def _ask_for_byes(played: League) -> None:
    """Let two rest on request in the second round, one of whom comes after all; another enters late."""
    current = played.state.current_round
    assert current
    if current.number == 1:
        for number in (1, 2):
            played.say(commands.decide(played.state, RequestBye(uid(f"entry {number}"), 2)), "player")
        played.say(commands.decide(played.state, MarkPresent(uid("entry 2"), 2)), "player")
        played.enter(8)


def _leave_a_pair(played: League) -> None:
    """Withdraw a pair from the second round after its draw: the other one at its table has a bye."""
    drawn = played.state.drawn_round
    assert drawn
    if drawn.number == 2:
        entry = drawn.tables[0].entries[0]
        played.say(commands.withdraw(played.state, entry=entry, reason="Moved away"))


def _go_home(played: League) -> None:
    """Let somebody come after the first table, and all go home after the fourth; three sit down once more."""
    current = played.state.current_round
    assert current and current.queue is not None
    over = sum(table.decided for table in current.tables)
    if over == 1:
        played.enter(10)
    if over == 4:
        for entry in played.state.entries:
            played.say(commands.decide(played.state, MarkAbsent(entry.id, 1)))
        for number in (1, 2, 3):
            played.say(commands.decide(played.state, MarkPresent(uid(f"entry {number}"), 1)))
    waiting = played.state.current_round and played.state.current_round.queue
    if over > 4 and waiting and len(waiting) == 3:
        played.say(commands.decide(played.state, SeatWaiting()), "organiser")
    if over > 6:
        for entry in played.state.entries:
            played.say(commands.decide(played.state, MarkAbsent(entry.id, 1)))


def _leave_the_game(game: Recorder) -> None:
    """Let one of four resign, and another's time run out."""
    game.seat(0, {"type": "resign"})
    game.clock(1, {"type": "forfeit", "seat": 1, "reason": "out of time"})


BEFORE_CLOSE: Final[Mapping[str, Callable[[League], None]]] = {
    "left_ladder": _leave,
    "unchallenged": _challenge_nobody,
    "challenges": _challenge,
    "corrected_ladder": _correct,
    "corrected_cup": _protest,
    "voided": _void,
    "expelled": _expel,
    "gone_home": _leave_as_the_worst,
    "partners": _rule_pairs,
    "matches": _type_a_match_in,
    "byes": _ask_for_byes,
}
"""What an organiser does before a round is closed, by the name of the file."""


WISHES: Final[Mapping[str, tuple[tuple[int, int, WishKind, bool], ...]]] = {
    "wishes": ((1, 2, "apart", True), (3, 4, "together", True), (5, 6, "apart_last", False)),
    "wishes_in_a_round_robin": ((1, 2, "apart_first", True), (3, 4, "apart_last", False)),
    "drop_in": ((1, 2, "apart", True), (3, 4, "apart", False), (5, 7, "together", True)),
}
"""Two entries, by number, and what they wish for always or if possible, by the name of the file."""


def _wish(played: League) -> None:
    """Let entries wish for draws; the sixth sits at table 2."""
    for one, other, wish, always in WISHES[played.name]:
        verb = SetWish((uid(f"entry {one}"), uid(f"entry {other}")), wish, always)
        played.say(commands.decide(played.state, verb))
    played.say(commands.decide(played.state, FixTable(uid("entry 6"), 2)))


SIZES: Final[Mapping[int, tuple[int, ...]]] = {1: (6, 5), 2: (5, 3, 3)}
"""What an organiser chooses for the tables of rounds, by their numbers."""


def _choose_sizes(played: League) -> None:
    """Draw a round again with chosen tables, where some are chosen for it."""
    drawn = played.state.drawn_round
    if drawn and (chosen := SIZES.get(drawn.number)):
        played.say(commands.decide(played.state, DrawRound("the room is small", sizes=(chosen,))))


def _change_rooms(played: League) -> None:
    """Play in two rooms, from the second round on in a smaller one, whose numbers the draft gets."""
    drawn = played.state.drawn_round
    if drawn and drawn.number == 2:
        verb = SetRooms((Room("Bar", 1, 2), Room("Hall", 5, 6)), (13,))
        played.say(commands.decide(played.state, verb))


ANNOUNCED: Final[Mapping[str, Mapping[str, Any]]] = {
    "partners": {"lineup": "partners", "team_size": 2},
    "team_league": {"lineup": "boards", "team_size": 2},
    "whist": {"ruleset": "scram", "options": {"rounds": 1}},
    "gone_home": {"ruleset": "scamper", "options": {"rounds": 1}},
}
"""What an opening says besides, by the name of the file."""


def league(name: str) -> League:
    """Return a league that is played to its end."""
    entries, plans = PLANS[name]
    played = League(name, entries, plans, **ANNOUNCED.get(name, {}))
    played.before_close = BEFORE_CLOSE.get(name, played.before_close)
    played.after_result = _go_home if name == "drop_in" else played.after_result
    played.before_publish = _leave_a_pair if name == "partners" else played.before_publish
    played.before_publish = _choose_sizes if name == "sizes" else played.before_publish
    played.before_play = _leave_the_game if name == "left_games" else played.before_play
    if name == "rooms":
        played.say(commands.decide(played.state, SetRooms((Room("Hall", 5, 7),), (6,))))
        played.say(commands.decide(played.state, FixTable(uid("entry 6"), 5)))
        played.before_publish = _change_rooms
    if name in WISHES:
        _wish(played)
    played.play()
    return played
