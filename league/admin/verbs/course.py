"""The course of a whole competition: entries open and closed, start, stages and seasons, pause, end."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from league import log, services
from league.admin.following import following_groups
from league.admin.stageform import StageForm, next_season
from league.admin.verbs.base import LIVE, PREPARING, RUNNING, UNDER_WAY, ActForm, ReasonForm, Verb
from league.competition.state import Competition as State
from league.models import Competition


class StartStageForm(ActForm):
    """The next stage, shown with those who play in it."""

    part = "admin/competition_following.html"

    def offer(self) -> None:
        """Find out who would play where; a refusal is said in its place."""
        self.following = following_groups(self.state)


class SeasonForm(StageForm):
    """One more stage; what it holds at first is the last one once more."""

    part = "admin/competition_season.html"
    whole = confirmed = True

    def __init__(self, data: Any, *, competition: Competition, table: str) -> None:
        state = log.latest(competition)
        sizes = (2, max(state.opening.seats))
        plan = next_season(state.plans[-1])
        super().__init__(data, plan=plan, number=len(state.plans), sizes=sizes, initial=None)

    @property
    def told(self) -> dict[str, Any]:
        """Return the stage as the log holds it."""
        return {"stage": self.plan_json()}

    def refuse(self, errors: dict[str, list[str]]) -> None:
        """Put each error at its field."""
        self.show({path.removeprefix("stage."): said for path, said in errors.items()})


def _has_started(state: State) -> bool:
    return state.started


VERBS: Final = (
    Verb(
        "open_entries",
        _("Let players enter"),
        _("Players with an account of their own may enter themselves from now on."),
        _("Close the entries again at any time before the start."),
        ("preparing",),
        services.open_entries,
        part="entries",
    ),
    Verb(
        "close_entries",
        _("Close entries"),
        _("Only organisers enter anybody from now on."),
        _("You can still enter players yourself."),
        ("entering",),
        services.close_entries,
        part="entries",
    ),
    Verb(
        "start",
        _("Start"),
        _("The field stands and the first round can be drawn. With the automatic pace it is drawn at once."),
        _("It can’t be undone, but players can still enter late and entries be withdrawn."),
        PREPARING,
        services.start,
    ),
    Verb(
        "start_stage",
        _("Start the next stage"),
        _("The stage begins with those who are shown here. Its rounds can be drawn then."),
        _("It can’t be undone. Rule on tables of the stage before first, where its standings are wrong."),
        RUNNING,
        services.start_stage,
        StartStageForm,
        steps=("start_stage",),
    ),
    Verb(
        "add_stage",
        _("Add a stage or season"),
        _("One more stage follows the last: a league’s next season, for example."),
        _("It can’t be taken back, but the competition can be finished before it begins."),
        UNDER_WAY,
        services.add_stage,
        SeasonForm,  # type: ignore[arg-type]
        only=_has_started,
    ),
    Verb(
        "finish",
        _("Finish"),
        _("The standings become final, and nothing more can be said about any table."),
        _("This can’t be undone."),
        RUNNING,
        services.finish,
        steps=("finish", "start_stage", "draw"),
        danger=True,
    ),
    Verb(
        "pause",
        _("Pause"),
        _("Nothing is drawn, published or closed until it goes on. Open games can be played to their end."),
        _("Let it go on whenever you like."),
        RUNNING,
        services.pause,
        ReasonForm,
    ),
    Verb(
        "resume",
        _("Go on"),
        _("The pause is over."),
        _("It can be paused again."),
        ("paused",),
        services.resume,
    ),
    Verb(
        "cancel",
        _("Cancel"),
        _("The competition ends without a winner. Everything that was played stays to be read."),
        _("This can’t be undone: a new competition would have to be set up."),
        LIVE,
        services.cancel,
        ReasonForm,
        danger=True,
    ),
)
