"""Long work that somebody waits for."""

from django.db.models import QuerySet

from league.models import Club, Job


def jobs_at_work(clubs: QuerySet[Club]) -> QuerySet[Job]:
    """Return the clubs' jobs that are not over, the newest first, without what they are given."""
    at_work = Job.objects.filter(club__in=clubs, status__in=(Job.Status.WAITING, Job.Status.RUNNING))
    return at_work.select_related("competition").defer("given", "upload", "file", "result")
