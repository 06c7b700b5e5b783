"""What happens in a competition, without Django, database, clock or randomness.

`state` is what a log says so far, `events` are its entries, which change it; `formats` draw rounds,
`scoring` and `standings` rank the entries, and `verify` checks a file. docs/competitions.md describes it all.
"""
