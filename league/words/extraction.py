"""Finds message ids in the source that are plain literals and are translated only where they are shown.

These are the sentences of refusals and events, the texts of buttons, and the titles and help of declarations.
Calls of `text` and `plural` need no help: gettext's tools find them.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import Final

DECLARED: Final[Mapping[str, Mapping[int, str]]] = {
    "Illegal": {0: "sentence"},
    "Help": {0: "text"},
    "Label": {0: "text"},
    "Matching": {1: "what"},
    "Button": {0: "title", 1: "effect", 2: "undo"},
    "OwnButton": {0: "title", 1: "effect", 2: "done"},
}
"""Which arguments of a call are message ids, by position and by name."""
ATTRIBUTES: Final = ("title", "summary", "text", "text_abandoned")
"""Which attributes of a class are message ids."""
MARK: Final = b"gettext_noop("


def declared(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions of a module where a message id is expected: most are literals."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in DECLARED:
                yield from _arguments(node, DECLARED[name])
            case ast.ClassDef():
                yield from _attributes(node)


def _arguments(call: ast.Call, named: Mapping[int, str]) -> Iterator[ast.expr]:
    yield from (argument for position, argument in enumerate(call.args) if position in named)
    yield from (keyword.value for keyword in call.keywords if keyword.arg in named.values())


def _attributes(declaring: ast.ClassDef) -> Iterator[ast.expr]:
    for node in declaring.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in ATTRIBUTES:
                yield value


def words_in(source: str) -> tuple[ast.Constant, ...]:
    """Return the message ids of a module, in order."""
    by_position = {
        (node.lineno, node.col_offset): node
        for node in declared(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value
    }
    return tuple(by_position[position] for position in sorted(by_position))


def marked(source: str) -> str:
    """Return a module with its message ids in calls that gettext's tools find; line numbers stay the same."""
    lines = source.encode().split(b"\n")
    for node in reversed(words_in(source)):
        assert node.end_lineno and node.end_col_offset, "parsed from text"
        for number, column, mark in (
            (node.end_lineno, node.end_col_offset, b")"),
            (node.lineno, node.col_offset, MARK),
        ):
            line = lines[number - 1]
            lines[number - 1] = line[:column] + mark + line[column:]
    return b"\n".join(lines).decode()
