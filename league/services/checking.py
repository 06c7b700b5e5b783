"""A model's own checks, turned into a refusal that names each wrong field."""

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db.models import Model

from games.engine.refusals import Malformed


def check(row: Model, *, against_others: bool = True) -> None:
    """Raise `Malformed` where a field, or the row as a whole (path ``""``), breaks its model's checks.

    Without ``against_others`` no query is made: neither other rows nor those that it refers to are looked up.
    """
    try:
        if against_others:
            row.full_clean()
        else:
            links = [field.name for field in row._meta.concrete_fields if field.is_relation]
            row.clean_fields(exclude=links)
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
