"""Keys, notes and proofs for tests, signed by a library."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from games.transparency import merkle, notes
from games.transparency.notes import Checkpoint, Key, Note, Signature
from games.transparency.proofs import Leaf, Proof
from tests.games.transparency.test_merkle import nodes_of

SECRET = Ed25519PrivateKey.from_private_bytes(bytes(31) + b"\x01")
LOG = Key("club.example/1", SECRET.public_key().public_bytes_raw())
WITNESS = Key("other.example/witness", LOG.public, notes.COSIGNATURE)
SEEN = 1_700_000_000


def signed(checkpoint: Checkpoint, *, by: Key = LOG) -> Note:
    text = checkpoint.text
    return Note(text, (Signature(by.name, by.id, SECRET.sign(text.encode())),))


def witnessed(note: Note) -> Note:
    line = notes.cosignature(WITNESS, SEEN, SECRET.sign(notes.cosigned_message(note.text, SEEN)))
    return Note(note.text, (*note.signatures, line))


def proof_of(leaf: Leaf, *, salt: bytes = b"", size: int = 5, index: int = 3) -> Proof:
    leaves = [merkle.leaf_hash(bytes([number])) for number in range(size)]
    leaves[index] = leaf.hash
    nodes = nodes_of(leaves)
    head = Checkpoint(LOG.name, size, merkle.root(nodes, size), "2026-11-22T18:00:00.000000Z")
    path = merkle.inclusion(nodes, index, size)
    return Proof(leaf.kind, leaf.id, leaf.seq, index, path, witnessed(signed(head)), str(LOG), salt)
