"""Messages of the engine and the core in the reader's language."""

from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext, ngettext

from games.engine.messages import Message, Param, Seat, filled

SeatName = Callable[[int], str | None]


def translated(message: str, seat_name: SeatName = lambda seat: None) -> str:
    """Return a message in the active language; a plain text is a message id.

    ``seat_name`` returns what to show for a seat, None for its number, which people count from 1.
    """
    if not isinstance(message, Message):
        return gettext(message) if message else ""
    if isinstance(message, Seat):
        name = seat_name(message.number)
        return filled(_wording(message), {"number": message.number + 1}) if name is None else name
    params = {name: _param(value, seat_name) for name, value in message.params.items()}
    return filled(_wording(message), params)


def _wording(message: Message) -> str:
    if message.plural:
        return ngettext(message.id, message.plural, message.quantity)
    return gettext(message.id)


def _param(value: Param, seat_name: SeatName) -> Param:
    """Return a param as text to fill in; names, codes and numbers do not change."""
    return translated(value, seat_name) if isinstance(value, Message) else value


def errors_in_words(errors: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return a refusal's errors by path, in the active language."""
    return {path: [translated(sentence) for sentence in sentences] for path, sentences in errors.items()}
