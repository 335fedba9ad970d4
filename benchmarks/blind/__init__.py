"""Servers that nobody looked at: chosen blindly, started, and compared with what their source shows."""
