"""The forms of the signed log, and its checks (docs/signed-log.md), which need nothing but Python."""
