"""Standings as clients read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from api import contract
from api.serializers.computed import TEXT, TRUTH, Computed
from api.serializers.league import EntryReferenceSerializer
from league.core.standings.plain import Plain
from league.queries.standings import tie_break_order
from league.words.plain import RULE, counts_of, decided_in_words, signs_of

if TYPE_CHECKING:
    pass

COUNTS = contract.component(
    "PlainCounts",
    {
        "type": "object",
        "description": "What anybody can count of an entry.",
        "properties": {
            "places": {
                "type": "array",
                "items": {"type": "integer"},
                "description": "how often it came first, second, … of a table; who shares a place has it",
            },
            "won": {"type": "integer", "description": "tables of two sides won, with walkovers"},
            "drawn": {"type": "integer", "description": "tables of two sides drawn"},
            "lost": {
                "type": "integer",
                "description": "tables of two sides lost, also as a no-show or by forfeit",
            },
            "score": {
                "type": ["integer", "null"],
                "description": "the sum of the scores of its games; null before it has played",
            },
        },
        "required": ["places", "won", "drawn", "lost", "score"],
        "additionalProperties": False,
    },
)


class StandingSerializer(serializers.Serializer[Any]):
    """A row of the standings; `points` and the values of `tiebreaks` are exact, such as "7/2"."""

    group = serializers.IntegerField()
    rank = serializers.IntegerField()
    entry = EntryReferenceSerializer()
    played = serializers.IntegerField()
    points = serializers.CharField()
    tiebreaks = serializers.DictField(child=serializers.CharField(allow_null=True))
    tiebreak_order = Computed(
        lambda row: tie_break_order(row.stage),
        contract.list_of(TEXT),
        help_text="the keys of `tiebreaks`, the first one first",
    )
    decided_by = serializers.CharField(allow_null=True, help_text="the tie-break that decided the rank")
    by_lot = serializers.BooleanField(help_text="whether only a lot separates it from the row above or below")
    by_organiser = Computed(
        lambda row: decided_in_words(row, row.plain),
        contract.list_of(TEXT),
        help_text="what organisers decided of it, in sentences",
    )
    by_rule = Computed(
        lambda row: any(sign == RULE for sign, _why in signs_of(row, row.plain)),
        TRUTH,
        help_text="whether it was level at a table of a bracket and the better seed went on",
    )
    counts = Computed(
        lambda row: counts_of(row, row.plain or Plain({}, even=False)),
        COUNTS,
        help_text="what anybody can count of it",
    )
    explanation = serializers.CharField(help_text="the rank in words")
    movement = serializers.IntegerField(allow_null=True, help_text="ranks gained since the round before")
    best_rank = serializers.IntegerField(
        allow_null=True, help_text="the best that can still be reached; null after a round or where unbounded"
    )
    worst_rank = serializers.IntegerField(allow_null=True, help_text="the worst that can still happen")
    to_come = serializers.IntegerField(help_text="its tables that are put off and still to be played")
    corrected = serializers.BooleanField(source="stage.corrected", help_text="changed after they were final")
    next_group = serializers.IntegerField(
        allow_null=True,
        help_text="its group in the next stage, 0: it is out; null until all rounds and play-offs are played "
        "and groups that lots decide are drawn",
    )
    next_why = serializers.CharField(help_text="why, in words; empty before")
    withdrawn = serializers.BooleanField(help_text="whether the entry has withdrawn by now")
    expelled = serializers.BooleanField(help_text="whether it has because an organiser put it out")
    away = serializers.BooleanField(help_text="whether it is away now from open play or a ladder")
    stood_in = serializers.CharField(
        help_text="who else played in which rounds, beside those it is called after: “Ben in round 1”"
    )
