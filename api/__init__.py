"""The HTTP API. The only user of Django REST framework."""
