"""Emails about challenges, from the data of the moment when they are sent."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from games import database_time
from league.apps.challenges.queries import ANSWERED, ASKED, token_of
from league.core.formats import of
from league.core.state.challenges import Challenge
from league.core.verbs.challenges import answer_by
from league.models import Club, Competition, Email, Player
from league.queries.competitions import state_of
from league.words.emails import Context, Sample, address, reaching, rendered, variables_of
from league.words.messages import shown_name


@variables_of(ASKED)
def _of_challenge(email: Email) -> Context | None:
    found = _told(email)
    if found is None:
        return None
    competition, player, challenge, context = found
    stage = state_of(competition).stage_numbered(challenge.stage)
    rules = of(stage.plan).rules(stage.plan)
    token = token_of(competition, challenge.number, player)
    link = address("challenge", competition.pk, challenge.number, player.pk, token)
    return {**context, "link": link, "rules": rules}


@variables_of(ANSWERED)
def _of_answer(email: Email) -> Context | None:
    found = _told(email)
    return found and {**found[3], "link": address("competition", found[0].slug)}


def _told(email: Email) -> tuple[Competition, Player, Challenge, Context] | None:
    """Return what an email tells; None where something else is the case now, or its reader another one."""
    people = Player.objects.select_related("account", "contact").filter(active=True)
    player = people.filter(pk=email.about["player"], account=email.account_id).first()
    competition = Competition.objects.select_related("club").get(pk=email.about["competition"])
    state = state_of(competition)
    challenge = next((each for each in state.challenges if each.number == email.about["challenge"]), None)
    stop = reaching(player, email.kind) if player else None
    if player is None or challenge is None or stop is None or challenge.status != email.about["status"]:
        return None
    return (
        competition,
        player,
        challenge,
        {
            **stop,
            "competition": competition,
            "note": competition.club.mail_note,
            "challenge": challenge,
            "left": shown_name(state.entry(challenge.left).name) if challenge.left else "",
            "by": shown_name(state.entry(challenge.by).name),
            "entry": shown_name(state.entry(challenge.entry).name),
            "until": answer_by(state, challenge),
        },
    )


def samples(club: Club) -> Iterator[Sample]:
    """Yield the title of each kind, with a sample about an invented challenge."""
    told: Mapping[str, Any] = {
        "competition": {"name": _("Winter league")},
        "note": club.mail_note,
        "by": "Anna",
        "entry": "Ben",
        "challenge": {"status": "refused", "costs": "drop"},
        "until": database_time.now(),
        "link": address("home"),
    }
    yield str(_("challenge on a ladder")), rendered(Email(kind=ASKED, club=club, about={}), "", told)
    title = str(_("answer to a challenge"))
    yield title, rendered(Email(kind=ANSWERED, club=club, about={}), "", told)
