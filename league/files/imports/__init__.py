"""Imports: files read into rows, and what each row would change."""
