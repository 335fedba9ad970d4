"""The MCP SDK's objects, and what they become on the wire."""
