"""Programs of third parties that people connect to their accounts (OAuth 2, docs/api.md)."""
