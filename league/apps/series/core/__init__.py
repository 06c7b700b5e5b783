"""What a series makes of its evenings: pure functions, as `league.core` is."""
