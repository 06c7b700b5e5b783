"""The settings of a test run: those of a server, with a temporary data folder."""

import os
import tempfile
from pathlib import Path

# Named once, by the first process of the run; its workers inherit the name.
if "TREFOIL_TEST_DATA" not in os.environ:
    os.environ["TREFOIL_TEST_DATA"] = tempfile.mkdtemp(prefix=f"trefoil-test-{os.getpid()}-")
    Path(os.environ["TREFOIL_TEST_DATA"]).chmod(0o711)
os.environ["TREFOIL_DATA"] = os.environ["TREFOIL_TEST_DATA"]

from league.ops.settings import *  # noqa: F403
from league.ops.settings import DATABASES

ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.MD5PasswordHasher",
    "league.ops.secret.RandomSecretHasher",
]
SECRET_KEY = "only for tests"
# The threads of a live site must not hold on to the test database.
DATABASES["default"]["CONN_MAX_AGE"] = 0
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
# With it each page after a blank one takes a new process of the browser, which compiles all scripts again.
SECURE_CROSS_ORIGIN_OPENER_POLICY = None
# Webhooks lead to a server of the test itself.
WEBHOOKS_PRIVATE = True
