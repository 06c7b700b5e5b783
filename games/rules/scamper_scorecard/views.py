"""The views of a score card."""

from games.engine.jsontypes import JsonObject
from games.rules.scamper.views import sheet
from games.rules.scamper_scorecard.card import State, open_rounds, rows, totals, worth


def view(state: State) -> JsonObject:
    """Return the card, which everybody may see; ``turn`` is None.

    Besides the common fields it has ``contract`` and ``dealer`` of the round in play, ``first_dealer``,
    ``unconfirmed`` (the numbers of rounds to confirm), and ``worth`` (the points of each adjustment).
    """
    return {
        "round": state.present,
        "rounds": state.rounds,
        "scores": list(totals(state)),
        "sheet": list(sheet_of(state)),
        "turn": None,
        "phase": _phase(state),
        "contract": state.options.contracts[state.present - 1].as_json(),
        "dealer": state.dealer(state.present),
        "first_dealer": state.options.first_dealer,
        "unconfirmed": [each.number for each in open_rounds(state)],
        "worth": worth(state.options),
    }


def _phase(state: State) -> str:
    if state.over:
        return "over"
    return "enter" if len(state.entries) < state.rounds else "confirm"


def sheet_of(state: State) -> tuple[JsonObject, ...]:
    """Return a row for each entered round, as in a game on the server, and who entered and confirmed it.

    ``entered_by`` and ``confirmed_by`` are seats, or None for a scorekeeper or organiser; ``confirmed_by`` is
    also None if ``confirmed`` is false.
    """
    return tuple(
        {
            **row,
            "entered_by": entry.by,
            "confirmed": entry.agreed,
            "confirmed_by": entry.confirmed,
            "corrections": entry.corrections,
        }
        for row, entry in zip(sheet(rows(state), state.seats), state.entries, strict=True)
    )
