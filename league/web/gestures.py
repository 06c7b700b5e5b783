"""What a gesture at the table means, for the page of a game: asked with each card that a player picks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.engine import replay, shapes
from games.engine.describing import command
from games.engine.gestures import Gesture
from games.engine.meaning import meant
from games.engine.refusals import Malformed, Stale
from league.queries.seen import at_entry
from league.requests import spectator_or_account
from league.templatetags.cards import plain, spoken
from league.web.holders import holder_in, table_of
from league.words.messages import translated
from league.words.moves import seat_name
from league.words.values import words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.engine.gestures import Judged
    from games.engine.jsontypes import JsonObject
    from games.engine.meaning import Meant
    from games.engine.messages import Message
    from games.engine.refusals import Illegal
    from games.engine.replay import AnyRuleset
    from league.models import Account, ClubGame
    from league.queries.seen import SeenGame
    from league.web.holders import Holder


@require_POST
def meaning(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Answer with the moves that a gesture of the reader's seat can mean, each with its button.

    ``{"seq", "moves": [{"move", "title"}], "refused", "missing": [{"text", "refused"}], "hint", "groups":
    [{"text", "refused"}], "notes": [{"text", "rule", "address"}], "targets": [{"thing", "does", "told"}]}``;
    the texts are HTML, but those of targets are plain. 403 without a seat, 400 for what is not a gesture.
    """
    club_game = table_of(request, game_id)
    holder = holder_in(request, club_game)
    account = spectator_or_account(request)
    seen = at_entry(club_game, club_game.game.seq, account, holder.seat if holder else None)
    if seen.you is None:
        return HttpResponse(status=403)
    try:
        gesture = _read(request.body)
    except Malformed:
        return HttpResponse(status=400)
    return Meaning(seen, seen.you, meant(seen.position, seen.you, gesture)).answer()


@dataclass(frozen=True)
class Meaning:
    """What a gesture of a seat means in a game as the seat sees it."""

    seen: SeenGame
    seat: int
    meant: Meant

    @property
    def move(self) -> JsonObject | None:
        """Return the move that the gesture is, None where it is none or could be several."""
        moves = self.meant.moves
        return replay.write_move(self.seen.position.ruleset, moves[0]) if len(moves) == 1 else None

    def answer(self) -> HttpResponse:
        """Return the answer of `meaning`."""
        ruleset, found = self.seen.position.ruleset, self.meant
        names = {seat.seat: seat_name(seat) for seat in self.seen.seats}
        answer = {
            "seq": self.seen.game.seq,
            "moves": [self._shown(move, names) for move in found.moves],
            "refused": _refused(ruleset, found.refusal, names),
            "missing": [
                {"text": escape(words(kind)), "refused": _refused(ruleset, refusal, names)}
                for kind, refusal in found.missing.items()
            ],
            "hint": spoken(found.hint, names) if found.hint else "",
            "groups": [_group(ruleset, group, names) for group in found.groups],
            "notes": [_cited(ruleset, note.text, note.rule, names) for note in found.notes],
            "targets": [self._target(thing, moves, names) for thing, moves in found.targets.items()],
        }
        response = JsonResponse(answer)
        patch_cache_control(response, private=True, no_store=True)
        return response

    def _shown(self, move: object, names: Mapping[int, str]) -> JsonObject:
        ruleset = self.seen.position.ruleset
        written, said = replay.write_move(ruleset, move), ruleset.button(move) or self._command(move)
        title = spoken(said, names) if said else escape(words(str(written["type"])))
        return {"move": written, "title": title}

    def _command(self, move: object) -> Message | None:
        return command(self.seen.position, self.seat, move)

    def _target(self, thing: str, moves: Sequence[object], names: Mapping[int, str]) -> JsonObject:
        """Return what a tap on a thing does: the move, or that it asks which of several."""
        does = " / ".join(dict.fromkeys(self._tap(move) for move in moves))
        told = self._command(moves[0]) if len(moves) == 1 else None
        if len(moves) > 1:
            does = f"{does} …"
        return {"thing": thing, "does": does, "told": plain(told, names) if told else does}

    def _tap(self, move: object) -> str:
        ruleset = self.seen.position.ruleset
        said = ruleset.tap(move)
        return translated(said) if said else words(str(replay.write_move(ruleset, move)["type"]))


def sent(
    club_game: ClubGame, seq: int, posted: str, *, account: Account | None, holder: Holder | None
) -> Meaning:
    """Return what a gesture means that was sent to become entry ``seq``.

    A gesture that is sent again is read in the game as it was, so that its move is made once. Raises
    `Malformed`, and `Stale` where the log has that entry and the gesture was no move: nothing is told of
    the past. Raises `Http404` without a seat.
    """
    game = club_game.game
    again = 1 < seq <= game.seq
    seen = at_entry(club_game, seq - 1 if again else game.seq, account, holder.seat if holder else None)
    if seen.you is None:
        raise Http404
    meaning = Meaning(seen, seen.you, meant(seen.position, seen.you, _read(posted)))
    if meaning.move is None and seq != game.seq + 1:
        raise Stale(game.seq + 1)
    return meaning


def _read(posted: str | bytes) -> Gesture:
    """Return a gesture from JSON; raise `Malformed`."""
    try:
        return shapes.read(Gesture, json.loads(posted))
    except (ValueError, RecursionError):
        raise Malformed({"": [_("This form is damaged. Reload the page.")]}) from None


def _group(ruleset: AnyRuleset, group: Judged, names: Mapping[int, str]) -> JsonObject:
    return {"text": spoken(group.text, names), "refused": _refused(ruleset, group.refusal, names)}


def _refused(ruleset: AnyRuleset, refusal: Illegal | None, names: Mapping[int, str]) -> JsonObject | None:
    return None if refusal is None else _cited(ruleset, refusal.sentence, refusal.rule or "", names)


def _cited(ruleset: AnyRuleset, sentence: str, rule: str, names: Mapping[int, str]) -> JsonObject:
    """Return a sentence with the rule that it follows from."""
    address = f"{reverse('rules', args=[ruleset.key])}#{rule}"
    return {"text": spoken(sentence, names), "rule": rule, "address": address}
