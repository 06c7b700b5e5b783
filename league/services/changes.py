"""The record of who changed what in a club. Every verb writes it in the transaction of the change itself."""

from collections.abc import Mapping

from league.models import Account, Club, ClubChange

Values = Mapping[str, str | bool | None]


def note_change(
    *, by: Account | None, club: Club, kind: str, subject: str, before: Values, after: Values
) -> None:
    """Keep a change with the fields that differ; nothing where none does.

    What is made has no values before, what is removed none after. ``by`` is None for the house itself.
    """
    values = {
        field: [before.get(field), after.get(field)]
        for field in {**before, **after}
        if before.get(field) != after.get(field)
    }
    if values:
        ClubChange.objects.create(club=club, kind=kind, subject=subject, values=values, account=by)
