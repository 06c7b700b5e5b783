"""The proof that a log is in the signed log of its site, as verifiers read it."""

from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest

from games.transparency import notes, proofs
from games.transparency.merkle import WrongProof
from games.transparency.notes import Checkpoint, WrongNote
from games.transparency.proofs import Leaf, commitment, read_proof
from tests.games.transparency.signing import LOG, WITNESS, proof_of, signed

GAME = "00000000-0000-0000-0000-00000000000a"
HASHES = ["11" * 32, "22" * 32, "33" * 32]
PROOF = proof_of(Leaf("game", GAME, 2, HASHES[1]))


def test_a_proof_is_written_and_read_in_one_form() -> None:
    text = str(PROOF)
    assert text.startswith("c2sp.org/tlog-proof@v1\nextra ")
    assert str(read_proof(text)) == text
    assert proofs.check(read_proof(text), "game", HASHES).seq == 2


def test_a_log_that_is_over_is_proven_by_its_last_entry_alone() -> None:
    assert proofs.check(PROOF, "game", HASHES[:2], over=True).seq == 2
    with pytest.raises(WrongProof, match="for its entry 2, and the file is over with entry 3"):
        proofs.check(PROOF, "game", HASHES, over=True)


def test_a_head_of_a_later_epoch_is_told_as_one() -> None:
    proven = proofs.check(PROOF, "game", HASHES)
    later = replace(proven, checkpoint=replace(proven.checkpoint, origin="club.example/2"))
    assert not [line for line in proofs.in_words(proven) if "epoch" in line]
    assert [line for line in proofs.in_words(later) if line.startswith("unchecked: this is epoch 2")]


def test_what_it_proves_is_said_with_what_it_leaves_open() -> None:
    assert [*proofs.in_words(proofs.check(PROOF, "game", HASHES))] == [
        "in the signed log club.example/1: entry 2 of 3",
        "NOT in the signed log: what comes after entry 2; nothing proves it",
        f"its head: 5 leaves, root {notes.read_checkpoint(PROOF.note.text).root.hex()}, "
        "2026-11-22T18:00:00.000000Z",
        f"signed by {LOG}",
        "unchecked: whether that is the log’s key; give the one that you know with --key",
        "not witnessed: give the keys of witnesses with --witness",
    ]
    *_, last = proofs.in_words(proofs.check(PROOF, "game", HASHES, key=LOG, witnesses=[WITNESS]))
    assert last == "witnessed by other.example/witness, 2023-11-14T22:13:20.000000Z"


def test_a_commitment_is_opened_by_its_salt() -> None:
    salt = bytes(range(32))
    leaf = Leaf("competition", GAME, 3, commitment(salt, bytes.fromhex(HASHES[2])))
    proof = proof_of(leaf, salt=salt)
    assert proofs.check(read_proof(str(proof)), "competition", HASHES, log=GAME).seq == 3
    with pytest.raises(WrongProof, match="another root"):
        proofs.check(replace(proof, salt=bytes(32)), "competition", HASHES)


@pytest.mark.parametrize(
    ("changed", "given", "why"),
    [
        ({"kind": "competition"}, {}, "proof for the competition"),
        ({}, {"log": "other"}, "proof for the game"),
        ({"seq": 4}, {}, "has entry 4, and the file does not"),
        ({"seq": 0}, {}, "has entry 0"),
        ({"seq": 1}, {}, "another root"),
        ({"id": "other"}, {}, "another root"),
        ({"index": 2}, {}, "another root"),
        ({"path": PROOF.path[:-1]}, {}, "too short"),
        ({}, {"key": replace(LOG, name="other")}, "not signed by"),
        ({"note": signed(Checkpoint("club.example/2", 5, bytes(32)))}, {}, "another log"),
        (
            {"note": replace(PROOF.note, signatures=PROOF.note.signatures[:1])},
            {"witnesses": [WITNESS]},
            "did not",
        ),
    ],
    ids=["kind", "id given", "longer", "seq 0", "seq", "id", "index", "path", "key", "origin", "witness"],
)
def test_a_proof_of_anything_else_is_refused(changed: Any, given: Any, why: str) -> None:
    with pytest.raises(WrongProof, match=why):
        proofs.check(replace(PROOF, **changed), "game", HASHES, **given)


@pytest.mark.parametrize(
    ("old", "new"),
    [("@v1", "@v2"), ("extra ", "extra A"), ("index 3", "index x"), ("\n\n", "\n")],
    ids=["form", "extra", "index", "no note"],
)
def test_a_text_that_is_no_proof_is_refused(old: str, new: str) -> None:
    with pytest.raises(WrongNote):
        read_proof(str(PROOF).replace(old, new))


@pytest.mark.parametrize("extra", ["[" * 50_000, "[]", "null", '{"seq": Infinity}', '{"seq": []}', "\xff"])
def test_an_extra_line_of_any_other_shape_is_refused(extra: str) -> None:
    _, before, after = str(PROOF).partition("extra ")
    line = b64encode(extra.encode("latin-1")).decode()
    with pytest.raises(WrongNote, match="line extra"):
        read_proof(f"{_}{before}{line}\n{after.partition(chr(10))[2]}")
