"""Friends, who is here, what players say to each other, and reports of people."""
