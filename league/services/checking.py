"""A model's own checks, turned into a refusal that names each wrong field."""

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db.models import Model

from games.engine.refusals import Malformed


def check(row: Model) -> None:
    """Raise `Malformed` where a field, or the row as a whole (path ``""``), breaks its model's checks."""
    try:
        row.full_clean()
    except ValidationError as error:
        raise malformed(error) from None


def malformed(error: ValidationError) -> Malformed:
    """Return Django's errors of several fields as `Malformed`."""
    return Malformed(
        {
            "" if field == NON_FIELD_ERRORS else field: sentences
            for field, sentences in error.message_dict.items()
        }
    )
