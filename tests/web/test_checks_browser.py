"""The checks that a reader's browser makes: of a finished game, and of a draw."""

import json
from collections.abc import Sequence

from playwright.sync_api import Page, Route, expect

from games.engine import chain
from games.engine.jsontypes import JsonObject
from league import log
from league.core import commitment
from league.core.verbs.draw import DrawRound
from league.core.verbs.give_text import GiveText
from league.core.verbs.publish import PublishRound
from league.core.verbs.start import StartCompetition
from league.services.play import make_move
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened
from tests.scripts.node import found


def test_the_page_of_a_finished_game_checks_it_step_by_step(page: Page, cast: Cast) -> None:
    game = cast.game("scoops")
    make_move(by=cast.paul, game_id=game.pk, seq=2, move={"type": "resign"})
    page.goto(f"/games/{game.pk}/")
    page.get_by_role("button", name="Check the deal here").click()
    expect(page.get_by_text("Proved:")).to_contain_text("shuffles and rolls repeated: 3")
    expect(page.locator("#proof li").get_by_text("✓")).to_have_count(4)
    page.get_by_text("What each shuffle and roll gave here").click()
    expect(page.locator("[data-made] dt")).to_have_text(["first-seat", "round/1/deal", "round/1/dice"])
    page.route("**/draws/", _with_another_card)
    page.get_by_role("button", name="Check the deal here").click()
    expect(page.get_by_text("This is wrong from here on: round/1/deal")).to_be_visible()
    expect(page.locator("#proof li").last.get_by_text("✗")).to_be_visible()
    page.route("**/draws/", _without_dice)
    page.get_by_role("button", name="Check the deal here").click()
    expect(page.get_by_text("This is wrong from here on: round/1/dice")).to_be_visible()
    page.route("**/log/", lambda route: route.fulfill(body="{"))
    page.get_by_role("button", name="Check the deal here").click()
    expect(page.get_by_text("The log could not be loaded.")).to_be_visible()


def _with_another_card(route: Route) -> None:
    answer = route.fetch()
    draws = answer.json()["draws"]
    next(each for each in draws if each["purpose"] == "round/1/deal")["gives"].reverse()
    route.fulfill(response=answer, json={"draws": draws})


def _without_dice(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, json={"draws": answer.json()["draws"][:-1]})


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
    code = "return given.logs.map((log) => { try { return made.checkDraw(log, given.seq).entries; }"
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
