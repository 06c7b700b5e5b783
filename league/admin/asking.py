"""The page that asks before a button of the desk does what nobody can undo."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from django.http import HttpRequest, HttpResponse

Asked: TypeAlias = tuple[Any, Any]
"""What the button says, and what will happen, in a sentence or as a function of the request and the row."""
_SURE: Final = "sure"
_TOKEN: Final = "csrfmiddlewaretoken"


def pressed(request: HttpRequest, asks: Mapping[str, Asked]) -> Asked | None:
    """Return what is asked about the button that was pressed: it is known by ``name`` or ``name=value``."""
    sent = {*request.POST, *(f"{name}={value}" for name, value in request.POST.items())}
    return next((asked for key, asked in asks.items() if key in sent), None)


def asked_first(
    render: Callable[..., HttpResponse], request: HttpRequest, asked: Asked | None, row: Any, back: str = ""
) -> HttpResponse | None:
    """Return the page that asks, with the form that was sent; None once that was answered, or for nothing.

    Who does not want it goes ``back``, by default to the page that sent it.
    """
    if asked is None or _SURE in request.POST:
        return None
    sent = [(name, value) for name in request.POST if name != _TOKEN for value in request.POST.getlist(name)]
    title, told = asked
    context = {
        "told": told(request, row) if callable(told) else told,
        "back": back or request.get_full_path(),
    }
    return render(request, "admin/ask.html", title, {**context, "sent": sent, "sure": _SURE})
