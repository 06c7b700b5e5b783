"""Mutants of functions: mutmut's operators, without wording, and the exchange of a function's code."""

import difflib
import functools
import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any, Final

import libcst as cst
from libcst.metadata import MetadataWrapper
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


@dataclass(frozen=True)
class Mutant:
    """A function with one change: its file, its qualified name, the parsed module and the change."""

    path: Path
    function: str
    parsed: cst.Module
    mutation: Mutation

    @functools.cached_property
    def after(self) -> str:
        """Return the text of the module with the change."""
        changed: Any = deep_replace(self.parsed, self.mutation.original_node, self.mutation.mutated_node)
        code: str = changed.code
        return code

    @property
    def place(self) -> tuple[str, str]:
        """Return file and function, as profiles name them."""
        return str(self.path), self.function

    @property
    def module(self) -> str:
        """Return the name of the module."""
        return ".".join(self.path.with_suffix("").parts).removesuffix(".__init__")

    def diff(self) -> str:
        """Return the change as a unified diff."""
        lines = (text.splitlines(keepends=True) for text in (self.parsed.code, self.after))
        return "".join(difflib.unified_diff(*lines, str(self.path), "mutant", n=1))


class Visitor(MutationVisitor):
    """mutmut's visitor, which also enters decorated functions, and leaves defaults and wording alone."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        match node:
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
    wrapper = MetadataWrapper(cst.parse_module((top / path).read_text("utf-8")))
    visitor = Visitor(mutation_operators, IgnoredCode(set(), set(), set()))
    module = wrapper.visit(visitor)
    names = {function: name for name, function in functions(module)}
    for mutation in visitor.mutations:
        function = mutation.contained_by_top_level_function
        if function in names and not changes_wording(mutation):
            yield Mutant(path, names[function], module, mutation)


def functions(module: cst.Module) -> Iterator[tuple[str, cst.CSTNode]]:
    """Yield the functions and methods of a module by their qualified names."""
    for node in module.body:
        if isinstance(node, cst.FunctionDef):
            yield node.name.value, node
        elif isinstance(node, cst.ClassDef):
            for each in node.body.body:
                if isinstance(each, cst.FunctionDef):
                    yield f"{node.name.value}.{each.name.value}", each


def changes_wording(mutation: Mutation) -> bool:
    """Return whether the mutation changes the sentence of a refusal."""
    before, after = mutation.original_node, mutation.mutated_node
    match before, after:
        case cst.Call(func=cst.Name(value="Illegal")), cst.Call():
            return not after.args or after.args[0].value is not before.args[0].value
    return False


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
