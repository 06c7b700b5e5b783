"""What carries the application: servers, processes, surroundings. It knows nothing of clubs or games."""
