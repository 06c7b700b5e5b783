"""The choices of model fields."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class GameStatus(models.TextChoices):
    INVITED = "invited", _("invited")
    ACTIVE = "active", _("running")
    FINISHED = "finished", _("finished")
    ABANDONED = "abandoned", _("abandoned")


class MoveRole(models.TextChoices):
    SEAT = "seat", _("seat")
    CODE = "code", _("seat, with its code")
    KIOSK = "kiosk", _("seat, at a kiosk")
    ARBITER = "arbiter", _("arbiter")
    CLOCK = "clock", _("clock")
    SYSTEM = "system", _("system")
