"""The REST API: HTTP in front of services and queries."""
