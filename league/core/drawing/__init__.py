"""What formats draw rounds with: table sizes, costs, pairings, schedules, brackets and seat order."""
