"""The forms of a page of a game, as a browser without scripts sends them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from games.engine.jsontypes import JsonObject


@dataclass
class Form:
    """A form of a page: what it sends as it is, its boxes and options by what they send, and their words."""

    kind: str
    sent: dict[str, str] = field(default_factory=dict)
    boxes: dict[str, str] = field(default_factory=dict)
    options: dict[str, list[str]] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)


class Forms(HTMLParser):
    """Reads the forms of moves off a page."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.select = self.legend = ""
        self.within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(given.get("data-form", "")))
        if tag in ("legend", "label", "option"):
            self.within.append("")
        if not self.forms:
            return
        form, name, value = self.forms[-1], given.get("name", ""), given.get("value", "")
        match tag, given.get("type"):
            case "input", "checkbox":
                form.boxes[value] = name
                if "checked" in given:
                    form.sent[name] = value
            case "input", "radio":
                form.options.setdefault(name, []).append(value)
            case "input", _:
                form.sent[name] = value
            case "select", _:
                self.select = name
            case "option", _:
                form.options.setdefault(self.select, []).append(value)

    def handle_data(self, data: str) -> None:
        self.within = [f"{text}{data}" for text in self.within]

    def handle_endtag(self, tag: str) -> None:
        if tag == "fieldset":
            self.legend = ""
        if tag not in ("legend", "label", "option") or not self.within:
            return
        text = " ".join(self.within.pop().split())
        if tag == "legend":
            self.legend = text
        elif self.forms:
            self.forms[-1].words.append(f"{self.select if tag == 'option' else self.legend}: {text}")


def forms_of(answer: Any) -> dict[str, Form]:
    """Return the forms of a page by their kind."""
    reader = Forms()
    reader.feed(answer.content.decode())
    return {form.kind: form for form in reader.forms if form.kind}


def filled_in(forms: dict[str, Form], move: JsonObject) -> dict[str, str]:
    """Return what is sent where a move is picked or written; raises AssertionError where it can't be."""
    kind = str(move["type"])
    form = forms.get(kind) or forms[f"{kind}-{move['seat']}"]
    offers = [*form.options.get("offer", []), form.sent.get("offer", "")]
    if picked := next((offer for offer in offers if offer and json.loads(offer) == move), None):
        return {**form.sent, "offer": picked}
    return {**form.sent, **dict(_written(form, move))}


def _written(form: Form, move: JsonObject) -> Iterator[tuple[str, str]]:
    for name, value in move.items():
        if f"pick-{name}" in form.options:
            yield (
                f"pick-{name}",
                next(each for each in form.options[f"pick-{name}"] if as_json(each) == value),
            )
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield from _listed(form, name, value)
        elif value is True:
            yield form.boxes["on"], "on"
        elif name != "type" and value not in (None, False, []):
            assert f"own-{name}" in form.sent or as_json(form.sent[f"pick-{name}"]) == value
            yield f"own-{name}", " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _listed(form: Form, name: str, items: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the boxes of places that are ticked, or what is written in the row of each meld."""
    places = [(box, each) for each, box in form.boxes.items() if as_json(each) in items]
    if places:
        assert len(places) == len(items)
        yield from places
        return
    for row, item in enumerate(items):
        for part, value in item.items():
            assert f"own-{name}-{row}-{part}" in {*form.sent, *form.options}
            yield f"own-{name}-{row}-{part}", " ".join(value) if isinstance(value, list) else str(value)


def as_json(text: str) -> Any:
    return json.loads(text) if text else None
