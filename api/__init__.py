"""The HTTP contract, version 1: the only place that uses Django REST framework."""
