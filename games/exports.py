"""A game's log as a file, its seed once it is over, and what the stand-alone verifier says of both."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from games import verifier
from games.engine.chance import commitment
from games.engine.jsontypes import JsonObject
from games.engine.refusals import NotReplayable
from games.models import Game
from games.models.moves import Move, Seed, entries_of, seed_of, seeds_in


def published_seed(game: Game) -> str | None:
    """Return the secret seed, 64 hex digits, once the game is over; None before."""
    return seed_of(game).hex() if game.is_over else None


def lines(game: Game) -> Iterator[str]:
    """Yield the log as JSON Lines, the file that `games.verify` takes (docs/log.md).

    An entry a line; for a game that is over a last line with its seed and result. Raises `NotReplayable` for
    a log that is in an archive.
    """
    written = 0
    for entry in entries_of(game).order_by("seq").iterator():
        yield json.dumps({**entry.as_json(), "hash": entry.hash}, ensure_ascii=False)
        written += 1
    if not written:
        raise NotReplayable(f"{game.ruleset}: the log is archived")
    if game.is_over:
        yield json.dumps({"seed": published_seed(game), "result": game.result}, ensure_ascii=False)


def has_its_seed(game: Game) -> bool:
    """Return whether the secret seed of a game is the one to which its opening commits."""
    opening = entries_of(game).filter(seq=1).first()
    seed = seeds_in(game)._default_manager.filter(game=game).first()
    if seed is None or opening is None:
        return False
    if not isinstance(opening.move, dict):
        return True  # the check of the log names it
    return bool(opening.move.get("commitment") == commitment(bytes(seed.secret)))


def hashes(games: Iterable[UUID], seqs: Iterable[int]) -> Mapping[tuple[UUID, int], str]:
    """Return the hashes of the entries with these numbers in the logs of games, by game and number."""
    found = Move.objects.filter(game__in=[*games], seq__in=[*seqs])
    return {(entry.game_id, entry.seq): entry.hash for entry in found.only("game_id", "seq", "hash")}


def entry_of(game: OuterRef, seq: OuterRef) -> QuerySet[Move]:
    """Return the entry with a number in the log of a game, which a query around it names."""
    return Move.objects.filter(game=game, seq=seq)


def openers(games: Iterable[UUID]) -> Mapping[UUID, str | None]:
    """Return the account that opened each of these games, by the game; those in archives are left out."""
    return dict(Move.objects.filter(game__in=[*games], seq=1).values_list("game", "account"))


def kept_beside_practice() -> Sequence[UUID]:
    """Return the practice games that have entries or a seed in the tables of logs that are kept."""
    kept = Exists(Move.objects.filter(game=OuterRef("pk"))) | Exists(Seed.objects.filter(game=OuterRef("pk")))
    return list(Game.objects.filter(kept, practice=True).order_by("pk").values_list("pk", flat=True))


def whole_logs(games: Iterable[Game]) -> Mapping[UUID, tuple[Sequence[JsonObject], str]]:
    """Return the entries, as in `lines`, and the seed of each game that is over, by its id; two queries.

    Games whose logs are in an archive are left out.
    """
    over = [game.pk for game in games if game.is_over]
    entries: dict[UUID, list[JsonObject]] = {game: [] for game in over}
    for entry in Move.objects.filter(game__in=over).order_by("game_id", "seq"):
        entries[entry.game_id].append({**entry.as_json(), "hash": entry.hash})
    seeds = dict(Seed.objects.filter(game__in=over).values_list("game", "secret"))
    return {game: (entries[game], bytes(seeds[game]).hex()) for game in over if entries[game]}


def draws(game: Game) -> Sequence[JsonObject]:
    """Return every shuffle and roll of a game that is over, repeated from its seed; none before.

    Raises `games.verifier.WrongLog`.
    """
    return verifier.draws(lines(game)) if game.is_over else ()


def verified(game: Game) -> verifier.Report:
    """Return the stand-alone verifier's report on the game's log; raises `games.verifier.WrongLog`."""
    return verifier.check(lines(game))
