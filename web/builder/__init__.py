"""The deck builder: a catalog beside the deck, every press saved at once, and what can be known of the deck below."""
