"""The lines of play of the kit, and how an engine is held to one of them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

KIT: Final = Path(__file__).parents[2] / "docs" / "conformance"
SENTENCES: Final = frozenset({"sentence", "why"})
"""The fields of answers that hold sentences for players; the kit does not compare them."""


@dataclass(frozen=True)
class Exchange:
    """A request, and what the answer to it must hold."""

    request: Mapping[str, Any]
    answer: Mapping[str, Any]


@dataclass(frozen=True)
class Line:
    """A recorded line of play, and the numbers of the rules that it shows."""

    name: str
    ruleset: str
    title: str
    shows: tuple[str, ...]
    exchanges: tuple[Exchange, ...]

    @property
    def path(self) -> Path:
        """Return the file of the line, below the folder of the kit."""
        return Path(self.ruleset.partition("@")[0]) / f"{self.name}.jsonl"

    def text(self) -> str:
        """Return the line as its file holds it: a head, then one exchange a line."""
        head = {"line": self.name, "ruleset": self.ruleset, "title": self.title, "shows": [*self.shows]}
        rows = [head, *({"request": each.request, "answer": each.answer} for each in self.exchanges)]
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def read(path: Path) -> Line:
    """Return the line of play in a file."""
    head, *rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    exchanges = tuple(Exchange(row["request"], row["answer"]) for row in rows)
    return Line(head["line"], head["ruleset"], head["title"], tuple(head["shows"]), exchanges)


def lines(kit: Path = KIT, game: str | None = None) -> Iterator[Line]:
    """Yield the lines of the kit in order of their files, all or those of one game."""
    for path in sorted(kit.glob(f"{game or '*'}/*.jsonl")):
        yield read(path)


def held(line: Line, ask: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> str | None:
    """Return a sentence on the first answer that differs from the recorded one, or None."""
    for number, exchange in enumerate(line.exchanges, 1):
        answer = ask(exchange.request)
        wrong = judged(exchange.answer, answer)
        if wrong := wrong or difference(exchange.answer, comparable(exchange.answer, answer)):
            asked = json.dumps(exchange.request, ensure_ascii=False)
            return f"{line.path}, exchange {number}: asked {asked}, {wrong}"
    return None


def judged(recorded: Mapping[str, Any], answer: Mapping[str, Any]) -> str | None:
    """Return a sentence where a legal request was refused or an illegal one accepted, or None."""
    if recorded["ok"] and answer.get("ok") is False:
        return f"it was refused but is legal; the engine says: {_short(answer.get('sentence'))}"
    if not recorded["ok"] and answer.get("ok") is True:
        rule = f" by rule {recorded['rule']}" if recorded["rule"] else ""
        return f"it was accepted but is {recorded['code']}{rule}"
    return None


def comparable(recorded: Mapping[str, Any], answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an answer without what the kit leaves free: wording, additions, values that are offered.

    Of ``choices`` the types of the moves are compared, each once and in alphabetical order.
    """
    offered = answer.get("choices")
    if "types" in recorded:
        types = {str(each.get("type")) for each in offered} if isinstance(offered, list) else None
        answer = {**answer, "types": types if types is None else sorted(types)}
    return {name: wordless(answer[name]) for name in recorded if name in answer}


def wordless(value: Any) -> Any:
    """Return a JSON value without the sentences for players, at any depth."""
    if isinstance(value, Mapping):
        return {name: wordless(each) for name, each in value.items() if name not in SENTENCES}
    return [wordless(each) for each in value] if isinstance(value, list) else value


def difference(recorded: Any, answered: Any, where: str = "the answer") -> str | None:
    """Return a sentence on the first difference between two JSON values, or None."""
    if isinstance(recorded, Mapping) and isinstance(answered, Mapping):
        return _of_objects(recorded, answered, where)
    if isinstance(recorded, list) and isinstance(answered, list) and len(recorded) == len(answered):
        return _first(
            difference(one, other, f"{where}[{index}]")
            for index, (one, other) in enumerate(zip(recorded, answered, strict=True))
        )
    if type(recorded) is type(answered) and recorded == answered:
        return None
    return f"{where} is {_short(answered)}, it must be {_short(recorded)}"


def _of_objects(recorded: Mapping[str, Any], answered: Mapping[str, Any], where: str) -> str | None:
    if missing := sorted({*recorded} - {*answered}):
        return f"{where} lacks {_names(missing)}"
    if added := sorted({*answered} - {*recorded}):
        return f"{where} has {_names(added)}, which must not be there"
    return _first(difference(recorded[name], answered[name], f"{where}.{name}") for name in recorded)


def _first(sentences: Iterator[str | None]) -> str | None:
    return next((sentence for sentence in sentences if sentence), None)


def _names(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}…"
