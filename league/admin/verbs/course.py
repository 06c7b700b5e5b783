"""The course of a whole competition: entries open and closed, start, stages and seasons, pause, end."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from league import services
from league.admin.following import following_groups
from league.admin.stageform import StageForm, next_season
from league.admin.verbs.base import LIVE, PREPARING, RUNNING, UNDER_WAY, ActForm, ReasonForm, Verb
from league.competition.state import Competition as State


class StartStageForm(ActForm):
    """The next stage, shown with those who play in it."""

    part = "admin/competition_following.html"

    def offer(self) -> None:
        """Find out who would play where; a refusal is said in its place."""
        self.following = following_groups(self.state)


class SeasonForm(ActForm):
    """One more stage; what it holds at first is the last one once more."""

    part = "admin/competition_season.html"

    def offer(self) -> None:
        """Ask for the stage as setting up does."""
        plans = self.state.plans
        self.stage = StageForm(
            self.data if self.is_bound else None,
            plan=next_season(plans[-1]),
            number=len(plans),
            sizes=(2, max(self.state.opening.seats)),
            initial=None,
        )

    def is_valid(self) -> bool:
        """Return whether the stage is."""
        return super().is_valid() and self.stage.is_valid()

    @property
    def told(self) -> dict[str, Any]:
        """Return the stage as the log holds it."""
        return {"stage": self.stage.plan_json()}

    def refuse(self, errors: Mapping[str, list[str]]) -> None:
        """Put each error at its field."""
        self.stage.show({path.removeprefix("stage."): said for path, said in errors.items()})


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
        SeasonForm,
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
