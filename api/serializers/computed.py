"""Fields that a function of the row makes."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from rest_framework import serializers

Schema: TypeAlias = dict[str, Any]
Shown: TypeAlias = Schema | type[serializers.Serializer[Any]]

TEXT: Final[Schema] = {"type": "string"}
TEXT_OR_NULL: Final[Schema] = {"type": ["string", "null"]}
NUMBER: Final[Schema] = {"type": "integer"}
NUMBER_OR_NULL: Final[Schema] = {"type": ["integer", "null"]}
TRUTH: Final[Schema] = {"type": "boolean"}
TIME: Final[Schema] = {"type": "string", "format": "date-time"}


class Computed(serializers.Field[Any, Any, Any, Any]):
    """What ``of`` returns for a row: as a serializer shows it, or as it is, and then of a JSON Schema."""

    def __init__(self, of: Callable[[Any], Any], shown: Shown, *, many: bool = False, **options: Any) -> None:
        super().__init__(source="*", read_only=True, **options)
        self.of, self.shown, self.many = of, shown, many

    def to_representation(self, value: Any) -> Any:
        """Return the data of what the function returns for a row."""
        found = self.of(value)
        return found if isinstance(self.shown, dict) else self.shown(found, many=self.many).data
