"""Columns of the desk's lists, some of them with coloured labels."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final, Literal, TypeAlias

from django.contrib import admin
from django.utils.html import format_html

Colour: TypeAlias = Literal["good", "warn", "bad", ""]
Method: TypeAlias = Callable[[Any, Any], Any]
_LABEL: Final = '<span class="tf-badge {}">{}</span>'


def display(
    *, description: Any, ordering: str | None = None, label: Mapping[str, Colour] | None = None
) -> Callable[[Method], Method]:
    """Return Django's decorator of a column; with ``label`` the method returns a key of it and a text."""

    def declared(method: Method) -> Method:
        shown = method if label is None else _labelled(method, label)
        return admin.display(description=description, ordering=ordering)(shown)

    return declared


def _labelled(method: Method, label: Mapping[str, Colour]) -> Method:
    @wraps(method)
    def shown(model_admin: Any, row: Any) -> str:
        key, text = method(model_admin, row)
        return format_html(_LABEL, label[key], text)

    return shown
