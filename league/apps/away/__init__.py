"""When the people of a club are away."""
