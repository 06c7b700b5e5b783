"""Competitions as clients read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api import contract
from api.serializers.computed import NUMBER, NUMBER_OR_NULL, TEXT, TEXT_OR_NULL, Computed
from api.serializers.games import PlayerReferenceSerializer, RulesetField
from games.engine import shapes
from league.choices import (
    CompetitionStatus,
    EntryStatus,
    Outcome,
    Pace,
    RoundStatus,
    StageStatus,
    TableStatus,
    published_outcome,
)
from league.core import match_view
from league.core.state.stages import Move, sentence
from league.core.state.values import Decider, Why
from league.queries.competitions import details_of, fewest_rounds_of, left_to_draw, state_of
from league.queries.events import public_head
from league.queries.rounds import apart_in, rooms_of
from league.queries.waiting import who_waits
from league.words import draw_reports
from league.words.values import sides

if TYPE_CHECKING:
    from league.models import Details, Entry, Player, Round, Table


class AwardSerializer(serializers.Serializer[Any]):
    """A prize for the places `first` to `last`, or for a `category`, with its winners once there are any."""

    prize = serializers.CharField(source="prize.prize")
    first = serializers.IntegerField(source="prize.first", help_text="0: it is for a category")
    last = serializers.IntegerField(source="prize.last")
    category = serializers.CharField(source="prize.category")
    winners = serializers.ListField(child=serializers.CharField())
    level = serializers.BooleanField(help_text="whether winners share places")


def _picture(details: Details) -> str | None:
    """Return the path of the picture, a JPEG."""
    if not details.picture:
        return None
    return reverse("competition_picture", args=[details.competition.slug, details.picture])


class DetailsSerializer(serializers.Serializer[Any]):
    """What a competition tells about itself; texts are empty and days null where it does not say."""

    begins_on = serializers.DateField(allow_null=True)
    begins_at = serializers.TimeField(allow_null=True, help_text="in the club's time zone")
    ends_on = serializers.DateField(allow_null=True, help_text="null: it lasts one day")
    place = serializers.CharField()
    description = serializers.CharField(help_text="plain text; an empty line begins a paragraph")
    contact = serializers.CharField()
    round_minutes = serializers.IntegerField(help_text="how long a round of the evening lasts; 0: not said")
    break_after = serializers.IntegerField(help_text="after how many rounds there is a break; 0: none")
    break_minutes = serializers.IntegerField()
    picture = Computed(_picture, TEXT_OR_NULL)
    picture_text = serializers.CharField(help_text="what the picture shows")


class TimedRoundSerializer(serializers.Serializer[Any]):
    """When a round began, or is expected to begin."""

    stage = serializers.IntegerField()
    number = serializers.IntegerField()
    at = serializers.DateTimeField(help_text="to five minutes where it has not begun")
    begun = serializers.BooleanField()


class TimetableSerializer(serializers.Serializer[Any]):
    """The timetable of an evening: no rounds where no organiser said how long one lasts, or it is over."""

    rounds = TimedRoundSerializer(many=True)
    break_minutes = serializers.IntegerField(source="pause", help_text="0: there is no break")
    break_after = serializers.IntegerField(source="pause_round", help_text="the round before the break, or 0")
    ends_at = serializers.DateTimeField(source="ends", allow_null=True, help_text="null: not known yet")


class AwardsOfGroupSerializer(serializers.Serializer[Any]):
    """The prizes of a group; group 0 is the whole competition."""

    group = serializers.IntegerField()
    prizes = AwardSerializer(many=True)


class RoomSerializer(serializers.Serializer[Any]):
    """A room with the numbers of its first and last table."""

    name = serializers.CharField(help_text="empty where there is only one room")
    first = serializers.IntegerField()
    last = serializers.IntegerField()


class CompetitionSerializer(serializers.Serializer[Any]):
    """A competition; `stage` and `round` are the current ones, 0 before the start."""

    id = serializers.CharField()
    club = serializers.CharField(source="club.slug")
    slug = serializers.CharField()
    name = serializers.CharField()
    ruleset = serializers.CharField()
    options = RulesetField("options")
    pace = serializers.ChoiceField(Pace.choices)
    status = serializers.ChoiceField(CompetitionStatus.choices)
    stage = serializers.IntegerField()
    round = serializers.IntegerField()
    seq = serializers.IntegerField(help_text="entries in the log that the caller may read")
    head = serializers.CharField(help_text="hash of the last of them")
    opened_at = serializers.DateTimeField()
    changed_at = serializers.DateTimeField()
    acts_at = serializers.DateTimeField(
        allow_null=True, help_text="when the automatic pace takes the next step, unless a person does before"
    )
    imported_at = Computed(
        lambda competition: getattr(getattr(competition, "imported", None), "at", None),
        {"type": ["string", "null"], "format": "date-time"},
        help_text="when its log came from a file of another server; null for one that was written here",
    )
    aided = serializers.BooleanField(help_text="pages of its games offer players what their hands make")
    open_hands = serializers.IntegerField(
        allow_null=True,
        help_text="minutes after a deal from which everybody sees its hands while the game runs; null: never",
    )
    unchecked = serializers.IntegerField(help_text="results of one person that nobody else has checked yet")
    objections = serializers.IntegerField(help_text="those that no organiser has decided yet")
    objections_until = serializers.DateTimeField(allow_null=True)
    details = Computed(details_of, DetailsSerializer)
    rooms = Computed(
        lambda competition: rooms_of(competition).rooms,
        RoomSerializer,
        many=True,
        help_text="those of the next round, by `set-rooms`",
    )

    def to_representation(self, competition: Any) -> Any:
        """Return the fields; for everybody but organisers the head of the public log, before a draft."""
        data = super().to_representation(competition)
        directs = self.context.get("directs")
        if competition.withheld_from and not (directs and directs(competition)):
            data["seq"], data["head"] = public_head(competition)
            data["changed_at"] = self.fields["changed_at"].to_representation(competition.shown_at)
            data["acts_at"] = None
        elif data["acts_at"] and left_to_draw(state_of(competition), competition):
            data["acts_at"] = None
        return data


@extend_schema_field(contract.ref("PresetOpening"))
class OpeningField(serializers.JSONField):
    """What a preset says of an opening."""


class PresetSerializer(serializers.Serializer[Any]):
    """Settings for a new competition that fit a common case."""

    key = serializers.CharField()
    title = serializers.CharField()
    summary = serializers.CharField()
    opening = OpeningField(source="announced")


class FormatSerializer(serializers.Serializer[Any]):
    """A format of stages, such as Swiss or knockout."""

    key = serializers.CharField()
    title = serializers.CharField()
    summary = serializers.CharField()
    rounds_asked = serializers.BooleanField(help_text="whether a stage's plan must give its number of rounds")
    late_entries = serializers.BooleanField(help_text="whether entries can join a stage that has begun")
    open_tables = serializers.BooleanField(
        help_text="whether players open tables at any time, without a draw"
    )
    params = Computed(lambda each: shapes.schema(each.params), contract.json_schema())


class EntryReferenceSerializer(serializers.Serializer[Any]):
    """An entry, a player or a team that takes part, by id and name."""

    id = serializers.CharField()
    name = serializers.CharField(source="called")


def _players(entry: Entry) -> list[Player]:
    """Return the players in the order of the line-up."""
    return [member.player for member in entry.members.all()]


class EntrySerializer(EntryReferenceSerializer):
    """An entry with its current players."""

    number = serializers.IntegerField()
    affiliation = serializers.CharField()
    status = serializers.ChoiceField(EntryStatus.choices)
    checked_in = serializers.BooleanField()
    from_round = serializers.IntegerField(allow_null=True)
    withdrawn_from = serializers.IntegerField(allow_null=True)
    expelled = serializers.BooleanField(help_text="whether an organiser put it out; its status is withdrawn")
    players = Computed(_players, PlayerReferenceSerializer, many=True)


class StageMoveSerializer(serializers.Serializer[Any]):
    """How an entry came into a stage, or why it is not in it."""

    entry = serializers.CharField(help_text="the id of the entry")
    group = serializers.IntegerField(help_text="its group or division in the stage; 0: it is out")
    before = serializers.IntegerField(help_text="its group in the stage before; 0: none")
    rank = serializers.IntegerField(help_text="its rank there; 0: none")
    why = serializers.ChoiceField(get_args(Why))
    line = Computed(
        lambda move: move.line or None,
        {"enum": [*filter(None, get_args(Decider)), None]},
        help_text="what decided a tie on the last place; null for none",
    )
    sentence = Computed(sentence, TEXT, help_text="all of it in words")


@extend_schema_field(contract.ref(contract.PLAN))
class PlanField(serializers.JSONField):
    """The plan of a stage."""


class StageSerializer(serializers.Serializer[Any]):
    """A stage; `plan` holds its announced settings."""

    id = serializers.CharField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    format = serializers.CharField()
    status = serializers.ChoiceField(StageStatus.choices)
    plan = PlanField()
    corrected = serializers.BooleanField(help_text="changed after its standings were final")
    fewest_rounds = Computed(
        lambda stage: (fewest_rounds_of(stage) or (None,))[0],
        NUMBER_OR_NULL,
        help_text="in a round robin the fewest rounds known in which all meet",
    )
    rounds_by_counting = Computed(
        lambda stage: (fewest_rounds_of(stage) or (None, None))[1],
        NUMBER_OR_NULL,
        help_text="in a round robin a number of rounds below which not all can meet",
    )
    moves = Computed(
        lambda stage: [shapes.read(Move, each) for each in stage.moves],
        StageMoveSerializer,
        many=True,
        help_text="why entries are in it or not, once it has begun",
    )


def _two(description: str) -> dict[str, Any]:
    """Return the schema of two numbers."""
    numbers = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
    return {**numbers, "description": description}


contract.component(
    "ChangedSettings",
    {
        "type": "object",
        "description": "Settings of a competition that change; in events stages are named by number.",
        "properties": {"name": {"type": "string"}, "options": contract.ref("AnyOptions")},
        "additionalProperties": True,
    },
)
REPORT = contract.component(
    "DrawReport",
    {
        "type": "object",
        "description": "The quality of a draw; some draws have not all of it, or nothing.",
        "properties": {
            "repeats": {"type": "integer", "description": "pairs that meet again"},
            "most_meetings": {"type": "integer", "description": "the most that any two will have met"},
            "partners": _two(
                "where partners change: pairs of partners again, the most that any will have been"
            ),
            "sizes": {
                "type": "object",
                "description": "how many tables there are of each size",
                "additionalProperties": {"type": "integer"},
            },
            "byes": {"type": "integer", "description": "entries without a table"},
            "first_seats": _two("the most and the fewest times that any entry will have had the first seat"),
            "wishes": _two("of how many pairs the wishes for this draw are kept, and of how many not"),
            "tables": _two("how many entries sit at their fixed tables, and how many not"),
            "spread": {
                "type": "integer",
                "description": "the greatest difference at a table, in hundredths of that of the whole stage",
            },
        },
        "additionalProperties": False,
    },
)


@extend_schema_field(REPORT)
class ReportField(serializers.JSONField):
    """The quality of a draw."""


class RequestedByeSerializer(serializers.Serializer[Any]):
    """An entry with a bye on request, and its points: null where they depend on results."""

    entry = EntryReferenceSerializer()
    points = Computed(
        lambda row: row.points or None,
        {"type": "string", "nullable": True, "description": "a fraction such as 1/2"},
    )


class WaitingForTableSerializer(serializers.Serializer[Any]):
    """An entry that waits for a table, and since when."""

    entry = EntryReferenceSerializer()
    since = serializers.DateTimeField()


def _summary(row: Round) -> list[str]:
    """Return the report in sentences."""
    partners = draw_reports.have_partners(table.seats.all() for table in row.tables.all())
    return [*draw_reports.sentences(row.report, teams=partners, apart=apart_in(row.stage.competition, row))]


class RoundSerializer(serializers.Serializer[Any]):
    """A round with the report on its draw, the ids of its tables and the entries without one.

    `byes` are those of the draw; who asked for a bye is in `requested_byes`.
    """

    id = serializers.CharField()
    stage = serializers.IntegerField(source="stage.number")
    number = serializers.IntegerField()
    status = serializers.ChoiceField(RoundStatus.choices)
    deadline = serializers.DateTimeField(allow_null=True)
    day = serializers.DateField(allow_null=True, help_text="on which it is played")
    report = ReportField()
    summary = Computed(_summary, contract.list_of(TEXT))
    moved = serializers.ListField(child=serializers.CharField(), help_text="why seats were moved")
    tables = Computed(lambda row: [str(table.pk) for table in row.tables.all()], contract.list_of(TEXT))
    byes = Computed(lambda row: [bye.entry for bye in row.drawn_byes], EntryReferenceSerializer, many=True)
    requested_byes = RequestedByeSerializer(many=True)
    waiting = Computed(who_waits, WaitingForTableSerializer, many=True)


class TableSeatSerializer(serializers.Serializer[Any]):
    """A seat of a table: its entry, its player and their result."""

    seat = serializers.IntegerField(source="number")
    entry = EntryReferenceSerializer()
    player = PlayerReferenceSerializer()
    rank = serializers.IntegerField(allow_null=True)
    score = serializers.IntegerField(allow_null=True)
    outcome = Computed(
        lambda seat: published_outcome(seat.outcome) or None,
        {"enum": [*dict.fromkeys(map(published_outcome, Outcome.values)), None]},
    )


class MatchGameSerializer(serializers.Serializer[Any]):
    """A game of a match; `scores` are by the table's seats, empty before the game is over."""

    number = serializers.IntegerField()
    game = serializers.CharField(allow_null=True, help_text="null where only its scores were typed in")
    status = serializers.ChoiceField(get_args(match_view.Status))
    scores = serializers.ListField(child=serializers.IntegerField())
    winner = serializers.CharField(allow_null=True, help_text="the id of an entry; null for none")


class MatchSerializer(serializers.Serializer[Any]):
    """The match at a table of two sides; `score` has what each has, in seat order, exact, such as "3/2"."""

    best_of = serializers.IntegerField()
    drawn_game = serializers.ChoiceField(("half", "replay", "nothing"))
    score = serializers.ListField(child=serializers.CharField())
    drawn = serializers.IntegerField(help_text="drawn games among those that count")
    games = MatchGameSerializer(many=True)


def _sides(table: Table) -> list[list[int]]:
    """Return the seats of each side, those of partners together."""
    found = sides(table.seats.all(), table.round.stage.competition.ruleset)
    return [[seat.number for seat in side] for side in found]


class TableSerializer(serializers.Serializer[Any]):
    """A table with its seats and the ids of its games."""

    id = serializers.CharField()
    stage = serializers.IntegerField(source="round.stage.number")
    round = serializers.IntegerField(source="round.number")
    number = serializers.IntegerField()
    room = serializers.CharField(help_text="the room in which the table is; empty where rooms are not named")
    group = serializers.IntegerField()
    board = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # what a table is for; here no form has labels
    status = serializers.ChoiceField(TableStatus.choices)
    ruled = serializers.BooleanField()
    void_reason = serializers.CharField()
    postponed_reason = serializers.CharField(help_text="why the table is put off; empty if it is not")
    postponed_until = serializers.DateTimeField(
        allow_null=True, help_text="by when a table that is put off must be played"
    )
    more_minutes = serializers.IntegerField(help_text="how much longer than its round it may play")
    seats = TableSeatSerializer(many=True)
    sides = Computed(
        _sides,
        contract.list_of(contract.list_of(NUMBER)),
        help_text="the seats by sides: partners are on one",
    )
    games = Computed(
        lambda table: [str(club_game.pk) for club_game in table.games.all()], contract.list_of(TEXT)
    )
    match = MatchSerializer(
        allow_null=True, help_text="its games one by one, where the table is a match; else null"
    )


class BookingSerializer(serializers.Serializer[Any]):
    """A table that a player is booked for."""

    competition = serializers.CharField(source="table.round.stage.competition_id")
    name = serializers.CharField(source="table.round.stage.competition.name")
    stage = serializers.IntegerField(source="table.round.stage.number")
    round = serializers.IntegerField(source="table.round.number")
    table = serializers.CharField(source="table_id")
    deadline = serializers.DateTimeField(source="table.round.deadline", allow_null=True)


class DoubleBookingSerializer(serializers.Serializer[Any]):
    """A player booked for two tables at the same time, here and in another competition."""

    player = PlayerReferenceSerializer(source="here.player")
    here = BookingSerializer()
    elsewhere = BookingSerializer()
