"""What people without an account write is allowed in a file: every verb of an evening, and of the door."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final, TypeAlias

import pytest
from django.core.exceptions import PermissionDenied

from games import database_time
from league.apps.hall.holders import OnOwnPhone
from league.apps.hall.services import set_self_check_in
from league.apps.my_evening.holders import BY_EVENING
from league.callers import Caller
from league.core.verb import Given, Verb
from league.core.verbs.answers import AcceptChallenge, RefuseChallenge
from league.core.verbs.byes import RequestBye
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.objections import Object, PostResults
from league.core.verbs.presence import CheckInEntry, MarkAbsent, MarkPresent
from league.core.verbs.rounds import PublishRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.start import StartCompetition
from league.models import Competition, Entry, Player
from league.services.verbs import perform
from tests.apps.hall.test_drop_in import STAGE, comes, evening, phone_of, playing, waiting
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, opened, tables
from tests.league.test_challenges import challenged
from tests.league.test_verify import checked, exported

Scene: TypeAlias = tuple[Competition, Entry, list[tuple[str, Mapping[str, Any]]]]
"""A competition, and what is sent from the evening of an entry in it."""


def objecting(cast: Cast) -> Scene:
    held = in_play(cast, 4)
    (table,) = tables(held)
    scores = tuple({"seat": seat, "score": seat} for seat in range(4))
    act(cast.olga, held, SetResult, table=table.pk, seats=scores)
    act(cast.olga, held, PostResults, until=database_time.now() + timedelta(minutes=30))
    return held, held.entries.all()[0], [("object", {"table": str(table.pk), "what": "9"})]


def asking_for_a_bye(cast: Cast) -> Scene:
    held = in_play(cast, 8, stages=[{**PLAN, "rounds": 3, "requested_byes": 1}])
    return held, held.entries.all()[0], [("bye", {"round": 2})]


def playing_after_all(cast: Cast) -> Scene:
    held, entry, asked = asking_for_a_bye(cast)
    return held, entry, [*asked, ("bye", {"round": 2, "back": 1})]


def on_a_break(cast: Cast) -> Scene:
    held = evening(cast, 7)
    return held, held.entries.get(name=waiting(held)[0]), [("break", {})]


def back_for_a_table(cast: Cast) -> Scene:
    held, entry, _rests = on_a_break(cast)
    phone_of(cast, held, entry).post(f"/competitions/{held.slug}/my-evening/break/")
    comes(cast, held, "Late Larry")
    assert len(playing(held)) == 1
    return held, entry, [("break", {"back": 1})]


def challenged_to(answer: str) -> Callable[[Cast], Scene]:
    def scene(cast: Cast) -> Scene:
        held, number = challenged(cast)
        entry = held.entries.get(members__player=cast.paul_plays)
        return held, entry, [("challenge", {"challenge": number, "answer": answer})]

    return scene


SCENES: Final[list[tuple[type[Verb], Callable[[Cast], Scene], str]]] = [
    (Object, objecting, "objected"),
    (RequestBye, asking_for_a_bye, "bye_requested"),
    (MarkPresent, playing_after_all, "present"),
    (MarkAbsent, on_a_break, "absent"),
    (MarkPresent, back_for_a_table, "waiting_seated"),
    (AcceptChallenge, challenged_to("accept"), "table_opened"),
    (RefuseChallenge, challenged_to("refuse"), "challenge_refused"),
]


@pytest.mark.parametrize(("scene", "last"), [(scene, last) for _kind, scene, last in SCENES])
def test_the_file_is_right_after_it(scene: Callable[[Cast], Scene], last: str, cast: Cast) -> None:
    held, entry, sent = scene(cast)
    phone = phone_of(cast, held, entry)
    for path, form in sent:
        assert phone.post(f"/competitions/{held.slug}/my-evening/{path}/", form).status_code == 302
    row = held.events.latest("seq")
    assert (row.event["type"], row.role, row.account) == (last, "player", None)
    assert checked(exported(held))


def test_every_verb_of_an_evening_is_among_them() -> None:
    assert {kind for kind, _scene, _last in SCENES} == {*BY_EVENING}


def test_the_file_is_right_after_who_checks_in_at_the_door_gets_a_table(cast: Cast) -> None:
    held = opened(cast, 8, stages=[STAGE], entering={"check_in": True})
    set_self_check_in(by=cast.olga, competition=held, on=True)
    late, *first = held.entries.all()
    for entry in first:
        act(cast.olga, held, CheckInEntry, entry=entry.pk)
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, held, verb)
    perform(OnOwnPhone(), competition=held, verb=CheckInEntry(str(late.pk)))
    assert len(playing(held)) == 2 and checked(exported(held))


class Nobody(Caller):
    """Somebody without an account whom a part of the service lets do more than files allow."""

    def given(self, competition: Competition, verbs: Any) -> Given:
        return Given(str(competition.pk), database_time.now(), "player", str(Player.objects.all()[0].pk))


def test_nothing_else_is_written_without_an_account(cast: Cast) -> None:
    held = in_play(cast, 4)
    with pytest.raises(PermissionDenied):
        perform(Nobody(), competition=held, verb=WithdrawEntry(str(held.entries.all()[0].pk)))
    assert held.events.count() == held.seq


@pytest.mark.parametrize("form", [{}, {"back": 1}])
def test_there_is_no_break_where_tables_are_drawn(form: Mapping[str, Any], cast: Cast) -> None:
    held = in_play(cast, 8)
    phone, before = phone_of(cast, held, held.entries.all()[0]), held.events.count()
    answer = phone.post(f"/competitions/{held.slug}/my-evening/break/", form, follow=True)
    assert "No tables open by themselves now." in answer.content.decode()
    assert held.events.count() == before
