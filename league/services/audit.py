"""The club's audit record: who changed what. Every change writes it in its own transaction."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias
from uuid import UUID

from games import database_time
from league.models import Account, Club, ClubChange

Values: TypeAlias = Mapping[str, str | bool | None]
NONE: Final[Values] = {}


def note_change(
    by: Account | None,
    club: Club,
    kind: str,
    subject: str,
    *,
    before: Values = NONE,
    after: Values = NONE,
    about: UUID | None = None,
) -> None:
    """Write a change with the fields that differ; nothing if none does.

    Something new has no values before, something removed none after. ``by`` is None for the server itself,
    ``about`` the id of the player or account that is so now.
    """
    if values := _differing(before, after):
        ClubChange.objects.create(
            club=club, kind=kind, subject=subject, values=values, account=by, about=about
        )


def note_changes(
    by: Account | None, club: Club, kind: str, made: Iterable[tuple[str, Values, UUID | None]]
) -> None:
    """Write that several things are new, each with subject, values and whom it is about, in one statement."""
    at = database_time.asked()
    ClubChange.objects.bulk_create(
        ClubChange(
            club=club,
            kind=kind,
            subject=subject,
            values=_differing(NONE, values),
            account=by,
            about=about,
            at=at,
        )
        for subject, values, about in made
    )


def _differing(before: Values, after: Values) -> dict[str, list[str | bool | None]]:
    return {
        field: [before.get(field), after.get(field)]
        for field in {**before, **after}
        if before.get(field) != after.get(field)
    }
