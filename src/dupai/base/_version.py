"""The version of dupai, here so that every floor can stamp what it keeps with it."""

__version__ = "0.2.0"
