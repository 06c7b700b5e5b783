"""Who comes to an evening: answers beforehand, partners and stand-ins, and walk-ins at the door."""
