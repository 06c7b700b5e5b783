"""The tables of django-oauth-toolkit, made by one migration instead of the 22 of the package."""
