"""What the people of a club wish for draws."""
