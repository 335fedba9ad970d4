"""What is known of built-in types and of libraries: leaves, which ``recognise/everything.py`` imports one and all."""
