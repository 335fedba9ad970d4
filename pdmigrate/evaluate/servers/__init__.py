"""Servers that are told their tools: running the program that tells them, and what they list then."""
