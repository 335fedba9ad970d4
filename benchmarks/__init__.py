"""Measurements on servers and machines as they are; not part of the test suite, nor of the package."""
