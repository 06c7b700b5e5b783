"""The Django project and its main application: clubs, competitions and their standings."""
