"""The MCP SDK's objects: low-level servers, models, and what becomes of them on the wire."""
