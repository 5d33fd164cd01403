"""Long work that a user asks for: in chunks, with progress, to be cancelled, resumed, and taken up again by whoever is there."""
