"""The lines of a competition's files (docs/log.md), as the document describes them."""

from typing import Final

from api import contract
from league.choices import EventRole

_TEXT: Final[contract.Schema] = {"type": "string"}
LOG_LINE: Final = contract.component(
    "CompetitionLogEntry",
    contract.an_object(
        "An entry of a competition's log as its file has it.",
        {
            "seq": {"type": "integer"},
            "role": {"enum": [*EventRole.values]},
            "account": contract.nullable(_TEXT),
            "event": contract.ref(contract.EVENT),
            "at": {"type": "string", "format": "date-time"},
            "hash": _TEXT,
        },
    ),
)
FILE_LINE: Final = contract.component(
    "CompetitionFileLine",
    {
        "description": "A line of a competition's file (docs/log.md).",
        "anyOf": [
            contract.an_object(
                "The first line.",
                {"trefoil": {"type": "integer"}, "competition": _TEXT, "address": _TEXT, "club": _TEXT},
            ),
            contract.an_object("What it tells about itself.", {"details": contract.ref("NewDetails")}),
            contract.an_object("A player.", {"player": _TEXT, "name": _TEXT}),
            LOG_LINE,
            contract.an_object("The game of the lines that follow.", {"game": _TEXT}),
            contract.ref("GameLogLine"),
            contract.an_object("How many lines there were before.", {"lines": {"type": "integer"}}),
        ],
    },
)
