"""The checks that a reader's browser makes: of a finished game, and of a draw."""

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Route, expect

from games.engine import chain
from games.engine.jsontypes import JsonObject
from league import log
from league.callers import ByAccount
from league.core import commitment
from league.core.verbs.cut_off import GiveText
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.services.play import make_move
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened
from tests.scripts.node import found
from tests.web.test_replays import golden


def test_the_page_of_a_finished_game_checks_it_step_by_step(page: Page, cast: Cast) -> None:
    game = cast.game("scoops")
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move={"type": "resign"})
    page.goto(f"/games/{game.pk}/")
    page.evaluate(_NOTE_MARKS)
    page.get_by_role("button", name="Check the deal here").click()
    expect(page.get_by_text("Proved:")).to_contain_text("shuffles and rolls repeated: 3")
    assert page.evaluate("window.marks") == [["chain"], ["head"], ["commitment"], ["draws"], ["hands"]]
    page.get_by_text("What each shuffle and roll gave here").click()
    expect(page.locator("[data-made] dt")).to_have_text(["first-seat", "round/1/deal", "round/1/dice"])
    page.route("**/log/", lambda route: route.fulfill(body="{"))
    page.get_by_role("button", name="Check the deal here").click()
    expect(page.get_by_text("The log could not be loaded.")).to_be_visible()


_NOTE_MARKS = """() => {
    window.marks = [];
    new MutationObserver((changes) => {
        const marks = changes.map((each) => each.target).filter((each) => each.dataset.mark && !each.hidden);
        if (marks.length) window.marks.push(marks.map((each) => each.closest("[data-step]").dataset.step));
    }).observe(document.querySelector("[data-check]"), { attributes: true, subtree: true });
}"""
"""Notes which steps are marked at the same time."""


def test_what_a_server_changes_in_its_answers_is_found(page: Page, cast: Cast) -> None:
    page.goto(f"/games/{golden(cast, 'scamper/dealt-again').pk}/")
    for answer, change, step, where in CHANGES:
        page.route(f"**/{answer}/", partial(_changed_answer, change))
        page.get_by_role("button", name="Check the deal here").click()
        expect(page.get_by_text(f"This is wrong from here on: {where}")).to_be_visible()
        expect(page.locator(f"[data-step={step}]").get_by_text("✗")).to_be_visible()
        page.unroute(f"**/{answer}/")


def _changed_answer(change: Callable[[Any], None], route: Route) -> None:
    answer = route.fetch()
    changed = answer.json()
    change(changed)
    route.fulfill(response=answer, json=changed)


def _deal(answer: Any) -> Any:
    return next(each for each in answer["draws"] if each["purpose"] == "round/1/deal/attempt/1")


def _with_hands_exchanged(answer: Any) -> None:
    turned = {'data-seat="0"': 'data-seat="1"', 'data-seat="1"': 'data-seat="0"'}
    answer["lines"] = [
        re.sub("|".join(turned), lambda seat: turned[seat[0]], line) for line in answer["lines"]
    ]


CHANGES: Sequence[tuple[str, Callable[[Any], Any], str, str]] = [
    ("draws", lambda answer: _deal(answer)["gives"].reverse(), "draws", "round/1/deal/attempt/1"),
    ("draws", lambda answer: _deal(answer)["items"].reverse(), "draws", "round/1/deal/attempt/1"),
    ("draws", lambda answer: answer["draws"].pop(), "draws", "round/1/deal/attempt/1"),
    ("frames", _with_hands_exchanged, "hands", "round/1/deal"),
    ("frames", lambda answer: answer["deals"].pop(), "hands", "round/1/deal/attempt/1"),
]


@pytest.mark.parametrize("name", ["scram/everybody-adds-to-the-seed", "scamper/dealt-again"])
def test_a_hall_without_encryption_checks_a_game_too(page: Page, site: str, cast: Cast, name: str) -> None:
    page.route("http://hall.example/**", lambda route: _from(site, route))
    page.goto(f"http://hall.example/games/{golden(cast, name).pk}/")
    assert page.evaluate("[isSecureContext, typeof crypto.subtle]") == [False, "undefined"]
    page.get_by_role("button", name="Check the deal here").click()
    expect(page.locator("#proof li").get_by_text("✓")).to_have_count(5)


def _from(site: str, route: Route) -> None:
    with suppress(Error):  # the page may be closed before the studio has all that it asks for
        route.fulfill(response=route.fetch(url=route.request.url.replace("http://hall.example", site)))


def test_the_page_of_a_running_game_offers_no_check(page: Page, cast: Cast) -> None:
    page.goto(f"/games/{cast.game('scoops').pk}/")
    expect(page.get_by_role("heading", name="Proof of fair play")).to_be_visible()
    expect(page.get_by_text("Check the deal here")).to_have_count(0)


def test_a_round_shows_its_draw_checked_in_the_browser(page: Page, cast: Cast) -> None:
    competition = opened(cast, 8)
    act(cast.olga, competition, StartCompetition)
    act(cast.olga, competition, GiveText, text="three blind mice")
    act(cast.olga, competition, DrawRound)
    act(cast.olga, competition, DrawRound, reason="a table was missing")
    act(cast.olga, competition, PublishRound)
    page.goto(f"/competitions/{competition.slug}/rounds/")
    page.get_by_text("How was this drawn?").click()
    page.get_by_role("button", name="Check the draw here").click()
    competition.refresh_from_db()
    origin = log.latest(competition).stages[0].rounds[0].origins[-1]
    cut_off = json.loads(list(log.lines(competition))[origin.seq - 1])["event"]
    seed = commitment.seed(bytes.fromhex(origin.reveal.preimage), chain.canonical(cut_off))
    expect(page.locator("[data-outcome=good]:visible")).to_contain_text(seed.hex())
    page.route("**/log/", lambda route: _changed(route, origin.seq))
    page.get_by_role("button", name="Check the draw here").click()
    expect(page.get_by_text(f"This is wrong at entry {origin.seq}")).to_be_visible()


def _changed(route: Route, seq: int) -> None:
    lines = [json.loads(line) for line in route.fetch().text().splitlines()]
    lines[seq - 1]["event"]["present"].reverse()
    route.fulfill(body="\n".join(map(json.dumps, lines)))


def test_a_draw_from_another_secret_or_after_its_cut_off_is_wrong(cast: Cast) -> None:
    competition = opened(cast, 8)
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    competition.refresh_from_db()
    events = [json.loads(line)["event"] for line in log.lines(competition)]
    seq = next(number for number, event in enumerate(events, 1) if event.get("purpose") == "round")
    drawn = next(event for event in events if event["type"] == "drawn")
    other = {**drawn, "reveal": {**drawn["reveal"], "preimage": "ab" * 32}}
    code = "const last = (steps) => { let at; do at = steps.next(); while (!at.done); return at.value; };"
    code += "return given.logs.map((log) => { try { return last(made.checkDraw(log, given.seq)).entries; }"
    code += " catch (error) { return `${error.step} ${error.where}`; } });"
    logs = [
        chained(events),
        chained([other if event is drawn else event for event in events]),
        chained([*events[:seq], events[seq - 1], *events[seq:]]),
        chained([drawn, *events[:seq], *(event for event in events[seq:] if event is not drawn)]),
    ]
    assert found("checks.js", code, {"logs": logs, "seq": seq}) == [
        len(events),
        f"secret {events.index(drawn) + 1}",
        f"cut-off {seq}",
        f"cut-off {seq}",
    ]


def chained(events: Sequence[JsonObject]) -> str:
    """Return a log of these events whose hashes fit."""
    head, lines = chain.ORIGIN, []
    for seq, event in enumerate(events, 1):
        entry: JsonObject = {"seq": seq, "event": event}
        head = chain.link(head, entry)
        lines.append(json.dumps({**entry, "hash": head}))
    return "\n".join(lines)
