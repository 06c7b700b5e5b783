"""Ed25519 in plain Python: the vectors of RFC 8032, and agreement with a library that signs."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from games.transparency.notes import _ORDER, is_signed

# Section 7.1: secret key, public key, message, signature.
VECTORS = {
    "TEST 1": (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    "TEST 2": (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    "TEST 3": (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    "TEST SHA(abc)": (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
}


@pytest.mark.parametrize("name", VECTORS)
def test_the_vectors_of_the_standard_are_signed(name: str) -> None:
    secret, public, message, signature = map(bytes.fromhex, VECTORS[name])
    assert Ed25519PrivateKey.from_private_bytes(secret).sign(message) == signature
    assert is_signed(message, signature, public)


@settings(max_examples=10)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=1100), st.integers(0, 511))
def test_what_the_library_signs_is_signed_and_nothing_else(secret: bytes, message: bytes, bit: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(secret)
    public, signature = key.public_key().public_bytes_raw(), key.sign(message)
    assert is_signed(message, signature, public)
    flipped = (int.from_bytes(signature, "little") ^ 1 << bit).to_bytes(64, "little")
    assert not is_signed(message, flipped, public)
    assert not is_signed(message + b"!", signature, public)


SIGNATURE, PUBLIC = bytes.fromhex(VECTORS["TEST 1"][3]), bytes.fromhex(VECTORS["TEST 1"][1])


@pytest.mark.parametrize(
    ("signature", "public"),
    [
        (SIGNATURE[:-1], PUBLIC),
        (SIGNATURE, PUBLIC[:-1]),
        (SIGNATURE[:32] + (int.from_bytes(SIGNATURE[32:], "little") + _ORDER).to_bytes(32, "little"), PUBLIC),
        (SIGNATURE, (2**255 - 19).to_bytes(32, "little")),
        (SIGNATURE, (2**255 - 1).to_bytes(32, "little")),
        (SIGNATURE, (2).to_bytes(32, "little")),
        (SIGNATURE, (1 | 1 << 255).to_bytes(32, "little")),
    ],
    ids=[
        "short",
        "short key",
        "a second form",
        "key at the prime",
        "key above it",
        "no point",
        "minus nothing",
    ],
)
def test_other_forms_of_keys_and_signatures_are_refused(signature: bytes, public: bytes) -> None:
    assert not is_signed(b"", signature, public)
