"""Give a text: something of one's own goes into the next draw."""

from typing import Annotated

from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Help, Label, Length, Named
from games.engine.values import replace
from league.core.events import AND_PLAYERS, Event
from league.core.state import values as v
from league.core.state.competition import Competition, Entry
from league.core.state.cut_off import LONGEST_TEXT, GivenText
from league.core.verb import LIVE, Button, Events, Given, OwnButton, Verb, changes_something

Words = Annotated[
    str,
    Length(1, LONGEST_TEXT),
    Named("text"),
    Label("Text"),
    Help("anything, at most 64 bytes; everybody can read it"),
]


class TextGiven(Event, type="text_given"):
    """An entry, or an organiser where none is named, gives a text for the next draw; the last one counts."""

    title = "Text for a draw"
    found_by = "entropy, seed"
    said_by = AND_PLAYERS
    text = "A text is given for the next draw: “%(text)s”."
    words: Words
    entry: v.EntryId | None = None

    def apply(self, state: Competition) -> Competition:
        if state.opening.entropy != "texts":
            raise Illegal("The draws of this competition use a public beacon instead of texts.")
        if len(self.words.encode()) > LONGEST_TEXT:
            raise Illegal("A text has at most 64 bytes.")
        if self.entry is not None and not state.entry(self.entry).live:
            raise Illegal(text("%(name)s does not take part.", name=state.entry(self.entry).name))
        others = tuple(each for each in state.texts if each.entry != self.entry)
        return replace(state, texts=(*others, GivenText(self.words, self.entry)))


class GiveText(Verb, key="give-text"):
    """Give a text of at most 64 bytes that goes into the next draw.

    Each entry has one, and so have the organisers; a new one replaces it. It proves that the draw was not
    prepared: its seed depends on every text. Nobody can choose a text that helps, because the secret value of
    the draw is not known before. After the draw it is used up.
    """

    taken_back_by = ("give-text",)
    own = ("text",)
    own_button = OwnButton(
        "Add a text to the draw",
        "Any text that you like goes into the next draw, so that nobody can have prepared it.",
        "Your text goes into the next draw.",
        rank=60,
    )
    give_text = Button(
        "Add a text to the draw",
        "The text goes into the next draw, so that nobody can have prepared it. Everybody can read it.",
        "Give another text; it replaces this one.",
        statuses=LIVE,
        part="round",
        asks=("text",),
        rank=60,
    )

    words: Words

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.opening.entropy == "texts"

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        return entry is not None and changes_something(state, cls(words="?"), given)

    def decide(self, state: Competition, given: Given) -> Events:
        if len(self.words.encode()) > LONGEST_TEXT:
            raise Malformed({"text": [text("A text has at most 64 bytes.")]})
        if given.player is None or given.role != "player":
            return (TextGiven(self.words),)
        entry = state.entry_with(given.player)
        if entry is None:
            raise Illegal("You have not entered this competition.")
        return (TextGiven(self.words, entry.id),)
