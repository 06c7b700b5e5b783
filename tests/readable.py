"""What a member reads, of standings above all, and what may never be in it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from league.core.drawing.cost import points_apart
from league.core.standings import ranking
from league.core.standings.plain import plain
from league.core.standings.rows import rows
from league.core.state.competition import Competition, Stage
from league.words import catalogue, draw_reports
from league.words.messages import translated
from league.words.plain import plain_columns, title_of
from league.words.values import column, exact, numbers_within
from tests.league.walking import text_of

LIST: Final = Path(__file__).parent / "readable.txt"
"""The texts that were read aloud as a member reads them, a line each, in order."""
PLACES: Final = (
    *("league/core/standings/", "league/core/drawing/", "league/core/scoring.py"),
    *(
        f"league/core/formats/{name}.py"
        for name in ("picture", "knockout", "double_elimination", "ladder", "drop_in", "challenging")
    ),
    *(
        f"league/words/{name}.py"
        for name in ("plain", "values", "competitions", "draw_reports", "agreed", "challenges")
    ),
    *("league/web/standings.py", "league/queries/pictures.py", "league/queries/standings.py"),
    *(
        f"templates/competitions/{name}.html"
        for name in (
            *(
                "standings",
                "standings_rows",
                "tables",
                "cross_table",
                "charts",
                "race",
                "bracket",
                "brackets",
            ),
            *("ways", "winners", "wall", "prizes", "review"),
        )
    ),
    *("league/apps/hall/screens.py", "league/apps/hall/templates/hall/screens.html"),
    *("league/apps/prints/printing.py", "league/apps/prints/walls.py"),
    *("league/apps/series/core/telling.py", "league/apps/series/core/ranking.py"),
    *("league/apps/my_evening/templates/", "league/apps/notifications/templates/mail/"),
)
"""Where standings, reports on draws, charts, screens, prints and mails about results get their texts."""
EXCUSED: Final[Mapping[str, str]] = {
    "api/": "read by who writes programs",
    "templates/admin/game_log.html": "the log as it is stored, for who verifies it",
    "games/models/": "names of what is stored, on the same pages of the desk",
    "league/models/events.py": "names of what is stored, on the same pages of the desk",
    "league/models/standings.py": "names of what is stored, which no page shows",
    "league/core/state/values.py": "names of shapes, in the documents of the API",
    "league/apps/own_games/templates/own_games/copy.html": "the names that a formula is written with",
    "league/apps/signed_log/hooks.py": "what a site's administrator types",
    "league/apps/series/core/state.py": "how a fraction is typed",
    "games/rules/scram/outcomes.py": "the end named 9 %",
    "league/apps/exchange/services.py": "where a file is damaged",
}
"""Places whose texts nobody reads aloud at the bar, and why."""
_NUMBER: Final = re.compile(
    r"\d|%\((count|number|points|score|total|rank|place|games|size|rounds|tables|days)\w*\)"
)

JARGON: Final = {
    "en": r"\d leaves,|leaf\b|\broot\b|hash|\b(the|lowest|total) cost\b|trend|median|deviation|variance|"
    r"uncertainty|\bbytes?\b|least squares|straight line|Σ|± ?\d|(?-i:\b(?<!-)k\b)",
    "de": r"\d Blätter\b|Wurzel|Hash|Kosten|Trend|Median|Varianz|Abweichung|Unsicherheit|\bBytes?\b|"
    r"\b(die|eine|der|einer) Gerade\b|Σ|± ?\d|\bk\b",
}
"""Words that nobody says at the bar, in each language."""
_NEVER: Final = {
    "a hash": re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b"),
    "a name of the code": re.compile(r"\b[a-z]+_[a-z_]+\b"),
    "nothing with a sign": re.compile(r"(?<!GMT)(?<!UTC)[+−]0(?![\d.,½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])"),
    "a part of a hundred": re.compile(r"\d\s?%"),
    "one of many": re.compile(r"(?<![\w.,/-])1 (points|Punkte|tables|Tische|wins|entries|rounds|Runden)\b"),
    "none of some": re.compile(r"(?<![\d.,])0 (of|von) (\d|%)"),
    "more digits than anybody reads": re.compile(r"\d[.,]\d{5,}"),
    "fewer than none": re.compile(r"\b(wins|places|Siege|Plätze)( \(|: )[^)]*−", re.IGNORECASE),
    "an old minus sign": re.compile(r"(?<![\w–-])-\d"),
}
_FRACTION: Final = re.compile(r"(\d+)/(\d+)")


_UNREAD: Final = ("script", "style", "head", "code")


def unread(page: Any, language: str) -> dict[str, list[str]]:
    """Return what may never be in a page or print, by its texts; nothing for other files."""
    kind, told = page["Content-Type"], list[str]()
    if "html" in kind:
        told = words_of(text_of(page))
    elif "pdf" in kind:
        told = text_of(page).splitlines()
    found = {each: [*wrong_in(each), *jargon_in(each, language)] for each in told}
    return {each: why for each, why in found.items() if why}


def jargon_in(told: str, language: str) -> list[str]:
    """Return the words in a text that nobody says."""
    found = re.search(JARGON[language], told, re.IGNORECASE if language == "en" else 0)
    return [found[0]] if found else []


class Words(HTMLParser):
    """The visible texts of a page, and its titles; not what programs read, nor what proves a draw."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._hidden = 0
        self._proof = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._hidden += tag in _UNREAD
        self._proof = given.get("class") == "hash"
        self.found += [told for name in ("title", "aria-label") if (told := given.get(name))]

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in _UNREAD

    def handle_data(self, data: str) -> None:
        if not (self._hidden or self._proof) and (told := " ".join(data.split())):
            self.found.append(told)


def words_of(html: str) -> list[str]:
    """Return the texts of a page that people see."""
    reader = Words()
    reader.feed(html)
    return reader.found


def wrong_in(told: str) -> list[str]:
    """Return what is in a text that a member reads and may never be there."""
    found = [name for name, pattern in _NEVER.items() if pattern.search(told)]
    improper = any(int(above) > int(below) > 0 for above, below in _FRACTION.findall(told))
    return [*found, *(["a raw fraction"] if improper else [])]


def texts(*, listed: bool = False) -> Iterator[str]:
    """Yield all texts but the excused ones in order, both forms of those that count something.

    If ``listed``, those alone of standings, and elsewhere those that have a number.
    """
    for found in sorted(catalogue.everything(), key=lambda each: each.text):
        told = [each for each in (found.text.id, found.text.plural) if each]
        counts = len(told) > 1 or _NUMBER.search(told[0])
        of_standings = any(place.startswith(PLACES) for place in found.places)
        excused = all(place.startswith((*EXCUSED,)) for place in found.places)
        if (counts or of_standings) if listed else not excused:
            yield from told


def as_lines(found: Sequence[str]) -> list[str]:
    """Return texts as the lines of the list."""
    return sorted({each.replace("\n", " ") for each in found})


def told_of(state: Competition) -> Iterator[str]:
    """Yield what standings say of a state: cells, reasons, notes, lots and the report on each draw."""
    names = {entry.id: entry.name for entry in state.entries}
    for stage in state.stages:
        counts = plain(state, stage, len(stage.shown_rounds))
        listed = list(rows(ranking.order(state, stage.number), names, {}, telling=counts))
        for row in listed:
            yield from (numbers_within(translated(each)) for each in (row.explanation, *row.notes))
            yield exact(row.points)
        yield from (
            translated(ranking.lots_to_draw(state, stage, each)) for each in ranking.levels_of(state, stage)
        )
        for each in plain_columns(counts, {UUID(row.entry): str(row.points) for row in listed}):
            yield from (each.title, each.about, *each.shown.values())
        for key in {*stage.plan.tie_breaks} - {*counts.told_plainly}:
            for cell in column([row.tiebreaks[key] for row in listed]):
                yield f"{title_of(key, counts)}: {cell}"
        yield from reports_on(state, stage)


def reports_on(state: Competition, stage: Stage) -> Iterator[str]:
    for each in stage.rounds:
        apart = points_apart(state, stage, each) if "spread" in each.report else None
        yield from draw_reports.sentences(each.report, apart=apart)
