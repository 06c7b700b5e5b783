"""What an organiser reads before a verb is carried out, each caution with the button that helps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from games.engine.messages import both, plural, text
from league.admin.needs import need_of_card
from league.admin.verbs import Offer, VerbForm, offered
from league.core.verb import Button, Caution
from league.core.verbs.rounds import WithdrawRound
from league.core.verbs.start import StartCompetition
from league.models import ClubGame, Competition
from league.queries.clubs import without_account
from league.queries.competitions import state_of
from league.queries.given import lost
from league.queries.score_cards import cards_to_confirm
from league.words.event_text import MOST_NAMED
from league.words.messages import shown_name, translated
from league.words.values import on_paper


@dataclass(frozen=True)
class Warned:
    """A caution on the page of a verb.

    ``remedy`` is the button that helps, None where there is none now; ``at_once``: pressing it carries it
    out, because it asks for nothing. ``stops``: the verb would be refused now. ``address`` is that of a page
    that helps, with its ``title``.
    """

    sentence: str
    remedy: Button | None = None
    at_once: bool = False
    stops: bool = False
    address: str = ""
    title: str = ""


_TOO_LATE: Final = {
    "paused": Caution(text("The competition is paused. Resume it first."), "resume", stops=True),
    "finished": Caution(text("The competition is finished. Reopen it first."), "reopen", stops=True),
    "cancelled": Caution(text("The competition is cancelled. Reopen it first."), "reopen", stops=True),
}
"""Why nothing can be done, by the status of a competition, where a verb is not for it."""


def warnings_about(competition: Competition, offer: Offer, table: str = "") -> Sequence[Warned]:
    """Return what to know before a verb is carried out; ``table`` is the id of the one that it is about."""
    now = {each.button.key: each for each in offered(competition)}
    too_late = _TOO_LATE.get(competition.status)
    if too_late and competition.status not in offer.button.statuses:
        return [_warned(too_late, now.get(too_late.remedy))]
    state, refused = state_of(competition), issubclass(offer.verb, WithdrawRound)
    ending = list(offer.verb.ends(state, offer.button, table))
    losses = lost(state, ending, withdrawn=refused)
    cautions = [*offer.verb.cautions(state), *(Caution(loss, stops=refused) for loss in losses)]
    warned = [_warned(caution, now.get(caution.remedy)) for caution in cautions]
    warned += map(_unconfirmed, cards_to_confirm(game.id for table in ending for game in table.games))
    return [*warned, *_without_account(competition)] if issubclass(offer.verb, StartCompetition) else warned


def _without_account(competition: Competition) -> Iterator[Warned]:
    """Yield who has entered a competition that is played online and has no account to play with."""
    names = [] if on_paper(competition.ruleset) else [each.name for each in without_account(competition)]
    if not names:
        return
    more = [text("%(count)s more", count=len(names) - MOST_NAMED)] if len(names) > MOST_NAMED else []
    sentence = plural(
        "The games are played online, and %(count)d player has no account: %(names)s.",
        "The games are played online, and %(count)d players have no account: %(names)s.",
        len(names),
        names=both([*map(shown_name, names[:MOST_NAMED]), *more]),
    )
    query = urlencode({"club": competition.club.slug, "competition": competition.pk})
    page = f"{reverse('admin:league_invitation_many')}?{query}"
    yield Warned(translated(sentence), address=page, title=_("Invite players"))


def _unconfirmed(card: ClubGame) -> Warned:
    need = need_of_card(card)
    return Warned(need.text, address=need.address, title=_("Confirm the scores"))


def _warned(caution: Caution, remedy: Offer | None) -> Warned:
    button = remedy.button if remedy else None
    return Warned(translated(caution.sentence), button, bool(remedy and _asks_nothing(remedy)), caution.stops)


def _asks_nothing(offer: Offer) -> bool:
    return offer.form is VerbForm and not (offer.button.asks or offer.button.danger)


def remedy_for(competition: Competition, offer: Offer, key: str) -> Offer | None:
    """Return the remedy with this key that a page of a verb offers to carry out at once, None for another."""
    warned = [each.remedy.key for each in warnings_about(competition, offer) if each.remedy and each.at_once]
    now = {each.button.key: each for each in offered(competition)}
    return now[key] if key in warned else None
