"""Knowledge of built-in types and of libraries: leaves, all of which ``recognise/everything.py`` imports."""
