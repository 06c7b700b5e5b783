"""Verification of Ed25519 signatures (RFC 8032, 5.1.7) in plain Python, for verifiers without any package.

It handles public data alone, so it needs not take the same time for all; a signature takes some milliseconds.
Signing is left to a library.
"""

from hashlib import sha512
from typing import Final, NamedTuple

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
_P: Final = 2**255 - 19
_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_ONE: Final = pow(2, (_P - 1) // 4, _P)


class _Point(NamedTuple):
    """A point in extended homogeneous coordinates (5.1.4): x = X/Z, y = Y/Z, x·y = T/Z."""

    x: int
    y: int
    z: int
    t: int


_NEUTRAL: Final = _Point(0, 1, 1, 0)


def _add(one: _Point, other: _Point) -> _Point:
    a = (one.y - one.x) * (other.y - other.x) % _P
    b = (one.y + one.x) * (other.y + other.x) % _P
    c = 2 * one.t * other.t * _D % _P
    d = 2 * one.z * other.z % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return _Point(e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _times(factor: int, point: _Point) -> _Point:
    product = _NEUTRAL
    while factor:
        if factor & 1:
            product = _add(product, point)
        point, factor = _add(point, point), factor >> 1
    return product


def _encoded(point: _Point) -> bytes:
    inverse = pow(point.z, -1, _P)
    x, y = point.x * inverse % _P, point.y * inverse % _P
    return (y | (x & 1) << 255).to_bytes(KEY_BYTES, "little")


def _decoded(encoded: bytes) -> _Point | None:
    """Return the point of its encoding (5.1.3), None where there is none."""
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if x * x % _P != square:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if x * x % _P != square or (x == 0 and sign):
        return None
    x = _P - x if x & 1 != sign else x
    return _Point(x, y, 1, x * y % _P)


_BASE_Y: Final = 4 * pow(5, -1, _P) % _P
_BASE: Final = _decoded(_BASE_Y.to_bytes(KEY_BYTES, "little"))


def is_signed(message: bytes, signature: bytes, public: bytes) -> bool:
    """Return whether the key of 32 bytes signed the message with this signature of 64 bytes."""
    if len(signature) != SIGNATURE_BYTES or len(public) != KEY_BYTES:
        return False
    key, number = _decoded(public), int.from_bytes(signature[32:], "little")
    if key is None or number >= _ORDER:
        return False
    assert _BASE is not None
    hashed = int.from_bytes(sha512(signature[:32] + public + message).digest(), "little") % _ORDER
    minus_key = _Point(_P - key.x, key.y, 1, _P - key.t)
    return _encoded(_add(_times(number, _BASE), _times(hashed, minus_key))) == signature[:32]
