"""The email to a club's organisers that results of its team matches wait for its desk."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from games import database_time
from league.apps.between import queries
from league.apps.between.models import Partner
from league.apps.notifications.emails import choices_of
from league.apps.notifications.models import Kind
from league.core.state.competition import Competition as State
from league.core.verbs.rulings import Ruled
from league.log import Appended
from league.models import Account, Club, Competition, Email, Member
from league.queries import permissions
from league.queries.competitions import state_of
from league.services import emails
from league.words.emails import Context, address, variables_of

TO_CONFIRM: Final = Kind.RESULTS_TO_CONFIRM.value
_LATER: Final = timedelta(minutes=10)
"""Boards of a match are typed in one after another: one email tells of all."""


def write_events(appended: Appended) -> None:
    """Write emails that results wait for other clubs, in the transaction of the results."""
    state, ruled = appended.state, [event for event in appended.events if isinstance(event, Ruled)]
    for event in (event for event in ruled if event.side):
        entries = [state.entry(entry) for entry in state.any_table(event.table).entries]
        others = {entry.club for entry in entries} - {state.entry(event.side or "").club, ""}
        ids = [UUID(club) for club in others]
        parts = Partner.objects.filter(competition=appended.competition, club__in=ids)
        for part in parts.select_related("club"):
            _write(part, state.seq)


def _write(part: Partner, seq: int) -> None:
    about = {"part": str(part.pk)}
    if Email.objects.filter(kind=TO_CONFIRM, status=Email.Status.WAITING, about=about).exists():
        return
    due = emails.awake(part.club, database_time.now() + _LATER)
    emails.write(
        emails.new_email(TO_CONFIRM, f"{part.pk}:{seq}", about, account=each.pk, club=part.club, due=due)
        for each in _organisers(part.club)
    )


def _organisers(club: Club) -> Iterator[Account]:
    directors = Member.objects.filter(club=club, role__in=permissions.DIRECTORS).values("account")
    yield from Account.objects.filter(pk__in=directors, is_active=True).exclude(email="").order_by("pk")


@variables_of(TO_CONFIRM)
def _of_results(email: Email) -> Context | None:
    """Return the variables, None where nothing waits any more, for no organiser, and for who wants none."""
    part = Partner.objects.filter(pk=email.about["part"]).select_related("club", "competition").first()
    if part is None or all(each != email.account for each in _organisers(part.club)):
        return None
    chosen = choices_of(email.account, Kind.RESULTS_TO_CONFIRM, None) if email.account else None
    boards = [*_waiting(part.competition, part.club)]
    if chosen is None or not boards:
        return None
    link = address("admin:league_competition_between_club", part.competition_id, part.club_id)
    told = {"competition": part.competition, "boards": boards, "link": link, "note": part.club.mail_note}
    return {**told, **chosen}


def _waiting(competition: Competition, club: Club) -> Iterator[dict[str, Any]]:
    """Yield the boards whose result only the club can confirm, and whether it had entered another one."""
    state = state_of(competition)
    for match in queries.told(competition, state, club):
        for row in match["boards"]:
            board: queries.Board = row["board"]
            if board.waiting and board.waiting.side and not queries.entered_by(state, board, club):
                yield {"match": match, "board": board, "refused": _had_entered(state, board, club)}


def _had_entered(state: State, board: queries.Board, club: Club) -> bool:
    before = (each.ruling.side for each in board.table.earlier if each.ruling)
    return any(state.entry(side).club == str(club.pk) for side in before if side)
