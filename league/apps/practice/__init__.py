"""Practice games, and the house bots that play in them and in clubs’ games."""
