"""Competitions: what they say about themselves, and rows that follow their logs and can be rebuilt."""

from copy import copy
from datetime import datetime, timedelta
from functools import lru_cache
from typing import ClassVar, TypeAlias
from uuid import UUID, uuid4

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from games.models import Game
from league import choices
from league.core.course import BESIDE
from league.core.details import MOST_MINUTES, MOST_ROUNDS
from league.core.entering import joined
from league.core.state.entries import after_players
from league.models.accounts import Account
from league.models.clubs import Club, Player
from league.models.names import LineField, LinesField, printable, printable_lines
from league.models.readers import name_for

# ---- Competitions --------------------------------------------------------------------------------

# ---- The log -------------------------------------------------------------------------------------


class Competition(models.Model):
    """A competition of a club. Below the address everything follows the log."""

    Status: TypeAlias = choices.CompetitionStatus
    Pace: TypeAlias = choices.Pace
    Step: TypeAlias = choices.Step
    Overdue: TypeAlias = choices.Overdue

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="competitions", verbose_name=_("club"))
    slug = models.SlugField(_("address"), max_length=80, unique=True)

    seq = models.PositiveIntegerField(_("entries in the log"), default=0)
    head = models.CharField(_("head"), max_length=64)
    opened_at = models.DateTimeField(_("opened"))
    changed_at = models.DateTimeField(_("last entry"))
    shown_seq = models.PositiveIntegerField(_("last entry that changed what everybody may read"))
    shown_at = models.DateTimeField(_("last change that everybody may know"))
    name = models.CharField(_("name"), max_length=100)
    ruleset = models.CharField(_("game"), max_length=60)
    options = models.JSONField(_("options"), default=dict)
    pace = models.CharField(_("pace"), max_length=10, choices=Pace, default=Pace.MANUAL)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.PREPARING)
    stage = models.PositiveSmallIntegerField(_("stage"), default=0)
    round = models.PositiveSmallIntegerField(_("round"), default=0)
    step = models.CharField(_("waits for"), max_length=12, choices=Step, default=Step.NONE)
    wait = models.PositiveIntegerField(_("minutes before the automatic pace takes this step"), null=True)
    withheld_from = models.PositiveIntegerField(_("first entry that is not public yet"), null=True)
    awaited_beacon = models.BigIntegerField(_("round of the beacon that a draw waits for"), default=0)
    overdue = models.CharField(_("overdue games"), max_length=10, choices=Overdue, default=Overdue.ORGANISER)
    open_hands = models.PositiveIntegerField(_("minutes until hands of past deals are shown"), null=True)
    unchecked = models.PositiveIntegerField(_("results that nobody else has checked"), default=0)
    objections = models.PositiveIntegerField(_("objections that are not decided"), default=0)
    objections_until = models.DateTimeField(_("objections until"), null=True)
    lapses_at = models.DateTimeField(_("next challenge lapses"), null=True)
    rooms = models.JSONField(_("rooms of the next round"), default=dict)
    renamed = models.PositiveIntegerField(_("changes of its players’ names"), default=0)
    aided = models.BooleanField(_("the page of a game offers what hands make"), default=False)

    class Meta:
        ordering: ClassVar = ["-opened_at", "id"]
        verbose_name = _("competition")
        verbose_name_plural = _("competitions")
        indexes: ClassVar = [
            models.Index(fields=["club", "status"]),
            models.Index(fields=["status"]),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_under_way(self) -> bool:
        """Return whether it has begun and results may come in: it is running or paused."""
        return self.status in choices.UNDER_WAY

    @property
    def takes_objections(self) -> bool:
        """Return whether who played may object to posted results now."""
        until = self.objections_until
        open_now = until is not None and database_time.now() < until
        return open_now and self.status != self.Status.CANCELLED

    def acts_after(self, minutes: int) -> datetime:
        """Return when so many minutes are over since the last event for which the automatic pace waits."""
        if not minutes:
            return self.changed_at
        events = self.events.exclude(event__type__in=BESIDE).order_by("-seq")
        last = events.values_list("at", flat=True)[:1].get()
        return last + timedelta(minutes=minutes)

    @property
    def acts_at(self) -> datetime | None:
        """Return when the automatic pace takes the next step, None where it waits for a person.

        An open-ended round can be played until its deadline, and is closed after that.
        """
        if self.wait is None:
            return None
        at = self.acts_after(self.wait)
        if self.step != self.Step.PLAY:
            return at
        played = Round.objects.filter(stage__competition=self, status=Round.Status.PUBLISHED)
        deadline = played.filter(deadline__lte=database_time.now()).values_list("deadline", flat=True).first()
        return max(at, deadline) if deadline else None


@lru_cache(maxsize=2000)
def club_of(competition: UUID) -> UUID:
    """Return the club of a competition, which never changes."""
    return Competition.objects.values_list("club", flat=True).get(pk=competition)


# ---- Who takes part ------------------------------------------------------------------------------


class Entry(models.Model):
    """A player, or a team of players, in a competition.

    ``from_round`` and ``withdrawn_from`` bound its part in the stage they fell in; None is no bound.
    ``ranked``: it is in the standings of a stage. ``expelled``: an organiser put it out.
    """

    Status: TypeAlias = choices.EntryStatus

    id = models.UUIDField(primary_key=True, editable=False)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=100)
    public_name = models.CharField(max_length=110, db_default="")
    affiliation = models.CharField(_("affiliation"), max_length=100, default="")
    status = models.CharField(_("status"), max_length=10, choices=Status)
    checked_in = models.BooleanField(_("checked in"), default=False)
    from_round = models.PositiveSmallIntegerField(_("from round"), null=True)
    withdrawn_from = models.PositiveSmallIntegerField(_("withdrawn from round"), null=True)
    ranked = models.BooleanField(_("ranked"), default=False)
    expelled = models.BooleanField(_("expelled"), default=False)

    class Meta:
        ordering: ClassVar = ["competition", "number"]
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "number"], name="unique_entry_number"),
        ]

    def __str__(self) -> str:
        return self.called

    @property
    def called(self) -> str:
        """Return the name for who reads."""
        same = self.name == self.public_name
        return self.name if same else name_for(self.name, self.public_name, club_of(self.competition_id))

    def under(self, name: str) -> "Entry":
        """Return the entry under another name."""
        named = copy(self)
        named.name = named.public_name = name
        return named

    @property
    def after_players(self) -> str | None:
        """Return what its name says after the names of its players, None where it has one of its own."""
        return after_players(self.called, joined([member.player.called for member in self.members.all()]))

    @property
    def status_text(self) -> str:
        """Return the status in words."""
        return str(choices.EXPELLED if self.expelled else self.Status(self.status).label)


class EntryPlayer(models.Model):
    """A player of an entry's current line-up, in order."""

    id = models.UUIDField(primary_key=True, editable=False)
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="members")
    number = models.PositiveSmallIntegerField(_("number"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="entered")

    class Meta:
        ordering: ClassVar = ["entry", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["entry", "player"], name="unique_entry_player"),
        ]

    def __str__(self) -> str:
        return str(self.player)


# ---- What is played ------------------------------------------------------------------------------


class Stage(models.Model):
    """A part of a competition with a format of its own; ``plan`` is what was announced, as logs write it.

    ``moves`` say, once it has begun, why entries are in it or not, as logs write them.
    """

    Status: TypeAlias = choices.StageStatus

    id = models.UUIDField(primary_key=True, editable=False)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=100)
    format = models.CharField(_("format"), max_length=40)
    status = models.CharField(_("status"), max_length=10, choices=Status)
    plan = models.JSONField(_("plan"))
    corrected = models.BooleanField(_("changed after its standings were final"), default=False)
    moves = models.JSONField(_("moves"), default=list)

    class Meta:
        ordering: ClassVar = ["competition", "number"]
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "number"], name="unique_stage_number"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_divisions(self) -> bool:
        """Return whether its groups are divisions, one above the other."""
        intake = self.plan.get("intake", {})
        return bool(intake.get("source") == "promotion" or intake.get("divide") == "stack")


class Round(models.Model):
    """A round of a stage, with the report on its draw."""

    Status: TypeAlias = choices.RoundStatus

    id = models.UUIDField(primary_key=True, editable=False)
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    status = models.CharField(_("status"), max_length=10, choices=Status)
    deadline = models.DateTimeField(_("deadline"), null=True)
    day = models.DateField(_("day"), null=True)
    report = models.JSONField(_("report on the draw"))
    moved = models.JSONField(_("reasons why seats were moved"), default=list)

    class Meta:
        ordering: ClassVar = ["stage", "number"]
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["stage", "number"], name="unique_round_number"),
        ]

    def __str__(self) -> str:
        return _("Round %(number)d") % {"number": self.number}

    @property
    def drawn_byes(self) -> "list[Bye]":
        """Return the byes that the draw gave."""
        return [bye for bye in self.byes.all() if not bye.requested]

    @property
    def requested_byes(self) -> "list[Bye]":
        """Return the byes on request."""
        return [bye for bye in self.byes.all() if bye.requested]


class Bye(models.Model):
    """An entry that has no table in a round: by the draw, or as it ``requested``.

    ``points`` are those of a bye on request, as a fraction; empty where they depend on results.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    round = models.ForeignKey(Round, models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="byes")
    requested = models.BooleanField(_("on request"), default=False)
    points = models.CharField(_("points"), max_length=40, default="")

    class Meta:
        ordering: ClassVar = ["round", "entry__number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "entry"], name="unique_bye_entry"),
        ]

    def __str__(self) -> str:
        return str(self.entry)


class Table(models.Model):
    """A table of a round.

    While it is put off, it has a reason for that, and perhaps a time by which it must be played.
    """

    Status: TypeAlias = choices.TableStatus

    id = models.UUIDField(primary_key=True, editable=False)
    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"))
    room = models.CharField(_("room"), max_length=40, default="")
    group = models.PositiveSmallIntegerField(_("group"), default=1)
    board = models.PositiveSmallIntegerField(_("board"), default=1)
    label = models.CharField(_("label"), max_length=60, default="")
    status = models.CharField(_("status"), max_length=10, choices=Status)
    ruled = models.BooleanField(_("decided by an organiser"), default=False)
    void_reason = models.CharField(_("why it is void"), max_length=500, default="")
    postponed_reason = models.CharField(_("why it is put off"), max_length=500, default="")
    postponed_until = models.DateTimeField(_("to be played by"), null=True)
    more_minutes = models.PositiveSmallIntegerField(_("minutes more"), default=0)
    match = models.JSONField(_("match"), null=True)
    """The games of a match as `league.core.match_view` tells them, null where the table has one game."""
    turn = 1
    """In a list, which of a drop-in evening's tables with the same number it is, the first being 1."""

    class Meta:
        # Ids are in the order in which tables opened: those of a drop-in evening may have the same number.
        ordering: ClassVar = ["round", "number", "id"]
        verbose_name = _("table")
        verbose_name_plural = _("tables")

    def __str__(self) -> str:
        return _("Table %(number)d") % {"number": self.number}

    def status_in_words(self) -> str:
        """Return the status in words; it depends on the seats of a table that counts as played."""
        seats = self.seats.all() if self.status == self.Status.PLAYED else ()
        told = ((seat.entry_id, seat.outcome) for seat in seats)
        return choices.status_of_table(self.status, told)

    @property
    def put_off(self) -> bool:
        """Return whether the table is put off and still to be decided."""
        return bool(self.postponed_reason)

    @property
    def deadline(self) -> datetime | None:
        """Return by when the table must be played: its own time while it is put off, else its round's.

        After the round's it may have some minutes more.
        """
        if self.put_off:
            return self.postponed_until
        played = self.round.status == Round.Status.PUBLISHED
        return self.round.deadline + self.more if played and self.round.deadline else None

    @property
    def more(self) -> timedelta:
        """Return how much longer than its round the table may play."""
        return timedelta(minutes=self.more_minutes)


class TableSeat(models.Model):
    """Who sits where at a table, and what came of it.

    Rank (1 is best) and the game's own score are set if one result counts for the table; the outcome, such as
    a walkover, comes beside a result or in place of one.
    """

    Outcome: TypeAlias = choices.Outcome

    id = models.UUIDField(primary_key=True, editable=False)
    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField(_("seat"))
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="seats")
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    rank = models.PositiveSmallIntegerField(_("rank"), null=True)
    score = models.IntegerField(_("score"), null=True)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome, default="")

    class Meta:
        ordering: ClassVar = ["table", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="unique_table_seat_number"),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.number})"

    @property
    def outcome_in_words(self) -> str:
        """Return the outcome in words, none for a seat that played."""
        return str(self.get_outcome_display())

    @property
    def has_left(self) -> bool:
        """Return whether its entry did not come or has forfeited, and the others play without it."""
        return self.outcome in choices.LEFT and self.table.status != choices.TableStatus.WALKOVER

    @property
    def needs_no_score(self) -> str:
        """Return why no score is typed for it, in words, where its entry has left the others; else empty."""
        told = {"outcome": self.outcome_in_words}
        return str(_("%(outcome)s: last, leave the score empty") % told) if self.has_left else ""

    @property
    def shown_score(self) -> int | None:
        """Return its score as far as it counts: none where its entry has left the others."""
        return None if self.has_left else self.score


# ---- Details -------------------------------------------------------------------------------------


class Details(models.Model):
    """What a competition tells about itself; each part may be missing."""

    competition = models.OneToOneField(
        Competition, models.CASCADE, primary_key=True, related_name="stored_details"
    )
    begins_on = models.DateField(_("first day"), null=True, blank=True)
    begins_at = models.TimeField(_("time of day"), null=True, blank=True)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    place = LineField(_("place"), max_length=200, blank=True, default="", validators=[printable])
    description = LinesField(
        _("description"), max_length=4000, blank=True, default="", validators=[printable_lines]
    )
    contact = LineField(_("contact"), max_length=200, blank=True, default="", validators=[printable])
    prizes = models.JSONField(_("prizes"), default=list, blank=True)
    """A list of `league.core.details.Prize` as JSON."""
    picture = models.CharField(_("picture"), max_length=64, blank=True, default="")
    """The SHA-256 of the picture's file, which is in its address; empty for none."""
    picture_text = LineField(
        _("what the picture shows"), max_length=200, blank=True, default="", validators=[printable]
    )
    round_minutes = models.PositiveSmallIntegerField(
        _("minutes of a round"), default=0, validators=[MaxValueValidator(MOST_MINUTES)]
    )
    break_after = models.PositiveSmallIntegerField(
        _("break after round"), default=0, validators=[MaxValueValidator(MOST_ROUNDS)]
    )
    break_minutes = models.PositiveSmallIntegerField(
        _("minutes of the break"), default=0, validators=[MaxValueValidator(MOST_MINUTES)]
    )
    picture_width = models.PositiveSmallIntegerField(default=0)
    picture_height = models.PositiveSmallIntegerField(default=0)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["competition"]
        verbose_name = _("details of a competition")
        verbose_name_plural = _("details of competitions")

    def __str__(self) -> str:
        return str(self.competition)


class Picture(models.Model):
    """A competition's picture, a JPEG; in the database, so that backups have it."""

    competition = models.OneToOneField(Competition, models.CASCADE, primary_key=True, related_name="+")
    data = models.BinaryField()

    class Meta:
        ordering: ClassVar = ["competition"]

    def __str__(self) -> str:
        return str(self.competition)


# ---- Imports -------------------------------------------------------------------------------------


class Import(models.Model):
    """A competition with all its games, or a casual game, that was imported from a file."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="+", verbose_name=_("club"))
    competition = models.OneToOneField(Competition, models.CASCADE, null=True, related_name="imported")
    game = models.OneToOneField(Game, models.CASCADE, null=True, related_name="imported")
    by = models.ForeignKey(Account, models.SET_NULL, null=True, related_name="+")
    """Who imported it; None for the server's administrator."""
    at = models.DateTimeField(default=database_time.now)

    class Meta:
        ordering: ClassVar = ["-at", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(competition=None) ^ models.Q(game=None), name="imports_are_of_one_log"
            ),
        ]

    def __str__(self) -> str:
        return str(self.competition or self.game)
