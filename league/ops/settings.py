"""Django's settings. Installations configure them by environment variables: see docs/running.md."""

import warnings
from datetime import timedelta
from typing import Any

from celery.exceptions import SecurityWarning
from csp.constants import NONE, SELF

from league.ops import environment, folders, logs, mail, queue, secret
from league.ops.answers import fingerprint, static_fingerprint
from league.ops.postgres import Postgres
from league.ops.secret import new_user_code

BASE_DIR = folders.TOP
DATA_DIR = folders.data_folder()

# ---- Requests ------------------------------------------------------------------------------------

DEBUG = environment.flag("DEBUG")
SECRET_KEY = secret.of_site(environment.text("SECRET_KEY"), DATA_DIR / "secret_key")
ALLOWED_HOSTS = [*environment.items("ALLOWED_HOSTS"), "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = environment.items("CSRF_TRUSTED_ORIGINS")

# Set if a proxy in front handles TLS and sends X-Forwarded-Proto.
BEHIND_TLS = environment.flag("BEHIND_TLS")
if BEHIND_TLS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds())
SESSION_ENGINE = "league.services.log_ins"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BEHIND_TLS
# Only the owner of the domain knows whether all subdomains use TLS.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# The threads of a web process.
WEB_THREADS = environment.number("WEB_THREADS", 8, 1)

CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "script-src": [SELF],
    }
}

# ---- Applications --------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_filters",
    "csp",
    "pgtrigger",
    "games",
    "league.config.LeagueConfig",
    "api",
    # Apps that hang on the spine: without one, the site works without what it does.
    "league.apps.exchange",
    "league.apps.notifications",
    "league.apps.people",
    "league.apps.practice",
    "league.apps.prints",
    "league.apps.hall",
    "league.apps.my_evening",
    "league.apps.away",
    "league.apps.challenges",
    "league.apps.between",
    "league.apps.evenings",
    "league.apps.own_games",
    "league.apps.attendance",
    "league.apps.webhooks",
    "league.apps.wishes",
    "league.apps.seeks",
    "league.apps.company",
    "league.apps.programs",
    "league.apps.rehearsal",
    "league.apps.series",
    "league.apps.signed_log",
    "league.apps.archive",
    "oauth2_provider",
]

MIDDLEWARE = [
    "corsheaders.middleware.CorsMiddleware",
    "league.ops.answers.CompressionMiddleware",
    "api.answers.AnswerMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "league.ops.scripts.joined_on_request",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "league.ops.logs.RequestLogMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "league.web.reading.ReaderMiddleware",
    "api.answers.straight_to_view",
    # What follows is for pages alone.
    "django.middleware.csrf.CsrfViewMiddleware",
    "league.web.languages.LanguageMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "league.web.log_in.UnsentMiddleware",
]

ROOT_URLCONF = "league.urls"
# An import of a thousand players may ask a question about each.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 3000
WSGI_APPLICATION = "league.ops.asgi.pages"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "django.template.loaders.app_directories.Loader",
                        "games.templates.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# The default game of `manage.py demo` and of sample emails.
DEMO_RULESET = "scoops"

# Who reads /metrics must send it as a bearer token; without one, only this host itself may read them.
METRICS_TOKEN = environment.text("METRICS_TOKEN")
# Where nightly backups are, the newest of which is restored beside each day to see that it is good.
BACKUP_FOLDER = environment.text("BACKUP_FOLDER")

# If a result waits longer for its standings, /readyz answers 503.
READY_LAG_SECONDS = environment.number("READY_LAG_SECONDS", 120)

# ---- Database ------------------------------------------------------------------------------------

# A server that has gone without a word is noticed in seconds; on a unix socket only the first counts.
_PATIENCE = {
    "connect_timeout": "5",
    "tcp_user_timeout": "10000",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
}
_database = environment.database(environment.text("DATABASE_URL") or Postgres(DATA_DIR).url, _PATIENCE)
# Set if DATABASE_URL leads to a pooler.
if _direct := environment.text("DATABASE_DIRECT_URL"):
    _database = environment.behind_pooler(_database, environment.database(_direct, _PATIENCE))
DATABASES = {
    "default": {
        **_database,
        "OPTIONS": {"prepare_threshold": 5, **_database["OPTIONS"]},
        # Each thread keeps its connection: a new one takes longer than most requests.
        "CONN_MAX_AGE": environment.number("DATABASE_CONN_MAX_AGE", 600),
        "CONN_HEALTH_CHECKS": True,
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# ---- Accounts ------------------------------------------------------------------------------------

AUTH_USER_MODEL = "league.Account"
LOGIN_URL = "/account/login/"
LOGIN_REDIRECT_URL = "/account/"
LOGOUT_REDIRECT_URL = "/"
CSRF_FAILURE_VIEW = "league.web.log_in.csrf_failed"
PASSWORD_HASHERS = ["league.ops.secret.OneByOneHasher", "league.ops.secret.RandomSecretHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

# ---- Language, time and static files -------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "league" / "locale"]
FORMAT_MODULE_PATH = "league.locale"
TIME_ZONE = "UTC"

# A release has addresses of its own for its static files, so that browsers may keep them; modules and styles
# name their neighbours by relative addresses.
STATIC_URL = f"/static/{static_fingerprint()[:16]}/"
WHITENOISE_IMMUTABLE_FILE_TEST = rf"^{STATIC_URL}"
STATICFILES_DIRS = [path for path in (BASE_DIR / "static",) if path.is_dir()]
# Straight from the packages, so that no collectstatic is needed.
WHITENOISE_USE_FINDERS = True

# ---- API -----------------------------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.callers.BearerAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_SCHEMA_CLASS": "api.schema.OperationSchema",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "api.lists.Pages",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.requests.StrictJSONParser"],
    "DEFAULT_THROTTLE_CLASSES": ["api.callers.CallerThrottle"],
    # Requests of one account, or of one address where nobody is logged in, to one web process.
    "DEFAULT_THROTTLE_RATES": {
        of: environment.matching(
            f"API_RATE_{of.upper()}",
            usual,
            "[1-9][0-9]*/[smhd][a-z]*",
            "a rate such as 600/minute",
        )
        for of, usual in {
            "account": "60000/minute",
            "bot": "12000/minute",
            "address": "12000/minute",
            "oauth": "600/minute",
        }.items()
    },
    "EXCEPTION_HANDLER": "api.errors.handler",
    "DEFAULT_METADATA_CLASS": "api.answers.Description",
    # The web server has already replaced the address by the one that the proxy sends.
    "NUM_PROXIES": 0,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
# Programs in browsers, from any site: with tokens alone, for no cookie is sent or read from there.
CORS_URLS_REGEX = r"^/(api|oauth/(token|revoke|device-authorization)|\.well-known)/"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_HEADERS = (
    *("accept", "authorization", "content-type", "idempotency-key", "if-none-match", "last-event-id"),
)
CORS_EXPOSE_HEADERS = (
    *("Content-Location", "Deprecation", "ETag", "Link", "Location", "RateLimit", "RateLimit-Policy"),
    *("Retry-After", "Sunset", "WWW-Authenticate"),
)
CORS_PREFLIGHT_MAX_AGE = int(timedelta(days=1).total_seconds())

# ---- Programs that people connect (OAuth 2, with the advice of RFC 9700) -------------------------

OAUTH2_PROVIDER_APPLICATION_MODEL = "programs.Program"
# The package's 22 migrations in one: they take twelve seconds, in every new database.
MIGRATION_MODULES = {"oauth2_provider": "league.apps.programs.migrations.oauth2"}
OAUTH2_PROVIDER: dict[str, Any] = {
    "OAUTH2_SERVER_CLASS": "league.apps.programs.oauth.Endpoints",
    "OAUTH2_VALIDATOR_CLASS": "league.apps.programs.oauth.Validator",
    "SCOPES_BACKEND_CLASS": "league.apps.programs.oauth.Scopes",
    "ACCESS_TOKEN_GENERATOR": "league.apps.programs.oauth.new_secret",
    "REFRESH_TOKEN_GENERATOR": "league.apps.programs.oauth.new_secret",
    "CLIENT_SECRET_HASHER": "random",
    "OAUTH_DEVICE_USER_CODE_GENERATOR": new_user_code,
    # Named by the view, which knows the address of the site, and done by the validator.
    "OAUTH_DEVICE_VERIFICATION_URI": "/oauth/device/",
    "OAUTH_PRE_TOKEN_VALIDATION": [],
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": int(timedelta(hours=1).total_seconds()),
    # Of a program that has not called for so long.
    "REFRESH_TOKEN_EXPIRE_SECONDS": int(timedelta(days=90).total_seconds()),
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "PKCE_REQUIRED": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https"],
    **{
        f"COMPLIANT_BCP_RFC9700_{rule}": True
        for rule in (
            *("IMPLICIT_GRANT", "PASSWORD_GRANT", "PKCE_METHOD", "ACCESS_TOKEN_TRANSPORT"),
            *("AUTHZ_RESPONSE_ISS", "TOKEN_STORAGE", "REFRESH_TOKEN", "REDIRECT_URI_SCHEME"),
            *("REDIRECT_URI_MATCHING", "PKCE_REQUIRED"),
        )
    },
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Trefoil",
    "DESCRIPTION": "Tournaments and leagues for card clubs, kept as append-only, verifiable logs.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVERS": [{"url": "/", "description": "This server."}],
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": ["api.contract.complete"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # Of a long page only the part on screen is drawn, so a reader's search would miss what is further down.
    "SWAGGER_UI_SETTINGS": {"docExpansion": "none", "deepLinking": True},
    "REDOC_DIST": "SIDECAR",
}

# ---- Celery --------------------------------------------------------------------------------------

# In a container the worker runs as root on purpose.
warnings.filterwarnings("ignore", category=SecurityWarning)

CELERY_BROKER_URL = queue.url()
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = queue.transport_options(CELERY_BROKER_URL)
# How many tasks run at the same time; all but one of them may be jobs.
WORKER_PROCESSES = environment.number("WORKER_PROCESSES", 2, 1)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# ---- Draws ---------------------------------------------------------------------------------------

# Servers of the public beacon drand, asked in this order.
BEACON_URLS = environment.matching(
    "BEACON_URLS",
    "https://api.drand.sh https://drand.cloudflare.com",
    rf"{environment.ADDRESS}(\s+{environment.ADDRESS})*",
    "addresses such as https://api.drand.sh, with spaces between them",
).split()

# ---- The signed log ------------------------------------------------------------------------------

# The secret key that signs its heads; beside it the head that was signed last. Neither is in a backup.
LOG_KEY_FILE = environment.text("LOG_KEY_FILE") or str(DATA_DIR / "log_key")
# The keys of witnesses whose signatures are taken.
LOG_WITNESSES = environment.items("LOG_WITNESSES")

# ---- Web push ------------------------------------------------------------------------------------

# The secret key by which push services know this server; not in a backup.
PUSH_KEY_FILE = environment.text("PUSH_KEY_FILE") or str(DATA_DIR / "push_key")

# ---- Webhooks and email --------------------------------------------------------------------------

# Allows webhooks into the server's own network, and plain http: for tests, or to host both ends.
WEBHOOKS_PRIVATE = environment.flag("WEBHOOKS_PRIVATE")

# The URL of the site, for links in emails; `up` sets a default.
SITE_URL = environment.matching(
    "SITE_URL", "http://127.0.0.1:8000", environment.ADDRESS, "an address such as https://cards.example"
).rstrip("/")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = environment.text("EMAIL_FROM", "Trefoil <trefoil@localhost.localdomain>")
MAIL_DOMAIN = mail.domain(DEFAULT_FROM_EMAIL)
globals().update(mail.settings(environment.text("EMAIL_URL"), DATA_DIR / "mail"))

# ---- Logs ----------------------------------------------------------------------------------------

LOGGING = logs.configuration(
    level=environment.matching("LOG_LEVEL", "INFO", "DEBUG|INFO|WARNING|ERROR|CRITICAL", "INFO or WARNING"),
    as_json=environment.flag("LOG_JSON"),
)

# ---- Error reports -------------------------------------------------------------------------------

# The address of a server that speaks Sentry's protocol. What is sent: league/ops/error_reports.py.
if _dsn := environment.text("SENTRY_DSN"):
    from league.ops import error_reports

    error_reports.begin(_dsn, fingerprint()[:12])
