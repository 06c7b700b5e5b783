"""The page that asks before a button of the desk does what nobody can undo."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from django.http import HttpRequest, HttpResponse

Asked: TypeAlias = tuple[Any, Any]
"""What the button says, and what will happen, in a sentence."""
_SURE: Final = "sure"
_TOKEN: Final = "csrfmiddlewaretoken"


def asked_first(
    render: Callable[..., HttpResponse], request: HttpRequest, asked: Asked | None, back: str
) -> HttpResponse | None:
    """Return the page that asks, with the form that was sent; None once that was answered, or for nothing."""
    if asked is None or _SURE in request.POST:
        return None
    sent = [(name, value) for name in request.POST if name != _TOKEN for value in request.POST.getlist(name)]
    title, told = asked
    return render(request, "admin/ask.html", title, {"told": told, "back": back, "sent": sent, "sure": _SURE})
