"""The addresses of prints, for the tests of every page."""

from typing import Any, Final

KINDS: Final[dict[str, Any]] = {}
POSTED: Final = ()
NO_PAGES: Final = ("competition_print", "game_picture", "print_alone", "sheet")
"""What is a file."""


def made(_world: Any) -> None:
    """Make nothing: prints have no pages."""
