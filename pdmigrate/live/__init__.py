"""The running server: it is asked for its tools, and it is proven on the wire."""
