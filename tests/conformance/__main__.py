"""Records the kit again: ``python -m tests.conformance``, with names of games or lines for a part of it.

A part has no rows of options: these are found anew with the whole.
"""

import shutil
import sys
import time

from games.conformance.kit import KIT
from tests.conformance import SCENARIOS, covering, pairs
from tests.conformance.recorder import Wrong


def main(only: list[str]) -> int:
    """Record all lines, or those of these names; return 1 if some do not show what they should."""
    if not only:
        for folder in {KIT / each.game for each in SCENARIOS}:
            shutil.rmtree(folder, ignore_errors=True)
    failed: list[str] = []
    for scenario in (*SCENARIOS, *(pairs.scenarios(covering.rows) if not only else ())):
        if only and not {scenario.name, scenario.game} & {*only}:
            continue
        started = time.monotonic()
        try:
            line = scenario.record()
        except Wrong as wrong:
            failed.append(f"{scenario.game}/{scenario.name}: {wrong}")
            continue
        path = KIT / line.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(line.text(), encoding="utf-8")
        sys.stdout.write(
            f"{line.path}: {len(line.exchanges)} exchanges, {time.monotonic() - started:.1f} s\n"
        )
    sys.stderr.write("".join(f"{sentence}\n" for sentence in failed))
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
