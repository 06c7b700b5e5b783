"""Games: their rules, their logs and the verifier."""
