"""`python -m games.verify FILE --head PROOF`: the file's head is in the signed log, or it is said why not."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from games.transparency import merkle
from games.transparency.notes import Checkpoint, Key
from games.transparency.proofs import Leaf
from games.verifier import GOOD, WRONG
from games.verify import main
from league.verify import main as league_verify
from tests.games.transparency.signing import LOG, WITNESS, proof_of, signed, witnessed
from tests.games.transparency.test_merkle import LEAVES, nodes_of

FILE = sorted((Path(__file__).parents[2] / "rules" / "scamper" / "logs").glob("*.jsonl"))[0]
HASHES = [json.loads(line).get("hash") for line in FILE.read_text().splitlines()][:-1]
THEN, LATER = "2020-01-01T00:00:00.000000Z", "2020-01-02T00:00:00.000000Z"
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


# ---- Two heads -----------------------------------------------------------------------------------


def heads(folder: Path, *, cut: bool = False, changed: bool = False, later: Key = LOG) -> list[str]:
    """Return the arguments that compare heads of 7 and 20 leaves, as saved from the API and by a witness."""
    nodes = nodes_of([bytes(32), *LEAVES[1:]] if changed else LEAVES)
    small = Checkpoint(LOG.name, 7, merkle.root(nodes_of(LEAVES), 7), LATER if cut else THEN)
    large = Checkpoint(later.name, 20, merkle.root(nodes, 20), THEN if cut else LATER)
    (folder / "kept").write_text(json.dumps({"note": str(signed(small)), "key": str(LOG)}))
    (folder / "new").write_text(str(witnessed(signed(large, by=later))))
    (folder / "path").write_text(json.dumps({"path": [e.hex() for e in merkle.consistency(nodes, 7, 20)]}))
    files = [str(folder / name) for name in ("kept", "new", "path")]
    return [files[1], "--with", files[0], "--path", files[2], "--key", str(LOG), "--witness", str(WITNESS)]


def test_two_kept_heads_are_compared_without_the_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert league_verify(heads(tmp_path)) == GOOD
    said = capsys.readouterr().out.splitlines()
    assert said[-2] == "verified: the log of 20 leaves begins with the log of 7 leaves"
    assert said[-1].startswith("witnessed by other.example/witness") and said[1] == f"signed by {LOG}"
    assert main(heads(tmp_path, later=Key("club.example/2", LOG.public))) == GOOD
    assert "in between a new epoch began, club.example/2" in capsys.readouterr().out


def test_the_line_of_an_email_is_a_head_that_nobody_signed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = heads(tmp_path)
    root = merkle.root(nodes_of(LEAVES), 7).hex()
    (tmp_path / "kept").write_text(f"Signed log: 7 leaves, root {root}.")
    assert main(arguments) == GOOD
    assert (said := capsys.readouterr().out) and "unchecked: nobody signed it" in said and "epoch" not in said


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda folder: heads(folder, changed=True), "another root of the smaller tree"),
        (lambda folder: heads(folder, cut=True), "it was cut"),
        (lambda folder: heads(folder, later=Key("other.example/1", LOG.public)), "heads of two logs"),
        (lambda folder: [*heads(folder), "--key", str(Key("x/1", bytes(32)))], "is not signed by"),
        (lambda folder: heads(folder)[:3], "consistency/?first=7&second=20"),
        (lambda folder: [*heads(folder), "--path", str(folder / "new")], "is not the proof"),
        (lambda folder: [*heads(folder), "--with", str(folder / "path")], "not a text with signatures"),
    ],
)
def test_heads_that_contradict_each_other_or_prove_nothing_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Path], list[str]], why: str
) -> None:
    assert main(change(tmp_path)) == WRONG
    told = capsys.readouterr()
    assert why in told.err and not told.out
