"""Knowledge of libraries, one module for each; ``everything.py`` imports all modules of this folder.

A module registers what it knows with the functions of ``core/natives.py``.
"""
