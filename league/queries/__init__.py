"""All reads of the league. Nothing here writes."""
