"""The signed log over all logs (docs/signed-log.md): its leaves, its heads, and those who signed them.

`league.apps.signed_log.leaves` alone writes leaves, `league.apps.signed_log.signing` heads, keys and epochs.
"""

from typing import ClassVar
from uuid import uuid4

from django.db import models

from games.models import append_only
from games.transparency.proofs import Leaf


class LeafKind(models.TextChoices):
    """What a leaf is of, and how sentences call it."""

    GAME = "game", "game"
    COMPETITION = "competition", "competition"
    CLUB = "club", "the record of club"
    PLAYER = "player", "player"
    KEY = "key", "the keys of signed log"
    EPOCH = "epoch", "the epochs of signed log"


class SignedLog(models.Model):
    """The signed log, in one row: the lock of whoever enters leaves or signs a head.

    ``name`` begins the origin of every epoch. Everything that was written before ``as_of`` has its leaf.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    only = models.BooleanField(default=True, unique=True)
    name = models.CharField(max_length=200)
    size = models.PositiveBigIntegerField(default=0)
    as_of = models.DateTimeField(null=True)
    contradicted = models.TextField(blank=True, default="")
    """The logs that contradict what was published of them, one a line: nothing more of them is entered."""

    class Meta:
        db_table = "league_signedlog"
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.name


class LogLeaf(models.Model):
    """A leaf of the tree: entry ``seq`` of something's log."""

    index = models.PositiveBigIntegerField(primary_key=True)
    kind = models.CharField(max_length=12)
    subject = models.UUIDField()
    seq = models.PositiveBigIntegerField()
    head = models.BinaryField()
    hash = models.BinaryField()
    at = models.DateTimeField()

    class Meta:
        db_table = "league_logleaf"
        ordering: ClassVar = ["index"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "subject", "seq"], name="unique_leaf_of_entry"),
        ]
        indexes: ClassVar = [models.Index(fields=["hash"], name="leaves_by_hash")]
        triggers: ClassVar = append_only("leaf")

    def __str__(self) -> str:
        return f"{self.kind} {self.subject} {self.seq}"

    def made_hash(self) -> bytes:
        """Return the hash that is made of what the leaf says."""
        return Leaf(self.kind, str(self.subject), self.seq, bytes(self.head).hex()).hash


class LogSalt(models.Model):
    """The salt of a leaf that is a commitment. A person who is forgotten takes the salt along."""

    leaf = models.OneToOneField(LogLeaf, models.PROTECT, primary_key=True, related_name="salt")
    salt = models.BinaryField()

    class Meta:
        db_table = "league_logsalt"
        ordering: ClassVar = ["leaf"]

    def __str__(self) -> str:
        return f"salt of {self.leaf_id}"


class LogNode(models.Model):
    """A node of the tree on every eighth level above the leaves, from which proofs are made quickly."""

    level = models.PositiveSmallIntegerField()
    index = models.PositiveBigIntegerField()
    hash = models.BinaryField()

    class Meta:
        db_table = "league_lognode"
        ordering: ClassVar = ["level", "index"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["level", "index"], name="unique_log_node"),
        ]

    def __str__(self) -> str:
        return f"{self.level} {self.index}"


class LogEpoch(models.Model):
    """A stretch of the log under one origin. A second one begins where published heads were lost."""

    number = models.PositiveIntegerField(primary_key=True)
    origin = models.CharField(max_length=220, unique=True)
    reason = models.TextField(blank=True)
    previous = models.TextField(blank=True)
    """The last head that was published before, as it was signed."""
    at = models.DateTimeField()

    class Meta:
        db_table = "league_logepoch"
        ordering: ClassVar = ["number"]
        triggers: ClassVar = append_only("epoch")

    def __str__(self) -> str:
        return self.origin


class LogKey(models.Model):
    """A key that signs heads, of which only the public half is here; the newest is in force."""

    number = models.PositiveIntegerField(primary_key=True)
    public = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        db_table = "league_logkey"
        ordering: ClassVar = ["number"]
        triggers: ClassVar = append_only("log_key")

    def __str__(self) -> str:
        return self.public


class LogHead(models.Model):
    """A head as it was signed and published."""

    epoch = models.ForeignKey(LogEpoch, models.PROTECT, related_name="heads")
    size = models.PositiveBigIntegerField()
    root = models.BinaryField()
    note = models.TextField()
    at = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "league_loghead"
        ordering: ClassVar = ["-epoch", "-size"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["epoch", "size"], name="unique_head_size"),
        ]
        triggers: ClassVar = append_only("log_head")

    def __str__(self) -> str:
        return f"{self.epoch_id} {self.size}"


class Cosignature(models.Model):
    """A witness's signature below a head."""

    head = models.ForeignKey(LogHead, models.PROTECT, related_name="cosignatures")
    witness = models.CharField(max_length=200)
    line = models.TextField()
    at = models.DateTimeField()

    class Meta:
        db_table = "league_cosignature"
        ordering: ClassVar = ["head", "witness"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["head", "witness"], name="unique_cosignature"),
        ]
        triggers: ClassVar = append_only("cosignature")

    def __str__(self) -> str:
        return f"{self.witness} {self.head_id}"
