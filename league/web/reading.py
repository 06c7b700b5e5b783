"""For whom the names in an answer are: whoever asks, until the last part of the answer is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from league import hooks
from league.queries.readers import ByAccount, Reader, reading
from league.requests import spectator_or_account

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase


class ReaderMiddleware:
    """Writes names for the account that asks; views of the API find out whose token it is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        reader = ByAccount(
            lambda: spectator_or_account(request),
            lambda club: not _is_api(request) and any(holds(request, club) for holds in hooks.OF_CLUB),
        )
        with reading(reader):
            answer: Any = self.get_response(request)
        if answer.streaming and not answer.is_async:
            answer.streaming_content = _read_by(reader, answer.streaming_content)
        return answer  # type: ignore[no-any-return]


def _is_api(request: HttpRequest) -> bool:
    """Return whether programs ask: they are accounts, and their answers are kept for all who ask the same."""
    return request.path_info.startswith("/api/")


def _read_by(reader: Reader, parts: Iterable[Any]) -> Iterator[Any]:
    left, end = iter(parts), object()
    while True:
        with reading(reader):
            part = next(left, end)
        if part is end:
            return
        yield part
