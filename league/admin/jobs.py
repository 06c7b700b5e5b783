"""Jobs on the desk: how far long work is, what came of it, and a button to cancel it."""

from collections.abc import Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import URLPattern, reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import ClubScopedAdmin, display
from league.admin.site import desk
from league.files.file import File, as_answer
from league.models import Job
from league.requests import account_in
from league.services.jobs import cancel_job, kind_of
from league.words.messages import translated


@admin.register(Job, site=desk)
class JobAdmin(ClubScopedAdmin[Job]):
    """Long work of the last days, the newest first."""

    list_display = ("kind", "state", "competition", "starter", "made_at", "club")
    list_filter = ("status", "kind", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("club", "competition", "by")
    buttons = ("cancel",)
    asks: ClassVar = {
        "cancel": (
            gettext_lazy("Cancel this work"),
            gettext_lazy("Nothing of it is kept. To have it after all, start it again from the beginning."),
        )
    }

    @display(
        description=gettext_lazy("status"),
        ordering="status",
        label={"done": "good", "running": "", "waiting": "", "failed": "bad"},
    )
    def state(self, job: Job) -> tuple[str, str]:
        return job.status, job.get_status_display()

    @display(description=gettext_lazy("started by"), ordering="by__username")
    def starter(self, job: Job) -> str:
        return job.by.username

    def get_queryset(self, request: HttpRequest) -> Any:
        """Return the jobs without what they are given and their files, which may be long."""
        return super().get_queryset(request).defer("given", "upload", "file", "result")

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses, that of a job's state, and that of its file."""
        return [
            self.page_url("<uuid:pk>/state/", self.state_view, "state"),
            self.page_url("<uuid:pk>/file/", self.file_view, "file"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show how far the job is, or what came of it; a file that was read leads to its preview."""
        job = self.get_row(request, object_id)
        if (preview := kind_of(job).preview) and job.status == Job.Status.DONE:
            return redirect(preview, job.pk)
        context = {
            "job": job,
            "original": job,
            "lines": translated(job.error).splitlines(),
            "sentence": _outcome(job),
            "next": _next_pages(job),
            "may_cancel": self.directs(request, job) and not job.is_over,
        }
        return self.render_page(request, "admin/job.html", job.get_kind_display(), context)

    def state_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Return how far the job is, for the page's script."""
        job = self.get_row(request, pk)
        return JsonResponse(
            {"status": job.status, "done": job.done, "total": job.total, "text": progress_in_words(job)}
        )

    def file_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Return the file that the job made; raise Http404 where there is none, or no longer."""
        job = self.get_row(request, pk)
        if not job.has_file:
            raise Http404
        if job.given.get("for_organisers") and not self.directs(request, job):
            raise PermissionDenied
        answer = as_answer(File(bytes(job.file or b""), job.file_name))
        patch_cache_control(answer, no_store=True, private=True)
        return answer

    def cancel(self, request: HttpRequest, job: Job) -> None:
        """Cancel the job; nothing of it is kept."""
        if cancel_job(by=account_in(request), job=job).is_over:
            messages.success(request, _("It is cancelled. Nothing was changed."))
        else:
            messages.info(request, _("It stops at the next step."))


def progress_in_words(job: Job) -> str:
    """Return how far a job is that isn't over."""
    if job.status == Job.Status.WAITING:
        return _("It begins as soon as the server is free.")
    if job.cancelling:
        return _("It is being cancelled.")
    if not job.total:
        return _("The server is working on it.")
    return _("%(done)d of %(total)d") % {"done": job.done, "total": job.total}


def _outcome(job: Job) -> str:
    """Return what came of a job, or how far it is."""
    if not job.is_over:
        return progress_in_words(job)
    match job.status:
        case Job.Status.CANCELLED:
            return _("It was cancelled. Nothing was changed.")
        case Job.Status.FAILED:
            return _("It failed, and nothing was changed.")
        case _ if outcome := kind_of(job).outcome:
            return outcome(job)
        case _:
            return _("The file is ready.") if job.has_file else _("The file was removed.")


def _next_pages(job: Job) -> Sequence[tuple[str, str]]:
    """Return address and title of where to go on, the most likely first."""
    pages = []
    if job.has_file:
        pages.append((reverse("admin:league_job_file", args=[job.pk]), _("Open the file")))
    if job.competition:
        address = reverse("admin:league_competition_change", args=[job.competition_id])
        pages.append((address, _("Back to the competition")))
    return [*pages, *((reverse(name), title) for name, title in kind_of(job).pages)]
