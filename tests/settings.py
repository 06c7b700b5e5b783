"""The settings of a test run: those of the house, in a data folder that is thrown away."""

import os
import tempfile
from pathlib import Path

# Named once, by the first process of the run; its workers inherit the name.
if "TREFOIL_TEST_DATA" not in os.environ:
    os.environ["TREFOIL_TEST_DATA"] = tempfile.mkdtemp(prefix=f"trefoil-test-{os.getpid()}-")
    Path(os.environ["TREFOIL_TEST_DATA"]).chmod(0o711)
os.environ["TREFOIL_DATA"] = os.environ["TREFOIL_TEST_DATA"]

from league.settings import *  # noqa: F403

ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
SECRET_KEY = "only for tests"
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
