"""Deals with chosen cards, for tests of pages, where the cards come from a game's seed."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from games.rules.scram import rounds
from games.rules.scram.table import CardId, Table


def deal(monkeypatch: pytest.MonkeyPatch, chosen: Mapping[CardId, str]) -> None:
    """Let every deal of the test have these faces: campsites come first, seat by seat, then pile and deck."""
    dealt = rounds.dealt_table

    def with_chosen(faces: tuple[str, ...], seats: int) -> Table:
        table = dealt(faces, seats)
        return replace(table, faces=tuple(chosen.get(card, face) for card, face in enumerate(faces)))

    monkeypatch.setattr(rounds, "dealt_table", with_chosen)
