"""Set the rooms in which the next rounds are played, and the numbers of their tables."""

from collections.abc import Mapping

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state.competition import Competition
from league.core.state.rooms import Room, Rooms, overlapping
from league.core.verb import LIVE, Button, Events, Given, Verb
from league.core.weighing import in_rooms


class RoomsSet(Rooms, Event, type="rooms_set"):
    """The rounds that are not published yet are played in these rooms."""

    title = "Rooms"
    found_by = "room, hall, table numbers"
    text = "Rooms from the next round on: %(rooms)s."
    text_without = "Rooms from the next round on: %(rooms)s; no table has the number %(without)s."
    text_numbers = "From the next round on no table has the number %(without)s."
    text_none = "From the next round on there are no rooms: tables are numbered from 1."

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        if fields.get("rooms"):
            return cls.text_without if fields.get("without") else cls.text
        return cls.text_numbers if fields.get("without") else cls.text_none

    def apply(self, state: Competition) -> Competition:
        if overlapping(self.rooms):
            raise Illegal(
                "Give the rooms in the order of their tables; no table can be in two.", fields=["rooms"]
            )
        rooms = Rooms(self.rooms, self.without)
        if self.rooms and not rooms.tables:
            raise Illegal("The rooms have no table left.", fields=["without"])
        if [*self.without] != sorted({*self.without}):
            raise Illegal("Give each number once, the lowest first.", fields=["without"])
        return in_rooms(replace(state, rooms=rooms), rooms)


class SetRooms(Rooms, Verb, key="set-rooms"):
    """Say in which rooms the next rounds are played, and which numbers their tables have.

    The tables of a round get the numbers of the rooms in order; whoever meets is drawn as ever. Rounds that
    are published keep theirs. Where the rooms have fewer tables than planned, the next draw makes larger
    ones, if game and format permit. None at all: tables are numbered from 1.
    """

    taken_back_by = ("set-rooms",)
    set_rooms = Button(
        "Rooms and table numbers",
        "The tables of the next round get these numbers, and everybody reads in which room they are. Who "
        "meets whom does not change.",
        "Set the rooms again, or none.",
        statuses=LIVE,
        part="round",
        asks=("rooms", "without"),
        rank=80,
        rare=True,
    )

    def decide(self, state: Competition, given: Given) -> Events:
        rooms = tuple(sorted(self.rooms, key=lambda room: room.first))
        without = tuple(sorted({*self.without}))
        return (RoomsSet(tuple(Room(each.name.strip(), each.first, each.last) for each in rooms), without),)
