"""Tests of the pages' scripts without a browser: types, and modules that compute."""
