"""Mutants of functions: mutmut's operators, without wording, and the exchange of a function's code."""

import ast
import difflib
import functools
import importlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any, Final

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import Mutation, MutationVisitor, deep_replace
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

WORDING: Final = frozenset(
    (
        *("text", "plural", "seat", "seat_first", "all_of", "both", "either", "listed", "Help", "Label"),
        *("AssertionError", "assert_never", "Message", "TypeVar", "cast"),
    )
)
"""Calls that make words, or that no test should reach."""
FOR_TESTS: Final = frozenset({"with_hidden"})
"""Functions that the tests alone call."""


@dataclass(frozen=True)
class Mutant:
    """A function with one change: its file, its qualified name, the change, and the lines of its statement.

    ``number`` counts the changes of the function from 1.
    """

    path: Path
    function: str
    number: int
    lines: range
    parsed: cst.Module
    mutation: Mutation

    @property
    def name(self) -> str:
        """Return file, function and number, such as ``games/engine/chance.py:words:3``."""
        return f"{self.path}:{self.function}:{self.number}"

    @functools.cached_property
    def after(self) -> str:
        """Return the text of the module with the change."""
        changed: Any = deep_replace(self.parsed, self.mutation.original_node, self.mutation.mutated_node)
        code: str = changed.code
        return code

    @property
    def module(self) -> str:
        """Return the name of the module."""
        return ".".join(self.path.with_suffix("").parts).removesuffix(".__init__")

    def diff(self) -> str:
        """Return the change as a unified diff."""
        before, after = (text.splitlines(keepends=True) for text in (self.parsed.code, self.after))
        return "".join(difflib.unified_diff(before, after, str(self.path), "mutant", n=1))


class Visitor(MutationVisitor):
    """mutmut's visitor, which also enters decorated functions, and leaves defaults and wording alone."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        match node:
            case cst.Arg(keyword=cst.Name(value="strict")):
                return True
            case cst.Param() | cst.Decorator() | cst.Annotation() | cst.Assert():
                return True
            case cst.Call(func=cst.Name(value=name)) if name in WORDING:
                return True
            case cst.SimpleString(value=value) if " " in value:
                return True
            case cst.FunctionDef():
                return False
        return bool(super()._skip_node_and_children(node))


def mutants_of(top: Path, path: Path) -> Iterator[Mutant]:
    """Yield the mutants of a file."""
    text = (top / path).read_text("utf-8")
    wrapper = MetadataWrapper(cst.parse_module(text))
    visitor = Visitor(mutation_operators, IgnoredCode(set(), set(), set()))
    module = wrapper.visit(visitor)
    names = {function: name for name, function in functions(module)}
    places, ranges = wrapper.resolve(PositionProvider), statements(text)
    counted: Counter[str] = Counter()
    for mutation in visitor.mutations:
        name = names.get(mutation.contained_by_top_level_function)
        if name is None or name.rpartition(".")[2] in FOR_TESTS or not counts(mutation):
            continue
        counted[name] += 1
        line = places[mutation.original_node].start.line
        yield Mutant(path, name, counted[name], ranges[line], module, mutation)


def statements(text: str) -> Mapping[int, range]:
    """Return for each line of a module the lines of the innermost statement, or of its head, that has it."""
    found: dict[int, range] = {}
    for node in ast.walk(ast.parse(text)):  # outer statements come first
        if isinstance(node, ast.stmt | ast.match_case):
            lines = [each.lineno for each in ast.walk(node) if hasattr(each, "lineno")]
            body = [each.lineno for each in getattr(node, "body", ()) if isinstance(each, ast.stmt)]
            first, last = min(lines), max(getattr(each, "end_lineno", 0) or 0 for each in ast.walk(node))
            head = range(first, max(first, min(body, default=last + 1) - 1) + 1)
            found.update((line, head) for line in range(first, last + 1))
    return found


def functions(module: cst.Module) -> Iterator[tuple[str, cst.CSTNode]]:
    """Yield the functions and methods of a module by their qualified names."""
    for node in module.body:
        if isinstance(node, cst.FunctionDef):
            yield node.name.value, node
        elif isinstance(node, cst.ClassDef):
            for each in node.body.body:
                if isinstance(each, cst.FunctionDef):
                    yield f"{node.name.value}.{each.name.value}", each


def counts(mutation: Mutation) -> bool:
    """Return whether the mutation changes more than words, and more than what no code reaches.

    No code reaches the case that `assert_never` has, or what `zip` does with lists that differ in length.
    """
    before, after = mutation.original_node, mutation.mutated_node
    match before, after:
        case cst.Call(func=cst.Name(value="Illegal")), cst.Call():
            return bool(after.args) and after.args[0].value is before.args[0].value
        case cst.Call(func=cst.Name(value="zip")), cst.Call():
            return strictness(before) is strictness(after)
        case cst.Match(), cst.Match():
            (lost,) = {*before.cases} - {*after.cases}
            return "assert_never(" not in cst.Module([]).code_for_node(lost)
    return True


def strictness(call: cst.Call) -> cst.BaseExpression | None:
    """Return the value of the argument ``strict``."""
    return next((arg.value for arg in call.args if arg.keyword and arg.keyword.value == "strict"), None)


def exchange(mutant: Mutant) -> None:
    """Give the loaded function the code of the mutant.

    Raises AttributeError if it is not found, ValueError if the code closes over other names, SyntaxError.
    """
    module = importlib.import_module(mutant.module)
    compiled = compile(mutant.after, str(module.__file__), "exec")
    function_of(module, mutant.function).__code__ = code_named(compiled, mutant.function)


def code_named(code: CodeType, name: str) -> CodeType:
    """Return the code of a function within that of a module."""
    inner: Sequence[CodeType] = [each for each in code.co_consts if isinstance(each, CodeType)]
    for each in inner:
        if each.co_qualname == name:
            return each
        if name.startswith(f"{each.co_qualname}."):
            return code_named(each, name)
    raise AttributeError(name)


def function_of(module: Any, name: str) -> Any:
    """Return the function of a qualified name, taken out of what its decorators made of it."""
    *owners, last = name.split(".")
    owner = functools.reduce(getattr, owners, module)
    found = vars(owner)[last] if last in vars(owner) else getattr(owner, last)
    while not hasattr(found, "__code__"):
        for inside in ("fget", "func", "__func__", "__wrapped__"):
            if hasattr(found, inside):
                found = getattr(found, inside)
                break
        else:
            raise AttributeError(name)
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    return found
