"""Records each league, or those named, that the newest editions have not: ``python -m tests.recorded``."""

import sys

from league.core.plans import with_editions
from tests.recorded import FILES, plans_of, verified
from tests.recorded.leagues import PLANS, league

for name in sys.argv[1:] or PLANS:
    _, plans = PLANS[name]
    before = sorted(FILES.glob(f"{name}-*.jsonl"))
    if before and tuple(plans_of(before[-1])) == tuple(map(with_editions, plans)):
        continue
    file = FILES / f"{name}-{len(before) + 1:02}.jsonl"
    file.parent.mkdir(exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in league(name).lines()), encoding="utf-8")
    file.with_suffix(".txt").write_text(verified(file), encoding="utf-8")
    sys.stdout.write(f"{file.name}: {file.stat().st_size} bytes\n")
