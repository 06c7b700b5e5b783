"""The choices of model fields, with their titles."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _


class TokenScope(models.TextChoices):
    READ_PRIVATE = "read:private", _("see what only you can see: your cards and your entries")
    READ_ACCOUNT = "read:account", _("list your tokens")
    PLAY_MOVE = "play:move", _("make the moves of your seats, and see your cards")
    PLAY_ENTER = "play:enter", _("enter competitions and open games as a player")
    CLUB_RULE = "club:rule", _("keep scores: check entries in, set results, give penalties")
    CLUB_ORGANISE = "club:organise", _("manage the clubs that you organise, their players and competitions")
    READ = "read", _("all that begins with read:")
    PLAY = "play", _("all that begins with play:")
    ORGANISE = "organise", _("all that begins with club:")


BUNDLES: Final[Mapping[str, tuple[TokenScope, ...]]] = {
    TokenScope.READ: (TokenScope.READ_PRIVATE, TokenScope.READ_ACCOUNT),
    TokenScope.PLAY: (TokenScope.PLAY_MOVE, TokenScope.PLAY_ENTER),
    TokenScope.ORGANISE: (TokenScope.CLUB_ORGANISE, TokenScope.CLUB_RULE),
}
"""The scopes that stand for several: each operation names one of the others."""

SINGLE_SCOPES: Final = tuple(choice for choice in TokenScope.choices if choice[0] not in BUNDLES)
"""The scopes that operations name, with their titles."""


TOKEN_LIVES: Final = ((30, _("30 days")), (90, _("90 days")), (365, _("a year")))
"""For how many days a token of a person may work."""


@lru_cache(maxsize=200)
def unbundled(*scopes: str) -> frozenset[str]:
    """Return scopes with each bundle replaced by its parts."""
    return frozenset(part for scope in scopes for part in BUNDLES.get(scope, (scope,)))


DEFAULT_SCOPES: Final = (TokenScope.READ_PRIVATE,)
"""What a program gets that asks for nothing."""

RULING_SCOPES: Final = BUNDLES[TokenScope.ORGANISE]
"""The scopes with which a program decides over others than its person."""


class ChangeKind(models.TextChoices):
    CLUB_MADE = "club_made", _("created the club")
    CLUB_CHANGED = "club_changed", _("changed the club")
    MEMBER_ADDED = "member_added", _("added a member")
    MEMBER_CHANGED = "member_changed", _("changed a member’s role")
    MEMBER_REMOVED = "member_removed", _("removed a member")
    PLAYER_MADE = "player_made", _("added a player")
    PLAYER_CHANGED = "player_changed", _("changed a player")
    CONTACT_CHANGED = "contact_changed", _("changed a player’s contact")
    PLAYERS_MERGED = "players_merged", _("merged two players")
    PLAYER_REMOVED = "player_removed", _("removed a player")
    INVITED = "invited", _("invited")
    INVITATION_REVOKED = "invitation_revoked", _("revoked an invitation")
    INVITATION_ACCEPTED = "invitation_accepted", _("accepted an invitation")
    APP_MADE = "app_made", _("created an app")
    APP_TOKEN_MADE = "app_token_made", _("created a token of an app")
    APP_TOKEN_REVOKED = "app_token_revoked", _("revoked a token of an app")
    APP_RETIRED = "app_retired", _("retired an app")
    WEBHOOK_MADE = "webhook_made", _("created a webhook")
    WEBHOOK_CHANGED = "webhook_changed", _("changed a webhook")
    WEBHOOK_REMOVED = "webhook_removed", _("removed a webhook")
    COMPETITION_DESCRIBED = "competition_described", _("changed what a competition tells")
    KIOSK_MADE = "kiosk_made", _("made a kiosk")
    KIOSK_REVOKED = "kiosk_revoked", _("revoked a kiosk")


class MemberRole(models.TextChoices):
    OWNER = "owner", _("owner")
    ORGANISER = "organiser", _("organiser")
    SCOREKEEPER = "scorekeeper", _("scorekeeper")
    PLAYER = "player", _("player")


class Audience(models.TextChoices):
    EVERYBODY = "everybody", _("everybody")
    CLUB = "club", _("members of the club")
    NOBODY = "nobody", _("only me and those who run the club")


class NamesShown(models.TextChoices):
    FULL = "full", _("the whole name")
    SHORT = "short", _("the first name and an initial, such as “Anna P.”")
    MEMBERS = "members", _("names for members only; everybody else reads a number, such as “Member 17”")


class PaperSize(models.TextChoices):
    A4 = "a4", _("A4")
    LETTER = "letter", _("Letter")


class CompetitionStatus(models.TextChoices):
    PREPARING = "preparing", _("being prepared")
    ENTERING = "entering", _("open for entries")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


UNDER_WAY: Final = (CompetitionStatus.RUNNING, CompetitionStatus.PAUSED)
"""Open games are played and recorded in a pause, too."""


class Pace(models.TextChoices):
    AUTOMATIC = "automatic", _("automatic: rounds are prepared, published and closed as results come in")
    MANUAL = "manual", _("manual: an organiser prepares, publishes and closes each round")


class Step(models.TextChoices):
    START = "start", _("entries and the start")
    START_STAGE = "start_stage", _("the next stage")
    DRAW = "draw", _("a draw")
    PUBLISH = "publish", _("a draw to be published")
    PLAY = "play", _("results")
    RULE = "rule", _("a result set by an organiser")
    CLOSE_ROUND = "close_round", _("the round to be closed")
    FINISH = "finish", _("the end")
    NONE = "none", _("nothing")


class Overdue(models.TextChoices):
    ORGANISER = "organiser", _("an organiser decides")
    DEFAULTS = "defaults", _("the clock plays default moves to the end")
    FORFEIT = "forfeit", _("players whose turn it is forfeit")


class EventRole(models.TextChoices):
    ORGANISER = "organiser", _("organiser")
    SCOREKEEPER = "scorekeeper", _("scorekeeper")
    PLAYER = "player", _("player")
    CLUB = "club", _("desk of another club")
    KIOSK = "kiosk", _("kiosk")
    CLOCK = "clock", _("clock")
    SYSTEM = "system", _("system")


class EntryStatus(models.TextChoices):
    APPLIED = "applied", _("waits for approval")
    REJECTED = "rejected", _("rejected")
    WAITING = "waiting", _("on the waiting list")
    ENTERED = "entered", _("takes part")
    WITHDRAWN = "withdrawn", _("withdrawn")


EXPELLED: Final = _("expelled")
NOT_PLAYED: Final = _("did not play")


class StageStatus(models.TextChoices):
    PLANNED = "planned", _("to come")
    RUNNING = "running", _("being played")
    FINISHED = "finished", _("finished")


class RoundStatus(models.TextChoices):
    DRAWN = "drawn", _("drawn")
    PUBLISHED = "published", _("being played")
    CLOSED = "closed", _("closed")


class TableStatus(models.TextChoices):
    DRAWN = "drawn", _("drawn")
    PLAYING = "playing", _("being played")
    POSTPONED = "postponed", _("put off")
    ABANDONED = "abandoned", _("abandoned")
    PLAYED = "played", _("played")
    WALKOVER = "walkover", _("walkover")
    VOID = "void", _("void")


class Outcome(models.TextChoices):
    NO_SHOW = "no_show", _("no-show")
    FORFEIT = "forfeit", _("forfeit")
    WALKOVER = "walkover", _("walkover")
    RESIGNED = "resigned", _("resigned")
    LATE = "late", _("lost on time")


LEFT: Final = (Outcome.NO_SHOW, Outcome.FORFEIT)
"""Of who did not come or has left: the policy gives the points, and no score counts."""


def published_outcome(outcome: str) -> str:
    """Return the outcome of a seat as programs are told it: who ran out of time has forfeited."""
    return Outcome.FORFEIT if outcome == Outcome.LATE else outcome


def status_of_table(status: str, outcomes: Iterable[tuple[object, str]]) -> str:
    """Return the status of a table in words, given its entries' outcomes.

    Nobody played where only one entry came.
    """
    told = [*outcomes]
    came = {entry for entry, outcome in told if outcome in ("", Outcome.RESIGNED)}
    if status != TableStatus.PLAYED or len(came) > 1:
        return str(TableStatus(status).label)
    late = Outcome.LATE in [outcome for _entry, outcome in told]
    return str(Outcome.LATE.label if late else _("decided"))


class EmailKind(StrEnum):
    """The emails that accounts need; apps have kinds of their own."""

    ADDRESS = "address"
    PASSWORD = "password"
    INVITATION = "invitation"
    HANDED_OVER = "handed_over"
    NEW_DEVICE = "new_device"
    NEW_ADDRESS = "new_address"


class EmailStatus(models.TextChoices):
    WAITING = "waiting", _("waiting")
    SENT = "sent", _("sent")
    DROPPED = "dropped", _("out of date")
    FAILED = "failed", _("failed")


class AccountEventKind(models.TextChoices):
    """What an account is told of; the kinds of competitions' events are those of `Announced`."""

    TURN = "turn", "your turn in a game"
    INVITATION = "invitation", "an invitation to a game"
    GAME_BEGUN = "game_begun", "a game of yours has begun"
    GAME_OVER = "game_over", "a game of yours is over, or was called off"
    HANDED_OVER = "handed_over", "a seat of yours was handed over, or one to you"
    COMPETITION_STARTED = "competition_started", "a competition of yours has started"
    ROUND_PUBLISHED = "round_published", "a round was published"
    ROUND_WITHDRAWN = "round_withdrawn", "a round was withdrawn"
    ROUND_CLOSED = "round_closed", "a round was closed"
    RESULT = "result", "a result of yours was recorded or corrected"
    COMPETITION_FINISHED = "competition_finished", "a competition of yours is over"
    COMPETITION_REOPENED = "competition_reopened", "a competition of yours was reopened"
    SETTINGS_CHANGED = "settings_changed", "settings of a competition of yours were changed"
    SEEK_ANSWERED = "seek_answered", "somebody joined your seek, or left it"
    SEEK_CLOSED = "seek_closed", "a seek of yours has begun, lapsed, or was withdrawn"
    CALL = "call", "a table of your club calls the organiser"


class BotsPlay(models.TextChoices):
    CASUAL = "casual", _("casual games")
    COMPETITIONS = "competitions", _("competitions")


class BotLevel(models.TextChoices):
    EASY = "easy", _("easy")
    MEDIUM = "medium", _("medium")
    STRONG = "strong", _("strong")


def casual_only() -> list[str]:
    """Return where bots may play in a club that has not said."""
    return [BotsPlay.CASUAL]


class SeekStatus(models.TextChoices):
    OPEN = "open", "open"
    BEGUN = "begun", "begun"
    WITHDRAWN = "withdrawn", "withdrawn"
    LAPSED = "lapsed", "lapsed"


class JobKind(models.TextChoices):
    READ_PLAYERS = "read_players", _("reading a file of players")
    IMPORT_PLAYERS = "import_players", _("importing players")
    ENTER_PLAYERS = "enter_players", _("entering players")
    PRINT = "print", _("printing")
    DOWNLOAD = "download", _("preparing a download")
    IMPORT_LOG = "import_log", _("importing a log")


class JobStatus(models.TextChoices):
    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("in progress")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


class Announced(models.TextChoices):
    """What is told outside of what happens in a club."""

    COMPETITION_OPENED = "competition_opened", _("competition opened")
    COMPETITION_STARTED = "competition_started", _("competition started")
    ROUND_PUBLISHED = "round_published", _("round published")
    ROUND_WITHDRAWN = "round_withdrawn", _("round withdrawn")
    GAME_OVER = "game_over", _("game over")
    RESULT = "result", _("result recorded or corrected")
    ROUND_CLOSED = "round_closed", _("round closed")
    STANDINGS_CHANGED = "standings_changed", _("standings changed")
    COMPETITION_FINISHED = "competition_finished", _("competition finished or cancelled")
    COMPETITION_REOPENED = "competition_reopened", _("competition reopened")
    SETTINGS_CHANGED = "settings_changed", _("settings of a competition changed")
