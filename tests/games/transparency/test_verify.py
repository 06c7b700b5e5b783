"""`python -m games.verify FILE --head PROOF`: the file's head is in the signed log, or it is said why not."""

import json
from pathlib import Path

import pytest

from games.transparency.proofs import Leaf
from games.verifier import GOOD, WRONG
from games.verify import main
from tests.games.transparency.signing import LOG, WITNESS, proof_of

FILE = sorted((Path(__file__).parents[2] / "rules" / "scamper" / "logs").glob("*.jsonl"))[0]
HASHES = [json.loads(line).get("hash") for line in FILE.read_text().splitlines()][:-1]
GAME = "00000000-0000-0000-0000-00000000000a"


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    file = tmp_path / "game.tlog-proof"
    file.write_text(str(proof_of(Leaf("game", GAME, len(HASHES), HASHES[-1]))))
    return file


def test_a_head_in_the_signed_log_is_proven(proof: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keys = ["--key", str(LOG), "--witness", str(WITNESS)]
    assert main([str(FILE), "--head", str(proof), *keys]) == GOOD
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("verified: scamper@1")
    assert said[2] == f"in the signed log club.example/1: entry {len(HASHES)} of {len(HASHES)}"
    assert said[-1].startswith("witnessed by other.example/witness")


def test_a_head_that_is_not_in_it_is_told(proof: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof.write_text(str(proof_of(Leaf("game", GAME, len(HASHES), "00" * 32))))
    assert main([str(FILE), "--head", str(proof)]) == WRONG
    assert capsys.readouterr().err == f"{proof} is wrong: the proof leads to another root\n"


def test_a_genuine_proof_does_not_prove_a_forged_file_that_begins_like_the_game(
    proof: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof.write_text(str(proof_of(Leaf("game", GAME, 1, HASHES[0]))))
    assert main([str(FILE), "--head", str(proof)]) == WRONG
    said = capsys.readouterr()
    assert "verified" not in said.out
    assert "the file is over" in said.err


def test_of_two_files_that_which_is_no_text_is_named(proof: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof.write_bytes(b"\xff")
    assert main([str(FILE), "--head", str(proof)]) == WRONG
    assert str(proof) in capsys.readouterr().err


@pytest.mark.parametrize("key", ["--key", "--witness"])
def test_a_key_that_is_none_is_told(proof: Path, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(FILE), "--head", str(proof), key, "none"]) == WRONG
    assert "NAME+ID+KEY" in capsys.readouterr().err
