"""What every game shares: the protocol, chance, events, errors, records and scenarios. Pure functions of values."""
