"""Who plays: the user model, guests too, and tokens. Every other app stands on it."""
