"""Pictures that people upload: checked, made smaller, and re-encoded without anything but their pixels."""

import hashlib
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from games.engine.messages import Message, text
from games.engine.refusals import Malformed
from league.ops import offload
from league.ops.bounds import MOST_FILE_BYTES

MOST_BYTES: Final = MOST_FILE_BYTES
MOST_PIXELS: Final = 30_000_000
SIZE: Final = (1600, 1200)
"""The greatest width and height that are kept."""
FORMATS: Final = ("JPEG", "PNG", "WEBP", "GIF")
_QUALITY: Final = 82


@dataclass(frozen=True)
class StoredPicture:
    """A picture as it is kept: a JPEG with its size in pixels and the SHA-256 of its bytes."""

    data: bytes
    width: int
    height: int

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def rewritten(data: bytes) -> StoredPicture:
    """Return an uploaded picture as a JPEG of bounded size, upright, without metadata.

    Raises `Malformed` for field ``picture``: it is too big, or none that can be read.
    """
    if len(data) > MOST_BYTES:
        raise _refused(text("A picture has at most %(most)s MB.", most=MOST_BYTES // 1_000_000))
    made = offload.call(_made_of, data)
    if isinstance(made, Message):
        raise _refused(made)
    return made


def _made_of(data: bytes) -> StoredPicture | Message:
    """Return the picture, or why there is none."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(BytesIO(data), formats=FORMATS) as opened:
            # The size stands in the file's head; nothing is unpacked before it is known to be small enough.
            if opened.width * opened.height > MOST_PIXELS:
                return text("A picture has at most 30 million pixels.")
            opened.draft("RGB", SIZE)
            upright = ImageOps.exif_transpose(opened).convert("RGBA")
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, SyntaxError):
        return text("This is no picture that can be read: send a JPEG, PNG, WebP or GIF.")
    upright.thumbnail(SIZE)
    flat = Image.new("RGB", upright.size, "white")
    flat.paste(upright, mask=upright.getchannel("A"))
    written = BytesIO()
    flat.save(written, "JPEG", quality=_QUALITY, optimize=True)
    return StoredPicture(written.getvalue(), *flat.size)


def _refused(sentence: Message) -> Malformed:
    return Malformed({"picture": [sentence]})
