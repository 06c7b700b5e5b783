"""The refusals of a move: malformed, illegal, stale. Each has a stable code and a sentence for a player."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import Final, Literal, TypeAlias

from games.engine.messages import Message, Param, text

MOST_ERRORS: Final = 20
"""How many wrong fields a refusal lists: an answer must not be larger than its request."""


class Refusal(Exception):
    """A move that was refused; nothing has changed.

    ``errors`` maps the path of each wrong field (``"melds.0.cards"``, ``""`` for the whole) to sentences; it
    is empty if no single field is wrong.
    """

    code = "refused"

    def __init__(self, sentence: str, errors: Mapping[str, Sequence[str]] | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence if isinstance(sentence, Message) else Message(sentence, {})
        self.errors = {path: list(sentences) for path, sentences in (errors or {}).items()}


class Malformed(Refusal):
    """Data that is not a move, or not options, of this ruleset; ``errors`` says why."""

    code = "malformed"

    def __init__(self, errors: Mapping[str, Sequence[str]]) -> None:
        path, (sentence, *_) = next(iter(errors.items()))
        super().__init__(of_field(path, sentence) if path else sentence, errors)

    def said_of(self, path: str) -> str:
        """Return the sentence; without the path in front if it is about the field at ``path``."""
        first, (sentence, *_) = next(iter(self.errors.items()))
        return sentence if first == path else self.sentence


def first_errors(errors: Mapping[str, Sequence[str]], path: str) -> Mapping[str, Sequence[str]]:
    """Return the first `MOST_ERRORS` of the errors, and one at ``path`` that there are more, if there are."""
    if len(errors) <= MOST_ERRORS:
        return errors
    more = text("More than %(most)d fields are wrong: these are the first.", most=MOST_ERRORS)
    listed = dict(islice(errors.items(), MOST_ERRORS))
    return {**listed, path: [*listed.get(path, ()), more]}


def of_field(path: str, sentence: str) -> Message:
    """Return a sentence about a field with the path of the field in front."""
    return text("%(field)s: %(sentence)s", field=path, sentence=sentence)


@contextmanager
def below(name: str) -> Iterator[None]:
    """Prefix the paths of a `Malformed` or `Illegal` raised inside with the name of a field."""
    try:
        yield
    except Malformed as refusal:
        raise Malformed(_below(name, refusal)) from None
    except Illegal as refusal:
        raise Illegal(refusal.sentence, refusal.rule, [*_below(name, refusal)]) from None


@contextmanager
def together() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Make each check, whatever the others find; what they raise as `Malformed` is raised as one, at last."""
    errors: dict[str, list[str]] = {}

    @contextmanager
    def each() -> Iterator[None]:
        try:
            yield
        except Malformed as refusal:
            for path, sentences in refusal.errors.items():
                errors.setdefault(path, []).extend(sentences)

    yield each
    if errors:
        raise Malformed(errors)


def _below(name: str, refusal: Refusal) -> Mapping[str, Sequence[str]]:
    return {f"{name}.{path}".removesuffix("."): texts for path, texts in refusal.errors.items()}


class Illegal(Refusal):
    """A well-formed move that the rules forbid; ``rule`` is the number of the rule, such as ``"C9"``.

    ``fields`` are the paths of the wrong fields, if not the whole move is wrong, and ``params`` those of the
    sentence: ``Illegal("%(name)s does not play.", name="Anna")``.
    """

    code = "illegal"

    def __init__(
        self, sentence: str, rule: str | None = None, fields: Sequence[str] = (), **params: Param
    ) -> None:
        sentence = Message(sentence, params) if params else sentence
        super().__init__(sentence, {path: [sentence] for path in fields})
        self.rule = rule


_What: TypeAlias = Literal["game", "competition", "series"]


class Stale(Refusal):
    """An entry that was sent under another number than the next; ``seq`` is the number of the next entry.

    ``sent`` is the number that was sent. Below ``seq`` the log has grown meanwhile; any other was never next.
    """

    code = "stale"

    def __init__(self, seq: int, what: _What = "game", *, sent: int | None = None) -> None:
        super().__init__(
            _never_next(seq, sent) if sent is not None and not 0 < sent < seq else _grown(seq, what)
        )
        self.seq = seq


def _grown(seq: int, what: _What) -> Message:
    match what:
        case "game":
            return text(
                "The game has changed meanwhile: reload it. The next log entry is number %(seq)s.", seq=seq
            )
        case "competition":
            return text(
                "The competition has changed meanwhile: reload it. The next log entry is number %(seq)s.",
                seq=seq,
            )
        case "series":
            return text(
                "The series has changed meanwhile: reload it. The next log entry is number %(seq)s.", seq=seq
            )


def _never_next(seq: int, sent: int) -> Message:
    return text("Number %(sent)s is not the next: the next log entry is number %(seq)s.", sent=sent, seq=seq)


class NotReplayable(Exception):
    """A stored game that cannot be replayed: its ruleset is missing, or refuses an entry."""
