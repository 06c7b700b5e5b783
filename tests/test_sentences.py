"""Every sentence of the engine, the core and the services can be found and translated."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent

from django.template import Context, Template

from games.engine.messages import text
from league.words.catalogue import Text, declared, everything, in_python
from tests import sentences
from tests.sentences import PARAM, Call, built, calls, calls_in, ids, literal


@cache
def said() -> list[Call]:
    """Return the calls that make sentences."""
    return [call for call in calls() if call.name in ("text", "plural")]


@cache
def refusing() -> list[Call]:
    """Return the calls that make refusals."""
    return [call for call in calls() if call.name in sentences.REFUSALS]


def test_every_id_is_a_literal() -> None:
    wrong = [call.where for call in said() for node in call.ids if literal(node) is None]
    assert not wrong, wrong


def test_declared_words_are_not_concatenated() -> None:
    """A message may stand in place of a literal; it is looked at where it is made."""
    wrong = [where for where, node in sentences.declared_words() if built(node)]
    assert not wrong, wrong


def test_a_sentence_has_exactly_the_params_in_its_text() -> None:
    wrong = [call.where for call in said() if any(named != _given(call) for named in _named(call))]
    assert not wrong, wrong


def test_a_refusal_has_exactly_the_params_in_its_text() -> None:
    stated = [call for call in refusing() if call.name == "Illegal" and literal(call.node.args[0])]
    found = {call.where: {*filter(None, PARAM.findall(literal(call.node.args[0]) or ""))} for call in stated}
    given = {call.where: _given(call) - {"rule", "fields"} for call in stated}
    assert any(given.values())
    assert found == given


def _given(call: Call) -> set[str | None]:
    return {word.arg for word in call.node.keywords} | _counted(call)


def _counted(call: Call) -> set[str]:
    return {"count"} if call.name == "plural" else set()


def _named(call: Call) -> list[set[str]]:
    """Return what each wording names; a count need not be written out."""
    return [{*filter(None, PARAM.findall(literal(node) or ""))} | _counted(call) for node in call.ids]


def test_a_percent_sign_is_doubled_where_params_are_filled_in() -> None:
    filled = [(call.where, literal(node) or "") for call in said() if _given(call) for node in call.ids]
    assert [where for where, wording in filled if "%" in PARAM.sub("", wording)] == []


def test_params_are_not_concatenated() -> None:
    assert [call.where for call in said() if any(built(word.value) for word in call.node.keywords)] == []


def test_refusals_are_not_concatenated() -> None:
    """Of a malformed request no error is a bare literal, which the command would not see."""
    worded = [(call.where, each) for call in refusing() for each in _said(call.node)]
    assert [where for where, each in worded if literal(each) is not None or built(each)] == []


def _said(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the sentences in a refusal's errors."""
    for node in ast.walk(call):
        if isinstance(node, ast.Dict | ast.DictComp):
            yield from _values(node)


def _values(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.Dict(values=values):
            return [part for value in values for part in _items(value)]
        case ast.DictComp(value=value):
            return _items(value)
        case _:
            return _items(node)


def _items(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.List | ast.Tuple) else [node]


def test_names_in_refusals_are_not_concatenated() -> None:
    """What reaches a refusal under a name, or is added to its errors, is a message as well."""
    paths = sorted({call.where.rpartition(":")[0] for call in refusing()})
    assert [f"{path}:{line}" for path in paths for line in _lines_put_together(path)] == []


def _lines_put_together(path: str) -> Iterator[int]:
    for function in ast.walk(ast.parse((sentences.ROOT / path).read_text())):
        if isinstance(function, ast.FunctionDef):
            refused = _names_refused_with(function)
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and _name(node.targets[0]) in refused:
                    said = _values(node.value)
                    keyed = isinstance(node.targets[0], ast.Subscript) or isinstance(node.value, ast.Dict)
                    yield from (each.lineno for each in said if built(each) or (keyed and literal(each)))


def _names_refused_with(function: ast.FunctionDef) -> set[str | None]:
    refusals = (
        call
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and _name(call.func) in sentences.REFUSALS
    )
    return {_name(argument) for call in refusals for argument in call.args if _name(argument)}


def _name(node: ast.expr) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return name
        case _:
            return None


def test_one_text_has_one_plural() -> None:
    """Gettext keeps a text and its plural as one entry."""
    plurals: dict[str | None, set[str | None]] = {}
    for call in said():
        one, *many = [literal(node) for node in call.ids]
        plurals.setdefault(one, set()).update(many or [None])
    assert [one for one, forms in plurals.items() if len(forms) > 1] == []


DOTTED = re.compile(r"%\(\w+\)s(?:</\w+>)*\.(?=\s|$)")


def test_a_name_or_a_date_with_a_dot_ends_a_sentence_with_one() -> None:
    told = Template(
        "{% load i18n %}{% blocktranslate %}With <b>{{ club }}</b>. At {{ club }}.{% endblocktranslate %}"
    )
    assert told.render(Context({"club": "Karten e. V."})) == "With <b>Karten e. V.</b> At Karten e. V."
    assert text("It is %(name)s. Ask %(whom)s.", name="Ada", whom="K. e. V.") == "It is Ada. Ask K. e. V."
    assert text("And so on %(name)s", name="...") == "And so on ..."


def test_sentences_of_pages_that_end_with_a_param_are_filled_with_one_dot() -> None:
    """`filled` does; ``%`` would leave the two dots of “Karten e. V..”"""
    modules = [path for app in ("league", "api") for path in Path(app).rglob("*.py")]
    assert [f"{path}:{node.lineno}" for path in modules for node in _with_percent(path)] == []


def _with_percent(path: Path) -> Iterator[ast.BinOp]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            words = (each.value for each in ast.walk(node.left) if isinstance(each, ast.Constant))
            if any(DOTTED.search(word) for word in words if isinstance(word, str)):
                yield node


WRONG = """
    from games.engine import messages
    from games.engine.messages import text
    from games.engine.refusals import Illegal
    raise Illegal(f"Round {number} is over.")
    raise Illegal("Round " + name)
    raise Illegal("Round %s" % name)
    raise Illegal(", ".join(names) + " play.")
    text(f"Round {number}")
    messages.text("a" if number else f"{number}")
"""


def test_concatenated_texts_are_found() -> None:
    found = [call for call in calls_in("wrong.py", dedent(WRONG)) if call.name in ("text", "Illegal")]
    assert len(found) == 6
    assert all(built(call.node.args[0]) for call in found)
    refused = [*declared(ast.parse(dedent(WRONG)))]
    assert len(refused) == 4
    assert all(map(built, refused))


DECLARED = """
    @dataclass
    class Drawn(Event, type="drawn"):
        text = "Round %(round)s is drawn."
        seed: Annotated[str, Matching(SEED, "64 digits"), Help(
            "it decides "
            "the “draw”")]

        def apply(self, state: State) -> State:
            raise Illegal("Äh – no round.") if state.round else Illegal(message, "S1")
"""


def test_declared_words_are_found() -> None:
    said = ["Round %(round)s is drawn.", "64 digits", "it decides the “draw”", "Äh – no round."]
    assert sorted(in_python(dedent(DECLARED))) == sorted(map(Text, said))


def test_every_id_is_found() -> None:
    assert ids() - {wording for found in everything() for wording in found.text} == set()
