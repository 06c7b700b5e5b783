"""What carries the application: its servers, its processes, its surroundings. Knows nothing of clubs or games."""
