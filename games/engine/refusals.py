"""The refusals of a move: malformed, illegal, stale. Each has a stable code and a sentence for a player."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager


class Refusal(Exception):
    """A move that was not made; nothing has changed.

    ``errors`` maps the path of each wrong field (``"melds.0.cards"``, ``""`` for the whole) to sentences; it
    is empty where no field is to blame.
    """

    code = "refused"

    def __init__(self, sentence: str, errors: Mapping[str, Sequence[str]] | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.errors = {path: list(sentences) for path, sentences in (errors or {}).items()}


class Malformed(Refusal):
    """What was sent is not a move (or not options) of this ruleset at all; ``errors`` says why."""

    code = "malformed"

    def __init__(self, errors: Mapping[str, Sequence[str]]) -> None:
        path, sentences = next(iter(errors.items()))
        super().__init__(f"{path}: {sentences[0]}" if path else sentences[0], errors)


@contextmanager
def below(name: str) -> Iterator[None]:
    """Put the name of the field that is read before the paths of a `Malformed` that is raised inside."""
    try:
        yield
    except Malformed as refusal:
        errors = {f"{name}.{path}".rstrip("."): told for path, told in refusal.errors.items()}
        raise Malformed(errors) from None


class Illegal(Refusal):
    """A well-formed move that the rules forbid now; ``rule`` is the number of the rule, such as ``"C9"``.

    ``fields`` are the paths of the fields that are to blame, where it isn't the move as a whole.
    """

    code = "illegal"

    def __init__(self, sentence: str, rule: str | None = None, fields: Sequence[str] = ()) -> None:
        super().__init__(sentence, {path: [sentence] for path in fields})
        self.rule = rule


class Stale(Refusal):
    """The log has gone on; ``seq`` is the number that the next entry must carry."""

    code = "stale"

    def __init__(self, seq: int, what: str = "game") -> None:
        super().__init__(f"The {what} has moved on: look again, the next entry is number {seq}.")
        self.seq = seq
