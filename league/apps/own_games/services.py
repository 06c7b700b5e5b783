"""Keeping a game of a club's own, and retiring it."""

from django.db import transaction

from games import database_time, rules
from games.engine import shapes
from games.engine.messages import text
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset
from games.rules.card_game import CardGame
from games.rules.card_game.checking import TAKEN
from games.rules.card_game.checking import check as check_definition
from games.rules.card_game.definition import Definition
from games.rules.card_game.formula import ranges_of
from games.rules.card_game.telling import title_of
from league.apps.own_games.models import MOST_OFFERED, OwnGame
from league.models import Account, Club
from league.models.names import search_key
from league.queries import permissions
from league.services.checking import check
from league.words.messages import translated


def read_definition(data: object) -> Definition:
    """Return the definition of a game that can be played; raise `Malformed` with all that is wrong."""
    game = shapes.read(Definition, data)
    _check_new(game)
    return game


def _check_new(game: Definition) -> None:
    """Raise `Malformed` for what no new game may be; those that were played before may have been so."""
    check_definition(game)
    errors, titles = dict[str, list[str]](), set[str]()
    for place, field in enumerate(game.fields):
        if (title := search_key(translated(field.title))) in titles:
            errors[f"fields.{place}.title"] = [text("Something else that is written has this name.")]
        titles.add(title)
    for place, step in enumerate(game.steps):
        if search_key(title_of(step.name)) in titles:
            errors[f"steps.{place}.name"] = [TAKEN]
    known = ranges_of(game)
    for place, rule in enumerate(game.checks):
        least, most = known[rule.of]
        if not any(least <= number <= most for number in rule.one_of):
            sentence = text(
                "No deal can be so: it is always from %(least)d to %(most)d.", least=least, most=most
            )
            errors[f"checks.{place}.one_of"] = [sentence]
    if errors:
        raise Malformed(errors)


@transaction.atomic
def keep_game(*, by: Account, club: Club, game: Definition, instead_of: OwnGame | None = None) -> OwnGame:
    """Return a game of the club, from now on offered where a competition is set up.

    The same definition is kept once, and offered again if it was retired; ``instead_of`` is retired. Raises
    `Malformed` and PermissionDenied.
    """
    permissions.require_organiser(club.pk, by)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    _check_new(game)
    plain = shapes.write(game)
    ruleset = rules.of(CardGame.key, {CardGame.defined_by: plain})
    games = OwnGame.objects.filter(club=club)
    same = games.filter(ruleset=ruleset.name).first()
    if instead_of is not None and instead_of != same:
        retire_game(by=by, game=instead_of)
    kept = same or OwnGame(club=club, ruleset=ruleset.name)
    kept.title, kept.definition, kept.retired_at = game.title, plain, None
    others = games.filter(retired_at=None).exclude(pk=kept.pk)
    if search_key(kept.title) in {search_key(each.title) for each in others}:
        raise Malformed({"title": [text("The club has a game of this name already.")]})
    if search_key(kept.title) in _shipped_names(ruleset):
        raise Malformed({"title": [text("A game that comes with the server has this name.")]})
    if others.count() >= MOST_OFFERED:
        raise Malformed({"": [text("A club offers at most %(most)d games.", most=MOST_OFFERED)]})
    check(kept, against_others=False)
    kept.save()
    return kept


def _shipped_names(ruleset: AnyRuleset) -> set[str]:
    """Return the names of the other games that come with the server, in English and the reader's language."""
    titles = [each.title for each in rules.games() if each.key != ruleset.key]
    return {search_key(name) for title in titles for name in (title, translated(title))}


def retire_game(*, by: Account, game: OwnGame) -> OwnGame:
    """Offer a game no more; competitions and games with it go on. Raises PermissionDenied."""
    permissions.require_organiser(game.club_id, by)
    OwnGame.objects.filter(pk=game.pk, retired_at=None).update(retired_at=database_time.now())
    game.refresh_from_db()
    return game
