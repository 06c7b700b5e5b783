"""The Celery application. A message is a hint to look at the log, never the only copy of work."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

app = Celery("trefoil")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
