"""Migrate published servers and show that nothing but the listing changed: ``python -m benchmarks.migrate``."""
