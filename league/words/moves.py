"""Cards and the entries of a game's log as text that everybody may read."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games import log
from games.engine.cards import CARD_PATTERN, JOKER
from games.engine.messages import text
from games.models import Game
from league.core.state.entries import JOIN
from league.hooks import HOUSE_BOTS
from league.queries.games import SeatedPlayer, seated
from league.words.messages import shown_name

if TYPE_CHECKING:
    from games.models.moves import Move


# ---- Cards ---------------------------------------------------------------------------------------

SUITS: Final = {
    "C": pgettext_lazy("of a card", "clubs"),
    "D": gettext_lazy("diamonds"),
    "H": gettext_lazy("hearts"),
    "S": gettext_lazy("spades"),
}
RANKS: Final = {
    "T": ("10", gettext_lazy("ten")),
    "J": ("J", gettext_lazy("jack")),
    "Q": ("Q", gettext_lazy("queen")),
    "K": ("K", gettext_lazy("king")),
    "A": ("A", gettext_lazy("ace")),
}
RED: Final = "DH"
_CARD: Final = re.compile(CARD_PATTERN)


def is_card(value: object) -> bool:
    """Return whether a value is the code of a playing card."""
    return isinstance(value, str) and _CARD.fullmatch(value) is not None


def name_of(code: str) -> str:
    """Return a card's name, such as "9 of clubs" or "joker"."""
    if code == JOKER:
        return _("joker")
    rank = RANKS[code[0]][1] if code[0] in RANKS else code[0]
    return _("%(rank)s of %(suit)s") % {"rank": rank, "suit": SUITS[code[1]]}


def figure(rank: str) -> str:
    """Return a rank as printed on cards: "T" as "10", "K" as "K"."""
    return RANKS[rank][0] if rank in RANKS else rank


def rank_name(rank: str) -> str:
    """Return the name of a rank: "T" as "10", "A" as "ace"."""
    return str(RANKS[rank][1]) if rank in RANKS and rank != "T" else figure(rank)


# ---- Moves ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EntryLine:
    """An entry of a game's log, its text with the name of whoever made it, and the game's ruleset."""

    entry: Move
    text: str
    ruleset: str


def lines(game: Game, entries: Sequence[Move]) -> list[EntryLine]:
    """Return entries with their texts; two queries for the names."""
    names = {seat.seat: shown_name(seat.player.called) for seat in seated(game) if seat.player}
    telling = _Telling(game, entries)
    return [EntryLine(entry, _line(telling, names, entry), game.ruleset) for entry in entries]


class _Telling:
    """Says what entries of a game did, and what followed from them."""

    def __init__(self, game: Game, entries: Iterable[Move]) -> None:
        self.game = game
        self._consequences = log.consequences(game)
        self._outcomes = log.outcomes(game, entries)

    def told(self, entry: Move) -> str:
        """Return an entry as the rest of a sentence, with the sentences of what followed from it."""
        return self.followed(log.in_words(self.game, entry, self._outcomes.get(entry.seq)), entry)

    def followed(self, words: str, entry: Move) -> str:
        """Return the text of an entry with what followed from it."""
        for sentence in self._consequences.get(entry.seq, ()):
            words = text("%(entry)s. %(consequence)s", entry=words, consequence=sentence)
        return words


def _line(telling: _Telling, names: Mapping[int, str], entry: Move) -> str:
    """Return an entry as one line, such as "Paul Pike draws from the deck"."""
    if entry.move["type"] == "open":
        return str(telling.followed("The game is opened", entry))
    who = f"The {entry.role}" if entry.seat is None else names.get(entry.seat, f"Seat {entry.seat}")
    how = f" ({said})" if (said := how_proved(entry)) else ""
    return f"{who} {telling.told(entry)}{how}"


@dataclass(frozen=True)
class EntryShown:
    """An entry of a game's log; ``text`` is the rest of a sentence that begins with ``who``.

    ``how`` says whether the entry was made with a code or at a kiosk, otherwise it is empty.
    """

    entry: Move
    who: str
    text: str
    how: str = ""


def shown(game: Game, entries: Sequence[Move], names: Mapping[int, str]) -> tuple[EntryShown, ...]:
    """Return entries as text, in the order given; ``names`` are players' names by seat."""
    telling = _Telling(game, entries)
    return tuple(_shown(telling, entry, names) for entry in entries)


def _shown(telling: _Telling, entry: Move, names: Mapping[int, str]) -> EntryShown:
    if entry.seq == 1:
        return EntryShown(entry, "", telling.followed(_("The game is opened"), entry))
    who = nobody_seated(telling.game, entry) if entry.seat is None else names[entry.seat]
    return EntryShown(entry, who, telling.told(entry), how_proved(entry))


def how_proved(entry: Move) -> str:
    """Return how an entry without a log-in came to be made for its seat, an empty text for all others."""
    match entry.role:
        case entry.Role.CODE:
            return _("with the code of seat %(seat)d, without a log-in") % {"seat": (entry.seat or 0) + 1}
        case entry.Role.KIOSK:
            return _("at a kiosk, without a log-in")
        case _:
            return ""


@dataclass(frozen=True)
class HowWritten:
    """How a round of a score card was entered and confirmed, as `how_proved` says of either."""

    entered: str = ""
    confirmed: str = ""


def how_written(entries: Iterable[Move]) -> Mapping[int, HowWritten]:
    """Return how the result of each round of a score card came there, by the round's number."""
    found: dict[int, HowWritten] = {}
    for entry in entries:
        match entry.move:
            case {"type": "round", "round": number} | {"type": "correct", "replaces": number}:
                found[number] = HowWritten(entered=how_proved(entry))
            case {"type": "confirm", "round": number} if number in found:
                found[number] = replace(found[number], confirmed=how_proved(entry))
    return found


def writings(
    game: Game, entries: Iterable[Move], names: Mapping[int, str]
) -> Mapping[int, tuple[EntryShown, ...]]:
    """Return the entries that wrote each round of a score card that was corrected, by the round’s number."""
    found: dict[int, list[Move]] = {}
    for entry in entries:
        match entry.move:
            case {"type": "round", "round": number} | {"type": "correct", "replaces": number}:
                found.setdefault(number, []).append(entry)
            case _:
                pass
    return {number: shown(game, each, names) for number, each in sorted(found.items()) if len(each) > 1}


def nobody_seated(game: Game, entry: Move) -> str:
    """Return who made an entry of no seat, at the beginning of a sentence."""
    if entry.role == entry.Role.CLOCK:
        return _("The clock")
    kept = entry.move["type"] in log.ruleset_of(game).scorekeeper_moves
    return _("An organiser or scorekeeper") if kept else _("An organiser")


def seat_name(seat: SeatedPlayer) -> str:
    """Return the name of a seat's player, of the house bot that plays it, or the seat's number."""
    if seat.player:
        return shown_name(seat.player.called)
    if bot := HOUSE_BOTS.get(seat.account) if seat.account else None:
        return shown_name(bot.name)
    return _("Guest") if seat.guest else _("Seat %(number)d") % {"number": seat.seat + 1}


def names_by_side(seats: Iterable[SeatedPlayer], side_of: Mapping[int, Hashable]) -> str:
    """Return the names of seats, those of a side together: "Ada & Bo, Cy & Di (withdrawn)"."""
    found: dict[Hashable, list[str]] = {}
    for seat in seats:
        name = {"name": seat_name(seat)}
        shown = _("%(name)s (withdrawn)") % name if seat.gone else name["name"]
        found.setdefault(side_of.get(seat.seat), []).append(shown)
    return ", ".join(map(JOIN.join, found.values()))


def in_words_of(moves: Iterable[Move]) -> Mapping[int, str]:
    """Return entries of any games, by their keys, as the rests of sentences that begin with who made them."""
    found: dict[int, str] = {}
    by_game = groupby(sorted(moves, key=attrgetter("game_id")), key=attrgetter("game"))
    for game, its_own in by_game:
        listed = [*its_own]
        brought = log.outcomes(game, listed)
        found.update((each.pk, log.in_words(game, each, brought.get(each.seq))) for each in listed)
    return found
