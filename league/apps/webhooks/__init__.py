"""Webhooks: what is public of a club is sent to addresses that its organisers name (docs/api.md)."""
