"""What a tree declares: its servers and their tools, each program evaluated by itself and remembered."""
