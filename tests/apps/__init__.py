"""Tests of the apps, each in a folder of its own."""
