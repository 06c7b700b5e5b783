"""What a move is measured against: the same write as REST Framework's guide would have it, and bare."""
