"""Series as clients read them. Values, totals and points are exact, such as "7/2"."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api import contract
from api.serializers.games import PlayerReferenceSerializer
from games.engine import shapes
from league.apps.series import queries
from league.apps.series.core import telling
from league.apps.series.core.ranking import Reach
from league.apps.series.core.rule import Rule
from league.apps.series.models import Series
from league.apps.series.readers import Line, Shown
from league.words.messages import translated


class SeriesEveningSerializer(serializers.Serializer[Any]):
    """An evening of a series: a competition, or totals that were typed in."""

    number = serializers.IntegerField(help_text="by date, from 1")
    name = serializers.CharField(source="row.name")
    on = serializers.DateField()
    competition = serializers.CharField(
        source="row.competition_id", allow_null=True, help_text="null for totals that were typed in"
    )
    brought_from = serializers.SerializerMethodField(
        help_text="the club from whose file it was brought; null for all others"
    )
    weight = serializers.IntegerField(source="evening.weight", help_text="how often it counts")
    final = serializers.BooleanField(source="evening.final", help_text="whether it counts in any case")
    running = serializers.BooleanField(source="row.running")
    cancelled = serializers.BooleanField(source="row.cancelled")
    corrected = serializers.BooleanField(
        source="row.corrected", help_text="changed after a later evening was added"
    )

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_brought_from(self, told: queries.Told) -> str | None:
        """Return the club's name as its file has it."""
        return told.evening.brought.club if told.evening.brought else None


class SeriesSerializer(serializers.Serializer[Any]):
    """A table of a club over many evenings."""

    id = serializers.CharField()
    club = serializers.CharField(source="club.slug")
    address = serializers.CharField(source="slug", help_text="the last part of its page's address")
    name = serializers.CharField()
    closed = serializers.BooleanField()
    seq = serializers.IntegerField(help_text="the entries in its log")
    head = serializers.CharField(help_text="the hash of the last one")
    opened_at = serializers.DateTimeField()
    changed_at = serializers.DateTimeField()


class SeriesDetailSerializer(SeriesSerializer):
    """A series with its rule and its evenings."""

    ranked = serializers.SerializerMethodField(
        help_text="`everybody`, or `counted`: those who are counted, in the time in which they are"
    )
    rule = serializers.SerializerMethodField()
    told = serializers.SerializerMethodField(help_text="the rule in words")
    evenings = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ChoiceField(["everybody", "counted"]))
    def get_ranked(self, series: Series) -> str:
        """Return who is ranked."""
        return queries.state_of(series).ranked

    @extend_schema_field(contract.body_schema(Rule))
    def get_rule(self, series: Series) -> Any:
        """Return the rule as the log has it, with all that was left out."""
        return shapes.write(queries.state_of(series).rule)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_told(self, series: Series) -> list[str]:
        """Return the rule in sentences."""
        return [translated(each) for each in telling.told(queries.state_of(series).rule)]

    @extend_schema_field(SeriesEveningSerializer(many=True))
    def get_evenings(self, series: Series) -> Any:
        """Return the evenings in order."""
        return SeriesEveningSerializer(queries.evenings_of(series), many=True).data


class SeriesCellSerializer(serializers.Serializer[Any]):
    """What somebody has of an evening, or of one of its lists."""

    part = serializers.CharField(help_text="the number of the evening, with that of a list after a dot")
    value = serializers.CharField(allow_null=True, help_text="what it is worth, without the evening's weight")
    counts = serializers.BooleanField()
    why = serializers.SerializerMethodField(help_text="why it counts or not, in words")

    @extend_schema_field(serializers.CharField())
    def get_why(self, cell: Any) -> str:
        """Return sentences."""
        return " ".join(map(translated, telling.why(cell)))


class SeriesTieSerializer(serializers.Serializer[Any]):
    """What decides beside others who have the same total."""

    others = serializers.ListField(child=serializers.CharField(), help_text="the ids of these players")
    nth = serializers.IntegerField(allow_null=True, help_text="by the how many-th best; null: by nothing")
    own = serializers.CharField(allow_null=True, help_text="what that is worth; null for who has none")
    theirs = serializers.ListField(
        child=serializers.CharField(allow_null=True), help_text="what theirs is worth, in their order"
    )


class SeriesReachSerializer(serializers.Serializer[Any]):
    """What one more evening must be worth for the next better place, and the place that it takes.

    That is if those above don't improve; where an absence is worth something, also if all others stay away.
    """

    place = serializers.IntegerField()
    value = serializers.CharField(allow_null=True, help_text="null: to play is enough")
    evening_place = serializers.SerializerMethodField(
        help_text="the last place of the evening that is worth as much; null where places make no values, or "
        "none is enough"
    )
    evening_field = serializers.SerializerMethodField(
        help_text="in a field of so many, as the last one was; null without a place"
    )

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_evening_place(self, reach: Reach) -> int | None:
        """Return the place."""
        return reach.rank or None

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_evening_field(self, reach: Reach) -> int | None:
        """Return the size of the field."""
        return reach.field if reach.rank else None


class SeriesRowSerializer(serializers.Serializer[Any]):
    """A row of the table of a series."""

    rank = serializers.IntegerField(source="row.rank", allow_null=True, help_text="null for who has none")
    player = PlayerReferenceSerializer()
    total = serializers.CharField(source="row.total")
    bonus = serializers.CharField(source="row.bonus", help_text="what of the total is for attendance")
    played = serializers.IntegerField(
        source="row.played", help_text="how many evenings, or lists, could count"
    )
    partners = serializers.IntegerField(source="row.partners", help_text="how many different ones")
    cells = SeriesCellSerializer(source="row.cells", many=True)
    explanation = serializers.SerializerMethodField(
        help_text="what counts, why there is no rank, what decides beside who is level, and what would help"
    )
    ties = SeriesTieSerializer(source="row.ties", many=True, help_text="beside all who are level")
    reach = SeriesReachSerializer(
        source="row.reach", allow_null=True, help_text="null where no evening is enough for a better place"
    )

    @extend_schema_field(serializers.CharField())
    def get_explanation(self, line: Line) -> str:
        """Return sentences."""
        return " ".join(line.why)


class SeriesTableSerializer(serializers.Serializer[Any]):
    """The table of a series."""

    after = serializers.IntegerField(
        source="until", allow_null=True, help_text="the last evening that counts; null for all"
    )
    lowest_wins = serializers.BooleanField(source="table.low_wins")
    corrected = serializers.SerializerMethodField(
        help_text="the evenings that were changed or removed after a later one was added"
    )
    rows = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_corrected(self, counted: queries.Counted) -> Sequence[str]:
        """Return them in words."""
        return [*queries.corrections_of(self.context["series"], counted.until).values()]

    @extend_schema_field(SeriesRowSerializer(many=True))
    def get_rows(self, counted: queries.Counted) -> Any:
        """Return the rows in order."""
        return SeriesRowSerializer(Shown(counted).lines(), many=True).data
