"""What every game shares: the contract, refusals, cards, melds, chance, the chain and the replay."""
