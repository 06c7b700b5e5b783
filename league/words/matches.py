"""Matches of several games in words: the score with its games, which game is played, and lines of a sheet."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.match_view import counted, lines_of
from league.words.messages import name_at_table, shown_name
from league.words.values import exact

_TWO: Final = 2
"""Seats of a table at which each side is one player."""


def match_in_words(match: Mapping[str, Any] | None) -> str:
    """Return the score of a match so far with its games, "2–1 (9–4, 5–8, 7–2)"; empty without a match."""
    if not match:
        return ""
    told = "–".join(exact(Fraction(each)) for each in match["score"])
    over = [each["scores"] for each in counted(match)]
    games = ["–".join(map(exact, scores)) for scores in over if len(scores) == _TWO]
    parts = [f"{told} ({', '.join(games)})" if games else told]
    if match["drawn"] and not games:
        drawn = match["drawn"]
        parts.append(ngettext("%(count)d drawn", "%(count)d drawn", drawn) % {"count": drawn})
    not_needed = (each["number"] for each in match["games"] if each["status"] == "not_needed")
    parts += [_("game %(number)d was not needed") % {"number": number} for number in not_needed]
    return ", ".join(parts)


def match_at(table: Any) -> str:
    """Return the score of the match at a table with the names of its sides; empty without a match.

    The table is a row, or one that is shown (`league.queries.rounds.TableShown`).
    """
    if not table.match:
        return ""
    seats = table.seats if isinstance(table.seats, Sequence) else table.seats.all()
    return match_now(table.match, named=sides_named(seats))


def own_match(match: Mapping[str, Any] | None, seat: int) -> str:
    """Return the score of a match as who sits there reads it: the own side first; empty without a match."""
    if not match:
        return ""
    turned = -1 if seat % 2 else 1
    games = [{**each, "scores": each["scores"][::turned]} for each in match["games"]]
    told = match_in_words({**match, "score": match["score"][::turned], "games": games})
    return _("you – the other side: %(score)s") % {"score": told}


def game_now(match: Mapping[str, Any] | None, seat: int | None = None) -> str:
    """Return which game of a match is played, and for a seat of the table whether its side begins; else "".

    Side by side those at a table change seats for every other game, so that the other side has the first.
    """
    playing = [each for each in (match or {}).get("games", ()) if each["status"] == "playing"]
    if not match or not playing:
        return ""
    number = playing[0]["number"]
    most = max(match["best_of"], number)
    told = _("Game %(number)d of at most %(most)d") % {"number": number, "most": most}
    if seat is None:
        return told
    begins = seat % 2 == (number - 1) % 2
    sits = _("your side has the first seat") if begins else _("the other side has the first seat")
    return f"{told}: {sits}."


def match_now(match: Mapping[str, Any] | None, seat: int | None = None, named: str = "") -> str:
    """Return the score of a match so far with its games, and which is played; empty without a match.

    ``named`` are the names of its sides in the order of the score, where no others stand beside it.
    """
    told = f"{named}: {match_in_words(match)}" if match and named else match_in_words(match)
    return " · ".join(filter(None, (told, game_now(match, seat))))


def sides_named(seats: Iterable[Any]) -> str:
    """Return the names of both sides of a match by the seats of its table, "Ann – Ben & Cleo"."""
    sides: dict[Any, list[str]] = {}
    for seat in seats:
        own = seat.names[0] if hasattr(seat, "names") else name_at_table(seat)
        sides.setdefault(seat.entry_id, []).append(shown_name(own))
    return " – ".join(" & ".join(side) for side in sides.values())


def lines_to_fill_in(match: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return a line for each game of a match, to write its result on the sheet of its table; else none."""
    if not match:
        return ()
    title = _("Best of %(count)d: one line for each game.") % {"count": match["best_of"]}
    lines = (_("Game %(number)d: ______ : ______") % {"number": n} for n in range(1, lines_of(match) + 1))
    return (title, " · ".join(lines))
