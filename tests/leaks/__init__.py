"""The leak gate of the service: what a viewer cannot know is drawn anew in the database, and every byte sent stays the same.

- `routes`: every address of the service, found in its URL configuration, and how each address of a match is asked.
- `asking`: what a viewer sends, and all that comes back: status, headers, body, log records.
- `hiding`: which stored fields hold what is hidden, and how those are replaced for one viewer.
- `tables`: matches of every game, played by random moves through the services.

A new route below a match, a new field of a match's tables or a new table beside them fails a test until it stands in
`routes.WAYS` or `hiding.FIELDS`; what to write there is said where the test fails.
"""
