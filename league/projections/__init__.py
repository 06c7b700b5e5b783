"""Rows that follow the logs: the tables that pages and the API read."""
