"""How this server tells push services who it is (VAPID, RFC 8292), by a key in a file beside the service."""

import base64
from pathlib import Path
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwcrypto.jwk import JWK
from jwcrypto.jwt import JWT

from league.ops import secret


def kept_in(file: Path) -> ec.EllipticCurvePrivateKey:
    """Return the key in a file that only its owner can read; it is made where there is none."""
    secret.kept_in(file, _new)
    return secret.held_in(file, lambda text: ec.derive_private_key(int(text, 16), ec.SECP256R1()))


def public(key: ec.EllipticCurvePrivateKey) -> str:
    """Return the public half of a key as browsers take it: an uncompressed point in base64url."""
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def authorization(key: ec.EllipticCurvePrivateKey, endpoint: str, subject: str, until: int) -> str:
    """Return the header by which the push service of an endpoint takes a message until a time.

    ``subject`` is the URL or address of who answers for this server, ``until`` in seconds since 1970.
    """
    place = urlsplit(endpoint)
    claims = {"aud": f"{place.scheme}://{place.netloc}", "exp": until, "sub": subject}
    token = JWT(header={"typ": "JWT", "alg": "ES256"}, claims=claims)
    token.make_signed_token(JWK.from_pyca(key))
    return f"vapid t={token.serialize()}, k={public(key)}"


def _new() -> str:
    return f"{ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value:064x}"
