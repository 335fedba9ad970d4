"""The MCP SDK's objects, and their form on the wire."""
