"""Sentences in rows, kept so that pages can translate them."""

from typing import Any

from django.db import models

from games.engine.messages import as_json, from_json


class MessageField(models.JSONField):
    """A `games.engine.messages.Message`, as JSON in the database."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> str:
        return from_json(super().from_db_value(value, expression, connection))

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        held = as_json(value) if isinstance(value, str) else value
        return super().get_db_prep_value(held, connection, prepared)
