"""A competition as frozen values: the announced plan, and the state that its log folds to."""
