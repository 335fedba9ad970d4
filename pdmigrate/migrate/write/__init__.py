"""Carrying out a plan: all of it or nothing, whatever happens on the way."""
