"""Importing at the start of a process what requests need, so that none of them waits for it."""

import codecs
import gc
import zoneinfo
from typing import Any

from django.conf import settings
from django.contrib.auth import get_backends
from django.core.cache import caches
from django.template import engines
from django.urls import get_resolver
from django.utils import formats
from django.utils.module_loading import import_string


def warm_up() -> None:
    """Import views and what settings name, which Django does when it is asked (tests/ops/test_imports.py)."""
    assert get_resolver().url_patterns
    for template_engine in engines.all():
        engine: Any = template_engine.engine  # type: ignore[attr-defined]  # of Django's own templates
        assert engine.template_loaders and engine.template_context_processors
    assert get_backends() and caches.all(initialized_only=False)
    import_string(settings.MESSAGE_STORAGE)
    import_string(settings.SESSION_SERIALIZER)
    for encoding in ("unicode_escape", "utf_8_sig", "utf_16", "windows_1252"):
        codecs.lookup(encoding)
    zoneinfo.available_timezones()
    for code, _name in settings.LANGUAGES:
        formats.get_format("DATE_FORMAT", lang=code)
    # What is loaded now stays: no collection of garbage, for which a request has to wait, looks at it again.
    gc.collect()
    gc.freeze()
