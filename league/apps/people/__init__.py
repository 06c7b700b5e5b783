"""A club's people: two players who are one person, and what is shown and stored of people, and forgotten."""
