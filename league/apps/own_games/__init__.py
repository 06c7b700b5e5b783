"""Games that clubs make for themselves: kept as copies of others, offered where a competition is set up."""
