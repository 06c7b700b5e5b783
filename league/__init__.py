"""The Django project and its main application: clubs, competitions and their standings."""

from league.celery import app as celery_app

__all__ = ["celery_app"]
