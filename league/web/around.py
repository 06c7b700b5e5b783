"""Where seats sit around a table on a page: turns go clockwise, with one seat at the near edge."""


def places(seats: int, near: int) -> tuple[str, ...]:
    """Return the place of each seat: ``near``, or an edge with its number and how many sit there.

    ``left-1-3`` is the farthest of three at the left edge; at the far edge, ``far``, and at the right one
    numbers go on clockwise, so that ``right-3-3`` plays before ``near``.
    """
    others = seats - 1
    beside = (others + 1) // 3
    left = [f"left-{beside - at}-{beside}" for at in range(beside)]
    far = [f"far-{at + 1}-{others - 2 * beside}" for at in range(others - 2 * beside)]
    right = [f"right-{at + 1}-{beside}" for at in range(beside)]
    clockwise = ("near", *left, *far, *right)
    return tuple(clockwise[(seat - near) % seats] for seat in range(seats))
