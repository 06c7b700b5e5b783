"""What a gesture at the table means: the moves with their buttons, and what the rules say of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
from games.engine.gestures import Gesture, Judged, Question, Standing
from games.engine.jsontypes import Json, JsonObject
from games.engine.meaning import Meant, meant
from games.engine.messages import Message
from games.engine.refusals import Illegal, Malformed, Stale
from games.engine.replay import AnyRuleset
from league.queries.seen import SeenGame, at_entry
from league.requests import spectator_or_account
from league.templatetags.cards import plain, spoken
from league.web.holders import Holder, holder_in, table_of
from league.words.messages import translated
from league.words.moves import seat_name
from league.words.values import words

if TYPE_CHECKING:
    from league.models import Account, ClubGame


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
        is_one = len(moves) == 1 and not self.meant.astray
        return replay.write_move(self.seen.position.ruleset, moves[0]) if is_one else None

    def as_json(self) -> JsonObject:
        """Return what a page shows of it.

        ``{"seq", "moves": [{"move", "title", "costly"}], "refused", "astray", "hint", "groups": [{"text",
        "refused", "begun"}], "notes": [{"text", "rule", "address"}], "targets": [{"thing", "does", "told",
        "is_move"}], "choices", "strays", "questions": [{"type", "field", "text", "answers": [{"value",
        "text"}]}], "standing": {"key", "move", "text", "made", "stop"}}``, the first answer for leaving
        the field out; the texts are HTML, but those of targets, questions and ``standing`` are plain.
        """
        ruleset, found = self.seen.position.ruleset, self.meant
        names = {seat.seat: seat_name(seat) for seat in self.seen.seats}
        return {
            "seq": self.seen.game.seq,
            "moves": [self._shown(move, names) for move in found.moves],
            "refused": _refused(ruleset, found.refusal, names),
            "astray": _refused(ruleset, found.astray, names),
            "hint": spoken(found.hint, names) if found.hint else "",
            "groups": [_group(ruleset, group, names) for group in found.groups],
            "notes": [_cited(ruleset, note.text, note.rule, names) for note in found.notes],
            "targets": [self._target(thing, moves, names) for thing, moves in found.targets.items()],
            "choices": [*found.choices],
            "strays": [*found.strays],
            "questions": [self._question(question, names) for question in found.questions],
            "standing": self._standing(found.standing, names) if found.standing else None,
        }

    def _shown(self, move: object, names: Mapping[int, str]) -> JsonObject:
        ruleset = self.seen.position.ruleset
        written, costly = replay.write_move(ruleset, move), move in self.meant.costly
        return {"move": written, "title": self._title(move, names), "costly": costly}

    def _standing(self, standing: Standing, names: Mapping[int, str]) -> JsonObject:
        return {
            "key": standing.key,
            "move": replay.write_move(self.seen.position.ruleset, standing.move),
            "text": plain(standing.text, names),
            "made": plain(standing.made, names),
            "stop": plain(standing.stop, names),
        }

    def _question(self, question: Question, names: Mapping[int, str]) -> JsonObject:
        ruleset = self.seen.position.ruleset
        (kind,) = (kind for kind, made in ruleset.moves.items() if made is question.of)
        answers: Sequence[tuple[Json, str]] = [(None, question.default), *question.answers]
        return {
            "type": kind,
            "field": question.field,
            "text": f"{plain(question.text, names)} ({question.rule})",
            "answers": [{"value": value, "text": plain(said, names)} for value, said in answers],
        }

    def _title(self, move: object, names: Mapping[int, str]) -> str:
        """Return what the button of a move says, in HTML."""
        position = self.seen.position
        said = position.ruleset.button(position.state, move) or self._command(move)
        kind = replay.write_move(position.ruleset, move)["type"]
        return spoken(said, names) if said else escape(words(str(kind)))

    def _command(self, move: object) -> Message | None:
        return command(self.seen.position, self.seat, move)

    def _target(self, thing: str, moves: Sequence[object], names: Mapping[int, str]) -> JsonObject:
        """Return what a tap on a thing does: the move, or that it asks which of several."""
        does = " / ".join(dict.fromkeys(self._tap(move) for move in moves))
        told = self._command(moves[0]) if len(moves) == 1 else None
        said = plain(told, names) if told else does
        return {"thing": thing, "does": does, "told": said, "is_move": len(moves) == 1}

    def _tap(self, move: object) -> str:
        ruleset = self.seen.position.ruleset
        said = ruleset.tap(move)
        return translated(said) if said else words(str(replay.write_move(ruleset, move)["type"]))


def of_gesture(seen: SeenGame, seat: int, gesture: Gesture) -> Meaning:
    """Return what a gesture of a seat means in a game as that seat sees it."""
    return Meaning(seen, seat, meant(seen.position, seat, gesture))


def _group(ruleset: AnyRuleset, group: Judged, names: Mapping[int, str]) -> JsonObject:
    refused = _refused(ruleset, group.refusal, names)
    return {"text": spoken(group.text, names), "refused": refused, "begun": group.begun}


def _refused(ruleset: AnyRuleset, refusal: Illegal | None, names: Mapping[int, str]) -> JsonObject | None:
    return None if refusal is None else _cited(ruleset, refusal.sentence, refusal.rule or "", names)


def _cited(ruleset: AnyRuleset, sentence: str, rule: str, names: Mapping[int, str]) -> JsonObject:
    """Return a sentence with the rule that it follows from."""
    address = f"{reverse('rules', args=[ruleset.key])}#{rule}"
    return {"text": spoken(sentence, names), "rule": rule, "address": address}


# ---- Questions of the page -----------------------------------------------------------------------


@require_POST
def meaning(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Answer with what a gesture of the reader's seat means (`Meaning.as_json`).

    403 without a seat, 400 for what is not a gesture.
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
    return answer(of_gesture(seen, seen.you, gesture))


def answer(meaning: Meaning) -> HttpResponse:
    """Return what a gesture means as an answer that nobody keeps."""
    response = JsonResponse(meaning.as_json())
    patch_cache_control(response, private=True, no_store=True)
    return response


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
    meaning = of_gesture(seen, seen.you, _read(posted))
    if meaning.move is None and seq != game.seq + 1:
        raise Stale(game.seq + 1, sent=seq)
    return meaning


def _read(posted: str | bytes) -> Gesture:
    """Return a gesture from JSON; raise `Malformed`."""
    try:
        return shapes.read(Gesture, json.loads(posted))
    except (ValueError, RecursionError):
        raise Malformed({"": [_("This form is damaged. Reload the page.")]}) from None
