"""What is known of libraries, a module for each: ``everything.py`` imports all modules that stand here.

A module says what it knows with the functions of ``core/natives.py``.
"""
