"""Migrations of webhooks."""
