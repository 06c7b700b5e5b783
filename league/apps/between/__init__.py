"""Teams of several clubs in one competition: each club's desk acts for its own."""
