"""Django's PostgreSQL backend, with a time limit on every wait for the server."""
