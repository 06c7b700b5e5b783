"""What a verb would change, as clients read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, get_args

from rest_framework import serializers

from api.serializers.league import EntryReferenceSerializer
from league.core.previews import Movement

if TYPE_CHECKING:
    from league.core.previews import Place, Preview
    from league.core.standings.rows import Row


class PreviewRowSerializer(serializers.Serializer[Any]):
    """A row of the standings in a preview; `points` are exact, such as "7/2"."""

    stage = serializers.IntegerField()
    group = serializers.IntegerField()
    rank = serializers.IntegerField()
    entry = EntryReferenceSerializer()
    played = serializers.IntegerField()
    points = serializers.CharField()
    decided_by = serializers.CharField(allow_null=True, help_text="the tie-break that decided the rank")


class QualifierSerializer(serializers.Serializer[Any]):
    """An entry that qualifies for the next stage, with its group there, or may do so."""

    entry = EntryReferenceSerializer()
    group = serializers.IntegerField()
    undecided = serializers.BooleanField(
        help_text="level with others on the last place: a play-off or lots will decide"
    )


class DivisionPlaceSerializer(serializers.Serializer[Any]):
    """An entry's division in the next season, and how it moves there."""

    entry = EntryReferenceSerializer()
    division = serializers.IntegerField()
    movement = serializers.ChoiceField(get_args(Movement))


class StandingsComparedSerializer(serializers.Serializer[Any]):
    """The standings as they are and as they would be."""

    before = PreviewRowSerializer(many=True)
    after = PreviewRowSerializer(many=True)


class QualifiersComparedSerializer(serializers.Serializer[Any]):
    """Who qualifies for the next stage now, and who would; empty where that stage takes no qualifiers."""

    before = QualifierSerializer(many=True)
    after = QualifierSerializer(many=True)


class DivisionsComparedSerializer(serializers.Serializer[Any]):
    """The divisions of the next season now, and as they would be; empty where there is none."""

    before = DivisionPlaceSerializer(many=True)
    after = DivisionPlaceSerializer(many=True)


class PreviewSerializer(serializers.Serializer[Any]):
    """What a verb would change; nothing is written.

    `events` are the sentences of the events that it would append, none where it would change nothing.
    `standings` are those of the last stage, and of earlier ones that would change. `lost` are sentences that
    name the games which would end although somebody has made an entry in them.
    """

    events = serializers.ListField(child=serializers.CharField())
    standings = StandingsComparedSerializer()
    qualifiers = QualifiersComparedSerializer()
    divisions = DivisionsComparedSerializer()
    lost = serializers.ListField(child=serializers.CharField())


def preview_data(found: Preview, sentences: Iterable[str], names: Mapping[str, str]) -> Any:
    """Return a preview as `PreviewSerializer` describes it, with the names of entries by id."""
    sides = {"before": found.before, "after": found.after}
    return PreviewSerializer(
        {
            "events": sentences,
            "lost": found.lost,
            "standings": {
                side: [
                    _row(stage, row, names) for stage in found.stages for row in at.standings.get(stage, ())
                ]
                for side, at in sides.items()
            },
            "qualifiers": {
                side: [_qualifier(place, names) for place in at.qualifiers] for side, at in sides.items()
            },
            "divisions": {
                side: [_division(place, names) for place in at.divisions] for side, at in sides.items()
            },
        }
    ).data


def _reference(entry: str, names: Mapping[str, str]) -> Mapping[str, str]:
    return {"id": entry, "called": names[entry]}


def _row(stage: int, row: Row, names: Mapping[str, str]) -> Mapping[str, Any]:
    return {**vars(row), "stage": stage, "entry": _reference(row.entry, names)}


def _qualifier(place: Place, names: Mapping[str, str]) -> Mapping[str, Any]:
    undecided = place.movement == "undecided"
    return {"entry": _reference(place.entry, names), "group": place.group, "undecided": undecided}


def _division(place: Place, names: Mapping[str, str]) -> Mapping[str, Any]:
    entry = _reference(place.entry, names)
    return {"entry": entry, "division": place.group, "movement": place.movement}
