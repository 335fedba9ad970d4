"""What a server lists: its record read again, its list handler called, its middleware asked."""
