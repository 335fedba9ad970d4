"""The SDKs: what their objects answer, what is registered on a server, and what the server lists."""
