"""The model's own checks as a refusal that names each wrong field."""

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
    """Return Django's refusal of several fields as ours."""
    return Malformed(
        {"" if field == NON_FIELD_ERRORS else field: said for field, said in error.message_dict.items()}
    )
