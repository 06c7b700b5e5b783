"""The conformance kit: recorded lines of play that hold any engine or bot, in any language, to the rules.

``docs/conformance/README.md`` is the protocol. Start it with ``python -m games.conformance``.
"""
