"""Games and rulesets as clients read them."""

from datetime import datetime
from typing import Any, Final

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from api import contract
from api.serializers.computed import TIME, Computed
from games.choices import GameStatus, MoveRole
from games.engine import schemas, shapes
from games.engine.jsontypes import JsonObject
from games.engine.replay import AnyRuleset
from league.queries.reading import GameRead

# ---- Games ---------------------------------------------------------------------------------------


class RulesetField(serializers.JSONField):
    """What the game's ruleset declares: one of `games.engine.schemas.PARTS`."""

    def __init__(self, part: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.part = part


class PlayerReferenceSerializer(serializers.Serializer[Any]):
    """A player by id and name; `bot` marks a program that plays by itself."""

    id = serializers.CharField()
    name = serializers.CharField(source="called")
    bot = serializers.BooleanField()


class SeatSerializer(serializers.Serializer[Any]):
    """A seat of a game and its player."""

    seat = serializers.IntegerField()
    player = PlayerReferenceSerializer(allow_null=True)
    team = serializers.IntegerField()


class GameSeatSerializer(SeatSerializer):
    """A seat of a game, its player, and whether the seat has left the game."""

    out = serializers.BooleanField()


class SeatResultSerializer(serializers.Serializer[Any]):
    """A seat's rank and score in a finished game; rank 1 is best, and equal seats share a rank."""

    seat = serializers.IntegerField()
    rank = serializers.IntegerField()
    score = serializers.IntegerField()


class GameResultSerializer(serializers.Serializer[Any]):
    """The result of a finished game, with the rows of its score sheet."""

    seats = SeatResultSerializer(many=True)
    sheet = serializers.ListField(child=RulesetField("row"))


RULED: Final = "a ruling decides the table: the game counts as played with the table's ranks and scores"


UNANSWERED: Final = "invited seats that have not accepted; the game begins when none is left"


class GameSummarySerializer(serializers.Serializer[Any]):
    """A game as lists show it, without its view; `awaited` are the seats that may move now."""

    id = serializers.CharField(source="club_game.game.id")
    ruleset = serializers.CharField(source="club_game.game.ruleset")
    options = RulesetField("options", source="club_game.game.options")
    status = serializers.ChoiceField(GameStatus.choices, source="club_game.game.status")
    club = serializers.CharField(source="club_game.club.slug")
    competition = serializers.CharField(source="club_game.competition_id", allow_null=True)
    table = serializers.CharField(source="club_game.table_id", allow_null=True)
    seats: serializers.Serializer[Any] = SeatSerializer(many=True)
    seq = serializers.IntegerField(source="club_game.game.seq", help_text="entries in the log")
    head = serializers.CharField(source="club_game.game.head", help_text="hash of the last entry")
    commitment = serializers.CharField(source="club_game.game.commitment")
    awaited = serializers.ListField(child=serializers.IntegerField(), source="club_game.game.awaited")
    unanswered = serializers.ListField(
        child=serializers.IntegerField(), source="club_game.game.unanswered", help_text=UNANSWERED
    )
    opened_at = serializers.DateTimeField(source="club_game.game.opened_at")
    moved_at = serializers.DateTimeField(source="club_game.game.moved_at")
    result = GameResultSerializer(source="club_game.game.result", allow_null=True)
    ruled = serializers.BooleanField(source="club_game.ruled", help_text=RULED)


@extend_schema_serializer(component_name="GameLogEntry")
class LogEntrySerializer(serializers.Serializer[Any]):
    """An entry of a game's log as its file has it."""

    seq = serializers.IntegerField()
    role = serializers.ChoiceField(MoveRole.choices)
    seat = serializers.IntegerField(allow_null=True)
    account = serializers.CharField(allow_null=True, help_text="the id of the account that sent it")
    move = RulesetField("logged")
    at = serializers.DateTimeField()
    hash = serializers.CharField()


@extend_schema_field(LogEntrySerializer(many=True))
class LogField(serializers.JSONField):
    """The entries of a log."""


LOG_LINE: Final = contract.component(
    "GameLogLine",
    {
        "description": "A line of a game's log: an entry, or what follows once the game is over.",
        "anyOf": [
            contract.ref("GameLogEntry"),
            contract.an_object(
                "",
                {"seed": {"type": "string"}, "result": contract.nullable(contract.ref("GameResult"))},
            ),
        ],
    },
)


class GameWithLogSerializer(GameSummarySerializer):
    """A game with its log once it is over: `log` has the entries of `games/{id}/log/`."""

    seed = serializers.CharField(allow_null=True, help_text="null until the game is over")
    log = LogField(allow_null=True, help_text="null until the game is over")
    cursor = serializers.CharField(help_text="to go on after this game")


class GameSerializer(serializers.Serializer[Any]):
    """A game as the caller may see it now: its fields describe what `game_body` writes."""

    id = serializers.CharField()
    ruleset = serializers.CharField()
    options = RulesetField("options")
    status = serializers.ChoiceField(GameStatus.choices)
    club = serializers.CharField()
    competition = serializers.CharField(allow_null=True)
    table = serializers.CharField(allow_null=True)
    seats = GameSeatSerializer(many=True)
    seq = serializers.IntegerField(help_text="entries in the log")
    head = serializers.CharField(help_text="hash of the last entry")
    commitment = serializers.CharField()
    seed = serializers.CharField(allow_null=True, help_text="null until the game is over")
    to_act = serializers.ListField(child=serializers.IntegerField())
    unanswered = serializers.ListField(child=serializers.IntegerField(), help_text=UNANSWERED)
    deadline = serializers.DateTimeField(allow_null=True)
    you = serializers.IntegerField(allow_null=True, help_text="your seat, null for a spectator")
    view = RulesetField("view", help_text="what you may know")
    choices = serializers.ListField(
        child=RulesetField("choice"), read_only=True, help_text="what you may do now"
    )
    result = GameResultSerializer(allow_null=True)
    ruled = serializers.BooleanField(help_text=RULED)
    aided = serializers.BooleanField(
        help_text="pages offer players what their hands make; otherwise finding that is their own skill"
    )
    imported_at = serializers.DateTimeField(
        allow_null=True, help_text="when its log came from a file; null for one that was written here"
    )


def game_body(read: GameRead, sheet_after: int = 0) -> dict[str, Any]:
    """Return the JSON of a game as `GameSerializer` describes it, its sheet from the round after one on.

    It is written by hand because each move is answered with it: the fields of a serializer take longer.
    """
    game, place = read.game, read.place
    return {
        "id": str(game.pk),
        "ruleset": game.ruleset,
        "options": game.options,
        "status": game.status,
        "club": place.club,
        "competition": place.competition,
        "table": place.table,
        "seats": [
            {
                "seat": seat,
                "player": {"id": holder.id, "name": holder.called, "bot": holder.bot} if holder else None,
                "team": team,
                "out": seat in read.position.out,
            }
            for seat, team, holder in place.seats
        ],
        "seq": game.seq,
        "head": game.head,
        "commitment": game.commitment,
        "seed": read.seed,
        "to_act": read.to_act,
        "unanswered": game.unanswered,
        "deadline": _time(game.deadline),
        "you": read.you,
        "view": _later(read.view, sheet_after) if sheet_after else read.view,
        "choices": [choice.as_json() for choice in read.choices],
        "result": game.result,
        "ruled": place.ruled,
        "aided": place.aided,
        "imported_at": _time(read.imported_at),
    }


def _time(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at else None


def _later(view: JsonObject, sheet_after: int) -> JsonObject:
    rows: Any = view["sheet"]
    return {**view, "sheet": [row for row in rows if row["round"] > sheet_after]}


_TEXTS: Final = {"type": "array", "items": {"type": "string"}}
_NUMBER: Final = {"type": "integer", "minimum": 0}
DRAW: Final = {
    "oneOf": [
        {
            "type": "object",
            "properties": {
                "draw": {"const": kind},
                "purpose": {"type": "string", "description": "what keys it (docs/chance.md)"},
                made_from: {"description": "what it is made from", **given},
                "gives": gives,
            },
            "required": ["draw", "purpose", made_from, "gives"],
        }
        for kind, made_from, given, gives in (
            ("shuffle", "items", _TEXTS, _TEXTS),
            ("below", "bound", _NUMBER, _NUMBER),
            ("dice", "count", _NUMBER, {"type": "array", "items": _NUMBER}),
        )
    ]
}


@extend_schema_field(DRAW)
class DrawField(serializers.JSONField):
    """A shuffle, a number below a bound, or a roll of dice."""


class DrawsSerializer(serializers.Serializer[Any]):
    """Every shuffle and roll of a game, in the order in which they were made."""

    draws = serializers.ListField(child=DrawField(), help_text="empty until the game is over")


@extend_schema_serializer(component_name="GameEntry")
class MoveSerializer(serializers.Serializer[Any]):
    """An entry of a game's log."""

    ruleset = serializers.CharField()
    seq = serializers.IntegerField(source="entry.seq")
    seat = serializers.IntegerField(source="entry.seat", allow_null=True)
    role = serializers.ChoiceField(MoveRole.choices, source="entry.role")
    move = RulesetField("logged", source="entry.move")
    at = Computed(lambda line: line.entry.as_json()["at"], TIME)
    hash = serializers.CharField(source="entry.hash")
    text = serializers.CharField(help_text="one line for a person")


# ---- Rulesets ------------------------------------------------------------------------------------


@extend_schema_field({"type": "object", "additionalProperties": contract.ref("AnyOptions")})
class PresetsField(serializers.JSONField):
    """Options by name."""


class SeatCountsSerializer(serializers.Serializer[Any]):
    """The numbers of players that a game allows."""

    min = serializers.IntegerField()
    max = serializers.IntegerField()
    allowed = serializers.ListField(child=serializers.IntegerField())


class RulesetSerializer(serializers.Serializer[Any]):
    """A game that can be played here; `options` and each of `moves` are JSON Schema (2020-12)."""

    key = serializers.CharField()
    version = serializers.IntegerField()
    title = serializers.CharField()
    summary = serializers.CharField()
    seats = Computed(
        lambda ruleset: {"min": min(ruleset.seats), "max": max(ruleset.seats), "allowed": ruleset.seats},
        SeatCountsSerializer,
    )
    options = Computed(lambda ruleset: shapes.schema(ruleset.options), contract.json_schema())
    presets = PresetsField(help_text="options by the name of the preset")
    moves = Computed(schemas.move_schemas, {"type": "object", "additionalProperties": contract.json_schema()})
    rules_url = serializers.SerializerMethodField()

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_rules_url(self, ruleset: AnyRuleset) -> str:
        """Return the address of the page with the rules."""
        return str(self.context["request"].build_absolute_uri(reverse("rules", args=[ruleset.key])))
