"""Who can log in."""

from uuid import uuid4

from django.contrib.auth.models import AbstractUser
from django.db import models


class Account(AbstractUser):
    """A person or a program that can log in. What it may do stands in the clubs' memberships."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
