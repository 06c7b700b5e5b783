"""A witness signs heads that continue what it saw, and refuses all others."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from games.transparency import merkle, notes
from games.transparency.merkle import WrongProof
from games.transparency.notes import Checkpoint, Key, WrongNote
from league.services.witnessing import Witness, key_of
from tests.games.transparency.signing import LOG, signed
from tests.games.transparency.test_merkle import LEAVES, nodes_of

OTHER = Key("club.example/1", bytes(32))


class Site:
    """A site with so many leaves, some of them perhaps changed."""

    def __init__(self, size: int, *, leaves: Sequence[bytes] = LEAVES, origin: str = LOG.name) -> None:
        self.size, self.nodes, self.key = size, nodes_of([*leaves]), Key(origin, LOG.public)
        self.taken: list[str] = []
        self.takes = True

    def head(self) -> Any:
        checkpoint = Checkpoint(self.key.name, self.size, merkle.root(self.nodes, self.size), "now")
        note = str(signed(checkpoint, by=self.key))
        return {"origin": self.key.name, "note": note, "key": str(self.key)}

    def path(self, first: int, second: int) -> list[bytes]:
        return merkle.consistency(self.nodes, first, second)

    def hand_in(self, size: int, line: str) -> bool:
        self.taken.append(line)
        return self.takes


def look(folder: Path, site: Site, known: str = "") -> str:
    return Witness(folder, "witness", known).look(site)  # type: ignore[arg-type]


def test_a_head_that_continues_the_last_one_is_signed(tmp_path: Path) -> None:
    for size in (3, 3, 20):
        site = Site(size)
        assert look(tmp_path, site) == f"Good: club.example/1, {size} leaves, now; signed."
        note = notes.read_note(site.head()["note"] + site.taken[0] + "\n")
        assert notes.cosigned_at(note, key_of(tmp_path, "witness"))


@pytest.mark.parametrize(
    ("site", "why"),
    [
        (Site(9), "had 10 leaves and has 9"),
        (Site(12, leaves=[bytes(32), *LEAVES[1:]]), "another root of the smaller tree"),
        (Site(10, leaves=[bytes(32), *LEAVES[1:]]), "one root"),
        (Site(12, origin="club.example/0"), "came after"),
    ],
    ids=["cut", "rewritten", "two of one size", "an earlier epoch"],
)
def test_a_head_that_does_not_is_refused_also_the_next_time(tmp_path: Path, site: Site, why: str) -> None:
    look(tmp_path, Site(10))
    for _ in range(2):
        with pytest.raises(WrongProof, match=why):
            look(tmp_path, site)
    assert not site.taken
    assert "Good" in look(tmp_path, Site(11))


def test_a_head_of_another_key_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongNote, match="not signed by the known key"):
        look(tmp_path, Site(3), known=str(OTHER))


def test_a_new_epoch_is_told(tmp_path: Path) -> None:
    look(tmp_path, Site(10))
    assert look(tmp_path, Site(5, origin="club.example/2")).startswith("A new epoch, see the site’s page")


def test_a_site_that_takes_no_signature_is_watched_all_the_same(tmp_path: Path) -> None:
    site = Site(3)
    site.takes = False
    assert look(tmp_path, site).endswith("the site did not take the signature.")
