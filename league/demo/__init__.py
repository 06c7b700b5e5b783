"""The demonstration: a club whose members are bots, which play a league over HTTP as any client would."""
