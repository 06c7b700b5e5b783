"""Long work that somebody waits for."""

from django.db.models import QuerySet

from league.models import Account, Club, Job
from league.queries import permissions


def imports_of(club: Club, account: Account) -> QuerySet[Job]:
    """Return the club's imports of logs, the newest first; raises PermissionDenied for all but organisers."""
    permissions.require_organiser(club.pk, account)
    imports = Job.objects.filter(club=club, kind=Job.Kind.IMPORT_LOG)
    return imports.defer("upload", "file").order_by("-made_at", "pk")


def jobs_at_work(clubs: QuerySet[Club]) -> QuerySet[Job]:
    """Return the clubs' jobs that are not over, the newest first, without what they are given."""
    at_work = Job.objects.filter(club__in=clubs, status__in=(Job.Status.WAITING, Job.Status.RUNNING))
    return at_work.select_related("competition").defer("given", "upload", "file", "result")
