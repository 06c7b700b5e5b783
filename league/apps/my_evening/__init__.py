"""My evening: a page for each person with seat, clock and results, without an account."""
