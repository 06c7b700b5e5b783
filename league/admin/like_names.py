"""Who is meant by unknown names of a list that are like known ones: all are asked about on one page."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from django.utils.translation import gettext as _

Question: TypeAlias = tuple[str, str, str, Sequence[tuple[str, str]]]
"""A name, the field and its kind that say who that is, and each answer with its label."""
_IS: Final = "is:"
"""What the fields begin with whose answer is a known name, or empty for somebody new."""
_OTHERS: Final = "others"
"""The field of the button for all who have no answer: they are new."""


class AsksWhoIsLike:
    """The part of a form that reads a list of names."""

    data: Any
    listed: Any
    """The `NameList` that was read, None before."""

    def put_known(self, field: str, written: Callable[[str, str, str], str]) -> None:
        """Put each known name that was chosen in place of the one that was typed into a field.

        ``written`` returns a text with a known name in place of a typed one.
        """
        for name in [each for each in self.data if each.startswith(_IS)]:
            if known := self.data[name]:
                text = written(self.data.get(field, ""), name.removeprefix(_IS), known)
                self.data = {**dict(self.data.items()), field: text}

    @property
    def somebody_new(self) -> frozenset[str]:
        """Return the unknown names that were said to be somebody new's."""
        said = {each.removeprefix(_IS) for each in self.data if each.startswith(_IS) and not self.data[each]}
        unknown = self.listed.unknown if self.listed else ()
        return frozenset(unknown if _OTHERS in self.data else said.intersection(unknown))

    @property
    def asked_like(self) -> Sequence[Question]:
        """Return the names of which it is not said yet whose they are."""
        near: Sequence[tuple[str, Sequence[str]]] = (
            self.listed.suggestions(self.somebody_new) if self.listed else []
        )
        new = ("", _("somebody new"))
        return [
            (name, f"{_IS}{name}", "radio", [*((known, known) for known in found), new])
            for name, found in near
        ]

    @property
    def answered_new(self) -> Sequence[tuple[str, str]]:
        """Return the fields of those that are somebody new's, with the answers."""
        return [(f"{_IS}{name}", "") for name in self.somebody_new]
