"""The signed log over all logs: a Merkle tree whose heads are signed and witnessed (docs/signed-log.md)."""
