"""Every button of the desk that ends something for good asks first: found by walking all of its pages.

Such a button has the class ``danger``. A label that speaks of an end on a button of another class fails, and
so does a button of a template that the walk does not meet.
"""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

import pytest
from django.conf import settings
from django.test import Client

from league.apps.attendance.services import set_asking
from league.apps.evenings.services import begin_rhythm, keep_preset
from league.apps.my_evening.services import make_passes
from league.apps.people.duties import keep_duty
from league.models import App, Job
from league.services.clubs import create_app_token
from tests.apps.attendance.test_door import door, say
from tests.factories import Cast
from tests.league.playing import in_play
from tests.league.test_admin_scope import everything, logged_in
from tests.league.walking import Rows, addresses, rows_of

QUESTIONS: Final = {
    *("admin/ask.html", "admin/competition_act.html", "admin/delete_confirmation.html", "series/act.html"),
    *("people/merge.html", "people/remove.html", "own_games/copy.html"),
}
"""Pages that are the question, and the form of a game, whose buttons take away what nobody has sent yet."""
FORM: Final = re.compile(r'<form\b([^>]*method="post"[^>]*)>(.*?)</form>', re.DOTALL)
FILE: Final = re.compile(r"/export\.|/file|/print/|\.(csv|json|pdf|xlsx)$")
"""Addresses that answer no page of the desk, or one that only prints."""
INPUT: Final = re.compile(r"<input\b([^>]*)>")
BUTTON: Final = re.compile(r"<button\b((?:{%.*?%}|{{.*?}}|[^>])*)>(.*?)</button>", re.DOTALL)
AN_END: Final = re.compile(r"(End|Revoke|Refuse|Retire|Delete|Cancel|Stop|Not let in|New address)\b")
"""How labels begin that speak of an end for good; what is removed or dropped can mostly be put back."""


def given(attributes: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', attributes)}


def said(label: str) -> str:
    return " ".join(unescape(re.sub(r"<span.*?</span>|{%.*?%}", "", label)).split())


def dangerous(page: str, path: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield label, address and what is sent, for each dangerous button of a page's forms; all is ticked."""
    for form, inside in FORM.findall(page):
        fields: dict[str, Any] = {}
        for each in map(given, INPUT.findall(inside)):
            fields.setdefault(each.get("name", ""), []).append(each.get("value", "on"))
        for attributes, label in BUTTON.findall(inside):
            button = given(attributes)
            if "danger" in button.get("class", "").split():
                to = button.get("formaction") or given(form).get("action") or path
                yield said(label), to, {**fields, button.get("name", ""): button.get("value", "")}


def in_templates() -> Iterator[tuple[str, str, set[str]]]:
    """Yield the template, the class and what it can say, for each button that sends a form of the desk."""
    for path in Path(settings.BASE_DIR).glob("**/templates/**/*.html"):
        text, name = path.read_text(), "/".join(path.parts[-2:])
        if name not in QUESTIONS and (
            path.parts[-2] == "admin" or "desk" in name or "admin/base_site" in text
        ):
            for attributes, label in BUTTON.findall(text):
                if 'type="button"' not in attributes:
                    yield name, given(attributes).get("class", ""), {*re.findall(r'translate "(.*?)"', label)}


@pytest.fixture
def rows(cast: Cast) -> Rows:
    """A row of every kind on the desk, with all that can be ended for good."""
    competition = in_play(cast, 4, ruleset="scoops-scorecard")
    found = rows_of(cast, competition)
    app = App.objects.get(pk=found[App].pk)
    create_app_token(by=cast.olga, app=app, name="Score", scopes=["club:rule"])
    Job.objects.update(status="waiting")
    keep_preset(by=cast.olga, competition=competition, name="Our Thursday")
    begin_rhythm(
        by=cast.olga,
        like=competition,
        weekday=3,
        nth=0,
        weeks=1,
        first=cast.club.today,
        at=None,
        days_before=6,
    )
    make_passes(by=cast.olga, competition=competition, people=cast.people(2))
    keep_duty(by=cast.olga, club=cast.club, duty=None, name="Key", people=[cast.paul_plays])
    set_asking(by=cast.olga, competition=competition, asks=True, enters=False, days=0, most_visits=0)
    for name in ("Gus", "Una"):
        say(Client(), door(cast, competition), name)
    return found


def test_every_button_that_ends_something_for_good_asks_first(cast: Cast, rows: Rows) -> None:
    olga, met, before = logged_in(cast.olga), set[str](), everything()
    todo = [each.path for each in addresses(rows) if not FILE.search(each.path)]
    for path in todo:
        answer = olga.get(path)
        if not answer.templates or QUESTIONS & {each.name for each in answer.templates}:
            continue
        page = answer.content.decode()
        links = re.findall(r'href="([^"]*\?(?:duty|category)=[^"]+)"', page)
        todo += {urljoin(path, each) for each in links} - {*todo}
        for label, to, sent in dangerous(page, path):
            asked = olga.post(to, sent)
            assert QUESTIONS & {each.name for each in asked.templates}, f"{label} on {path} does not ask"
            met.add(label)
    assert everything() == before
    assert [each for each in in_templates() if "danger" in each[1] and each[2] and not each[2] & met] == []


def test_no_other_button_speaks_of_an_end() -> None:
    found = [each for each in in_templates() if any(map(AN_END.match, each[2])) and "danger" not in each[1]]
    assert found == []
