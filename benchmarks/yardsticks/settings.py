"""The site's settings with the yardsticks. SUBJECT says whose middleware a process has."""

import os

from league.ops.settings import *  # noqa: F403
from league.ops.settings import INSTALLED_APPS, MIDDLEWARE

INSTALLED_APPS = [*INSTALLED_APPS, "rest_framework.authtoken", "benchmarks.yardsticks.apps.YardsticksConfig"]
ROOT_URLCONF = "benchmarks.yardsticks.urls"
MIDDLEWARE = {
    "ours": MIDDLEWARE,
    # As `startproject` writes it.
    "idiomatic": [
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    "bare": [],
}[os.environ.get("SUBJECT", "ours")]
