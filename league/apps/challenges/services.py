"""Emails to those whom a challenge concerns, written with its events."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from league.apps.challenges.queries import ANSWERED, ASKED
from league.core.events import Event
from league.core.state.challenges import Challenge
from league.core.verbs.answers import ChallengeLapsed, ChallengeRefused, ChallengeWithdrawn
from league.core.verbs.challenges import Challenged, ChallengeReopened, numbered
from league.log import Appended
from league.models import Player
from league.queries.clubs import gets_emails
from league.services import emails

_TOLD: Final[Mapping[type[Event], tuple[str, tuple[str, ...]]]] = {
    Challenged: (ASKED, ("entry",)),
    ChallengeReopened: (ASKED, ("entry",)),
    ChallengeRefused: (ANSWERED, ("by",)),
    ChallengeLapsed: (ANSWERED, ("by", "entry")),
    ChallengeWithdrawn: (ANSWERED, ("entry",)),
}
"""The kind of email of each event, and to whose players it goes. Of a table who sits there is told anyway."""


def write_events(appended: Appended) -> None:
    """Write the emails of new events, in their transaction; not to the account that said it."""
    first = appended.state.seq - len(appended.events) + 1
    ended = [each for each in appended.state.challenges if each.status == "ended" and each.closed >= first]
    if not (ended or any(type(event) in _TOLD for event in appended.events)):
        return
    author = appended.competition.events.get(seq=appended.competition.seq).account
    for each in ended:
        key = f"{appended.competition.pk}:{each.closed}:{each.number}"
        _write(appended, ANSWERED, key, each, each.entries, author)
    for seq, event in enumerate(appended.events, first):
        if type(event) not in _TOLD:
            continue
        number = seq if isinstance(event, Challenged) else vars(event)["challenge"]
        kind, whose = _TOLD[type(event)]
        challenge = numbered(appended.state, number)
        entries = [vars(event)[each] for each in whose]
        _write(appended, kind, f"{appended.competition.pk}:{seq}", challenge, entries, author)


def _write(
    appended: Appended, kind: str, key: str, challenge: Challenge, entries: Sequence[str], author: str | None
) -> None:
    competition = appended.competition
    players = [player for entry in entries for player in appended.state.entry(entry).players]
    people = Player.objects.filter(gets_emails(kind), pk__in=players, bot=False)
    people = people.exclude(account=UUID(author)) if author else people
    due = emails.awake(competition.club, competition.changed_at)
    about = {"competition": str(competition.pk), "challenge": challenge.number, "status": challenge.status}
    emails.write(
        emails.new_email(
            kind,
            f"{key}:{each.pk}",
            {**about, "player": str(each.pk)},
            account=each.account_id,
            club=competition.club,
            due=due,
        )
        for each in people.order_by("pk")
    )
