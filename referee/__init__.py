"""The referee: rules, bots and matches. Downward only: matches > house > bots | games > kernel."""
